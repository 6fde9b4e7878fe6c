//! Facts in files: a folder with a file for each node, or a single file.

use std::path::Path;

use axum::http::StatusCode;
use hieratic::dependencies::AccessLog;
use hieratic::facts::{FactsFolder, node_of_file};
use hieratic::sandbox::Files;
use hieratic::{Error, Facts, Permissions};

use super::NodeFacts;
use crate::problem::Problem;

/// Returns the folder of facts at a path from the options.
pub(super) fn open(folder: &Path) -> FactsFolder {
    FactsFolder::new(folder, &Permissions::default())
}

pub(super) fn facts(folder: &FactsFolder, node: &str, accesses: &AccessLog) -> Result<NodeFacts, Problem> {
    for path in folder.places(node) {
        accesses.look(&path);
    }
    let file = folder
        .file(node)
        .ok_or_else(|| unknown(node, format!("write them to {node}.json or {node}.yaml, or send `facts`")))?;
    Ok(with_size(Facts::new(Some(node), folder.read(&file).map_err(broken)?), &file))
}

pub(super) fn names(folder: &FactsFolder) -> Result<Vec<String>, Problem> {
    folder.names().map_err(|error| {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, format!("the folder of facts cannot be read: {error}"))
    })
}

/// The facts of the one node that a file describes.
pub(super) fn only(file: &Path, node: &str, accesses: &AccessLog) -> Result<NodeFacts, Problem> {
    accesses.look(file);
    let facts = read_facts(file)?;
    if facts.node() == Some(node) { Ok(with_size(facts, file)) } else { Err(unknown(node, "send `facts`".into())) }
}

/// The name of the one node that a file describes.
pub(super) fn only_name(file: &Path) -> Result<Vec<String>, Problem> {
    Ok(read_facts(file)?.node().map(String::from).into_iter().collect())
}

fn read_facts(file: &Path) -> Result<Facts, Problem> {
    node_of_file(file, &Files::below(file.parent())).map_err(broken)
}

pub(super) fn broken(error: Error) -> Problem {
    Problem::of_error(StatusCode::INTERNAL_SERVER_ERROR, &error)
}

pub(super) fn unknown(node: &str, help: String) -> Problem {
    Problem::not_found(format!("no facts are stored for the node '{node}'")).help(help)
}

fn with_size(facts: Facts, file: &Path) -> NodeFacts {
    let bytes = std::fs::metadata(file).map_or(0, |data| data.len());
    NodeFacts { facts, expires: None, bytes }
}
