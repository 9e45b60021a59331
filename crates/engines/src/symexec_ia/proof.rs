//! Evidence for `Safe`: an invariant at each loop head, checked on its own.
//!
//! The check walks the segments between loop heads itself, with substitution in terms in place of prepared code, and
//! asks a solver without any layers in front of it. With the exploration it shares the program, the names of frame
//! variables, and which places can lead to an error in the graph of the program.

use super::SymexIa;
use super::frames::Frames;
use super::graph::{Constants, Cube};
use crate::cegar::cegar;
use crate::symbolic::{Executor, Search};
use crate::{Event, Outcome, Work};
use aster_cfa::{Call, CallPath, Edge, Label, Location, Op, Span, show_c_expression};
use aster_smt::{Answer, Limits, NativeSolver, Solver};
use aster_term::{Op as Operator, Sort, Substitution, Term};
use imbl::OrdMap;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Duration;

/// More segments than this are not checked.
const MAX_SEGMENTS: usize = 20_000;

/// A query that takes longer is not worth it.
const MAX_QUERY_TIME: Duration = Duration::from_secs(5);
/// Conflicts of the SAT solver in seeing whether a conjunct says anything new.
const MAX_CONFLICTS: u32 = 1_000;

/// What holds whenever a loop head is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// Where the loop is.
    pub span: Span,
    /// The functions that are active, `main` first.
    pub functions: Vec<String>,
    /// The invariant as a C expression.
    pub text: String,
}

/// The invariants that prove a program safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// One for each loop head of the unfolded program that can be reached, in the order of the source.
    pub invariants: Vec<Invariant>,
    /// Whether they hold at first, are kept by every segment of the program, and exclude the errors.
    pub check: Check,
}

/// What came out of checking invariants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// They prove the program safe.
    Holds,
    /// They do not: a defect of Aster.
    Violated(String),
    /// The check did not come to its end, for this reason.
    Incomplete(String),
}

impl SymexIa<'_> {
    /// Invariants for a program that was found safe. The error is what came out instead where the program had to be
    /// explored again to find them.
    pub(super) fn proof(&mut self) -> Result<Proof, Outcome> {
        // Where paths went on without abstraction, nothing was said about what holds there.
        let is_complete =
            self.options.sharing && !self.options.unroll_decided && self.precision.abstracts_always();
        if !is_complete {
            self.options.sharing = true;
            self.options.unroll_decided = false;
            self.precision.forget_thresholds();
            self.options.search = Search::Bfs;
            self.begin();
            match cegar(self) {
                Outcome::Safe => {}
                other => return Err(other),
            }
            // Where refinement found no predicates, it had to follow paths without abstraction again.
            if !self.precision.abstracts_always() {
                let check = Check::Incomplete("not all paths could be abstracted at loop heads".to_owned());
                return Ok(Proof { invariants: Vec::new(), check });
            }
        }
        let formulas = self.invariant_formulas();
        let settled = self.settled_values();
        self.executor.turn_to(Work::Verification);
        let mut checker = Checker::new(&mut self.executor, &mut self.frames, &formulas, settled);
        let check = checker.check();
        let is_shown = self.options.prove;
        let shown: Vec<(Location, Term)> = formulas
            .iter()
            .filter(|_| is_shown)
            .map(|(&location, &formula)| (location, checker.simplified(formula)))
            .collect();
        let checks = checker.solver.statistics().checks + self.executor.solver.statistics().checks;
        self.executor.observer.on(Event::Turn { to: Work::Exploration, checks });
        self.executor.turn_to(Work::Exploration);
        let mut invariants: Vec<Invariant> = Vec::new();
        for (location, formula) in shown {
            let Some(span) = self.executor.span_near(location) else { continue };
            let program = self.executor.program;
            let mut functions = Vec::new();
            let mut path = location.path;
            loop {
                functions.push(program.procedure(self.executor.paths.procedure(path)).name.clone());
                match self.executor.paths.caller(path) {
                    Some((caller, _)) => path = caller,
                    None => break,
                }
            }
            functions.reverse();
            // Names as in the source, without what tells frames apart.
            let (frames, pool) = (&self.frames, &mut *self.executor.pool);
            let named = Substitution::new().apply_with(pool, formula, |_, variable| {
                Some(program.variable(frames.meaning(variable)?.variable).term)
            });
            let text = show_c_expression(program, pool, named);
            invariants.push(Invariant { span, functions: functions.split_off(1), text });
        }
        invariants.sort_by(|one, other| (one.span, &one.functions).cmp(&(other.span, &other.functions)));
        Ok(Proof { invariants, check })
    }

    /// The variables that never change after the beginning of the program, with their values.
    fn settled_values(&mut self) -> OrdMap<Term, Term> {
        let program = self.executor.program;
        let mut values = OrdMap::new();
        let memory = self.graph.shared().map(|state| state.memory.clone()).next();
        for variable in self.frames.settled() {
            let info = program.variable(variable);
            let value = memory.as_ref().and_then(|memory| memory.global(program.slot(variable)));
            if let Some(value) = value {
                values.insert(info.term, value.term(self.executor.pool, info.sort));
            }
        }
        values
    }

    /// What constants say, as a formula over frame variables.
    fn constants_term(&mut self, location: Location, constants: &Constants) -> Term {
        let program = self.executor.program;
        let mut all = self.executor.pool.bool(true);
        for (variable, value) in constants.0.iter() {
            let pool = &mut *self.executor.pool;
            let path = variable.path.unwrap_or(location.path);
            let term = self.frames.term(program, pool, path, variable.variable);
            let value = value.term(pool, program.variable(variable.variable).sort);
            let equal = pool.eq(term, value);
            all = pool.and(all, equal);
        }
        all
    }

    /// What was found to hold at each loop head: the auxiliary invariant, and one of the abstract states.
    fn invariant_formulas(&mut self) -> BTreeMap<Location, Term> {
        let mut cubes: BTreeMap<Location, Vec<(Constants, Vec<Cube>)>> = BTreeMap::new();
        for state in self.graph.shared() {
            let groups = cubes.entry(state.location).or_default();
            match groups.iter_mut().find(|(constants, _)| *constants == state.constants) {
                Some((_, cubes)) => cubes.push(state.cube.clone()),
                None => groups.push((state.constants.clone(), vec![state.cube.clone()])),
            }
        }
        let mut formulas = BTreeMap::new();
        for (location, groups) in cubes {
            let predicates = self.precision.of(location).predicates.clone();
            let mut any = self.executor.pool.bool(false);
            for (constants, cube) in groups.into_iter().flat_map(|(constants, cubes)| {
                Cube::simplified(cubes).into_iter().map(move |cube| (constants.clone(), cube))
            }) {
                let mut all = self.constants_term(location, &constants);
                let pool = &mut *self.executor.pool;
                for (position, &predicate) in predicates.iter().enumerate() {
                    all = match cube.get(position) {
                        Some(true) => pool.and(all, predicate),
                        Some(false) => {
                            let opposite = pool.not(predicate);
                            pool.and(all, opposite)
                        }
                        None => all,
                    };
                }
                any = pool.or(any, all);
            }
            let pool = &mut *self.executor.pool;
            let auxiliary = self.auxiliary.get(&location).map_or(&[][..], Vec::as_slice);
            let auxiliary = pool.and_all(auxiliary);
            let formula = pool.and(auxiliary, any);
            formulas.insert(location, formula);
        }
        formulas
    }
}

/// A path of a segment.
#[derive(Clone)]
struct Segment {
    location: Location,
    /// The values of frame variables that were assigned since the segment began, over those at its beginning.
    values: OrdMap<Term, Term>,
    condition: Vec<Term>,
}

/// Checks that invariants hold at first, are kept, and exclude errors.
struct Checker<'c, 'a> {
    executor: &'c mut Executor<'a>,
    frames: &'c mut Frames,
    invariants: &'c BTreeMap<Location, Term>,
    /// Values that hold at all loop heads.
    settled: OrdMap<Term, Term>,
    solver: NativeSolver,
}

impl<'c, 'a> Checker<'c, 'a> {
    fn new(
        executor: &'c mut Executor<'a>,
        frames: &'c mut Frames,
        invariants: &'c BTreeMap<Location, Term>,
        settled: OrdMap<Term, Term>,
    ) -> Self {
        let mut solver = NativeSolver::new(executor.budget.interrupt());
        solver.set_limits(Limits { time: Some(MAX_QUERY_TIME), conflicts: None });
        Checker { executor, frames, invariants, settled, solver }
    }

    fn check(&mut self) -> Check {
        match self.check_all() {
            Ok(()) => Check::Holds,
            Err(other) => other,
        }
    }

    /// A formula without those of its conjuncts that follow from the others, as far as that is quickly found out.
    fn simplified(&mut self, formula: Term) -> Term {
        let once = self.without_redundancy(formula);
        // What is left may have been rewritten to conjuncts of which again some follow from others.
        self.without_redundancy(once)
    }

    fn without_redundancy(&mut self, formula: Term) -> Term {
        self.solver.set_limits(Limits { time: None, conflicts: Some(MAX_CONFLICTS) });
        let (program, pool) = (self.executor.program, &mut *self.executor.pool);
        let mut kept = Vec::new();
        let mut stack = vec![formula];
        while let Some(term) = stack.pop() {
            match pool.op(term) {
                Operator::And => stack.extend(pool.args(term).iter().rev()),
                // All of memory at once is nothing to read.
                Operator::Eq if matches!(pool.sort(pool.args(term)[0]), Sort::Array { .. }) => {}
                _ => kept.push(term),
            }
        }
        // Those that are longest for a reader go first.
        let mut order = kept.clone();
        order.sort_by_cached_key(|&conjunct| Reverse(show_c_expression(program, pool, conjunct).len()));
        for conjunct in order {
            let opposite = pool.not(conjunct);
            let mut query: Vec<Term> = kept.iter().copied().filter(|&other| other != conjunct).collect();
            query.push(opposite);
            for term in &mut query {
                let settled = &self.settled;
                *term = Substitution::new()
                    .apply_with(pool, *term, |_, variable| settled.get(&variable).copied());
            }
            if matches!(self.solver.check(pool, &query), Answer::Unsat(_)) {
                kept.retain(|&other| other != conjunct);
            }
        }
        pool.and_all(&kept)
    }

    fn check_all(&mut self) -> Result<(), Check> {
        let program = self.executor.program;
        let entry = program.procedure(program.entry).entry;
        let start = Location { path: self.executor.paths.root(), node: entry };
        let mut stack = vec![Segment { location: start, values: OrdMap::new(), condition: Vec::new() }];
        let mut beginnings: Vec<Segment> = Vec::new();
        for (&location, &formula) in self.invariants.iter() {
            let mut segment = Segment { location, values: self.settled.clone(), condition: Vec::new() };
            let formula = self.value(&segment, formula);
            segment.condition.push(formula);
            beginnings.push(segment);
        }
        let mut at_beginning = false;
        let mut segments = 0;
        loop {
            let Some(segment) = stack.pop() else {
                match beginnings.pop() {
                    None => return Ok(()),
                    Some(segment) => {
                        at_beginning = true;
                        stack.push(segment);
                        continue;
                    }
                }
            };
            segments += 1;
            if segments > MAX_SEGMENTS {
                return Err(Check::Incomplete("there are too many paths between loop heads".to_owned()));
            }
            if let Some(limit) = self.executor.budget.exhausted() {
                return Err(Check::Incomplete(limit.to_string()));
            }
            self.walk(segment, std::mem::take(&mut at_beginning), &mut stack)?;
        }
    }

    /// Follows a segment to its end, or to a branch whose sides go on the stack.
    fn walk(
        &mut self,
        mut segment: Segment,
        mut at_beginning: bool,
        stack: &mut Vec<Segment>,
    ) -> Result<(), Check> {
        let program = self.executor.program;
        loop {
            let location = segment.location;
            // No edge leads from here to anything that must be excluded.
            if self.executor.leads_nowhere(location) {
                return Ok(());
            }
            if self.executor.loops.is_loop_head(location.node) && !std::mem::take(&mut at_beginning) {
                let formula = match self.invariants.get(&location) {
                    Some(&formula) => formula,
                    None => self.executor.pool.bool(false),
                };
                let formula = self.value(&segment, formula);
                let violated = self.executor.pool.not(formula);
                return self.must_be_impossible(&segment, violated, "an invariant is not kept");
            }
            let node = program.node(location.node);
            if node.error.is_some() {
                let anything = self.executor.pool.bool(true);
                return self.must_be_impossible(&segment, anything, "an invariant does not exclude an error");
            }
            match node.outgoing.as_slice() {
                [] if location.node == program.procedure(node.procedure).exit => {
                    let Some((caller, edge)) = self.executor.paths.caller(location.path) else {
                        return Ok(());
                    };
                    self.leave(&mut segment, caller, edge);
                }
                [] => return Ok(()),
                [edge] => {
                    if !self.step(&mut segment, *edge)? {
                        return Ok(());
                    }
                }
                edges => {
                    for &edge in edges {
                        let mut side = segment.clone();
                        if self.step(&mut side, edge)? {
                            stack.push(side);
                        }
                    }
                    return Ok(());
                }
            }
        }
    }

    /// Takes an edge; false if the path ends.
    fn step(&mut self, segment: &mut Segment, edge: Edge) -> Result<bool, Check> {
        let program = self.executor.program;
        let info = program.edge(edge);
        let path = segment.location.path;
        match &info.label {
            Label::Op(Op::Assume(condition)) => {
                let condition = self.frames.unfold(program, self.executor.pool, path, *condition);
                let condition = self.value(segment, condition);
                segment.condition.push(condition);
                if !self.is_possible(segment)? {
                    return Ok(false);
                }
            }
            Label::Op(Op::Assign(variable, value)) => {
                let target = self.frames.term(program, self.executor.pool, path, *variable);
                let value = self.frames.unfold(program, self.executor.pool, path, *value);
                let value = self.value(segment, value);
                segment.values.insert(target, value);
            }
            Label::Op(Op::Havoc(variable, _)) => {
                let target = self.frames.term(program, self.executor.pool, path, *variable);
                let input = self.executor.pool.fresh_variable("any", program.variable(*variable).sort);
                segment.values.insert(target, input);
            }
            Label::Call(call) => {
                self.enter(segment, edge, call);
                return Ok(true);
            }
            // Where the exploration did not get, the invariants must say so.
            Label::Undefined { assumed_away: true, .. } if self.executor.warned.contains(&edge) => {
                return Ok(false);
            }
            Label::Undefined { what, .. } | Label::Unsupported(what) => {
                let anything = self.executor.pool.bool(true);
                let what = format!("an invariant does not exclude {what}");
                return self.must_be_impossible(segment, anything, &what).map(|()| false);
            }
        }
        segment.location.node = info.target;
        Ok(true)
    }

    fn enter(&mut self, segment: &mut Segment, edge: Edge, call: &Call) {
        let program = self.executor.program;
        let caller = segment.location.path;
        let callee = self.executor.paths.enter(caller, edge, call.procedure);
        let procedure = program.procedure(call.procedure);
        let mut values = segment.values.clone();
        for (&parameter, &argument) in procedure.parameters.iter().zip(&call.arguments) {
            let target = self.frames.term(program, self.executor.pool, callee, parameter);
            let argument = self.frames.unfold(program, self.executor.pool, caller, argument);
            values.insert(target, self.value(segment, argument));
        }
        segment.values = values;
        segment.location = Location { path: callee, node: procedure.entry };
    }

    fn leave(&mut self, segment: &mut Segment, caller: CallPath, edge: Edge) {
        let program = self.executor.program;
        let info = program.edge(edge);
        if let Label::Call(call) = &info.label
            && let (Some(target), Some(source)) = (call.result, program.procedure(call.procedure).result)
        {
            let source = self.frames.term(program, self.executor.pool, segment.location.path, source);
            let target = self.frames.term(program, self.executor.pool, caller, target);
            let value = self.value(segment, source);
            segment.values.insert(target, value);
        }
        segment.location = Location { path: caller, node: info.target };
    }

    /// A term over frame variables where the segment is now, over those at its beginning.
    fn value(&mut self, segment: &Segment, term: Term) -> Term {
        Substitution::new()
            .apply_with(self.executor.pool, term, |_, variable| segment.values.get(&variable).copied())
    }

    fn is_possible(&mut self, segment: &Segment) -> Result<bool, Check> {
        match self.solver.check(self.executor.pool, &segment.condition) {
            Answer::Sat(_) => Ok(true),
            Answer::Unsat(_) => Ok(false),
            Answer::Unknown(reason) => Err(Check::Incomplete(format!("the solver gave up: {reason}"))),
        }
    }

    fn must_be_impossible(&mut self, segment: &Segment, what: Term, complaint: &str) -> Result<(), Check> {
        let mut all = segment.condition.clone();
        all.push(what);
        match self.solver.check(self.executor.pool, &all) {
            Answer::Unsat(_) => Ok(()),
            Answer::Unknown(reason) => Err(Check::Incomplete(format!("the solver gave up: {reason}"))),
            Answer::Sat(_) => {
                let place = self.executor.span_near(segment.location);
                let place = place.map(|span| self.executor.program.sources.position(span).to_string());
                Err(Check::Violated(format!("{complaint} ({})", place.as_deref().unwrap_or("?"))))
            }
        }
    }
}
