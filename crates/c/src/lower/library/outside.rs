//! Functions that deal with the world outside of the program: output, files, the clock.
//!
//! The memory that they read is checked, and the format of `printf` is read. Results are arbitrary within what the function
//! promises; where the real function gives one number of many, the result is known roughly only.

use super::super::Lowering;
use super::super::calls::Wanted;
use super::super::memory::{Place, When};
use super::counted;
use crate::library::format::{Amount, Conversion, Format, Kind, Size, Use};
use crate::library::{Gives, Outside, Reads, character_size, formats, literals, stream_argument};
use crate::typed::Expr;
use crate::types::{FloatKind, Type};
use aster_cfa::{ErrorKind, Input, InputOrigin, Label, Op, Presentation};
use aster_term::{Sort, Term};
use lang_c::span::Span;

/// Bytes of a wide character.
const WIDE: u64 = 4;

/// How many characters a format makes: at least, at most.
type Length = (u64, Option<u64>);

/// An argument after it was evaluated: its value, unless it is a structure.
pub(super) type Value = Option<Term>;

impl Lowering<'_> {
    /// A call of a function that deals with the world outside.
    pub(super) fn outside_call(
        &mut self,
        name: &str,
        outside: Outside,
        arguments: &[Expr],
        expr: &Expr,
        wanted: Wanted,
    ) -> Term {
        let values = self.outside_arguments(arguments);
        if let Some(stream) = outside.stream
            && let Some(value) = values[stream]
        {
            self.check_stream(value, outside.all_streams, arguments[stream].span);
        }
        let mut length = (0, None);
        match outside.reads {
            Reads::Nothing => {}
            Reads::Texts(first, count) => {
                for position in first..first + count {
                    self.check_text(&arguments[position], values[position], 1, None);
                }
            }
            Reads::OptionalText(position) => self.check_optional_text(&arguments[position], values[position]),
            Reads::WideText(position) => self.check_text(&arguments[position], values[position], WIDE, None),
            Reads::Format(at) => match self.check_format(name, arguments, &values, at, 1, expr) {
                Some(found) => length = found,
                None => return self.dummy(expr.ty),
            },
            Reads::WideFormat(at) => match self.check_format(name, arguments, &values, at, WIDE, expr) {
                Some(found) => length = found,
                None => return self.dummy(expr.ty),
            },
            Reads::FormatOfList(at) => match self.check_list_format(name, arguments, at, expr) {
                Some(found) => length = found,
                None => return self.dummy(expr.ty),
            },
            Reads::Bytes { from, length } => {
                if let (Some(pointer), Some(length)) = (values[from], values[length]) {
                    let length = self.as_size(length, &arguments[length_position(outside.reads)]);
                    self.check_bytes(&arguments[from], pointer, length, expr.span);
                }
            }
            Reads::Elements { from, size, count } => {
                if let (Some(pointer), Some(size_value), Some(count_value)) =
                    (values[from], values[size], values[count])
                {
                    let size = self.as_size(size_value, &arguments[size]);
                    let count = self.as_size(count_value, &arguments[count]);
                    if let Some(length) = self.product(size, count, expr.span) {
                        self.check_bytes(&arguments[from], pointer, length, expr.span);
                    }
                }
            }
        }
        self.outside_gives(name, outside, &values, length, expr, wanted)
    }

    /// Evaluates arguments, left to right.
    pub(super) fn outside_arguments(&mut self, arguments: &[Expr]) -> Vec<Value> {
        let last_effect = arguments.iter().rposition(|argument| argument.effects);
        let mut values = Vec::with_capacity(arguments.len());
        for (position, argument) in arguments.iter().enumerate() {
            if let Some(stream) = stream_argument(self.typed, argument) {
                values.push(Some(self.stream_pointer(stream)));
                continue;
            }
            if self.width(argument.ty).is_none() {
                self.effect(argument);
                values.push(None);
                continue;
            }
            let mut value = self.value(argument);
            if last_effect.is_some_and(|last| position < last) {
                value = self.snapshot(value, argument.span);
            }
            values.push(Some(value));
        }
        values
    }

    /// An integer argument converted to `size_t`.
    fn as_size(&mut self, value: Term, argument: &Expr) -> Term {
        let (width, given) = (self.pointer_width(), self.pool.width(value));
        if given > width {
            self.pool.extract(width - 1, 0, value)
        } else if self.is_signed(argument.ty) {
            self.pool.sign_extend_to(width, value)
        } else {
            self.pool.zero_extend_to(width, value)
        }
    }

    /// A product of sizes that must not wrap around.
    fn product(&mut self, left: Term, right: Term, span: Span) -> Option<Term> {
        let width = self.pointer_width();
        let (a, b) = (self.pool.zero_extend_to(2 * width, left), self.pool.zero_extend_to(2 * width, right));
        let product = self.pool.mul(a, b);
        let high = self.pool.extract(2 * width - 1, width, product);
        let zero = self.address(0);
        let fits = self.pool.eq(high, zero);
        self.require(fits, ErrorKind::InvalidDereference, "more bytes than memory has are read", span);
        Some(self.pool.extract(width - 1, 0, product))
    }

    /// Control goes on only if so many bytes can be read, if there are any.
    fn check_bytes(&mut self, argument: &Expr, pointer: Term, length: Term, span: Span) {
        let (pointer, length) = (self.snapshot(pointer, span), self.snapshot(length, span));
        self.unless_empty(length, span, |lowering| {
            if let Some(place) = lowering.readable(argument, pointer) {
                lowering.check_range(&place, length, span);
            }
        });
    }

    /// The place that a pointer points to; `None` if there is no such place, and then control does not go on.
    fn readable(&mut self, argument: &Expr, pointer: Term) -> Option<Place> {
        if self.pool.bv_constant(pointer).is_some_and(|bits| bits.unsigned() == 0) {
            self.undefined(
                ErrorKind::InvalidDereference,
                "null pointer is given to a function that reads",
                When::Always,
                argument.span,
            );
            return None;
        }
        if self.memory.regions.of_pointer(argument).is_none() {
            self.points_nowhere(pointer, When::Always, argument.span);
            return None;
        }
        self.argument_place(argument, pointer, argument.span)
    }

    fn check_optional_text(&mut self, argument: &Expr, value: Value) {
        let Some(value) = value else { return };
        let span = argument.span;
        let value = self.snapshot(value, span);
        let null = self.address(0);
        let given = self.pool.ne(value, null);
        if self.pool.bool_constant(given) == Some(false) {
            return;
        }
        let (some, end) = (self.point(), self.point());
        self.branch_on(given, some, end, span);
        self.state().current = some;
        self.check_text(argument, Some(value), 1, None);
        self.jump(end);
        self.state().current = end;
    }

    /// Control goes on only if all characters up to the one that is zero can be read; of those, at most `limit`.
    fn check_text(&mut self, argument: &Expr, value: Value, bytes: u64, limit: Option<Term>) {
        let Some(value) = value else { return };
        if literals(self.typed, argument, bytes).is_some() {
            return;
        }
        let span = argument.span;
        let value = self.snapshot(value, span);
        match limit {
            Some(limit) => {
                let limit = self.snapshot(limit, span);
                self.unless_empty(limit, span, |lowering| {
                    lowering.text_loop(argument, value, bytes, Some(limit));
                });
            }
            None => self.text_loop(argument, value, bytes, None),
        }
    }

    fn text_loop(&mut self, argument: &Expr, value: Term, bytes: u64, limit: Option<Term>) {
        let span = argument.span;
        let Some(place) = self.readable(argument, value) else { return };
        let place = self.keep(place, span);
        let counter = self.temporary(self.pointer_width());
        let (zero, step, one) = (self.address(0), self.address(bytes), self.address(1));
        let (head, end) = (self.point(), self.point());
        self.assign(counter, zero, span);
        self.arrive(head);
        let position = self.term(counter);
        let distance = self.pool.mul(position, step);
        let at = self.moved(place, distance);
        self.check_access(&at, bytes, span);
        let character = self.read_bytes(at.region, at.address, bytes);
        let nothing = self.pool.bv(self.pool.width(character), 0);
        let mut goes_on = self.pool.ne(character, nothing);
        let next = self.pool.add(position, one);
        if let Some(limit) = limit {
            let more = self.pool.ult(next, limit);
            goes_on = self.pool.and(goes_on, more);
        }
        let inside = self.point();
        self.branch_on(goes_on, inside, end, span);
        self.state().current = inside;
        self.assign(counter, next, span);
        self.jump(head);
        self.state().current = end;
    }

    /// Behaviour that C leaves undefined and no property is about.
    pub(in crate::lower) fn not_defined(&mut self, what: &str, when: When, span: Span) {
        self.end_undefined(what, when, span);
        self.dead_end();
    }

    /// Checks what a format asks for; `None` if control does not go on.
    fn check_format(
        &mut self,
        name: &str,
        arguments: &[Expr],
        values: &[Value],
        at: usize,
        bytes: u64,
        expr: &Expr,
    ) -> Option<Length> {
        let Some(texts) = literals(self.typed, &arguments[at], bytes) else {
            return self.check_other_format(name, arguments, values, at, bytes, expr);
        };
        let formats = formats(self.typed, &arguments[at], bytes).unwrap_or_default();
        let alike = |format: &Format| format.conversions == formats[0].conversions;
        if formats.len() != texts.len() || !formats.iter().all(alike) {
            self.unsupported(&format!("format of '{name}' that is not known"), arguments[at].span);
            return None;
        }
        let counts: Vec<u64> = formats.iter().map(|format| format.plain).collect();
        let (least, most) = (counts.iter().min().copied()?, counts.iter().max().copied()?);
        let (low, high) = self.check_conversions(name, &formats[0], arguments, values, at + 1, expr)?;
        Some((low.saturating_add(least), high.map(|high| high.saturating_add(most))))
    }

    /// Checks the arguments that directives ask for; gives how many characters they become.
    fn check_conversions(
        &mut self,
        name: &str,
        format: &Format,
        arguments: &[Expr],
        values: &[Value],
        first: usize,
        expr: &Expr,
    ) -> Option<Length> {
        let mut total = (0u64, Some(0u64));
        let uses = format.uses();
        if first + uses.len() > arguments.len() {
            self.not_defined(
                &format!("'{name}' is given fewer arguments than its format asks for"),
                When::Always,
                expr.span,
            );
            return None;
        }
        let mut misplaced = false;
        for (distance, &used) in uses.iter().enumerate() {
            let (argument, value) = (&arguments[first + distance], values[first + distance]);
            let Use::Converted(index, precision) = used else {
                if self.width(argument.ty) != Some(32) || !self.typed.types.is_integer(argument.ty) {
                    self.not_defined("width or precision that is no 'int'", When::Always, argument.span);
                    return None;
                }
                continue;
            };
            let conversion = &format.conversions[index];
            match self.fits_directive(conversion, argument) {
                Fit::Fits => {}
                // Where arguments are passed on the stack, those after it are looked for in the wrong place.
                Fit::OtherWidth => misplaced |= self.pointer_width() == 32,
                Fit::No => {
                    self.not_defined(
                        "argument of another type than its directive in the format",
                        When::Always,
                        argument.span,
                    );
                    return None;
                }
            }
            match conversion.kind {
                Kind::Count => {
                    self.unsupported(&format!("call of '{name}' that writes to memory"), expr.span);
                    return None;
                }
                Kind::Text | Kind::Pointer if misplaced => {
                    self.not_defined(
                        "argument of another type than its directive in the format",
                        When::Always,
                        expr.span,
                    );
                    return None;
                }
                Kind::Text => {
                    let bytes = character_size(conversion.size);
                    self.check_directive_text(
                        conversion,
                        argument,
                        value,
                        precision.and_then(|position| values[first + position]),
                        bytes,
                    );
                }
                _ => {}
            }
        }
        for (index, conversion) in format.conversions.iter().enumerate() {
            let position = uses.iter().position(|used| matches!(used, Use::Converted(at, _) if *at == index));
            let argument = position.map(|position| &arguments[first + position]);
            let text = argument.and_then(|argument| self.known_length(conversion, argument));
            let (low, high) = conversion.length(text);
            total.0 = total.0.saturating_add(low);
            total.1 = total.1.zip(high).map(|(a, b)| a.saturating_add(b));
        }
        Some(total)
    }

    /// How long the text of a directive is, if it is a literal.
    fn known_length(&self, conversion: &Conversion, argument: &Expr) -> Option<u64> {
        if conversion.kind != Kind::Text || conversion.size == Size::Long {
            return None;
        }
        let texts = literals(self.typed, argument, 1)?;
        let [text] = &texts[..] else { return None };
        let length = text.iter().position(|&character| character == 0).unwrap_or(text.len());
        u64::try_from(length).ok()
    }

    fn check_directive_text(
        &mut self,
        conversion: &Conversion,
        argument: &Expr,
        value: Value,
        precision: Value,
        bytes: u64,
    ) {
        let limit = match conversion.precision {
            Amount::None => None,
            Amount::Given(limit) => Some(self.address(limit)),
            // A negative one counts as none.
            Amount::Argument => precision.map(|precision| {
                let width = self.pointer_width();
                self.pool.sign_extend_to(width, precision)
            }),
        };
        match limit {
            // Wide characters may become several bytes each; those that do not fit are read or not.
            Some(_) if bytes > 1 && literals(self.typed, argument, bytes).is_none() => {
                self.unsupported("wide text with a precision", argument.span);
            }
            limit => self.check_text(argument, value, bytes, limit),
        }
    }

    /// Whether an argument has the type that a directive asks for.
    fn fits_directive(&self, conversion: &Conversion, argument: &Expr) -> Fit {
        let types = &self.typed.types;
        let (is_pointer, is_integer) = (types.is_pointer(argument.ty), types.is_integer(argument.ty));
        let width = self.width(argument.ty).unwrap_or(0);
        let fits = |fits: bool| if fits { Fit::Fits } else { Fit::No };
        match conversion.kind {
            Kind::Integer { .. } | Kind::Character => {
                let wanted = match conversion.size {
                    _ if conversion.kind == Kind::Character => 32,
                    Size::Char | Size::Short | Size::Int => 32,
                    Size::Long | Size::Pointer => self.pointer_width(),
                    Size::LongLong | Size::LongDouble => 64,
                };
                match (is_integer, width == wanted) {
                    (true, true) => Fit::Fits,
                    (true, false) => Fit::OtherWidth,
                    (false, _) => Fit::No,
                }
            }
            Kind::Text | Kind::Pointer | Kind::Count => fits(is_pointer),
            Kind::Float => {
                let wanted = match conversion.size {
                    Size::LongDouble => FloatKind::LongDouble,
                    _ => FloatKind::Double,
                };
                fits(matches!(types.get(argument.ty), Type::Float(kind) if *kind == wanted))
            }
            Kind::Error => Fit::Fits,
        }
    }

    /// A format that is not written in the call. It can make the function write only if there is a pointer to write through.
    fn check_other_format(
        &mut self,
        name: &str,
        arguments: &[Expr],
        values: &[Value],
        at: usize,
        bytes: u64,
        expr: &Expr,
    ) -> Option<Length> {
        let rest = &arguments[at + 1..];
        if !rest.iter().all(|argument| self.cannot_be_written(argument)) {
            self.unsupported(&format!("call of '{name}' that may write to memory"), expr.span);
            return None;
        }
        self.check_text(&arguments[at], values[at], bytes, None);
        Some((0, None))
    }

    /// A format whose arguments are in a list: what it asks for is not looked up there.
    fn check_list_format(
        &mut self,
        name: &str,
        arguments: &[Expr],
        at: usize,
        expr: &Expr,
    ) -> Option<Length> {
        let formats = formats(self.typed, &arguments[at], 1).unwrap_or_default();
        let harmless = |conversion: &Conversion| {
            matches!(conversion.kind, Kind::Integer { .. } | Kind::Character | Kind::Float | Kind::Pointer)
        };
        let [format] = &formats[..] else {
            self.unsupported(&format!("format of '{name}' that is not written in the call"), expr.span);
            return None;
        };
        if !format.conversions.iter().all(harmless) {
            self.unsupported(&format!("call of '{name}' that reads or writes memory"), expr.span);
            return None;
        }
        Some((0, None))
    }

    /// The result of a function.
    fn outside_gives(
        &mut self,
        name: &str,
        outside: Outside,
        values: &[Value],
        length: Length,
        expr: &Expr,
        wanted: Wanted,
    ) -> Term {
        let types = &self.typed.types;
        if types.is_void(expr.ty) {
            return self.dummy(expr.ty);
        }
        let external = InputOrigin::External(name.to_owned());
        let Some(width) = self.width(expr.ty) else { return self.dummy(expr.ty) };
        let value = |position: usize| values.get(position).copied().flatten();
        match outside.gives {
            Gives::Nothing => self.dummy(expr.ty),
            Gives::Pointer => self.input_call(external, expr, counted(wanted)),
            Gives::NewStream => self.opened_stream(name, expr, counted(wanted)),
            Gives::ClosedStream => {
                if let Some(stream) = value(0) {
                    self.close_stream(stream, expr.span);
                }
                self.number_between(external, (-1, 0), expr, wanted)
            }
            Gives::Range(low, high) => {
                let most = if width >= 64 { i64::MAX } else { (1 << (width - 1)) - 1 };
                let counted = if matches!(outside.reads, Reads::Nothing) { counted(wanted) } else { wanted };
                self.number_between(external, (low, high.min(most)), expr, counted)
            }
            Gives::Length => {
                let most = (1i64 << 31) - 1;
                let (low, high) = (to_signed(length.0).min(most), length.1.map_or(most, to_signed).min(most));
                if low == high {
                    return self.one_or_error(external, low, expr, wanted);
                }
                let rough = InputOrigin::Approximated(name.to_owned());
                let value = self.number_between(rough, (-1, high), expr, wanted);
                if wanted != Wanted::Nothing {
                    let (least, error) =
                        (self.pool.bv_signed(width, i128::from(low)), self.pool.bv_signed(width, -1));
                    let (enough, failed) = (self.at_most(least, value, true), self.pool.eq(value, error));
                    let possible = self.pool.or(enough, failed);
                    self.assume(possible, expr.span);
                }
                value
            }
            Gives::Character(position) => {
                let Some(given) = value(position) else { return self.dummy(expr.ty) };
                let byte = self.pool.extract(7, 0, given);
                let byte = self.pool.zero_extend_to(width, byte);
                self.this_or_error(external, byte, expr, wanted)
            }
            Gives::Same(position) => {
                let Some(given) = value(position) else { return self.dummy(expr.ty) };
                let given = self.resized(given, width);
                self.this_or_error(external, given, expr, wanted)
            }
            Gives::UpTo(position) | Gives::UpToOrError(position) => {
                let Some(given) = value(position) else { return self.dummy(expr.ty) };
                let given = self.resized(given, width);
                let result = self.input_call(external, expr, wanted);
                if wanted != Wanted::Nothing {
                    let mut possible = self.pool.ule(result, given);
                    if matches!(outside.gives, Gives::UpToOrError(_)) {
                        let error = self.pool.bv_signed(width, -1);
                        let failed = self.pool.eq(result, error);
                        possible = self.pool.or(possible, failed);
                    }
                    self.assume(possible, expr.span);
                }
                result
            }
        }
    }

    /// An integer cut or filled up with zeros.
    fn resized(&mut self, value: Term, width: u32) -> Term {
        if self.pool.width(value) > width {
            self.pool.extract(width - 1, 0, value)
        } else {
            self.pool.zero_extend_to(width, value)
        }
    }

    /// An input in a range.
    fn number_between(
        &mut self,
        origin: InputOrigin,
        (low, high): (i64, i64),
        expr: &Expr,
        wanted: Wanted,
    ) -> Term {
        let value = self.input_call(origin, expr, wanted);
        if wanted == Wanted::Nothing || !self.typed.types.is_integer(expr.ty) {
            return value;
        }
        let width = self.pool.width(value);
        let low = self.pool.bv_signed(width, i128::from(low));
        let high = self.pool.bv_signed(width, i128::from(high));
        let (above, below) = (self.at_most(low, value, true), self.at_most(value, high, true));
        let within = self.pool.and(above, below);
        self.assume(within, expr.span);
        value
    }

    fn one_or_error(&mut self, origin: InputOrigin, number: i64, expr: &Expr, wanted: Wanted) -> Term {
        let Some(width) = self.width(expr.ty) else { return self.dummy(expr.ty) };
        let number = self.pool.bv_signed(width, i128::from(number));
        self.this_or_error(origin, number, expr, wanted)
    }

    /// The term, or -1.
    fn this_or_error(&mut self, origin: InputOrigin, term: Term, expr: &Expr, wanted: Wanted) -> Term {
        let value = self.input_call(origin, expr, wanted);
        if wanted != Wanted::Nothing {
            let error = self.pool.bv_signed(self.pool.width(value), -1);
            let (fine, failed) = (self.pool.eq(value, term), self.pool.eq(value, error));
            let possible = self.pool.or(fine, failed);
            self.assume(possible, expr.span);
        }
        value
    }

    /// Tells which streams were closed, by address; `None` if the program closes none.
    pub(in crate::lower) fn closed_streams(&mut self) -> Option<aster_cfa::Var> {
        if !self.mentions("fclose") {
            return None;
        }
        if self.streams.closed.is_none() {
            let sort = Sort::Array { index: self.pointer_width(), element: 8 };
            self.streams.closed = Some(self.memory_variable("<closed streams>".to_owned(), sort));
        }
        self.streams.closed
    }

    /// Counts the streams that were opened.
    fn opened_streams(&mut self) -> aster_cfa::Var {
        if let Some(variable) = self.streams.opened {
            return variable;
        }
        let sort = Sort::BitVec(self.pointer_width());
        let variable = self.memory_variable("<opened streams>".to_owned(), sort);
        self.streams.opened = Some(variable);
        variable
    }

    /// Control goes on only if a stream is one, and open.
    fn check_stream(&mut self, stream: Term, may_be_null: bool, span: Span) {
        let null = self.address(0);
        let given = self.pool.ne(stream, null);
        if !may_be_null {
            self.require(given, ErrorKind::InvalidDereference, "null pointer is given as a stream", span);
        }
        if let Some(closed) = self.closed_streams() {
            let closed = self.term(closed);
            let (state, open) = (self.pool.select(closed, stream), self.pool.bv(8, 0));
            let is_open = self.pool.eq(state, open);
            self.require(is_open, ErrorKind::InvalidDereference, "stream is used that was closed", span);
        }
    }

    fn close_stream(&mut self, stream: Term, span: Span) {
        let Some(variable) = self.closed_streams() else { return };
        let (closed, yes) = (self.term(variable), self.pool.bv(8, 1));
        let changed = self.pool.store(closed, stream, yes);
        self.assign(variable, changed, span);
    }

    /// Null, or a stream that no other pointer points to.
    fn opened_stream(&mut self, name: &str, expr: &Expr, wanted: Wanted) -> Term {
        let fails = self.library_choice(name, expr.span);
        let opened = self.opened_streams();
        let (count, one) = (self.term(opened), self.address(1));
        let next = self.pool.add(count, one);
        self.assign(opened, next, expr.span);
        let room = self.address(super::super::memory::MAX_STREAMS);
        let count = self.term(opened);
        let fits = self.pool.ult(count, room);
        let (fine, full) = (self.point(), self.point());
        self.branch_on(fits, fine, full, expr.span);
        self.state().current = full;
        self.unsupported("more streams than there are addresses for", expr.span);
        self.state().current = fine;
        let (base, size, null) = (self.opened_base(), self.address(16), self.address(0));
        let distance = self.pool.mul(count, size);
        let stream = self.pool.add(base, distance);
        let result = self.pool.ite(fails, null, stream);
        let result = self.snapshot(result, expr.span);
        self.deliver(result, expr, wanted)
    }

    /// A condition that the world outside decides.
    fn library_choice(&mut self, name: &str, span: Span) -> Term {
        let variable = self.temporary(8);
        let input = Input { origin: InputOrigin::Choice(name.to_owned()), presentation: Presentation::Bool };
        self.emit(Label::Op(Op::Havoc(variable, input)), span);
        let (value, zero) = (self.term(variable), self.pool.bv(8, 0));
        self.pool.eq(value, zero)
    }

    /// The streams at the start of the program.
    pub(in crate::lower) fn initialise_streams(&mut self, span: Span) {
        if let Some(variable) = self.streams.opened {
            let none = self.address(0);
            self.assign(variable, none, span);
        }
        if let Some(variable) = self.streams.closed {
            let (width, open) = (self.pointer_width(), self.pool.bv(8, 0));
            let all_open = self.pool.const_array(width, open);
            self.assign(variable, all_open, span);
        }
    }
}

/// How an argument and a directive go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Fits,
    /// Both are integers, of different width.
    OtherWidth,
    No,
}

fn length_position(reads: Reads) -> usize {
    match reads {
        Reads::Bytes { length, .. } => length,
        _ => 0,
    }
}

fn to_signed(length: u64) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}
