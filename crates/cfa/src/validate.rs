//! Checks the laws that every program must obey, for tests and debug assertions of front ends.

use crate::program::{Call, Edge, Label, Node, Op, Procedure, Program, Var};
use aster_term::{Sort, Term, TermPool, free_variables};

/// A law that a program breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// Several edges leave a node, and this one is not an assumption.
    #[error("edge {edge:?} is not an assumption although {node:?} has several outgoing edges")]
    ChoiceWithoutAssumption {
        /// The node.
        node: Node,
        /// The edge.
        edge: Edge,
    },
    /// An edge connects two procedures.
    #[error("edge {edge:?} leads from `{from}` into `{to}`")]
    CrossesProcedures {
        /// The edge.
        edge: Edge,
        /// Name of the procedure that it starts in.
        from: String,
        /// Name of the procedure that it ends in.
        to: String,
    },
    /// An edge leaves an exit.
    #[error("edge {edge:?} leaves the exit of `{procedure}`")]
    LeavesExit {
        /// The edge.
        edge: Edge,
        /// Name of the procedure.
        procedure: String,
    },
    /// An edge leads to an entry.
    #[error("edge {edge:?} leads to the entry of `{procedure}`")]
    ReachesEntry {
        /// The edge.
        edge: Edge,
        /// Name of the procedure.
        procedure: String,
    },
    /// A term does not have the sort that its place needs.
    #[error("edge {edge:?} needs a term of sort {expected}, not {found}")]
    Sort {
        /// The edge.
        edge: Edge,
        /// The sort of the variable that is assigned, or Bool.
        expected: Sort,
        /// The sort of the term.
        found: Sort,
    },
    /// An edge reads or writes a local variable of another procedure.
    #[error("edge {edge:?} of `{procedure}` uses variable `{variable}`, which it does not own")]
    ForeignVariable {
        /// The edge.
        edge: Edge,
        /// Name of the procedure.
        procedure: String,
        /// Name of the variable.
        variable: String,
    },
    /// A term mentions a variable that the program does not have.
    #[error("edge {edge:?} mentions `{name}`, which is not a variable of the program")]
    UnknownVariable {
        /// The edge.
        edge: Edge,
        /// Name of the term variable.
        name: String,
    },
    /// A call has too many or too few arguments.
    #[error("edge {edge:?} calls `{callee}` with {found} arguments instead of {expected}")]
    Arity {
        /// The edge.
        edge: Edge,
        /// Name of the procedure that is called.
        callee: String,
        /// Number of parameters.
        expected: usize,
        /// Number of arguments.
        found: usize,
    },
    /// A call takes a result from a procedure without one.
    #[error("edge {edge:?} takes a result of `{callee}`, which has none")]
    NoResult {
        /// The edge.
        edge: Edge,
        /// Name of the procedure that is called.
        callee: String,
    },
    /// A parameter or result is not a local variable of its procedure, or a parameter is there twice.
    #[error("the signature of `{procedure}` is broken at variable `{variable}`")]
    Signature {
        /// Name of the procedure.
        procedure: String,
        /// Name of the variable.
        variable: String,
    },
    /// The procedure where execution starts has parameters, which nobody would assign.
    #[error("the entry procedure `{procedure}` has parameters")]
    EntryParameters {
        /// Name of the procedure.
        procedure: String,
    },
}

impl Program {
    /// The laws that this program breaks; none for a good program.
    pub fn validate(&self, pool: &TermPool) -> Vec<Violation> {
        let mut checker = Checker { program: self, pool, violations: Vec::new() };
        checker.signatures();
        for node in self.nodes() {
            checker.node(node);
        }
        for edge in self.edges() {
            checker.edge(edge);
        }
        checker.violations
    }
}

struct Checker<'a> {
    program: &'a Program,
    pool: &'a TermPool,
    violations: Vec<Violation>,
}

impl Checker<'_> {
    fn signatures(&mut self) {
        for procedure in self.program.procedures() {
            let info = self.program.procedure(procedure);
            for (position, &variable) in info.parameters.iter().enumerate() {
                if !self.is_local(variable, procedure) || info.parameters[..position].contains(&variable) {
                    self.signature(procedure, variable);
                }
            }
            if let Some(variable) = info.result.filter(|&variable| !self.is_local(variable, procedure)) {
                self.signature(procedure, variable);
            }
        }
        let entry = self.program.procedure(self.program.entry);
        if !entry.parameters.is_empty() {
            self.violations.push(Violation::EntryParameters { procedure: entry.name.clone() });
        }
    }

    fn is_local(&self, variable: Var, procedure: Procedure) -> bool {
        self.program.variable(variable).owner == Some(procedure)
    }

    fn signature(&mut self, procedure: Procedure, variable: Var) {
        let procedure = self.name(procedure);
        let variable = self.program.variable(variable).name.clone();
        self.violations.push(Violation::Signature { procedure, variable });
    }

    fn name(&self, procedure: Procedure) -> String {
        self.program.procedure(procedure).name.clone()
    }

    fn node(&mut self, node: Node) {
        let outgoing = &self.program.node(node).outgoing;
        if outgoing.len() < 2 {
            return;
        }
        for &edge in outgoing {
            if !matches!(self.program.edge(edge).label, Label::Op(Op::Assume(_))) {
                self.violations.push(Violation::ChoiceWithoutAssumption { node, edge });
            }
        }
    }

    fn edge(&mut self, edge: Edge) {
        let info = self.program.edge(edge);
        let procedure = self.program.node(info.source).procedure;
        let other = self.program.node(info.target).procedure;
        if procedure != other {
            let (from, to) = (self.name(procedure), self.name(other));
            self.violations.push(Violation::CrossesProcedures { edge, from, to });
        }
        if self.program.procedure(procedure).exit == info.source {
            let procedure = self.name(procedure);
            self.violations.push(Violation::LeavesExit { edge, procedure });
        }
        if self.program.procedure(other).entry == info.target {
            let procedure = self.name(other);
            self.violations.push(Violation::ReachesEntry { edge, procedure });
        }
        match &info.label {
            Label::Op(Op::Assume(condition)) => self.term(edge, procedure, *condition, Sort::Bool),
            Label::Op(Op::Assign(variable, term)) => {
                self.variable(edge, procedure, *variable);
                self.term(edge, procedure, *term, self.program.variable(*variable).sort);
            }
            Label::Op(Op::Havoc(variable, _)) => self.variable(edge, procedure, *variable),
            Label::Call(call) => self.call(edge, procedure, call),
            Label::Unsupported(_) | Label::Undefined { .. } => {}
        }
    }

    fn call(&mut self, edge: Edge, procedure: Procedure, call: &Call) {
        let callee = self.program.procedure(call.procedure);
        let (expected, found) = (callee.parameters.len(), call.arguments.len());
        if expected != found {
            let callee = callee.name.clone();
            self.violations.push(Violation::Arity { edge, callee, expected, found });
        }
        for (&parameter, &argument) in callee.parameters.iter().zip(&call.arguments) {
            self.term(edge, procedure, argument, self.program.variable(parameter).sort);
        }
        let Some(target) = call.result else { return };
        self.variable(edge, procedure, target);
        match callee.result {
            None => self.violations.push(Violation::NoResult { edge, callee: callee.name.clone() }),
            Some(result) => {
                let expected = self.program.variable(target).sort;
                let found = self.program.variable(result).sort;
                if expected != found {
                    self.violations.push(Violation::Sort { edge, expected, found });
                }
            }
        }
    }

    fn term(&mut self, edge: Edge, procedure: Procedure, term: Term, expected: Sort) {
        let found = self.pool.sort(term);
        if found != expected {
            self.violations.push(Violation::Sort { edge, expected, found });
        }
        for free in free_variables(self.pool, &[term]) {
            match self.program.variable_of_term(free) {
                Some(variable) => self.variable(edge, procedure, variable),
                None => {
                    let name = self.pool.variable_name(free).unwrap_or("?").to_owned();
                    self.violations.push(Violation::UnknownVariable { edge, name });
                }
            }
        }
    }

    fn variable(&mut self, edge: Edge, procedure: Procedure, variable: Var) {
        let info = self.program.variable(variable);
        if info.owner.is_some_and(|owner| owner != procedure) {
            let (procedure, variable) = (self.name(procedure), info.name.clone());
            self.violations.push(Violation::ForeignVariable { edge, procedure, variable });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Sketch;

    /// One procedure more than `main`, with a parameter, a result and a proper body.
    fn with_callee() -> (Sketch, Procedure, Procedure, Var) {
        let mut sketch = Sketch::new("");
        let (main, f) = (sketch.procedure("main"), sketch.procedure("f"));
        let n = sketch.int(Some(f), "n");
        let result = sketch.int(Some(f), "result");
        sketch.builder.set_signature(f, vec![n], Some(result));
        let term = sketch.plus(n, 1);
        let end = sketch.assign(sketch.entry(f), result, term, 1);
        sketch.go(end, sketch.exit(f), 1);
        (sketch, main, f, n)
    }

    fn check(sketch: Sketch, main: Procedure) -> Vec<String> {
        let (program, pool) = sketch.finish(main);
        program.validate(&pool).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_good_program_breaks_no_law() {
        let (mut sketch, main, f, _) = with_callee();
        let x = sketch.int(Some(main), "x");
        let seven = sketch.number(7);
        let after = sketch.call(sketch.entry(main), f, &[seven], Some(x), 1);
        let small = sketch.less(x, 3);
        let (yes, no) = sketch.branch(after, small, 1);
        sketch.go(yes, sketch.exit(main), 1);
        sketch.go(no, sketch.exit(main), 1);
        assert_eq!(check(sketch, main), Vec::<String>::new());
    }

    #[test]
    fn calls_must_fit_their_callee() {
        let (mut sketch, main, f, _) = with_callee();
        let wide = sketch.variable(Some(main), "wide", Sort::BitVec(64), None);
        let flag = sketch.pool.bool(true);
        let after = sketch.call(sketch.entry(main), f, &[], None, 1);
        let after = sketch.call(after, f, &[flag], Some(wide), 1);
        sketch.call(after, main, &[], Some(wide), 1);
        let found = check(sketch, main);
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found[0].contains("with 0 arguments instead of 1"), "{found:?}");
        assert!(found[1].contains("needs a term of sort (_ BitVec 32), not Bool"), "{found:?}");
        assert!(found[2].contains("needs a term of sort (_ BitVec 64), not (_ BitVec 32)"), "{found:?}");
        assert!(found[3].contains("takes a result of `main`"), "{found:?}");
    }

    #[test]
    fn variables_must_be_in_scope() {
        let (mut sketch, main, _, n) = with_callee();
        let term = sketch.plus(n, 1);
        let after = sketch.assign(sketch.entry(main), n, term, 1);
        let stranger = sketch.pool.variable("stranger", Sort::Bool);
        sketch.assume(after, stranger, 1);
        let found = check(sketch, main);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].contains("`main` uses variable `n`"), "{found:?}");
        assert!(found[2].contains("mentions `stranger`"), "{found:?}");
    }

    #[test]
    fn the_shape_of_automata_is_checked() {
        let (mut sketch, main, f, _) = with_callee();
        let x = sketch.int(None, "x");
        let entry = sketch.entry(main);
        let one = sketch.number(1);
        sketch.assign(entry, x, one, 1);
        sketch.go(entry, sketch.exit(f), 1);
        sketch.go(sketch.exit(main), entry, 1);
        sketch.builder.set_signature(main, vec![x], None);
        let (program, pool) = sketch.finish(main);
        let found = program.validate(&pool);
        let has = |test: fn(&Violation) -> bool| found.iter().any(test);
        assert!(has(|v| matches!(v, Violation::ChoiceWithoutAssumption { .. })), "{found:?}");
        assert!(has(|v| matches!(v, Violation::CrossesProcedures { .. })), "{found:?}");
        assert!(has(|v| matches!(v, Violation::LeavesExit { .. })), "{found:?}");
        assert!(has(|v| matches!(v, Violation::ReachesEntry { .. })), "{found:?}");
        assert!(has(|v| matches!(v, Violation::Signature { .. })), "{found:?}");
        assert!(has(|v| matches!(v, Violation::EntryParameters { .. })), "{found:?}");
        assert_eq!(found.len(), 6, "{found:?}");
    }
}
