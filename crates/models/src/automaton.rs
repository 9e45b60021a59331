//! Building automata from pieces that both languages have: sequences, choices, and assignments at the same time.

use aster_cfa::{
    Edge, Input, InputOrigin, Label, Node, Op, Presentation, Procedure, ProgramBuilder, Span, Var,
};
use aster_term::{Sort, Term, TermPool, free_variables};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A program of one procedure that is being built.
pub(crate) struct Automaton<'p> {
    pub(crate) pool: &'p mut TermPool,
    pub(crate) builder: ProgramBuilder,
    pub(crate) procedure: Procedure,
    /// What choices are held in, by width.
    choices: FxHashMap<u32, Var>,
    /// Holds a value until all values that are assigned at the same time are computed, by sort.
    temporaries: FxHashMap<Sort, Vec<Var>>,
}

impl<'p> Automaton<'p> {
    /// An automaton whose entry has no edges yet.
    pub(crate) fn new(pool: &'p mut TermPool, name: &str) -> Self {
        let mut builder = ProgramBuilder::new();
        let procedure = builder.add_procedure(name);
        Automaton {
            pool,
            builder,
            procedure,
            choices: FxHashMap::default(),
            temporaries: FxHashMap::default(),
        }
    }

    pub(crate) fn entry(&self) -> Node {
        self.builder.procedure(self.procedure).entry
    }

    pub(crate) fn node(&mut self) -> Node {
        self.builder.add_node(self.procedure)
    }

    pub(crate) fn variable(&mut self, name: &str, sort: Sort, presentation: Presentation) -> Var {
        self.builder.add_variable(self.pool, name, sort, None, Some(presentation))
    }

    /// An edge to a new node.
    pub(crate) fn step(&mut self, from: Node, label: Label, span: Span) -> (Node, Edge) {
        let to = self.node();
        let edge = self.builder.add_edge(from, to, label, span);
        (to, edge)
    }

    pub(crate) fn assume(&mut self, from: Node, condition: Term, span: Span) -> Node {
        if self.pool.bool_constant(condition) == Some(true) && self.builder.is_open(from) {
            return from;
        }
        self.step(from, Label::Op(Op::Assume(condition)), span).0
    }

    pub(crate) fn assign(&mut self, from: Node, variable: Var, term: Term, span: Span) -> Node {
        self.step(from, Label::Op(Op::Assign(variable, term)), span).0
    }

    pub(crate) fn havoc(
        &mut self,
        from: Node,
        variable: Var,
        origin: InputOrigin,
        presentation: Presentation,
        span: Span,
    ) -> Node {
        let input = Input { origin, presentation };
        self.step(from, Label::Op(Op::Havoc(variable, input)), span).0
    }

    /// An edge that does nothing.
    pub(crate) fn go(&mut self, from: Node, to: Node, span: Span) {
        let always = self.pool.bool(true);
        self.builder.add_edge(from, to, Label::Op(Op::Assume(always)), span);
    }

    /// Ends a path at what is not modelled.
    pub(crate) fn unsupported(&mut self, from: Node, what: String, span: Span) {
        self.step(from, Label::Unsupported(what), span);
    }

    /// A branch: the nodes where the condition holds and where it does not.
    pub(crate) fn branch(&mut self, from: Node, condition: Term, span: Span) -> (Node, Node) {
        let negated = self.pool.not(condition);
        let then = self.step(from, Label::Op(Op::Assume(condition)), span).0;
        let otherwise = self.step(from, Label::Op(Op::Assume(negated)), span).0;
        (then, otherwise)
    }

    /// A choice that the environment makes: one node for each alternative. The choice is an input that `what` names.
    pub(crate) fn choose(
        &mut self,
        from: Node,
        what: &str,
        alternatives: &[(String, Span)],
        span: Span,
    ) -> Vec<Node> {
        if alternatives.len() < 2 {
            return alternatives.iter().map(|_| from).collect();
        }
        let width = usize::BITS - (alternatives.len() - 1).leading_zeros();
        let choice = match self.choices.get(&width) {
            Some(&choice) => choice,
            None => {
                let sort = Sort::BitVec(width);
                let choice = self.builder.add_variable(self.pool, what, sort, None, None);
                self.choices.insert(width, choice);
                choice
            }
        };
        let names: Arc<[String]> = alternatives.iter().map(|(name, _)| name.clone()).collect();
        let presentation = Presentation::Named { type_name: what.to_owned(), names };
        let chosen = self.havoc(from, choice, InputOrigin::Choice(what.to_owned()), presentation, span);
        let term = self.builder.variable(choice).term;
        let mut nodes = Vec::new();
        for (index, (_, span)) in alternatives.iter().enumerate() {
            let number = self.pool.bv(width, index as u128);
            let condition = self.pool.eq(term, number);
            nodes.push(self.step(chosen, Label::Op(Op::Assume(condition)), *span).0);
        }
        nodes
    }

    /// Assigns to different variables at the same time: all terms are over the old values.
    pub(crate) fn assign_all(&mut self, from: Node, assignments: &[(Var, Term, Span)]) -> Node {
        let terms: Vec<FxHashSet<Term>> = assignments
            .iter()
            .map(|(_, term, _)| free_variables(self.pool, &[*term]).into_iter().collect())
            .collect();
        let mut node = from;
        let mut used: FxHashMap<Sort, usize> = FxHashMap::default();
        let mut late: Vec<(Var, Term, Span)> = Vec::new();
        for (index, &(variable, term, span)) in assignments.iter().enumerate() {
            let own = self.builder.variable(variable).term;
            if own == term {
                continue;
            }
            // What a later assignment still reads must not be overwritten yet.
            if !terms[index + 1..].iter().any(|read| read.contains(&own)) {
                node = self.assign(node, variable, term, span);
                continue;
            }
            let sort = self.builder.variable(variable).sort;
            let at = used.entry(sort).or_default();
            let temporary = self.temporary(sort, *at);
            *at += 1;
            node = self.assign(node, temporary, term, span);
            late.push((variable, self.builder.variable(temporary).term, span));
        }
        for (variable, term, span) in late {
            node = self.assign(node, variable, term, span);
        }
        node
    }

    fn temporary(&mut self, sort: Sort, at: usize) -> Var {
        if let Some(&variable) = self.temporaries.get(&sort).and_then(|variables| variables.get(at)) {
            return variable;
        }
        let variable = self.builder.add_variable(self.pool, format!("new{at}"), sort, None, None);
        self.temporaries.entry(sort).or_default().push(variable);
        variable
    }
}
