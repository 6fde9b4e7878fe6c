//! [`Vm`]: evaluates trees. => [`Vm`]: the evaluator of syntax trees.

// A conversion runs code, so it needs the interpreter.
#![allow(clippy::wrong_self_convention)]

mod arguments;
mod assign;
mod boot;
mod call;
mod classes;
mod compare;
mod constants;
mod convert;
mod core_singletons;
mod define;
mod errors;
mod eval;
mod fast;
mod imports;
mod inspect;
mod lookup;
mod marks;
mod pattern;
mod state;
mod unavailable;

pub(crate) use arguments::Args;
pub(crate) use boot::Natives;
pub(crate) use compare::compare_numbers;
pub(crate) use errors::{Flow, Outcome};
pub(crate) use marks::{collection_marks, mark_collection};
#[cfg(test)]
pub(crate) use state::OBJECT_SIZE;
pub(crate) use state::{LARGE_STRING, State, StateSlot, Vm};
