//! Names of maps and lists: YAML anchors, and those of `+&`.

use hieratic_value::collections::HashMap;
use hieratic_yaml_edit::tree::{Content, Map, Node};

use crate::PlusKey;

/// The nodes of names. The last definition of a name wins; those of included files come after those before the include.
#[derive(Default)]
pub(super) struct Anchors {
    names: HashMap<String, Node>,
    version: usize,
}

impl Anchors {
    /// Adds all names of a document or of the part of it that was included.
    pub(super) fn add(&mut self, root: &Node) {
        let mut given: Vec<(String, Node)> = Vec::new();
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if !node.has_anchors() && !node.has_plus_keys() {
                continue;
            }
            if let Some(name) = node.anchor()
                && node.as_scalar().is_none()
            {
                self.set(name, node);
            }
            match node.content() {
                Content::Scalar(_) => {}
                Content::List(items) => open.extend(items.iter().rev().map(|item| item.node())),
                Content::Map(map) => {
                    if let Some(name) = map.get("+&").and_then(|item| item.node().as_str()) {
                        given.push((name.to_owned(), own_keys(node, map)));
                    }
                    open.extend(map.entries().iter().rev().map(|entry| entry.node()));
                }
            }
        }
        for (name, node) in given {
            self.set(&name, &node);
        }
    }

    fn set(&mut self, name: &str, node: &Node) {
        self.names.insert(name.to_owned(), node.clone());
        self.version += 1;
    }

    pub(super) fn get(&self, name: &str) -> Option<&Node> {
        self.names.get(name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// Changes whenever a name is added.
    pub(super) fn version(&self) -> usize {
        self.version
    }
}

/// Returns the node that `+&` names: the own keys of its map, without those that its directives bring in.
fn own_keys(node: &Node, map: &Map) -> Node {
    let is_own = |name: &str| matches!(PlusKey::parse(name), Ok(PlusKey::Plain | PlusKey::Strategy));
    let own = map.entries().iter().filter(|entry| entry.name().is_none_or(is_own));
    node.with_content(Content::Map(Map::new(own.cloned().collect())))
}
