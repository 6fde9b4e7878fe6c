//! What may have been meant when a key is not found.

use hieratic_hiera::{Key, Node};

/// What may have been meant, and where was looked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nearest {
    /// The keys whose spelling is nearest, the best first.
    pub keys: Vec<String>,
    /// The sources that were tried, in order, and whether each is there.
    pub places: Vec<(String, bool)>,
}

/// How many keys to suggest.
const SUGGESTIONS: usize = 3;

/// What may have been meant by a key that is not found.
pub fn nearest_keys(node: &Node, name: &str) -> Nearest {
    let key = Key::parse(name).ok();
    let root = key.as_ref().map_or(name, |key| key.root());
    let keys = node.keys().unwrap_or_default();
    let names: Vec<&str> = keys.iter().map(|key| &**key).filter(|key| *key != root).collect();
    let mut nearest: Vec<String> = hieratic_diagnostics::nearest_many(root, names.iter().copied())
        .into_iter()
        .take(SUGGESTIONS)
        .map(String::from)
        .collect();
    if nearest.is_empty() {
        // The last part of a qualified name is what people remember.
        let last = |name: &str| name.rsplit("::").next().map(String::from);
        nearest = names
            .iter()
            .filter(|name| last(name) == last(root))
            .take(SUGGESTIONS)
            .map(|name| name.to_string())
            .collect();
    }
    let places = node.places(key.as_ref().and_then(Key::module)).unwrap_or_default();
    Nearest { keys: nearest, places }
}
