//! `aster check`: a run with limits that always ends in one verdict or one error.

use crate::analysis::{Analysis, Job, Verdict};
use crate::args::{CheckArgs, Engine, UndefinedArg};
use crate::progress::{Activity, Phase, StatusLine};
use crate::target::{Language, Target};
use crate::watchdog::{self, Limits, Waited};
use crate::{confirm, harness, output, panics, render, stats};
use aster_bench::{files, os, report};
use aster_engines::{Budget, Limit, Reason, Work};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Checks a program and ends the process with the exit code that belongs to the verdict.
pub fn run(start: Instant, arguments: CheckArgs) -> anyhow::Result<i32> {
    let limits = Limits::new(start, arguments.timeout, arguments.clock.into(), arguments.memory)?;
    let budget = limits.budget();
    let activity = Activity::default();
    watch_signals(&budget, arguments.verbose);
    activity.begin(Phase::Load);
    let asked = arguments.clone();
    let (target, mut analysis) = match watchdog::within(&limits, &budget, move || target_of(&asked))? {
        Waited::Done(target) => {
            let target = target?;
            let job = Job {
                start,
                target: target.clone(),
                arguments: arguments.clone(),
                budget: budget.clone(),
                activity: activity.clone(),
            };
            let receiver = watchdog::spawn(move || job.run())?;
            let mut status = StatusLine::new();
            let waited = watchdog::wait(&receiver, &limits, &budget, &activity, &mut status);
            status.clear();
            match waited {
                Waited::Done(Ok(analysis)) => (target, analysis),
                Waited::Done(Err(message)) => {
                    output::complain(&message);
                    return Ok(2);
                }
                Waited::CutOff(limit) => (target, cut_off(limit, &activity)),
                Waited::Lost => (target, undecided(&Reason::Internal(panics::message()))),
            }
        }
        Waited::CutOff(limit) => (unread(&arguments), cut_off(limit, &activity)),
        Waited::Lost => (unread(&arguments), undecided(&Reason::Internal(panics::message()))),
    };
    output::note(&render::unknown_functions(&activity.unknown_functions()));
    output::note(&render::warnings(&activity.warnings()));
    let assumed = match &analysis.verdict {
        Verdict::True(_) => activity.assumed(),
        _ => Vec::new(),
    };
    let told = confirm::confirm(&arguments, &target, &budget, &mut analysis.verdict);
    let harness = harness::deliver(&arguments, &analysis.verdict, &limits);
    let mut report = report(&analysis, &target, &arguments, &limits, &activity);
    report.harness = harness.report;
    report.confirmed = told.report;
    report.assumed = assumed;
    if arguments.stats {
        output::note(&stats::table(&report));
    }
    let text = if arguments.json {
        serde_json::to_string_pretty(&report)? + "\n"
    } else {
        render::text(&analysis.verdict, &report.assumed, &(harness.text + &told.text))
    };
    Ok(if output::print(&text) { render::exit_code(&analysis.verdict) } else { 2 })
}

/// What the arguments ask for, with the task definition and the property read.
fn target_of(arguments: &CheckArgs) -> anyhow::Result<Target> {
    let model = arguments.data_model.map(|model| model.0);
    let mut target = Target::resolve(&arguments.file, arguments.property.as_deref(), model)?
        .with_settings(&arguments.constants.define)?;
    target.malloc_may_fail = arguments.malloc_may_fail;
    if let Some(undefined) = arguments.undefined {
        target.assume_defined = undefined == UndefinedArg::Assume;
    }
    if arguments.harness.is_some() && target.language() != Language::C {
        anyhow::bail!("--harness is for C programs only");
    }
    if arguments.engine == Engine::Ase && target.language() != Language::GuardedCommands {
        anyhow::bail!("the engine ase is for guarded commands (.gcl) only");
    }
    harness::refuse_to_overwrite(arguments, &target)?;
    Ok(target)
}

/// The target where reading it did not come to an end.
fn unread(arguments: &CheckArgs) -> Target {
    Target::unread(&arguments.file, arguments.data_model.map(|model| model.0))
}

/// The first signal ends the analysis, the second the process.
pub fn watch_signals(budget: &Budget, verbose: bool) {
    let budget = budget.clone();
    let again = AtomicBool::new(false);
    let handler = move || {
        if again.swap(true, Ordering::SeqCst) {
            leave(130);
        }
        budget.exhaust(Limit::User);
    };
    if let Err(error) = ctrlc::set_handler(handler)
        && verbose
    {
        output::note(&format!("Ctrl-C cannot be watched: {error}\n"));
    }
}

/// Ends the process at once, and with it the solvers and compilers that it started, and the files that it did not complete.
pub fn leave(code: i32) -> ! {
    for process in os::descendants() {
        os::kill(process);
    }
    files::abandon();
    os::exit_now(code)
}

fn undecided(reason: &Reason) -> Analysis {
    Analysis { verdict: Verdict::unknown(reason), solver: None }
}

/// The verdict of a run that did not end by itself after a limit was reached.
fn cut_off(limit: Limit, activity: &Activity) -> Analysis {
    let mut analysis = undecided(&Reason::Limit(limit));
    if let (Verdict::Unknown { reason, .. }, Some(phase)) = (&mut analysis.verdict, activity.phase()) {
        reason.message = format!("{} while {}", reason.message, phase.gerund());
    }
    analysis
}

fn report(
    analysis: &Analysis,
    target: &Target,
    arguments: &CheckArgs,
    limits: &Limits,
    activity: &Activity,
) -> report::Report {
    let (reason, counterexample, frontier) = match &analysis.verdict {
        Verdict::True(_) => (None, None, Vec::new()),
        Verdict::False { counterexample, .. } => (None, Some(counterexample.clone()), Vec::new()),
        Verdict::Unknown { reason, frontier } => (Some(reason.clone()), None, frontier.clone()),
    };
    let times = activity.times();
    let engine = activity.statistics();
    let property = &target.property;
    report::Report {
        version: report::VERSION,
        aster: env!("CARGO_PKG_VERSION").to_owned(),
        file: target.name(),
        verdict: render::verdict_line(&analysis.verdict),
        reason,
        property: report::Property {
            name: property.name.to_owned(),
            file: property.file.as_ref().map(|path| path.display().to_string()),
            error_functions: property.error_functions.clone(),
            assert_is_error: property.assert_is_error,
        },
        data_model: target.data_model.to_string(),
        engine: arguments.engine.name().to_owned(),
        time: report::Times {
            total: seconds(limits.start.elapsed()),
            cpu: seconds(os::own_cpu_time()),
            load: seconds(times.load),
            explore: seconds(times.explore),
            solve: analysis.solver.map(|solver| seconds(solver.solve_time)),
            interpolate: Some(engine.effort(Work::Interpolation).time)
                .filter(|time| !time.is_zero())
                .map(seconds),
            replay: seconds(times.replay),
        },
        memory: report::Memory { peak: os::own_peak_memory(), limit: limits.memory },
        statistics: statistics(analysis, activity),
        counterexample,
        harness: None,
        confirmed: None,
        proof: match &analysis.verdict {
            Verdict::True(proof) => proof.clone(),
            _ => None,
        },
        frontier,
        warnings: activity.warnings(),
        assumed: Vec::new(),
        unknown_functions: activity.unknown_functions(),
    }
}

/// Seconds, to the microsecond.
fn seconds(duration: Duration) -> f64 {
    duration.as_micros() as f64 / 1e6
}

fn statistics(analysis: &Analysis, activity: &Activity) -> BTreeMap<String, u64> {
    let engine = activity.statistics();
    let mut all = vec![
        ("steps", engine.steps),
        ("forks", engine.forks),
        ("paths", engine.paths),
        ("queries", engine.queries),
        ("abstractions", engine.abstractions),
        ("refinements", engine.refinements),
        ("predicates", engine.predicates),
        ("predicates_at_one_location", engine.predicates_at_one_location),
        ("threshold", engine.threshold),
        ("warnings", engine.warnings),
        ("max_depth", engine.max_depth),
        ("states_waiting", engine.waiting as u64),
    ];
    let by_kind = Work::ALL.map(|work| (format!("queries_{}", work.name()), engine.effort(work).checks));
    if by_kind.iter().any(|(_, checks)| *checks > 0) {
        all.extend(by_kind.iter().map(|(name, checks)| (name.as_str(), *checks)));
    }
    if let Some(system) = activity.system() {
        all.extend([
            ("ase_iterations", u64::from(system.iterations)),
            ("ase_predicates", u64::from(system.predicates)),
            ("ase_symbolic_states", system.symbolic_states),
            ("ase_abstract_states", system.abstract_states),
            ("ase_queries", system.queries),
        ]);
    }
    if let Some(solver) = &analysis.solver {
        all.extend([
            ("solver_checks", solver.checks),
            ("solver_model_hits", solver.model_hits),
            ("solver_sliced", solver.sliced),
            ("solver_cache_hits", solver.cache_hits),
            ("solver_range_hits", solver.range_hits),
            ("solver_solved", solver.solved),
            ("solver_sat_variables", solver.sat_variables),
            ("solver_sat_clauses", solver.sat_clauses),
            ("solver_array_lemmas", solver.array_lemmas),
        ]);
    }
    all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
