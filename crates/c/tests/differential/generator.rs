//! Random programs over integers that mean the same to every compiler: no undefined behaviour apart
//! from signed overflow (which wraps), and no order of evaluation that C leaves open.

use crate::random::Random;
use std::fmt::Write;

/// Functions in one program.
pub const FUNCTIONS: usize = 50;

/// A program: declarations, and functions that can be called on their own.
pub struct RandomProgram {
    /// Global declarations.
    globals: String,
    /// The functions' texts, in order; each calls only earlier ones.
    pub functions: Vec<String>,
    /// For each function the calls that `main` makes.
    calls: Vec<String>,
}

impl RandomProgram {
    /// The whole program.
    pub fn text(&self) -> String {
        self.assemble(&self.calls.concat())
    }

    /// The program that calls only one of the functions.
    pub fn text_of(&self, index: usize) -> String {
        let functions = self.functions[..=index].concat();
        format!("{}{functions}int main(void) {{\n{}    return 0;\n}}\n", self.globals, self.calls[index])
    }

    fn assemble(&self, calls: &str) -> String {
        format!("{}{}int main(void) {{\n{calls}    return 0;\n}}\n", self.globals, self.functions.concat())
    }
}

const TYPES: [&str; 12] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

const CONSTANTS: [&str; 22] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "10",
    "31",
    "100",
    "127",
    "128",
    "255",
    "256",
    "32767",
    "65535",
    "2147483647",
    "1u",
    "4294967295u",
    "1l",
    "0x8000",
    "0x80000000",
    "5ll",
    "0xfedcba9876543210ull",
];

/// The program that belongs to a seed.
pub fn program(seed: u64) -> RandomProgram {
    let mut random = Random::new(seed);
    let mut globals = "void report(unsigned long long value);\n".to_owned();
    let mut names = Vec::new();
    for index in 0..6 {
        let kind = random.pick(&TYPES);
        let _ = writeln!(globals, "{kind} g{index} = {};", random.pick(&CONSTANTS));
        names.push(format!("g{index}"));
    }
    let mut program = RandomProgram { globals, functions: Vec::new(), calls: Vec::new() };
    for index in 0..FUNCTIONS {
        let mut function = Function::new(&mut random, index, &names);
        program.functions.push(function.text());
        let mut calls = String::new();
        for _ in 0..4 {
            let arguments = [constant(&mut random), constant(&mut random), constant(&mut random)].join(", ");
            let _ = writeln!(calls, "    report(f{index}({arguments}));");
        }
        program.calls.push(calls);
    }
    program
}

fn constant(random: &mut Random) -> String {
    match random.below(4) {
        0 => format!("-{}", random.pick(&CONSTANTS)),
        1 => format!("{}", random.next() as i32),
        _ => random.pick(&CONSTANTS).to_owned(),
    }
}

struct Function<'a> {
    random: &'a mut Random,
    index: usize,
    globals: &'a [String],
    locals: Vec<String>,
    /// Loop counters in scope: may be read, not written.
    counters: Vec<String>,
    /// What the current full expression modifies, and must therefore not use again.
    taken: Vec<String>,
    /// What it reads, and must therefore not modify.
    read: Vec<String>,
    /// The current full expression has a call (which may change globals) or uses globals.
    call_used: bool,
    globals_used: bool,
    calls_left: usize,
    fresh: usize,
    labels: Vec<String>,
    out: String,
}

impl<'a> Function<'a> {
    fn new(random: &'a mut Random, index: usize, globals: &'a [String]) -> Self {
        Function {
            random,
            index,
            globals,
            locals: Vec::new(),
            counters: Vec::new(),
            taken: Vec::new(),
            read: Vec::new(),
            call_used: false,
            globals_used: false,
            calls_left: 1,
            fresh: 0,
            labels: Vec::new(),
            out: String::new(),
        }
    }

    fn text(&mut self) -> String {
        let parameters: Vec<String> =
            ["a", "b", "c"].iter().map(|name| format!("{} {name}", self.random.pick(&TYPES))).collect();
        let result = self.random.pick(&TYPES);
        let _ = writeln!(self.out, "static {result} f{}({}) {{", self.index, parameters.join(", "));
        self.locals.extend(["a", "b", "c"].map(str::to_owned));
        for number in 0..4 {
            let storage = if self.random.one_in(6) { "static " } else { "" };
            let kind = self.random.pick(&TYPES);
            let _ = writeln!(self.out, "    {storage}{kind} x{number} = {};", constant(self.random));
            self.locals.push(format!("x{number}"));
        }
        self.block(2, 6);
        for label in std::mem::take(&mut self.labels) {
            let _ = writeln!(self.out, "{label}:;");
        }
        let sum: Vec<String> = self.locals.iter().map(|name| format!("(unsigned long long){name}")).collect();
        let _ = writeln!(self.out, "    report({});", sum.join(" * 31 ^ "));
        self.start_expression();
        let value = self.expression(3);
        let _ = writeln!(self.out, "    return {value};\n}}\n");
        std::mem::take(&mut self.out)
    }

    fn block(&mut self, depth: usize, statements: usize) {
        for _ in 0..1 + self.random.below(statements) {
            self.statement(depth);
        }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "    {text}");
    }

    fn full_expression(&mut self) -> String {
        self.start_expression();
        let depth = 1 + self.random.below(4);
        self.expression(depth)
    }

    fn start_expression(&mut self) {
        self.taken.clear();
        self.read.clear();
        self.call_used = false;
        self.globals_used = false;
    }

    fn statement(&mut self, depth: usize) {
        match self.random.below(if depth == 0 { 6 } else { 14 }) {
            0..=5 => {
                self.start_expression();
                let text = self.assignment(3);
                self.line(&format!("{text};"));
            }
            6 | 7 => {
                let condition = self.full_expression();
                self.line(&format!("if ({condition}) {{"));
                self.block(depth - 1, 3);
                if self.random.one_in(2) {
                    self.line("} else {");
                    self.block(depth - 1, 3);
                }
                self.line("}");
            }
            8 => self.counted_loop(depth),
            9 => self.while_loop(depth),
            10 | 11 => self.switch(depth),
            12 => {
                let label = format!("l{}", self.labels.len());
                let condition = self.full_expression();
                self.line(&format!("if ({condition}) goto {label};"));
                self.labels.push(label);
            }
            _ => {
                let name = self.fresh("y");
                let kind = self.random.pick(&TYPES);
                let value = self.full_expression();
                self.line("{");
                self.line(&format!("{kind} {name} = {value};"));
                self.locals.push(name);
                self.block(depth - 1, 3);
                self.locals.pop();
                self.line("}");
            }
        }
    }

    fn counted_loop(&mut self, depth: usize) {
        let counter = self.fresh("i");
        let kind = self.random.pick(&["int", "unsigned char", "long", "unsigned"]);
        let rounds = 1 + self.random.below(5);
        self.line(&format!("for ({kind} {counter} = 0; {counter} < {rounds}; {counter}++) {{"));
        self.loop_body(counter, depth);
        self.line("}");
    }

    fn while_loop(&mut self, depth: usize) {
        let counter = self.fresh("n");
        let rounds = 1 + self.random.below(5);
        let condition = self.full_expression();
        self.line(&format!("{{ int {counter} = {rounds};"));
        if self.random.one_in(2) {
            self.line(&format!("while ({counter}-- > 0 && ({condition})) {{"));
            self.loop_body(counter, depth);
            self.line("}}");
        } else {
            self.line("do {");
            self.loop_body(counter.clone(), depth);
            self.line(&format!("}} while (({condition}) && --{counter} > 0); }}"));
        }
    }

    fn loop_body(&mut self, counter: String, depth: usize) {
        self.counters.push(counter);
        let calls = std::mem::take(&mut self.calls_left);
        self.block(depth - 1, 3);
        if self.random.one_in(3) {
            let condition = self.full_expression();
            let jump = self.random.pick(&["break", "continue"]);
            self.line(&format!("if ({condition}) {jump};"));
            self.block(0, 2);
        }
        self.calls_left = calls;
        self.counters.pop();
    }

    fn switch(&mut self, depth: usize) {
        let value = self.full_expression();
        let mask = self.random.pick(&["& 3", "% 5", "& 7"]);
        self.line(&format!("switch (({value}) {mask}) {{"));
        let default = self.random.below(5);
        for case in 0..4 {
            if case == default {
                self.line("default:");
            }
            self.line(&format!("case {case}:"));
            self.block(depth - 1, 2);
            if !self.random.one_in(3) {
                self.line("break;");
            }
        }
        self.line("}");
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    /// A variable that may be modified; it is not used again in this full expression.
    fn target(&mut self) -> Option<String> {
        let use_global = !self.call_used && self.random.one_in(4);
        let name = match use_global {
            true => self.globals[self.random.below(self.globals.len())].clone(),
            false => self.locals[self.random.below(self.locals.len())].clone(),
        };
        if self.taken.contains(&name) || self.read.contains(&name) {
            return None;
        }
        self.globals_used |= use_global;
        self.taken.push(name.clone());
        Some(name)
    }

    fn assignment(&mut self, depth: usize) -> String {
        let Some(name) = self.target() else {
            return self.expression(depth);
        };
        match self.random.below(13) {
            0..=3 => format!("{name} = {}", self.expression(depth)),
            4 => format!("{name} += {}", self.expression(depth)),
            5 => format!("{name} -= {}", self.expression(depth)),
            6 => format!("{name} *= {}", self.expression(depth)),
            7 => format!("{name} &= {}", self.expression(depth)),
            8 => format!("{name} |= {}", self.expression(depth)),
            9 => format!("{name} ^= {}", self.expression(depth)),
            10 => format!("{name} <<= ({} & 7)", self.operand(depth)),
            11 => format!("{name} >>= ({} & 7)", self.operand(depth)),
            _ => format!("{name} /= (({} & 15) + 2)", self.operand(depth)),
        }
    }

    fn operand(&mut self, depth: usize) -> String {
        format!("({})", self.expression(depth.saturating_sub(1)))
    }

    /// An expression in which nothing is modified and used elsewhere, whatever the order of evaluation.
    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.one_in(8) {
            return self.leaf();
        }
        match self.random.below(22) {
            0..=6 => {
                let operator = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("{} {operator} {}", self.operand(depth), self.operand(depth))
            }
            7 => format!("{} / (({} & 15) + 2)", self.operand(depth), self.operand(depth)),
            8 => format!("{} % (({} & 15) + 2)", self.operand(depth), self.operand(depth)),
            9 => format!("{} / -(({} & 3) + 2)", self.operand(depth), self.operand(depth)),
            10 => format!("{} << ({} & 15)", self.operand(depth), self.operand(depth)),
            11 => format!("{} >> ({} & 31)", self.operand(depth), self.operand(depth)),
            12 | 13 => {
                let operator = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("{} {operator} {}", self.operand(depth), self.operand(depth))
            }
            14 => {
                let operator = self.random.pick(&["&&", "||"]);
                format!("{} {operator} {}", self.operand(depth), self.operand(depth))
            }
            15 => {
                let [condition, left, right] = std::array::from_fn(|_| self.operand(depth));
                format!("{condition} ? {left} : {right}")
            }
            16 => format!("{}{}", self.random.pick(&["-", "~", "!", "+"]), self.operand(depth)),
            17 | 18 => format!("({}){}", self.random.pick(&TYPES), self.operand(depth)),
            19 => format!("({}, {})", self.assignment(depth - 1), self.operand(depth)),
            20 => match self.target() {
                Some(name) => match self.random.below(4) {
                    0 => format!("{name}++"),
                    1 => format!("{name}--"),
                    2 => format!("++{name}"),
                    _ => format!("--{name}"),
                },
                None => self.leaf(),
            },
            _ => self.special(depth),
        }
    }

    fn special(&mut self, depth: usize) -> String {
        match self.random.below(4) {
            0 => format!("sizeof({})", self.expression(depth - 1)),
            1 => {
                let name = self.fresh("t");
                let kind = self.random.pick(&TYPES);
                let value = self.operand(depth);
                format!("({{ {kind} {name} = {value}; {name} += 3; {name}; }})")
            }
            2 => format!("({})", self.assignment(depth - 1)),
            _ => self.call(depth),
        }
    }

    /// A call of an earlier function, at most one in a function and not in loops, so that programs end
    /// soon. It may change globals, so that nothing else in the expression uses any.
    fn call(&mut self, depth: usize) -> String {
        if self.index == 0 || self.calls_left == 0 || self.globals_used || self.call_used {
            return self.leaf();
        }
        self.calls_left -= 1;
        self.call_used = true;
        let callee = self.random.below(self.index);
        let arguments: Vec<String> = (0..3).map(|_| self.operand(depth)).collect();
        format!("f{callee}({})", arguments.join(", "))
    }

    fn leaf(&mut self) -> String {
        let name = match self.random.below(8) {
            0 if !self.call_used => {
                self.globals_used = true;
                self.globals[self.random.below(self.globals.len())].clone()
            }
            1 if !self.counters.is_empty() => self.counters[self.random.below(self.counters.len())].clone(),
            0..=4 => self.locals[self.random.below(self.locals.len())].clone(),
            _ => return constant(self.random),
        };
        if self.taken.contains(&name) {
            return constant(self.random);
        }
        self.read.push(name.clone());
        name
    }
}
