//! `aster show`: how a program is understood.

use crate::args::ShowArgs;
use crate::progress::{Activity, StatusLine};
use crate::target::Target;
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
    let target = Target::resolve(&arguments.file, arguments.property.as_deref(), model)?;
    let limits = Limits::new(start, arguments.timeout, Clock::Wall, arguments.memory)?;
    let budget = Budget::new();
    check::watch_signals(&budget, false);
    let receiver = watchdog::spawn(move || graph(&target))?;
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

/// The program's automata as a Graphviz graph.
fn graph(target: &Target) -> anyhow::Result<Vec<u8>> {
    let mut pool = TermPool::new();
    let program = target.load(&mut pool).map_err(|error| anyhow!("{}", error.render()))?;
    let mut text = Vec::new();
    aster_cfa::write_dot(&program, &pool, &mut text)?;
    Ok(text)
}
