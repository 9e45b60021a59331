//! Paths over integers.

use super::*;
use aster_term::print_term;

const STRATEGIES: [Strategy; 3] =
    [Strategy::WeakestPrecondition, Strategy::StrongestPostcondition, Strategy::Farkas];

fn integer(f: &mut Fixture, name: &str) -> Term {
    f.pool.variable(name, Sort::Int)
}

/// x := 0; y := input; (x := x + 2; y := y + 1)*; assume y >= input; assume x < 0
#[test]
fn counters_do_not_wrap_around() {
    for strategy in STRATEGIES {
        let mut f = Fixture::new();
        let (x, y) = (integer(&mut f, "x"), integer(&mut f, "y"));
        let [zero, one, two] = [0, 1, 2].map(|n| f.pool.int(n));
        f.assign(x, zero);
        f.havoc(y);
        let mut cuts = vec![2];
        for _ in 0..3 {
            let (next_x, next_y) = (f.pool.num_add(x, two), f.pool.num_add(y, one));
            f.assign(x, next_x);
            f.assign(y, next_y);
            cuts.push(f.steps.len());
        }
        let negative = f.pool.num_lt(x, zero);
        f.assume(negative);
        let found = f.interpolants(&cuts, strategy);
        assert_eq!(found.len(), cuts.len());
        if strategy == Strategy::Farkas {
            let last = print_term(&f.pool, found[3]);
            assert_eq!(last, "(not (<= x 5))", "the sum of the bounds");
        }
    }
}

/// Two processes with tickets: s := input; a := s; s := s + 1; b := s; assume a >= b
#[test]
fn inputs_are_eliminated() {
    for strategy in STRATEGIES {
        let mut f = Fixture::new();
        let [s, a, b] = ["s", "a", "b"].map(|name| integer(&mut f, name));
        let one = f.pool.int(1);
        f.havoc(s);
        f.assign(a, s);
        let next = f.pool.num_add(s, one);
        f.assign(s, next);
        f.assign(b, s);
        let not_below = f.pool.num_ge(a, b);
        f.assume(not_below);
        let found = f.interpolants(&[2, 3, 4], strategy);
        // Strongest postconditions say by how much.
        if strategy != Strategy::StrongestPostcondition {
            let below = f.pool.num_lt(a, b);
            assert_eq!(found[2], below, "{strategy:?}");
        }
    }
}

/// assume x = 2 * y; (cut) assume x = 2 * z + 1: only divisibility tells them apart.
#[test]
fn parity_is_found() {
    for strategy in WALKS {
        let mut f = Fixture::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| integer(&mut f, name));
        let [zero, one, two] = [0, 1, 2].map(|n| f.pool.int(n));
        let double = f.pool.num_mul(y, two);
        let even = f.pool.eq(x, double);
        f.assume(even);
        let double = f.pool.num_mul(z, two);
        let next = f.pool.num_add(double, one);
        let odd = f.pool.eq(x, next);
        f.assume(odd);
        let found = f.interpolants(&[1], strategy);
        let remainder = f.pool.int_mod(x, two);
        let is_even = f.pool.eq(remainder, zero);
        let differ = f.pool.ne(found[0], is_even);
        assert!(matches!(f.solver.check(&mut f.pool, &[differ]), Answer::Unsat(_)), "{strategy:?}");
    }
}
