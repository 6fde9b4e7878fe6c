//! Nomad's job specifications.
pub mod duration;
pub mod json;
pub mod record;
pub mod schema;
