//! Every operator of the bit-blaster against its meaning: exhaustively at widths 1 to 4, on random and
//! corner values at larger widths; with variables and with constants as operands.

use aster_smt::{Answer, Interrupt, NativeSolver, Solver};
use aster_term::{BitVec, Op, Sort, Term, TermPool, Value};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

const BINARY: [Op; 22] = [
    Op::Eq,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvAdd,
    Op::BvSub,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
    Op::BvUlt,
    Op::BvUle,
    Op::BvSlt,
    Op::BvSle,
    Op::BvConcat,
    Op::And,
    Op::Or,
    Op::Xor,
];

fn unary(width: u32) -> Vec<Op> {
    let mut ops = vec![Op::BvNot, Op::BvNeg, Op::BvZeroExtend(0), Op::BvSignExtend(0)];
    ops.extend(
        (1..=3).filter(|by| width + by <= 128).flat_map(|by| [Op::BvZeroExtend(by), Op::BvSignExtend(by)]),
    );
    ops.extend((0..width.min(4) + 2).flat_map(|by| [Op::BvRotateLeft(by), Op::BvRotateRight(by)]));
    if width <= 4 {
        ops.extend((0..width).flat_map(|high| (0..=high).map(move |low| Op::BvExtract { high, low })));
    } else {
        ops.extend([
            Op::BvExtract { high: width - 1, low: 0 },
            Op::BvExtract { high: width - 1, low: width / 2 },
            Op::BvExtract { high: width / 2, low: 1 },
        ]);
    }
    ops
}

fn all_values(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::BitVec(width) => (0..1 << width).map(|bits| Value::BitVec(BitVec::new(width, bits))).collect(),
        _ => panic!("no enumeration of {sort}"),
    }
}

/// Asks one solver about many applications.
struct Bench {
    pool: TermPool,
    solver: NativeSolver,
}

impl Bench {
    fn new() -> Self {
        Bench { pool: TermPool::new(), solver: NativeSolver::new(Interrupt::new()) }
    }

    /// Checks that under `assumptions` the term has exactly this value.
    fn expect(&mut self, assumptions: &[Term], term: Term, value: &Value, what: &str) {
        let literal = self.pool.value(value);
        let equal = self.pool.apply_raw(Op::Eq, &[term, literal]);
        let different = self.pool.apply_raw(Op::Not, &[equal]);
        for (question, possible) in [(equal, true), (different, false)] {
            let mut query = assumptions.to_vec();
            query.push(question);
            let answer = self.solver.check(&mut self.pool, &query);
            match answer {
                Answer::Sat(_) => assert!(possible, "{what} may differ from {value}"),
                Answer::Unsat(_) => assert!(!possible, "{what} cannot be {value}"),
                Answer::Unknown(reason) => panic!("{what}: {reason}"),
            }
        }
    }

    /// Checks `op(args)` with every operand once as a variable and once as a constant.
    fn application(&mut self, op: Op, args: &[Value]) {
        let expected = op.apply(args).expect("the operator fits the values");
        for mask in 0..1u32 << args.len() {
            let mut assumptions = Vec::new();
            let mut operands = Vec::new();
            for (i, value) in args.iter().enumerate() {
                let literal = self.pool.value(value);
                if mask >> i & 1 == 1 {
                    operands.push(literal);
                    continue;
                }
                let variable = self.pool.variable(&format!("{i}:{}", value.sort()), value.sort());
                assumptions.push(self.pool.apply_raw(Op::Eq, &[variable, literal]));
                operands.push(variable);
            }
            let term = self.pool.apply_raw(op, &operands);
            self.expect(&assumptions, term, &expected, &format!("{op:?}{args:?}, constants {mask:b}"));
        }
    }
}

fn fits(op: Op, sorts: &[Sort]) -> bool {
    op.result_sort(sorts).is_some()
}

#[test]
fn binary_operators_are_exact_at_widths_1_to_4() {
    let sorts: Vec<Sort> = std::iter::once(Sort::Bool).chain((1..=4).map(Sort::BitVec)).collect();
    let mut applied = 0;
    for op in BINARY {
        let mut bench = Bench::new();
        for &left in &sorts {
            for &right in &sorts {
                if !fits(op, &[left, right]) {
                    continue;
                }
                for a in all_values(left) {
                    for b in all_values(right) {
                        bench.application(op, &[a.clone(), b]);
                        applied += 1;
                    }
                }
            }
        }
    }
    // 17 operators on pairs of equal width, equality and three connectives on Booleans, and
    // concatenation on all pairs of widths.
    assert_eq!(applied, 18 * (4 + 16 + 64 + 256) + 4 * 4 + 30 * 30);
}

#[test]
fn unary_operators_are_exact_at_widths_1_to_4() {
    let mut bench = Bench::new();
    for value in all_values(Sort::Bool) {
        bench.application(Op::Not, &[value]);
    }
    for width in 1..=4 {
        for op in unary(width) {
            for value in all_values(Sort::BitVec(width)) {
                bench.application(op, &[value]);
            }
        }
    }
}

#[test]
fn if_then_else_is_exact() {
    let mut bench = Bench::new();
    for sort in [Sort::Bool, Sort::BitVec(1), Sort::BitVec(2), Sort::BitVec(3)] {
        for condition in all_values(Sort::Bool) {
            for a in all_values(sort) {
                for b in all_values(sort) {
                    bench.application(Op::Ite, &[condition.clone(), a.clone(), b]);
                }
            }
        }
    }
}

/// Repeated operands reach gates whose inputs coincide.
#[test]
fn operators_are_exact_on_one_operand_twice() {
    let mut bench = Bench::new();
    for width in 1..=4 {
        let sort = Sort::BitVec(width);
        let x = bench.pool.variable(&format!("x{width}"), sort);
        for op in BINARY.into_iter().filter(|&op| fits(op, &[sort, sort])) {
            let term = bench.pool.apply_raw(op, &[x, x]);
            let complement = bench.pool.apply_raw(Op::BvNot, &[x]);
            let mixed = bench.pool.apply_raw(op, &[x, complement]);
            for value in all_values(sort) {
                let literal = bench.pool.value(&value);
                let assumption = bench.pool.apply_raw(Op::Eq, &[x, literal]);
                let inverse = Op::BvNot.apply(std::slice::from_ref(&value)).unwrap();
                let expected = op.apply(&[value.clone(), value.clone()]).unwrap();
                bench.expect(&[assumption], term, &expected, &format!("{op:?} of {value} twice"));
                let expected = op.apply(&[value.clone(), inverse]).unwrap();
                bench.expect(
                    &[assumption],
                    mixed,
                    &expected,
                    &format!("{op:?} of {value} and its complement"),
                );
            }
        }
    }
}

fn random_value(rng: &mut SmallRng, width: u32) -> Value {
    let bits: u128 = match rng.random_range(0..8) {
        0 => 0,
        1 => 1,
        2 => u128::MAX,
        3 => 1 << (width - 1),
        4 => (1 << (width - 1)) - 1,
        5 => 1 << rng.random_range(0..width),
        6 => u128::from(rng.random::<u32>() % 300),
        _ => rng.random(),
    };
    Value::BitVec(BitVec::new(width, bits))
}

#[test]
fn operators_are_exact_on_random_values_at_large_widths() {
    let mut rng = SmallRng::seed_from_u64(7);
    for width in [5, 8, 13, 31, 32, 33, 64, 65, 128] {
        let sort = Sort::BitVec(width);
        for op in BINARY.into_iter().filter(|&op| fits(op, &[sort, sort])) {
            let mut bench = Bench::new();
            // Division is quadratic in the width and by far the largest circuit.
            let is_division = matches!(op, Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem);
            for _ in 0..if is_division && width > 64 { 1 } else { 4 } {
                let (a, mut b) = (random_value(&mut rng, width), random_value(&mut rng, width));
                if matches!(op, Op::BvShl | Op::BvLshr | Op::BvAshr) && rng.random_bool(0.7) {
                    b = Value::BitVec(BitVec::new(width, rng.random_range(0..u128::from(width) + 2)));
                }
                bench.application(op, &[a, b]);
            }
        }
        let mut bench = Bench::new();
        for op in unary(width) {
            let value = random_value(&mut rng, width);
            bench.application(op, &[value]);
        }
    }
}
