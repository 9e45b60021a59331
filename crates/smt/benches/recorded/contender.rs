//! Solvers that take part, each as a process that reads one script and ends.

use aster_bench::os;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often a running process is looked at.
const POLL: Duration = Duration::from_millis(2);

/// A process that waits for a processor for this many times its limit is ended as well.
const WAITING: u32 = 20;

/// A process that holds more memory than this is ended.
const MEMORY: u64 = 4 << 30;

/// A way to call a solver: the words of a command, to which the file is added.
pub struct Contender {
    pub name: &'static str,
    pub command: Vec<String>,
    /// CPU time that it takes for a script with next to nothing in it.
    pub start: Duration,
}

/// What a solver says about a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Sat,
    Unsat,
    /// It gave up, ran into a limit, or failed.
    None(String),
}

/// What a solver printed, and the CPU time that it took, start included.
pub struct Output {
    pub text: String,
    /// The limit that it was stopped at.
    pub stopped: Option<&'static str>,
    pub cpu: Duration,
}

/// A verdict and the CPU time that it took, start included.
pub struct Run {
    pub verdict: Verdict,
    pub cpu: Duration,
}

/// The ways to call each solver, the preferred one first. `own` is this benchmark, which also solves.
fn candidates(own: &str) -> Vec<(&'static str, Vec<&str>)> {
    const CVC5: &str = "import sys, cvc5
text = open(sys.argv[1]).read()
solver = cvc5.Solver()
solver.setOption('fp-exp', 'true')
solver.setOption('incremental', 'true' if '(push 1)' in text else 'false')
parser = cvc5.InputParser(solver)
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, 'query')
while not (command := parser.nextCommand()).isNull():
    print(command.invoke(solver, parser.getSymbolManager()), end='')";
    const BITWUZLA: &str = "import sys, bitwuzla as b
b.Parser(b.TermManager(), b.Options()).parse(sys.argv[1])";
    vec![
        ("native", vec![own, "--solve", "native"]),
        ("native, layers", vec![own, "--solve", "layers"]),
        ("z3", vec!["z3"]),
        ("cvc5", vec!["cvc5", "--fp-exp"]),
        ("cvc5", vec!["python3", "-c", CVC5]),
        ("bitwuzla", vec!["bitwuzla"]),
        ("bitwuzla", vec!["python3", "-c", BITWUZLA]),
    ]
}

/// The solvers that are there: those that solve this script, which is satisfiable and next to nothing. The others
/// are named on standard output.
pub fn present(own: &str, trivial: &Path) -> Vec<Contender> {
    const TRIES: u32 = 5;
    let mut found: Vec<Contender> = Vec::new();
    let mut missing = Vec::new();
    for (name, words) in candidates(own) {
        if found.iter().any(|contender| contender.name == name) {
            continue;
        }
        let command = words.into_iter().map(str::to_owned).collect();
        let mut contender = Contender { name, command, start: Duration::ZERO };
        let runs: Vec<Run> = (0..TRIES)
            .map_while(|_| contender.run(trivial, Duration::from_secs(20)).ok())
            .take_while(|run| run.verdict == Verdict::Sat)
            .collect();
        match runs.iter().map(|run| run.cpu).min() {
            Some(start) if runs.len() == TRIES as usize => {
                contender.start = start;
                found.push(contender);
            }
            _ => missing.push(name),
        }
    }
    missing.retain(|name| !found.iter().any(|contender| contender.name == *name));
    missing.dedup();
    for name in missing {
        println!("there is no {name} to compare with");
    }
    found
}

impl Contender {
    /// Solves a script with one query. The limit is on CPU time, beyond what the solver needs to start.
    pub fn run(&self, script: &Path, limit: Duration) -> std::io::Result<Run> {
        let Output { text, stopped, cpu } = self.output(script, limit)?;
        let verdict = match (stopped, text.trim()) {
            (Some(why), _) => Verdict::None(why.to_owned()),
            (None, "sat") => Verdict::Sat,
            (None, "unsat") => Verdict::Unsat,
            (None, other) => Verdict::None(format!("says {:?}", other.lines().next().unwrap_or_default())),
        };
        Ok(Run { verdict, cpu })
    }

    /// What it says to a script, which may have many queries.
    pub fn output(&self, script: &Path, limit: Duration) -> std::io::Result<Output> {
        let limit = limit + self.start;
        let mut child = Command::new(&self.command[0])
            .args(&self.command[1..])
            .arg(script)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        // Read at once, so that no solver waits for somebody to read its answers.
        let pipe = child.stdout.take();
        let reader = thread::spawn(move || {
            let mut text = String::new();
            if let Some(mut pipe) = pipe {
                let _ = pipe.read_to_string(&mut text);
            }
            text
        });
        let (pid, began) = (child.id(), Instant::now());
        let mut stopped = None;
        while !os::has_ended(pid) && stopped.is_none() {
            thread::sleep(POLL);
            if os::cpu_time_of(pid).is_some_and(|cpu| cpu > limit) || began.elapsed() > limit * WAITING {
                stopped = Some("time limit");
            } else if os::resident_memory(Some(pid)).is_some_and(|held| held > MEMORY) {
                stopped = Some("memory limit");
            }
        }
        // Not reaped yet, so the id is still its own.
        os::kill(pid);
        let exit = loop {
            match os::try_wait(pid)? {
                Some(exit) => break exit,
                None => thread::sleep(POLL),
            }
        };
        let text = reader.join().unwrap_or_default();
        Ok(Output { text, stopped, cpu: exit.cpu })
    }
}
