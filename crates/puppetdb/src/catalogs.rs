//! A [`Database`] for catalogs: exported resources, and the answers to queries.

use std::time::Duration;

use hieratic::{Database, Error, Value};

use crate::client::{Client, escaped};

/// The timeout of a query about many nodes.
const TIMEOUT: Duration = Duration::from_secs(120);
/// The maximum size of its response, in bytes.
const LARGEST: u64 = 256 << 20;

impl Client {
    /// The answer to a query at a path.
    fn answer(&self, path: &str) -> Result<Value, Error> {
        let found = self.read(path, TIMEOUT, LARGEST)?;
        let bytes = found.ok_or_else(|| self.odd(&format!("it has no {}", path.split('?').next().unwrap_or(path))))?;
        hieratic::json::parse(&bytes).map_err(|error| self.odd(&error.to_string()))
    }
}

impl Database for Client {
    fn exported(&self, kind: &str) -> Result<Value, String> {
        // The reference sends the same query, but for all types with exported resources.
        let query = serde_json::json!(["and", ["=", "type", kind], ["=", "exported", true]]).to_string();
        let order = r#"[{"field":"certname"},{"field":"title"}]"#;
        let path = format!("/pdb/query/v4/resources?query={}&order_by={}", escaped(&query), escaped(order));
        self.answer(&path).map_err(|error| error.to_string())
    }

    fn query(&self, query: &Value) -> Result<Value, String> {
        let text = match query {
            Value::String(text) => text.to_string(),
            other => hieratic_render::json(other).map_err(|error| error.to_string())?,
        };
        self.answer(&format!("/pdb/query/v4?query={}", escaped(&text))).map_err(|error| error.to_string())
    }
}
