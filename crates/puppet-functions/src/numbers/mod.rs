//! Functions for numbers and comparisons.

mod compare;
mod extremes;
mod rounding;

use crate::Function;

pub(crate) fn functions() -> impl Iterator<Item = &'static Function> {
    compare::FUNCTIONS.iter().chain(&extremes::FUNCTIONS).chain(&rounding::FUNCTIONS)
}

#[cfg(test)]
mod tests;
