//! `aster show`: how a program is understood.

use crate::args::ShowArgs;
use crate::output;
use crate::target::Target;
use anyhow::{Context, anyhow};
use aster_term::TermPool;

/// Prints what was asked for.
pub fn run(arguments: &ShowArgs) -> anyhow::Result<i32> {
    let model = arguments.data_model.map(|model| model.0);
    let target = Target::resolve(&arguments.file, arguments.property.as_deref(), model)?;
    let mut pool = TermPool::new();
    let program = target.load(&mut pool).map_err(|error| anyhow!("{}", error.render()))?;
    let mut text = Vec::new();
    aster_cfa::write_dot(&program, &pool, &mut text)?;
    match &arguments.output {
        None => Ok(if output::print(&String::from_utf8_lossy(&text)) { 0 } else { 2 }),
        Some(path) => {
            std::fs::write(path, text).with_context(|| path.display().to_string())?;
            Ok(0)
        }
    }
}
