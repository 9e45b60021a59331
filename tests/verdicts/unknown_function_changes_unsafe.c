// expect: FALSE(unreach-call)
// A function without body may change what it is given.
extern void change(int *value);
extern void reach_error(void);

int main(void) {
    int numbers[4] = {1, 2, 3, 4};
    change(numbers + 2);
    if (numbers[0] == 77) reach_error();
    return 0;
}
