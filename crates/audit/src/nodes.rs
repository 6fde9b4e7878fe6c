//! The nodes that files of facts describe.

use std::fmt;
use std::path::{Path, PathBuf};

use hieratic::powers::{Files, Kind};
use hieratic::{Facts, Hash, Permissions, Value};

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
pub fn nodes_of(paths: &[PathBuf], names: &[String], permissions: &Permissions) -> Result<Vec<Facts>, NodesFault> {
    let mut nodes = Vec::new();
    for path in paths {
        let (found, readable) = files(path, permissions)?;
        for file in found {
            let facts = Facts::load(&file, &readable).map_err(|error| NodesFault {
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

/// The files of facts behind a path, and what of them may be read.
fn files(path: &Path, permissions: &Permissions) -> Result<(Vec<PathBuf>, Files), NodesFault> {
    let named = permissions.files_named(path);
    if !named.is_folder(path) {
        return Ok((vec![path.to_owned()], named));
    }
    let readable = permissions.files_below(path);
    let entries = readable.list(path).map_err(|error| NodesFault {
        message: format!("{} cannot be read: {error}", path.display()),
        help: "name a folder with one JSON or YAML file of facts for each node".into(),
    })?;
    let is_facts = |path: &PathBuf| {
        readable.is_named(path)
            && path.extension().is_some_and(|extension| ["json", "yaml", "yml"].iter().any(|e| extension == *e))
    };
    let files =
        entries.iter().filter(|entry| entry.kind != Kind::Folder).map(|entry| path.join(&entry.name)).filter(is_facts);
    Ok((files.collect(), readable))
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
