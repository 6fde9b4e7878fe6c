//! The syntax of the Puppet language: text becomes a tree.

pub mod ast;
mod problem;

pub use problem::Problem;
