//! Live variables: those whose value can still be read before it is overwritten.
//!
//! Computed over the whole program at once, without regard to who calls a procedure: what is live where any
//! call of it returns is live at its exit. That can only make too many variables live, never too few.

use crate::program::{Edge, Label, Node, Op, Program, Var};
use aster_term::{Term, TermPool, free_variables};

/// A set of small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    fn new(size: usize) -> Self {
        BitSet { words: vec![0; size.div_ceil(64)] }
    }

    fn insert(&mut self, number: usize) {
        self.words[number / 64] |= 1 << (number % 64);
    }

    fn remove(&mut self, number: usize) {
        self.words[number / 64] &= !(1 << (number % 64));
    }

    fn contains(&self, number: usize) -> bool {
        self.words[number / 64] >> (number % 64) & 1 == 1
    }

    /// Adds all of another set; true if that changed anything.
    fn add(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            changed |= *more & !*word != 0;
            *word |= more;
        }
        changed
    }

    fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(64 * index + bit)
            })
        })
    }
}

/// The live variables of a program's nodes, by slot.
#[derive(Clone, Debug)]
pub struct Liveness {
    globals: Vec<BitSet>,
    locals: Vec<BitSet>,
}

/// What an edge reads and overwrites.
struct Effect {
    reads: Vec<Var>,
    writes: Option<Var>,
}

impl Liveness {
    /// Computes the live variables of a program.
    pub fn new(program: &Program, pool: &TermPool) -> Self {
        let nodes = program.nodes().count();
        let mut incoming: Vec<Vec<Edge>> = vec![Vec::new(); nodes];
        let mut calls_of = vec![Vec::new(); program.procedures().count()];
        let mut effects = Vec::with_capacity(program.edges().count());
        for edge in program.edges() {
            let info = program.edge(edge);
            incoming[info.target.index()].push(edge);
            if let Label::Call(call) = &info.label {
                calls_of[call.procedure.index()].push(edge);
            }
            effects.push(effect(program, pool, &info.label));
        }
        let mut liveness = Liveness {
            globals: vec![BitSet::new(program.global_count()); nodes],
            locals: program
                .nodes()
                .map(|node| BitSet::new(program.local_count(program.node(node).procedure)))
                .collect(),
        };
        for procedure in program.procedures() {
            let info = program.procedure(procedure);
            if let Some(result) = info.result {
                liveness.locals[info.exit.index()].insert(program.slot(result));
            }
        }
        // Edges whose source may have to be looked at again; each is in the queue at most once.
        let mut queue: Vec<Edge> = program.edges().collect();
        let mut waiting = vec![true; queue.len()];
        while let Some(edge) = queue.pop() {
            waiting[edge.index()] = false;
            let source = program.edge(edge).source;
            let mut again = |edges: &[Edge]| {
                for &edge in edges {
                    if !std::mem::replace(&mut waiting[edge.index()], true) {
                        queue.push(edge);
                    }
                }
            };
            if let Label::Call(call) = &program.edge(edge).label
                && liveness.return_from(program, edge)
            {
                again(&incoming[program.procedure(call.procedure).exit.index()]);
            }
            if liveness.update(program, edge, &effects[edge.index()]) {
                again(&incoming[source.index()]);
                let procedure = program.node(source).procedure;
                if program.procedure(procedure).entry == source {
                    again(&calls_of[procedure.index()]);
                }
            }
        }
        liveness
    }

    /// What is live after a call is live at the exit of the callee; true if that changed anything.
    fn return_from(&mut self, program: &Program, edge: Edge) -> bool {
        let info = program.edge(edge);
        let Label::Call(call) = &info.label else { return false };
        let mut live = self.globals[info.target.index()].clone();
        if let Some(result) = call.result.filter(|&result| program.variable(result).owner.is_none()) {
            live.remove(program.slot(result));
        }
        let exit = program.procedure(call.procedure).exit;
        let changed = self.globals[exit.index()].add(&live);
        // A procedure that does nothing: what is live at its exit is live at its entry.
        changed
    }

    /// What is live before an edge is live at its source; true if that changed anything.
    fn update(&mut self, program: &Program, edge: Edge, effect: &Effect) -> bool {
        let info = program.edge(edge);
        let (mut globals, mut locals) = match &info.label {
            Label::Unsupported(_) | Label::Undefined(_) => {
                (BitSet::new(program.global_count()), self.locals[info.source.index()].clone())
            }
            Label::Op(_) => {
                (self.globals[info.target.index()].clone(), self.locals[info.target.index()].clone())
            }
            Label::Call(call) => {
                let entry = program.procedure(call.procedure).entry;
                (self.globals[entry.index()].clone(), self.locals[info.target.index()].clone())
            }
        };
        if let Some(variable) = effect.writes {
            let slot = program.slot(variable);
            match program.variable(variable).owner {
                Some(_) => locals.remove(slot),
                None if matches!(info.label, Label::Op(_)) => globals.remove(slot),
                None => {}
            }
        }
        for &variable in &effect.reads {
            let slot = program.slot(variable);
            match program.variable(variable).owner {
                Some(_) => locals.insert(slot),
                None => globals.insert(slot),
            }
        }
        let source = info.source.index();
        let changed = self.globals[source].add(&globals);
        self.locals[source].add(&locals) | changed
    }

    /// The slots of the global variables that are live at a node, ascending.
    pub fn globals(&self, node: Node) -> impl Iterator<Item = usize> + '_ {
        self.globals[node.index()].numbers()
    }

    /// The slots of the local variables that are live at a node, ascending.
    pub fn locals(&self, node: Node) -> impl Iterator<Item = usize> + '_ {
        self.locals[node.index()].numbers()
    }

    /// True if the variable is live at the node.
    pub fn is_live(&self, program: &Program, node: Node, variable: Var) -> bool {
        let set = match program.variable(variable).owner {
            Some(_) => &self.locals[node.index()],
            None => &self.globals[node.index()],
        };
        set.contains(program.slot(variable))
    }
}

fn effect(program: &Program, pool: &TermPool, label: &Label) -> Effect {
    let reads = |terms: &[Term]| {
        free_variables(pool, terms).into_iter().filter_map(|term| program.variable_of_term(term)).collect()
    };
    match label {
        Label::Op(Op::Assume(condition)) => Effect { reads: reads(&[*condition]), writes: None },
        Label::Op(Op::Assign(variable, term)) => Effect { reads: reads(&[*term]), writes: Some(*variable) },
        Label::Op(Op::Havoc(variable, _)) => Effect { reads: Vec::new(), writes: Some(*variable) },
        Label::Call(call) => Effect { reads: reads(&call.arguments), writes: call.result },
        Label::Unsupported(_) | Label::Undefined(_) => Effect { reads: Vec::new(), writes: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Sketch;

    #[test]
    fn a_value_is_live_until_its_last_read() {
        let mut sketch = Sketch::new("");
        let main = sketch.procedure("main");
        let (x, y) = (sketch.int(Some(main), "x"), sketch.int(Some(main), "y"));
        let a = sketch.havoc(sketch.entry(main), x, 1);
        let more = sketch.plus(x, 1);
        let b = sketch.assign(a, y, more, 2);
        let less = sketch.less(y, 10);
        let (c, d) = sketch.branch(b, less, 3);
        let again = sketch.plus(y, 1);
        let e = sketch.assign(c, x, again, 4);
        sketch.go(e, a, 4);
        sketch.go(d, sketch.exit(main), 5);
        let entry = sketch.entry(main);
        let (program, pool) = sketch.finish(main);
        let liveness = Liveness::new(&program, &pool);
        let live = |node| [x, y].map(|variable| liveness.is_live(&program, node, variable));
        assert_eq!(live(entry), [false, false]);
        assert_eq!(live(a), [true, false]);
        assert_eq!(live(b), [false, true]);
        assert_eq!(live(d), [false, false]);
    }

    #[test]
    fn globals_are_live_through_calls() {
        let mut sketch = Sketch::new("");
        let (main, f) = (sketch.procedure("main"), sketch.procedure("f"));
        let (read, written, later) = (sketch.int(None, "r"), sketch.int(None, "w"), sketch.int(None, "l"));
        let sum = sketch.plus(read, 1);
        let inside = sketch.assign(sketch.entry(f), written, sum, 1);
        sketch.go(inside, sketch.exit(f), 1);
        let after = sketch.call(sketch.entry(main), f, &[], None, 2);
        let less = sketch.less(later, 10);
        let (then, otherwise) = sketch.branch(after, less, 3);
        sketch.go(then, sketch.exit(main), 3);
        let less = sketch.less(written, 10);
        let (one, two) = sketch.branch(otherwise, less, 3);
        sketch.go(one, sketch.exit(main), 3);
        sketch.go(two, sketch.exit(main), 3);
        let (start, exit) = (sketch.entry(main), sketch.exit(f));
        let (program, pool) = sketch.finish(main);
        let liveness = Liveness::new(&program, &pool);
        let live = |node| [read, written, later].map(|variable| liveness.is_live(&program, node, variable));
        assert_eq!(live(start), [true, false, true]);
        assert_eq!(live(exit), [false, true, true]);
        assert_eq!(live(inside), [false, true, true]);
    }
}
