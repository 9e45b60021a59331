//! From a target to a verdict: load, explore, replay. Runs on a thread of its own with a large stack.

use crate::args::{CheckArgs, Engine, JoinArg};
use crate::progress::{Activity, Phase};
use crate::target::{Language, Target};
use crate::{output, protocol};
use aster_bench::report;
use aster_c::LoadError;
use aster_cfa::{ErrorKind, Program, SourceMap, Span, join_branches, tail_calls_as_jumps};
use aster_engines::symexec_ia::Check;
use aster_engines::{Budget, Outcome, Reason, Unknown, ase, concrete, symexec, symexec_ia};
use aster_evidence::{InvalidAccess, Place};
use aster_models::gcl;
use aster_smt::{Backend, Config, Limits, QueryLog, UnknownReason};
use aster_term::TermPool;
use std::mem::ManuallyDrop;
use std::time::{Duration, Instant};

/// What `auto` does before it leaves the rest of the time to symexec-ia. Most programs are decided by one of the two
/// at once; those that take longer are rather decided by symexec.
const PLAN: [Turn; 6] = [
    Turn { engine: Engine::Symexec, joined: false, time: Duration::from_secs(2) },
    Turn { engine: Engine::Concrete, joined: false, time: Duration::from_secs(1) },
    Turn { engine: Engine::SymexecIa, joined: false, time: Duration::from_secs(5) },
    Turn { engine: Engine::Symexec, joined: false, time: Duration::from_secs(20) },
    Turn { engine: Engine::Symexec, joined: true, time: Duration::from_secs(10) },
    Turn { engine: Engine::Concrete, joined: false, time: Duration::from_secs(10) },
];

/// An engine for some time.
struct Turn {
    engine: Engine,
    /// Branches that meet again are one path.
    joined: bool,
    time: Duration,
}

/// The times below are for this time limit and longer ones; a shorter one shortens them.
const FULL_TIME: Duration = Duration::from_secs(60);

/// How long symexec-ia tries to do with one cell of each array.
const CELLS: Duration = Duration::from_secs(10);

/// How long symexec-ia tries to do with one call of recursive procedures at a time.
const RECURSION: Duration = Duration::from_secs(10);

/// How long `auto` leaves a transition system to `ase` before the engines for programs get it.
const SYSTEM_TIME: Duration = Duration::from_secs(20);

/// What came out.
#[derive(Debug)]
pub enum Verdict {
    /// No error can be reached; with the evidence, if it was asked for.
    True(Option<report::Proof>),
    /// An error is reached; this was replayed.
    False {
        /// The property that is violated.
        property: &'static str,
        /// The inputs and the path.
        counterexample: serde_json::Value,
        /// The same for people.
        text: String,
        /// The C file that supplies the inputs, if it is needed.
        harness: Option<aster_evidence::Harness>,
        /// What the compiled program must do.
        failure: Failure,
    },
    /// Not decided.
    Unknown {
        /// Why.
        reason: report::Reason,
        /// Where unexplored states were waiting.
        frontier: Vec<report::Frontier>,
    },
}

/// What goes wrong, and where.
#[derive(Debug)]
pub struct Failure {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// Where it is.
    pub place: Place,
    /// The access to memory that is the error, if it is one.
    pub access: Option<InvalidAccess>,
    /// It happens where a value is computed that nobody uses.
    pub in_unused: bool,
    /// What it depends on and nobody supplies to the compiled program, by name.
    pub unsupplied: Vec<String>,
}

impl Verdict {
    /// Not decided for a reason without a place.
    pub fn unknown(reason: &Reason) -> Self {
        let reason = report::Reason {
            keyword: reason.keyword().to_owned(),
            message: reason.to_string(),
            construct: None,
            position: None,
        };
        Verdict::Unknown { reason, frontier: Vec::new() }
    }
}

/// A verdict and what the solver counted on the way.
#[derive(Debug)]
pub struct Analysis {
    /// The verdict.
    pub verdict: Verdict,
    /// The solver's counters.
    pub solver: Option<aster_smt::Statistics>,
}

/// Everything that the thread of the analysis needs.
pub struct Job {
    /// When the run started.
    pub start: Instant,
    /// What is checked.
    pub target: Target,
    /// How.
    pub arguments: CheckArgs,
    /// When to stop.
    pub budget: Budget,
    /// Where to tell what is being done.
    pub activity: Activity,
}

impl Job {
    fn log(&self, message: impl FnOnce() -> String) {
        if self.arguments.verbose {
            output::note(&format!("[{:7.3} s] {}\n", self.start.elapsed().as_secs_f64(), message()));
        }
    }

    /// Runs all phases. The error is a message about bad input.
    pub fn run(&self) -> Result<Analysis, String> {
        let log = self.query_log()?;
        // Taking down millions of terms takes time that nobody needs: the process ends anyway.
        let mut pool = ManuallyDrop::new(TermPool::new());
        self.activity.begin(Phase::Load);
        self.log(|| format!("reading {} ({})", self.target.name(), self.target.data_model));
        let loaded = self.load(&mut pool);
        self.activity.end();
        let (program, system) = loaded.map_err(|error| error.render())?;
        let program = ManuallyDrop::new(program);
        self.activity.loaded(&program);
        self.log(|| {
            format!("{} procedures, {} edges", program.procedures().count(), program.edges().count())
        });
        let mut solver = aster_smt::assemble(&self.solver_config(log.clone()), &self.budget.interrupt())
            .map_err(|error| error.to_string())?;
        self.activity.begin(Phase::Explore);
        self.log(|| format!("exploring with {}", self.arguments.engine.name()));
        let of_system =
            system.as_ref().and_then(|system| self.analyse_system(system, &program, &mut pool, &mut *solver));
        let (outcome, proof) = of_system.unwrap_or_else(|| {
            let with_jumps = (!self.arguments.abstraction.no_tail_calls)
                .then(|| tail_calls_as_jumps(&program, &mut pool))
                .flatten();
            // A counterexample is replayed on the program as it is written: the inputs are the same.
            let explored = with_jumps.as_ref().unwrap_or(&program);
            let joined = (self.arguments.abstraction.join == JoinArg::Always)
                .then(|| join_branches(explored, &mut pool, &|| self.budget.exhausted().is_some()))
                .flatten();
            let explored = joined.as_ref().unwrap_or(explored);
            let (outcome, proof) = self.explore(explored, &mut pool, &mut *solver);
            (outcome, proof.map(|proof| proof_of_program(explored, &proof)))
        });
        self.activity.end();
        let statistics = solver.statistics();
        // Ends the processes of external solvers.
        drop(solver);
        if let Some(failure) = log.and_then(|log| log.failure()) {
            output::complain(&format!("queries are missing in the record: {failure}"));
        }
        let verdict = match outcome {
            Outcome::Safe => Verdict::True(proof.filter(|_| self.arguments.abstraction.show_invariants)),
            Outcome::Unsafe(counterexample) => {
                self.activity.begin(Phase::Replay);
                self.log(|| format!("replaying {} inputs", counterexample.inputs.len()));
                let verdict = self.replay(&program, &pool, &counterexample);
                self.activity.end();
                verdict
            }
            Outcome::Unknown(unknown) => {
                let frontier = unknown.frontier.iter().map(|entry| report::Frontier {
                    position: position(&program.sources, entry.span),
                    states: entry.states as u64,
                });
                Verdict::Unknown {
                    reason: self.reason(&unknown.reason, &program.sources),
                    frontier: frontier.collect(),
                }
            }
        };
        self.log(|| "done".to_owned());
        Ok(Analysis { verdict, solver: Some(statistics) })
    }

    /// The program, and the system that it comes from if that is what is analysed.
    fn load(&self, pool: &mut TermPool) -> Result<(Program, Option<gcl::System>), LoadError> {
        let uses_system = matches!(self.arguments.engine, Engine::Auto | Engine::Ase);
        if !uses_system || self.target.language() != Language::GuardedCommands {
            return Ok((self.target.load(pool)?, None));
        }
        let system = self.target.load_system(pool)?;
        Ok((system.to_program(pool), Some(system)))
    }

    /// What the engine for transition systems finds out; `None` if others shall try.
    fn analyse_system(
        &self,
        system: &gcl::System,
        program: &Program,
        pool: &mut TermPool,
        solver: &mut dyn aster_smt::Solver,
    ) -> Option<(Outcome, Option<report::Proof>)> {
        let mut observer = self.activity.observer(program, self.arguments.verbose);
        let analysed = protocol::system(system, pool);
        let is_alone = self.arguments.engine == Engine::Ase;
        let time = self.part_of_time(SYSTEM_TIME, FULL_TIME);
        let budget = if is_alone { self.budget.clone() } else { self.budget.part(time) };
        self.log(|| "ase".to_owned());
        if !is_alone {
            solver.set_limits(Limits { time: Some(time), conflicts: None });
        }
        let abstraction = &self.arguments.abstraction;
        let options = ase::Options {
            sharing: !abstraction.no_sharing,
            symmetry: !abstraction.no_symmetry,
            reduction: !abstraction.no_reduction,
            ..ase::Options::default()
        };
        let (verdict, statistics) = ase::run(&analysed, pool, solver, options, &budget, &mut observer);
        self.activity.publish_system(statistics);
        solver.set_limits(Limits::default());
        let outcome = match verdict {
            ase::Verdict::Safe(evidence) => {
                let is_shown = self.arguments.abstraction.show_invariants;
                return Some((Outcome::Safe, is_shown.then(|| protocol::proof(system, pool, &evidence))));
            }
            ase::Verdict::Unsafe(run) => Outcome::Unsafe(protocol::counterexample(system, &run)),
            ase::Verdict::Unknown(_) if !is_alone && self.budget.exhausted().is_none() => return None,
            ase::Verdict::Unknown(reason) => Outcome::Unknown(Unknown { reason, frontier: Vec::new() }),
        };
        Some((outcome, None))
    }

    /// The folder that queries are written to, if they are.
    fn query_log(&self) -> Result<Option<QueryLog>, String> {
        let Some(folder) = &self.arguments.solver.record_queries else { return Ok(None) };
        QueryLog::create(folder)
            .map(Some)
            .map_err(|error| format!("cannot make the folder {} for queries: {error}", folder.display()))
    }

    fn solver_config(&self, record: Option<QueryLog>) -> Config {
        let arguments = &self.arguments.solver;
        Config {
            backend: arguments.solver.clone().map_or(Backend::Native, Backend::Process),
            cross_check: arguments.cross_check.clone(),
            model_reuse: !arguments.no_model_reuse,
            slicing: !arguments.no_slicing,
            cache: !arguments.no_query_cache,
            float_search: !arguments.no_float_search,
            integer_search: !arguments.no_integer_search,
            record,
        }
    }

    fn explore(
        &self,
        program: &Program,
        pool: &mut TermPool,
        solver: &mut dyn aster_smt::Solver,
    ) -> (Outcome, Option<symexec_ia::Proof>) {
        if matches!(self.arguments.engine, Engine::Auto | Engine::Ase) {
            let joins = self.arguments.abstraction.join == JoinArg::Auto;
            for turn in PLAN.iter().filter(|turn| joins || !turn.joined) {
                let time = self.time_of(turn);
                let part = self.budget.part(time);
                let joined = turn
                    .joined
                    .then(|| join_branches(program, pool, &|| part.exhausted().is_some()))
                    .flatten();
                if turn.joined && joined.is_none() {
                    continue;
                }
                let explored = joined.as_ref().unwrap_or(program);
                let (outcome, proof) = self.take_turn(turn, time, &part, explored, pool, solver);
                // What keeps a program from being decided is told by an engine that looks at all of it as it is written.
                let is_partial = turn.joined || turn.engine == Engine::Concrete;
                let goes_on = ran_out(&outcome) || is_partial && is_no_defect(&outcome);
                if !goes_on || self.budget.exhausted().is_some() {
                    return (outcome, proof);
                }
            }
            self.log(|| "symexec-ia to the end".to_owned());
        }
        let mut observer = self.activity.observer(program, self.arguments.verbose);
        match self.arguments.engine {
            Engine::Symexec => {
                (symexec::run(program, pool, solver, self.symexec(), &self.budget, &mut observer), None)
            }
            Engine::Concrete => {
                (concrete::run(program, pool, self.concrete(), &self.budget, &mut observer), None)
            }
            _ => symexec_ia::run(program, pool, solver, self.symexec_ia(), &self.budget, &mut observer),
        }
    }

    /// How long a turn lasts. Half of the time is left for the end.
    fn time_of(&self, turn: &Turn) -> Duration {
        let whole: Duration = PLAN.iter().map(|turn| turn.time).sum::<Duration>() * 2;
        self.part_of_time(turn.time, whole)
    }

    fn take_turn(
        &self,
        turn: &Turn,
        time: Duration,
        part: &Budget,
        program: &Program,
        pool: &mut TermPool,
        solver: &mut dyn aster_smt::Solver,
    ) -> (Outcome, Option<symexec_ia::Proof>) {
        let limits = Limits { time: Some(time), conflicts: None };
        self.log(|| {
            let joined = if turn.joined { " with joined branches" } else { "" };
            format!("{}{joined} for {:.1} s", turn.engine.name(), time.as_secs_f64())
        });
        let mut observer = self.activity.observer(program, self.arguments.verbose);
        match turn.engine {
            Engine::Concrete => (concrete::run(program, pool, self.concrete(), part, &mut observer), None),
            Engine::SymexecIa => {
                let options = self.symexec_ia();
                let cells = options.cells.min(time / 2);
                let recursion = options.recursion.min(time / 2);
                let options = symexec_ia::Options { limits, cells, recursion, ..options };
                symexec_ia::run(program, pool, solver, options, part, &mut observer)
            }
            _ => {
                solver.set_limits(limits);
                let outcome = symexec::run(program, pool, solver, self.symexec(), part, &mut observer);
                solver.set_limits(Limits::default());
                (outcome, None)
            }
        }
    }

    fn concrete(&self) -> concrete::Options {
        concrete::Options { seed: self.arguments.seed }
    }

    fn symexec(&self) -> symexec::Options {
        let mut options = symexec::Options {
            seed: self.arguments.seed,
            all_paths: self.arguments.abstraction.no_sharing,
            ..Default::default()
        };
        if let Some(search) = self.arguments.search {
            options.search = search.0;
        }
        options
    }

    fn symexec_ia(&self) -> symexec_ia::Options {
        let arguments = &self.arguments.abstraction;
        let mut options = symexec_ia::Options {
            threshold: arguments.threshold,
            initial_predicates: arguments.initial_predicates.into(),
            sharing: !arguments.no_sharing,
            splits: arguments.splits,
            constants: arguments.constants,
            auxiliary: !arguments.no_auxiliary,
            series: !arguments.no_series,
            cells: if arguments.no_cells { Duration::ZERO } else { self.part_of_time(CELLS, FULL_TIME) },
            recursion: match arguments.no_recursion {
                true => Duration::ZERO,
                false => self.part_of_time(RECURSION, FULL_TIME),
            },
            prove: arguments.show_invariants,
            // The loop of a transition system has no number of iterations that literals could decide.
            unroll_decided: !arguments.no_unroll && self.target.language() != Language::GuardedCommands,
            seed: self.arguments.seed,
            ..Default::default()
        };
        if let Some(search) = self.arguments.search {
            options.search = search.0;
        }
        options
    }

    /// A part of a whole, shorter in proportion if the time limit is.
    fn part_of_time(&self, time: Duration, whole: Duration) -> Duration {
        let timeout = self.arguments.timeout;
        if timeout.is_zero() || timeout >= whole {
            time
        } else {
            time.mul_f64(timeout.div_duration_f64(whole))
        }
    }

    /// The reason with its place. A query that was interrupted is the limit's doing.
    fn reason(&self, reason: &Reason, sources: &SourceMap) -> report::Reason {
        let limit = self.budget.exhausted().map(Reason::Limit);
        let reason = match (reason, &limit) {
            (Reason::Solver(UnknownReason::Interrupted), Some(limit)) => limit,
            _ => reason,
        };
        let (construct, place) = match reason {
            Reason::Unsupported { what, span } | Reason::Undefined { what, span } => {
                (Some(what.clone()), Some(position(sources, *span)))
            }
            _ => (None, None),
        };
        report::Reason {
            keyword: reason.keyword().to_owned(),
            message: reason.to_string(),
            construct,
            position: place,
        }
    }
}

/// The invariants of loops, for reports.
fn proof_of_program(program: &Program, proof: &symexec_ia::Proof) -> report::Proof {
    let invariants = proof.invariants.iter().map(|invariant| report::Invariant {
        position: position(&program.sources, invariant.span),
        functions: invariant.functions.clone(),
        formula: invariant.text.clone(),
    });
    let unchecked = match &proof.check {
        Check::Holds => None,
        Check::Violated(reason) | Check::Incomplete(reason) => Some(reason.clone()),
    };
    report::Proof::new(report::Evidence::LoopInvariants { invariants: invariants.collect() }, unchecked)
}

/// True if another engine may get further.
fn ran_out(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Unknown(unknown) if matches!(unknown.reason, Reason::Limit(_) | Reason::Solver(_)))
}

/// True if it is open what the program does, but for no fault of Aster's, which must not be passed over in silence.
fn is_no_defect(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Unknown(unknown) if !matches!(unknown.reason, Reason::Internal(_) | Reason::ReplayMismatch(_)))
}

/// A span with its text, for reports.
pub fn position(sources: &SourceMap, span: Span) -> report::Position {
    let shown = sources.position(span).to_string();
    // The position ends in `:line:column`; what stands before is the name, which may hold colons.
    let name = shown.rsplitn(3, ':').nth(2).unwrap_or(&shown);
    report::Position {
        file: name.to_owned(),
        line: span.line,
        column: span.column,
        length: span.length,
        text: sources.line(span).map(str::to_owned),
    }
}
