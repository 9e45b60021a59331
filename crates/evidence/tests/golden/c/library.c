extern int __VERIFIER_nondet_int(void);
char *strcpy(char *to, const char *from);

struct person {
    int age;
    char name[8];
};

static void name_it(struct person *person, const char *name)
{
    strcpy(person->name, name);
}

int main(void)
{
    struct person person;
    person.age = __VERIFIER_nondet_int();
    name_it(&person, "Ada");
    name_it(&person, "Augusta Ada");
    return 0;
}
