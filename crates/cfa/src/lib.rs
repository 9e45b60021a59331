//! Control-flow automata: what front ends produce and engines explore.
//!
//! A [`Program`] is a set of procedures, each an automaton over one node and edge arena. Engines see
//! it unfolded lazily: a [`Location`] is a call path and a node. The [`interpreter`] runs a program
//! on a list of input values and says where it ended.
//!
//! Knows nothing about source languages, solvers or verdicts.

mod arena;
mod builder;
mod diagnostic;
pub mod distance;
mod dot;
pub mod interpreter;
mod join;
pub mod liveness;
pub mod loops;
mod objects;
mod program;
mod show;
mod source;
mod tail_calls;
pub mod testing;
mod unfolding;
mod validate;

pub use builder::ProgramBuilder;
pub use diagnostic::Diagnostic;
pub use distance::{Distances, LocationDistances, Targets};
pub use dot::{write_dot, write_text};
pub use join::join_branches;
pub use liveness::Liveness;
pub use loops::LoopInfo;
pub use objects::{MemoryObject, Precision, Shape, ShapeField};
pub use program::{
    Access, AccessKind, Call, Edge, EdgeInfo, ErrorKind, Input, InputOrigin, Label, Node, NodeInfo, Note, Op,
    PlacePart, Presentation, Procedure, ProcedureInfo, Program, SourceFunctions, UnknownFunction, Var,
    VarInfo, Written,
};
pub use show::{show_c_expression, show_label, show_term};
pub use source::{FileId, SourceFile, SourceMap, Span};
pub use tail_calls::tail_calls_as_jumps;
pub use unfolding::{CallPath, CallPaths, Location};
pub use validate::Violation;
