//! A [`Database`] for catalogs: exported resources, and the answers to queries.

use std::time::Duration;

use hieratic::catalog::Database;
use hieratic::{Error, Value};

use crate::client::{Client, escaped};

/// The timeout of a query about many nodes.
const TIMEOUT: Duration = Duration::from_secs(120);
/// The maximum size of its response, in bytes.
const MAX_BYTES: u64 = 256 << 20;

impl Client {
    /// Returns the response to a query at a path.
    fn query_value(&self, path: &str) -> Result<Value, Error> {
        let found = self.read(path, TIMEOUT, MAX_BYTES)?;
        let bytes = found.ok_or_else(|| {
            self.unexpected_response(&format!("it has no {}", path.split('?').next().unwrap_or(path)))
        })?;
        hieratic::json::parse(&bytes).map_err(|error| self.unexpected_response(&error.to_string()))
    }
}

impl Database for Client {
    fn exported(&self, kind: &str) -> Result<Value, String> {
        // The reference sends the same query for all types with exported resources.
        let query = serde_json::json!(["and", ["=", "type", kind], ["=", "exported", true]]).to_string();
        let order = r#"[{"field":"certname"},{"field":"title"}]"#;
        let path = format!("/pdb/query/v4/resources?query={}&order_by={}", escaped(&query), escaped(order));
        self.query_value(&path).map_err(|error| error.to_string())
    }

    fn query(&self, query: &Value) -> Result<Value, String> {
        let text = match query {
            Value::String(text) => text.to_string(),
            other => hieratic_output::json(other).map_err(|error| error.to_string())?,
        };
        self.query_value(&format!("/pdb/query/v4?query={}", escaped(&text))).map_err(|error| error.to_string())
    }
}
