//! Which bounds matter for a model of the SAT solver: those that the truth of the query rests on. The others have some
//! value, too, but nothing is wrong if numbers do not agree with it.

use super::super::blast::Blaster;
use super::super::sat::{FALSE, Lit, TRUE};
use super::translate::{Meaning, is_comparison};
use aster_term::{Op, Sort, Term, TermPool};
use rustc_hash::FxHashSet;

impl Blaster {
    /// The literals of bounds, all true in the model of the SAT solver, that make the roots true.
    pub(in super::super) fn relevant_bounds(
        &mut self,
        pool: &TermPool,
        roots: impl Iterator<Item = Term>,
    ) -> Vec<Lit> {
        let mut found = Vec::new();
        let mut chosen: FxHashSet<Lit> = FxHashSet::default();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        // With the truth value of those that are Boolean.
        let mut stack: Vec<(Term, bool)> = roots.map(|root| (root, true)).collect();
        stack.reverse();
        while let Some((term, truth)) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            let mut add = |literal: Lit| {
                if literal != TRUE && literal != FALSE && chosen.insert(literal) {
                    found.push(literal);
                }
            };
            let args = pool.args(term);
            if is_comparison(pool, term) {
                match self.arithmetic.meanings.get(&term) {
                    Some(&Meaning::Bound(bound)) => add(if truth { bound } else { -bound }),
                    Some(&Meaning::Both([a, b])) if truth => {
                        add(a);
                        add(b);
                    }
                    Some(&Meaning::Both([a, b])) => {
                        let sat = &mut self.circuits.gates.sat;
                        add(if sat.value(a) { -b } else { -a });
                    }
                    _ => {}
                }
                stack.extend(args.iter().map(|&arg| (arg, true)));
                continue;
            }
            match pool.op(term) {
                Op::Not => stack.push((args[0], !truth)),
                op @ (Op::And | Op::Or) => {
                    if truth == (op == Op::And) {
                        stack.push((args[1], truth));
                        stack.push((args[0], truth));
                    } else {
                        // One that decides is enough, best one that matters anyway.
                        let decides = |this: &mut Self, arg| this.truth(arg, truth) == truth;
                        let other = args[0];
                        let take_other =
                            decides(self, other) && (seen.contains(&other) || !seen.contains(&args[1]));
                        let arg = if take_other || !decides(self, args[1]) { other } else { args[1] };
                        stack.push((arg, truth));
                    }
                }
                Op::Ite => {
                    let condition = self.truth(args[0], true);
                    if let Some(Meaning::Choice(sides)) = self.arithmetic.meanings.get(&term) {
                        sides[usize::from(!condition)].iter().for_each(|&literal| add(literal));
                    }
                    stack.push((args[0], condition));
                    stack.push((args[if condition { 1 } else { 2 }], truth));
                }
                _ => {
                    if let Some(Meaning::Facts(facts)) = self.arithmetic.meanings.get(&term) {
                        facts.iter().for_each(|&literal| add(literal));
                    }
                    for &arg in args {
                        let is_bool = pool.sort(arg) == Sort::Bool;
                        let truth = !is_bool || self.truth(arg, true);
                        stack.push((arg, truth));
                    }
                }
            }
        }
        found
    }

    /// The truth value of a Boolean term in the model; conjunctions at the root have no literal, but their value is known.
    fn truth(&mut self, term: Term, otherwise: bool) -> bool {
        if !self.is_known(term) {
            return otherwise;
        }
        let literal = self.literal(term);
        self.circuits.gates.sat.value(literal)
    }
}
