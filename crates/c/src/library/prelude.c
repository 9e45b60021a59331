// What all models see. The width of `unsigned long` is that of `size_t` in every data model.

typedef unsigned long __aster_size;

void *__builtin_malloc(__aster_size size);
