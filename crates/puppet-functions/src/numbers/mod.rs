//! Functions for numbers and comparisons.

mod compare;
mod extremes;
mod rounding;

use crate::Function;

/// The functions of this subject. A table that is not listed is a warning of the compiler.
pub(crate) fn functions() -> impl Iterator<Item = &'static Function> {
    [compare::FUNCTIONS, extremes::FUNCTIONS, rounding::FUNCTIONS].into_iter().flatten()
}

#[cfg(test)]
mod tests;
