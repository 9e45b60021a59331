//! Control-flow automata: what front ends produce and engines explore.
//!
//! A [`Program`] is a set of procedures, each an automaton over one node and edge arena. Engines see
//! it unfolded lazily: a [`Location`] is a call path and a node. The [`interpreter`] runs a program
//! on a list of input values and says where it ended.
//!
//! Knows nothing about source languages, solvers or verdicts.

mod arena;
mod builder;
mod program;
mod source;
mod unfolding;

pub use builder::ProgramBuilder;
pub use program::{
    Call, Edge, EdgeInfo, ErrorKind, Input, InputOrigin, Label, Node, NodeInfo, Op, Presentation, Procedure,
    ProcedureInfo, Program, Var, VarInfo,
};
pub use source::{FileId, SourceFile, SourceMap, Span};
pub use unfolding::{CallPath, CallPaths, Location};
