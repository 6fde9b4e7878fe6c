//! The nodes that files of facts describe.

use std::fmt;
use std::path::{Path, PathBuf};

use hieratic::{Facts, Hash, Value};

/// Why the nodes are not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodesFault {
    /// What is wrong.
    pub message: String,
    /// What to try.
    pub help: String,
}

impl fmt::Display for NodesFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for NodesFault {}

/// The nodes of files and folders of facts, each file being one node; a folder holds a file for each. With `names`, only
/// the nodes of these names, and for a name without facts a node of which only the name is known.
///
/// # Errors
///
/// A file that cannot be read as facts.
pub fn nodes_of(paths: &[PathBuf], names: &[String]) -> Result<Vec<Facts>, NodesFault> {
    let mut nodes = Vec::new();
    for path in paths {
        for file in files(path)? {
            let facts = Facts::load(&file).map_err(|error| NodesFault {
                message: error.to_string(),
                help: error.help_text().unwrap_or("name a JSON or YAML file of facts, or a folder of them").to_owned(),
            })?;
            nodes.push(Facts::new(Some(&name_of(&facts, &file)), facts));
        }
    }
    if names.is_empty() {
        return Ok(nodes);
    }
    let known = |name: &String| nodes.iter().find(|facts| facts.node() == Some(name)).cloned();
    Ok(names.iter().map(|name| known(name).unwrap_or_else(|| Facts::named(name))).collect())
}

/// The files of facts behind a path.
fn files(path: &Path) -> Result<Vec<PathBuf>, NodesFault> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).map_err(|error| NodesFault {
        message: format!("{} cannot be read: {error}", path.display()),
        help: "name a folder with one JSON or YAML file of facts for each node".into(),
    })?;
    let is_facts = |path: &PathBuf| {
        path.is_file()
            && path.extension().is_some_and(|extension| ["json", "yaml", "yml"].iter().any(|e| extension == *e))
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_facts).collect();
    files.sort();
    Ok(files)
}

/// What a node is called: by what its facts say of its certificate or name, or by its file.
fn name_of(facts: &Hash, file: &Path) -> String {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(String::from);
    let networking = facts.get("networking").and_then(Value::as_hash);
    text(facts.get("clientcert"))
        .or_else(|| text(networking.and_then(|networking| networking.get("fqdn"))))
        .or_else(|| text(facts.get("fqdn")))
        .unwrap_or_else(|| file.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned()))
}
