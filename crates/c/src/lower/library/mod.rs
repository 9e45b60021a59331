//! Functions without a body: what is known about them, in one table.

mod external;
mod integers;
mod outside;

use super::Lowering;
use super::calls::Wanted;
use super::memory::When;
use crate::library::{PREFIX, is_unmodelled, math_function, outside_function};
use crate::typed::{Expr, FunctionId, TypedProgram};
use aster_cfa::{InputOrigin, SourceFunctions, UnknownFunction, Var};
use aster_term::Term;

/// What is known about streams while the program runs, once something depends on it.
#[derive(Clone, Copy, Default)]
pub(super) struct Streams {
    /// Counts those that were opened.
    opened: Option<Var>,
    /// Tells which were closed, by address.
    closed: Option<Var>,
}

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
    ("on_exit", Model::Unmodelled),
    ("signal", Model::Unmodelled),
    ("setjmp", Model::Unmodelled),
    ("_setjmp", Model::Unmodelled),
    ("__sigsetjmp", Model::Unmodelled),
    ("longjmp", Model::Unmodelled),
    ("siglongjmp", Model::Unmodelled),
    ("setlocale", Model::Unmodelled),
    ("setvbuf", Model::Unmodelled),
    ("setbuf", Model::Unmodelled),
    ("freopen", Model::Unmodelled),
    ("scanf", Model::Unmodelled),
    ("sscanf", Model::Unmodelled),
    ("fscanf", Model::Unmodelled),
    ("sprintf", Model::Unmodelled),
    ("snprintf", Model::Unmodelled),
    ("vsprintf", Model::Unmodelled),
    ("vsnprintf", Model::Unmodelled),
    ("vscanf", Model::Unmodelled),
    ("vfscanf", Model::Unmodelled),
    ("vsscanf", Model::Unmodelled),
    ("getline", Model::Unmodelled),
    ("getdelim", Model::Unmodelled),
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

/// The start of the names of functions that give inputs.
const NONDET_PREFIX: &str = "__VERIFIER_nondet_";

/// What whoever links the program needs to know about its functions.
pub(super) fn source_functions(typed: &TypedProgram, called: Vec<UnknownFunction>) -> SourceFunctions {
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
        called,
    }
}

/// A function of the C library that the lowering knows something about.
pub(crate) fn is_known_function(name: &str) -> bool {
    model(name).is_some()
        || crate::library::is_memory_function(name)
        || math_function(name).is_some()
        || outside_function(name).is_some()
        || is_unmodelled(name)
        || name.starts_with("__builtin_")
}

/// All names in the table, and whether the function is modelled.
#[cfg(test)]
pub(super) fn names() -> Vec<(&'static str, bool)> {
    MODELS.iter().map(|(name, model)| (*name, *model != Model::Unmodelled)).collect()
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
        if let Some(outside) = outside_function(name)
            && outside.fits(self.typed, arguments, expr.ty)
        {
            return self.outside_call(name, outside, arguments, expr, wanted);
        }
        if let Some(own) = name.strip_prefix("__builtin_aster_") {
            return self.own_call(own, arguments, expr, wanted);
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
            Some(Model::Unmodelled) => {
                self.argument_effects(arguments);
                self.unmodelled(&format!("call of '{name}'"), expr)
            }
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
            None => self.external_call(function, arguments, expr, wanted),
        }
    }

    /// What the models in C are made of, besides C.
    fn own_call(&mut self, own: &str, arguments: &[Expr], expr: &Expr, wanted: Wanted) -> Term {
        let function = self.state().function.map(|id| self.typed.functions[id.index()].name.as_str());
        let name = function.map_or("library", |name| {
            name.strip_prefix(PREFIX).or_else(|| name.strip_prefix("__asterlib_")).unwrap_or(name)
        });
        let name = name.to_owned();
        match (own, arguments) {
            ("assume", [argument]) => self.assume_call(argument, expr),
            ("undefined", []) => {
                let what = format!("call of '{name}' with arguments that it must not get");
                // The models say so where it depends on the arguments.
                self.not_defined(&what, When::Sometimes, expr.span);
                self.dummy(expr.ty)
            }
            ("unmodelled", []) => self.unmodelled(&format!("call of '{name}' with these arguments"), expr),
            _ if own.starts_with("any_") => self.input_call(InputOrigin::Choice(name), expr, counted(wanted)),
            _ if own.starts_with("result_") => {
                self.input_call(InputOrigin::External(name), expr, counted(wanted))
            }
            _ if own.starts_with("rough_") => {
                self.input_call(InputOrigin::Approximated(name), expr, counted(wanted))
            }
            _ => self.unmodelled("function of the library", expr),
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
            | InputOrigin::Written(name)
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
}
