//! Whether a run depends on values that are only known roughly: those of [`InputOrigin::Approximated`].
//!
//! Everything computed from such a value is followed, an array as a whole. If no condition that the run passed was computed
//! from one, the run takes the same path with every other value.

use aster_cfa::interpreter::{End, Interpreter, RunEvent, RunLimits, Watcher};
use aster_cfa::{Edge, InputOrigin, Label, Op, Program, Var};
use aster_term::{Term, TermPool, Value, free_variables};
use rustc_hash::{FxHashMap, FxHashSet};

/// True if a run on these inputs depends on a value that is only known roughly.
pub(crate) fn needs_approximation(
    program: &Program,
    pool: &TermPool,
    inputs: &[Value],
    limits: RunLimits<'_>,
) -> bool {
    let mut followed = Followed {
        program,
        pool,
        variables: FxHashMap::default(),
        rough: FxHashSet::default(),
        needed: false,
    };
    let end = Interpreter::new(program, pool).run(inputs, limits, &mut followed);
    followed.needed || !matches!(end, End::Error { .. })
}

/// A variable and how deep its frame is; global ones are at no depth. Frames of one depth follow each other, and every variable
/// is written before it is read.
type Place = (Var, Option<usize>);

fn place(program: &Program, variable: Var, depth: usize) -> Place {
    (variable, program.variable(variable).owner.map(|_| depth))
}

struct Followed<'a> {
    program: &'a Program,
    pool: &'a TermPool,
    /// The variables in terms that were looked at.
    variables: FxHashMap<Term, Vec<Var>>,
    /// Places whose value was computed from a rough one.
    rough: FxHashSet<Place>,
    /// A condition that the run passed was computed from a rough value.
    needed: bool,
}

impl Followed<'_> {
    fn is_rough(&mut self, term: Term, depth: usize) -> bool {
        if self.rough.is_empty() {
            return false;
        }
        let (program, pool) = (self.program, self.pool);
        let variables = self.variables.entry(term).or_insert_with(|| {
            let terms = free_variables(pool, &[term]);
            terms.into_iter().filter_map(|term| program.variable_of_term(term)).collect()
        });
        let rough = &self.rough;
        variables.iter().any(|&variable| rough.contains(&place(program, variable, depth)))
    }

    fn set(&mut self, variable: Var, depth: usize, rough: bool) {
        let place = place(self.program, variable, depth);
        if rough {
            self.rough.insert(place);
        } else {
            self.rough.remove(&place);
        }
    }

    fn edge(&mut self, edge: Edge, depth: usize) {
        let program = self.program;
        match &program.edge(edge).label {
            Label::Op(Op::Assume(condition)) => {
                self.needed |= self.is_rough(*condition, depth);
            }
            Label::Op(Op::Assign(variable, term)) => {
                let rough = self.is_rough(*term, depth);
                self.set(*variable, depth, rough);
            }
            Label::Op(Op::Havoc(variable, input)) => {
                self.set(*variable, depth, matches!(input.origin, InputOrigin::Approximated(_)));
            }
            Label::Call(call) => {
                let parameters = &program.procedure(call.procedure).parameters;
                let rough: Vec<bool> =
                    call.arguments.iter().map(|&argument| self.is_rough(argument, depth)).collect();
                for (&parameter, rough) in parameters.iter().zip(rough) {
                    self.set(parameter, depth + 1, rough);
                }
            }
            Label::Unsupported(_) | Label::Undefined { .. } => {}
        }
    }
}

impl Watcher for Followed<'_> {
    fn on(&mut self, event: RunEvent<'_>) {
        match event {
            RunEvent::Edge { edge, depth } => self.edge(edge, depth),
            RunEvent::Left { edge, procedure, depth } => {
                let Label::Call(call) = &self.program.edge(edge).label else { return };
                let result = self.program.procedure(procedure).result;
                if let (Some(to), Some(from)) = (call.result, result) {
                    let rough = self.rough.contains(&place(self.program, from, depth));
                    self.set(to, depth - 1, rough);
                }
            }
            _ => {}
        }
    }
}
