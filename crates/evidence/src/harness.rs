//! A C file that supplies the inputs of a counterexample, so that the compiled program reaches the error.
//!
//! All inputs that calls give stand in one queue, in the order of the calls. Everything is defined weakly: what the
//! program defines itself goes first.

use crate::value::show_value;
use aster_cfa::interpreter::{End, Interpreter, RunEvent, RunLimits, Unwatched, Watcher};
use aster_cfa::{Edge, Input, InputOrigin, Label, Op, Presentation, Program, Var};
use aster_term::{ArrayValue, BitVec, Sort, TermPool, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What a run on the harness prints when it gets to the error.
pub const ERROR_MESSAGE: &str = "aster: error reached";

/// How the message of a run begins that does not follow the counterexample.
pub const OTHER_MESSAGE: &str = "aster: the run does not follow the counterexample";

/// The exit code of a run that gets to the error.
pub const ERROR_CODE: i32 = 99;

/// The exit code of a run that does not follow the counterexample.
const OTHER_CODE: i32 = 98;

/// How the names of functions begin that have no body in any library.
const BUILTIN: &str = "__builtin_";

/// Runs that are made to find out which values matter, in steps of all of them together.
const MAX_STEPS: u64 = 50_000_000;

/// What the program is checked for.
#[derive(Clone, Copy, Debug)]
pub struct HarnessOptions<'a> {
    /// The name of the program's file.
    pub file: &'a str,
    /// The options that the compiler needs for the data model.
    pub compiler_options: &'a str,
    /// Functions whose call is an error.
    pub error_functions: &'a [String],
    /// A failing assertion is an error.
    pub assert_is_error: bool,
}

/// A harness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harness {
    /// The C text.
    pub text: String,
    /// What the path needs and no harness can supply, one sentence each.
    pub missing: Vec<String>,
}

/// The harness for inputs that reach an error.
pub fn harness(program: &Program, pool: &TermPool, inputs: &[Value], options: HarnessOptions<'_>) -> Harness {
    let mut edges = InputEdges(Vec::new());
    let mut interpreter = Interpreter::new(program, pool);
    interpreter.run(inputs, RunLimits::default(), &mut edges);
    let steps = interpreter.steps();
    let consumed = edges.0.into_iter().zip(inputs).filter_map(|(edge, value)| {
        let Label::Op(Op::Havoc(variable, input)) = &program.edge(edge).label else { return None };
        Some(Consumed { edge, variable: *variable, input, value })
    });
    let writer = Writer { program, options, consumed: consumed.collect() };
    let missing = writer.missing(&mut interpreter, steps);
    Harness { text: writer.text(&missing), missing }
}

/// Collects where the inputs of a run were asked for.
struct InputEdges(Vec<Edge>);

impl Watcher for InputEdges {
    fn on(&mut self, event: RunEvent<'_>) {
        if let RunEvent::Input { edge, .. } = event {
            self.0.push(edge);
        }
    }
}

/// An input that the run consumed.
struct Consumed<'a> {
    edge: Edge,
    variable: Var,
    input: &'a Input,
    value: &'a Value,
}

/// Who can supply an input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Supply<'a> {
    /// A function, when it is called.
    Function(&'a str),
    /// The definition of a variable.
    Variable(&'a str),
    /// Nobody: an argument of `main`.
    Argument(&'a str),
    /// Nobody: an uninitialised variable, or memory.
    Nobody(&'a str),
}

struct Writer<'a> {
    program: &'a Program,
    options: HarnessOptions<'a>,
    consumed: Vec<Consumed<'a>>,
}

impl<'a> Writer<'a> {
    /// Inputs of the start procedure are variables that are defined elsewhere, and arguments of `main`.
    fn supply(&self, edge: Edge, variable: Var, input: &'a Input) -> Supply<'a> {
        let info = self.program.variable(variable);
        let at_start = self.program.node(self.program.edge(edge).source).procedure == self.program.entry;
        match &input.origin {
            InputOrigin::Uninitialised(name)
            | InputOrigin::Written(name)
            | InputOrigin::Choice(name)
            | InputOrigin::Approximated(name) => Supply::Nobody(name),
            InputOrigin::Nondet(name) | InputOrigin::External(name) => match info.sort {
                Sort::Array { .. } => Supply::Nobody(name),
                // Models of library functions ask for it. The linker never does.
                _ if name.starts_with(BUILTIN) => Supply::Nobody(name),
                _ if !at_start => Supply::Function(name),
                _ if info.owner.is_none() => Supply::Variable(name),
                _ => Supply::Argument(name),
            },
        }
    }

    fn supply_of(&self, consumed: &Consumed<'a>) -> Supply<'a> {
        self.supply(consumed.edge, consumed.variable, consumed.input)
    }

    fn is_missing(&self, consumed: &Consumed<'a>) -> bool {
        match self.supply_of(consumed) {
            Supply::Nobody(_) | Supply::Argument(_) => true,
            // The compiled program has its objects elsewhere.
            Supply::Function(_) | Supply::Variable(_) => {
                let zero = Value::default_of(consumed.value.sort());
                matches!(consumed.input.presentation, Presentation::Pointer(_))
                    && zero.as_ref() != Some(consumed.value)
            }
        }
    }

    /// What the path needs and the harness cannot supply. A value counts as needed if the run does not get to
    /// the error with some other ones in its place.
    fn missing(&self, interpreter: &mut Interpreter<'_>, steps: u64) -> Vec<String> {
        let positions: Vec<usize> =
            (0..self.consumed.len()).filter(|&position| self.is_missing(&self.consumed[position])).collect();
        if positions.is_empty() || self.reaches_error_without(interpreter, &positions, steps) {
            return Vec::new();
        }
        let rounds = (PATTERNS.len() * positions.len()) as u64;
        let mut needed = Vec::new();
        if steps.saturating_mul(rounds) <= MAX_STEPS {
            needed = positions
                .iter()
                .copied()
                .filter(|position| !self.reaches_error_without(interpreter, &[*position], steps))
                .collect();
        }
        let needed = if needed.is_empty() { positions } else { needed };
        needed.into_iter().map(|position| self.describe(&self.consumed[position])).collect()
    }

    fn describe(&self, consumed: &Consumed<'a>) -> String {
        let shown = show_value(consumed.value, &consumed.input.presentation).text;
        let place = self.program.sources.position(self.program.edge(consumed.edge).span);
        match self.supply_of(consumed) {
            Supply::Argument(name) => format!("argument `{name}` of main = {shown} ({place})"),
            Supply::Nobody(name) if matches!(consumed.input.origin, InputOrigin::Written(_)) => {
                format!("memory written by `{name}` = {shown} ({place})")
            }
            Supply::Nobody(name) if !matches!(consumed.input.origin, InputOrigin::Uninitialised(_)) => {
                let name = name.strip_prefix(BUILTIN).unwrap_or(name);
                format!("decided within `{name}` = {shown} ({place})")
            }
            Supply::Nobody(name) => format!("uninitialised `{name}` = {shown} ({place})"),
            Supply::Function(name) => format!("address from `{name}` = {shown} ({place})"),
            Supply::Variable(name) => format!("address in `{name}` = {shown} ({place})"),
        }
    }

    /// True if the run gets to the error whatever stands at these positions, as far as a few tries can tell.
    fn reaches_error_without(
        &self,
        interpreter: &mut Interpreter<'_>,
        positions: &[usize],
        steps: u64,
    ) -> bool {
        let original: Vec<Value> = self.consumed.iter().map(|consumed| consumed.value.clone()).collect();
        let limits =
            RunLimits { max_steps: steps.saturating_mul(2).saturating_add(1000), ..RunLimits::default() };
        PATTERNS.iter().all(|&pattern| {
            let mut inputs = original.clone();
            for &position in positions {
                let is_count = matches!(self.supply_of(&self.consumed[position]), Supply::Argument(_))
                    && matches!(self.consumed[position].input.presentation, Presentation::Signed(_));
                // A program that is started without arguments gets its own name.
                inputs[position] = other_value(&inputs[position], if is_count { 1 } else { pattern });
            }
            matches!(interpreter.run(&inputs, limits, &mut Unwatched), End::Error { .. })
        })
    }

    fn text(&self, missing: &[String]) -> String {
        let mut out = String::new();
        self.head(missing, &mut out);
        let support = SUPPORT.replace("ERROR_TEXT", ERROR_MESSAGE);
        let support = support.replace("OTHER_TEXT", OTHER_MESSAGE);
        let support = support.replace("ERROR_CODE", &ERROR_CODE.to_string());
        out.push_str(&support.replace("OTHER_CODE", &OTHER_CODE.to_string()));
        self.queue(&mut out);
        self.inputs(&mut out);
        self.variables(&mut out);
        self.errors(&mut out);
        out
    }

    fn head(&self, missing: &[String], out: &mut String) {
        let HarnessOptions { file, compiler_options, .. } = self.options;
        let file = comment_text(file);
        let _ = writeln!(out, "/* Inputs that make {file} reach the error. Compile and run:");
        let _ = writeln!(
            out,
            " *   gcc -fwrapv {compiler_options}{}PROGRAM.c THIS_FILE.c -lm && ./a.out",
            if compiler_options.is_empty() { "" } else { " " }
        );
        let _ = writeln!(out, " * It prints \"{ERROR_MESSAGE}\" and ends with exit code {ERROR_CODE}.");
        let defined = &self.program.functions.defined;
        for function in self.options.error_functions.iter().filter(|name| defined.contains(name)) {
            let function = comment_text(function);
            let _ = writeln!(
                out,
                " * The program defines {function} itself: its abort or failing assertion is the error."
            );
        }
        if !missing.is_empty() {
            let _ = writeln!(
                out,
                " * The path also needs what no harness can supply, so that the run may go another way:"
            );
        }
        for sentence in missing {
            let _ = writeln!(out, " *   {}", comment_text(sentence));
        }
        out.push_str(" */\n");
    }

    /// All inputs that calls give.
    fn queue(&self, out: &mut String) {
        out.push_str("static const struct aster_input aster_inputs[] = {\n");
        for consumed in &self.consumed {
            let Supply::Function(name) = self.supply_of(consumed) else { continue };
            let bits = bits_of(consumed.value);
            let shown = show_value(consumed.value, &consumed.input.presentation).text;
            let place = self.program.sources.position(self.program.edge(consumed.edge).span).to_string();
            let comment = format!("{}, {}", comment_text(&shown), comment_text(&place));
            let (high, low) = ((bits >> 64) as u64, bits as u64);
            let _ = writeln!(out, "    {{\"{name}\", {high:#x}ull, {low:#x}ull}}, /* {comment} */");
        }
        // Without inputs there would be no array; the end has no name.
        out.push_str("    {0, 0, 0},\n};\n");
        out.push_str(QUEUE);
    }

    /// The functions that give inputs, by name; of those that the C library has, only the ones that gave one.
    fn inputs(&self, out: &mut String) {
        let mut functions: BTreeMap<&str, (Sort, &Presentation)> = BTreeMap::new();
        for edge in self.program.edges() {
            let Label::Op(Op::Havoc(variable, input)) = &self.program.edge(edge).label else { continue };
            if let Supply::Function(name) = self.supply(edge, *variable, input) {
                functions.entry(name).or_insert((self.program.variable(*variable).sort, &input.presentation));
            }
        }
        let unknown = &self.program.functions.unknown;
        let gave = |name: &str| {
            self.consumed.iter().any(|consumed| self.supply_of(consumed) == Supply::Function(name))
        };
        for (&name, &(sort, presentation)) in &functions {
            let is_unknown = unknown.iter().any(|other| other == name);
            if is_unknown || gave(name) {
                input_function(name, sort, presentation, is_unknown, out);
            }
        }
        for name in unknown.iter().filter(|name| !functions.contains_key(name.as_str())) {
            if self.options.error_functions.contains(name) {
                continue;
            }
            let body = if name.starts_with("__VERIFIER_nondet_") {
                format!("aster_fail(\"unexpected call of\", \"{name}\");")
            } else {
                "return 0;".to_owned()
            };
            let alias = alias(name);
            let _ = writeln!(out, "ASTER_WEAK long {alias}(void) __asm__(\"{name}\");");
            let _ = writeln!(out, "long {alias}(void) {{ {body} }}");
        }
    }

    /// Variables that are declared but not defined.
    fn variables(&self, out: &mut String) {
        for consumed in &self.consumed {
            let Supply::Variable(name) = self.supply_of(consumed) else { continue };
            let Some(ty) =
                c_type(self.program.variable(consumed.variable).sort, &consumed.input.presentation)
            else {
                continue;
            };
            let _ = writeln!(out, "ASTER_WEAK {ty} {name} = ({ty}){:#x}ull;", bits_of(consumed.value) as u64);
        }
    }

    fn errors(&self, out: &mut String) {
        let HarnessOptions { error_functions, assert_is_error, .. } = self.options;
        for name in error_functions {
            let alias = alias(name);
            let _ = writeln!(out, "ASTER_WEAK void {alias}(void) __asm__(\"{name}\");");
            let _ = writeln!(out, "void {alias}(void) {{ aster_error(); }}");
        }
        let defined = &self.program.functions.defined;
        let has_own = error_functions.iter().any(|name| defined.contains(name));
        let mut more: Vec<&str> = Vec::new();
        if assert_is_error || has_own {
            more.extend(["__assert_fail", "__assert", "__assert_perror_fail"]);
        }
        if has_own {
            more.push("abort");
        }
        for name in more.iter().filter(|name| !error_functions.iter().any(|other| other == *name)) {
            let alias = alias(name);
            let _ = writeln!(out, "ASTER_WEAK void {alias}(void) __asm__(\"{name}\");");
            let _ = writeln!(out, "void {alias}(void) {{ aster_error(); }}");
        }
        // Known functions of verification tasks; where their call is no error they just end the program.
        for name in ["__VERIFIER_error", "reach_error"] {
            if !error_functions.iter().any(|other| other == name) {
                let alias = alias(name);
                let _ = writeln!(out, "ASTER_WEAK void {alias}(void) __asm__(\"{name}\");");
                let _ = writeln!(out, "void {alias}(void) {{ exit(1); }}");
            }
        }
        let failed = if assert_is_error { "aster_error();" } else { "exit(1);" };
        let _ = writeln!(out, "ASTER_WEAK void aster_assert(int holds) __asm__(\"assert\");");
        let _ = writeln!(out, "void aster_assert(int holds) {{ if (!holds) {failed} }}");
        let _ = writeln!(out, "ASTER_WEAK void aster_assume(int holds) __asm__(\"__VERIFIER_assume\");");
        let _ = writeln!(
            out,
            "void aster_assume(int holds) {{ if (!holds) aster_fail(\"an assumption does not hold\", \"\"); }}"
        );
        for name in ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"] {
            let alias = alias(name);
            let _ = writeln!(out, "ASTER_WEAK void {alias}(void) __asm__(\"{name}\");");
            let _ = writeln!(out, "void {alias}(void) {{ }}");
        }
    }
}

/// Values that are put in place of those that no harness can supply.
const PATTERNS: [u128; 3] = [0, u128::MAX, 0x5a5a_5a5a_5a5a_5a5a_5a5a_5a5a_5a5a_5a5a];

fn other_value(value: &Value, pattern: u128) -> Value {
    match value {
        Value::Bool(_) => Value::Bool(pattern & 1 == 1),
        Value::BitVec(bits) => Value::BitVec(BitVec::new(bits.width(), pattern)),
        Value::Array(array) => {
            let Sort::Array { index, element } = Value::Array(array.clone()).sort() else {
                return value.clone();
            };
            Value::Array(ArrayValue::constant(index, BitVec::new(element, pattern)))
        }
        // C has no values of these sorts.
        Value::Int(_) | Value::Real(_) => value.clone(),
    }
}

fn bits_of(value: &Value) -> u128 {
    match value {
        Value::Bool(value) => u128::from(*value),
        Value::BitVec(bits) => bits.unsigned(),
        Value::Array(_) | Value::Int(_) | Value::Real(_) => 0,
    }
}

/// The name in the harness of a function that the program knows by another one: the compiler may know that as a
/// builtin of another type.
fn alias(name: &str) -> String {
    format!("aster_call_{name}")
}

/// A C type for values of a sort. Enumerations and typedefs of the program are not known here.
fn c_type(sort: Sort, presentation: &Presentation) -> Option<&'static str> {
    let Sort::BitVec(width) = sort else { return None };
    Some(match (presentation, width) {
        (Presentation::Bool, _) => "_Bool",
        (Presentation::Pointer(_), _) => "void *",
        (Presentation::Float(_), 16) => "_Float16",
        (Presentation::Float(_), 32) => "float",
        (Presentation::Float(_), 64) => "double",
        (Presentation::Float(_), 79) => "long double",
        (Presentation::Float(_), 128) => "_Float128",
        (Presentation::Signed(_), 8) => "signed char",
        (Presentation::Signed(_), 16) => "short",
        (Presentation::Signed(_), 32) => "int",
        (Presentation::Signed(_), 64) => "long long",
        (_, 8) => "unsigned char",
        (_, 16) => "unsigned short",
        (_, 32) => "unsigned int",
        (_, 64) => "unsigned long long",
        (Presentation::Signed(_), 128) => "__int128",
        (_, 128) => "unsigned __int128",
        _ => return None,
    })
}

fn input_function(name: &str, sort: Sort, presentation: &Presentation, strict: bool, out: &mut String) {
    let Some(ty) = c_type(sort, presentation) else { return };
    let alias = alias(name);
    let _ = writeln!(out, "ASTER_WEAK {ty} {alias}(void) __asm__(\"{name}\");");
    let next = format!("const struct aster_input *input = aster_next(\"{name}\", {});", u8::from(strict));
    let value = match ty {
        "_Float16" | "float" | "double" => {
            format!("{ty} value; memcpy(&value, &input->low, sizeof value); return value;")
        }
        "_Float128" => "_Float128 value; memcpy(&value, &input->low, 8); \
             memcpy((char *)&value + 8, &input->high, 8); return value;"
            .to_owned(),
        // The value leaves out the integer bit, which is set where the exponent is not zero.
        "long double" => "unsigned short head = (unsigned short)(input->high << 1 | input->low >> 63); \
             unsigned long long significand = (input->low & ~(1ull << 63)) | (head & 0x7fff ? 1ull << 63 : 0); \
             long double value = 0; memcpy(&value, &significand, 8); \
             memcpy((char *)&value + 8, &head, 2); return value;"
            .to_owned(),
        "void *" => "return (void *)(unsigned long)input->low;".to_owned(),
        "__int128" | "unsigned __int128" => {
            format!("return ({ty})((unsigned __int128)input->high << 64 | input->low);")
        }
        _ => format!("return ({ty})input->low;"),
    };
    let _ = writeln!(out, "{ty} {alias}(void) {{\n    {next}\n    {value}\n}}");
}

/// Text that does not end the comment that it stands in.
fn comment_text(text: &str) -> String {
    text.replace("*/", "* /").replace(['\n', '\r'], " ")
}

const SUPPORT: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASTER_WEAK __attribute__((weak))

struct aster_input {
    const char *function;
    unsigned long long high, low;
};

/* Whoever links the program may add more to say. */
void aster_reached(void) ASTER_WEAK;

static void aster_error(void) {
    fflush(stdout);
    fputs("ERROR_TEXT\n", stderr);
    if (aster_reached)
        aster_reached();
    _Exit(ERROR_CODE);
}

static void aster_fail(const char *what, const char *name) {
    fflush(stdout);
    fprintf(stderr, "OTHER_TEXT: %s %s\n", what, name);
    _Exit(OTHER_CODE);
}

"#;

const QUEUE: &str = r#"
static const struct aster_input *aster_next(const char *function, int strict) {
    static const struct aster_input none;
    static unsigned long next;
    const struct aster_input *input = &aster_inputs[next];
    if (input->function != 0 && strcmp(input->function, function) == 0) {
        next++;
        return input;
    }
    /* Calls whose result the program does not use may be missing among the inputs. */
    if (!strict)
        return &none;
    if (input->function == 0)
        aster_fail("no input is left for", function);
    aster_fail("unexpected call of", function);
    return input;
}

"#;
