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
        Label::Op(Op::Havoc(..)) | Label::Unsupported(_) | Label::Undefined(_) => Vec::new(),
    }
}

/// All subterms, those below first.
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

/// Arrays that a loop goes through, and that are accessed in no other way than by index.
pub(super) fn arrays(program: &Program, pool: &mut TermPool) -> Vec<Array> {
    let loops = LoopInfo::new(program);
    let mut accesses: FxHashMap<Var, Vec<Access>> = FxHashMap::default();
    let mut refused: FxHashSet<Var> = FxHashSet::default();
    for edge in program.edges() {
        let info = program.edge(edge);
        let written = match info.label {
            Label::Op(Op::Assign(variable, _)) => Some(variable),
            _ => None,
        };
        for &term in &terms_of(&info.label) {
            // The array itself, or what it is after a write, may only be assigned to itself.
            let mut at = term;
            while pool.op(at) == Operator::Store {
                let (array, index) = (pool.args(at)[0], pool.args(at)[1]);
                if let Some(variable) = written {
                    accesses.entry(variable).or_default().push(Access {
                        node: info.source,
                        index,
                        is_read: false,
                    });
                }
                at = array;
            }
            let is_own = |array: Term| program.variable_of_term(array) == written && written.is_some();
            for part in subterms(pool, &[term]) {
                for (position, &argument) in pool.args(part).iter().enumerate() {
                    let Some(variable) = program.variable_of_term(argument) else { continue };
                    if !matches!(pool.sort(argument), Sort::Array { .. }) {
                        continue;
                    }
                    match pool.op(part) {
                        Operator::Select if position == 0 => {
                            let index = pool.args(part)[1];
                            accesses.entry(variable).or_default().push(Access {
                                node: info.source,
                                index,
                                is_read: true,
                            });
                        }
                        Operator::Store
                            if position == 0 && is_own(argument) && is_spine(pool, term, part) => {}
                        _ => {
                            refused.insert(variable);
                        }
                    }
                }
            }
            if let Some(variable) = program.variable_of_term(term)
                && matches!(pool.sort(term), Sort::Array { .. })
            {
                refused.insert(variable);
                refused.extend(written);
            }
            // Reads of what is not a variable.
            let is_strange = |&part: &Term| {
                pool.op(part) == Operator::Select && program.variable_of_term(pool.args(part)[0]).is_none()
            };
            if subterms(pool, &[term]).iter().any(is_strange) {
                return Vec::new();
            }
        }
        if decides_what_is_defined(program, info.source) {
            for part in subterms(pool, &terms_of(&info.label)) {
                refused.extend(program.variable_of_term(part));
            }
        }
    }
    let mut chosen: Vec<Array> = Vec::new();
    let mut own_ghosts = 1;
    for variable in program.variables() {
        let info = program.variable(variable);
        let Some(list) = accesses.get(&variable) else { continue };
        if info.owner.is_some() || refused.contains(&variable) {
            continue;
        }
        let Sort::Array { index: width, .. } = info.sort else { continue };
        let is_traversed = |access: &Access| {
            loops.innermost(access.node).is_some() && pool.bv_constant(access.index).is_none()
        };
        if !list.iter().any(is_traversed) {
            continue;
        }
        let base = list.iter().filter_map(|access| number_in(pool, access.index)).min().unwrap_or(0);
        let is_same_width = |other: &Array| pool.width(other.base) == width;
        let ghost = if base > 0 && chosen.iter().filter(|other| other.ghost == 0).all(is_same_width) {
            0
        } else {
            own_ghosts += 1;
            own_ghosts - 1
        };
        let is_cached = is_accessed_again(program, pool, variable, list);
        chosen.push(Array { variable, base: pool.bv(width, base), ghost, is_cached });
    }
    chosen
}

/// True if a term is one of the writes that another one consists of.
fn is_spine(pool: &TermPool, whole: Term, part: Term) -> bool {
    let mut at = whole;
    while pool.op(at) == Operator::Store {
        if at == part {
            return true;
        }
        at = pool.args(at)[0];
    }
    false
}

/// True if it depends on the branch at a node whether the program does something undefined.
fn decides_what_is_defined(program: &Program, node: Node) -> bool {
    program.node(node).outgoing.iter().any(|&edge| {
        let next = &program.node(program.edge(edge).target).outgoing;
        next.iter().any(|&next| matches!(program.edge(next).label, Label::Undefined(_)))
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
