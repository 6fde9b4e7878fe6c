//! Functions that control evaluation, create and check values, and log.

mod control;
mod convert;
mod logging;
mod noop;
mod text;

use crate::Function;

pub use text::{interpolated, write_interpolated};

/// The functions of this subject. A table that is not listed is a warning of the compiler.
pub(crate) fn functions() -> impl Iterator<Item = &'static Function> {
    [control::FUNCTIONS, convert::FUNCTIONS, logging::FUNCTIONS, noop::FUNCTIONS].into_iter().flatten()
}

#[cfg(test)]
mod tests;
