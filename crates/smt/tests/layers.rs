//! The layers in front of a solver: with a scripted solver behind them, and on random sequences of
//! questions, where every combination of layers must answer as the bare solver does.

mod random_terms;

use aster_smt::{
    Answer, Backend, Config, CrossCheck, Interrupt, Limits, ModelReuse, NativeSolver, QueryCache, Slicing,
    Solver, Statistics, UnknownReason, assemble,
};
use aster_term::{BitVec, Model, Sort, Term, TermPool, Value, evaluate};
use random_terms::{Formulas, Random};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

/// What a [`Scripted`] solver was asked.
type Log = Rc<RefCell<Vec<Vec<Term>>>>;

/// Gives prepared answers and notes the questions.
struct Scripted {
    answers: VecDeque<Answer>,
    asked: Log,
    limits: Rc<RefCell<Vec<Limits>>>,
}

fn scripted(answers: impl IntoIterator<Item = Answer>) -> (Box<Scripted>, Log) {
    let asked = Log::default();
    let solver =
        Scripted { answers: answers.into_iter().collect(), asked: Rc::clone(&asked), limits: Rc::default() };
    (Box::new(solver), asked)
}

impl Solver for Scripted {
    fn push(&mut self) {
        panic!("layers keep the scopes themselves");
    }

    fn pop(&mut self) {
        panic!("layers keep the scopes themselves");
    }

    fn assert(&mut self, _pool: &mut TermPool, _formula: Term) {
        panic!("layers keep the asserted formulas themselves");
    }

    fn check(&mut self, _pool: &mut TermPool, assumptions: &[Term]) -> Answer {
        self.asked.borrow_mut().push(assumptions.to_vec());
        self.answers.pop_front().expect("a prepared answer")
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits.borrow_mut().push(limits);
    }

    fn statistics(&self) -> Statistics {
        Statistics { checks: 1000, solved: self.asked.borrow().len() as u64, ..Statistics::default() }
    }
}

struct Setting {
    pool: TermPool,
    x: Term,
    y: Term,
    x_small: Term,
    x_large: Term,
    y_small: Term,
}

fn setting() -> Setting {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::BitVec(8));
    let y = pool.variable("y", Sort::BitVec(8));
    let ten = pool.bv(8, 10);
    let (x_small, x_large, y_small) = (pool.ult(x, ten), pool.ult(ten, x), pool.ult(y, ten));
    Setting { pool, x, y, x_small, x_large, y_small }
}

fn model(values: &[(Term, u128)]) -> Model {
    let mut model = Model::new();
    for &(variable, value) in values {
        model.insert(variable, Value::BitVec(BitVec::new(8, value)));
    }
    model
}

fn not_known() -> Answer {
    Answer::Unknown(UnknownReason::TimeLimit)
}

#[test]
fn recent_models_answer() {
    let Setting { mut pool, x, x_small, x_large, y_small, .. } = setting();
    let (inner, asked) = scripted([
        Answer::Sat(model(&[(x, 3)])),
        Answer::Sat(model(&[(x, 20)])),
        Answer::Unsat(vec![x_large]),
    ]);
    let mut layer = ModelReuse::new(inner);
    assert_eq!(layer.check(&mut pool, &[x_small]), Answer::Sat(model(&[(x, 3)])));
    // y is not in the model, so it is zero there.
    assert_eq!(layer.check(&mut pool, &[y_small, x_small]), Answer::Sat(model(&[(x, 3)])));
    assert_eq!(layer.check(&mut pool, &[x_large]), Answer::Sat(model(&[(x, 20)])));
    // Both models are still known, whichever came last.
    assert_eq!(layer.check(&mut pool, &[x_small]), Answer::Sat(model(&[(x, 3)])));
    layer.push();
    layer.assert(&mut pool, x_small);
    assert_eq!(layer.check(&mut pool, &[x_large]), Answer::Unsat(vec![x_large]));
    layer.pop();
    assert!(matches!(layer.check(&mut pool, &[x_large]), Answer::Sat(_)));
    assert_eq!(*asked.borrow(), [vec![x_small], vec![x_large], vec![x_small, x_large]]);
    let statistics = layer.statistics();
    assert_eq!((statistics.checks, statistics.model_hits, statistics.solved), (6, 3, 3));
}

#[test]
fn only_some_models_are_kept() {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::BitVec(8));
    let equal: Vec<Term> = (0..100)
        .map(|i| {
            let value = pool.bv(8, i);
            pool.eq(x, value)
        })
        .collect();
    let (inner, asked) = scripted((0..101).map(|i| Answer::Sat(model(&[(x, i % 100)]))));
    let mut layer = ModelReuse::new(inner);
    for &goal in &equal {
        layer.check(&mut pool, &[goal]);
    }
    layer.check(&mut pool, &[equal[99]]);
    assert_eq!(asked.borrow().len(), 100, "the last model is kept");
    layer.check(&mut pool, &[equal[0]]);
    assert_eq!(asked.borrow().len(), 101, "the first model is not");
}

#[test]
fn deep_terms_do_not_use_the_call_stack() {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::BitVec(8));
    let mut term = x;
    for i in 0..200_000u32 {
        let y = pool.variable(&format!("y{}", i % 7), Sort::BitVec(8));
        term = if i % 2 == 0 { pool.add(term, y) } else { pool.bvxor(term, y) };
    }
    let goal = pool.eq(term, x);
    let (inner, asked) = scripted([Answer::Sat(Model::new())]);
    let mut layer = ModelReuse::new(Box::new(Slicing::new(Box::new(QueryCache::new(inner)))));
    assert!(matches!(layer.check(&mut pool, &[goal]), Answer::Sat(_)));
    assert!(matches!(layer.check(&mut pool, &[goal]), Answer::Sat(_)));
    assert_eq!(asked.borrow().len(), 1);
}

#[test]
fn slices_are_checked_apart_and_their_models_merged() {
    let Setting { mut pool, x, y, x_small, y_small, .. } = setting();
    // The second answer also says something about x, which is not its business.
    let (inner, asked) = scripted([Answer::Sat(model(&[(y, 4)])), Answer::Sat(model(&[(x, 3), (y, 200)]))]);
    let mut layer = Slicing::new(inner);
    let both = pool.and(x_small, y_small);
    layer.assert(&mut pool, x_small);
    assert_eq!(layer.check(&mut pool, &[both]), Answer::Sat(model(&[(x, 3), (y, 4)])));
    assert_eq!(*asked.borrow(), [vec![y_small], vec![x_small]]);
    let statistics = layer.statistics();
    assert_eq!((statistics.checks, statistics.sliced, statistics.solved), (1, 1, 2));
}

#[test]
fn one_unsatisfiable_slice_is_enough() {
    let Setting { mut pool, x_small, x_large, y_small, .. } = setting();
    let (inner, asked) = scripted([not_known(), Answer::Unsat(vec![x_large, x_small])]);
    let mut layer = Slicing::new(inner);
    let all = pool.and_all(&[x_large, y_small]);
    assert_eq!(layer.check(&mut pool, &[x_small, all, y_small]), Answer::Unsat(vec![x_small, all]));
    assert_eq!(*asked.borrow(), [vec![y_small], vec![x_small, x_large]]);
}

#[test]
fn asserted_conjuncts_are_not_in_the_core_of_a_slice() {
    let Setting { mut pool, x_small, x_large, .. } = setting();
    let (inner, _) = scripted([Answer::Unsat(vec![x_small, x_large]), Answer::Unsat(vec![x_small, x_large])]);
    let mut layer = Slicing::new(inner);
    layer.push();
    layer.assert(&mut pool, x_small);
    assert_eq!(layer.check(&mut pool, &[x_small, x_large]), Answer::Unsat(vec![x_large]));
    layer.pop();
    assert_eq!(layer.check(&mut pool, &[x_large, x_small]), Answer::Unsat(vec![x_large, x_small]));
}

#[test]
fn an_undecided_slice_makes_the_query_undecided() {
    let Setting { mut pool, y, x_small, y_small, .. } = setting();
    let (inner, _) = scripted([Answer::Sat(model(&[(y, 1)])), not_known()]);
    let mut layer = Slicing::new(inner);
    assert_eq!(layer.check(&mut pool, &[x_small, y_small]), not_known());
}

#[test]
fn an_interrupt_or_a_disagreement_ends_a_sliced_check_at_once() {
    let Setting { mut pool, x_small, y_small, .. } = setting();
    for reason in [UnknownReason::Interrupted, UnknownReason::Disagreement("text".into())] {
        let (inner, asked) = scripted([Answer::Unknown(reason.clone())]);
        let mut layer = Slicing::new(inner);
        assert_eq!(layer.check(&mut pool, &[x_small, y_small]), Answer::Unknown(reason));
        assert_eq!(asked.borrow().len(), 1);
    }
}

#[test]
fn the_time_limit_is_shared_by_the_slices() {
    let Setting { mut pool, x_small, y_small, .. } = setting();
    let (inner, _) = scripted([not_known(), not_known()]);
    let limits = Rc::clone(&inner.limits);
    let mut layer = Slicing::new(inner);
    let whole = Duration::from_secs(1000);
    layer.set_limits(Limits { time: Some(whole), conflicts: Some(7) });
    layer.check(&mut pool, &[x_small, y_small]);
    let limits = limits.borrow();
    assert_eq!(limits.len(), 3);
    assert!(limits[1].time <= Some(whole) && limits[2].time <= limits[1].time);
    assert!(limits.iter().all(|limits| limits.conflicts == Some(7)));
}

#[test]
fn constants_need_no_solver() {
    let Setting { mut pool, x_small, .. } = setting();
    let (inner, _) = scripted([]);
    let mut layer = Slicing::new(inner);
    let (yes, no) = (pool.bool(true), pool.bool(false));
    assert_eq!(layer.check(&mut pool, &[yes]), Answer::Sat(Model::new()));
    assert_eq!(layer.check(&mut pool, &[x_small, no]), Answer::Unsat(vec![no]));
    layer.assert(&mut pool, no);
    assert_eq!(layer.check(&mut pool, &[x_small]), Answer::Unsat(vec![]));
}

#[test]
fn shared_conjunctions_are_split_once() {
    let mut pool = TermPool::new();
    let mut term = pool.variable("p", Sort::Bool);
    for i in 0..200 {
        let (a, b) =
            (pool.variable(&format!("a{i}"), Sort::Bool), pool.variable(&format!("b{i}"), Sort::Bool));
        let (left, right) = (pool.and(term, a), pool.and(term, b));
        term = pool.and(left, right);
    }
    let (inner, asked) = scripted((0..401).map(|_| Answer::Sat(Model::new())));
    Slicing::new(inner).check(&mut pool, &[term]);
    assert_eq!(asked.borrow().len(), 401);
}

#[test]
fn the_cache_knows_sets_and_cores() {
    let Setting { mut pool, x, x_small, x_large, y_small, .. } = setting();
    let (inner, asked) = scripted([
        Answer::Sat(model(&[(x, 3)])),
        Answer::Unsat(vec![x_large, x_small]),
        not_known(),
        Answer::Sat(model(&[(x, 20)])),
    ]);
    let mut layer = QueryCache::new(inner);
    let first = layer.check(&mut pool, &[x_small, y_small]);
    layer.push();
    layer.assert(&mut pool, y_small);
    assert_eq!(layer.check(&mut pool, &[x_small, y_small]), first, "the same set in another order");
    layer.pop();
    assert_eq!(layer.check(&mut pool, &[x_large, x_small]), Answer::Unsat(vec![x_large, x_small]));
    layer.assert(&mut pool, x_small);
    assert_eq!(layer.check(&mut pool, &[y_small, x_large]), Answer::Unsat(vec![x_large]), "by its core");
    assert_eq!(asked.borrow().len(), 2);
    let mut layer2 = QueryCache::new(scripted([not_known(), Answer::Sat(model(&[(x, 20)]))]).0);
    assert_eq!(layer2.check(&mut pool, &[x_large]), not_known());
    assert!(matches!(layer2.check(&mut pool, &[x_large]), Answer::Sat(_)), "unknown is not remembered");
    let statistics = layer.statistics();
    assert_eq!((statistics.checks, statistics.cache_hits, statistics.solved), (4, 2, 2));
}

#[test]
fn agreement_passes_and_unknown_is_no_difference() {
    let Setting { mut pool, x, x_small, x_large, .. } = setting();
    let sat = || Answer::Sat(model(&[(x, 3)]));
    let (first, _) = scripted([sat(), sat(), not_known(), Answer::Unsat(vec![x_large, x_small])]);
    let (second, asked) = scripted([sat(), not_known(), Answer::Unsat(vec![x_small])]);
    let mut solver = CrossCheck::new(first, second);
    assert_eq!(solver.check(&mut pool, &[x_small]), sat());
    assert_eq!(solver.check(&mut pool, &[x_small]), sat());
    assert_eq!(solver.check(&mut pool, &[x_small]), not_known());
    solver.assert(&mut pool, x_small);
    assert_eq!(solver.check(&mut pool, &[x_large]), Answer::Unsat(vec![x_large]));
    assert_eq!(asked.borrow().len(), 3);
}

#[test]
fn a_disagreement_holds_the_query_and_stays() {
    let Setting { mut pool, x, x_small, x_large, .. } = setting();
    let sat = |value| Answer::Sat(model(&[(x, value)]));
    let unsat = || Answer::Unsat(vec![x_small]);
    // First and second answer; the last pair is a model that does not hold.
    for (one, other) in [(sat(3), unsat()), (unsat(), sat(3)), (sat(30), sat(3))] {
        let mut solver = CrossCheck::new(scripted([one]).0, scripted([other]).0);
        let Answer::Unknown(UnknownReason::Disagreement(text)) = solver.check(&mut pool, &[x_small]) else {
            panic!("a disagreement was expected");
        };
        for part in ["(declare-", "bvult", "(assert", "(check-sat)"] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
        let again = solver.check(&mut pool, &[x_large]);
        assert_eq!(again, Answer::Unknown(UnknownReason::Disagreement(text)));
    }
}

#[test]
fn a_wrong_command_is_an_error() {
    let config = Config { cross_check: Some("no-such-solver-anywhere".into()), ..Config::default() };
    assert!(assemble(&config, &Interrupt::new()).is_err());
    let config = Config { backend: Backend::Process(String::new()), ..Config::default() };
    assert!(assemble(&config, &Interrupt::new()).is_err());
}

fn all_configurations() -> Vec<Config> {
    (0..16)
        .map(|bits| Config {
            model_reuse: bits & 1 != 0,
            slicing: bits & 2 != 0,
            cache: bits & 4 != 0,
            integer_search: bits & 8 != 0,
            ..Config::default()
        })
        .collect()
}

/// Boolean terms over several independent sets of variables, some of them joined.
fn atoms(pool: &mut TermPool, random: &mut Random, tag: usize) -> Vec<Term> {
    let mut atoms = Vec::new();
    for part in 0..3 {
        let mut formulas = Formulas::new(pool, random, &format!("{tag}_{part}"), part == 0);
        for _ in 0..12 {
            formulas.grow(pool);
        }
        for _ in 0..6 {
            let term = formulas.comparison(pool);
            atoms.push(term);
            let negated = pool.not(term);
            atoms.push(negated);
            atoms.push(formulas.truth(pool));
        }
    }
    for _ in 0..4 {
        let (one, other) = (random.pick(&atoms), random.pick(&atoms));
        let both = pool.and(one, other);
        atoms.push(both);
        let either = pool.or(one, other);
        atoms.push(either);
    }
    atoms
}

fn verdict(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}

/// Checks an answer of the assembled solver against the bare one, which has the same formulas asserted.
fn examine(
    pool: &mut TermPool,
    bare: &mut dyn Solver,
    expected: &Answer,
    answer: &Answer,
    asserted: &[Term],
    assumptions: &[Term],
) {
    assert_eq!(verdict(expected), verdict(answer));
    match answer {
        Answer::Sat(model) => {
            for &term in asserted.iter().chain(assumptions) {
                assert_eq!(evaluate(pool, term, model), Value::Bool(true));
            }
        }
        Answer::Unsat(core) => {
            assert!(core.iter().all(|term| assumptions.contains(term)));
            assert!(matches!(bare.check(pool, core), Answer::Unsat(_)), "the core is unsatisfiable");
        }
        Answer::Unknown(reason) => panic!("undecided: {reason}"),
    }
}

#[test]
fn every_combination_of_layers_answers_as_the_bare_solver() {
    for (number, config) in all_configurations().into_iter().enumerate() {
        let mut random = Random::new(17);
        let mut total = Statistics::default();
        let mut verdicts = [0; 2];
        for round in 0..6 {
            let mut pool = TermPool::new();
            let atoms = atoms(&mut pool, &mut random, round);
            let mut bare = NativeSolver::new(Interrupt::new());
            let mut solver = assemble(&config, &Interrupt::new()).unwrap();
            let mut scopes: Vec<Vec<Term>> = vec![Vec::new()];
            for _ in 0..60 {
                match random.below(6) {
                    0 => {
                        bare.push();
                        solver.push();
                        scopes.push(Vec::new());
                    }
                    1 if scopes.len() > 1 => {
                        bare.pop();
                        solver.pop();
                        scopes.pop();
                    }
                    2 if scopes.len() > 1 => {
                        let formula = random.pick(&atoms);
                        bare.assert(&mut pool, formula);
                        solver.assert(&mut pool, formula);
                        scopes.last_mut().unwrap().push(formula);
                    }
                    _ => {
                        let assumptions: Vec<Term> =
                            (0..random.below(5)).map(|_| random.pick(&atoms)).collect();
                        let expected = bare.check(&mut pool, &assumptions);
                        let answer = solver.check(&mut pool, &assumptions);
                        verdicts[usize::from(matches!(answer, Answer::Sat(_)))] += 1;
                        examine(&mut pool, &mut bare, &expected, &answer, &scopes.concat(), &assumptions);
                    }
                }
            }
            let statistics = solver.statistics();
            total.model_hits += statistics.model_hits;
            total.sliced += statistics.sliced;
            total.cache_hits += statistics.cache_hits;
            total.range_hits += statistics.range_hits;
        }
        assert!(verdicts.iter().all(|&count| count > 20), "both verdicts occur: {verdicts:?}");
        assert_eq!(total.model_hits > 0, config.model_reuse, "configuration {number}");
        assert_eq!(total.sliced > 0, config.slicing, "configuration {number}");
        assert_eq!(total.cache_hits > 0, config.cache, "configuration {number}");
        assert_eq!(total.range_hits > 0, config.integer_search, "configuration {number}");
    }
}
