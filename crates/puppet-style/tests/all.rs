//! The tests of the crate.

mod hostile;
mod recorded;
mod settings;
