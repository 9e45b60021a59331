//! Decides queries about few floats by looking at boxes: ranges for the variables, halved until every box is refuted or one
//! holds a solution.
//!
//! Polynomials and the like of one or two inputs are hard for a SAT solver, since rounding hides the algebra, but ranges
//! of floats are computed exactly at their ends. What is not decided within a budget goes to the solver behind. Other queries
//! the solver behind decides at once, so it makes a short attempt after the first few boxes.

mod range;
#[cfg(test)]
mod tests;
mod transfer;

use super::AssertionStack;
use crate::{Answer, Interrupt, Limits, Solver, Statistics, UnknownReason};
use aster_term::{BitVec, Evaluator, FpOp, Model, Op, Sort, Term, TermPool, Value};
use range::{Floats, Integers, Range, bits_at, position};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How many applications are computed for a query with one variable; with each further one it is a quarter.
const BUDGET: usize = 2_000_000;

/// How many applications are computed before the solver behind makes its attempt.
const FIRST_BUDGET: usize = 20_000;

/// How many conflicts the solver behind may have in its attempt.
const ATTEMPT_CONFLICTS: u32 = 500;

/// About how many clauses a query may have for an attempt.
const ATTEMPT_CLAUSES: u64 = 300_000;

/// With more variables halving does not get anywhere.
const MAX_VARIABLES: usize = 6;

/// Queries with more terms are not looked at.
const MAX_TERMS: usize = 2_000;

/// How many boxes are looked at between two looks at the clock.
const CLOCK_INTERVAL: usize = 64;

/// Searches boxes before it asks the solver behind it.
pub struct FloatSearch {
    inner: Box<dyn Solver>,
    interrupt: Interrupt,
    stack: AssertionStack,
    limits: Limits,
    checks: u64,
    hits: u64,
    time: Duration,
    /// Whether the solver behind keeps to a limit of conflicts, so that it may try first.
    attempts: bool,
    /// How many searches in a row ended without an answer: each makes the next one shorter.
    failures: u32,
}

impl FloatSearch {
    /// A search in front of a solver. With `attempts`, the solver may try for a few conflicts before the search goes on for long, which
    /// is for solvers that keep to such a limit.
    pub fn new(inner: Box<dyn Solver>, interrupt: Interrupt, attempts: bool) -> Self {
        FloatSearch {
            inner,
            interrupt,
            stack: AssertionStack::default(),
            limits: Limits::default(),
            checks: 0,
            hits: 0,
            time: Duration::ZERO,
            attempts,
            failures: 0,
        }
    }

    /// A little search, a little of the solver behind, more search, then the solver behind to the end.
    fn decide(&mut self, pool: &mut TermPool, conjuncts: &[Term]) -> Answer {
        let deadline = self.limits.time.and_then(|time| Instant::now().checked_add(time));
        if let Some(problem) = Problem::new(pool, conjuncts) {
            let interrupt = self.interrupt.clone();
            let stopped = || interrupt.is_raised() || deadline.is_some_and(|end| Instant::now() >= end);
            let budget = (BUDGET >> (2 * (problem.variables.len() - 1))) >> self.failures.min(6);
            if self.attempts && budget > FIRST_BUDGET && problem.clauses(pool) <= ATTEMPT_CLAUSES {
                if let Some(answer) = self.search(pool, &problem, FIRST_BUDGET, &stopped) {
                    return answer;
                }
                let conflicts =
                    self.limits.conflicts.map_or(ATTEMPT_CONFLICTS, |most| most.min(ATTEMPT_CONFLICTS));
                let answer = self.ask(pool, conjuncts, deadline, Some(conflicts));
                if answer != Answer::Unknown(UnknownReason::ConflictLimit) {
                    return answer;
                }
            }
            if let Some(answer) = self.search(pool, &problem, budget, &stopped) {
                return answer;
            }
            self.failures += 1;
        }
        self.ask(pool, conjuncts, deadline, self.limits.conflicts)
    }

    /// Searches boxes, and counts what that takes.
    fn search(
        &mut self,
        pool: &TermPool,
        problem: &Problem,
        budget: usize,
        stopped: &dyn Fn() -> bool,
    ) -> Option<Answer> {
        let start = Instant::now();
        let answer = problem.search(pool, budget, stopped);
        self.time += start.elapsed();
        if answer.is_some() {
            (self.hits, self.failures) = (self.hits + 1, 0);
        }
        answer
    }

    /// Asks the solver behind. What was spent before is not there for it.
    fn ask(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[Term],
        deadline: Option<Instant>,
        conflicts: Option<u32>,
    ) -> Answer {
        let time = deadline.map(|end| end.saturating_duration_since(Instant::now()));
        self.inner.set_limits(Limits { time, conflicts });
        self.inner.check(pool, conjuncts)
    }
}

/// Ranges of the variables, in their order.
type Boxed = Vec<Range>;

struct Problem {
    conjuncts: Vec<Term>,
    /// All terms below the conjuncts, arguments first, with the places of their arguments.
    terms: Vec<(Term, [usize; 3])>,
    /// Where the conjuncts are among the terms.
    roots: Vec<usize>,
    /// Variables that can be halved, with their places.
    variables: Vec<(Term, usize)>,
    initial: Boxed,
}

impl Problem {
    /// The query as a search problem; `None` if it is none for boxes.
    fn new(pool: &TermPool, conjuncts: &[Term]) -> Option<Self> {
        let mut places: FxHashMap<Term, usize> = FxHashMap::default();
        let mut sorted = Vec::new();
        let mut stack = conjuncts.to_vec();
        while let Some(term) = stack.pop() {
            if places.insert(term, 0).is_some() {
                continue;
            }
            if sorted.len() == MAX_TERMS
                || matches!(pool.sort(term), Sort::Array { .. } | Sort::Int | Sort::Real)
            {
                return None;
            }
            sorted.push(term);
            stack.extend_from_slice(pool.args(term));
        }
        if !sorted.iter().any(|&term| is_hard(pool, term)) {
            return None;
        }
        // Arguments have smaller ids.
        sorted.sort_unstable();
        for (place, term) in sorted.iter().enumerate() {
            places.insert(*term, place);
        }
        let terms: Vec<(Term, [usize; 3])> = sorted
            .iter()
            .map(|&term| {
                let mut args = [0; 3];
                for (place, arg) in args.iter_mut().zip(pool.args(term)) {
                    *place = places[arg];
                }
                (term, args)
            })
            .collect();
        let mut ranges: FxHashMap<Term, Range> = FxHashMap::default();
        for &(term, _) in &terms {
            for &arg in pool.args(term).iter().filter(|&&arg| pool.is_variable(arg)) {
                if let Some(range) = natural_range(pool, pool.op(term), arg) {
                    ranges.entry(arg).or_insert(range);
                }
            }
        }
        let variables: Vec<(Term, usize)> = terms
            .iter()
            .enumerate()
            .filter(|(_, (term, _))| ranges.contains_key(term))
            .map(|(place, &(term, _))| (term, place))
            .collect();
        if variables.is_empty() || variables.len() > MAX_VARIABLES {
            return None;
        }
        let initial = variables.iter().map(|(term, _)| ranges[term]).collect();
        let roots = conjuncts.iter().map(|conjunct| places[conjunct]).collect();
        Some(Problem { conjuncts: conjuncts.to_vec(), terms, roots, variables, initial })
    }

    /// About how many clauses the floats of the query are for a SAT solver.
    fn clauses(&self, pool: &TermPool) -> u64 {
        let cost = |&(term, _): &(Term, [usize; 3])| {
            let Op::Fp(op) = pool.op(term) else { return 0 };
            let width = op.operand_format().or(op.result_format()).map_or(0, |f| u64::from(f.significand));
            match op {
                FpOp::Rem(_) | FpOp::Mod(_) => 200 * width * width,
                FpOp::Mul(..) | FpOp::Div(..) | FpOp::Fma(..) => 30 * width * width,
                FpOp::Sqrt(..) => 15 * width * width,
                FpOp::Add(..) | FpOp::Sub(..) => 150 * width,
                _ => 50 * width,
            }
        };
        self.terms.iter().map(cost).sum()
    }

    /// The ranges of all terms in a box.
    fn evaluate(&self, pool: &TermPool, boxed: &[Range], values: &mut Vec<Range>) {
        values.clear();
        for &(term, places) in &self.terms {
            let value = if pool.is_variable(term) {
                match self.variables.iter().position(|&(variable, _)| variable == term) {
                    Some(number) => boxed[number],
                    None => Range::Any,
                }
            } else {
                let args = places.map(|place| values.get(place).copied().unwrap_or(Range::Any));
                transfer::apply(pool, term, &args[..pool.args(term).len()])
            };
            values.push(value);
        }
    }

    /// Looks at boxes in the order in which they are made, so that the search spreads evenly.
    fn search(&self, pool: &TermPool, budget: usize, stopped: &dyn Fn() -> bool) -> Option<Answer> {
        let mut needed = vec![false; self.conjuncts.len()];
        let mut first = self.initial.clone();
        for (number, &conjunct) in self.conjuncts.iter().enumerate() {
            needed[number] = self.narrow(pool, conjunct, &mut first);
        }
        let mut queue = VecDeque::from([(first, 0usize)]);
        let mut values = Vec::with_capacity(self.terms.len());
        let most = budget / self.terms.len();
        for looked_at in 0.. {
            let Some((boxed, depth)) = queue.pop_front() else {
                let core = self.conjuncts.iter().zip(&needed).filter(|&(_, &needed)| needed);
                return Some(Answer::Unsat(core.map(|(&conjunct, _)| conjunct).collect()));
            };
            if looked_at > most || (looked_at % CLOCK_INTERVAL == 0 && stopped()) {
                return None;
            }
            self.evaluate(pool, &boxed, &mut values);
            let refuting = self.roots.iter().position(|&root| !values[root].truth().may_hold);
            if let Some(number) = refuting {
                needed[number] = true;
                continue;
            }
            if let Some(model) = self.sample(pool, &boxed) {
                return Some(Answer::Sat(model));
            }
            let (left, right) = self.halve(&boxed, depth)?;
            queue.push_back((left, depth + 1));
            queue.push_back((right, depth + 1));
        }
        None
    }

    /// Narrows the range of a variable that a conjunct compares with a literal; true if it did.
    fn narrow(&self, pool: &TermPool, conjunct: Term, boxed: &mut [Range]) -> bool {
        let (atom, holds) = match pool.op(conjunct) {
            Op::Not => (pool.args(conjunct)[0], false),
            _ => (conjunct, true),
        };
        let Op::Fp(op @ (FpOp::Lt(format) | FpOp::Le(format))) = pool.op(atom) else { return false };
        let &[a, b] = pool.args(atom) else { return false };
        let (variable, literal, is_upper) = match (pool.bv_constant(a), pool.bv_constant(b)) {
            (None, Some(literal)) => (a, literal.unsigned(), holds),
            (Some(literal), None) => (b, literal.unsigned(), !holds),
            _ => return false,
        };
        let Some(number) = self.variables.iter().position(|&(term, _)| term == variable) else {
            return false;
        };
        let Range::Float(floats) = &mut boxed[number] else { return false };
        if format.is_nan(literal) {
            return false;
        }
        // A comparison that holds is between numbers. Its bound is strict, or the negation's is; zeros are equal.
        let is_strict = matches!(op, FpOp::Lt(_)) == holds;
        let at = range::numeric(position(format, literal));
        let from_value = |value: i128, low: bool| match value {
            0 if low => -1,
            0 => 0,
            value if value < 0 => value - 1,
            value => value,
        };
        if is_upper {
            let highest = from_value(if is_strict { at - 1 } else { at }, false);
            floats.high = floats.high.min(highest);
        } else {
            let lowest = from_value(if is_strict { at + 1 } else { at }, true);
            floats.low = floats.low.max(lowest);
        }
        floats.nan &= !holds;
        true
    }

    /// A model from the middle of the box, if it is one.
    fn sample(&self, pool: &TermPool, boxed: &[Range]) -> Option<Model> {
        let mut model = Model::new();
        for (&(variable, _), &range) in self.variables.iter().zip(boxed) {
            let width = pool.sort(variable).width()?;
            let bits = match range {
                Range::Float(floats) if floats.is_empty() => floats.format.nan(),
                Range::Float(floats) => bits_at(floats.format, middle(floats, false)),
                Range::Integer(Integers { low, high, .. }) => (low + (high - low) / 2) as u128,
                _ => return None,
            };
            model.insert(variable, Value::BitVec(BitVec::new(width, bits)));
        }
        let mut evaluator = Evaluator::new(&model);
        let holds = self.conjuncts.iter().all(|&term| evaluator.value(pool, term) == Value::Bool(true));
        holds.then_some(model)
    }

    /// Two halves of the box, divided at one of the variables in turn; `None` if there is nothing to divide.
    fn halve(&self, boxed: &[Range], depth: usize) -> Option<(Boxed, Boxed)> {
        (0..boxed.len()).find_map(|offset| {
            let number = (depth + offset) % boxed.len();
            // Now and then by position instead of by value, to get to numbers of another size.
            let by_position = depth / boxed.len() % 3 == 2;
            let (left, right) = divide(boxed[number], by_position)?;
            let with = |range: Range| {
                let mut boxed = boxed.to_vec();
                boxed[number] = range;
                boxed
            };
            Some((with(left), with(right)))
        })
    }
}

/// Two parts of a range.
fn divide(range: Range, by_position: bool) -> Option<(Range, Range)> {
    match range {
        Range::Float(floats) if floats.nan && !floats.is_empty() => {
            let nans = Floats { low: 0, high: -1, ..floats };
            Some((Range::Float(Floats { nan: false, ..floats }), Range::Float(nans)))
        }
        Range::Float(floats) if floats.low < floats.high => {
            let middle = middle(floats, by_position).min(floats.high - 1);
            let left = Floats { high: middle, ..floats };
            Some((Range::Float(left), Range::Float(Floats { low: middle + 1, ..floats })))
        }
        Range::Integer(integers) if integers.low < integers.high => {
            let middle = integers.low + (integers.high - integers.low) / 2;
            let left = Integers { high: middle, ..integers };
            Some((Range::Integer(left), Range::Integer(Integers { low: middle + 1, ..integers })))
        }
        _ => None,
    }
}

/// A position in the middle of numbers: of their values, or of the positions.
fn middle(floats: Floats, by_position: bool) -> i128 {
    let Floats { format, low, high, .. } = floats;
    let by_positions = low + (high - low) / 2;
    if by_position {
        return by_positions;
    }
    if low < 0 && high >= 0 {
        return -1;
    }
    // Infinity has no half.
    let largest = format.infinity(false) as i128 - 1;
    let half = |at: i128| {
        let bits = bits_at(format, at.clamp(-1 - largest, largest));
        let half = u128::from(format.bias() - 1) << format.fraction();
        let args = [bits, half].map(|bits| BitVec::new(format.width(), bits));
        FpOp::Mul(format, aster_term::Rounding::TowardZero).apply(&args)
    };
    let sum = half(low)
        .zip(half(high))
        .and_then(|(low, high)| FpOp::Add(format, aster_term::Rounding::TowardZero).apply(&[low, high]));
    match sum {
        Some(sum) => position(format, sum.unsigned()).clamp(low, high),
        None => by_positions,
    }
}

/// True for operators that are hard to decide for a SAT solver.
fn is_hard(pool: &TermPool, term: Term) -> bool {
    matches!(
        pool.op(term),
        Op::Fp(FpOp::Mul(..) | FpOp::Div(..) | FpOp::Sqrt(..) | FpOp::Fma(..) | FpOp::Rem(_) | FpOp::Mod(_))
    )
}

/// All values of a variable, as the operator reads it.
fn natural_range(pool: &TermPool, op: Op, variable: Term) -> Option<Range> {
    let width = pool.sort(variable).width()?;
    match op {
        Op::Fp(op) => match (op, op.operand_format()) {
            (_, Some(format)) => Some(Range::Float(Floats::all(format))),
            (FpOp::FromSigned { .. }, _) if width < 128 => Some(Range::Integer(Integers::all(width, true))),
            _ if width < 128 => Some(Range::Integer(Integers::all(width, false))),
            _ => None,
        },
        _ => None,
    }
}

impl Solver for FloatSearch {
    fn push(&mut self) {
        self.stack.push();
    }

    fn pop(&mut self) {
        self.stack.pop();
    }

    fn assert(&mut self, _pool: &mut TermPool, formula: Term) {
        self.stack.assert(formula);
    }

    fn check(&mut self, pool: &mut TermPool, assumptions: &[Term]) -> Answer {
        self.checks += 1;
        let conjuncts = self.stack.with(assumptions);
        let answer = self.decide(pool, &conjuncts);
        match answer {
            Answer::Unsat(core) => Answer::Unsat(self.stack.core_of_assumptions(core, assumptions)),
            other => other,
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn statistics(&self) -> Statistics {
        let inner = self.inner.statistics();
        let (range_hits, solve_time) = (inner.range_hits + self.hits, inner.solve_time + self.time);
        Statistics { checks: self.checks, range_hits, solve_time, ..inner }
    }
}
