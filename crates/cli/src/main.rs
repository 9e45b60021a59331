//! The `aster` command: arguments, limits, and rendering of what the other crates find out.
//!
//! Knows nothing about C, automata or solving.

mod analysis;
mod args;
mod bench;
mod check;
mod confirm;
mod counterexample;
mod harness;
mod output;
mod panics;
mod progress;
mod protocol;
mod render;
mod run;
mod show;
mod stats;
mod target;
mod watchdog;

use args::{Cli, Command};
use clap::Parser;
use std::time::Instant;

/// Exploring is a storm of small allocations.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let start = Instant::now();
    let command = Cli::parse().command;
    panics::capture(matches!(&command, Command::Check(arguments) if arguments.verbose));
    let result = std::panic::catch_unwind(|| match command {
        Command::Check(arguments) => check::run(start, *arguments),
        Command::Run(arguments) => run::run(start, arguments),
        Command::Show(arguments) => show::run(start, arguments),
        Command::Bench(arguments) => bench::run(*arguments),
    });
    let result = result.unwrap_or_else(|_| {
        Err(anyhow::anyhow!(
            "internal error: {}; this is a defect of Aster, please report it",
            panics::message()
        ))
    });
    let code = result.unwrap_or_else(|error| {
        output::complain(&format!("{error:#}"));
        2
    });
    // The analysis may still be running on its thread: nothing is torn down.
    check::leave(code)
}
