//! Traces for people.

use crate::trace::{Event, Item, Line, Trace, TraceInput};
use aster_cfa::SourceMap;
use std::fmt::Write;

/// Inputs that are shown at the start and at the end of their list.
const FIRST_INPUTS: usize = 40;
const LAST_INPUTS: usize = 10;
/// Source lines are cut here.
const MAX_SOURCE: usize = 72;
/// Events start at the latest in this column of the source text.
const MAX_PADDING: usize = 44;
/// Deeper calls are not indented further.
const MAX_INDENT: u32 = 16;
/// Nor is source text that is indented more than this.
const MAX_SOURCE_INDENT: usize = 24;
/// Columns that a tab takes.
const TAB: usize = 4;

/// The trace as text: the inputs, then the path with one source line a line, behind one bar for
/// each active call, and behind `#` what happened there. Every line ends in a newline.
pub fn render_text(trace: &Trace, sources: &SourceMap) -> String {
    let mut out = String::new();
    render_inputs(trace, &mut out);
    Path::new(trace, sources).render(trace, &mut out);
    out
}

fn render_inputs(trace: &Trace, out: &mut String) {
    let inputs: Vec<&TraceInput> = trace
        .inputs
        .iter()
        .filter(|input| input.matters || !(input.uninitialised || input.approximated))
        .collect();
    let count = inputs.len();
    match count {
        0 => out.push_str("No inputs.\n"),
        1 => out.push_str("1 input:\n"),
        _ => {
            let _ = writeln!(out, "{count} inputs, in the order in which the program asks for them:");
        }
    }
    if count <= FIRST_INPUTS + LAST_INPUTS + 1 {
        inputs.iter().for_each(|input| render_input(input, out));
    } else {
        inputs[..FIRST_INPUTS].iter().for_each(|input| render_input(input, out));
        let _ = writeln!(out, "  ... {} more inputs", count - FIRST_INPUTS - LAST_INPUTS);
        inputs[count - LAST_INPUTS..].iter().for_each(|input| render_input(input, out));
    }
}

fn render_input(input: &TraceInput, out: &mut String) {
    let place = format!("{}:{}:{}", input.place.file, input.place.line, input.place.column);
    let (origin, value) = (&input.origin, &input.value.text);
    let _ = match input.number {
        Some(number) if input.uninitialised => {
            writeln!(out, "  input {number}: uninitialised variable {origin} = {value}   ({place})")
        }
        Some(number) if input.written => {
            writeln!(out, "  input {number}: what {origin}() writes to memory = {value}   ({place})")
        }
        Some(number) => {
            let call = if input.is_call { "()" } else { "" };
            writeln!(out, "  input {number}: {origin}{call} = {value}   ({place})")
        }
        None => writeln!(out, "  uninitialised memory of {origin}: {value}   ({place})"),
    };
}

/// The layout of the path.
struct Path<'a> {
    sources: &'a SourceMap,
    /// Indentation that all source lines have.
    base_indent: usize,
    number_width: usize,
    padding: usize,
}

impl<'a> Path<'a> {
    fn new(trace: &Trace, sources: &'a SourceMap) -> Self {
        let mut path = Path { sources, base_indent: 0, number_width: 1, padding: 0 };
        let lines = || {
            trace.path.iter().filter_map(|item| match item {
                Item::Line(line) => Some(line),
                _ => None,
            })
        };
        let indents = lines().filter(|line| !path.text(line).trim().is_empty());
        path.base_indent = indents.map(|line| source_indent(path.text(line))).min().unwrap_or(0);
        path.number_width = lines().map(|line| line.place.line.to_string().len()).max().unwrap_or(1);
        let widths = lines().filter(|line| !line.events.is_empty());
        let widths = widths.map(|line| path.indent(line.depth).len() + path.source(line).chars().count());
        path.padding = widths.filter(|&width| width <= MAX_PADDING).max().unwrap_or(0);
        path
    }

    fn render(&self, trace: &Trace, out: &mut String) {
        let steps = if trace.steps == 1 { "step" } else { "steps" };
        let goal = if trace.reaches_error() { "Path to the error at" } else { "Path of the run up to" };
        let _ = writeln!(out, "\n{goal} {} ({} {steps}):", place_text(trace), trace.steps);
        let mut file = trace.end.file.as_str();
        for item in &trace.path {
            match item {
                Item::Line(line) => {
                    if line.place.file != file {
                        file = &line.place.file;
                        let _ = writeln!(out, "  in {file}:");
                    }
                    self.render_line(line, out);
                }
                Item::MoreIterations { iterations, place, depth } => {
                    let plural = if *iterations == 1 { "" } else { "s" };
                    let line = place.line;
                    let text = format!("... {iterations} more iteration{plural} of the loop at line {line}");
                    self.render_gap(&format!("{}{text}", self.indent(*depth)), out);
                }
                Item::MoreLines { lines } => self.render_gap(&format!("... {lines} more lines"), out),
                Item::NotRecorded { steps } => {
                    let text = format!("... {steps} steps are not shown: the run is too long to be kept");
                    self.render_gap(&text, out);
                }
            }
        }
    }

    fn render_line(&self, line: &Line, out: &mut String) {
        let is_end = line.events.iter().any(|event| matches!(event, Event::Error { .. } | Event::End { .. }));
        let marker = if is_end { '>' } else { ' ' };
        let text = format!("{}{}", self.indent(line.depth), self.source(line));
        let number = line.place.line;
        let _ = write!(out, "{marker} {number:>width$} | {text}", width = self.number_width);
        if !line.events.is_empty() {
            let padding = self.padding.saturating_sub(text.chars().count());
            let events: Vec<String> = line.events.iter().map(event_text).collect();
            let _ = write!(out, "{:padding$}   # {}", "", events.join(", "));
        }
        let trimmed = out.trim_end().len();
        out.truncate(trimmed);
        out.push('\n');
    }

    fn render_gap(&self, text: &str, out: &mut String) {
        let _ = writeln!(out, "  {:width$} | {text}", "", width = self.number_width);
    }

    fn indent(&self, depth: u32) -> String {
        "| ".repeat(depth.min(MAX_INDENT) as usize)
    }

    fn text(&self, line: &Line) -> &str {
        self.sources.line(line.place.span).unwrap_or_default()
    }

    fn source(&self, line: &Line) -> String {
        let text = self.text(line);
        let indent = source_indent(text).saturating_sub(self.base_indent).min(MAX_SOURCE_INDENT);
        let text = text.trim().replace('\t', " ");
        if text.chars().count() <= MAX_SOURCE {
            return format!("{:indent$}{text}", "");
        }
        let start: String = text.chars().take(MAX_SOURCE - 3).collect();
        format!("{:indent$}{start}...", "")
    }
}

/// Columns before the first character that is not a blank.
fn source_indent(text: &str) -> usize {
    text.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { TAB } else { 1 }).sum()
}

fn place_text(trace: &Trace) -> String {
    format!("{}:{}:{}", trace.end.file, trace.end.line, trace.end.column)
}

fn event_text(event: &Event) -> String {
    match event {
        Event::Assignment { variable, value } => format!("{variable} = {}", value.text),
        Event::Input { number, variable: Some(variable), value } => {
            format!("{variable} = {} (input {number})", value.text)
        }
        Event::Input { number, variable: None, value } => format!("input {number} = {}", value.text),
        Event::Branch { condition, taken } => format!("{condition} is {taken}"),
        Event::Call { function, arguments } => {
            let arguments: Vec<String> =
                arguments.iter().map(|a| format!("{} = {}", a.parameter, a.value.text)).collect();
            format!("call {function}({})", arguments.join(", "))
        }
        Event::Return { function, value } => format!("{function} returned {}", value.text),
        Event::More { events } => format!("... {events} more"),
        Event::Error { message } => format!("ERROR: {message}"),
        Event::End { message } => message.clone(),
    }
}
