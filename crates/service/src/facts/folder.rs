//! Facts in files.

use std::path::Path;

use axum::http::StatusCode;
use hieratic::powers::Files;
use hieratic::{Facts, Looks};

use super::Found;
use crate::problem::Problem;

/// How the files may end, the first that is there wins.
const ENDINGS: [&str; 3] = ["json", "yaml", "yml"];

pub(super) fn facts(folder: &Path, node: &str, looks: &Looks) -> Result<Found, Problem> {
    for ending in ENDINGS {
        let path = folder.join(format!("{node}.{ending}"));
        looks.look(&path);
        if !path.is_file() {
            continue;
        }
        let hash = Facts::load(&path, &Files::below([folder]))
            .map_err(|error| Problem::of_error(StatusCode::INTERNAL_SERVER_ERROR, &error))?;
        let bytes = std::fs::metadata(&path).map_or(0, |data| data.len());
        return Ok(Found { facts: Facts::new(Some(node), hash), expires: None, bytes });
    }
    let detail = format!("no facts are stored for the node '{node}'");
    Err(Problem::not_found(detail).help(format!("put them into {node}.json or {node}.yaml, or send `facts` along")))
}

pub(super) fn names(folder: &Path) -> Result<Vec<String>, Problem> {
    let entries = std::fs::read_dir(folder).map_err(|error| {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, format!("the folder of facts cannot be read: {error}"))
    })?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            let (node, ending) = name.rsplit_once('.')?;
            (ENDINGS.contains(&ending) && super::check_name(node).is_ok()).then(|| node.to_string())
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    Ok(names)
}
