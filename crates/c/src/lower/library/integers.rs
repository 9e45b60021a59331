//! Functions from an integer to an integer.

use super::super::Lowering;
use super::super::calls::Wanted;
use super::Model;
use crate::typed::Expr;
use aster_term::Term;

impl Lowering<'_> {
    /// A call of such a function.
    pub(super) fn integer_function(
        &mut self,
        model: Model,
        argument: &Expr,
        expr: &Expr,
        wanted: Wanted,
    ) -> Term {
        let value = self.value(argument);
        let Some(width) = self.width(expr.ty) else { return self.unmodelled("library function", expr) };
        let result = match model {
            Model::Absolute => {
                self.check_negation(value, expr.span);
                self.absolute(value)
            }
            Model::SwapBytes => self.swap_bytes(value),
            Model::CountOnes => self.count_ones(value),
            Model::Parity => {
                let count = self.count_ones(value);
                let size = self.pool.width(count);
                let one = self.pool.bv(size, 1);
                self.pool.bvand(count, one)
            }
            Model::FindFirst => self.find_first(value),
            Model::TrailingZeros | Model::LeadingZeros => {
                let size = self.pool.width(value);
                let zero = self.pool.bv(size, 0);
                if self.pool.bv_constant(value) == self.pool.bv_constant(zero) {
                    return self.unmodelled("count of zeros in zero", expr);
                }
                let (fine, undefined) = (self.point(), self.point());
                let nonzero = self.pool.ne(value, zero);
                self.branch_on(nonzero, fine, undefined, expr.span);
                self.state().current = undefined;
                self.unsupported("count of zeros in zero", expr.span);
                self.state().current = fine;
                if model == Model::TrailingZeros {
                    self.trailing_zeros(value)
                } else {
                    self.leading_zeros(value)
                }
            }
            Model::ChangeCase(first, last, distance) => self.change_case(value, first, last, distance),
            _ => return self.unmodelled("library function", expr),
        };
        let given = self.pool.width(result);
        let result = if given > width {
            self.pool.extract(width - 1, 0, result)
        } else {
            self.pool.zero_extend_to(width, result)
        };
        self.deliver(result, expr, wanted)
    }

    fn absolute(&mut self, value: Term) -> Term {
        let width = self.pool.width(value);
        let zero = self.pool.bv(width, 0);
        let negative = self.pool.slt(value, zero);
        let negated = self.pool.neg(value);
        self.pool.ite(negative, negated, value)
    }

    pub(in crate::lower) fn swap_bytes(&mut self, value: Term) -> Term {
        let width = self.pool.width(value);
        let mut result = self.pool.extract(7, 0, value);
        for byte in 1..width / 8 {
            let next = self.pool.extract(8 * byte + 7, 8 * byte, value);
            result = self.pool.concat(result, next);
        }
        result
    }

    fn count_ones(&mut self, value: Term) -> Term {
        let width = self.pool.width(value);
        let mut sum = self.pool.bv(width, 0);
        for bit in 0..width {
            let bit = self.pool.extract(bit, bit, value);
            let bit = self.pool.zero_extend_to(width, bit);
            sum = self.pool.add(sum, bit);
        }
        sum
    }

    /// Chooses by the first bit that is set in the given order; `otherwise` if none is.
    fn by_first_set(&mut self, value: Term, bits: impl Iterator<Item = (u32, u32)>, otherwise: u32) -> Term {
        let width = self.pool.width(value);
        let one = self.pool.bv(1, 1);
        let mut result = self.pool.bv(width, u128::from(otherwise));
        for (position, answer) in bits {
            let bit = self.pool.extract(position, position, value);
            let set = self.pool.eq(bit, one);
            let answer = self.pool.bv(width, u128::from(answer));
            result = self.pool.ite(set, answer, result);
        }
        result
    }

    fn find_first(&mut self, value: Term) -> Term {
        let width = self.pool.width(value);
        self.by_first_set(value, (0..width).rev().map(|bit| (bit, bit + 1)), 0)
    }

    fn trailing_zeros(&mut self, value: Term) -> Term {
        let width = self.pool.width(value);
        self.by_first_set(value, (0..width).rev().map(|bit| (bit, bit)), width)
    }

    fn leading_zeros(&mut self, value: Term) -> Term {
        let width = self.pool.width(value);
        self.by_first_set(value, (0..width).map(|bit| (bit, width - 1 - bit)), width)
    }

    fn change_case(&mut self, value: Term, first: u8, last: u8, distance: i8) -> Term {
        let width = self.pool.width(value);
        let (first, last) = (self.pool.bv(width, u128::from(first)), self.pool.bv(width, u128::from(last)));
        let distance = self.pool.bv_signed(width, i128::from(distance));
        let (above, below) = (self.at_most(first, value, true), self.at_most(value, last, true));
        let is_letter = self.pool.and(above, below);
        let changed = self.pool.add(value, distance);
        self.pool.ite(is_letter, changed, value)
    }
}
