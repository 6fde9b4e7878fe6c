//! [`Client::fleet`]: all nodes with their facts, in one query.

use std::fmt;
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

use hieratic::value::ErasedSort as _;
use hieratic::{Error, Facts};
use serde::Deserializer as _;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;

use crate::client::Client;

/// The timeout of a query for a whole fleet.
const TIMEOUT: Duration = Duration::from_secs(600);
/// The maximum size of its response in bytes: 100,000 nodes with 40 KiB of facts each.
const MAX_BYTES: u64 = 4 << 30;
/// The maximum number of nodes.
const MAX_NODES: usize = 1_000_000;

impl Client {
    /// Returns all active nodes with their facts, sorted by name. The response is parsed node by node.
    ///
    /// It is one query for the [inventory](https://www.puppet.com/docs/puppetdb/8/api/query/v4/inventory.html); its
    /// trusted facts are derived from the name and the facts, as for nodes from files.
    ///
    /// # Errors
    /// PuppetDB does not respond, or the response is invalid or too large.
    pub fn fleet(&self) -> Result<Vec<Facts>, Error> {
        let mut nodes = self.inventory("/pdb/query/v4/inventory", TIMEOUT, MAX_BYTES)?;
        nodes.sort_erased_by(|one, other| one.node().cmp(&other.node()));
        nodes.dedup_by(|one, other| one.node() == other.node());
        Ok(nodes)
    }

    /// The nodes of an inventory, as PuppetDB sorts them.
    pub(crate) fn inventory(&self, path: &str, time: Duration, largest: u64) -> Result<Vec<Facts>, Error> {
        let Some(reader) = self.stream(path, time, largest)? else {
            return Err(
                self.unexpected_response("it has no /pdb/query/v4/inventory: is this the URL of PuppetDB itself?")
            );
        };
        let mut deserializer = serde_json::Deserializer::from_reader(BufReader::with_capacity(1 << 16, reader));
        let nodes = deserializer.deserialize_seq(InventoryVisitor).and_then(|nodes| deserializer.end().map(|()| nodes));
        nodes.map_err(|error| self.unexpected_response(&error.to_string()))
    }
}

struct InventoryVisitor;

impl<'de> Visitor<'de> for InventoryVisitor {
    type Value = Vec<Facts>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Vec<Facts>, A::Error> {
        let mut nodes = Vec::new();
        while let Some(facts) = sequence.next_element_seed(InventoryNode)? {
            if nodes.len() == MAX_NODES {
                return Err(A::Error::custom(format!("it has more than {MAX_NODES} nodes")));
            }
            nodes.push(facts);
        }
        Ok(nodes)
    }
}

/// A node of the inventory: `{"certname": ..., "facts": {...}, ...}`.
struct InventoryNode;

impl<'de> DeserializeSeed<'de> for InventoryNode {
    type Value = Facts;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Facts, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for InventoryNode {
    type Value = Facts;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a node with a certname and facts")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Facts, A::Error> {
        let (mut name, mut facts) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "certname" => name = Some(map.next_value::<String>()?),
                "facts" => facts = Some(map.next_value::<serde_json::Map<String, Json>>()?),
                _ => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        let name = name.ok_or_else(|| A::Error::missing_field("certname"))?;
        let facts = Json::Object(facts.ok_or_else(|| A::Error::missing_field("facts"))?).to_string();
        let facts = Facts::read(facts.as_bytes(), Path::new("PuppetDB.json"));
        Ok(Facts::new(Some(&name), facts.map_err(|error| A::Error::custom(format!("{name}: {error}")))?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Facts>, String> {
        serde_json::Deserializer::from_str(text).deserialize_seq(InventoryVisitor).map_err(|error| error.to_string())
    }

    #[test]
    fn an_inventory_is_read_node_by_node() {
        let nodes = read(
            r#"[{"certname": "b", "timestamp": null, "environment": "x", "facts": {"role": "web", "n": 1.50}, "trusted": {}},
                {"facts": {}, "certname": "a"}]"#,
        )
        .unwrap();
        assert_eq!(nodes.iter().map(|facts| facts.node().unwrap()).collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!(nodes[0].facts().get("role").and_then(hieratic::Value::as_str), Some("web"));
    }

    #[test]
    fn malformed_inventories_are_refused() {
        assert!(read(r#"[{"certname": "b"}]"#).unwrap_err().contains("missing field `facts`"));
        assert!(read(r#"[{"facts": {}}]"#).unwrap_err().contains("missing field `certname`"));
        assert!(read(r#"{"error": "x"}"#).unwrap_err().contains("expected a list of nodes"));
        assert!(read(r#"[{"certname": "b", "facts": {"#).unwrap_err().contains("EOF"));
    }
}
