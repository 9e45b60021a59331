//! Transition systems as text.

use super::formula::Formulas;
use super::system::{Assigned, System};
use aster_term::{Term, TermPool};
use std::fmt::Write;

impl System {
    /// The system as text: constants, variables with their domains and first values, what else holds at first, transitions
    /// and errors.
    pub fn show(&self, pool: &TermPool) -> String {
        let formulas = Formulas::new(self);
        let term = |term: Term| formulas.show(pool, term);
        let mut text = String::new();
        // Writing to a string cannot fail.
        for (name, value) in &self.constants {
            let _ = writeln!(text, "const {name} = {value}");
        }
        for variable in &self.variables {
            let _ = write!(text, "var {}: {}", variable.name, variable.domain.show(&self.names));
            if let Some(initial) = variable.initial {
                let value = pool.constant(initial);
                let shown = value.map(|value| self.show_value(variable, &value));
                let _ = write!(text, " = {}", shown.unwrap_or_else(|| term(initial)));
            }
            text.push('\n');
        }
        if pool.bool_constant(self.init_conditions) != Some(true) {
            let _ = writeln!(text, "init {}", term(self.init_conditions));
        }
        for transition in &self.transitions {
            let _ = writeln!(text, "{}: {}", transition.full_name(), term(transition.guard));
            let assignments: Vec<String> = transition
                .assignments
                .iter()
                .map(|(position, assigned)| {
                    let variable = &self.variables[*position];
                    let value = match assigned {
                        Assigned::Nondet => "nondet".to_owned(),
                        Assigned::Term(value) => formulas.show_assigned(pool, *position, *value),
                    };
                    format!("{} := {value}", variable.name)
                })
                .collect();
            let shown = if assignments.is_empty() { "skip".to_owned() } else { assignments.join(", ") };
            let _ = writeln!(text, "    -> {shown}");
        }
        for error in &self.errors {
            let _ = writeln!(text, "error {}    // {}", term(error.term), error.what);
        }
        text
    }
}
