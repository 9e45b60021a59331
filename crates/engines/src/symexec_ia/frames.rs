//! Variables of the unfolded program, and memories made of them.
//!
//! A local variable has a value in each frame, so predicates are over variables of their own: one for each local
//! variable and call path. Global variables stand for themselves.

use crate::symbolic::{Executor, Memory, Place, Value};
use aster_cfa::{CallPath, Label, Location, Op, Procedure, Program, Var};
use aster_term::{Substitution, Term, TermPool, free_variables};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A variable of the unfolded program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FrameVariable {
    /// The frame; `None` for a global variable.
    pub(super) path: Option<CallPath>,
    pub(super) variable: Var,
}

/// The variables of all frames met so far.
pub(super) struct Frames {
    terms: FxHashMap<(CallPath, Var), Term>,
    meanings: FxHashMap<Term, FrameVariable>,
    unfolded: FxHashMap<(CallPath, Term), Term>,
    /// Variables by slot.
    globals: Vec<Var>,
    locals: Vec<Vec<Var>>,
    /// Global variables that keep the value that they get before anything is decided.
    settled: FxHashSet<Var>,
    live: FxHashMap<Location, Rc<[FrameVariable]>>,
}

impl Frames {
    pub(super) fn new(program: &Program, pool: &TermPool) -> Self {
        let mut globals = vec![None; program.global_count()];
        let mut locals: Vec<Vec<Option<Var>>> =
            program.procedures().map(|procedure| vec![None; program.local_count(procedure)]).collect();
        let mut meanings = FxHashMap::default();
        for variable in program.variables() {
            let info = program.variable(variable);
            match info.owner {
                Some(owner) => locals[owner.index()][program.slot(variable)] = Some(variable),
                None => {
                    globals[program.slot(variable)] = Some(variable);
                    meanings.insert(info.term, FrameVariable { path: None, variable });
                }
            }
        }
        Frames {
            terms: FxHashMap::default(),
            meanings,
            unfolded: FxHashMap::default(),
            globals: globals.into_iter().flatten().collect(),
            locals: locals.into_iter().map(|slots| slots.into_iter().flatten().collect()).collect(),
            settled: settled(program, pool),
            live: FxHashMap::default(),
        }
    }

    /// The term that stands for a variable in the frame of a call path.
    pub(super) fn term(
        &mut self,
        program: &Program,
        pool: &mut TermPool,
        path: CallPath,
        variable: Var,
    ) -> Term {
        let info = program.variable(variable);
        if info.owner.is_none() {
            return info.term;
        }
        let meanings = &mut self.meanings;
        *self.terms.entry((path, variable)).or_insert_with(|| {
            let term = pool.fresh_variable(&info.name, info.sort);
            meanings.insert(term, FrameVariable { path: Some(path), variable });
            term
        })
    }

    /// What a term variable stands for.
    pub(super) fn meaning(&self, term: Term) -> Option<FrameVariable> {
        self.meanings.get(&term).copied()
    }

    /// A term of an operation, read in the frame of a call path.
    pub(super) fn unfold(
        &mut self,
        program: &Program,
        pool: &mut TermPool,
        path: CallPath,
        term: Term,
    ) -> Term {
        if let Some(&known) = self.unfolded.get(&(path, term)) {
            return known;
        }
        let mut substitution = Substitution::new();
        let result = substitution.apply_with(pool, term, |pool, variable| {
            let variable = program.variable_of_term(variable)?;
            Some(self.term(program, pool, path, variable))
        });
        self.unfolded.insert((path, term), result);
        result
    }

    /// The global variables that keep the value that they get before anything is decided.
    pub(super) fn settled(&self) -> Vec<Var> {
        self.globals.iter().copied().filter(|variable| self.settled.contains(variable)).collect()
    }

    /// The variables whose value matters at a location, those of the oldest frame first, globals last, without
    /// the settled ones.
    pub(super) fn live(&mut self, executor: &Executor<'_>, location: Location) -> Rc<[FrameVariable]> {
        if let Some(live) = self.live.get(&location) {
            return Rc::clone(live);
        }
        let program = executor.program;
        let mut frames = vec![(location.path, location.node, None)];
        let mut path = location.path;
        while let Some((caller, edge)) = executor.paths.caller(path) {
            let result = match &program.edge(edge).label {
                Label::Call(call) => call.result,
                _ => None,
            };
            frames.push((caller, program.edge(edge).target, result));
            path = caller;
        }
        let mut live = Vec::new();
        for &(path, node, result) in frames.iter().rev() {
            let locals = &self.locals[program.node(node).procedure.index()];
            for slot in executor.liveness.locals(node) {
                // The result of a call that has not returned yet will be overwritten.
                if result != Some(locals[slot]) {
                    live.push(FrameVariable { path: Some(path), variable: locals[slot] });
                }
            }
        }
        for slot in executor.liveness.globals(location.node) {
            let variable = self.globals[slot];
            if !self.settled.contains(&variable) {
                live.push(FrameVariable { path: None, variable });
            }
        }
        let live: Rc<[FrameVariable]> = live.into();
        self.live.insert(location, Rc::clone(&live));
        live
    }

    /// A memory for a location with values for all live variables; settled ones are taken from `settled_in`.
    pub(super) fn memory(
        &mut self,
        executor: &mut Executor<'_>,
        location: Location,
        settled_in: &Memory,
        mut value: impl FnMut(&mut Self, &mut TermPool, FrameVariable) -> Value,
    ) -> Memory {
        let program = executor.program;
        let live = self.live(executor, location);
        let calls = call_chain(executor, location.path);
        let mut memory: Option<Memory> = None;
        let mut variables = live.iter().peekable();
        for path in calls {
            let procedure: Procedure = executor.paths.procedure(path);
            let locals = program.local_count(procedure);
            match &mut memory {
                Some(memory) => memory.push_frame(locals),
                None => memory = Some(Memory::new(program.global_count(), locals)),
            }
            let Some(memory) = &mut memory else { continue };
            while let Some(&&live) = variables.peek().filter(|live| live.path == Some(path)) {
                variables.next();
                let value = value(self, executor.pool, live);
                memory.write(Place::of(program, live.variable), value);
            }
        }
        let mut memory = memory.unwrap_or_else(|| settled_in.clone());
        for &live in variables {
            let value = value(self, executor.pool, live);
            memory.write(Place::of(program, live.variable), value);
        }
        for &variable in &self.globals {
            if self.settled.contains(&variable)
                && let Some(value) = settled_in.global(program.slot(variable))
            {
                memory.write(Place::of(program, variable), value.clone());
            }
        }
        memory
    }

    /// The value of a variable in a memory at a call path.
    pub(super) fn value<'m>(
        &self,
        executor: &Executor<'_>,
        path: CallPath,
        memory: &'m Memory,
        variable: FrameVariable,
    ) -> Option<&'m Value> {
        let (program, paths) = (executor.program, &executor.paths);
        let slot = program.slot(variable.variable);
        match variable.path {
            None => memory.global(slot),
            Some(frame) => memory.local(paths.depth(path).checked_sub(paths.depth(frame))? as usize, slot),
        }
    }

    /// `m(t)` for a term over variables of the unfolded program. Variables that hold no value in this memory stay.
    pub(super) fn evaluate(
        &self,
        executor: &mut Executor<'_>,
        path: CallPath,
        memory: &Memory,
        substitution: &mut Substitution,
        term: Term,
    ) -> Term {
        let (program, paths) = (executor.program, &executor.paths);
        let depth = paths.depth(path);
        substitution.apply_with(executor.pool, term, |pool, variable| {
            let meaning = self.meanings.get(&variable)?;
            let slot = program.slot(meaning.variable);
            let value = match meaning.path {
                None => memory.global(slot)?,
                Some(frame) => memory.local(depth.checked_sub(paths.depth(frame))? as usize, slot)?,
            };
            Some(value.term(pool, program.variable(meaning.variable).sort))
        })
    }

    /// True if all variables of a term have a value at a location.
    pub(super) fn is_about(&self, executor: &Executor<'_>, path: CallPath, term: Term) -> bool {
        let calls = call_chain(executor, path);
        free_variables(executor.pool, &[term]).iter().all(|&variable| {
            self.meaning(variable)
                .is_some_and(|meaning| meaning.path.is_none_or(|path| calls.contains(&path)))
        })
    }
}

/// The call paths from the root to this one.
fn call_chain(executor: &Executor<'_>, path: CallPath) -> Vec<CallPath> {
    let mut calls = vec![path];
    let mut current = path;
    while let Some((caller, _)) = executor.paths.caller(current) {
        calls.push(caller);
        current = caller;
    }
    calls.reverse();
    calls
}

/// The global variables that are assigned only before anything is decided, in the beginning of the entry
/// procedure, and from nothing that is an input: they hold the same value on all paths.
fn settled(program: &Program, pool: &TermPool) -> FxHashSet<Var> {
    let mut beginning = FxHashSet::default();
    let mut settled = FxHashSet::default();
    let mut node = program.procedure(program.entry).entry;
    while let [edge] = program.node(node).outgoing.as_slice() {
        let info = program.edge(*edge);
        let Label::Op(Op::Assign(variable, term)) = &info.label else { break };
        if !beginning.insert(*edge) {
            break;
        }
        let is_known = free_variables(pool, &[*term])
            .iter()
            .all(|&read| program.variable_of_term(read).is_some_and(|read| settled.contains(&read)));
        if is_known && program.variable(*variable).owner.is_none() {
            settled.insert(*variable);
        } else {
            settled.remove(variable);
        }
        node = info.target;
    }
    for edge in program.edges() {
        let written = match &program.edge(edge).label {
            Label::Op(Op::Assign(variable, _)) if !beginning.contains(&edge) => Some(variable),
            Label::Op(Op::Havoc(variable, _)) => Some(variable),
            Label::Call(call) => call.result.as_ref(),
            _ => None,
        };
        if let Some(variable) = written {
            settled.remove(variable);
        }
    }
    settled
}
