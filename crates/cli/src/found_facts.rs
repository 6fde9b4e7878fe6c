//! [`FoundFacts`]: facts of nodes in one of the usual folders of a repository, which no flag and no setting names.

use std::path::{Path, PathBuf};

use hieratic::facts::FactsFolder;
use hieratic::{Error, Permissions};

/// The folders that can have facts.
const FOLDERS: [&str; 6] = ["facts", "nodes", "node_facts", "factsets", "spec/facts", "spec/factsets"];

/// A folder with facts of nodes.
pub(crate) struct FoundFacts {
    /// The folder, from the root of the repository.
    pub(crate) name: &'static str,
    /// The folder.
    pub(crate) folder: PathBuf,
    /// The number of files of nodes.
    pub(crate) nodes: usize,
}

impl FoundFacts {
    /// Looks for the first of the usual folders that has facts.
    pub(crate) fn below(root: &Path) -> Option<FoundFacts> {
        FOLDERS.iter().find_map(|name| {
            let folder = root.join(name);
            let nodes = count_nodes(&folder).filter(|nodes| *nodes > 0)?;
            Some(FoundFacts { name, folder, nodes })
        })
    }
}

/// Returns the number of nodes of a folder; `None` if it has files of something else, or none that can be read. It is not
/// proposed then, and a flag that names it reports the reason.
fn count_nodes(folder: &Path) -> Option<usize> {
    if !folder.is_dir() {
        return None;
    }
    let facts = FactsFolder::new(folder, &Permissions::default());
    let names = facts.names().ok()?;
    let file = facts.file(names.first()?)?;
    let first: Result<_, Error> = facts.read(&file);
    // Data of nodes has names with colons, which no fact has.
    let is_data = first.ok()?.iter().any(|(name, _)| name.to_text().contains("::"));
    (!is_data).then_some(names.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_told_from_data() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        assert!(FoundFacts::below(root.path()).is_none());
        write("facts/README.md", "none");
        write("nodes/web01.yaml", "profile::port: 1\n");
        assert!(FoundFacts::below(root.path()).is_none());
        write("spec/facts/web01.json", "{\"role\": \"web\"}");
        write("spec/facts/web02.yaml", "role: web\n");
        let found = FoundFacts::below(root.path()).unwrap();
        assert_eq!((found.name, found.nodes), ("spec/facts", 2));
        assert_eq!(found.folder, root.path().join("spec/facts"));
    }
}
