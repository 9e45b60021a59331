//! The arrays of which one cell is kept.

use super::Array;
use aster_cfa::{Label, LoopInfo, Node, Op, Program, Var};
use aster_term::{Op as Operator, Sort, Term, TermPool, free_variables};
use rustc_hash::{FxHashMap, FxHashSet};

/// A read or a write.
struct Access {
    node: Node,
    index: Term,
    is_read: bool,
}

/// The terms that an edge evaluates.
pub(super) fn terms_of(label: &Label) -> Vec<Term> {
    match label {
        Label::Op(Op::Assume(term) | Op::Assign(_, term)) => vec![*term],
        Label::Call(call) => call.arguments.clone(),
        Label::Op(Op::Havoc(..)) | Label::Unsupported(_) | Label::Undefined { .. } => Vec::new(),
    }
}

/// All subterms, those below first: terms are numbered in that order.
pub(super) fn subterms(pool: &TermPool, terms: &[Term]) -> Vec<Term> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack = terms.to_vec();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            stack.extend(pool.args(term));
        }
    }
    let mut all: Vec<Term> = seen.into_iter().collect();
    all.sort_unstable();
    all
}

/// What a program does with its arrays.
#[derive(Default)]
struct Uses {
    accesses: FxHashMap<Var, Vec<Access>>,
    /// Variables that are also used otherwise than by index.
    refused: FxHashSet<Var>,
}

impl Uses {
    /// `None` if something is read that is not a variable.
    fn of(program: &Program, pool: &TermPool) -> Option<Uses> {
        let mut uses = Uses::default();
        for edge in program.edges() {
            let info = program.edge(edge);
            let written = match info.label {
                Label::Op(Op::Assign(variable, _)) => Some(variable),
                _ => None,
            };
            match &info.label {
                Label::Call(call) => uses.refused.extend(call.result),
                // What is written on one of several ways from a node cannot be written before they part.
                Label::Op(Op::Assign(variable, _) | Op::Havoc(variable, _))
                    if program.node(info.source).outgoing.len() > 1 =>
                {
                    uses.refused.insert(*variable);
                }
                _ => {}
            }
            for term in terms_of(&info.label) {
                uses.note(program, pool, info.source, written, term)?;
            }
            if decides_what_is_defined(program, info.source) {
                for part in subterms(pool, &terms_of(&info.label)) {
                    uses.refused.extend(program.variable_of_term(part));
                }
            }
        }
        Some(uses)
    }

    /// Notes what a term that is evaluated at a node, and assigned to a variable there if one is given, does with arrays.
    fn note(
        &mut self,
        program: &Program,
        pool: &TermPool,
        node: Node,
        written: Option<Var>,
        term: Term,
    ) -> Option<()> {
        // The array itself, or what it is after some writes, may only be assigned to itself.
        let writes = writes(pool, term);
        for &write in writes.iter().filter(|_| written.is_some()) {
            self.access(written, Access { node, index: pool.args(write)[1], is_read: false });
        }
        let is_array = |term: Term| matches!(pool.sort(term), Sort::Array { .. });
        for part in subterms(pool, &[term]) {
            for (position, &argument) in pool.args(part).iter().enumerate() {
                let variable = program.variable_of_term(argument);
                match pool.op(part) {
                    Operator::Select if position == 0 => {
                        // Reads of what is not a variable are too strange.
                        variable?;
                        self.access(variable, Access { node, index: pool.args(part)[1], is_read: true });
                    }
                    Operator::Store if position == 0 && variable == written && writes.contains(&part) => {}
                    _ if is_array(argument) => self.refused.extend(variable),
                    _ => {}
                }
            }
        }
        if is_array(term) && program.variable_of_term(term).is_some() {
            self.refused.extend(program.variable_of_term(term));
            self.refused.extend(written);
        }
        Some(())
    }

    fn access(&mut self, array: Option<Var>, access: Access) {
        if let Some(array) = array {
            self.accesses.entry(array).or_default().push(access);
        }
    }
}

/// The writes that a value of an array consists of, the last one first.
pub(super) fn writes(pool: &TermPool, value: Term) -> Vec<Term> {
    let is_write = |&term: &Term| pool.op(term) == Operator::Store;
    std::iter::successors(Some(value).filter(is_write), |&write| Some(pool.args(write)[0]).filter(is_write))
        .collect()
}

/// Arrays that a loop goes through, and that are accessed in no other way than by index.
pub(super) fn arrays(program: &Program, pool: &mut TermPool) -> Vec<Array> {
    let Some(uses) = Uses::of(program, pool) else { return Vec::new() };
    let loops = LoopInfo::new(program);
    let mut chosen: Vec<Array> = Vec::new();
    let mut own_ghosts = 1;
    for variable in program.variables() {
        let info = program.variable(variable);
        let Some(accesses) = uses.accesses.get(&variable) else { continue };
        if info.owner.is_some() || uses.refused.contains(&variable) {
            continue;
        }
        let Sort::Array { index: width, .. } = info.sort else { continue };
        let is_traversed = |access: &Access| {
            loops.innermost(access.node).is_some() && pool.bv_constant(access.index).is_none()
        };
        if !accesses.iter().any(is_traversed) {
            continue;
        }
        let base = accesses.iter().filter_map(|access| number_in(pool, access.index)).min().unwrap_or(0);
        let is_same_width = |other: &Array| pool.width(other.base) == width;
        let ghost = if base > 0 && chosen.iter().filter(|other| other.ghost == 0).all(is_same_width) {
            0
        } else {
            own_ghosts += 1;
            own_ghosts - 1
        };
        let is_cached = is_accessed_again(program, pool, variable, accesses);
        chosen.push(Array { variable, base: pool.bv(width, base), ghost, is_cached });
    }
    chosen
}

/// True if it depends on the branch at a node whether the program does something undefined.
fn decides_what_is_defined(program: &Program, node: Node) -> bool {
    program.node(node).outgoing.iter().any(|&edge| {
        let next = &program.node(program.edge(edge).target).outgoing;
        next.iter().any(|&next| matches!(program.edge(next).label, Label::Undefined { .. }))
    })
}

/// The number that is added in an index, or that the index is.
fn number_in(pool: &TermPool, index: Term) -> Option<u128> {
    if let Some(bits) = pool.bv_constant(index) {
        return Some(bits.unsigned());
    }
    let is_sum = pool.op(index) == Operator::BvAdd;
    let numbers = pool.args(index).iter().filter_map(|&part| pool.bv_constant(part));
    numbers.filter(|_| is_sum).map(|bits| bits.unsigned()).next()
}

/// True if a read may find what was accessed last: if its index is that of another access from which a path leads there
/// that assigns none of the variables in it.
fn is_accessed_again(program: &Program, pool: &TermPool, array: Var, accesses: &[Access]) -> bool {
    accesses.iter().any(|first| {
        let again: FxHashSet<Node> = accesses
            .iter()
            .filter(|access| access.is_read && access.index == first.index)
            .map(|access| access.node)
            .collect();
        if again.is_empty() {
            return false;
        }
        let kept = free_variables(pool, &[first.index]);
        let mut seen: FxHashSet<Node> = FxHashSet::default();
        let mut stack = vec![first.node];
        while let Some(node) = stack.pop() {
            for &edge in &program.node(node).outgoing {
                let info = program.edge(edge);
                let changed = match &info.label {
                    Label::Op(Op::Assign(variable, _) | Op::Havoc(variable, _)) => Some(*variable),
                    Label::Call(call) => call.result,
                    _ => None,
                };
                let is_kept = changed.is_none_or(|changed| !kept.contains(&program.variable(changed).term));
                let is_other_write = changed == Some(array) && node != first.node;
                if is_kept && !is_other_write && seen.insert(info.target) {
                    stack.push(info.target);
                }
            }
        }
        again.iter().any(|node| seen.contains(node))
    })
}
