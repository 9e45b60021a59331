//! Random programs made by Csmith compute the checksum that the compiled program prints.
//!
//! `ASTER_CSMITH_SEEDS=300` asks for more programs. A mismatch names its seed and data model; `csmith` with that
//! seed, `--float` or `--no-float`, and [`OPTIONS`] makes the program again.

#![allow(clippy::unwrap_used)]

use aster_c::{DataModel, LoadOptions, load};
use aster_cfa::interpreter::{End, InputSource, Interpreter, RunEvent, RunLimits, ValueRef, Watcher};
use aster_cfa::{Edge, Var};
use aster_term::{Sort, TermPool, Value};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Programs in an ordinary test.
const SEEDS: u64 = 10;

/// Programs with floating-point numbers in an ordinary test.
const FLOAT_SEEDS: u64 = 5;

/// Whether programs compute with floating-point numbers.
#[derive(Clone, Copy)]
enum Floats {
    No,
    Yes,
}

impl Floats {
    fn option(self) -> &'static str {
        match self {
            Floats::No => "--no-float",
            Floats::Yes => "--float",
        }
    }
}

/// Small programs.
const OPTIONS: &[&str] = &[
    "--no-argc",
    "--concise",
    "--max-funcs",
    "4",
    "--max-block-depth",
    "3",
    "--max-block-size",
    "3",
    "--max-expr-complexity",
    "6",
    "--max-array-dim",
    "2",
    "--max-array-len-per-dim",
    "6",
];

/// Some programs never end.
const RUN_TIME: Duration = Duration::from_secs(2);
const MAX_STEPS: u64 = 20_000_000;

/// What a comparison came to.
enum Outcome {
    Same,
    /// The compiled program, or the interpreted one, takes too long.
    TooLong,
    Unsupported(String),
    Different(String),
}

struct Tools {
    headers: PathBuf,
    directory: PathBuf,
}

impl Tools {
    fn find(floats: Floats) -> Option<Tools> {
        let name = format!("aster-csmith{}-{}", floats.option(), std::process::id());
        let directory = std::env::temp_dir().join(name);
        let has = |name: &str| {
            Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
        };
        let headers = std::fs::read_dir("/usr/include").ok()?.flatten().map(|entry| entry.path());
        let headers = headers.filter(|path| path.join("csmith.h").is_file()).max();
        match headers {
            Some(headers) if has("csmith") && has("gcc") => {
                std::fs::create_dir_all(&directory).expect("a temporary directory");
                Some(Tools { headers, directory })
            }
            _ => {
                eprintln!("skipped: csmith, its headers or gcc are missing");
                None
            }
        }
    }

    /// The data models that gcc makes programs for.
    fn models(&self) -> Vec<DataModel> {
        let probe = self.directory.join("probe.c");
        std::fs::write(&probe, "#include <stdio.h>\nint main(void) { return 0; }\n").unwrap();
        let works = |model: &DataModel| {
            let built =
                self.gcc(*model, &[]).arg(&probe).arg("-o").arg(self.directory.join("probe")).output();
            let works = built.is_ok_and(|output| output.status.success());
            if !works {
                eprintln!("skipped for {model:?}: gcc cannot make such programs");
            }
            works
        };
        [DataModel::Lp64, DataModel::Ilp32].into_iter().filter(works).collect()
    }

    fn gcc(&self, model: DataModel, options: &[&str]) -> Command {
        let mut command = Command::new("gcc");
        // Without the last options arithmetic is that of the x87 in 32-bit programs.
        command.args(match model {
            DataModel::Lp64 => &["-m64"][..],
            DataModel::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
        });
        command.args(["-w", "-O0", "-fwrapv", "-std=gnu11", "-I"]).arg(&self.headers).args(options);
        command
    }

    fn generate(&self, seed: u64, floats: Floats) -> PathBuf {
        let path = self.directory.join("program.c");
        let output = Command::new("csmith")
            .current_dir(&self.directory)
            .args(["--seed", &seed.to_string(), "-o", "program.c"])
            .arg(floats.option())
            .args(OPTIONS)
            .output()
            .unwrap();
        assert!(output.status.success(), "csmith fails for seed {seed}");
        path
    }

    /// The checksum that the compiled program prints; `None` if it does not end.
    fn compiled_checksum(&self, program: &Path, model: DataModel) -> Option<u32> {
        let executable = self.directory.join("program");
        let built = self.gcc(model, &[]).arg(program).arg("-o").arg(&executable).arg("-lm").output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let mut child = Command::new(&executable).stdout(Stdio::piped()).spawn().unwrap();
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if start.elapsed() > RUN_TIME {
                child.kill().unwrap();
                child.wait().unwrap();
                return None;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let checksum =
            text.trim().strip_prefix("checksum = ").unwrap_or_else(|| panic!("it printed {text:?}"));
        Some(u32::from_str_radix(checksum, 16).unwrap())
    }

    fn preprocess(&self, program: &Path, model: DataModel) -> PathBuf {
        let path = self.directory.join("program.i");
        let output = self.gcc(model, &["-E", "-P"]).arg(program).arg("-o").arg(&path).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        path
    }

    fn compare(&self, seed: u64, floats: Floats, model: DataModel) -> Outcome {
        let program = self.generate(seed, floats);
        let Some(expected) = self.compiled_checksum(&program, model) else { return Outcome::TooLong };
        let (end, context) = interpret(&self.preprocess(&program, model), model);
        match (end, context) {
            (End::Finished, Some(context)) if context ^ u32::MAX == expected => Outcome::Same,
            (End::Finished, context) => {
                let found = context.map(|context| format!("{:X}", context ^ u32::MAX));
                Outcome::Different(format!("checksum {expected:X}, interpreted: {found:?}"))
            }
            (End::Unsupported { what, .. }, _) => Outcome::Unsupported(what),
            (End::StepLimit { .. }, _) => Outcome::TooLong,
            (end, _) => Outcome::Different(format!("checksum {expected:X}, interpreted: {end:?}")),
        }
    }
}

impl Drop for Tools {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// Csmith's programs never look at values that were not set.
struct Zeros;

impl InputSource for Zeros {
    fn next_input(&mut self, _: Edge, sort: Sort) -> Option<Value> {
        Value::default_of(sort)
    }
}

/// Watches the variable that the checksum is kept in.
struct Checksum {
    variable: Option<Var>,
    value: Option<u32>,
}

impl Watcher for Checksum {
    fn on(&mut self, event: RunEvent<'_>) {
        if let RunEvent::Assigned { variable, value: ValueRef::BitVec(bits), .. } = event
            && Some(variable) == self.variable
        {
            self.value = u32::try_from(bits.unsigned()).ok();
        }
    }
}

fn interpret(file: &Path, data_model: DataModel) -> (End, Option<u32>) {
    let mut pool = TermPool::new();
    let options = LoadOptions { data_model, ..LoadOptions::default() };
    let program = load(&mut pool, file, &options).unwrap_or_else(|error| panic!("{}", error.render()));
    let variable = program.variables().find(|&variable| program.variable(variable).name == "crc32_context");
    let mut checksum = Checksum { variable, value: None };
    let limits = RunLimits { max_steps: MAX_STEPS, ..RunLimits::default() };
    let end = Interpreter::new(&program, &pool).run_from(&mut Zeros, limits, &mut checksum);
    (end, checksum.value)
}

#[test]
fn checksums_are_those_of_the_compiled_program() {
    compare_programs(Floats::No, SEEDS);
}

#[test]
fn checksums_of_floating_point_programs_are_those_of_the_compiled_program() {
    compare_programs(Floats::Yes, FLOAT_SEEDS);
}

fn compare_programs(floats: Floats, seeds: u64) {
    let Some(tools) = Tools::find(floats) else { return };
    let seeds =
        std::env::var("ASTER_CSMITH_SEEDS").ok().and_then(|count| count.parse().ok()).unwrap_or(seeds);
    let (mut same, mut too_long, mut unsupported) = (0, 0, Vec::new());
    let mut different = Vec::new();
    let models = tools.models();
    for seed in 1..=seeds {
        for &model in &models {
            match tools.compare(seed, floats, model) {
                Outcome::Same => same += 1,
                Outcome::TooLong => too_long += 1,
                Outcome::Unsupported(what) => unsupported.push(what),
                Outcome::Different(how) => different.push(format!("seed {seed}, {model:?}: {how}")),
            }
        }
    }
    eprintln!("{same} agree, {too_long} take too long, {} are not modelled", unsupported.len());
    unsupported.sort_unstable();
    for group in unsupported.chunk_by(|a, b| a == b) {
        eprintln!("  {:4} times: {}", group.len(), group[0]);
    }
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different.join("\n"));
    assert!(unsupported.is_empty(), "not modelled: {unsupported:?}");
}
