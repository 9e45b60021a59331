//! Memory in C expressions: `a[2]`, `s.next`, `*p`, `*(int *)((unsigned long)p + 4)`.

use super::{Printer, Reading, c_type, level};
use crate::objects::Precision;
use crate::program::Presentation;
use aster_term::{Op as TermOp, Sort, Term};
use std::fmt::Write;

impl Printer<'_> {
    /// A read from memory, with the writes before it as cases.
    pub(super) fn read(&mut self, mut array: Term, index: Term, level: u8, depth: u32) {
        loop {
            let args = self.pool.args(array);
            match (self.pool.op(array), args) {
                (TermOp::Store, &[before, at, value]) => {
                    if at == index {
                        return self.term(value, level, Reading::Either, depth);
                    }
                    if self.pool.constant(at).is_some() && self.pool.constant(index).is_some() {
                        array = before;
                        continue;
                    }
                    return self.parenthesised(level > level::TERNARY, |this| {
                        this.relation("==", level::EQUALITY, at, index, Reading::Either, level::OR, depth);
                        this.out.push_str(" ? ");
                        this.term(value, level::OR, Reading::Either, depth);
                        this.out.push_str(" : ");
                        this.read_if_short(before, index, level::TERNARY, depth);
                    });
                }
                (TermOp::Ite, &[condition, then, otherwise]) => {
                    return self.parenthesised(level > level::TERNARY, |this| {
                        this.term(condition, level::OR, Reading::Either, depth);
                        this.out.push_str(" ? ");
                        this.read_if_short(then, index, level::OR, depth);
                        this.out.push_str(" : ");
                        this.read_if_short(otherwise, index, level::TERNARY, depth);
                    });
                }
                (TermOp::ConstArray { .. }, &[element]) => {
                    return self.term(element, level, Reading::Either, depth);
                }
                _ => {
                    let Sort::Array { element, .. } = self.pool.sort(array) else { return };
                    return self.cell(array, index, element, level, depth);
                }
            }
        }
    }

    fn read_if_short(&mut self, array: Term, index: Term, level: u8, depth: u32) {
        if self.is_cut(depth) {
            self.out.push('…');
        } else {
            self.read(array, index, level, depth + 1);
        }
    }

    /// Bits of a variable that is an array, from an index on.
    pub(super) fn cell(&mut self, array: Term, index: Term, width: u32, level: u8, depth: u32) {
        if self.is_extents(array) {
            let address = self.rounded_down(index).unwrap_or(index);
            return self.function("object_extent", &[address], None, depth);
        }
        let address = self.pool.bv_constant(index).map(|bits| bits.unsigned());
        if let Some(name) = address.and_then(|address| self.program.scalar_at(address, u128::from(width / 8)))
        {
            self.out.push_str(&name);
            return;
        }
        self.parenthesised(level > level::UNARY, |this| {
            let own_type = this.pointer_type(index).map(str::to_owned);
            match c_type(false, width) {
                Some(name) if own_type.as_ref().is_some_and(|own| *own == format!("{name} *")) => {
                    this.out.push('*');
                    this.variable(index);
                }
                name => {
                    let _ = write!(this.out, "*({} *)", name.unwrap_or("_BitInt"));
                    if own_type.is_some() {
                        this.variable(index);
                    } else {
                        this.term(index, level::UNARY, Reading::Unsigned, depth);
                    }
                }
            }
        });
    }

    /// True for variables that hold the extents of objects, by where they begin.
    pub(super) fn is_extents(&self, array: Term) -> bool {
        let variable = self.program.variable_of_term(array);
        variable.is_some_and(|variable| self.program.variable(variable).name.starts_with("<extents"))
    }

    /// The address whose object begins at this one: low bits of it are cut off, more of them the further up it is.
    fn rounded_down(&self, base: Term) -> Option<Term> {
        self.masked(base, |mask| mask.leading_ones() + mask.trailing_zeros() == u128::BITS)
    }

    /// The address that this is the offset of in its object: only low bits of it are left.
    pub(super) fn offset_of(&self, offset: Term) -> Option<Term> {
        matches!(self.pool.op(offset), TermOp::Ite)
            .then(|| self.masked(offset, |mask| (mask + 1).is_power_of_two()))?
    }

    /// What a term is if it is an address with some of its bits cut off; which ones may depend on its size.
    fn masked(&self, term: Term, is_expected: impl Fn(u128) -> bool + Copy) -> Option<Term> {
        let width = self.pool.width(term);
        match (self.pool.op(term), self.pool.args(term)) {
            (TermOp::Ite, &[condition, then, otherwise]) => {
                let (TermOp::BvUlt, &[address, limit]) = (self.pool.op(condition), self.pool.args(condition))
                else {
                    return None;
                };
                self.pool.constant(limit)?;
                let same = |branch| self.masked(branch, is_expected) == Some(address);
                (same(then) && same(otherwise)).then_some(address)
            }
            (TermOp::BvAnd, &[a, b]) => {
                let (mask, address) = if self.pool.constant(a).is_some() { (a, b) } else { (b, a) };
                let mask = self.pool.bv_constant(mask)?.unsigned();
                // Ones above the width do not matter.
                let above = if width == 128 { 0 } else { u128::MAX << width };
                (is_expected(mask) || is_expected(mask | above)).then_some(address)
            }
            (TermOp::BvZeroExtend(_), &[low]) => match (self.pool.op(low), self.pool.args(low)) {
                (TermOp::BvExtract { high, low: 0 }, &[address]) => {
                    is_expected((1 << (high + 1)) - 1).then_some(address)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Bytes of memory that stand next to each other, most significant first, as one value: where they begin. `None` if
    /// the parts of a concatenation are something else.
    pub(super) fn adjacent_bytes(&self, concatenation: Term) -> Option<(Term, Term)> {
        let mut found: Option<(Term, Term)> = None;
        let mut rest = concatenation;
        loop {
            let (part, next) = match (self.pool.op(rest), self.pool.args(rest)) {
                (TermOp::BvConcat, &[first, second]) => (first, Some(second)),
                _ => (rest, None),
            };
            let (TermOp::Select, &[array, index]) = (self.pool.op(part), self.pool.args(part)) else {
                return None;
            };
            if self.pool.width(part) != 8 || !matches!(self.pool.op(array), TermOp::Variable(_)) {
                return None;
            }
            if let Some((same, above)) = found
                && (same != array || self.distance(index, above) != Some(1))
            {
                return None;
            }
            found = Some((array, index));
            match next {
                Some(next) => rest = next,
                None => return found,
            }
        }
    }

    /// How many bytes one address is before another, if that is known.
    fn distance(&self, one: Term, other: Term) -> Option<u128> {
        let (base, offset) = self.base_and_offset(one);
        let (other_base, other_offset) = self.base_and_offset(other);
        (base == other_base).then(|| other_offset.wrapping_sub(offset))
    }

    fn base_and_offset(&self, address: Term) -> (Option<Term>, u128) {
        if let Some(bits) = self.pool.bv_constant(address) {
            return (None, bits.unsigned());
        }
        if let (TermOp::BvAdd, &[a, b]) = (self.pool.op(address), self.pool.args(address)) {
            for (base, offset) in [(a, b), (b, a)] {
                if let Some(bits) = self.pool.bv_constant(offset) {
                    return (Some(base), bits.unsigned());
                }
            }
        }
        (Some(address), 0)
    }

    /// The type of a variable that is a pointer.
    pub(super) fn pointer_type(&self, term: Term) -> Option<&str> {
        match &self.program.variable(self.program.variable_of_term(term)?).presentation {
            Some(Presentation::Pointer(name)) => Some(name),
            _ => None,
        }
    }

    /// A comparison of a pointer with a place, with null, or with another pointer; false if it is none.
    pub(super) fn compare_pointers(&mut self, symbol: &str, own: u8, a: Term, b: Term, level: u8) -> bool {
        if !matches!(symbol, "==" | "!=") || self.pointer_type(a).is_none() {
            return false;
        }
        let other = match self.pool.bv_constant(b) {
            Some(bits) if bits.unsigned() == 0 => "0".to_owned(),
            Some(bits) => match self.program.place_at(bits.unsigned(), Precision::Innermost) {
                // Inside of a scalar there are no names.
                Some(place) if !place.ends_with(" bytes") => format!("&{place}"),
                _ => return false,
            },
            None if self.pointer_type(a) == self.pointer_type(b) => String::new(),
            None => return false,
        };
        self.parenthesised(level > own, |this| {
            this.variable(a);
            let _ = write!(this.out, " {symbol} {other}");
            if other.is_empty() {
                this.variable(b);
            }
        });
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::objects::{MemoryObject, Shape};
    use crate::program::Presentation;
    use crate::show_c_expression;
    use crate::testing::Sketch;
    use aster_term::{Op, Sort, Term, TermPool};
    use std::sync::Arc;

    /// A program with an array `a` of four ints at 64, a pointer `p` to int, memory of ints, of bytes, and extents.
    fn show(build: impl FnOnce(&mut TermPool, [Term; 4]) -> Term) -> String {
        let mut sketch = Sketch::new("");
        let pointer = Presentation::Pointer("int *".into());
        let p = sketch.variable(None, "p", Sort::BitVec(32), Some(pointer));
        let mut array =
            |name: &str, element| sketch.variable(None, name, Sort::Array { index: 32, element }, None);
        let variables = [p, array("<memory 0>", 32), array("<memory 1>", 8), array("<extents 0>", 32)];
        let terms = variables.map(|variable| sketch.term(variable));
        let main = sketch.procedure("main");
        let (mut program, mut pool) = sketch.finish(main);
        let shape = Arc::new(Shape::Array(4, Arc::new(Shape::Scalar)));
        program.objects.push(MemoryObject { name: "a".into(), address: 64, size: 16, shape });
        let term = build(&mut pool, terms);
        show_c_expression(&program, &pool, term)
    }

    #[test]
    fn cells_have_the_names_of_what_is_there() {
        let read = |address: u128| {
            move |pool: &mut TermPool, [_, words, ..]: [Term; 4]| {
                let address = pool.bv(32, address);
                pool.apply_raw(Op::Select, &[words, address])
            }
        };
        assert_eq!(show(read(72)), "a[2]");
        assert_eq!(show(read(73)), "*(int *)73");
        assert_eq!(show(|pool, [p, words, ..]| pool.apply_raw(Op::Select, &[words, p])), "*p");
        assert_eq!(
            show(|pool, [p, _, bytes, _]| pool.apply_raw(Op::Select, &[bytes, p])),
            "*(signed char *)p"
        );
    }

    #[test]
    fn bytes_next_to_each_other_are_one_value() {
        let word = |distance: u128| {
            move |pool: &mut TermPool, [p, _, bytes, _]: [Term; 4]| {
                let byte = |pool: &mut TermPool, offset| {
                    let offset = pool.bv(32, offset);
                    let address = pool.add(p, offset);
                    pool.select(bytes, address)
                };
                let (low, high) = (byte(pool, 4), byte(pool, 4 + distance));
                pool.apply_raw(Op::BvConcat, &[high, low])
            }
        };
        assert_eq!(show(word(1)), "*(short *)((unsigned long)p + 4)");
        assert!(show(word(2)).starts_with("concat("), "{}", show(word(2)));
    }

    #[test]
    fn writes_before_a_read_are_cases() {
        let text = show(|pool, [p, words, ..]| {
            let (address, seven) = (pool.bv(32, 72), pool.bv(32, 7));
            let written = pool.apply_raw(Op::Store, &[words, p, seven]);
            pool.apply_raw(Op::Select, &[written, address])
        });
        assert_eq!(text, "p == &a[2] ? 7 : a[2]");
    }

    #[test]
    fn extents_and_offsets_have_names() {
        let text = show(|pool, [p, _, _, extents]| {
            let (limit, coarse, fine) =
                (pool.bv(32, 1 << 20), pool.bv(32, 0xffff_f000), pool.bv(32, 0xffff_fff0));
            let is_low = pool.ult(p, limit);
            let bases = (pool.bvand(p, fine), pool.bvand(p, coarse));
            let base = pool.apply_raw(Op::Ite, &[is_low, bases.0, bases.1]);
            let (fine, coarse) = (pool.bv(32, 0xf), pool.bv(32, 0xfff));
            let offsets = (pool.bvand(p, fine), pool.bvand(p, coarse));
            let offset = pool.apply_raw(Op::Ite, &[is_low, offsets.0, offsets.1]);
            let extent = pool.apply_raw(Op::Select, &[extents, base]);
            pool.apply_raw(Op::BvUlt, &[offset, extent])
        });
        assert_eq!(text, "object_offset((unsigned long)p) < object_extent((unsigned long)p)");
    }
}
