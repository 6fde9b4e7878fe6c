//! The HTTP API: its types, its handlers and its description.

mod changes;
#[cfg(test)]
mod description;
mod findings;
mod handlers;
pub(crate) mod types;

pub(crate) use changes::{changes, history};
pub(crate) use findings::findings;
pub(crate) use handlers::{
    environments, explain, facts, find, health, hierarchy, keys, layers, lookup, metrics, nodes, openapi_json, spread,
};

/// The description of the API, as OpenAPI 3.1. A test generates it from the types of requests and answers
/// (`description.rs`), so that the command only contains the text.
pub const OPENAPI: &str = include_str!("openapi.json");
