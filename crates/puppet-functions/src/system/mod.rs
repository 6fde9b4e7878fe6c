//! Functions with access to the outside: files, programs, the node's name; and digests.

mod digests;
mod files;
mod fqdn_rand;
pub mod legacy;
mod programs;
pub(crate) mod resource;

use crate::Function;

pub use digests::{Algorithm, hexdigest};

/// The functions of this subject. A table that is not listed is a warning of the compiler.
pub(crate) fn functions() -> impl Iterator<Item = &'static Function> {
    [digests::FUNCTIONS, files::FUNCTIONS, fqdn_rand::FUNCTIONS, programs::FUNCTIONS].into_iter().flatten()
}

#[cfg(test)]
mod tests;
