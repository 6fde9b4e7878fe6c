//! [`facts_of`]: the facts of a node from an object, in any of the supported forms.

use hieratic::facts::node_of_facts;
use hieratic::{Facts, Hash, Value};

/// Reads the facts of a node: `{"name": "web01", "values": {...}}` as Puppet writes them, `{"certname": ..., "facts":
/// {...}}` as PuppetDB does, or only the facts, one of which contains the name.
///
/// # Errors
/// The name of the node is missing, or its facts are not an object.
pub fn facts_of(object: &Hash) -> Result<Facts, String> {
    let name = |keys: &[&str]| keys.iter().find_map(|key| object.get(key)?.as_str().map(str::to_owned));
    let inner = ["values", "facts"].iter().find_map(|key| object.get(key)?.as_hash().cloned());
    let outer = name(&["name", "certname"]);
    let (node, facts) = match (outer, inner) {
        (Some(name), Some(facts)) => (Some(name), facts),
        // No fact can have this name.
        (Some(name), None) if object.contains("facts") => {
            return Err(format!("the facts of {name} are not an object"));
        }
        _ => (name(&["clientcert", "certname"]).or_else(|| node_of_facts(object)), object.clone()),
    };
    match node {
        Some(name) if name.is_empty() => Err("the name of the node is empty".to_owned()),
        Some(name) => Ok(Facts::new(Some(&name), facts)),
        None => {
            Err(match ["certname", "clientcert"].iter().find(|key| object.get(key).is_some_and(|is| !is.is_undef())) {
                Some(key) => format!("{key}, the name of the node, is not a string"),
                None => "no fact names the node: set certname, clientcert, networking.fqdn or fqdn".to_owned(),
            })
        }
    }
}

/// The facts on a line, as [`facts_of`] reads them.
pub(crate) fn facts_of_line(text: &[u8]) -> Result<Facts, String> {
    let Value::Hash(object) = json_of(text, "the line")? else {
        return Err("expected a JSON object with the facts of a node".to_owned());
    };
    facts_of(&object)
}

/// Parses JSON. Errors name `subject`, where the reference's message would only quote the input.
pub(crate) fn json_of(text: &[u8], subject: &str) -> Result<Value, String> {
    hieratic::json::parse(text).map_err(|error| {
        let message = error.to_string();
        match serde_json::from_slice::<serde_json::Value>(text) {
            // The program that wrote the file was interrupted.
            Err(known) if known.is_eof() => {
                format!("{subject} ends in the middle of a value: the file is half-written")
            }
            Err(known) if message.contains("unexpected token") => format!("{subject} is not JSON: {known}"),
            _ => message,
        }
    })
}
