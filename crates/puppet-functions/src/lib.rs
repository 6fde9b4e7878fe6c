//! The functions of the Puppet language that need no catalog, and the protocol of calls.
//!
//! A [`Function`] has a name and several dispatches, each with a signature; the first whose signature fits the
//! arguments runs. A function obtains everything beyond its arguments (blocks, logs, files, variables) from the
//! [`Host`], so this crate does not depend on the evaluator. [`find`] returns a function by its name.
//!
//! The functions and their parameters are those of the [function
//! reference](https://www.puppet.com/docs/puppet/8/function.html).

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

pub use function::{Call, Dispatch, Doc, Function, FunctionTable, LoadedFunction};
pub use host::{Block, Code, EvalError, EvalErrorKind, FileKind, Flow, Host, Level, Outcome, Site};
pub use sequence::{Sequence, Walk, iterate, iterator_elements};
pub use strings::{sprintf, versioncmp};
pub use system::{Algorithm, hexdigest, legacy};
pub use table::{find, functions, names};
pub use values::{interpolated, write_interpolated};
