//! Any SMT-LIB 2 solver as a child process.

mod child;
mod words;

use crate::layers::AssertionStack;
use crate::{Answer, Interrupt, Limits, Solver, Statistics, UnknownReason};
use aster_term::{Definitions, Evaluator, Model, Op, Sort, Term, TermPool, Value, parse_value};
use child::{Child, Silence};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// How long a process may take until it answers for the first time.
const START_LIMIT: Duration = Duration::from_secs(20);

/// Arrays are announced even if none come: z3 is many times faster on chains of additions under this
/// logic than under `QF_BV` or `ALL`.
const LOGIC: &str = "QF_ABV";

/// Announced from the first query with floats on.
const LOGIC_WITH_FLOATS: &str = "QF_ABVFP";

/// What a process echoes when it has understood the preamble.
const READY: &str = "aster-ready";

/// Why a solver could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// The command has no words.
    #[error("the solver command is empty")]
    EmptyCommand,
    /// A quote of the command is not closed.
    #[error("the solver command `{0}` has an unclosed quote")]
    UnclosedQuote(String),
    /// The program could not be started.
    #[error("cannot start the solver `{program}`: {source}")]
    Start {
        /// The program's name.
        program: String,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The program started but does not answer as an SMT-LIB 2 solver that reads its standard input.
    #[error("`{command}` does not behave like an SMT-LIB 2 solver on its standard input: {detail}")]
    NotASolver {
        /// The command.
        command: String,
        /// What it did instead.
        detail: String,
    },
}

/// A solver that runs as a child process and speaks SMT-LIB 2, for example `z3 -in`.
///
/// Terms are declared and defined once per process. Each conjunct gets a Boolean constant that implies
/// it, and a check assumes those constants; so the process keeps what it learns from check to check.
/// Every model is evaluated before it is believed. A process that must be stopped (interrupt, time
/// limit) or that misbehaves is killed; the next check starts a new one.
///
/// A process has no conflict limit: that limit is ignored. Keyed on term ids: one instance serves one
/// pool.
pub struct ProcessSolver {
    command: String,
    words: Vec<String>,
    interrupt: Interrupt,
    limits: Limits,
    stack: AssertionStack,
    session: Option<Session>,
    /// Whether the process can say which assumptions were needed.
    gives_cores: bool,
    /// Whether there has been a query with floats.
    has_floats: bool,
    checks: u64,
    solved: u64,
    solve_time: Duration,
}

/// One life of the process.
struct Session {
    child: Child,
    definitions: Definitions,
    /// The Boolean constant that stands for each conjunct seen so far.
    literals: FxHashMap<Term, String>,
}

/// What a query is about.
struct Query {
    conjuncts: Vec<Term>,
    variables: Vec<Term>,
    has_floats: bool,
}

impl ProcessSolver {
    /// Starts the command, which is split into words as by a shell, and finds out what it can do.
    pub fn new(command: &str, interrupt: Interrupt) -> Result<Self, SolverError> {
        let words =
            words::split_command(command).ok_or_else(|| SolverError::UnclosedQuote(command.to_owned()))?;
        if words.is_empty() {
            return Err(SolverError::EmptyCommand);
        }
        let mut solver = ProcessSolver {
            command: command.to_owned(),
            words,
            interrupt,
            limits: Limits::default(),
            stack: AssertionStack::default(),
            session: None,
            gives_cores: true,
            has_floats: false,
            checks: 0,
            solved: 0,
            solve_time: Duration::ZERO,
        };
        // The interrupt may be raised already; that must not look like a broken program.
        let calm = Interrupt::new();
        solver.session = match solver.start(&calm) {
            Ok(session) => Some(session),
            Err(error @ SolverError::Start { .. }) => return Err(error),
            Err(_) => {
                solver.gives_cores = false;
                Some(solver.start(&calm)?)
            }
        };
        Ok(solver)
    }

    fn start(&self, interrupt: &Interrupt) -> Result<Session, SolverError> {
        let mut child = Child::spawn(&self.words)
            .map_err(|source| SolverError::Start { program: self.words[0].clone(), source })?;
        let mut preamble =
            "(set-option :print-success false)\n(set-option :produce-models true)\n".to_owned();
        if self.gives_cores {
            preamble.push_str("(set-option :produce-unsat-assumptions true)\n");
        }
        let logic = if self.has_floats { LOGIC_WITH_FLOATS } else { LOGIC };
        child.send(format!("{preamble}(set-logic {logic})\n(echo \"{READY}\")\n"));
        let broken = |detail| SolverError::NotASolver { command: self.command.clone(), detail };
        let deadline = Instant::now() + START_LIMIT;
        match child.receive(interrupt, Some(deadline)) {
            Ok(answer) if answer.trim_matches('"') == READY => {}
            Ok(answer) => return Err(broken(format!("it says {}", shorten(&answer)))),
            Err(Silence::Died(detail)) => return Err(broken(detail)),
            Err(Silence::TimeLimit) => {
                return Err(broken(format!("it says nothing for {} s", START_LIMIT.as_secs())));
            }
            Err(Silence::Interrupted) => return Err(broken("interrupted".to_owned())),
        }
        Ok(Session { child, definitions: Definitions::new(), literals: FxHashMap::default() })
    }

    /// The running process, or a new one if there is none.
    fn session(&mut self) -> Result<Session, UnknownReason> {
        if let Some(session) = self.session.take() {
            return Ok(session);
        }
        self.start(&self.interrupt).map_err(|error| {
            if self.interrupt.is_raised() {
                UnknownReason::Interrupted
            } else {
                UnknownReason::Backend(error.to_string())
            }
        })
    }

    /// Asks the process. The session is put back only if it is still in step with us.
    fn solve(&mut self, pool: &TermPool, query: &Query) -> Result<Answer, UnknownReason> {
        let deadline = self.limits.time.map(|time| Instant::now() + time);
        if query.has_floats && !self.has_floats {
            self.has_floats = true;
            self.session = None;
        }
        let mut session = self.session()?;
        let literals = session.ask(pool, query);
        let verdict = self.receive(&mut session, deadline)?;
        let answer = match verdict.as_str() {
            "sat" => self.model(&mut session, pool, query, deadline).map(Answer::Sat)?,
            "unsat" if self.gives_cores => {
                session.child.send("(get-unsat-assumptions)\n".to_owned());
                let response = self.receive(&mut session, deadline)?;
                Answer::Unsat(self.core(&response, &literals, query)?)
            }
            "unsat" => Answer::Unsat(query.conjuncts.clone()),
            "unknown" => Answer::Unknown(self.failure("answers unknown")),
            other => return Err(self.failure(&format!("answers {}", shorten(other)))),
        };
        self.session = Some(session);
        Ok(answer)
    }

    fn model(
        &self,
        session: &mut Session,
        pool: &TermPool,
        query: &Query,
        deadline: Option<Instant>,
    ) -> Result<Model, UnknownReason> {
        let mut model = Model::new();
        if !query.variables.is_empty() {
            session.ask_values(pool, &query.variables);
            let response = self.receive(session, deadline)?;
            let values = parse_values(pool, &query.variables, &response)
                .map_err(|trouble| self.failure(&format!("gives a model that cannot be read: {trouble}")))?;
            for (&variable, value) in query.variables.iter().zip(values) {
                model.insert(variable, value);
            }
        }
        let mut evaluator = Evaluator::new(&model);
        if query.conjuncts.iter().any(|&term| evaluator.value(pool, term) != Value::Bool(true)) {
            return Err(self.failure("gives a model that does not satisfy the query"));
        }
        Ok(model)
    }

    fn core(&self, response: &str, literals: &[String], query: &Query) -> Result<Vec<Term>, UnknownReason> {
        let by_name: FxHashMap<&str, Term> =
            literals.iter().map(String::as_str).zip(query.conjuncts.iter().copied()).collect();
        let core: Option<Vec<Term>> = words::list_items(response)
            .and_then(|names| names.iter().map(|name| by_name.get(name.as_str()).copied()).collect());
        core.ok_or_else(|| self.failure(&format!("gives a core that cannot be read: {}", shorten(response))))
    }

    fn receive(&self, session: &mut Session, deadline: Option<Instant>) -> Result<String, UnknownReason> {
        session.child.receive(&self.interrupt, deadline).map_err(|silence| match silence {
            Silence::Interrupted => UnknownReason::Interrupted,
            Silence::TimeLimit => UnknownReason::TimeLimit,
            Silence::Died(detail) => self.failure(&format!("stopped: {detail}")),
        })
    }

    fn failure(&self, what: &str) -> UnknownReason {
        UnknownReason::Backend(format!("the solver `{}` {what}", self.command))
    }
}

impl Session {
    /// Sends the query; gives the names of the conjuncts.
    fn ask(&mut self, pool: &TermPool, query: &Query) -> Vec<String> {
        let mut text = String::new();
        let mut literals = Vec::with_capacity(query.conjuncts.len());
        for &conjunct in &query.conjuncts {
            let next = self.literals.len();
            let literal = self.literals.entry(conjunct).or_insert_with(|| {
                let formula = self.definitions.define(pool, conjunct, &mut text);
                let literal = format!("aster.assume.{next}");
                let _ = writeln!(text, "(declare-const {literal} Bool)\n(assert (=> {literal} {formula}))");
                literal
            });
            literals.push(literal.clone());
        }
        if literals.is_empty() {
            text.push_str("(check-sat)\n");
        } else {
            let _ = writeln!(text, "(check-sat-assuming ({}))", literals.join(" "));
        }
        self.child.send(text);
        literals
    }

    fn ask_values(&mut self, pool: &TermPool, variables: &[Term]) {
        let mut text = String::new();
        let names: Vec<String> =
            variables.iter().map(|&variable| self.definitions.define(pool, variable, &mut text)).collect();
        let _ = writeln!(text, "(get-value ({}))", names.join(" "));
        self.child.send(text);
    }
}

/// Reads `((name value) ...)` for these variables, which were asked for in this order.
fn parse_values(pool: &TermPool, variables: &[Term], response: &str) -> Result<Vec<Value>, String> {
    let pairs = words::list_items(response).ok_or_else(|| shorten(response))?;
    if pairs.len() != variables.len() {
        return Err(shorten(response));
    }
    let value_of = |(pair, &variable): (&String, &Term)| {
        let items = words::list_items(pair)?;
        parse_value(items.get(1)?, pool.sort(variable))
    };
    pairs.iter().zip(variables).map(|pair| value_of(pair).ok_or_else(|| shorten(pair.0))).collect()
}

/// What the conjuncts are about, or why this solver cannot take them.
fn inspect(pool: &TermPool, mut conjuncts: Vec<Term>) -> Result<Query, UnknownReason> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    conjuncts.retain(|&term| seen.insert(term));
    seen.clear();
    let mut variables = Vec::new();
    let mut has_floats = false;
    let mut stack = conjuncts.clone();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.sort(term) {
            Sort::Bool | Sort::BitVec(_) | Sort::Array { .. } => {}
            sort => return Err(UnknownReason::Backend(format!("terms of sort {sort} are not supported"))),
        }
        if pool.is_variable(term) {
            variables.push(term);
        }
        has_floats |= matches!(pool.op(term), Op::Fp(_));
        stack.extend(pool.args(term));
    }
    variables.sort_unstable();
    Ok(Query { conjuncts, variables, has_floats })
}

/// The beginning of a text that may be long.
fn shorten(text: &str) -> String {
    const LENGTH: usize = 200;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None => format!("`{text}`"),
    }
}

impl Solver for ProcessSolver {
    fn push(&mut self) {
        self.stack.push();
    }

    fn pop(&mut self) {
        self.stack.pop();
    }

    fn assert(&mut self, _pool: &mut TermPool, formula: Term) {
        self.stack.assert(formula);
    }

    fn check(&mut self, pool: &mut TermPool, assumptions: &[Term]) -> Answer {
        self.checks += 1;
        if self.interrupt.is_raised() {
            return Answer::Unknown(UnknownReason::Interrupted);
        }
        let query = match inspect(pool, self.stack.with(assumptions)) {
            Ok(query) => query,
            Err(reason) => return Answer::Unknown(reason),
        };
        self.solved += 1;
        let start = Instant::now();
        let answer = self.solve(pool, &query);
        self.solve_time += start.elapsed();
        match answer {
            Ok(Answer::Unsat(core)) => Answer::Unsat(self.stack.core_of_assumptions(core, assumptions)),
            Ok(answer) => answer,
            Err(reason) => Answer::Unknown(reason),
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            checks: self.checks,
            solved: self.solved,
            solve_time: self.solve_time,
            ..Statistics::default()
        }
    }
}
