//! Edges prepared for execution, each when it is first taken.

use super::memory::Place;
use super::recipe::Recipe;
use aster_cfa::{Edge, Label, Op, Procedure, Program};
use aster_term::{Sort, TermPool};
use std::rc::Rc;

/// An edge whose terms are prepared and whose variables are resolved to places.
pub(super) enum Compiled {
    Assume(Recipe),
    Assign(Place, Recipe),
    Havoc(Place, Sort),
    Call { procedure: Procedure, parameters: Vec<Place>, arguments: Vec<Recipe> },
    Unsupported(String),
    Undefined,
}

/// The prepared edges of a program and the sizes of its frames.
pub(super) struct CompiledEdges {
    edges: Vec<Option<Rc<Compiled>>>,
    globals: usize,
    locals: Vec<usize>,
}

impl CompiledEdges {
    pub(super) fn new(program: &Program) -> Self {
        let globals = program.global_count();
        let locals = program.procedures().map(|procedure| program.local_count(procedure)).collect();
        CompiledEdges { edges: vec![None; program.edges().count()], globals, locals }
    }

    /// Number of global variables.
    pub(super) fn globals(&self) -> usize {
        self.globals
    }

    /// Number of local variables of a procedure.
    pub(super) fn locals(&self, procedure: Procedure) -> usize {
        self.locals[procedure.index()]
    }

    pub(super) fn edge(&mut self, program: &Program, pool: &TermPool, edge: Edge) -> Rc<Compiled> {
        let entry = &mut self.edges[edge.index()];
        Rc::clone(entry.get_or_insert_with(|| Rc::new(compile(program, pool, &program.edge(edge).label))))
    }
}

fn compile(program: &Program, pool: &TermPool, label: &Label) -> Compiled {
    match label {
        Label::Op(Op::Assume(condition)) => Compiled::Assume(Recipe::new(program, pool, *condition, None)),
        Label::Op(Op::Assign(variable, value)) => {
            let target = Place::of(program, *variable);
            Compiled::Assign(target, Recipe::new(program, pool, *value, Some(target)))
        }
        Label::Op(Op::Havoc(variable, _)) => {
            Compiled::Havoc(Place::of(program, *variable), program.variable(*variable).sort)
        }
        Label::Call(call) => Compiled::Call {
            procedure: call.procedure,
            parameters: program
                .procedure(call.procedure)
                .parameters
                .iter()
                .map(|&parameter| Place::of(program, parameter))
                .collect(),
            arguments: call.arguments.iter().map(|&term| Recipe::new(program, pool, term, None)).collect(),
        },
        Label::Unsupported(what) => Compiled::Unsupported(what.clone()),
        Label::Undefined(_) => Compiled::Undefined,
    }
}
