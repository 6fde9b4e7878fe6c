//! Nomad's job specifications.
mod api;
pub mod duration;
pub mod json;
pub mod record;
pub mod schema;
#[doc(hidden)]
pub fn probe(b: &[u8]) -> Result<String, String> {
    api::parse(b).and_then(|r| json::document("Job", &r).map_err(|e| e.to_string()))
}
