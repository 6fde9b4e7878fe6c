//! The functions of the Puppet language that need no catalog, and how functions are called.
//!
//! A [`Function`] has a name and several ways to be called, each with a signature; the first that takes the arguments
//! runs. What a function needs beyond its arguments (blocks, logs, files, variables) it asks of the [`Host`], so nothing
//! here knows the evaluator. [`find`] gives the function of a name.
//!
//! The functions and their parameters are those of the
//! [function reference](https://www.puppet.com/docs/puppet/8/function.html).

mod collections;
mod function;
mod host;
mod iteration;
mod local_types;
mod numbers;
mod ruby;
mod sequence;
mod strings;
mod system;
mod table;
#[cfg(test)]
mod testing;
mod values;

pub use function::{Call, Dispatch, Function};
pub use host::{Block, Code, Fault, FaultKind, FileKind, Flow, Host, Level, Outcome, Site};
pub use sequence::{Sequence, Walk, iterate, iterator_elements};
pub use strings::{sprintf, versioncmp};
pub use system::{Algorithm, Random, hexdigest, legacy};
pub use table::{find, names};
pub use values::{interpolated, write_interpolated};
