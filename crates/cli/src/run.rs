//! `aster run`: a program executed on given inputs.

use crate::analysis::position;
use crate::args::RunArgs;
use crate::progress::{Activity, Phase};
use crate::target::Target;
use crate::watchdog::{self, Limits, Waited};
use crate::{check, output, panics, render};
use anyhow::{Context, anyhow, bail};
use aster_bench::os::Clock;
use aster_cfa::interpreter::{End, InputSource, Interpreter, RunEvent, RunLimits, Watcher};
use aster_cfa::{Edge, InputOrigin, Label, Op, Presentation, Program, Var};
use aster_engines::{Budget, Limit};
use aster_term::{BigInt, BigRational, BitVec, FloatFormat, Sort, TermPool, Value, parse_float};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::time::Instant;

/// Runs the program and prints how that ended; gives the exit code.
pub fn run(start: Instant, arguments: RunArgs) -> anyhow::Result<i32> {
    let limits = Limits::new(start, arguments.timeout, Clock::Wall, None)?;
    let budget = limits.budget();
    check::watch_signals(&budget, false);
    let activity = Activity::default();
    activity.begin(Phase::Load);
    let (watched, working) = (budget.clone(), activity.clone());
    let told = match watchdog::within(&limits, &budget, move || tell(&arguments, &watched, &working))? {
        Waited::Done(told) => told?,
        Waited::CutOff(limit) => Told::cut_off(limit, &activity),
        Waited::Lost => bail!("internal error: {}", panics::message()),
    };
    output::note(&told.note);
    Ok(if output::print(&told.text) { told.code } else { 2 })
}

/// What there is to say about a run.
struct Told {
    text: String,
    note: String,
    code: i32,
}

impl Told {
    /// The run was stopped from outside: reading, running or telling did not come to an end.
    fn cut_off(limit: Limit, activity: &Activity) -> Told {
        let doing = activity.phase().map_or("running the program", Phase::gerund);
        Told { text: capitalised(&format!("{limit} while {doing}\n")), note: String::new(), code: 20 }
    }
}

fn tell(arguments: &RunArgs, budget: &Budget, activity: &Activity) -> anyhow::Result<Told> {
    let numbers = match &arguments.inputs_file {
        Some(path) => read_inputs(path)?,
        None => parse_inputs(arguments.inputs.iter().map(String::as_str))?,
    };
    let model = arguments.data_model.map(|model| model.0);
    let target = Target::resolve(&arguments.file, arguments.property.as_deref(), model)?
        .with_settings(&arguments.constants.define)?;
    // Taking down millions of terms takes time that nobody needs: the process ends anyway.
    let mut pool = ManuallyDrop::new(TermPool::new());
    let program = ManuallyDrop::new(target.load(&mut pool).map_err(|error| anyhow!("{}", error.render()))?);
    activity.end();
    let interrupted = || budget.exhausted().is_some();
    let limits = RunLimits { interrupted: Some(&interrupted), ..RunLimits::default() };
    let zero_uninitialised = arguments.zero_uninitialised;
    let inputs =
        || Inputs { program: &program, numbers: &numbers, next: 0, zero_uninitialised, problem: None };
    let mut main = MainResult::new(&program);
    let mut text = String::new();
    if arguments.trace {
        let (_, trace) = aster_evidence::tell_run(&program, &pool, &mut inputs(), limits);
        text = aster_evidence::render_text(&trace, &program.sources) + "\n";
    }
    let mut inputs = inputs();
    let end = Interpreter::new(&program, &pool).run_from(&mut inputs, limits, &mut main);
    if let Some(problem) = inputs.problem {
        bail!(problem);
    }
    let (given, used) = (numbers.len(), inputs.next);
    let note = match used < given {
        true => format!("aster: {given} inputs were given, the run used {used} of them\n"),
        false => String::new(),
    };
    text.push_str(&describe(&program, &end, &main, budget));
    Ok(Told { text, note, code: exit_code(&end) })
}

fn exit_code(end: &End) -> i32 {
    match end {
        End::Finished | End::Halted { .. } => 0,
        End::Error { .. } => 10,
        _ => 20,
    }
}

/// How the run ended, with the line where that was.
fn describe(program: &Program, end: &End, main: &MainResult, budget: &Budget) -> String {
    let mut sentence = match (end, &main.shown) {
        (End::Finished, Some(result)) => format!("the program finished: main returned {result}"),
        (End::Finished, None) => "the program finished".to_owned(),
        _ => aster_evidence::describe_end(program, end),
    };
    if let (End::Interrupted { .. }, Some(limit)) = (end, budget.exhausted()) {
        sentence.push_str(&format!(": {limit}"));
    }
    sentence.push('\n');
    let mut sentence = capitalised(&sentence);
    if let Some(span) = end.span() {
        render::frame(&mut sentence, &position(&program.sources, span));
    }
    sentence
}

fn capitalised(sentence: &str) -> String {
    let mut sentence = sentence.to_owned();
    if let Some(first) = sentence.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    sentence
}

/// A number as it was written: what it stands for depends on the type that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Word {
    text: String,
    /// Its value, if it is an integer.
    integer: Option<Integer>,
}

impl Word {
    /// `None` for what is a number of no type.
    fn parse(text: &str) -> Option<Word> {
        let integer = parse_integer(text);
        let is_number = integer.is_some() || parse_float(FloatFormat::QUAD, text).is_some() || is_nan(text);
        is_number.then(|| Word { text: text.to_owned(), integer })
    }

    /// The number as a value of a sort; `None` if it does not fit.
    fn value(&self, sort: Sort, presentation: &Presentation) -> Option<Value> {
        match (presentation, sort) {
            (Presentation::Float(_), Sort::BitVec(width)) => {
                parse_float(FloatFormat::of_width(width)?, &self.text).map(Value::BitVec)
            }
            (Presentation::Bool, Sort::BitVec(width)) => {
                self.integer?.bits(width).filter(|bits| bits.unsigned() <= 1).map(Value::BitVec)
            }
            _ => self.integer?.value(sort),
        }
    }
}

/// `nan(0x7fc00001)`: how many bits there are depends on the type.
fn is_nan(text: &str) -> bool {
    let digits = text.strip_prefix("nan(0x").and_then(|rest| rest.strip_suffix(')'));
    digits.is_some_and(|digits| u128::from_str_radix(digits, 16).is_ok())
}

/// An integer as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Integer {
    negative: bool,
    magnitude: u128,
}

impl Integer {
    /// The bits of the number in a type of this width, signed or not; `None` if it does not fit.
    fn bits(self, width: u32) -> Option<BitVec> {
        let limit = 1u128
            .checked_shl(width - u32::from(self.negative))
            .map_or(u128::MAX, |limit| if self.negative { limit } else { limit - 1 });
        let bits = if self.negative { self.magnitude.wrapping_neg() } else { self.magnitude };
        (self.magnitude <= limit).then(|| BitVec::new(width, bits))
    }

    /// The number as a value of a sort; `None` if it is none.
    fn value(self, sort: Sort) -> Option<Value> {
        let integer = || if self.negative { -BigInt::from(self.magnitude) } else { self.magnitude.into() };
        match sort {
            Sort::BitVec(width) => self.bits(width).map(Value::BitVec),
            Sort::Bool => self.bits(1).filter(|_| !self.negative).map(|bit| Value::Bool(bit.unsigned() == 1)),
            Sort::Int => Some(Value::Int(integer())),
            Sort::Real => Some(Value::Real(BigRational::from_integer(integer()))),
            Sort::Array { .. } => None,
        }
    }
}

fn read_inputs(path: &Path) -> anyhow::Result<Vec<Word>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let words = lines.flat_map(|line| line.split([',', ' ', '\t', '\r'])).filter(|word| !word.is_empty());
    parse_inputs(words).with_context(|| path.display().to_string())
}

fn parse_inputs<'a>(words: impl Iterator<Item = &'a str>) -> anyhow::Result<Vec<Word>> {
    let parse = |(index, word): (usize, &str)| {
        Word::parse(word.trim())
            .ok_or_else(|| anyhow!("input {}: `{word}` is not a number of at most 128 bits", index + 1))
    };
    words.enumerate().map(parse).collect()
}

fn parse_integer(word: &str) -> Option<Integer> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (digits, radix) = hexadecimal.map_or((digits, 10), |digits| (digits, 16));
    // The parser of numbers would take a sign.
    let magnitude = digits.starts_with(|c: char| c.is_ascii_hexdigit()).then_some(digits)?;
    Some(Integer { negative, magnitude: u128::from_str_radix(magnitude, radix).ok()? })
}

/// The numbers, as values of the types that the run asks for.
struct Inputs<'a> {
    program: &'a Program,
    numbers: &'a [Word],
    next: usize,
    zero_uninitialised: bool,
    /// What is wrong with a number.
    problem: Option<String>,
}

impl InputSource for Inputs<'_> {
    fn next_input(&mut self, edge: Edge, sort: Sort) -> Option<Value> {
        let Label::Op(Op::Havoc(_, input)) = &self.program.edge(edge).label else { return None };
        let is_uninitialised = matches!(input.origin, InputOrigin::Uninitialised(_));
        if matches!(sort, Sort::Array { .. }) || is_uninitialised && self.zero_uninitialised {
            return Value::default_of(sort);
        }
        let number = self.numbers.get(self.next)?;
        self.next += 1;
        let value = number.value(sort, &input.presentation);
        if value.is_none() {
            let place = self.program.sources.position(self.program.edge(edge).span);
            let (index, ty, text) = (self.next, type_name(&input.presentation), &number.text);
            self.problem = Some(format!("input {index}: {text} does not fit type `{ty}` at {place}"));
        }
        value
    }
}

fn type_name(presentation: &Presentation) -> &str {
    match presentation {
        Presentation::Bool => "_Bool",
        Presentation::Signed(name)
        | Presentation::Unsigned(name)
        | Presentation::Pointer(name)
        | Presentation::Float(name)
        | Presentation::Raw(name)
        | Presentation::Named { type_name: name, .. } => name,
    }
}

/// Watches for what `main` returns.
struct MainResult<'a> {
    program: &'a Program,
    variable: Option<Var>,
    shown: Option<String>,
}

impl<'a> MainResult<'a> {
    fn new(program: &'a Program) -> Self {
        let main = program.procedure_named("main");
        MainResult { program, variable: main.and_then(|main| program.procedure(main).result), shown: None }
    }
}

impl Watcher for MainResult<'_> {
    fn on(&mut self, event: RunEvent<'_>) {
        if let RunEvent::Assigned { variable, value, .. } = event
            && Some(variable) == self.variable
        {
            let presentation = self.program.variable(variable).presentation.clone();
            let presentation = presentation.unwrap_or(Presentation::Signed("int".to_owned()));
            self.shown = Some(aster_evidence::show_value(&value.to_value(), &presentation).text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(word: &str) -> Option<(bool, u128)> {
        parse_integer(word).map(|number| (number.negative, number.magnitude))
    }

    #[test]
    fn numbers_are_read() {
        assert_eq!(number("42"), Some((false, 42)));
        assert_eq!(number("-7"), Some((true, 7)));
        assert_eq!(number("0xFf"), Some((false, 255)));
        assert_eq!(number("-0x10"), Some((true, 16)));
        assert_eq!(number("340282366920938463463374607431768211455"), Some((false, u128::MAX)));
        for bad in [
            "",
            "-",
            "--1",
            "+1",
            "0x",
            "0x-1",
            "-+1",
            "1.5",
            "f",
            "1e3",
            "340282366920938463463374607431768211456",
        ] {
            assert_eq!(number(bad), None, "{bad}");
        }
    }

    #[test]
    fn floats_are_read_as_they_are_printed() {
        let single = |word: &str| {
            let presentation = Presentation::Float("float".to_owned());
            Word::parse(word)?
                .value(Sort::BitVec(32), &presentation)?
                .as_bit_vec()
                .map(|bits| bits.unsigned())
        };
        assert_eq!(single("0.1"), Some(0x3dcc_cccd));
        assert_eq!(single("0x1.99999ap-4"), Some(0x3dcc_cccd));
        assert_eq!(single("3"), Some(0x4040_0000));
        assert_eq!(single("-0.0"), Some(0x8000_0000));
        assert_eq!(single("-inf"), Some(0xff80_0000));
        assert_eq!(single("nan(0x7fc00001)"), Some(0x7fc0_0001));
        assert_eq!(single("nan(0x1)"), None);
        assert_eq!(Word::parse("0.1x"), None);
        let int = Presentation::Signed("int".to_owned());
        assert_eq!(Word::parse("1.5").and_then(|word| word.value(Sort::BitVec(32), &int)), None);
    }

    #[test]
    fn numbers_must_fit_their_type() {
        let fits = |word: &str, width| parse_integer(word).unwrap().bits(width).map(|bits| bits.unsigned());
        assert_eq!(fits("255", 8), Some(255));
        assert_eq!(fits("256", 8), None);
        assert_eq!(fits("-128", 8), Some(128));
        assert_eq!(fits("-129", 8), None);
        assert_eq!(fits("-1", 32), Some(0xffff_ffff));
        assert_eq!(fits("-0x80000000000000000000000000000000", 128), Some(1 << 127));
        assert_eq!(fits("-0x80000000000000000000000000000001", 128), None);
        assert_eq!(fits("0xffffffffffffffffffffffffffffffff", 128), Some(u128::MAX));
    }
}
