//! Functions without a body: what is known about them, in one table.

use super::Lowering;
use super::calls::Wanted;
use crate::library::{is_unmodelled, math_function};
use crate::typed::{Expr, ExprKind, FunctionId, LValue, LValueKind, TypedProgram};
use aster_cfa::{InputOrigin, SourceFunctions};
use aster_term::Term;

/// What a function without a body does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Model {
    /// Ends the program.
    Ends,
    /// A failed assertion.
    AssertionFails,
    /// Checks its argument.
    Assert,
    /// The path goes on only if the argument is not zero.
    Assume,
    /// Nothing that matters here.
    Nothing,
    /// Reads memory (writes output, asks the clock), changes none of it unless it is given a pointer
    /// to write through, gives an arbitrary result.
    Output,
    /// An arbitrary value in a range.
    Input(i64, i64),
    /// The absolute value.
    Absolute,
    /// The bytes in reverse order.
    SwapBytes,
    /// The number of bits set.
    CountOnes,
    /// The number of bits set, modulo two.
    Parity,
    /// 1 plus the position of the lowest bit set; 0 without any.
    FindFirst,
    /// The number of zeros below the lowest bit set; no bit set is undefined.
    TrailingZeros,
    /// The number of zeros above the highest bit set; no bit set is undefined.
    LeadingZeros,
    /// A letter of the C locale in the other case: from `first` to `last`, by adding `distance`.
    ChangeCase(u8, u8, i8),
    /// Changes control flow or has a definite meaning that is not modelled.
    Unmodelled,
}

/// Functions by name; none of them is looked up if the program defines it.
const MODELS: &[(&str, Model)] = &[
    ("abort", Model::Ends),
    ("exit", Model::Ends),
    ("_exit", Model::Ends),
    ("_Exit", Model::Ends),
    ("quick_exit", Model::Ends),
    ("pthread_exit", Model::Ends),
    ("__builtin_abort", Model::Ends),
    ("__builtin_exit", Model::Ends),
    ("__builtin_trap", Model::Ends),
    ("__builtin_unreachable", Model::Ends),
    ("__VERIFIER_error", Model::Ends),
    ("reach_error", Model::Ends),
    ("__assert_fail", Model::AssertionFails),
    ("__assert", Model::AssertionFails),
    ("__assert_perror_fail", Model::AssertionFails),
    ("assert", Model::Assert),
    ("__VERIFIER_assume", Model::Assume),
    ("__VERIFIER_atomic_begin", Model::Nothing),
    ("__VERIFIER_atomic_end", Model::Nothing),
    ("srand", Model::Nothing),
    ("srandom", Model::Nothing),
    ("printf", Model::Output),
    ("fprintf", Model::Output),
    ("dprintf", Model::Output),
    ("vprintf", Model::Output),
    ("vfprintf", Model::Output),
    ("vdprintf", Model::Output),
    ("__printf_chk", Model::Output),
    ("__fprintf_chk", Model::Output),
    ("__dprintf_chk", Model::Output),
    ("__vprintf_chk", Model::Output),
    ("__vfprintf_chk", Model::Output),
    ("__vdprintf_chk", Model::Output),
    ("__builtin_printf", Model::Output),
    ("__builtin_puts", Model::Output),
    ("__builtin_putchar", Model::Output),
    ("puts", Model::Output),
    ("fputs", Model::Output),
    ("putchar", Model::Output),
    ("putc", Model::Output),
    ("fputc", Model::Output),
    ("perror", Model::Output),
    ("fflush", Model::Output),
    ("time", Model::Output),
    ("rand", Model::Input(0, 0x7fff_ffff)),
    ("random", Model::Input(0, 0x7fff_ffff)),
    ("getchar", Model::Input(-1, 255)),
    ("abs", Model::Absolute),
    ("labs", Model::Absolute),
    ("llabs", Model::Absolute),
    ("__builtin_abs", Model::Absolute),
    ("__builtin_labs", Model::Absolute),
    ("__builtin_llabs", Model::Absolute),
    ("__builtin_bswap16", Model::SwapBytes),
    ("__builtin_bswap32", Model::SwapBytes),
    ("__builtin_bswap64", Model::SwapBytes),
    ("__builtin_popcount", Model::CountOnes),
    ("__builtin_popcountl", Model::CountOnes),
    ("__builtin_popcountll", Model::CountOnes),
    ("__builtin_parity", Model::Parity),
    ("__builtin_parityl", Model::Parity),
    ("__builtin_parityll", Model::Parity),
    ("__builtin_ffs", Model::FindFirst),
    ("__builtin_ffsl", Model::FindFirst),
    ("__builtin_ffsll", Model::FindFirst),
    ("ffs", Model::FindFirst),
    ("ffsl", Model::FindFirst),
    ("ffsll", Model::FindFirst),
    ("__builtin_ctz", Model::TrailingZeros),
    ("__builtin_ctzl", Model::TrailingZeros),
    ("__builtin_ctzll", Model::TrailingZeros),
    ("__builtin_clz", Model::LeadingZeros),
    ("__builtin_clzl", Model::LeadingZeros),
    ("__builtin_clzll", Model::LeadingZeros),
    ("toupper", Model::ChangeCase(b'a', b'z', -32)),
    ("tolower", Model::ChangeCase(b'A', b'Z', 32)),
    ("fork", Model::Unmodelled),
    ("vfork", Model::Unmodelled),
    ("raise", Model::Unmodelled),
    ("kill", Model::Unmodelled),
    ("div", Model::Unmodelled),
    ("feclearexcept", Model::Nothing),
    ("feraiseexcept", Model::Nothing),
    ("fetestexcept", Model::Unmodelled),
    ("fegetexceptflag", Model::Unmodelled),
    ("fesetexceptflag", Model::Unmodelled),
    ("feenableexcept", Model::Unmodelled),
    ("fedisableexcept", Model::Unmodelled),
    ("fegetenv", Model::Unmodelled),
    ("fesetenv", Model::Unmodelled),
    ("fesetmode", Model::Unmodelled),
    ("feholdexcept", Model::Unmodelled),
    ("feupdateenv", Model::Unmodelled),
];

/// Families of functions by how their name starts.
const UNMODELLED_PREFIXES: &[&str] =
    &["__builtin_", "__sync_", "__atomic_", "atomic_", "pthread_", "__VERIFIER_"];

/// The start of the names of functions that give inputs.
const NONDET_PREFIX: &str = "__VERIFIER_nondet_";

/// Streams that output functions may be given.
const STREAMS: &[&str] = &["stdout", "stderr", "__stdoutp", "__stderrp"];

fn is_stream(typed: &TypedProgram, argument: &Expr) -> bool {
    match &argument.kind {
        ExprKind::Convert(inner) => is_stream(typed, inner),
        ExprKind::Load(LValue { kind: LValueKind::Object(object), .. }) => {
            STREAMS.contains(&typed.objects[object.index()].name.as_str())
        }
        _ => false,
    }
}

pub(super) fn is_text(argument: &Expr) -> bool {
    match &argument.kind {
        ExprKind::Convert(inner) => is_text(inner),
        ExprKind::AddressOf(LValue { kind: LValueKind::String(_), .. }) => true,
        _ => false,
    }
}

/// A string literal with a directive such as `%n` or `%hhn` in it, which makes `printf` write to memory.
fn may_count_characters(argument: &Expr) -> bool {
    match &argument.kind {
        ExprKind::Convert(inner) => may_count_characters(inner),
        ExprKind::AddressOf(LValue { kind: LValueKind::String(bytes), .. }) => {
            bytes.split(|&byte| byte == b'%').skip(1).any(|directive| {
                let letter = directive.iter().find(|&byte| !b"0123456789-+ #'.*$hlqjztL".contains(byte));
                letter == Some(&b'n')
            })
        }
        _ => false,
    }
}

/// What whoever links the program needs to know about its functions.
pub(super) fn source_functions(typed: &TypedProgram) -> SourceFunctions {
    let of_program = typed.functions.iter().filter(|function| !crate::library::is_own(&function.name));
    let (defined, missing): (Vec<_>, Vec<_>) = of_program.partition(|function| function.body.is_some());
    let unknown = missing.into_iter().filter(|function| {
        function.mentioned && function.model.is_none() && !is_known_function(&function.name)
    });
    let sorted = |mut names: Vec<String>| {
        names.sort_unstable();
        names
    };
    SourceFunctions {
        defined: sorted(defined.iter().map(|function| function.name.clone()).collect()),
        unknown: sorted(unknown.map(|function| function.name.clone()).collect()),
    }
}

/// A function of the C library that the lowering knows something about.
pub(crate) fn is_known_function(name: &str) -> bool {
    model(name).is_some()
        || crate::library::is_memory_function(name)
        || math_function(name).is_some()
        || is_unmodelled(name)
        || name.starts_with("__builtin_")
}

fn model(name: &str) -> Option<Model> {
    MODELS.iter().find(|(known, _)| *known == name).map(|(_, model)| *model)
}

/// The result of such a call is an input even if nobody looks at it, so that inputs can be counted by calls.
pub(super) fn counted(wanted: Wanted) -> Wanted {
    if wanted == Wanted::Nothing { Wanted::Value } else { wanted }
}

impl Lowering<'_> {
    /// A call of a function without a body.
    pub(super) fn library_call(
        &mut self,
        function: FunctionId,
        arguments: &[Expr],
        expr: &Expr,
        wanted: Wanted,
    ) -> Term {
        let info = &self.typed.functions[function.index()];
        let name = info.name.as_str();
        if let Some(result) = self.memory_call(name, arguments, expr, wanted) {
            return result;
        }
        if let Some(function) = math_function(name) {
            return self.math_call(function, name, arguments, expr, wanted);
        }
        match model(name) {
            Some(Model::Ends) => {
                self.argument_effects(arguments);
                if matches!(name, "exit" | "__builtin_exit" | "pthread_exit") {
                    self.run_destructors(expr.span);
                }
                self.end_program(expr.span);
                self.dummy(expr.ty)
            }
            Some(Model::AssertionFails) => {
                self.argument_effects(arguments);
                self.assertion_fails(expr);
                self.dummy(expr.ty)
            }
            Some(Model::Assert) if arguments.len() == 1 => self.assert_call(&arguments[0], expr),
            Some(Model::Assume) if arguments.len() == 1 => self.assume_call(&arguments[0], expr),
            Some(Model::Nothing) => {
                self.argument_effects(arguments);
                self.dummy(expr.ty)
            }
            Some(Model::Output) => self.output_call(name, arguments, expr, wanted),
            Some(Model::Input(low, high)) => self.ranged_input(name, low, high, arguments, expr, wanted),
            Some(Model::Unmodelled) => self.unmodelled(&format!("call of '{name}'"), expr),
            Some(model) if arguments.len() == 1 && self.width(arguments[0].ty).is_some() => {
                self.integer_function(model, &arguments[0], expr, wanted)
            }
            Some(_) => self.unmodelled(&format!("call of '{name}'"), expr),
            None if name.starts_with(NONDET_PREFIX) => {
                self.argument_effects(arguments);
                self.input_call(InputOrigin::Nondet(name.to_owned()), expr, counted(wanted))
            }
            None if info.noreturn => {
                self.argument_effects(arguments);
                self.end_program(expr.span);
                self.dummy(expr.ty)
            }
            None => self.external_call(name, arguments, expr, wanted),
        }
    }

    fn assertion_fails(&mut self, expr: &Expr) {
        if self.options.assert_is_error {
            self.reach_error(expr.span);
        } else {
            self.end_program(expr.span);
        }
    }

    fn assert_call(&mut self, argument: &Expr, expr: &Expr) -> Term {
        let (holds, fails) = (self.point(), self.point());
        self.branch(argument, holds, fails);
        self.state().current = fails;
        self.assertion_fails(expr);
        self.state().current = holds;
        self.dummy(expr.ty)
    }

    fn assume_call(&mut self, argument: &Expr, expr: &Expr) -> Term {
        let condition = self.condition(argument);
        self.assume(condition, expr.span);
        self.dummy(expr.ty)
    }

    /// An arbitrary value of the type of the call.
    pub(super) fn input_call(&mut self, origin: InputOrigin, expr: &Expr, wanted: Wanted) -> Term {
        if self.typed.types.is_void(expr.ty) {
            return self.dummy(expr.ty);
        }
        let (name, is_nondet) = match &origin {
            InputOrigin::Nondet(name) => (name.clone(), true),
            InputOrigin::External(name)
            | InputOrigin::Uninitialised(name)
            | InputOrigin::Choice(name)
            | InputOrigin::Approximated(name) => (name.clone(), false),
        };
        if self.width(expr.ty).is_none() {
            return self.unmodelled(&format!("result of '{name}'"), expr);
        }
        if self.typed.types.is_pointer(expr.ty) && !is_nondet {
            return self.outside_result(origin, expr, wanted);
        }
        let result = self.result_variable(expr, wanted);
        if let Some(variable) = result {
            self.havoc(variable, origin, expr.ty, expr.span);
        }
        self.result_term(result, expr)
    }

    /// A pointer that comes from outside: null, or to something that is not part of the program.
    fn outside_result(&mut self, origin: InputOrigin, expr: &Expr, wanted: Wanted) -> Term {
        let Some(variable) = self.result_variable(expr, wanted) else { return self.dummy(expr.ty) };
        self.havoc(variable, origin, expr.ty, expr.span);
        let (value, null, something) = (self.term(variable), self.address(0), self.outside_pointer(16));
        let (none, some) = (self.pool.eq(value, null), self.pool.eq(value, something));
        let possible = self.pool.or(none, some);
        self.assume(possible, expr.span);
        value
    }

    fn ranged_input(
        &mut self,
        name: &str,
        low: i64,
        high: i64,
        arguments: &[Expr],
        expr: &Expr,
        wanted: Wanted,
    ) -> Term {
        self.argument_effects(arguments);
        let value = self.input_call(InputOrigin::External(name.to_owned()), expr, counted(wanted));
        if wanted == Wanted::Nothing || !self.typed.types.is_integer(expr.ty) {
            return value;
        }
        let width = self.pool.width(value);
        let low = self.pool.bv_signed(width, i128::from(low));
        let high = self.pool.bv_signed(width, i128::from(high));
        let above = self.at_most(low, value, true);
        let below = self.at_most(value, high, true);
        let within = self.pool.and(above, below);
        self.assume(within, expr.span);
        value
    }

    /// Output changes no memory, unless the format asks for it.
    fn output_call(&mut self, name: &str, arguments: &[Expr], expr: &Expr, wanted: Wanted) -> Term {
        let formats = name.contains("printf");
        if formats && self.may_write(name, arguments) {
            return self.unmodelled(&format!("call of '{name}' that may write to memory"), expr);
        }
        for argument in arguments {
            if !is_stream(self.typed, argument) {
                self.effect(argument);
            }
        }
        self.input_call(InputOrigin::External(name.to_owned()), expr, wanted)
    }

    /// True if the format asks `printf` to write, or may do so as far as one can see. A format that is not there
    /// to read can ask for it only if there is a pointer to write through.
    fn may_write(&self, name: &str, arguments: &[Expr]) -> bool {
        if arguments.iter().any(is_text) {
            return arguments.iter().any(may_count_characters);
        }
        let pointers = arguments
            .iter()
            .filter(|argument| !is_stream(self.typed, argument) && !self.cannot_be_written(argument));
        let name = name.trim_start_matches("__builtin_").trim_start_matches("__");
        name.starts_with('v') || pointers.count() > 1
    }

    /// Numbers, null pointers and string literals: nothing that a function could change.
    fn cannot_be_written(&self, argument: &Expr) -> bool {
        match &argument.kind {
            _ if self.typed.types.is_arithmetic(argument.ty) => true,
            ExprKind::Constant(0) => true,
            ExprKind::Convert(inner) => {
                self.typed.types.is_pointer(inner.ty) && self.cannot_be_written(inner)
            }
            ExprKind::AddressOf(place) => matches!(place.kind, LValueKind::String(_)),
            _ => false,
        }
    }

    /// Any other external function: its result is arbitrary if it gets nothing to change.
    fn external_call(&mut self, name: &str, arguments: &[Expr], expr: &Expr, wanted: Wanted) -> Term {
        let harmless = arguments.iter().all(|argument| self.cannot_be_written(argument));
        let types = &self.typed.types;
        let result = types.is_void(expr.ty) || self.width(expr.ty).is_some();
        let unmodelled =
            UNMODELLED_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || is_unmodelled(name);
        if !harmless || !result || unmodelled {
            self.argument_effects(arguments);
            return self.unmodelled(&format!("call of external function '{name}'"), expr);
        }
        self.argument_effects(arguments);
        self.input_call(InputOrigin::External(name.to_owned()), expr, counted(wanted))
    }

    /// Functions from an integer to an integer.
    fn integer_function(&mut self, model: Model, argument: &Expr, expr: &Expr, wanted: Wanted) -> Term {
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

    pub(super) fn swap_bytes(&mut self, value: Term) -> Term {
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
