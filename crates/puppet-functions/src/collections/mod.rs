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

pub(crate) fn functions() -> impl Iterator<Item = &'static Function> {
    basic::FUNCTIONS
        .iter()
        .chain(&dig::FUNCTIONS)
        .chain(&join::FUNCTIONS)
        .chain(&navigate::FUNCTIONS)
        .chain(&sort::FUNCTIONS)
        .chain(&unique::FUNCTIONS)
}

#[cfg(test)]
mod tests;
