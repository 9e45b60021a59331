//! Paths written by hand. Every sequence is checked against the law in debug builds by [`sequence`] itself; the
//! tests add which formulas are expected and which variables may occur.

use super::*;
use crate::{Interrupt, NativeSolver};
use aster_term::{Sort, free_variables};
use std::collections::BTreeSet;

mod integers;
mod random;

const WORD: Sort = Sort::BitVec(32);
const MEMORY: Sort = Sort::Array { index: 32, element: 8 };

struct Fixture {
    pool: TermPool,
    solver: NativeSolver,
    steps: Vec<Step>,
}

impl Fixture {
    fn new() -> Self {
        Fixture { pool: TermPool::new(), solver: NativeSolver::new(Interrupt::new()), steps: Vec::new() }
    }

    fn word(&mut self, name: &str) -> Term {
        self.pool.variable(name, WORD)
    }

    fn number(&mut self, value: i128) -> Term {
        self.pool.bv_signed(32, value)
    }

    fn plus(&mut self, term: Term, value: i128) -> Term {
        let number = self.number(value);
        self.pool.add(term, number)
    }

    fn assign(&mut self, variable: Term, value: Term) {
        self.steps.push(Step::Assign { variable, value });
    }

    fn assume(&mut self, formula: Term) {
        self.steps.push(Step::Assume(formula));
    }

    fn havoc(&mut self, variable: Term) {
        self.steps.push(Step::Havoc(variable));
    }

    fn run(&mut self, cuts: &[usize], order: &[Strategy]) -> Interpolation {
        let options = Options { order: order.to_vec(), ..Options::default() };
        let found = sequence(&mut self.pool, &mut self.solver, &self.steps, cuts, &options);
        if let Interpolation::Interpolants { formulas, .. } = &found {
            assert_eq!(formulas.len(), cuts.len());
            for (&formula, &cut) in formulas.iter().zip(cuts) {
                assert_shared(&self.pool, &self.steps, cut, formula);
            }
        }
        found
    }

    /// The interpolants; panics if there are none.
    fn interpolants(&mut self, cuts: &[usize], strategy: Strategy) -> Vec<Term> {
        match self.run(cuts, &[strategy]) {
            Interpolation::Interpolants { formulas, .. } => formulas,
            other => panic!("{strategy:?}: {other:?}"),
        }
    }
}

/// Only variables that occur before and after the cut may occur in its formula.
fn assert_shared(pool: &TermPool, steps: &[Step], cut: usize, formula: Term) {
    let variables = |steps: &[Step]| -> BTreeSet<Term> {
        let mut terms = Vec::new();
        for step in steps {
            match *step {
                Step::Assume(formula) => terms.push(formula),
                Step::Assign { variable, value } => terms.extend([variable, value]),
                Step::Havoc(variable) => terms.push(variable),
            }
        }
        free_variables(pool, &terms).into_iter().collect()
    };
    let (before, after) = (variables(&steps[..cut]), variables(&steps[cut..]));
    for variable in free_variables(pool, &[formula]) {
        let name = pool.variable_name(variable);
        assert!(before.contains(&variable) && after.contains(&variable), "{name:?} at cut {cut}");
    }
}

const WALKS: [Strategy; 2] = [Strategy::WeakestPrecondition, Strategy::StrongestPostcondition];

/// x := 0; y := 0; (x := x + 1; y := y + 1)*; assume x != y
fn two_counters(iterations: usize) -> (Fixture, Vec<usize>, Term) {
    let mut f = Fixture::new();
    let (x, y, zero) = (f.word("x"), f.word("y"), f.number(0));
    f.assign(x, zero);
    f.assign(y, zero);
    let mut cuts = vec![2];
    for _ in 0..iterations {
        let (next_x, next_y) = (f.plus(x, 1), f.plus(y, 1));
        f.assign(x, next_x);
        f.assign(y, next_y);
        cuts.push(f.steps.len());
    }
    let differ = f.pool.ne(x, y);
    f.assume(differ);
    let equal = f.pool.eq(x, y);
    (f, cuts, equal)
}

#[test]
fn equal_counters_stay_equal() {
    for iterations in [0, 1, 2, 5] {
        let (mut f, cuts, equal) = two_counters(iterations);
        let found = f.interpolants(&cuts, Strategy::WeakestPrecondition);
        assert_eq!(found, vec![equal; cuts.len()]);
        f.interpolants(&cuts, Strategy::StrongestPostcondition);
    }
}

#[test]
fn cuts_at_both_ends_are_true_and_false() {
    let (mut f, _, _) = two_counters(1);
    let ends = [0, f.steps.len()];
    let expected = vec![f.pool.bool(true), f.pool.bool(false)];
    for strategy in WALKS {
        assert_eq!(f.interpolants(&ends, strategy), expected);
    }
    assert_eq!(f.interpolants(&[], Strategy::WeakestPrecondition), []);
}

#[test]
fn a_feasible_path_is_recognised() {
    let (mut f, cuts, equal) = two_counters(1);
    f.steps.pop();
    f.assume(equal);
    assert_eq!(f.run(&cuts, &WALKS), Interpolation::Feasible);
}

#[test]
fn cuts_out_of_order_are_refused() {
    let (mut f, ..) = two_counters(1);
    assert!(matches!(f.run(&[3, 2], &WALKS), Interpolation::Unknown(_)));
    let beyond = f.steps.len() + 1;
    assert!(matches!(f.run(&[beyond], &WALKS), Interpolation::Unknown(_)));
}

#[test]
fn a_contradiction_on_one_side_is_true_before_and_false_after() {
    let mut f = Fixture::new();
    let (x, y, zero) = (f.word("x"), f.word("y"), f.number(0));
    f.havoc(y);
    f.havoc(x);
    let (below, above) = (f.pool.slt(x, zero), f.pool.slt(zero, x));
    f.assume(below);
    f.assume(above);
    let positive = f.pool.slt(zero, y);
    f.assume(positive);
    let expected = vec![f.pool.bool(true), f.pool.bool(false)];
    for strategy in WALKS {
        assert_eq!(f.interpolants(&[1, 4], strategy), expected);
    }
}

/// n > 0; x := 5; while n > 0 { if x != y then y := x else x := x + 1; n := n - 1 }; error if x - y > 1.
/// `choices` says for each iteration whether x != y.
fn chase(choices: &[bool]) -> (Fixture, Vec<usize>) {
    let mut f = Fixture::new();
    let (n, x, y) = (f.word("n"), f.word("x"), f.word("y"));
    let (zero, one, five) = (f.number(0), f.number(1), f.number(5));
    f.havoc(n);
    f.havoc(y);
    let positive = f.pool.slt(zero, n);
    f.assume(positive);
    f.assign(x, five);
    let mut cuts = vec![f.steps.len()];
    for &differ in choices {
        f.assume(positive);
        let equal = f.pool.eq(x, y);
        if differ {
            let unequal = f.pool.not(equal);
            f.assume(unequal);
            f.assign(y, x);
        } else {
            f.assume(equal);
            let next = f.plus(x, 1);
            f.assign(x, next);
        }
        let less = f.plus(n, -1);
        f.assign(n, less);
        cuts.push(f.steps.len());
    }
    let done = f.pool.not(positive);
    f.assume(done);
    let distance = f.pool.sub(x, y);
    let error = f.pool.slt(one, distance);
    f.assume(error);
    (f, cuts)
}

#[test]
fn the_chase_has_interpolants() {
    for choices in [&[true][..], &[false], &[true, false], &[false, true], &[true, false, true, false]] {
        for strategy in WALKS {
            let (mut f, cuts) = chase(choices);
            let found = f.interpolants(&cuts, strategy);
            // Only where the distance does not change any more is nothing to be remembered.
            let last = found[found.len() - 1];
            assert_eq!(f.pool.bool_constant(last), None, "{choices:?}");
        }
    }
}

#[test]
fn inputs_of_an_iteration_do_not_leave_it() {
    // s := 0; (x := *; assume 0 <= x < 10; s := x)*; assume s > 20
    for iterations in 1..4 {
        for strategy in WALKS {
            let mut f = Fixture::new();
            let (s, x) = (f.word("s"), f.word("x"));
            let (zero, ten, twenty) = (f.number(0), f.number(10), f.number(20));
            f.assign(s, zero);
            let mut cuts = vec![1];
            for _ in 0..iterations {
                f.havoc(x);
                let (low, high) = (f.pool.sle(zero, x), f.pool.slt(x, ten));
                let range = f.pool.and(low, high);
                f.assume(range);
                f.assign(s, x);
                cuts.push(f.steps.len());
            }
            let error = f.pool.slt(twenty, s);
            f.assume(error);
            f.interpolants(&cuts, strategy);
        }
    }
}

#[test]
fn bounds_of_an_input_are_resolved() {
    // low, high := *; assume high < low; (cut) x := *; assume low <= x; assume x <= high
    let mut f = Fixture::new();
    let (x, low, high) = (f.word("x"), f.word("low"), f.word("high"));
    f.havoc(low);
    f.havoc(high);
    let crossed = f.pool.slt(high, low);
    f.assume(crossed);
    f.havoc(x);
    let (above, below) = (f.pool.sle(low, x), f.pool.sle(x, high));
    f.assume(above);
    f.assume(below);
    for strategy in WALKS {
        assert_eq!(f.interpolants(&[3], strategy), [crossed]);
    }
}

#[test]
fn equations_of_inputs_are_solved() {
    // y := *; z := 3 * y + 1; (cut) x := *; assume 5 * x = z; assume 15 * x != 9 * y + 3
    let mut f = Fixture::new();
    let (x, y, z) = (f.word("x"), f.word("y"), f.word("z"));
    let numbers: Vec<Term> = [3, 5, 9, 15].iter().map(|&n| f.number(n)).collect();
    f.havoc(y);
    let triple = f.pool.mul(numbers[0], y);
    let value = f.plus(triple, 1);
    f.assign(z, value);
    f.havoc(x);
    let product = f.pool.mul(numbers[1], x);
    let equal = f.pool.eq(product, z);
    f.assume(equal);
    let (left, right) = (f.pool.mul(numbers[3], x), f.pool.mul(numbers[2], y));
    let right = f.plus(right, 3);
    let differ = f.pool.ne(left, right);
    f.assume(differ);
    for strategy in WALKS {
        f.interpolants(&[1, 2, 3], strategy);
    }
}

#[test]
fn sums_of_inequalities_are_confirmed() {
    // x := 0; n := *; assume 0 <= n; (assume x < n; x := x + 1)*; assume n < x
    for iterations in 0..4 {
        let mut f = Fixture::new();
        let (x, n, zero) = (f.word("x"), f.word("n"), f.number(0));
        f.assign(x, zero);
        f.havoc(n);
        let not_negative = f.pool.sle(zero, n);
        f.assume(not_negative);
        let mut cuts = vec![3];
        for _ in 0..iterations {
            let below = f.pool.slt(x, n);
            f.assume(below);
            let next = f.plus(x, 1);
            f.assign(x, next);
            cuts.push(f.steps.len());
        }
        let error = f.pool.slt(n, x);
        f.assume(error);
        let at_most = f.pool.sle(x, n);
        let found = f.interpolants(&cuts, Strategy::Farkas);
        assert_eq!(found[iterations], at_most);
    }
}

#[test]
fn disequalities_are_split() {
    // x := y; (cut) assume x != y, over the integers
    for swapped in [false, true] {
        let mut f = Fixture::new();
        let (x, y) = (f.word("x"), f.word("y"));
        let (equal, differ) = (f.pool.eq(x, y), f.pool.ne(x, y));
        f.havoc(x);
        f.havoc(y);
        f.assume(if swapped { differ } else { equal });
        f.assume(if swapped { equal } else { differ });
        let found = f.interpolants(&[3], Strategy::Farkas);
        assert_eq!(f.pool.bool_constant(found[0]), None);
    }
}

#[test]
fn array_elements_are_remembered() {
    // a[i] := 0; (cut) a[j] := 1 with j != i; (cut) assume a[i] != 0
    let mut f = Fixture::new();
    let (i, j) = (f.word("i"), f.word("j"));
    let a = f.pool.variable("a", MEMORY);
    let (zero, one) = (f.pool.bv(8, 0), f.pool.bv(8, 1));
    f.havoc(a);
    f.havoc(i);
    f.havoc(j);
    let differ = f.pool.ne(i, j);
    f.assume(differ);
    let cleared = f.pool.store(a, i, zero);
    f.assign(a, cleared);
    let written = f.pool.store(a, j, one);
    f.assign(a, written);
    let element = f.pool.select(a, i);
    let error = f.pool.ne(element, zero);
    f.assume(error);
    let found = f.interpolants(&[5, 6], Strategy::WeakestPrecondition);
    assert_eq!(found[1], f.pool.eq(element, zero));
    f.interpolants(&[5, 6], Strategy::StrongestPostcondition);
}

#[test]
fn an_array_loop_is_never_called_feasible() {
    // for i in 0..n: a[i] := 7; then read back one of them
    for strategy in WALKS {
        let mut f = Fixture::new();
        let (i, k) = (f.word("i"), f.word("k"));
        let a = f.pool.variable("a", MEMORY);
        let (zero, seven) = (f.number(0), f.pool.bv(8, 7));
        f.havoc(a);
        f.assign(i, zero);
        let mut cuts = vec![2];
        for _ in 0..3 {
            let written = f.pool.store(a, i, seven);
            f.assign(a, written);
            let next = f.plus(i, 1);
            f.assign(i, next);
            cuts.push(f.steps.len());
        }
        f.havoc(k);
        let in_range = f.pool.ult(k, i);
        f.assume(in_range);
        let element = f.pool.select(a, k);
        let error = f.pool.ne(element, seven);
        f.assume(error);
        let found = f.run(&cuts, &[strategy]);
        assert!(!matches!(found, Interpolation::Feasible));
    }
}

#[test]
fn long_paths_take_no_stack() {
    let (mut f, _, equal) = two_counters(3000);
    let cuts: Vec<usize> = (0..20).map(|i| 2 + 300 * i).collect();
    let found = f.interpolants(&cuts, Strategy::WeakestPrecondition);
    assert_eq!(found, vec![equal; cuts.len()]);
}

#[test]
fn an_irrelevant_choice_is_left_out() {
    let (mut f, cuts, equal) = two_counters(2);
    let z = f.word("z");
    let zero = f.number(0);
    let positive = f.pool.slt(zero, z);
    for position in [4, 2] {
        f.steps.insert(position, Step::Assume(positive));
    }
    let cuts: Vec<usize> = cuts.iter().zip([0, 1, 2]).map(|(cut, shift)| cut + shift).collect();
    assert_eq!(f.interpolants(&cuts, Strategy::WeakestPrecondition), vec![equal; 3]);
}

#[test]
fn reserved_names_are_refused() {
    let mut f = Fixture::new();
    let x = f.word("interpolate!input 0 (_ BitVec 32)");
    f.havoc(x);
    assert!(matches!(f.run(&[0], &WALKS), Interpolation::Unknown(_)));
}

#[test]
fn atoms_are_without_structure() {
    let mut pool = TermPool::new();
    let (p, q) = (pool.variable("p", Sort::Bool), pool.variable("q", Sort::Bool));
    let (x, y) = (pool.variable("x", WORD), pool.variable("y", WORD));
    let (less, equal) = (pool.slt(x, y), pool.eq(x, y));
    let at_most = pool.sle(y, x);
    let choice = pool.ite(p, less, equal);
    let same = pool.eq(q, choice);
    let whole = pool.implies(at_most, same);
    let mut found = atoms(&mut pool, whole);
    found.sort_unstable();
    let mut expected = vec![p, q, less, equal];
    expected.sort_unstable();
    assert_eq!(found, expected);
    let truth = pool.bool(true);
    assert_eq!(atoms(&mut pool, truth), []);
}

/// What the inputs of all iterations contribute together is only seen by sums of inequalities.
#[test]
fn a_sum_of_inputs_is_bounded() {
    // s := 0; (x := *; assume x < 10; s := s + x)*; assume 2000 < s
    let mut f = Fixture::new();
    let (s, x) = (f.word("s"), f.word("x"));
    let (zero, ten, bound) = (f.number(0), f.number(10), f.number(2000));
    f.assign(s, zero);
    let mut cuts = vec![1];
    for _ in 0..20 {
        f.havoc(x);
        let small = f.pool.ult(x, ten);
        f.assume(small);
        let sum = f.pool.add(s, x);
        f.assign(s, sum);
        cuts.push(f.steps.len());
    }
    let error = f.pool.ult(bound, s);
    f.assume(error);
    let order = Options::default().order;
    let found = f.run(&cuts, &order);
    assert!(matches!(found, Interpolation::Interpolants { strategy: Strategy::Farkas, .. }), "{found:?}");
}

/// Such a sum may wrap around at the cut although it did not before: no interpolant, but perhaps an invariant.
#[test]
fn sums_that_are_no_interpolants_are_found_if_asked_for() {
    // assume the variables to be small, n <= j, m <= k; (cut) assume j < n + m, k <= 0
    let mut f = Fixture::new();
    let variables = ["j", "k", "n", "m"].map(|name| f.word(name));
    let [j, k, n, m] = variables;
    let (zero, least, most) = (f.number(0), f.number(-1000), f.number(1000));
    for variable in variables {
        let (low, high) = (f.pool.slt(least, variable), f.pool.slt(variable, most));
        f.assume(low);
        f.assume(high);
    }
    for (less, more) in [(n, j), (m, k)] {
        let ordered = f.pool.sle(less, more);
        f.assume(ordered);
    }
    let cuts = [f.steps.len()];
    let (end, sum) = (f.pool.add(n, m), f.pool.add(j, k));
    let goes_on = f.pool.slt(j, end);
    f.assume(goes_on);
    let error = f.pool.sle(k, zero);
    f.assume(error);
    assert!(matches!(f.run(&cuts, &[Strategy::Farkas]), Interpolation::Unknown(_)));
    let options = Options { sums: true, ..Options::default() };
    let found = sequence(&mut f.pool, &mut f.solver, &f.steps, &cuts, &options);
    let Interpolation::Interpolants { sums, .. } = found else { panic!("{found:?}") };
    assert_eq!(sums, [[f.pool.sle(end, sum)]]);
}
