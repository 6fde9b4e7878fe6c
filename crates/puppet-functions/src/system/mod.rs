//! Functions with access to the outside: files, programs, the node's name; and digests.

mod digests;
mod files;
mod fqdn_rand;
pub mod legacy;
mod programs;
pub(crate) mod resource;

use crate::Function;

pub use digests::{Algorithm, hexdigest};
pub use fqdn_rand::Random;

pub(crate) fn functions() -> impl Iterator<Item = &'static Function> {
    digests::FUNCTIONS.iter().chain(&files::FUNCTIONS).chain(&fqdn_rand::FUNCTIONS).chain(&programs::FUNCTIONS)
}

#[cfg(test)]
mod tests;
