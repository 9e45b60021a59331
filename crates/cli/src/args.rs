//! The command line.

use aster_bench::os::Clock;
use aster_bench::task::DataModel;
use aster_bench::units::{parse_duration, parse_size};
use aster_bench::variant::Variant;
use aster_engines::symexec::Search;
use aster_engines::symexec_ia::InitialPredicates;
use clap::builder::PossibleValue;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  aster check program.c                      no failing assert, no call of an error function?
  aster check program.c --timeout 60s        give up after a minute
  aster check task.yml --json                a task definition, result as JSON
  aster check program.c -p unreach-call.prp --data-model ilp32
  aster check ticket.gcl -D N=3              guarded commands, with a constant
  aster run program.c --inputs 7,-1,0xff     execute it on these inputs
  aster show --cfa program.c | dot -Tsvg > program.svg
  aster bench tasks/ --timeout 20s --jobs 4 --out results/today
  aster bench compare results/yesterday results/today

Exit codes of `aster check`: 0 TRUE, 10 FALSE, 20 UNKNOWN, 2 bad usage or bad input.
Exit codes of `aster run`: 0 finished, 10 error reached, 20 neither, 2 bad usage or bad input.";

/// Decides whether a C program or a model can reach an error.
#[derive(Debug, Parser)]
#[command(name = "aster", version, after_long_help = EXAMPLES, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check a program.
    Check(Box<CheckArgs>),
    /// Execute a program on given inputs.
    Run(RunArgs),
    /// Show how a program is understood.
    Show(ShowArgs),
    /// Run task sets, or compare such runs.
    Bench(Box<BenchArgs>),
}

/// Check a program.
///
/// The last line of the output is the verdict: TRUE (no error can be reached), FALSE(unreach-call) (an error
/// is reached by the inputs that are shown above it; they were executed to make sure), or UNKNOWN(reason).
/// The exit code is 0, 10 or 20 in this order, and 2 for bad usage or bad input.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = "\
Examples:
  aster check program.c
  aster check program.c --timeout 5min --memory 8GB --stats
  aster check task.yml --json
  aster check program.c --harness inputs.c; gcc -fwrapv program.c inputs.c && ./a.out
  aster check program.c --confirm
  aster check program.c --solver 'z3 -in'")]
pub struct CheckArgs {
    /// C file, model (.gcl, .cfa, .theta), task definition (.yml), or - for standard input.
    ///
    /// Models are guarded commands (.gcl) or textual control-flow automata (.cfa, .theta). A task definition names the program, the property and the data model; options override it.
    pub file: PathBuf,

    /// The analysis to use.
    #[arg(long, value_enum, default_value_t = Engine::Auto, value_name = "NAME")]
    pub engine: Engine,

    /// Property file (.prp), read by content, or the name of a property.
    ///
    /// Supported: unreach-call (G ! call(NAME())), no-overflow (G ! overflow), valid-memsafety (G valid-deref,
    /// G valid-free, G valid-memtrack) and valid-memcleanup. Without one, a failing assert and a call of
    /// __VERIFIER_error or reach_error are errors. A task definition with several properties wants one of them to be chosen.
    #[arg(long, short, value_name = "FILE")]
    pub property: Option<PathBuf>,

    /// Sizes of types: ilp32 or lp64 [default: lp64].
    ///
    /// ilp32 has 32-bit long and pointers, lp64 has 64-bit long and pointers. The default is lp64, or what the
    /// task definition says.
    #[arg(long, value_enum, ignore_case = true, value_name = "MODEL", hide_possible_values = true)]
    pub data_model: Option<DataModelArg>,

    /// Stop after this time, as 60s, 1500ms or 5min [default: never].
    ///
    /// Time of the whole run. A number without a unit counts seconds; 0 means no limit.
    #[arg(long, value_parser = parse_duration, value_name = "TIME", default_value = "0", hide_default_value = true)]
    pub timeout: Duration,

    /// What --timeout counts.
    #[arg(long, value_enum, value_name = "CLOCK", default_value = "wall")]
    pub clock: ClockArg,

    /// Stop when this much memory is held, as 4GB or 512MiB [default: 80 % of the machine's].
    ///
    /// 0 means no limit.
    #[arg(long, value_parser = parse_size, value_name = "SIZE")]
    pub memory: Option<u64>,

    /// The order in which paths are explored [default: random-path for symexec, bfs for symexec-ia].
    #[arg(long, value_enum, value_name = "ORDER")]
    pub search: Option<SearchArg>,

    /// Seed of random choices.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub seed: u64,

    /// Let malloc, calloc and realloc fail: they may give a null pointer.
    #[arg(long)]
    pub malloc_may_fail: bool,

    /// What to do where a path does something undefined that is not an error [default: stop, or assume for a property about calls].
    ///
    /// stop: nothing is known about what follows, so that TRUE becomes UNKNOWN. assume: runs that get there are left out, as
    /// verification competitions do; TRUE names these places. FALSE never depends on it: no run is shown that does something undefined
    /// before the error. The default is stop, and assume where a property file or task definition asks for reachability.
    #[arg(long, value_enum, value_name = "WHAT", hide_possible_values = true)]
    pub undefined: Option<UndefinedArg>,

    /// After FALSE, write a C file that supplies the inputs.
    ///
    /// `gcc -fwrapv program.c FILE && ./a.out` then gets to the error and says so on standard error (exit code 99). Where the
    /// path needs a particular value of an uninitialised variable, or an input that is the address of a variable, which
    /// no such file can supply, the output says so.
    #[arg(long, value_name = "FILE")]
    pub harness: Option<PathBuf>,

    /// After FALSE, compile the program with sanitizers and RUN it: it must fail in the same way.
    ///
    /// gcc compiles it with -fsanitize=address,undefined and the inputs of the counterexample. It runs in a sandbox: 10 s, 1 GiB, no
    /// other processes, no network, an empty folder, nothing can be written. If it does something else, the verdict is UNKNOWN(not
    /// confirmed). If it cannot tell (no gcc, a kind of error that sanitizers do not see), FALSE stays and the output says why. The
    /// time of it is not part of --timeout. The program is never run without this option.
    #[arg(long)]
    pub confirm: bool,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,

    /// Print statistics to standard error at the end.
    #[arg(long)]
    pub stats: bool,

    /// Say on standard error what is being done.
    #[arg(long, short)]
    pub verbose: bool,

    /// Constants of models.
    #[command(flatten)]
    pub constants: ConstantArgs,

    /// Options of symexec-ia.
    #[command(flatten)]
    pub abstraction: AbstractionArgs,

    /// Options of the solver.
    #[command(flatten)]
    pub solver: SolverArgs,
}

/// Constants of models.
#[derive(Clone, Debug, Args)]
pub struct ConstantArgs {
    /// Give a constant of guarded commands (.gcl) another value; can be repeated.
    #[arg(short = 'D', long = "define", value_parser = parse_setting, value_name = "NAME=VALUE")]
    pub define: Vec<(String, String)>,
}

fn parse_setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

/// Options of symexec-ia.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Abstraction (symexec-ia)")]
pub struct AbstractionArgs {
    /// Abstract at a loop head from the N-th visit on a path on.
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub threshold: u32,

    /// The predicates that every loop head begins with.
    #[arg(long, value_enum, value_name = "WHICH", default_value = "none", hide_short_help = true)]
    pub initial_predicates: InitialPredicatesArg,

    /// After TRUE, print the evidence, checked on its own: what holds at each loop head.
    ///
    /// For guarded commands that ase proved safe it is a set of abstract states that no transition leaves.
    #[arg(long)]
    pub show_invariants: bool,

    /// Do not look for linear relations and bounds when refinement does not come to an end soon.
    #[arg(long, hide_short_help = true)]
    pub no_auxiliary: bool,

    /// Do not put bounds in the place of predicates that tell one iteration after the other apart.
    #[arg(long, hide_short_help = true)]
    pub no_series: bool,

    /// Do not try to prove programs with loops over arrays with one cell of each array only.
    #[arg(long, hide_short_help = true)]
    pub no_cells: bool,

    /// Do not try to prove programs with recursive functions with one call at a time.
    #[arg(long, hide_short_help = true)]
    pub no_recursion: bool,

    /// Follow functions that end with a call of themselves call by call, not as loops.
    #[arg(long, hide_short_help = true)]
    pub no_tail_calls: bool,

    /// Follow branches that meet again as one path, with choices in its values: in a turn of auto, always, or never.
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", hide_short_help = true)]
    pub join: JoinArg,

    /// Explore what follows from a state once for each path that leads to it; symexec then follows every path, even in circles.
    #[arg(long, hide_short_help = true)]
    pub no_sharing: bool,

    /// Explore states of a transition system that differ by the order of equal processes one by one.
    #[arg(long, hide_short_help = true)]
    pub no_symmetry: bool,

    /// Explore the steps of a transition system that concern one process only in every order with those of others.
    #[arg(long, hide_short_help = true)]
    pub no_reduction: bool,

    /// Keep up to N valuations of predicates apart at first where a path allows more than one (at least 16 where one cell of
    /// each array is kept).
    #[arg(long, default_value_t = 1, value_name = "N", hide_short_help = true)]
    pub splits: usize,

    /// Keep the constants that a variable holds at a loop head, as long as there are at most N; 0 keeps none.
    #[arg(long, default_value_t = 1, value_name = "N", hide_short_help = true)]
    pub constants: usize,

    /// Abstract loops too whose condition is decided by constants.
    #[arg(long, hide_short_help = true)]
    pub no_unroll: bool,
}

/// Options of the solver.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Solver")]
pub struct SolverArgs {
    /// Use this SMT-LIB 2 solver, as 'z3 -in', instead of the built-in one.
    #[arg(long, value_name = "COMMAND")]
    pub solver: Option<String>,

    /// Compare every answer with this SMT-LIB 2 solver; a difference ends the run.
    #[arg(long, value_name = "COMMAND")]
    pub cross_check: Option<String>,

    /// Do not try recent models before a query is solved.
    #[arg(long, hide_short_help = true)]
    pub no_model_reuse: bool,

    /// Do not split queries into independent parts.
    #[arg(long, hide_short_help = true)]
    pub no_slicing: bool,

    /// Do not remember the answers to queries.
    #[arg(long, hide_short_help = true)]
    pub no_query_cache: bool,

    /// Do not try ranges on queries about few floating-point numbers.
    #[arg(long, hide_short_help = true)]
    pub no_float_search: bool,

    /// Do not try ranges on queries about quotients, remainders and products.
    #[arg(long, hide_short_help = true)]
    pub no_integer_search: bool,

    /// Write every query that has to be solved to a file in this folder, NNNN.smt2, up to 10000.
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub record_queries: Option<PathBuf>,
}

/// Execute a program on given inputs.
///
/// The interpreter that replays counterexamples, as a command. The inputs are those that `aster check` lists for
/// a counterexample, in the same order: results of __VERIFIER_nondet functions and of external functions, and
/// values of uninitialised variables. Uninitialised memory is zero and takes none of them.
///
/// The exit code is 0 if the program finished, 10 if it reached an error, 20 if the run ended otherwise (blocked
/// by an assumption, undefined behaviour, an unsupported construct, no inputs left, a limit), and 2 for bad usage
/// or bad input.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = "\
Examples:
  aster run program.c --inputs 7,-1,0xff
  aster run program.c --inputs-file inputs.txt --trace")]
pub struct RunArgs {
    /// C file, model (.gcl, .cfa, .theta), task definition (.yml), or - for standard input.
    pub file: PathBuf,

    /// The inputs, separated by commas: decimal, negative, or hexadecimal numbers; for floating-point types also 0.1,
    /// 0x1.8p-3, inf, or nan(0x7fc00001).
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "V,V,...")]
    pub inputs: Vec<String>,

    /// A file with the inputs, separated by commas, blanks or lines; # starts a comment.
    #[arg(long, value_name = "FILE", conflicts_with = "inputs")]
    pub inputs_file: Option<PathBuf>,

    /// Uninitialised variables are zero and take no input.
    #[arg(long)]
    pub zero_uninitialised: bool,

    /// Print the path of the run, as for a counterexample.
    #[arg(long)]
    pub trace: bool,

    /// Constants of models.
    #[command(flatten)]
    pub constants: ConstantArgs,

    /// Property file (.prp) or name of a property, which says what an error is.
    #[arg(long, short, value_name = "FILE")]
    pub property: Option<PathBuf>,

    /// Sizes of types: ilp32 or lp64 [default: lp64].
    #[arg(long, value_enum, ignore_case = true, value_name = "MODEL", hide_possible_values = true)]
    pub data_model: Option<DataModelArg>,

    /// Stop the run after this time, as 60s, 1500ms or 5min [default: never].
    #[arg(long, value_parser = parse_duration, value_name = "TIME", default_value = "0", hide_default_value = true)]
    pub timeout: Duration,
}

/// Show how a program is understood.
///
/// Guarded commands (.gcl) are shown as the transition system that they stand for, everything else as control-flow
/// automata.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = "\
Examples:
  aster show ticket.gcl -D N=3
  aster show model.cfa
  aster show --cfa program.c | dot -Tsvg > program.svg")]
pub struct ShowArgs {
    /// C file, model (.gcl, .cfa, .theta), task definition (.yml), or - for standard input.
    pub file: PathBuf,

    /// Print the control-flow automata as a Graphviz graph.
    #[arg(long)]
    pub cfa: bool,

    /// Constants of models.
    #[command(flatten)]
    pub constants: ConstantArgs,

    /// Property file (.prp) or name of a property, which says what an error is.
    #[arg(long, short, value_name = "FILE")]
    pub property: Option<PathBuf>,

    /// Sizes of types: ilp32 or lp64 [default: lp64].
    #[arg(long, value_enum, ignore_case = true, value_name = "MODEL", hide_possible_values = true)]
    pub data_model: Option<DataModelArg>,

    /// Write to this file instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Give up after this time, as 60s, 1500ms or 5min [default: never].
    #[arg(long, value_parser = parse_duration, value_name = "TIME", default_value = "0", hide_default_value = true)]
    pub timeout: Duration,

    /// Give up when this much memory is held, as 4GB or 512MiB [default: 80 % of the machine's].
    #[arg(long, value_parser = parse_size, value_name = "SIZE")]
    pub memory: Option<u64>,
}

/// Run task sets, or compare such runs.
///
/// Each task is checked in a process of its own. Results are kept in the output folder as they come in; the
/// same command with the same folder goes on where it was stopped. The tables that are printed at the end are
/// there too, as tables.md and, where several engines are side by side, as .csv files. The exit code is 0, or
/// 1 if a verdict was wrong or a check crashed.
#[derive(Clone, Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_long_help = "\
Examples:
  aster bench tasks/ --timeout 20s --jobs 4 --out results/today
  aster bench Loops.csv --engines symexec,symexec-ia,symexec-ia:threshold=1+no-sharing
  aster bench examples/protocols/figures.csv --engines ase
  aster bench compare results/yesterday results/today
  aster bench table results/symexec results/symexec-ia"
)]
pub struct BenchArgs {
    /// Compare instead of running.
    #[command(subcommand)]
    pub command: Option<BenchCommand>,

    /// Task definitions (.yml), folders of them, .set files, or .csv lists.
    ///
    /// A .csv list has the columns `task,input,expected,data_model`, with paths relative to its folder; `property` may name a property
    /// file, and `options` may add options of `aster check`. A task definition is a task for each property that can be checked.
    #[arg(required = true, value_name = "SET")]
    pub sets: Vec<PathBuf>,

    /// Only tasks for the property of this name, as unreach-call or no-overflow.
    #[arg(long, value_name = "NAME")]
    pub property: Option<String>,

    /// Engines, separated by commas; each runs on all tasks.
    ///
    /// An engine can be followed by a colon and options of `aster check` without their dashes, separated by +, as
    /// in symexec-ia:threshold=1+no-sharing. All of this is its name in the results. If there are several, tables show what
    /// each solves, and what the best for each task solves beyond the first.
    #[arg(long, value_delimiter = ',', default_value = "symexec", value_name = "NAMES")]
    pub engines: Vec<Variant>,

    /// Time limit of a task.
    #[arg(long, value_parser = parse_duration, default_value = "20s", value_name = "TIME")]
    pub timeout: Duration,

    /// What the time limit counts. On a machine that has other work, cpu is fairer.
    #[arg(long, value_enum, value_name = "CLOCK", default_value = "wall")]
    pub clock: ClockArg,

    /// Memory limit of a task.
    #[arg(long, value_parser = parse_size, default_value = "4GB", value_name = "SIZE")]
    pub memory: u64,

    /// Tasks at a time [default: number of processors].
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    /// Folder of the results [default: results/ and the time].
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// After each FALSE, compile the program with sanitizers and RUN it in a sandbox, as `aster check --confirm` does.
    ///
    /// What is not confirmed counts as UNKNOWN(not confirmed). The tables say how often the compiled program failed in the same way, and how often it
    /// could not tell.
    #[arg(long)]
    pub confirm: bool,

    /// Further options for each check, after `--`.
    #[arg(last = true, value_name = "CHECK OPTIONS")]
    pub arguments: Vec<String>,
}

/// What else can be done with results.
#[derive(Clone, Debug, Subcommand)]
pub enum BenchCommand {
    /// Show what changed from one run to another.
    Compare {
        /// The output folder of the first run.
        before: PathBuf,
        /// The output folder of the second run.
        after: PathBuf,
    },
    /// Show the tables of one or several runs again, with all engines side by side.
    ///
    /// An engine that ran in several of the folders counts as one run if no task was run twice and the limits,
    /// options and build were the same; otherwise the folder is added to its name.
    Table {
        /// The output folders of the runs.
        #[arg(required = true, value_name = "DIR")]
        folders: Vec<PathBuf>,

        /// Only these engines, by their names in the tables, in this order [default: all, as they ran].
        #[arg(long, value_delimiter = ',', value_name = "NAMES")]
        engines: Vec<String>,

        /// Store the tables in this folder too.
        #[arg(long, short, value_name = "DIR")]
        out: Option<PathBuf>,
    },
}

/// The analyses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// symexec, symexec-ia and concrete in turns.
    Auto,
    /// Symbolic execution of all feasible paths.
    Symexec,
    /// Symbolic execution with predicate abstraction at loop heads, refined along spurious counterexamples.
    SymexecIa,
    /// Abstract analysis of symbolic executions, for guarded commands.
    Ase,
    /// Concrete runs on inputs that are made up: finds errors, and decides programs without inputs.
    Concrete,
}

impl Engine {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Symexec => "symexec",
            Engine::SymexecIa => "symexec-ia",
            Engine::Ase => "ase",
            Engine::Concrete => "concrete",
        }
    }
}

/// [`Clock`] as a value on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ClockArg {
    /// The time that passes.
    Wall,
    /// The time that the process computes; solver processes that it starts are not counted.
    Cpu,
}

impl From<ClockArg> for Clock {
    fn from(argument: ClockArg) -> Self {
        match argument {
            ClockArg::Wall => Clock::Wall,
            ClockArg::Cpu => Clock::Cpu,
        }
    }
}

/// [`InitialPredicates`] as a value on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InitialPredicatesArg {
    /// None: all come from refinement.
    None,
    /// The conditions of the function that the loop is in.
    Conditions,
}

/// What becomes of paths that do something undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UndefinedArg {
    /// They end with a warning, and nothing is proved.
    Stop,
    /// They are assumed not to be taken.
    Assume,
}

/// When branches are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum JoinArg {
    /// In one of the turns of `auto`.
    Auto,
    /// Whichever engine runs.
    Always,
    /// Each path is followed.
    Never,
}

impl From<InitialPredicatesArg> for InitialPredicates {
    fn from(argument: InitialPredicatesArg) -> Self {
        match argument {
            InitialPredicatesArg::None => InitialPredicates::None,
            InitialPredicatesArg::Conditions => InitialPredicates::Conditions,
        }
    }
}

/// [`DataModel`] as a value on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataModelArg(pub DataModel);

impl ValueEnum for DataModelArg {
    fn value_variants<'a>() -> &'a [Self] {
        &[DataModelArg(DataModel::Ilp32), DataModelArg(DataModel::Lp64)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self.0 {
            DataModel::Ilp32 => "ilp32",
            DataModel::Lp64 => "lp64",
        }))
    }
}

/// [`Search`] as a value on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchArg(pub Search);

impl ValueEnum for SearchArg {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            SearchArg(Search::Dfs),
            SearchArg(Search::Bfs),
            SearchArg(Search::RandomPath),
            SearchArg(Search::Distance),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self.0 {
            Search::Dfs => PossibleValue::new("dfs").help("Depth first"),
            Search::Bfs => PossibleValue::new("bfs").help("Breadth first"),
            Search::RandomPath => PossibleValue::new("random-path").help("A random walk for each choice"),
            Search::Distance => PossibleValue::new("distance").help("Nearest to an error first"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn definition_is_consistent() {
        Cli::command().debug_assert();
    }

    fn check(arguments: &[&str]) -> CheckArgs {
        match Cli::try_parse_from([&["aster", "check"], arguments].concat()).unwrap().command {
            Command::Check(arguments) => *arguments,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn check_options() {
        let arguments = check(&["a.c"]);
        assert_eq!(arguments.timeout, Duration::ZERO);
        assert_eq!((arguments.memory, arguments.clock), (None, ClockArg::Wall));
        assert_eq!(arguments.search, None);
        let arguments = check(&[
            "--timeout",
            "2min",
            "--clock",
            "cpu",
            "--memory",
            "1GiB",
            "--data-model",
            "ILP32",
            "--search",
            "bfs",
            "-p",
            "x.prp",
            "-v",
            "--no-slicing",
            "--",
            "-odd.c",
        ]);
        assert_eq!(arguments.timeout, Duration::from_secs(120));
        assert_eq!(arguments.memory, Some(1 << 30));
        assert_eq!(arguments.clock, ClockArg::Cpu);
        assert_eq!(arguments.data_model, Some(DataModelArg(DataModel::Ilp32)));
        assert_eq!(arguments.search, Some(SearchArg(Search::Bfs)));
        assert!(arguments.verbose && arguments.solver.no_slicing && !arguments.solver.no_query_cache);
        assert_eq!(arguments.file, PathBuf::from("-odd.c"));
    }

    #[test]
    fn bench_runs_or_compares() {
        let bench = |arguments: &[&str]| match Cli::try_parse_from([&["aster", "bench"], arguments].concat())
        {
            Ok(Cli { command: Command::Bench(arguments) }) => Ok(*arguments),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.kind()),
        };
        let run = bench(&["a.set", "b.csv", "--jobs", "3", "--", "--search", "bfs"]).unwrap();
        assert_eq!(run.sets.len(), 2);
        assert_eq!(run.arguments, ["--search", "bfs"]);
        let compare = bench(&["compare", "a", "b"]).unwrap();
        assert!(matches!(compare.command, Some(BenchCommand::Compare { .. })));
        let variants = bench(&["a.set", "--engines", "symexec,symexec-ia:threshold=1+no-sharing"]).unwrap();
        let names: Vec<_> = variants.engines.iter().map(Variant::name).collect();
        assert_eq!(names, ["symexec", "symexec-ia:threshold=1+no-sharing"]);
        let table = bench(&["table", "a", "b", "--engines", "x,y"]).unwrap();
        assert!(matches!(table.command, Some(BenchCommand::Table { folders, .. }) if folders.len() == 2));
        assert!(bench(&["table"]).is_err());
        assert!(bench(&[]).is_err());
        assert!(bench(&["a.set", "--jobs", "0"]).is_err());
        assert!(bench(&["a.set", "--memory", "4"]).is_err());
    }
}
