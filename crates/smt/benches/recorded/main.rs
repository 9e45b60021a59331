//! Compares the native solver, bare and with its layers, with z3, cvc5 and Bitwuzla on queries that
//! `aster check --record-queries` has written.
//! `cargo bench -p aster-smt --bench recorded -- [--limit SECONDS] [--together TIMES] FOLDER...`
//!
//! Every solver starts afresh for every query, as a process that reads the file. CPU time is measured, which other
//! processes on the machine disturb little; what a solver takes to start (some are Python packages) is measured on
//! a trivial script and taken off. Queries that take less time than starting varies are better solved `--together`: one
//! process solves all of them, so many times, between `push` and `pop`; the native solver starts afresh for each even then.

mod contender;
mod reader;
mod together;

use aster_smt::{Answer, Config, Interrupt, assemble, script};
use aster_term::{Evaluator, Sort, TermPool, Value};
use contender::{Contender, Run, Verdict};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs, io};

/// Shorter times are not told apart: starting varies by as much.
const SHORTEST: f64 = 0.01;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("recorded: {message}");
            ExitCode::from(2)
        }
    }
}

/// Does what the arguments say; false if solvers disagree.
fn run(words: &[&str]) -> Result<bool, String> {
    if let ["--solve", how, file] = words {
        let text = read(Path::new(file))?;
        return together::queries(&text).try_for_each(|script| solve(how, script)).map(|()| true);
    }
    let (mut limit, mut times, mut rest) = (Duration::from_secs(20), None, words);
    while let [option @ ("--limit" | "--together"), number, others @ ..] = rest {
        let number: u32 = number.parse().map_err(|_| format!("{option}: {number} is not a number"))?;
        match *option {
            "--limit" => limit = Duration::from_secs(number.into()),
            _ => times = Some(number.max(1)),
        }
        rest = others;
    }
    // `cargo bench` without a name runs all benchmarks.
    if rest.is_empty() {
        println!("recorded: no folder of queries was given");
        return Ok(true);
    }
    let scripts = scripts(rest).map_err(|error| error.to_string())?;
    if scripts.is_empty() {
        return Err("there are no .smt2 files".to_owned());
    }
    scripts.iter().try_for_each(|file| check_reader(file))?;
    let contenders = contenders(&scripts)?;
    match times {
        Some(times) => together::compare(contenders, &scripts, times, limit),
        None => compare(contenders, &scripts, limit),
    }
}

/// Solves one script as the other solvers do: the verdict on standard output.
fn solve(how: &str, script: &str) -> Result<(), String> {
    let bare = Config {
        model_reuse: false,
        slicing: false,
        cache: false,
        float_search: false,
        integer_search: false,
        ..Config::default()
    };
    let config = if how == "native" { bare } else { Config::default() };
    let mut pool = TermPool::new();
    let conjuncts = reader::read_script(&mut pool, script)?;
    let mut solver = assemble(&config, &Interrupt::new()).map_err(|error| error.to_string())?;
    let verdict = match solver.check(&mut pool, &conjuncts) {
        Answer::Sat(model) => {
            let mut evaluator = Evaluator::new(&model);
            let holds = conjuncts.iter().all(|&term| evaluator.value(&pool, term) == Value::Bool(true));
            if holds { "sat" } else { "a model that is none" }
        }
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    };
    println!("{verdict}");
    Ok(())
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// All scripts below the folders, in order.
fn scripts(folders: &[&str]) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(path)? {
                waiting.push(entry?.path());
            }
        } else if path.extension().is_some_and(|extension| extension == "smt2") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The same query for all: reading and printing a script gives the script.
fn check_reader(file: &Path) -> Result<(), String> {
    let text = read(file)?;
    let mut pool = TermPool::new();
    let conjuncts =
        reader::read_script(&mut pool, &text).map_err(|error| format!("{}: {error}", file.display()))?;
    if script(&pool, &conjuncts) == text {
        Ok(())
    } else {
        Err(format!("{} is not a script as --record-queries writes them", file.display()))
    }
}

/// Runs everything; false if two solvers disagree or a model is wrong.
fn compare(contenders: Vec<Contender>, scripts: &[PathBuf], limit: Duration) -> Result<bool, String> {
    let mut columns: Vec<Column> = contenders.into_iter().map(Column::new).collect();
    let mut is_consistent = true;
    for file in scripts {
        print!("{}:", file.display());
        let mut verdicts: Vec<Verdict> = Vec::new();
        for column in &mut columns {
            let run = column.contender.run(file, limit).map_err(|error| error.to_string())?;
            let seconds = column.add(&run, limit);
            match &run.verdict {
                Verdict::Sat => print!(" {seconds:.2} s sat;"),
                Verdict::Unsat => print!(" {seconds:.2} s unsat;"),
                Verdict::None(why) => print!(" {seconds:.2} s {why};"),
            }
            // Prints what it is stopped at as well.
            let _ = io::Write::flush(&mut io::stdout());
            is_consistent &=
                !matches!(&run.verdict, Verdict::None(why) if why.contains("a model that is none"));
            verdicts.push(run.verdict);
        }
        println!();
        if verdicts.contains(&Verdict::Sat) && verdicts.contains(&Verdict::Unsat) {
            println!("    THE SOLVERS DISAGREE");
            is_consistent = false;
        }
    }
    print_table(&columns, scripts.len(), limit);
    Ok(is_consistent)
}

/// The solvers that are there and know what the scripts are about.
fn contenders(scripts: &[PathBuf]) -> Result<Vec<Contender>, String> {
    let mut has_numbers = false;
    for script in scripts {
        has_numbers |= !read(script)?.starts_with("(set-logic QF_ABVFP)");
    }
    let mut pool = TermPool::new();
    let formula = if has_numbers {
        let (x, seven) = (pool.variable("x", Sort::Int), pool.int(7));
        pool.num_lt(x, seven)
    } else {
        let (x, seven) = (pool.variable("x", Sort::BitVec(32)), pool.bv(32, 7));
        pool.ult(x, seven)
    };
    let own = env::current_exe().map_err(|error| error.to_string())?;
    let trivial = env::temp_dir().join(format!("aster-recorded-{}.smt2", std::process::id()));
    fs::write(&trivial, script(&pool, &[formula])).map_err(|error| error.to_string())?;
    let found = contender::present(&own.to_string_lossy(), &trivial);
    fs::remove_file(&trivial).map_err(|error| error.to_string())?;
    Ok(found)
}

/// How a solver did on all scripts.
struct Column {
    contender: Contender,
    sat: usize,
    unsat: usize,
    /// Seconds for each script; the limit for those that were not decided.
    seconds: Vec<f64>,
}

impl Column {
    fn new(contender: Contender) -> Self {
        Column { contender, sat: 0, unsat: 0, seconds: Vec::new() }
    }

    /// Gives the time without the start.
    fn add(&mut self, run: &Run, limit: Duration) -> f64 {
        let cpu = run.cpu.saturating_sub(self.contender.start).as_secs_f64();
        match run.verdict {
            Verdict::Sat => self.sat += 1,
            Verdict::Unsat => self.unsat += 1,
            Verdict::None(_) => {}
        }
        let is_decided = !matches!(run.verdict, Verdict::None(_));
        self.seconds.push(if is_decided { cpu.max(SHORTEST) } else { limit.as_secs_f64() });
        cpu
    }

    fn median(&self) -> f64 {
        let mut sorted = self.seconds.clone();
        sorted.sort_by(f64::total_cmp);
        (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]) / 2.0
    }

    /// The geometric mean of how many times longer this took than the other.
    fn ratio(&self, other: &Column) -> f64 {
        let logarithms = self.seconds.iter().zip(&other.seconds).map(|(mine, others)| (mine / others).ln());
        (logarithms.sum::<f64>() / self.seconds.len() as f64).exp()
    }
}

fn print_table(columns: &[Column], scripts: usize, limit: Duration) {
    println!("\n{scripts} queries, at most {} s each; CPU time without the start\n", limit.as_secs());
    let native: Vec<&Column> =
        columns.iter().filter(|column| column.contender.name.starts_with("native")).collect();
    print!("| solver | start | solved | sat | unsat | total | median |");
    native.iter().for_each(|native| print!(" / {} |", native.contender.name));
    print!("\n|---|---|---|---|---|---|---|");
    native.iter().for_each(|_| print!("---|"));
    println!();
    for column in columns {
        let solved = column.sat + column.unsat;
        let bound = if solved < scripts { "> " } else { "" };
        print!(
            "| {} | {:.2} s | {solved} | {} | {} | {bound}{:.1} s | {:.2} s |",
            column.contender.name,
            column.contender.start.as_secs_f64(),
            column.sat,
            column.unsat,
            column.seconds.iter().sum::<f64>(),
            column.median(),
        );
        native.iter().for_each(|native| print!(" {:.1} |", column.ratio(native)));
        println!();
    }
}
