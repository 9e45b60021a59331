//! All queries in one process for each solver: for queries that take next to no time.

use crate::contender::{Contender, Output};
use crate::read;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

const PUSH: &str = "(push 1)\n";
const POP: &str = "(pop 1)\n";

/// One script for all queries.
fn join(scripts: &[String], times: u32) -> String {
    let logic_of = |script: &str| script.lines().next().unwrap_or_default().to_owned();
    let logic = logic_of(&scripts[0]);
    let is_common = scripts.iter().all(|script| logic_of(script) == logic);
    let mut text = if is_common { logic } else { "(set-logic ALL)".to_owned() } + "\n";
    for script in (0..times).flat_map(|_| scripts) {
        let query = script.split_once('\n').map_or("", |(_, query)| query);
        text += &format!("{PUSH}{query}{POP}");
    }
    text
}

/// The queries of a script that may have several, each as a script.
pub fn queries(text: &str) -> impl Iterator<Item = &str> {
    let has_several = text.contains(PUSH);
    text.split(PUSH).skip(usize::from(has_several)).map(|query| query.trim_end_matches(POP))
}

/// How a solver did.
struct Column {
    contender: Contender,
    /// What it said to the queries of the first round.
    answers: Vec<String>,
    /// Milliseconds for a query, on average.
    milliseconds: f64,
}

/// Lets each solver solve all scripts, so many times; false if two disagree. Whoever does not come to the end is left out.
pub fn compare(
    contenders: Vec<Contender>,
    scripts: &[PathBuf],
    times: u32,
    limit: Duration,
) -> Result<bool, String> {
    let round: Vec<String> = scripts.iter().map(|script| read(script)).collect::<Result<_, _>>()?;
    let file = std::env::temp_dir().join(format!("aster-together-{}.smt2", std::process::id()));
    fs::write(&file, join(&round, times)).map_err(|error| error.to_string())?;
    let count = scripts.len() * times as usize;
    let mut columns = Vec::new();
    for mut contender in contenders {
        if contender.command[0] == "cvc5" {
            contender.command.push("--incremental".to_owned());
        }
        let Output { text, stopped, cpu } =
            contender.output(&file, limit * times).map_err(|error| error.to_string())?;
        let answers: Vec<String> = text.lines().map(str::to_owned).collect();
        if stopped.is_some() || answers.len() != count {
            println!("{}: {}", contender.name, stopped.unwrap_or("not an answer to each query"));
            continue;
        }
        let milliseconds = cpu.saturating_sub(contender.start).as_secs_f64() * 1e3 / count as f64;
        columns.push(Column { contender, answers: answers[..scripts.len()].to_vec(), milliseconds });
    }
    fs::remove_file(&file).map_err(|error| error.to_string())?;
    let mut is_consistent = true;
    for (position, script) in scripts.iter().enumerate() {
        let says = |answer: &str| columns.iter().any(|column| column.answers[position] == answer);
        if says("sat") && says("unsat") || says("a model that is none") {
            println!("{}: THE SOLVERS DISAGREE", script.display());
            is_consistent = false;
        }
    }
    print_table(&columns, scripts.len(), times);
    Ok(is_consistent)
}

fn print_table(columns: &[Column], scripts: usize, times: u32) {
    println!("\n{scripts} queries, {times} times in one process; CPU time without the start\n");
    let native: Vec<&Column> =
        columns.iter().filter(|column| column.contender.name.starts_with("native")).collect();
    print!("| solver | sat | unsat | a query |");
    native.iter().for_each(|native| print!(" / {} |", native.contender.name));
    print!("\n|---|---|---|---|");
    native.iter().for_each(|_| print!("---|"));
    println!();
    for Column { contender, answers, milliseconds } in columns {
        let count = |wanted: &str| answers.iter().filter(|answer| *answer == wanted).count();
        print!("| {} | {} | {} | {milliseconds:.2} ms |", contender.name, count("sat"), count("unsat"));
        native.iter().for_each(|native| print!(" {:.1} |", milliseconds / native.milliseconds));
        println!();
    }
}
