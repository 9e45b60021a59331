// What all models see. The width of `unsigned long` is that of `size_t` in every data model.

typedef unsigned long __aster_size;

void *__builtin_malloc(__aster_size size);
void *__builtin_realloc(void *old, __aster_size size);
int __builtin_fgetc(void *stream);

// Values from outside, in the order in which the program gets them; `result` ones are all that the function gives.
int __builtin_aster_any_int(void);
unsigned char __builtin_aster_any_char(void);
long __builtin_aster_any_long(void);
long __builtin_aster_result_long(void);

// Values that the real function computes and the model does not.
int __builtin_aster_rough_int(void);
unsigned char __builtin_aster_rough_char(void);
long __builtin_aster_rough_long(void);
double __builtin_aster_unknown(void);

// The path goes on only if this is not zero.
void __builtin_aster_assume(int holds);

// The call is undefined, or its meaning is not known.
void __builtin_aster_undefined(void);
void __builtin_aster_unmodelled(void);

// `struct tm` as glibc has it.
struct __asterlib_tm {
    int sec, min, hour, mday, mon, year, wday, yday, isdst;
    long offset;
    const char *zone;
};
