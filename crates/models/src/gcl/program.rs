//! Transition systems as programs: a loop that checks for errors and takes one transition.

use super::system::{Assigned, System};
use crate::automaton::Automaton;
use aster_cfa::{ErrorKind, InputOrigin, Label, Node, Note, Op, Program, Span, Var};
use aster_term::{Term, TermPool};

impl System {
    /// The program that makes the steps of this system and reaches an error where the system does. Its variables are held
    /// in the same terms.
    pub fn to_program(&self, pool: &mut TermPool) -> Program {
        let mut automaton = Automaton::new(pool, "system");
        let variables: Vec<Var> = self
            .variables
            .iter()
            .map(|variable| {
                let presentation = Some(self.presentation(variable));
                automaton.builder.add_variable_of(
                    automaton.pool,
                    &variable.name,
                    variable.term,
                    None,
                    presentation,
                )
            })
            .collect();
        let head = self.begin(&mut automaton, &variables);
        let span = self.start();
        let mut node = head;
        for error in &self.errors {
            let (wrong, good) = automaton.branch(node, error.term, error.span);
            if let Some(&edge) = automaton.builder.node(node).outgoing.first() {
                automaton.builder.set_note(edge, Note::Condition(error.what.clone()));
            }
            automaton.builder.set_error(wrong, ErrorKind::Reached);
            node = good;
        }
        let names: Vec<(String, Span)> =
            self.transitions.iter().map(|transition| (transition.full_name(), transition.span)).collect();
        let nodes = automaton.choose(node, "transition", &names, span);
        for (transition, node) in self.transitions.iter().zip(nodes) {
            let mut node = automaton.step(node, Label::Op(Op::Assume(transition.guard)), transition.span).0;
            let mut assigned: Vec<(Var, Term, Span)> = Vec::new();
            let mut inputs = Vec::new();
            for &(position, value) in &transition.assignments {
                match value {
                    Assigned::Term(term) => assigned.push((variables[position], term, transition.span)),
                    Assigned::Nondet => inputs.push(position),
                }
            }
            node = automaton.assign_all(node, &assigned);
            for position in inputs {
                let origin = InputOrigin::Choice(self.variables[position].name.clone());
                node =
                    self.input(&mut automaton, node, position, variables[position], origin, transition.span);
            }
            automaton.go(node, head, transition.span);
        }
        let (builder, procedure) = (automaton.builder, automaton.procedure);
        builder.finish(self.sources.clone(), procedure)
    }

    /// Gives variables their first values; the node where the loop begins.
    fn begin(&self, automaton: &mut Automaton<'_>, variables: &[Var]) -> Node {
        let mut node = automaton.entry();
        for (variable, &var) in self.variables.iter().zip(variables) {
            node = match variable.initial {
                Some(value) => automaton.assign(node, var, value, variable.span),
                None => {
                    let origin = InputOrigin::Uninitialised(variable.name.clone());
                    let presentation = self.presentation(variable);
                    automaton.havoc(node, var, origin, presentation, variable.span)
                }
            };
        }
        let start = self.start();
        node = automaton.assume(node, self.init_conditions, start);
        let head = automaton.node();
        automaton.go(node, head, start);
        head
    }

    /// Any value of the variable's domain.
    fn input(
        &self,
        automaton: &mut Automaton<'_>,
        node: Node,
        position: usize,
        var: Var,
        origin: InputOrigin,
        span: Span,
    ) -> Node {
        let variable = &self.variables[position];
        let node = automaton.havoc(node, var, origin, self.presentation(variable), span);
        let inside = variable.domain.contains(automaton.pool, variable.term);
        automaton.assume(node, inside, span)
    }

    /// What has no better position is at the first error condition.
    fn start(&self) -> Span {
        let first = self.errors.first().map(|error| error.span);
        first.unwrap_or_else(|| Span::line_start(aster_cfa::FileId::from_index(0), 1))
    }
}
