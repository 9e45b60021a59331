//! Random programs with recursive procedures: if one of them can fail, the abstraction to one call at a time can, too.

#![allow(clippy::unwrap_used)]

#[path = "common/random.rs"]
mod random;

use aster_cfa::testing::Sketch;
use aster_cfa::{Call, Edge, Label, Node, Op, Procedure, Program, Var};
use aster_engines::recursion::{About, Recursion};
use aster_term::{BitVec, Model, Sort, Term, TermPool, Value, evaluate};
use random::Random;
use std::collections::HashSet;

const WIDTH: u32 = 2;
/// Calls of the program that are active at once, as far as it is looked.
const MAX_DEPTH: usize = 6;
/// Where no failure was found among so many states, none is said to be there.
const MAX_STATES: usize = 30_000;

/// A procedure with its parameter, another variable and its result.
#[derive(Clone, Copy)]
struct Parts {
    procedure: Procedure,
    variables: [Var; 3],
}

struct Generator {
    sketch: Sketch,
    random: Random,
    global: Var,
    callees: Vec<Parts>,
}

impl Generator {
    fn below(&mut self, limit: u64) -> u64 {
        self.random.below(limit)
    }

    fn variable(&mut self, own: &[Var]) -> Var {
        match self.below(4) {
            0 => self.global,
            n => own[n as usize % own.len()],
        }
    }

    fn value(&mut self, own: &[Var]) -> Term {
        let variable = self.variable(own);
        let (term, number) = (self.sketch.term(variable), u128::from(self.below(4)));
        let literal = self.sketch.pool.bv(WIDTH, number);
        match self.below(4) {
            0 => literal,
            1 => term,
            2 => self.sketch.pool.sub(term, literal),
            _ => self.sketch.pool.add(term, literal),
        }
    }

    fn condition(&mut self, own: &[Var]) -> Term {
        let (one, other) = (self.value(own), self.value(own));
        match self.below(3) {
            0 => self.sketch.pool.eq(one, other),
            1 => self.sketch.pool.slt(one, other),
            _ => self.sketch.pool.ult(one, other),
        }
    }

    /// Does something; gives where the path goes on.
    fn statement(&mut self, at: Node, own: &[Var]) -> Node {
        match self.below(6) {
            0 => {
                let variable = self.variable(own);
                self.sketch.havoc(at, variable, 1)
            }
            1 | 2 => {
                let (variable, value) = (self.variable(own), self.value(own));
                self.sketch.assign(at, variable, value, 1)
            }
            _ => {
                let callee = self.callees[self.random.below(2) as usize];
                let arguments = vec![self.value(own)];
                let variable = self.variable(own);
                let result = (self.below(4) > 0).then_some(variable);
                let call = Call { procedure: callee.procedure, arguments, result };
                self.sketch.step(at, Label::Call(call), 1)
            }
        }
    }

    /// A body in which there is a way around everything, so that calls end.
    fn body(&mut self, parts: Parts) {
        let own = parts.variables;
        let zero = self.sketch.pool.bv(WIDTH, 0);
        let mut at = self.sketch.entry(parts.procedure);
        for &variable in &own[1..] {
            at = self.sketch.assign(at, variable, zero, 1);
        }
        let condition = self.condition(&own);
        let (mut long, short) = self.sketch.branch(at, condition, 1);
        for _ in 0..2 + self.below(2) {
            long = self.statement(long, &own);
        }
        if self.below(3) == 0 {
            let condition = self.condition(&own);
            let (wrong, fine) = self.sketch.branch(long, condition, 1);
            self.sketch.error(wrong, 1);
            long = fine;
        }
        for end in [long, short] {
            let value = self.value(&own);
            let end = self.sketch.assign(end, own[2], value, 1);
            self.sketch.go(end, self.sketch.exit(parts.procedure), 1);
        }
    }
}

/// `main` calls two procedures that call each other and themselves.
fn program(seed: u64) -> (Program, TermPool) {
    let mut sketch = Sketch::new("int main(void);");
    let sort = Sort::BitVec(WIDTH);
    let global = sketch.variable(None, "global", sort, None);
    let names = ["main", "f", "g"].map(|name| {
        let procedure = sketch.procedure(name);
        let variables = ["x", "y", "result"].map(|name| sketch.variable(Some(procedure), name, sort, None));
        Parts { procedure, variables }
    });
    for parts in &names[1..] {
        let [parameter, _, result] = parts.variables;
        sketch.builder.set_signature(parts.procedure, vec![parameter], Some(result));
    }
    let mut generator = Generator { sketch, random: Random(seed), global, callees: names[1..].to_vec() };
    for parts in &names[1..] {
        generator.body(*parts);
    }
    let (main, own) = (names[0].procedure, names[0].variables);
    let zero = generator.sketch.pool.bv(WIDTH, 0);
    let mut at = generator.sketch.entry(main);
    for variable in [own[0], own[1], own[2], global] {
        at = generator.sketch.assign(at, variable, zero, 1);
    }
    for _ in 0..3 {
        at = generator.statement(at, &own);
    }
    let condition = generator.condition(&own);
    let (wrong, fine) = generator.sketch.branch(at, condition, 1);
    generator.sketch.error(wrong, 1);
    generator.sketch.go(fine, generator.sketch.exit(main), 1);
    generator.sketch.finish(main)
}

/// The values of all variables in one frame, those of others zero; global ones are in the last.
type Values = Vec<u128>;

/// A call that is active: where it came from, its values, and where control is.
type Frame = (Option<Edge>, Values, Node);

struct Looker<'a> {
    program: &'a Program,
    pool: &'a TermPool,
    variables: Vec<Var>,
}

impl Looker<'_> {
    fn slot(&self, variable: Var) -> usize {
        self.variables.iter().position(|&other| other == variable).unwrap()
    }

    fn evaluate(&self, term: Term, values: &Values) -> Value {
        let mut model = Model::new();
        for (&variable, &bits) in self.variables.iter().zip(values) {
            let info = self.program.variable(variable);
            model.insert(info.term, Value::BitVec(BitVec::new(info.sort.width().unwrap(), bits)));
        }
        evaluate(self.pool, term, &model)
    }

    fn number(&self, term: Term, values: &Values) -> u128 {
        match self.evaluate(term, values) {
            Value::BitVec(bits) => bits.unsigned(),
            other => panic!("{other:?} is not in these programs"),
        }
    }

    /// The values of a frame with the global ones of another.
    fn with_globals(&self, values: &Values, others: &Values) -> Values {
        let mut mixed = values.clone();
        for (slot, &variable) in self.variables.iter().enumerate() {
            if self.program.variable(variable).owner.is_none() {
                mixed[slot] = others[slot];
            }
        }
        mixed
    }

    /// What follows from a state.
    fn successors(&self, frames: &[Frame]) -> Vec<Vec<Frame>> {
        let (call, values, node) = frames.last().unwrap();
        let with = |values: Values, node: Node| {
            let mut next = frames.to_vec();
            *next.last_mut().unwrap() = (*call, values, node);
            next
        };
        let procedure = self.program.procedure(self.program.node(*node).procedure);
        if *node == procedure.exit {
            let Some(edge) = call else { return Vec::new() };
            let info = self.program.edge(*edge);
            let Label::Call(call) = &info.label else { panic!("a call") };
            let mut next = frames[..frames.len() - 1].to_vec();
            let (from, caller, _) = next.pop().unwrap();
            let mut caller = self.with_globals(&caller, values);
            if let (Some(target), Some(result)) = (call.result, procedure.result) {
                caller[self.slot(target)] = values[self.slot(result)];
            }
            next.push((from, caller, info.target));
            return vec![next];
        }
        let mut all = Vec::new();
        for &edge in &self.program.node(*node).outgoing {
            let info = self.program.edge(edge);
            match &info.label {
                Label::Op(Op::Assume(condition)) => {
                    if self.evaluate(*condition, values) == Value::Bool(true) {
                        all.push(with(values.clone(), info.target));
                    }
                }
                Label::Op(Op::Assign(variable, term)) => {
                    let mut after = values.clone();
                    after[self.slot(*variable)] = self.number(*term, values);
                    all.push(with(after, info.target));
                }
                Label::Op(Op::Havoc(variable, _)) => {
                    for bits in 0..1 << self.program.variable(*variable).sort.width().unwrap() {
                        let mut after = values.clone();
                        after[self.slot(*variable)] = bits;
                        all.push(with(after, info.target));
                    }
                }
                Label::Call(call) if frames.len() <= MAX_DEPTH => {
                    let callee = self.program.procedure(call.procedure);
                    let mut entered = self.with_globals(&vec![0; self.variables.len()], values);
                    for (&parameter, &argument) in callee.parameters.iter().zip(&call.arguments) {
                        entered[self.slot(parameter)] = self.number(argument, values);
                    }
                    let mut next = frames.to_vec();
                    next.push((Some(edge), entered, callee.entry));
                    all.push(next);
                }
                Label::Call(_) => {}
                other => panic!("{other:?} is not in these programs"),
            }
        }
        all
    }
}

/// An error that can be reached, by looking at all states, or `Err` if there are too many.
fn error(program: &Program, pool: &TermPool) -> Result<Option<Node>, ()> {
    let looker = Looker { program, pool, variables: program.variables().collect() };
    let start: Frame = (None, vec![0; looker.variables.len()], program.procedure(program.entry).entry);
    let mut seen: HashSet<Vec<Frame>> = HashSet::new();
    let mut waiting = vec![vec![start]];
    while let Some(frames) = waiting.pop() {
        let node = frames.last().unwrap().2;
        if program.node(node).error.is_some() {
            return Ok(Some(node));
        }
        if seen.len() > MAX_STATES {
            return Err(());
        }
        if seen.insert(frames.clone()) {
            waiting.extend(looker.successors(&frames));
        }
    }
    Ok(None)
}

/// Whether the abstraction can fail once the ranges hold all results.
fn can_fail_with_one_call(program: &Program, pool: &mut TermPool, seed: u64) -> Option<bool> {
    let mut recursion = Recursion::of(program, pool)?;
    loop {
        let abstraction = recursion.one_call(About::Ranges, pool);
        let violations = abstraction.program.validate(pool);
        assert!(violations.is_empty(), "seed {seed}: {violations:?}");
        let Some(node) = error(&abstraction.program, pool).ok()? else { break };
        assert!(recursion.widen(&abstraction, node), "seed {seed}: an error that is not about a range");
    }
    let abstraction = recursion.one_call(About::Errors, pool);
    assert!(abstraction.program.validate(pool).is_empty(), "seed {seed}");
    Some(error(&abstraction.program, pool).ok()?.is_some())
}

#[test]
fn what_can_fail_can_fail_with_one_call_at_a_time() {
    let (mut failing, mut proved) = (0, 0);
    for seed in 0..150 {
        let (sample, mut pool) = program(seed);
        assert!(sample.validate(&pool).is_empty(), "seed {seed}");
        let Some(found) = can_fail_with_one_call(&sample, &mut pool, seed) else { continue };
        // As far as it was looked, if there are too many states.
        let expected = matches!(error(&sample, &pool), Ok(Some(_)));
        assert!(found || !expected, "seed {seed}: the error was lost");
        failing += usize::from(expected);
        proved += usize::from(!found);
    }
    assert!(failing > 20 && proved > 10, "{failing} {proved}");
}
