//! The compiled program as a witness: it is compiled with sanitizers and the inputs of a counterexample, and run where it can do
//! no harm; what it does must be what was claimed.
//!
//! Knows nothing about engines, or how counterexamples are found.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod filter;
mod kernel;
mod sandbox;

pub use kernel::Kernel;
pub use sandbox::{Ending, Finished, Limit, Limits, Sandbox, Task};
