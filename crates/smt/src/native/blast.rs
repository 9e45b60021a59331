//! From terms to literals: every term is translated once in the life of the solver.

use super::arithmetic::{Arithmetic, is_comparison, is_number};
use super::arrays::Arrays;
use super::gates::Gates;
use super::sat::{FALSE, Lit, constant};
use super::words::{Circuits, Shift, Word, complement, constant_word};
use crate::solver::UnknownReason;
use aster_term::{Op, Sort, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where the bits of a term are.
#[derive(Clone, Copy)]
struct Entry {
    /// The position of the first one, [`ABSENT`] if the term was not translated.
    start: u32,
    /// How many variables the translation of the term itself, without its arguments, added.
    weight: u32,
    /// True if the term or one below it has guards.
    is_guarded: bool,
}

const ABSENT: u32 = u32::MAX;

/// How much is translated between two looks at the clock, counting terms and variables.
const CLOCK_INTERVAL: u64 = 4096;

/// The bits of all terms that were translated.
pub(super) struct Blaster {
    pub(super) circuits: Circuits,
    pub(super) arrays: Arrays,
    pub(super) arithmetic: Arithmetic,
    /// By the index of the term.
    entries: Vec<Entry>,
    bits: Vec<Lit>,
    /// What has to be assumed for the bits of a term to be right, if those of its arguments are.
    guards: FxHashMap<Term, Box<[Lit]>>,
}

impl Blaster {
    /// Without terms; reads are expanded over at most `eager_stores` undecided stores.
    pub(super) fn new(gates: Gates, eager_stores: usize) -> Self {
        Blaster {
            circuits: Circuits::new(gates),
            arrays: Arrays::new(eager_stores),
            arithmetic: Arithmetic::default(),
            entries: Vec::new(),
            bits: Vec::new(),
            guards: FxHashMap::default(),
        }
    }

    /// The bits of a translated Boolean or bit-vector term, least significant first. Array terms have
    /// none: their elements get bits when they are read.
    pub(super) fn word(&self, pool: &TermPool, term: Term) -> &[Lit] {
        let start = self.entries[term.index()].start as usize;
        &self.bits[start..start + bit_count(pool.sort(term))]
    }

    /// The literal of a translated Boolean term.
    pub(super) fn literal(&self, term: Term) -> Lit {
        self.bits[self.entries[term.index()].start as usize]
    }

    /// True if the term was translated.
    pub(super) fn is_known(&self, term: Term) -> bool {
        self.entries.get(term.index()).is_some_and(|entry| entry.start != ABSENT)
    }

    /// How many variables the translation of the term itself added.
    pub(super) fn weight(&self, term: Term) -> u32 {
        self.entries.get(term.index()).map_or(0, |entry| entry.weight)
    }

    /// What has to be assumed for the bits of a translated term and of all below it to be right.
    pub(super) fn guards(&self, pool: &TermPool, root: Term) -> Vec<Lit> {
        let mut guards = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if !self.entries[term.index()].is_guarded || !seen.insert(term) {
                continue;
            }
            guards.extend(self.guards.get(&term).into_iter().flatten());
            stack.extend_from_slice(pool.args(term));
        }
        guards
    }

    /// Translates the term and everything below it.
    pub(super) fn translate(&mut self, pool: &TermPool, root: Term) -> Result<(), UnknownReason> {
        if self.is_known(root) {
            return Ok(());
        }
        if self.entries.len() < pool.len() {
            self.entries.resize(pool.len(), Entry { start: ABSENT, weight: 0, is_guarded: false });
        }
        let mut stack = vec![root];
        let mut translated = 0;
        let mut next_look = 0;
        while let Some(&term) = stack.last() {
            if self.is_known(term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(pool.args(term).iter().filter(|&&arg| !self.is_known(arg)));
            if stack.len() > before {
                continue;
            }
            let progress = translated + self.circuits.gates.sat.variables();
            if progress >= next_look {
                if let Some(reason) = self.circuits.gates.sat.stop_reason() {
                    return Err(reason);
                }
                next_look = progress + CLOCK_INTERVAL;
            }
            translated += 1;
            let variables = self.circuits.gates.sat.variables();
            let word = self.term(pool, term)?;
            let guards = std::mem::take(&mut self.circuits.guards);
            let below = || pool.args(term).iter().any(|arg| self.entries[arg.index()].is_guarded);
            self.entries[term.index()] = Entry {
                start: u32::try_from(self.bits.len()).map_err(|_| too_large())?,
                weight: (self.circuits.gates.sat.variables() - variables) as u32,
                is_guarded: !guards.is_empty() || below(),
            };
            if !guards.is_empty() {
                self.guards.insert(term, guards.into());
            }
            debug_assert_eq!(word.len(), bit_count(pool.sort(term)));
            self.bits.extend_from_slice(&word);
            stack.pop();
        }
        Ok(())
    }

    fn arg(&self, pool: &TermPool, term: Term, position: usize) -> Word {
        self.word(pool, pool.args(term)[position]).to_vec()
    }

    /// The bits of a term whose arguments were translated.
    fn term(&mut self, pool: &TermPool, term: Term) -> Result<Word, UnknownReason> {
        let sort = pool.sort(term);
        if is_number(pool, term) {
            self.number(pool, term);
            return Ok(Vec::new());
        }
        if is_comparison(pool, term) {
            return Ok(vec![self.compare_numbers(pool, term)]);
        }
        let op = pool.op(term);
        Ok(match op {
            Op::Variable(_) => self.circuits.fresh(bit_count(sort) as u32),
            Op::BoolConst(value) => vec![constant(value)],
            Op::BvConst(bits) => constant_word(bit_count(sort) as u32, bits),
            Op::Select => self.read(pool, term),
            Op::Eq if is_array(pool, pool.args(term)[0]) => vec![self.array_equality(pool, term)],
            Op::Store | Op::ConstArray { .. } => Vec::new(),
            Op::Fp(op) => {
                let args: Vec<Word> = (0..op.arity()).map(|at| self.arg(pool, term, at)).collect();
                self.circuits.float(op, &args)
            }
            Op::Ite => {
                let condition = self.literal(pool.args(term)[0]);
                let (then, otherwise) = (self.arg(pool, term, 1), self.arg(pool, term, 2));
                self.circuits.choose(condition, &then, &otherwise)
            }
            _ => {
                let a = self.arg(pool, term, 0);
                match op.arity() {
                    1 => self.unary(op, &a),
                    _ => {
                        let b = self.arg(pool, term, 1);
                        self.binary(op, &a, &b)
                    }
                }
            }
        })
    }

    fn unary(&mut self, op: Op, a: &[Lit]) -> Word {
        let rotated = |by: usize| {
            let mut word = a.to_vec();
            word.rotate_right(by % a.len());
            word
        };
        let extended = |by: u32, fill: Lit| {
            let mut word = a.to_vec();
            word.resize(a.len() + by as usize, fill);
            word
        };
        match op {
            Op::Not | Op::BvNot => complement(a),
            Op::BvNeg => self.circuits.negate(a),
            Op::BvRotateLeft(by) => rotated(by as usize),
            Op::BvRotateRight(by) => rotated(a.len() - by as usize % a.len()),
            Op::BvExtract { high, low } => a[low as usize..=high as usize].to_vec(),
            Op::BvZeroExtend(by) => extended(by, FALSE),
            Op::BvSignExtend(by) => extended(by, a[a.len() - 1]),
            _ => unreachable!("{op:?} is not a unary operator on bits"),
        }
    }

    fn binary(&mut self, op: Op, a: &[Lit], b: &[Lit]) -> Word {
        let circuits = &mut self.circuits;
        match op {
            Op::And | Op::BvAnd => circuits.bitwise(a, b, Gates::and),
            Op::Or | Op::BvOr => circuits.bitwise(a, b, Gates::or),
            Op::Xor | Op::BvXor => circuits.bitwise(a, b, Gates::xor),
            Op::Eq => vec![circuits.equal(a, b)],
            Op::BvAdd => circuits.add(a, b),
            Op::BvSub => circuits.subtract(a, b),
            Op::BvMul => circuits.multiply(a, b),
            Op::BvUdiv => circuits.quotient(a, b),
            Op::BvUrem => circuits.remainder(a, b),
            Op::BvSdiv => circuits.signed_quotient(a, b),
            Op::BvSrem => circuits.signed_remainder(a, b),
            Op::BvShl => circuits.shift(a, b, Shift::Left),
            Op::BvLshr => circuits.shift(a, b, Shift::LogicalRight),
            Op::BvAshr => circuits.shift(a, b, Shift::ArithmeticRight),
            Op::BvUlt => vec![circuits.less_unsigned(a, b)],
            Op::BvUle => vec![-circuits.less_unsigned(b, a)],
            Op::BvSlt => vec![circuits.less_signed(a, b)],
            Op::BvSle => vec![-circuits.less_signed(b, a)],
            Op::BvConcat => [b, a].concat(),
            _ => unreachable!("{op:?} is not a binary operator on bits"),
        }
    }

    /// The value of a word in the model of the SAT solver.
    pub(super) fn model_value(&mut self, word: &[Lit]) -> u128 {
        let sat = &mut self.circuits.gates.sat;
        word.iter().enumerate().fold(0, |value, (i, &bit)| value | (u128::from(sat.value(bit)) << i))
    }

    /// The value of a translated term in the model of the SAT solver.
    pub(super) fn term_value(&mut self, pool: &TermPool, term: Term) -> u128 {
        let start = self.entries[term.index()].start as usize;
        let sat = &mut self.circuits.gates.sat;
        self.bits[start..start + bit_count(pool.sort(term))]
            .iter()
            .enumerate()
            .fold(0, |value, (i, &bit)| value | (u128::from(sat.value(bit)) << i))
    }
}

/// How many literals a term of this sort has.
fn bit_count(sort: Sort) -> usize {
    match sort {
        Sort::Bool => 1,
        Sort::BitVec(width) => width as usize,
        Sort::Array { .. } | Sort::Int | Sort::Real => 0,
    }
}

/// True if the term is an array.
pub(super) fn is_array(pool: &TermPool, term: Term) -> bool {
    matches!(pool.sort(term), Sort::Array { .. })
}

fn too_large() -> UnknownReason {
    UnknownReason::Backend("the formula is too large for the native solver".into())
}
