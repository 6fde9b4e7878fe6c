//! Puppet code: hovers, definitions, references, completion and other features.

pub(crate) mod actions;
mod attribute_values;
pub(crate) mod class_graph;
pub(crate) mod complete;
pub(crate) mod define;
mod docs;
pub(crate) mod functions;
pub(crate) mod hierarchy;
pub(crate) mod hints;
pub(crate) mod hover;
pub(crate) mod infer;
pub(crate) mod locals;
pub(crate) mod references;
pub(crate) mod resources;
pub(crate) mod ruby;
pub(crate) mod ruby_index;
pub(crate) mod scope;
pub(crate) mod signature;
pub(crate) mod symbol_at;
mod template_calls;
