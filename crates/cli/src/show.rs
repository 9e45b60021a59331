//! `aster show`: how a program is understood.

use crate::args::ShowArgs;
use crate::progress::{Activity, StatusLine};
use crate::target::{Language, Target};
use crate::watchdog::{self, Limits, Waited};
use crate::{check, output, panics};
use anyhow::{Context, anyhow};
use aster_bench::os::Clock;
use aster_engines::{Budget, Limit};
use aster_term::TermPool;
use std::time::Instant;

/// Prints what was asked for.
pub fn run(start: Instant, arguments: ShowArgs) -> anyhow::Result<i32> {
    let model = arguments.data_model.map(|model| model.0);
    let target = Target::resolve(&arguments.file, arguments.property.as_deref(), model)?
        .with_settings(&arguments.constants.define)?;
    let as_graph = arguments.cfa;
    let limits = Limits::new(start, arguments.timeout, Clock::Wall, arguments.memory)?;
    let budget = Budget::new();
    check::watch_signals(&budget, false);
    let receiver = watchdog::spawn(move || shown(&target, as_graph))?;
    let text = match watchdog::wait(&receiver, &limits, &budget, &Activity::default(), &mut StatusLine::new())
    {
        Waited::Done(text) => text?,
        Waited::CutOff(Limit::Time) => anyhow::bail!("the time limit is reached"),
        Waited::CutOff(Limit::Memory) => anyhow::bail!("the memory limit is reached"),
        Waited::CutOff(Limit::User) => anyhow::bail!("interrupted"),
        Waited::Lost => anyhow::bail!("internal error: {}", panics::message()),
    };
    match &arguments.output {
        None => Ok(if output::print(&String::from_utf8_lossy(&text)) { 0 } else { 2 }),
        Some(path) => {
            std::fs::write(path, text).with_context(|| path.display().to_string())?;
            Ok(0)
        }
    }
}

/// The program's automata, as a Graphviz graph or as text; the transition system of guarded commands as text.
fn shown(target: &Target, as_graph: bool) -> anyhow::Result<Vec<u8>> {
    let mut pool = TermPool::new();
    let failed = |error: aster_c::LoadError| anyhow!("{}", error.render());
    if target.language() == Language::GuardedCommands && !as_graph {
        let system = target.load_system(&mut pool).map_err(failed)?;
        return Ok(system.show(&pool).into_bytes());
    }
    let program = target.load(&mut pool).map_err(failed)?;
    let mut text = Vec::new();
    if as_graph {
        aster_cfa::write_dot(&program, &pool, &mut text)?;
    } else {
        aster_cfa::write_text(&program, &pool, &mut text)?;
    }
    Ok(text)
}
