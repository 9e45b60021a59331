//! `aster show`: how a program is understood.

use crate::args::ShowArgs;
use crate::target::{Language, Target};
use crate::watchdog::{self, Limits, Waited};
use crate::{check, output, panics};
use anyhow::{Context, anyhow};
use aster_bench::os::Clock;
use aster_engines::{Budget, Limit};
use aster_term::TermPool;
use std::mem::ManuallyDrop;
use std::time::Instant;

/// Prints what was asked for.
pub fn run(start: Instant, arguments: ShowArgs) -> anyhow::Result<i32> {
    let limits = Limits::new(start, arguments.timeout, Clock::Wall, arguments.memory)?;
    let budget = Budget::new();
    check::watch_signals(&budget, false);
    let text = match watchdog::within(&limits, &budget, move || delivered(&arguments))? {
        Waited::Done(text) => text?,
        Waited::CutOff(Limit::Time) => anyhow::bail!("the time limit was reached"),
        Waited::CutOff(Limit::Memory) => anyhow::bail!("the memory limit was reached"),
        Waited::CutOff(Limit::User) => anyhow::bail!("interrupted"),
        Waited::Lost => anyhow::bail!("internal error: {}", panics::message()),
    };
    // Whoever reads this may take as long as it takes.
    Ok(if text.is_none_or(|text| output::print(&String::from_utf8_lossy(&text))) { 0 } else { 2 })
}

/// What is asked for, written to the file for it; without such a file, the text is for standard output.
fn delivered(arguments: &ShowArgs) -> anyhow::Result<Option<Vec<u8>>> {
    let model = arguments.data_model.map(|model| model.0);
    let target = Target::resolve(&arguments.file, arguments.property.as_deref(), model)?
        .with_settings(&arguments.constants.define)?;
    let text = shown(&target, arguments.cfa)?;
    let Some(path) = &arguments.output else { return Ok(Some(text)) };
    output::save(path, &text).with_context(|| path.display().to_string())?;
    Ok(None)
}

/// The program's automata, as a Graphviz graph or as text; the transition system of guarded commands as text.
fn shown(target: &Target, as_graph: bool) -> anyhow::Result<Vec<u8>> {
    // Taking down millions of terms takes time that nobody needs: the process ends anyway.
    let mut pool = ManuallyDrop::new(TermPool::new());
    let failed = |error: aster_c::LoadError| anyhow!("{}", error.render());
    if target.language() == Language::GuardedCommands && !as_graph {
        let system = target.load_system(&mut pool).map_err(failed)?;
        return Ok(system.show(&pool).into_bytes());
    }
    let program = ManuallyDrop::new(target.load(&mut pool).map_err(failed)?);
    let mut text = Vec::new();
    if as_graph {
        aster_cfa::write_dot(&program, &pool, &mut text)?;
    } else {
        aster_cfa::write_text(&program, &pool, &mut text)?;
    }
    Ok(text)
}
