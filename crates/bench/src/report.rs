//! The JSON object that `aster check --json` prints. `docs/json.md` describes it for users.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of this format: raised when a field changes its meaning or goes.
pub const VERSION: u32 = 1;

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The version of the format.
    pub version: u32,
    /// The version of Aster.
    pub aster: String,
    /// The file that was checked.
    pub file: String,
    /// As in the verdict line: `TRUE`, `FALSE(unreach-call)` or `UNKNOWN(keyword)`.
    pub verdict: String,
    /// Why nothing was decided.
    pub reason: Option<Reason>,
    /// What was checked.
    pub property: Property,
    /// `ILP32` or `LP64`.
    pub data_model: String,
    /// The engine.
    pub engine: String,
    /// Seconds spent.
    pub time: Times,
    /// Bytes used.
    pub memory: Memory,
    /// Counters by name.
    pub statistics: BTreeMap<String, u64>,
    /// How the error is reached: an object with `inputs`, `trace`, `error` and `steps`. Its parts are those
    /// of the replayed run's records; nothing here looks into them.
    pub counterexample: Option<serde_json::Value>,
    /// The C file that supplies the inputs, if one was asked for and written.
    #[serde(default)]
    pub harness: Option<Harness>,
    /// After `FALSE`, and `UNKNOWN(not confirmed)`: what the compiled program did, if it was to be run.
    #[serde(default)]
    pub confirmed: Option<Confirmed>,
    /// After `TRUE`: the evidence, if that was asked for.
    #[serde(default)]
    pub proof: Option<Proof>,
    /// Where the exploration stood when it was stopped, the most frequent place first.
    pub frontier: Vec<Frontier>,
    /// Places where a path ended because the program's behaviour is undefined, in the order in which they were
    /// found. Reports of earlier versions do not have them.
    #[serde(default)]
    pub warnings: Vec<Warning>,
    /// After `TRUE`: places where the program may do something undefined, which is assumed not to happen.
    #[serde(default)]
    pub assumed: Vec<Warning>,
    /// Functions that nothing is known about, in the order of their first calls.
    #[serde(default)]
    pub unknown_functions: Vec<UnknownFunction>,
}

/// Evidence that no error can be reached, and whether it was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// The evidence; its parts are fields of the proof.
    #[serde(flatten)]
    pub evidence: Evidence,
    /// That the evidence excludes every error was checked on its own.
    pub checked: bool,
    /// What kept that check from its end.
    pub unchecked: Option<String>,
}

impl Proof {
    /// A proof of which all was checked, unless there is a reason why not.
    pub fn new(evidence: Evidence, unchecked: Option<String>) -> Self {
        Proof { evidence, checked: unchecked.is_none(), unchecked }
    }
}

/// What a proof rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Evidence {
    /// Invariants of a program's loops.
    LoopInvariants {
        /// What holds at each loop head, for each way to call its function.
        invariants: Vec<Invariant>,
    },
    /// Abstract states of a transition system that no run leaves, and that every run has come to after finitely many steps.
    ExactFragment {
        /// The states, as conditions in the language of the model.
        states: Vec<String>,
    },
    /// Abstract states of a transition system that no run leaves, with all first states among them.
    InductiveSet {
        /// The states, as conditions in the language of the model.
        states: Vec<String>,
    },
}

/// What holds whenever a loop head is reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invariant {
    /// Where the loop is.
    pub position: Position,
    /// The functions that are active.
    pub functions: Vec<String>,
    /// A C expression.
    pub formula: String,
}

/// A path ends because the program does something undefined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// What it does.
    pub what: String,
    /// Where.
    pub position: Position,
}

/// A function that is called, has no body, and is no function of the library that is known: its result is arbitrary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownFunction {
    /// Its name.
    pub name: String,
    /// The program declares it.
    pub declared: bool,
    /// The first call.
    pub position: Position,
}

/// A C file that supplies the inputs of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Harness {
    /// Where it is.
    pub file: String,
    /// What the path needs and no such file can supply, one sentence each.
    pub missing: Vec<String>,
}

/// What the compiled program says about an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirmed {
    /// What it says.
    pub outcome: Outcome,
    /// What it did instead, or why it cannot tell.
    pub reason: Option<String>,
}

/// Whether the compiled program does what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It fails in the same way at the same place.
    Confirmed,
    /// It does something else.
    NotConfirmed,
    /// It cannot tell.
    CouldNot,
}

/// Why nothing was decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// The keyword of the verdict line.
    pub keyword: String,
    /// A sentence.
    pub message: String,
    /// The construct that is not modelled, if that is the reason.
    pub construct: Option<String>,
    /// Where, if it has a place.
    pub position: Option<Position>,
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
    /// Number of bytes, at least 1.
    pub length: u32,
    /// The line's text, if it is known.
    pub text: Option<String>,
}

/// What was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// The property file.
    pub file: Option<String>,
    /// Calling one of these is an error.
    pub error_functions: Vec<String>,
    /// A failing `assert` is an error.
    pub assert_is_error: bool,
}

/// Times in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    /// Wall-clock time of the whole run.
    pub total: f64,
    /// CPU time of the process.
    pub cpu: f64,
    /// Reading the program.
    pub load: f64,
    /// The engine, with the solver.
    pub explore: f64,
    /// Inside the solver; unknown if the run had to be cut off.
    pub solve: Option<f64>,
    /// Finding interpolants, for engines that need them and measure it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interpolate: Option<f64>,
    /// Replaying the counterexample.
    pub replay: f64,
}

/// Memory in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// The most that was held.
    pub peak: u64,
    /// The limit.
    pub limit: Option<u64>,
}

/// A place where unexplored states were waiting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frontier {
    /// Where.
    pub position: Position,
    /// How many.
    pub states: u64,
}
