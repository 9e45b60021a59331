extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct account {
    int id;
    unsigned int open : 1;
    unsigned int limit : 7;
    long balance;
};

static void withdraw(struct account *account, long amount)
{
    account->balance -= amount;
    account->open = account->balance > 0;
}

int main(void)
{
    struct account accounts[2] = {{1, 1, 100, 50}, {2, 1, 100, 70}};
    struct account copy;
    withdraw(&accounts[1], __VERIFIER_nondet_int());
    accounts[0].limit = 3;
    copy = accounts[1];
    if (!copy.open && copy.balance == 0)
        reach_error();
    return 0;
}
