//! The checks. Each is a method of the walk and reports findings.

mod calls;
mod classes;
mod conditions;
mod data_types;
mod definitions;
mod duplicates;
mod files;
mod forms;
mod known_arguments;
mod leaving;
mod lookups;
mod metaparameters;
mod operators;
mod references;
mod resources;
pub(crate) mod statements;
mod values;
pub(crate) mod variables;
