//! Inputs that are made up as a run asks for them.

use aster_cfa::interpreter::InputSource;
use aster_cfa::{Edge, Input, InputOrigin, Label, Op, Presentation, Program};
use aster_term::{ArrayValue, BigInt, BigRational, BitVec, Sort, Term, TermPool, Value};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// What numbers of a run are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taste {
    Zero,
    Bit,
    Small,
    Byte,
    /// Literals of the program and what is next to them.
    Literal,
    Any,
    /// Each one as it comes.
    Mixed,
}

/// All tastes.
pub const TASTES: [Taste; 7] =
    [Taste::Zero, Taste::Bit, Taste::Small, Taste::Byte, Taste::Literal, Taste::Any, Taste::Mixed];

/// More inputs end a run.
const MAX_INPUTS: usize = 1 << 22;

/// The literals in a program's terms.
#[derive(Default)]
pub struct Literals {
    numbers: Vec<i128>,
    /// The bits of those of each width.
    of_width: BTreeMap<u32, Vec<u128>>,
}

impl Literals {
    pub fn of(program: &Program, pool: &TermPool) -> Self {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut stack: Vec<Term> = Vec::new();
        for edge in program.edges() {
            match &program.edge(edge).label {
                Label::Op(Op::Assume(term) | Op::Assign(_, term)) => stack.push(*term),
                Label::Call(call) => stack.extend(&call.arguments),
                _ => {}
            }
        }
        let (mut numbers, mut of_width) = (BTreeSet::new(), BTreeMap::<u32, BTreeSet<u128>>::new());
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Some(bits) = pool.bv_constant(term) {
                numbers.insert(bits.signed());
                of_width.entry(bits.width()).or_default().insert(bits.unsigned());
            }
            stack.extend(pool.args(term));
        }
        Literals {
            numbers: numbers.into_iter().collect(),
            of_width: of_width.into_iter().map(|(width, bits)| (width, bits.into_iter().collect())).collect(),
        }
    }
}

/// The inputs of a run: old ones where there are any, others are made up.
pub struct Inputs<'a> {
    program: &'a Program,
    literals: &'a Literals,
    taste: Taste,
    old: std::vec::IntoIter<Option<Value>>,
    given: Vec<Value>,
    was_asked: bool,
    random: StdRng,
}

impl<'a> Inputs<'a> {
    pub fn new(
        program: &'a Program,
        literals: &'a Literals,
        taste: Taste,
        old: Vec<Option<Value>>,
        seed: u64,
    ) -> Self {
        let random = StdRng::seed_from_u64(seed);
        Inputs { program, literals, taste, old: old.into_iter(), given: Vec::new(), was_asked: false, random }
    }

    /// True if the run asked for an input.
    pub fn was_asked(&self) -> bool {
        self.was_asked
    }

    /// The inputs that the run got.
    pub fn into_values(self) -> Vec<Value> {
        self.given
    }

    fn number(&mut self) -> i128 {
        let taste = match self.taste {
            // All but the last one.
            Taste::Mixed => TASTES[self.random.random_range(0..TASTES.len() - 1)],
            taste => taste,
        };
        match taste {
            Taste::Zero | Taste::Mixed => 0,
            Taste::Bit => self.random.random_range(0..=1),
            Taste::Small => self.random.random_range(-2..=10),
            Taste::Byte => self.random.random_range(0..=255),
            Taste::Literal if !self.literals.numbers.is_empty() => {
                let literal = self.literals.numbers[self.random.random_range(0..self.literals.numbers.len())];
                literal.wrapping_add([0, 0, 0, 1, -1][self.random.random_range(0..5)])
            }
            Taste::Literal | Taste::Any => self.random.random(),
        }
    }

    fn bits(&mut self, width: u32, presentation: &Presentation) -> BitVec {
        if matches!(presentation, Presentation::Bool) {
            return BitVec::new(width, u128::from(self.taste != Taste::Zero && self.random.random()));
        }
        let number = self.number();
        if !matches!(presentation, Presentation::Float(_)) || self.taste == Taste::Any {
            return BitVec::from_signed(width, number);
        }
        let literals = self.literals.of_width.get(&width).filter(|literals| !literals.is_empty());
        if let (Taste::Literal, Some(literals)) = (self.taste, literals) {
            return BitVec::new(width, literals[self.random.random_range(0..literals.len())]);
        }
        let fraction = number as f64 / [1.0, 1.0, 2.0, 10.0, 1000.0][self.random.random_range(0..5)];
        match width {
            32 => BitVec::new(width, u128::from((fraction as f32).to_bits())),
            64 => BitVec::new(width, u128::from(fraction.to_bits())),
            _ => BitVec::new(width, 0),
        }
    }

    fn value(&mut self, sort: Sort, input: &Input) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.taste != Taste::Zero && self.random.random()),
            Sort::BitVec(width) => Value::BitVec(self.bits(width, &input.presentation)),
            Sort::Array { index, element } => {
                Value::Array(ArrayValue::constant(index, BitVec::from_signed(element, self.number())))
            }
            Sort::Int => Value::Int(BigInt::from(self.number())),
            Sort::Real => Value::Real(BigRational::from(BigInt::from(self.number()))),
        }
    }
}

impl InputSource for Inputs<'_> {
    fn next_input(&mut self, edge: Edge, sort: Sort) -> Option<Value> {
        self.was_asked = true;
        let Label::Op(Op::Havoc(_, input)) = &self.program.edge(edge).label else { return None };
        // Nothing that depends on a value that only the real function knows is a counterexample.
        if self.given.len() == MAX_INPUTS || matches!(input.origin, InputOrigin::Approximated(_)) {
            return None;
        }
        let value = match self.old.next().flatten() {
            Some(old) if old.sort() == sort => old,
            _ => self.value(sort, input),
        };
        self.given.push(value.clone());
        Some(value)
    }
}
