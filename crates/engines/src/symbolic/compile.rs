//! Edges prepared for execution, each when it is first taken.

use super::memory::Place;
use super::recipe::Recipe;
use aster_cfa::{Edge, Label, Liveness, Op, Procedure, Program, Var};
use aster_term::{Sort, TermPool};
use std::rc::Rc;

/// An edge whose terms are prepared and whose variables are resolved to places.
pub(crate) enum Compiled {
    Assume(Recipe),
    Assign(Place, Recipe),
    Havoc(Place, Sort),
    /// An input, or nothing, for a variable that nobody looks at any more.
    Forget(Option<Sort>),
    Call {
        procedure: Procedure,
        parameters: Vec<Place>,
        arguments: Vec<Recipe>,
    },
    Unsupported(String),
    Undefined,
}

/// The prepared edges of a program and the sizes of its frames.
pub(crate) struct CompiledEdges {
    liveness: Rc<Liveness>,
    edges: Vec<Option<Rc<Compiled>>>,
    globals: usize,
    locals: Vec<usize>,
}

impl CompiledEdges {
    pub(crate) fn new(program: &Program, liveness: Rc<Liveness>) -> Self {
        let globals = program.global_count();
        let locals = program.procedures().map(|procedure| program.local_count(procedure)).collect();
        CompiledEdges { liveness, edges: vec![None; program.edges().count()], globals, locals }
    }

    /// Number of global variables.
    pub(crate) fn globals(&self) -> usize {
        self.globals
    }

    /// Number of local variables of a procedure.
    pub(crate) fn locals(&self, procedure: Procedure) -> usize {
        self.locals[procedure.index()]
    }

    pub(crate) fn edge(&mut self, program: &Program, pool: &TermPool, edge: Edge) -> Rc<Compiled> {
        let (entry, liveness) = (&mut self.edges[edge.index()], &self.liveness);
        Rc::clone(entry.get_or_insert_with(|| Rc::new(compile(program, pool, liveness, edge))))
    }
}

fn compile(program: &Program, pool: &TermPool, liveness: &Liveness, edge: Edge) -> Compiled {
    let info = program.edge(edge);
    let is_dead = |variable: Var| !liveness.is_live(program, info.target, variable);
    match &info.label {
        Label::Op(Op::Assign(variable, _)) if is_dead(*variable) => Compiled::Forget(None),
        Label::Op(Op::Havoc(variable, _)) if is_dead(*variable) => {
            Compiled::Forget(Some(program.variable(*variable).sort))
        }
        Label::Op(Op::Assume(condition)) => Compiled::Assume(Recipe::new(program, pool, *condition, None)),
        Label::Op(Op::Assign(variable, value)) => {
            let target = Place::of(program, *variable);
            Compiled::Assign(target, Recipe::new(program, pool, *value, Some(target)))
        }
        Label::Op(Op::Havoc(variable, _)) => {
            Compiled::Havoc(Place::of(program, *variable), program.variable(*variable).sort)
        }
        Label::Call(call) => {
            let callee = program.procedure(call.procedure);
            let (parameters, arguments) = callee
                .parameters
                .iter()
                .zip(&call.arguments)
                .filter(|&(&parameter, _)| liveness.is_live(program, callee.entry, parameter))
                .map(|(&parameter, &term)| {
                    (Place::of(program, parameter), Recipe::new(program, pool, term, None))
                })
                .unzip();
            Compiled::Call { procedure: call.procedure, parameters, arguments }
        }
        Label::Unsupported(what) => Compiled::Unsupported(what.clone()),
        Label::Undefined { .. } => Compiled::Undefined,
    }
}
