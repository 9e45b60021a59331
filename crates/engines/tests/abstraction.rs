//! Random programs with loops and few states: symbolic execution with abstraction finds out the same as looking at
//! all states, whatever its options, and what it gives as evidence holds.

#![allow(clippy::unwrap_used)]

#[path = "common/random.rs"]
mod random;

use aster_cfa::testing::Sketch;
use aster_cfa::{Label, Node, Op, Procedure, Program, Var};
use aster_engines::symexec::Search;
use aster_engines::symexec_ia::{self, Check, InitialPredicates, Options};
use aster_engines::{Budget, Event, Limit, Observer, Outcome, Reason, Statistics, Unknown};
use aster_smt::NativeSolver;
use aster_term::{BitVec, Model, Sort, Term, TermPool, Value, evaluate};
use random::Random;
use std::collections::HashSet;

const WIDTH: u32 = 3;
const VARIABLES: usize = 3;

fn value(sketch: &mut Sketch, random: &mut Random, variables: &[Var]) -> Term {
    let (one, other) = (random.below(3) as usize, random.below(3) as usize);
    let (one, other) = (sketch.term(variables[one]), sketch.term(variables[other]));
    let constant = sketch.pool.bv(WIDTH, u128::from(random.below(8)));
    match random.below(6) {
        0 => constant,
        1 | 2 => sketch.pool.add(one, constant),
        3 => sketch.pool.add(one, other),
        4 => sketch.pool.sub(one, other),
        _ => sketch.pool.mul(one, constant),
    }
}

fn condition(sketch: &mut Sketch, random: &mut Random, variables: &[Var]) -> Term {
    let one = sketch.term(variables[random.below(3) as usize]);
    let other = value(sketch, random, variables);
    match random.below(4) {
        0 => sketch.pool.eq(one, other),
        1 => sketch.pool.ult(one, other),
        2 => sketch.pool.sle(one, other),
        _ => sketch.pool.slt(one, other),
    }
}

/// Some blocks that go to each other, one of which is an error.
fn program(seed: u64) -> (Program, TermPool) {
    let mut random = Random(seed);
    let mut sketch = Sketch::new("int main(void);");
    let main = sketch.procedure("main");
    let owner = |random: &mut Random, main: Procedure| (random.below(2) == 0).then_some(main);
    let variables: Vec<Var> = ["x", "y", "z"]
        .iter()
        .map(|name| {
            let owner = owner(&mut random, main);
            sketch.variable(owner, name, Sort::BitVec(WIDTH), None)
        })
        .collect();
    let mut at = sketch.entry(main);
    for &variable in &variables {
        let start = sketch.pool.bv(WIDTH, u128::from(random.below(8)));
        at = match random.below(3) {
            0 => sketch.havoc(at, variable, 1),
            _ => sketch.assign(at, variable, start, 1),
        };
    }
    let blocks: Vec<Node> = (0..7).map(|_| sketch.node(main)).collect();
    sketch.go(at, blocks[0], 1);
    sketch.error(blocks[6], 1);
    for &block in &blocks[..6] {
        let target = |random: &mut Random| match random.below(12) {
            // Errors are rare, so that some programs are safe.
            0 => blocks[6],
            n => blocks[n as usize % 6],
        };
        if random.below(3) == 0 {
            let variable = variables[random.below(3) as usize];
            let after = match random.below(6) {
                0 => sketch.havoc(block, variable, 1),
                _ => {
                    let value = value(&mut sketch, &mut random, &variables);
                    sketch.assign(block, variable, value, 1)
                }
            };
            sketch.go(after, target(&mut random), 1);
        } else {
            let condition = condition(&mut sketch, &mut random, &variables);
            let (holds, fails) = sketch.branch(block, condition, 1);
            let variable = variables[random.below(3) as usize];
            let value = value(&mut sketch, &mut random, &variables);
            let holds = sketch.assign(holds, variable, value, 1);
            sketch.go(holds, target(&mut random), 1);
            sketch.go(fails, target(&mut random), 1);
        }
    }
    sketch.finish(main)
}

type State = (Node, [u64; VARIABLES]);

/// Whether an error can be reached, by looking at all states.
fn can_fail(program: &Program, pool: &TermPool) -> bool {
    let variables: Vec<Var> = program.variables().collect();
    let start = program.procedure(program.entry).entry;
    let mut seen: HashSet<State> = HashSet::new();
    let mut stack: Vec<State> = vec![(start, [0; VARIABLES])];
    while let Some((node, values)) = stack.pop() {
        if !seen.insert((node, values)) {
            continue;
        }
        if program.node(node).error.is_some() {
            return true;
        }
        let mut model = Model::new();
        for (&variable, &bits) in variables.iter().zip(&values) {
            let bits = BitVec::new(WIDTH, u128::from(bits));
            model.insert(program.variable(variable).term, Value::BitVec(bits));
        }
        for &edge in &program.node(node).outgoing {
            let info = program.edge(edge);
            let slot = |variable: Var| variables.iter().position(|&other| other == variable).unwrap();
            match &info.label {
                Label::Op(Op::Assume(condition)) => {
                    if evaluate(pool, *condition, &model) == Value::Bool(true) {
                        stack.push((info.target, values));
                    }
                }
                Label::Op(Op::Assign(variable, term)) => {
                    let mut after = values;
                    let bits = evaluate(pool, *term, &model).as_bit_vec().unwrap().unsigned();
                    after[slot(*variable)] = u64::try_from(bits).unwrap();
                    stack.push((info.target, after));
                }
                Label::Op(Op::Havoc(variable, _)) => {
                    for bits in 0..1 << WIDTH {
                        let mut after = values;
                        after[slot(*variable)] = bits;
                        stack.push((info.target, after));
                    }
                }
                other => panic!("{other:?} is not in these programs"),
            }
        }
    }
    false
}

/// Ends a run after this many queries: without sharing, few states can have very many paths.
struct Patience<'a>(&'a Budget, u32);

impl Observer for Patience<'_> {
    fn on(&mut self, event: Event) {
        if event == Event::Query {
            self.1 = self.1.saturating_sub(1);
            if self.1 == 0 {
                self.0.exhaust(Limit::Time);
            }
        }
    }
}

#[test]
fn abstraction_decides_as_a_look_at_all_states_does() {
    let base = Options::default();
    let configurations = [
        base.clone(),
        Options { search: Search::Dfs, splits: 16, constants: 3, ..base.clone() },
        Options { threshold: 2, auxiliary: false, constants: 0, prove: true, ..base.clone() },
        Options { unroll_decided: false, search: Search::Distance, prove: true, ..base.clone() },
        Options { unroll_decided: false, search: Search::RandomPath, splits: 0, ..base.clone() },
        Options { sharing: false, search: Search::Dfs, unroll_decided: false, prove: true, ..base.clone() },
        Options { sharing: false, search: Search::Bfs, auxiliary: false, constants: 2, ..base.clone() },
        Options { initial_predicates: InitialPredicates::Conditions, ..base.clone() },
    ];
    let (mut safe, mut failing, mut undecided, mut proofs) = (0, 0, 0, 0);
    for seed in 0..150 {
        let (sample, pool) = program(seed);
        assert!(sample.validate(&pool).is_empty());
        let expected = can_fail(&sample, &pool);
        for (number, options) in configurations.iter().enumerate() {
            let (program, mut pool) = program(seed);
            let budget = Budget::new();
            let mut solver = NativeSolver::new(budget.interrupt());
            let mut patience = Patience(&budget, 20_000);
            let options = options.clone();
            let (outcome, proof) =
                symexec_ia::run(&program, &mut pool, &mut solver, options, &budget, &mut patience);
            match (&outcome, expected) {
                (Outcome::Safe, false) => safe += 1,
                (Outcome::Unsafe(_), true) => failing += 1,
                (Outcome::Unknown(Unknown { reason: Reason::Limit(_), .. }), _) => undecided += 1,
                _ => panic!("seed {seed}, configuration {number}: {outcome:?}"),
            }
            if let Some(proof) = proof.filter(|_| budget.exhausted().is_none()) {
                assert_eq!(proof.check, Check::Holds, "seed {seed}, configuration {number}");
                proofs += 1;
            }
        }
    }
    assert!(safe > 100 && failing > 100 && proofs > 50, "{safe} {failing} {proofs}");
    assert!(20 * undecided < safe + failing, "{undecided}");
}

#[test]
fn a_run_without_time_is_no_proof() {
    let (program, mut pool) = program(3);
    let budget = Budget::new();
    budget.exhaust(Limit::Time);
    let mut solver = NativeSolver::new(budget.interrupt());
    let mut statistics = Statistics::default();
    let (outcome, proof) =
        symexec_ia::run(&program, &mut pool, &mut solver, Options::default(), &budget, &mut statistics);
    assert!(matches!(outcome, Outcome::Unknown(_)) && proof.is_none(), "{outcome:?}");
}
