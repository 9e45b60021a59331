//! Guarded commands for the engine that analyses transition systems, and its runs as inputs of the program that they are.

use aster_bench::report;
use aster_engines::{Counterexample, ase};
use aster_models::gcl::{Assigned, Domain, Formulas, System};
use aster_term::{BitVec, TermPool, Value};

/// A variable with more values is abstracted by predicates.
const MAX_CONTROL_VALUES: i64 = 16;

/// The system as the engine sees it.
pub fn system(system: &System, pool: &mut TermPool) -> ase::System {
    let variables = system.variables.iter().map(|variable| ase::Variable {
        name: variable.name.clone(),
        term: variable.term,
        domain: variable.domain.contains(pool, variable.term),
        initial: variable.initial,
        is_control: match variable.domain {
            Domain::Bool | Domain::Enumeration(_) => true,
            Domain::Range(low, high) => high - low < MAX_CONTROL_VALUES,
            Domain::Int => false,
        },
    });
    let variables = variables.collect();
    let mut processes: Vec<&str> = Vec::new();
    let transitions = system.transitions.iter().map(|transition| ase::Transition {
        guard: transition.guard,
        process: processes.iter().position(|name| *name == transition.process).unwrap_or_else(|| {
            processes.push(&transition.process);
            processes.len() - 1
        }),
        assignments: transition
            .assignments
            .iter()
            .map(|&(position, assigned)| {
                let assigned = match assigned {
                    Assigned::Term(term) => ase::Assigned::Term(term),
                    Assigned::Nondet => ase::Assigned::Nondet,
                };
                (position, assigned)
            })
            .collect(),
    });
    ase::System {
        variables,
        init: system.init,
        transitions: transitions.collect(),
        error: system.error,
        processes: system.instances(),
    }
}

/// The evidence in the words of the model, for reports.
pub fn proof(system: &System, pool: &TermPool, evidence: &ase::Evidence) -> report::Proof {
    let formulas = Formulas::new(system);
    let states = evidence.states.iter().map(|&state| formulas.show_conjunction(pool, state)).collect();
    let shown = match evidence.kind {
        ase::Kind::Fragment => report::Evidence::ExactFragment { states },
        ase::Kind::Inductive => report::Evidence::InductiveSet { states },
    };
    report::Proof::new(shown, evidence.unchecked.clone())
}

/// The inputs of [`System::to_program`] that make the steps of a run: first values that are not given, then for each step
/// which transition it is and what is nondeterministic in it.
pub fn counterexample(system: &System, run: &ase::Run) -> Counterexample {
    let given = system.variables.iter().zip(&run.initial);
    let mut inputs: Vec<Value> =
        given.filter(|(variable, _)| variable.initial.is_none()).map(|(_, value)| value.clone()).collect();
    let count = system.transitions.len();
    for (transition, values) in &run.steps {
        if count > 1 {
            let width = usize::BITS - (count - 1).leading_zeros();
            inputs.push(Value::BitVec(BitVec::new(width, *transition as u128)));
        }
        inputs.extend(values.iter().cloned());
    }
    Counterexample { inputs }
}
