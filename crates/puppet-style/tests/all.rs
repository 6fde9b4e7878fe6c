//! The tests of the crate.

mod documented;
mod hostile;
mod recorded;
mod settings;
