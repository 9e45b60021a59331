//! A query as a list of operators, and the search for its solutions.

use super::propagate::{backward, forward};
use super::range::{Empty, Range};
use aster_term::{BitVec, Model, Op, Sort, Term, TermPool, Value};
use rustc_hash::FxHashMap;

/// Queries with more terms are not looked at.
const MAX_TERMS: usize = 2_000;

/// The widest integers whose products are computed without overflow here.
const MAX_WIDTH: u32 = 64;

/// Variables are told apart by the bits of a word.
const MAX_VARIABLES: usize = 64;

/// How often ranges are narrowed before a box is divided.
const MAX_ROUNDS: usize = 6;

/// An operator with the places of its arguments.
pub(super) struct Node {
    pub(super) op: Op,
    pub(super) args: [usize; 3],
    /// The width of the result; 0 for a truth value.
    pub(super) width: u32,
    /// The width of the first argument.
    pub(super) arg_width: u32,
    pub(super) arg_widths: [u32; 3],
    /// A product of something with itself.
    pub(super) is_square: bool,
    /// The variables below it.
    variables: u64,
    /// All values of the sort; the only value of a literal.
    initial: Range,
}

/// A query.
pub(super) struct Problem {
    /// Arguments first.
    nodes: Vec<Node>,
    /// Where the conjuncts are.
    roots: Vec<usize>,
    variables: Vec<(Term, usize)>,
}

/// Ranges of the variables, and what was assumed about other nodes.
#[derive(Clone)]
struct Case {
    variables: Vec<Range>,
    assumed: Vec<(usize, bool)>,
}

/// What a search ended with.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    Model(Model),
    Nothing,
    /// The budget was not enough.
    GaveUp,
}

impl Problem {
    /// The query as a search problem; `None` if ranges say too little about it, or if others decide it faster.
    pub(super) fn new(pool: &TermPool, conjuncts: &[Term]) -> Option<Self> {
        let mut places: FxHashMap<Term, usize> = FxHashMap::default();
        let mut sorted = Vec::new();
        let mut stack = conjuncts.to_vec();
        let mut is_hard = false;
        while let Some(term) = stack.pop() {
            if places.insert(term, 0).is_some() {
                continue;
            }
            let is_wide = match pool.sort(term) {
                Sort::Bool => false,
                Sort::BitVec(width) => width > MAX_WIDTH,
                _ => true,
            };
            if is_wide || sorted.len() == MAX_TERMS || matches!(pool.op(term), Op::Fp(_)) {
                return None;
            }
            is_hard |= is_hard_for_circuits(pool, term);
            sorted.push(term);
            stack.extend_from_slice(pool.args(term));
        }
        if !is_hard {
            return None;
        }
        // Arguments have smaller ids.
        sorted.sort_unstable();
        for (place, term) in sorted.iter().enumerate() {
            places.insert(*term, place);
        }
        let mut problem =
            Problem { nodes: Vec::with_capacity(sorted.len()), roots: Vec::new(), variables: Vec::new() };
        for (place, &term) in sorted.iter().enumerate() {
            if pool.is_variable(term) {
                problem.variables.push((term, place));
            }
            let node = problem.node(pool, term, &places);
            problem.nodes.push(node);
        }
        problem.roots = conjuncts.iter().map(|conjunct| places[conjunct]).collect();
        (problem.variables.len() <= MAX_VARIABLES).then_some(problem)
    }

    fn node(&self, pool: &TermPool, term: Term, places: &FxHashMap<Term, usize>) -> Node {
        let (mut args, mut arg_widths) = ([0; 3], [0; 3]);
        let mut variables = 0;
        for (i, arg) in pool.args(term).iter().enumerate() {
            args[i] = places[arg];
            arg_widths[i] = pool.sort(*arg).width().unwrap_or(0);
            variables |= self.nodes[args[i]].variables;
        }
        let width = pool.sort(term).width().unwrap_or(0);
        let op = pool.op(term);
        let initial = match op {
            Op::BoolConst(value) => Range::truth(value),
            Op::BvConst(bits) => Range::of(BitVec::new(width, bits).signed()),
            _ if width == 0 => Range::TRUTH,
            _ => Range::all(width),
        };
        if pool.is_variable(term) {
            // The one that was added last.
            variables = 1u64.checked_shl(self.variables.len() as u32 - 1).unwrap_or(0);
        }
        let is_square = op == Op::BvMul && args[0] == args[1];
        Node { op, args, width, arg_width: arg_widths[0], arg_widths, is_square, variables, initial }
    }

    /// Looks for a solution of some of the conjuncts. `budget` counts how many operators are looked at, and is what is left
    /// of it in the end.
    pub(super) fn search(
        &self,
        conjuncts: &[usize],
        budget: &mut usize,
        stopped: &dyn Fn() -> bool,
    ) -> Found {
        let roots: Vec<usize> = conjuncts.iter().map(|&conjunct| self.roots[conjunct]).collect();
        let variables = self.variables.iter().map(|&(_, place)| self.nodes[place].initial).collect();
        let mut cases = vec![Case { variables, assumed: Vec::new() }];
        let mut ranges = Vec::with_capacity(self.nodes.len());
        while let Some(mut case) = cases.pop() {
            let cost = (2 * MAX_ROUNDS + 4) * self.nodes.len();
            if *budget < cost || stopped() {
                return Found::GaveUp;
            }
            *budget -= cost;
            if self.narrow(&roots, &mut case, &mut ranges).is_err() {
                continue;
            }
            if let Some(model) = self.sample(&roots, &case, &mut ranges) {
                return Found::Model(model);
            }
            self.evaluate(&case.variables, &mut ranges);
            match self.divide(&roots, case, &ranges) {
                Some(parts) => cases.extend(parts),
                None => return Found::GaveUp,
            }
        }
        Found::Nothing
    }

    /// Narrows the variables of a case to what the conjuncts allow.
    fn narrow(&self, roots: &[usize], case: &mut Case, ranges: &mut Vec<Range>) -> Result<(), Empty> {
        ranges.clear();
        ranges.extend(self.nodes.iter().map(|node| node.initial));
        for (&(_, place), &range) in self.variables.iter().zip(&case.variables) {
            ranges[place] = range;
        }
        for _ in 0..MAX_ROUNDS {
            for (place, node) in self.nodes.iter().enumerate() {
                if node.op.arity() > 0 {
                    ranges[place] = ranges[place].intersection(forward(node, |arg| ranges[arg]))?;
                }
            }
            for &root in roots {
                ranges[root] = ranges[root].intersection(Range::TRUE)?;
            }
            for &(place, truth) in &case.assumed {
                ranges[place] = ranges[place].intersection(Range::truth(truth))?;
            }
            for (place, node) in self.nodes.iter().enumerate().rev() {
                if node.op.arity() > 0 {
                    backward(node, place, ranges)?;
                }
            }
            let mut is_narrower = false;
            for (&(_, place), range) in self.variables.iter().zip(&mut case.variables) {
                is_narrower |= ranges[place] != *range;
                *range = ranges[place];
            }
            if !is_narrower {
                break;
            }
        }
        Ok(())
    }

    /// The ranges of all nodes if only those of the variables are known.
    fn evaluate(&self, variables: &[Range], ranges: &mut Vec<Range>) {
        ranges.clear();
        let mut variables = variables.iter();
        for node in &self.nodes {
            let range = match node.op {
                Op::Variable(_) => variables.next().copied().unwrap_or(node.initial),
                op if op.arity() > 0 => forward(node, |arg| ranges.get(arg).copied().unwrap_or(node.initial)),
                _ => node.initial,
            };
            ranges.push(range);
        }
    }

    /// A model from the ends or the middle of the ranges, if it is one.
    fn sample(&self, roots: &[usize], case: &Case, ranges: &mut Vec<Range>) -> Option<Model> {
        let is_single = case.variables.iter().all(|range| range.single().is_some());
        let choices: [fn(Range) -> i128; 3] = [|range| range.low, |range| range.high, middle];
        choices[..if is_single { 1 } else { 3 }].iter().find_map(|choose| {
            let values: Vec<Range> = case.variables.iter().map(|&range| Range::of(choose(range))).collect();
            self.evaluate(&values, ranges);
            roots.iter().all(|&root| ranges[root] == Range::TRUE).then(|| self.model(&values))
        })
    }

    fn model(&self, values: &[Range]) -> Model {
        let mut model = Model::new();
        for (&(variable, place), value) in self.variables.iter().zip(values) {
            let value = match self.nodes[place].width {
                0 => Value::Bool(*value == Range::TRUE),
                width => Value::BitVec(BitVec::from_signed(width, value.low)),
            };
            model.insert(variable, value);
        }
        model
    }

    /// Cases that together are the given one, at most two; `None` if there is nothing to divide. The ranges are those of
    /// [`Problem::evaluate`].
    fn divide(&self, roots: &[usize], case: Case, ranges: &[Range]) -> Option<[Case; 2]> {
        let open = || roots.iter().copied().filter(|&root| ranges[root] == Range::TRUTH);
        if let Some(atom) = open().find_map(|root| self.open_atom(root, &case, ranges)) {
            return Some([false, true].map(|truth| {
                let mut part = case.clone();
                part.assumed.push((atom, truth));
                part
            }));
        }
        let below = open().next().map(|root| self.nodes[root].variables)?;
        let widest = (0..self.variables.len())
            .filter(|&number| below >> number & 1 == 1 && case.variables[number].single().is_none())
            .max_by_key(|&number| case.variables[number].high - case.variables[number].low)?;
        let range = case.variables[widest];
        let at = if range.low < 0 && range.high >= 0 { -1 } else { middle(range) };
        Some([Range::new(at + 1, range.high), Range::new(range.low, at)].map(|half| {
            let mut part = case.clone();
            part.variables[widest] = half;
            part
        }))
    }

    /// Something that is combined with others in a conjunct, and neither decided nor assumed.
    fn open_atom(&self, root: usize, case: &Case, ranges: &[Range]) -> Option<usize> {
        let is_connective = |place: usize| {
            let node = &self.nodes[place];
            let is_of_truths =
                node.op.arity() > 0 && node.arg_widths[..node.op.arity()].iter().all(|&w| w == 0);
            is_of_truths && node.width == 0
        };
        let mut stack = vec![root];
        let mut is_below_not = true;
        while let Some(place) = stack.pop() {
            let node = &self.nodes[place];
            if ranges[place] != Range::TRUTH {
                continue;
            }
            if is_connective(place) {
                is_below_not &= node.op == Op::Not;
                stack.extend(node.args[..node.op.arity()].iter().rev());
            } else if !is_below_not && !case.assumed.iter().any(|&(other, _)| other == place) {
                return Some(place);
            }
        }
        None
    }
}

fn middle(range: Range) -> i128 {
    range.low + (range.high - range.low) / 2
}

/// True for operators that a SAT solver has to search for, while ranges follow them.
fn is_hard_for_circuits(pool: &TermPool, term: Term) -> bool {
    match pool.op(term) {
        Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => true,
        Op::BvMul => pool.args(term).iter().all(|&arg| pool.bv_constant(arg).is_none()),
        _ => false,
    }
}
