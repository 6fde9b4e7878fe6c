//! The functions of the Puppet language that need no catalog, and how functions are called.
//!
//! A [`Function`] has a name and several ways to be called, each with a signature; the first that takes the arguments
//! runs. What a function needs beyond its arguments (blocks, logs, files, variables) it asks of the [`Host`], so nothing
//! here knows the evaluator. [`find`] gives the function of a name.

mod function;
mod host;

pub use function::{Call, Dispatch, Function};
pub use host::{Block, Code, Fault, FaultKind, FileKind, Flow, Host, Level, Outcome, Site};
