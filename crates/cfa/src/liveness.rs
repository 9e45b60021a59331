//! Live variables: those whose value can still be read, before it is overwritten, by something that matters: an
//! assumption, or an assignment to a variable that is live itself.
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
    /// Every read makes a variable live.
    all_reads: bool,
}

/// What an edge reads and overwrites.
enum Effect {
    /// It reads these.
    Assume(Vec<Var>),
    /// It reads these only for the variable that it overwrites.
    Assign(Var, Vec<Var>),
    /// It reads these for each parameter, which it overwrites in the frame of the callee.
    Call(Vec<(Var, Vec<Var>)>),
    /// Nothing follows it.
    End,
}

impl Liveness {
    /// Computes the live variables of a program.
    pub fn new(program: &Program, pool: &TermPool) -> Self {
        Liveness::compute(program, pool, false)
    }

    /// Computes the variables that can still be read, even if nothing comes of that: those that need some value.
    pub fn of_all_reads(program: &Program, pool: &TermPool) -> Self {
        Liveness::compute(program, pool, true)
    }

    fn compute(program: &Program, pool: &TermPool, all_reads: bool) -> Self {
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
            all_reads,
        };
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
        let callee = program.procedure(call.procedure);
        let mut result_is_live = false;
        if let (Some(target), Some(result)) = (call.result, callee.result)
            && (self.all_reads || self.is_live(program, info.target, target))
        {
            if program.variable(target).owner.is_none() {
                live.remove(program.slot(target));
            }
            let locals = &mut self.locals[callee.exit.index()];
            result_is_live = !locals.contains(program.slot(result));
            locals.insert(program.slot(result));
        }
        self.globals[callee.exit.index()].add(&live) | result_is_live
    }

    /// What is live before an edge is live at its source; true if that changed anything.
    fn update(&mut self, program: &Program, edge: Edge, effect: &Effect) -> bool {
        let info = program.edge(edge);
        let mut globals;
        let mut locals;
        let mut reads: Vec<Var> = Vec::new();
        match (effect, &info.label) {
            (Effect::End, _) => return false,
            (Effect::Call(arguments), Label::Call(call)) => {
                let entry = program.procedure(call.procedure).entry;
                globals = self.globals[entry.index()].clone();
                locals = self.locals[info.target.index()].clone();
                if let Some(result) = call.result.filter(|&result| program.variable(result).owner.is_some()) {
                    locals.remove(program.slot(result));
                }
                for (parameter, of_argument) in arguments {
                    if self.all_reads || self.is_live(program, entry, *parameter) {
                        reads.extend(of_argument);
                    }
                }
            }
            _ => {
                globals = self.globals[info.target.index()].clone();
                locals = self.locals[info.target.index()].clone();
                match effect {
                    Effect::Assign(variable, of_term)
                        if self.all_reads || self.is_live(program, info.target, *variable) =>
                    {
                        match program.variable(*variable).owner {
                            Some(_) => locals.remove(program.slot(*variable)),
                            None => globals.remove(program.slot(*variable)),
                        }
                        reads.extend(of_term);
                    }
                    Effect::Assume(of_condition) => reads.extend(of_condition),
                    _ => {}
                }
            }
        }
        for variable in reads {
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
    let reads = |term: Term| -> Vec<Var> {
        free_variables(pool, &[term]).into_iter().filter_map(|term| program.variable_of_term(term)).collect()
    };
    match label {
        Label::Op(Op::Assume(condition)) => Effect::Assume(reads(*condition)),
        Label::Op(Op::Assign(variable, term)) => Effect::Assign(*variable, reads(*term)),
        Label::Op(Op::Havoc(variable, _)) => Effect::Assign(*variable, Vec::new()),
        Label::Call(call) => {
            let parameters = program.procedure(call.procedure).parameters.iter().copied();
            Effect::Call(parameters.zip(call.arguments.iter().map(|&argument| reads(argument))).collect())
        }
        Label::Unsupported(_) | Label::Undefined { .. } => Effect::End,
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
    fn what_only_computes_itself_is_not_live() {
        let mut sketch = Sketch::new("");
        let main = sketch.procedure("main");
        let (x, y) = (sketch.int(Some(main), "x"), sketch.int(Some(main), "y"));
        let a = sketch.havoc(sketch.entry(main), x, 1);
        let a = sketch.havoc(a, y, 1);
        let less = sketch.less(y, 10);
        let (b, c) = sketch.branch(a, less, 2);
        let more = sketch.plus(x, 1);
        let d = sketch.assign(b, x, more, 3);
        sketch.go(d, a, 3);
        sketch.go(c, sketch.exit(main), 4);
        let (program, pool) = sketch.finish(main);
        let liveness = Liveness::new(&program, &pool);
        assert_eq!([x, y].map(|variable| liveness.is_live(&program, a, variable)), [false, true]);
        let reads = Liveness::of_all_reads(&program, &pool);
        assert_eq!([x, y].map(|variable| reads.is_live(&program, a, variable)), [true, true]);
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
