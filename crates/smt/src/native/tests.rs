//! Random formulas over tiny sorts against enumeration of all assignments. Inside the crate, since
//! the expansion of reads is switched off to reach the lemmas.

use super::{EAGER_STORES, NativeSolver};
use crate::solver::{Answer, Interrupt, Solver};
use aster_term::{ArrayValue, BitVec, Evaluator, Model, Op, Sort, Term, TermPool, Value, free_variables};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// Grows random terms over one array sort.
struct Terms {
    rng: SmallRng,
    pool: TermPool,
    truths: Vec<Term>,
    indices: Vec<Term>,
    elements: Vec<Term>,
    arrays: Vec<Term>,
    index: u32,
    /// How many terms of each kind are leaves.
    leaves: [usize; 4],
}

impl Terms {
    fn new(seed: u64, index: u32, element: u32, arrays: usize) -> Self {
        let mut pool = TermPool::new();
        let array_sort = Sort::Array { index, element };
        let truths = vec![pool.variable("p", Sort::Bool)];
        let indices = vec![
            pool.variable("i", Sort::BitVec(index)),
            pool.variable("j", Sort::BitVec(index)),
            pool.bv(index, 0),
            pool.bv(index, 1),
        ];
        let elements = vec![pool.variable("e", Sort::BitVec(element)), pool.bv(element, 1)];
        let arrays = (0..arrays).map(|i| pool.variable(&format!("a{i}"), array_sort)).collect::<Vec<_>>();
        let leaves = [truths.len(), indices.len(), elements.len(), arrays.len()];
        Terms { rng: SmallRng::seed_from_u64(seed), pool, truths, indices, elements, arrays, index, leaves }
    }

    /// Forgets everything but the leaves, so that formulas stay small while the pool grows.
    fn restart(&mut self) {
        self.truths.truncate(self.leaves[0]);
        self.indices.truncate(self.leaves[1]);
        self.elements.truncate(self.leaves[2]);
        self.arrays.truncate(self.leaves[3]);
    }

    fn pick(&mut self, kind: usize) -> Term {
        let from = [&self.truths, &self.indices, &self.elements, &self.arrays][kind];
        // The latest terms are the deepest: prefer them.
        let from = if self.rng.random_bool(0.5) { &from[from.len().saturating_sub(3)..] } else { from };
        from[self.rng.random_range(0..from.len())]
    }

    fn apply(&mut self, op: Op, kinds: &[usize]) -> Term {
        let args: Vec<Term> = kinds.iter().map(|&kind| self.pick(kind)).collect();
        if self.rng.random_bool(0.7) { self.pool.apply_raw(op, &args) } else { self.pool.apply(op, &args) }
    }

    fn grow(&mut self) {
        const TRUTH: usize = 0;
        const INDEX: usize = 1;
        const ELEMENT: usize = 2;
        const ARRAY: usize = 3;
        match self.rng.random_range(0..12) {
            0 | 1 => {
                let term = self.apply(Op::Select, &[ARRAY, INDEX]);
                self.elements.push(term);
            }
            2 | 3 => {
                let term = self.apply(Op::Store, &[ARRAY, INDEX, ELEMENT]);
                self.arrays.push(term);
            }
            4 => {
                let term = self.apply(Op::Ite, &[TRUTH, ARRAY, ARRAY]);
                self.arrays.push(term);
            }
            5 => {
                let index = self.index;
                let term = self.apply(Op::ConstArray { index }, &[ELEMENT]);
                self.arrays.push(term);
            }
            6 => {
                let term = self.apply(Op::Eq, &[ARRAY, ARRAY]);
                self.truths.push(term);
            }
            7 => {
                let term = self.apply(Op::Eq, &[INDEX, INDEX]);
                self.truths.push(term);
            }
            8 => {
                let term = self.apply(Op::Eq, &[ELEMENT, ELEMENT]);
                self.truths.push(term);
            }
            9 => {
                let term = self.apply(Op::BvAdd, &[INDEX, INDEX]);
                self.indices.push(term);
            }
            10 => {
                let term = self.apply(Op::BvNot, &[ELEMENT]);
                self.elements.push(term);
            }
            _ => {
                let op = [Op::And, Op::Or, Op::Xor][self.rng.random_range(0..3)];
                let term = self.apply(op, &[TRUTH, TRUTH]);
                self.truths.push(term);
            }
        }
    }

    /// A few random formulas, some negated.
    fn formulas(&mut self) -> Vec<Term> {
        self.restart();
        for _ in 0..self.rng.random_range(6..22) {
            self.grow();
        }
        for _ in 0..3 {
            let term = self.apply(Op::Eq, &[3, 3]);
            self.truths.push(term);
            let term = self.apply(Op::Eq, &[2, 2]);
            self.truths.push(term);
        }
        (0..self.rng.random_range(1..6))
            .map(|_| {
                let term = self.pick(0);
                if self.rng.random_bool(0.5) { self.pool.apply_raw(Op::Not, &[term]) } else { term }
            })
            .collect()
    }
}

fn all_values(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVec(width) => (0..1 << width).map(|bits| Value::BitVec(BitVec::new(width, bits))).collect(),
        Sort::Array { index, element } => {
            let mut arrays = vec![ArrayValue::constant(index, BitVec::new(element, 0))];
            for at in 0..1 << index {
                arrays = arrays
                    .iter()
                    .flat_map(|array| {
                        (0..1 << element)
                            .map(move |bits| array.store(BitVec::new(index, at), BitVec::new(element, bits)))
                    })
                    .collect();
            }
            arrays.into_iter().map(Value::Array).collect()
        }
        _ => panic!("no enumeration of {sort}"),
    }
}

/// Whether some assignment satisfies all formulas.
fn satisfiable(pool: &TermPool, formulas: &[Term]) -> bool {
    let variables = free_variables(pool, formulas);
    let domains: Vec<Vec<Value>> = variables.iter().map(|&v| all_values(pool.sort(v))).collect();
    let mut counters = vec![0; variables.len()];
    loop {
        let mut model = Model::new();
        for (i, &variable) in variables.iter().enumerate() {
            model.insert(variable, domains[i][counters[i]].clone());
        }
        if holds(pool, &model, formulas) {
            return true;
        }
        let Some(position) = (0..counters.len()).find(|&i| counters[i] + 1 < domains[i].len()) else {
            return false;
        };
        counters[position] += 1;
        counters[..position].fill(0);
    }
}

fn holds(pool: &TermPool, model: &Model, formulas: &[Term]) -> bool {
    let mut evaluator = Evaluator::new(model);
    formulas.iter().all(|&formula| evaluator.value(pool, formula) == Value::Bool(true))
}

/// Asks one solver about many sets of formulas, some asserted and some assumed.
fn against_enumeration(seed: u64, [index, element, arrays]: [u32; 3], eager_stores: usize, count: usize) {
    let mut terms = Terms::new(seed, index, element, arrays as usize);
    let mut solver = NativeSolver::new(Interrupt::new());
    solver.blaster.arrays.eager_stores = eager_stores;
    let mut answers = [0, 0];
    for round in 0..count {
        let formulas = terms.formulas();
        let asserted = terms.rng.random_range(0..=formulas.len());
        solver.push();
        for &formula in &formulas[..asserted] {
            solver.assert(&mut terms.pool, formula);
        }
        let expected = satisfiable(&terms.pool, &formulas);
        let answer = solver.check(&mut terms.pool, &formulas[asserted..]);
        solver.pop();
        match answer {
            Answer::Sat(model) => {
                assert!(holds(&terms.pool, &model, &formulas), "round {round}: wrong model");
                answers[0] += 1;
            }
            Answer::Unsat(core) => {
                assert!(!expected, "round {round}: wrongly unsatisfiable");
                assert!(core.iter().all(|term| formulas[asserted..].contains(term)));
                let needed = [&formulas[..asserted], &core].concat();
                assert!(!satisfiable(&terms.pool, &needed), "round {round}: wrong core");
                answers[1] += 1;
            }
            Answer::Unknown(reason) => panic!("round {round}: {reason}"),
        }
    }
    // The formulas are worth asking about only if both answers are frequent.
    assert!(answers.iter().all(|&n| n * 8 > count), "{answers:?}");
    assert!(eager_stores > 0 || solver.statistics().array_lemmas > 0);
}

#[test]
fn arrays_of_two_bits_are_decided_as_by_enumeration() {
    against_enumeration(1, [1, 1, 3], 0, 800);
    against_enumeration(2, [1, 1, 3], EAGER_STORES, 800);
}

#[test]
fn arrays_with_two_bit_elements_are_decided_as_by_enumeration() {
    against_enumeration(3, [1, 2, 2], 0, 400);
    against_enumeration(4, [1, 2, 2], 1, 400);
}

#[test]
fn arrays_with_two_bit_indices_are_decided_as_by_enumeration() {
    against_enumeration(5, [2, 1, 2], 0, 400);
    against_enumeration(6, [2, 1, 2], EAGER_STORES, 300);
}

#[test]
fn arrays_with_two_bit_indices_and_elements_are_decided_as_by_enumeration() {
    against_enumeration(7, [2, 2, 1], 0, 200);
    against_enumeration(8, [2, 2, 1], 1, 200);
}

/// Two constant arrays that differ can only be made equal by overwriting every index.
#[test]
fn different_constant_arrays_become_equal_only_if_stores_cover_all_indices() {
    for (index, stores, expected) in
        [(1, 1, false), (1, 2, true), (2, 3, false), (2, 4, true), (32, 6, false)]
    {
        let mut pool = TermPool::new();
        let mut solver = NativeSolver::new(Interrupt::new());
        solver.blaster.arrays.eager_stores = 0;
        let (zero, one) = (pool.bv(8, 0), pool.bv(8, 1));
        let zeros = pool.const_array(index, zero);
        let mut ones = pool.const_array(index, one);
        for i in 0..stores {
            let at = pool.variable(&format!("i{i}"), Sort::BitVec(index));
            let element = pool.variable(&format!("e{i}"), Sort::BitVec(8));
            ones = pool.apply_raw(Op::Store, &[ones, at, element]);
        }
        let equal = pool.apply_raw(Op::Eq, &[zeros, ones]);
        let answer = solver.check(&mut pool, &[equal]);
        assert_eq!(matches!(answer, Answer::Sat(_)), expected, "{stores} stores, {index} bits: {answer:?}");
        assert!(expected || answer == Answer::Unsat(vec![equal]));
    }
}

/// After many unrelated queries the solver forgets and goes on.
#[test]
fn a_fresh_start_keeps_assertions_and_counters() {
    let mut pool = TermPool::new();
    let mut solver = NativeSolver::new(Interrupt::new());
    let x = pool.variable("x", Sort::BitVec(8));
    let (low, high) = (pool.bv(8, 10), pool.bv(8, 200));
    let bounded = pool.ult(x, low);
    solver.assert(&mut pool, bounded);
    let (mut starts, mut clauses) = (0, 0);
    for i in 0..200 {
        let y = pool.variable(&format!("y{i}"), Sort::BitVec(8));
        let product = pool.mul(y, y);
        let above = pool.ult(x, product);
        assert!(matches!(solver.check(&mut pool, &[above]), Answer::Sat(_)));
        let beyond = pool.ult(high, x);
        assert_eq!(solver.check(&mut pool, &[beyond]), Answer::Unsat(vec![beyond]));
        starts += usize::from(solver.waste == 0);
        let now = solver.statistics().sat_clauses;
        assert!(now >= clauses);
        clauses = now;
    }
    assert!(starts > 0, "a fresh start was expected");
    assert_eq!(solver.statistics().checks, 400);
}

/// Divisions by constants are stated under guards: each query must assume those of its own divisions, whichever query
/// they were made for.
#[test]
fn divisions_of_many_queries_are_decided_as_by_enumeration() {
    const WIDTH: u32 = 4;
    let mut pool = TermPool::new();
    let mut solver = NativeSolver::new(Interrupt::new());
    let mut rng = SmallRng::seed_from_u64(1);
    let variables = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(WIDTH)));
    let cells = pool.variable("cells", Sort::Array { index: WIDTH, element: WIDTH });
    let mut answers = [0; 2];
    for round in 0..600 {
        let mut words = variables.to_vec();
        for _ in 0..4 {
            let (a, b) = (words[rng.random_range(0..words.len())], words[rng.random_range(0..words.len())]);
            let divisor = pool.bv(WIDTH, rng.random_range(1..16));
            let op = [Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem][rng.random_range(0..4)];
            words.push(match rng.random_range(0..4) {
                0 => pool.add(a, b),
                1 if round % 2 == 0 => pool.select(cells, a),
                _ => pool.apply(op, &[a, divisor]),
            });
        }
        let mut literal = || {
            let a = words[rng.random_range(2..words.len())];
            let value = pool.bv(WIDTH, rng.random_range(0..16));
            let equal = pool.eq(a, value);
            if rng.random_bool(0.7) { equal } else { pool.not(equal) }
        };
        let query = [literal(), literal(), literal()];
        let all = pool.and_all(&query);
        let reads = free_variables(&pool, &[all]).contains(&cells);
        let answer = solver.check(&mut pool, &query);
        if let Answer::Sat(model) = &answer {
            assert_eq!(Evaluator::new(model).value(&pool, all), Value::Bool(true), "round {round}");
        }
        // Which contents the cells have is left to the solver.
        if !reads {
            let expected = (0..256).any(|bits: u128| {
                let mut model = Model::new();
                for (i, &variable) in variables.iter().enumerate() {
                    model.insert(variable, Value::BitVec(BitVec::new(WIDTH, bits >> (4 * i) & 15)));
                }
                Evaluator::new(&model).value(&pool, all) == Value::Bool(true)
            });
            assert_eq!(matches!(answer, Answer::Sat(_)), expected, "round {round}: {answer:?}");
        }
        answers[usize::from(matches!(answer, Answer::Sat(_)))] += 1;
    }
    assert!(answers.iter().all(|&n| n > 100), "{answers:?}");
}

#[test]
fn a_query_assumes_the_guards_of_its_own_divisions_only() {
    let mut pool = TermPool::new();
    let mut solver = NativeSolver::new(Interrupt::new());
    let (x, y) = (pool.variable("x", Sort::BitVec(32)), pool.variable("y", Sort::BitVec(32)));
    let (ten, five) = (pool.bv(32, 10), pool.bv(32, 5));
    let quotient = pool.apply(Op::BvUdiv, &[x, ten]);
    let remainder = pool.apply(Op::BvUrem, &[x, ten]);
    let other = pool.apply(Op::BvUdiv, &[y, ten]);
    let mut guards = |word| {
        let small = pool.ult(word, five);
        assert!(matches!(solver.check(&mut pool, &[small]), Answer::Sat(_)));
        solver.root(&pool, small).unwrap().guards.clone()
    };
    let (quotient, remainder, other) = (guards(quotient), guards(remainder), guards(other));
    assert_eq!(quotient.len(), 1);
    assert_eq!(quotient, remainder, "both are of one division");
    assert_ne!(quotient, other);
}
