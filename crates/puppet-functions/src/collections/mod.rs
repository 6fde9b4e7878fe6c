//! Functions for arrays and hashes without a block.

mod basic;
mod dig;
mod join;
mod navigate;
mod sort;
mod unique;

use crate::Function;

pub(crate) use basic::flattened;
pub(crate) use join::joined;

/// The functions of this subject. A table that is not listed is a warning of the compiler.
pub(crate) fn functions() -> impl Iterator<Item = &'static Function> {
    [basic::FUNCTIONS, dig::FUNCTIONS, join::FUNCTIONS, navigate::FUNCTIONS, sort::FUNCTIONS, unique::FUNCTIONS]
        .into_iter()
        .flatten()
}

#[cfg(test)]
mod tests;
