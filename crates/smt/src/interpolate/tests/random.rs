//! Random paths at small widths, with interpolants checked by running them on all states.

use super::*;
use crate::Limits;
use aster_term::{BitVec, Model, Op, Value, evaluate};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// Widths at which all states are run; at wider ones the check in [`sequence`] has to do.
const SMALL: u32 = 3;
const PATHS: u64 = 400;

/// A straight-line program over the variables.
fn random_steps(pool: &mut TermPool, random: &mut SmallRng, variables: &[Term]) -> Vec<Step> {
    let count = random.random_range(4..10);
    (0..count)
        .map(|_| {
            let variable = variables[random.random_range(0..variables.len())];
            match random.random_range(0..10) {
                0..5 => Step::Assume(random_atom(pool, random, variables)),
                5..8 => Step::Assign { variable, value: random_value(pool, random, variables, 2) },
                _ => Step::Havoc(variable),
            }
        })
        .collect()
}

fn random_atom(pool: &mut TermPool, random: &mut SmallRng, variables: &[Term]) -> Term {
    let op = [Op::BvSlt, Op::BvSle, Op::BvUlt, Op::BvUle, Op::Eq, Op::Eq][random.random_range(0..6)];
    let (a, b) = (random_value(pool, random, variables, 1), random_value(pool, random, variables, 1));
    let atom = pool.apply(op, &[a, b]);
    match random.random_range(0..8) {
        0 => pool.not(atom),
        1 => {
            let other = random_atom(pool, random, variables);
            pool.or(atom, other)
        }
        _ => atom,
    }
}

fn random_value(pool: &mut TermPool, random: &mut SmallRng, variables: &[Term], depth: u32) -> Term {
    let width = pool.width(variables[0]);
    if depth == 0 || random.random_range(0..3) == 0 {
        return if random.random_range(0..3) == 0 {
            pool.bv(width, random.random_range(0..1 << width))
        } else {
            variables[random.random_range(0..variables.len())]
        };
    }
    let (a, b) =
        (random_value(pool, random, variables, depth - 1), random_value(pool, random, variables, depth - 1));
    let op = [Op::BvAdd, Op::BvAdd, Op::BvSub, Op::BvMul, Op::BvAnd][random.random_range(0..5)];
    pool.apply(op, &[a, b])
}

/// All states of the variables.
fn states(variables: &[Term], width: u32) -> Vec<Vec<u128>> {
    let mut all = vec![Vec::new()];
    for _ in variables {
        all = all
            .into_iter()
            .flat_map(|state| (0..1u128 << width).map(move |v| [state.clone(), vec![v]].concat()))
            .collect();
    }
    all
}

fn model(variables: &[Term], state: &[u128], width: u32) -> Model {
    let mut model = Model::new();
    for (&variable, &value) in variables.iter().zip(state) {
        model.insert(variable, Value::BitVec(BitVec::new(width, value)));
    }
    model
}

/// The states after a step.
fn successors(
    pool: &TermPool,
    variables: &[Term],
    states: &BTreeSet<Vec<u128>>,
    step: Step,
) -> BTreeSet<Vec<u128>> {
    let width = pool.width(variables[0]);
    let set = |state: &[u128], variable: Term, value: u128| {
        variables.iter().zip(state).map(|(&v, &old)| if v == variable { value } else { old }).collect()
    };
    let mut after = BTreeSet::new();
    for state in states {
        let model = model(variables, state, width);
        match step {
            Step::Assume(formula) => {
                if evaluate(pool, formula, &model) == Value::Bool(true) {
                    after.insert(state.clone());
                }
            }
            Step::Assign { variable, value } => {
                let Value::BitVec(value) = evaluate(pool, value, &model) else { panic!("a bit-vector") };
                after.insert(set(state, variable, value.unsigned()));
            }
            Step::Havoc(variable) => after.extend((0..1 << width).map(|value| set(state, variable, value))),
        }
    }
    after
}

/// Runs every segment from all states that its formula allows.
fn assert_law(pool: &TermPool, variables: &[Term], steps: &[Step], cuts: &[usize], formulas: &[Term]) {
    let width = pool.width(variables[0]);
    let all = states(variables, width);
    let mut start = 0;
    let mut current: BTreeSet<Vec<u128>> = all.iter().cloned().collect();
    for position in 0..=cuts.len() {
        let end = cuts.get(position).copied().unwrap_or(steps.len());
        for &step in &steps[start..end] {
            current = successors(pool, variables, &current, step);
        }
        let Some(&formula) = formulas.get(position) else {
            assert!(current.is_empty(), "the last formula allows the rest of the path");
            return;
        };
        let allowed: BTreeSet<Vec<u128>> = all
            .iter()
            .filter(|state| evaluate(pool, formula, &model(variables, state, width)) == Value::Bool(true))
            .cloned()
            .collect();
        assert!(current.is_subset(&allowed), "the formula at cut {end} does not follow");
        current = allowed;
        start = end;
    }
}

/// A random path over two or three variables.
fn random_path(pool: &mut TermPool, seed: u64, width: u32) -> (Vec<Term>, Vec<Step>) {
    let mut random = SmallRng::seed_from_u64(seed);
    let names = &["x", "y", "z"][..random.random_range(2..4)];
    let variables: Vec<Term> =
        names.iter().map(|name| pool.variable(&format!("{name}{width}"), Sort::BitVec(width))).collect();
    let steps = random_steps(pool, &mut random, &variables);
    (variables, steps)
}

/// How many of the infeasible paths the strategies have interpolants for.
fn success(order: &[Strategy], width: u32) -> (usize, usize) {
    let (mut infeasible, mut found) = (0, 0);
    for seed in 0..PATHS {
        let mut f = Fixture::new();
        let (variables, steps) = random_path(&mut f.pool, seed, width);
        let cuts: Vec<usize> = (0..=steps.len()).collect();
        f.steps = steps.clone();
        f.solver.set_limits(Limits { conflicts: Some(3000), ..Limits::default() });
        let outcome = f.run(&cuts, order);
        infeasible += usize::from(outcome != Interpolation::Feasible);
        if let Interpolation::Interpolants { formulas, .. } = &outcome {
            found += 1;
            if width <= SMALL {
                assert_law(&f.pool, &variables, &steps, &cuts, formulas);
            }
        } else if width <= SMALL {
            let all: BTreeSet<Vec<u128>> = states(&variables, width).into_iter().collect();
            let end = steps.iter().fold(all, |states, &step| successors(&f.pool, &variables, &states, step));
            assert_eq!(outcome == Interpolation::Feasible, !end.is_empty(), "seed {seed}");
        }
    }
    (found, infeasible)
}

#[test]
fn each_strategy_alone_is_right() {
    for width in [SMALL, 8] {
        for strategy in [Strategy::WeakestPrecondition, Strategy::StrongestPostcondition, Strategy::Farkas] {
            let (found, infeasible) = success(&[strategy], width);
            println!("{strategy:?} at width {width}: {found} of {infeasible}");
            // Few random comparisons are bounds that hold over the integers.
            let expected = if strategy == Strategy::Farkas { 5 } else { 95 };
            assert!(found * 100 >= infeasible * expected, "{strategy:?}: {found} of {infeasible}");
        }
    }
}

#[test]
fn together_they_nearly_always_succeed() {
    for width in [SMALL, 8] {
        let (found, infeasible) = success(&Options::default().order, width);
        println!("all at width {width}: {found} of {infeasible}");
        assert!(infeasible >= 100);
        assert!(found * 100 >= infeasible * 95, "{found} of {infeasible}");
    }
}

/// Paths that write to an array and read from it; the check in [`sequence`] has to do.
#[test]
fn arrays_on_random_paths_are_eliminated() {
    for strategy in WALKS {
        let (mut infeasible, mut found) = (0, 0);
        for seed in 0..PATHS / 2 {
            let mut f = Fixture::new();
            f.solver.set_limits(Limits { conflicts: Some(3000), ..Limits::default() });
            let (variables, mut steps) = random_path(&mut f.pool, seed, SMALL);
            let array = f.pool.variable("a", Sort::Array { index: SMALL, element: SMALL });
            let mut random = SmallRng::seed_from_u64(seed);
            for _ in 0..6 {
                let mut pick = || variables[random.random_range(0..variables.len())];
                let (index, element) = (pick(), pick());
                let step = match random.random_range(0..7) {
                    0 => Step::Havoc(array),
                    1..4 => Step::Assign { variable: array, value: f.pool.store(array, index, element) },
                    _ => {
                        let read = f.pool.select(array, index);
                        let equal = f.pool.eq(read, element);
                        Step::Assume(if random.random() { equal } else { f.pool.not(equal) })
                    }
                };
                steps.insert(random.random_range(0..=steps.len()), step);
            }
            let cuts: Vec<usize> = (0..=steps.len()).collect();
            f.steps = steps;
            match f.run(&cuts, &[strategy]) {
                Interpolation::Feasible => {}
                Interpolation::Unknown(_) => infeasible += 1,
                Interpolation::Interpolants { .. } => {
                    infeasible += 1;
                    found += 1;
                }
            }
        }
        println!("{strategy:?} with an array: {found} of {infeasible}");
        assert!(infeasible >= 50);
        assert!(found * 100 >= infeasible * 90, "{strategy:?}: {found} of {infeasible}");
    }
}
