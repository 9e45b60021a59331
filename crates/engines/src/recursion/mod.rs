//! Programs with one call at a time in place of a recursion: what holds for any one call holds for all of them.
//!
//! An unfolded recursion has a frame for each depth, and no end. Here a call of a recursive procedure goes one of two ways: it is passed
//! over, with any result in a range and any values of the global variables that it may change; or it is entered, and then
//! whoever called it is forgotten. Take a run to an error: the calls that are over by then are passed over, the others are entered,
//! so that the abstraction has a run to the same error. The converse does not hold.
//!
//! That a call gives only results in the range is an error of the abstraction to be excluded, like those of the program. Ranges are found before
//! errors are asked about: they begin where nothing is in them, and grow to the next literal of the program whenever a call has another result.

mod rewrite;

use aster_cfa::{Call, Label, Node, Op, Procedure, Program, Var};
use aster_term::{Sort, Term, TermPool};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Programs with more recursive procedures are left alone.
const MAX_PROCEDURES: usize = 32;

/// Ranges end at so many literals at most; with more, they have no ends.
const MAX_LITERALS: usize = 16;

/// A recursive procedure.
struct Recursive {
    procedure: Procedure,
    /// Global variables that a call may change.
    changed: Vec<Var>,
    /// What its results are.
    range: Range,
}

/// Results from the `low`-th literal to the `high`-th, ends included; without an end, all on that side.
#[derive(Default)]
struct Range {
    /// Ascending, as signed numbers.
    literals: Vec<i128>,
    low: Option<usize>,
    high: Option<usize>,
}

/// The side of a range on which a result is outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Below,
    Above,
}

/// What counts as an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// Results outside of their ranges.
    Ranges,
    /// These, and all that is an error in the program.
    Errors,
}

/// The abstraction of a program.
pub struct OneCall {
    /// It.
    pub program: Program,
    /// Where a result is outside of its range.
    checks: Vec<(Node, usize, Side)>,
}

/// The recursion of a program.
pub struct Recursion<'a> {
    program: &'a Program,
    procedures: Vec<Recursive>,
}

impl<'a> Recursion<'a> {
    /// `None` if there is none, or too much.
    pub fn of(program: &'a Program, pool: &TermPool) -> Option<Self> {
        let callees = callees(program);
        let recursive: Vec<(Procedure, BTreeSet<Procedure>)> = program
            .procedures()
            .map(|procedure| (procedure, reached(&callees, procedure)))
            .filter(|(procedure, reached)| reached.contains(procedure))
            .take(MAX_PROCEDURES + 1)
            .collect();
        if recursive.is_empty() || recursive.len() > MAX_PROCEDURES {
            return None;
        }
        let literals = literals(program, pool, &recursive.iter().map(|(procedure, _)| *procedure).collect());
        let procedures = recursive.into_iter().map(|(procedure, reached)| Recursive {
            procedure,
            changed: changed(program, &reached),
            range: range(program, procedure, &literals),
        });
        Some(Recursion { program, procedures: procedures.collect() })
    }

    /// The abstraction with the ranges as they are.
    pub fn one_call(&self, about: About, pool: &mut TermPool) -> OneCall {
        rewrite::rewritten(self.program, &self.procedures, about, pool)
    }

    /// Makes a range larger because of a result that is not in it. False if this place is not about a range.
    pub fn widen(&mut self, abstraction: &OneCall, node: Node) -> bool {
        let check = abstraction.checks.iter().find(|(place, ..)| *place == node);
        let Some(&(_, position, side)) = check else { return false };
        let range = &mut self.procedures[position].range;
        match side {
            Side::Below => range.low = range.low.and_then(|low| low.checked_sub(1)),
            Side::Above => {
                range.high = range.high.map(|high| high + 1).filter(|high| *high < range.literals.len());
            }
        }
        true
    }
}

/// The procedures that each procedure calls, not through others.
fn callees(program: &Program) -> Vec<BTreeSet<Procedure>> {
    let mut callees = vec![BTreeSet::new(); program.procedures().count()];
    for info in program.edges().map(|edge| program.edge(edge)) {
        if let Label::Call(call) = &info.label {
            callees[program.node(info.source).procedure.index()].insert(call.procedure);
        }
    }
    callees
}

/// The procedures that may be active after a call in this one.
fn reached(callees: &[BTreeSet<Procedure>], from: Procedure) -> BTreeSet<Procedure> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(procedure) = waiting.pop() {
        waiting.extend(callees[procedure.index()].iter().filter(|callee| found.insert(**callee)));
    }
    found
}

/// What the edges of some procedures do.
fn labels_of<'a>(
    program: &'a Program,
    procedures: &'a BTreeSet<Procedure>,
) -> impl Iterator<Item = &'a Label> {
    let edges = program.edges().map(|edge| program.edge(edge));
    edges.filter(|info| procedures.contains(&program.node(info.source).procedure)).map(|info| &info.label)
}

/// The global variables that these procedures may change; ascending.
fn changed(program: &Program, procedures: &BTreeSet<Procedure>) -> Vec<Var> {
    let changed = labels_of(program, procedures).filter_map(|label| match label {
        Label::Op(Op::Assign(variable, _) | Op::Havoc(variable, _)) => Some(*variable),
        Label::Call(Call { result, .. }) => *result,
        _ => None,
    });
    let changed: BTreeSet<Var> = changed.collect();
    changed.into_iter().filter(|&variable| program.variable(variable).owner.is_none()).collect()
}

/// The literals in procedures, in terms of any width, as signed numbers.
fn literals(program: &Program, pool: &TermPool, procedures: &BTreeSet<Procedure>) -> BTreeSet<i128> {
    let mut stack: Vec<Term> = Vec::new();
    for label in labels_of(program, procedures) {
        match label {
            Label::Op(Op::Assume(term) | Op::Assign(_, term)) => stack.push(*term),
            Label::Call(call) => stack.extend(&call.arguments),
            _ => {}
        }
    }
    let mut found = BTreeSet::from([0, 1]);
    let mut seen = FxHashSet::default();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            found.extend(pool.bv_constant(term).map(|bits| bits.signed()));
            stack.extend(pool.args(term));
        }
    }
    found
}

/// The range of a procedure's results in which there is none.
fn range(program: &Program, procedure: Procedure, literals: &BTreeSet<i128>) -> Range {
    let Some(result) = program.procedure(procedure).result else { return Range::default() };
    let Sort::BitVec(width) = program.variable(result).sort else { return Range::default() };
    let half = 1i128.checked_shl(width - 1).unwrap_or(i128::MAX);
    let fitting: Vec<i128> =
        literals.iter().copied().filter(|&literal| -half <= literal && literal < half).collect();
    if !(2..=64).contains(&width) || fitting.len() > MAX_LITERALS {
        return Range::default();
    }
    Range { low: Some(fitting.len() - 1), high: Some(0), literals: fitting }
}
