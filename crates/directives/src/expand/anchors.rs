//! Names of maps and lists: YAML anchors, and those that `+&` gives.

use hieratic_document::tree::{Content, Node};
use rustc_hash::FxHashMap;

/// What each name stands for. The last one of a name wins, files that are included later over those before.
#[derive(Default)]
pub(super) struct Anchors {
    names: FxHashMap<String, Node>,
    version: usize,
}

impl Anchors {
    /// Adds all names of a document or of the part of it that was included.
    pub(super) fn add(&mut self, root: &Node) {
        let mut given: Vec<(String, Node)> = Vec::new();
        let mut open = vec![root];
        while let Some(node) = open.pop() {
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
                        given.push((name.to_owned(), node.clone()));
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
