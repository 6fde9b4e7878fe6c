//! Functions that control evaluation, create and check values, and log.

mod control;
mod convert;
mod logging;
mod noop;
mod text;

use crate::Function;

pub use text::{interpolated, write_interpolated};

pub(crate) fn functions() -> impl Iterator<Item = &'static Function> {
    control::FUNCTIONS.iter().chain(&convert::FUNCTIONS).chain(&logging::FUNCTIONS).chain(&noop::FUNCTIONS)
}

#[cfg(test)]
mod tests;
