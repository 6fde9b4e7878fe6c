//! The repositories that documents declare: the folders and addresses of included files.

use hieratic_value::collections::HashMap;
use hieratic_yaml_edit::tree::Node;

/// The paths at which a document, or an included part of one, declares repositories.
const PLACES: [&[&str]; 3] =
    [&["environment", "repositories"], &["spec", "service_template", "repositories"], &["repositories"]];

/// The address of each repository by its name. The main document wins over files, and earlier files over later ones.
#[derive(Default)]
pub(crate) struct Repositories {
    addresses: HashMap<String, String>,
}

impl Repositories {
    /// Adds the declarations of a document or an included file.
    pub(crate) fn add(&mut self, root: &Node) {
        for place in PLACES {
            let declared = place.iter().try_fold(root, |node, key| Some(node.as_map()?.get(key)?.node()));
            for entry in declared.and_then(Node::as_map).into_iter().flat_map(|map| map.entries()) {
                let address = entry.node().as_map().and_then(|map| map.get("url")).and_then(|url| url.node().as_str());
                if let (Some(name), Some(address)) = (entry.name(), address)
                    && !self.addresses.contains_key(name)
                {
                    self.addresses.insert(name.to_owned(), address.to_owned());
                }
            }
        }
    }

    /// The address of a repository.
    pub(crate) fn address(&self, name: &str) -> Option<&str> {
        self.addresses.get(name).map(String::as_str)
    }

    /// Returns the number of repositories, which grows with each new one.
    pub(crate) fn len(&self) -> usize {
        self.addresses.len()
    }
}
