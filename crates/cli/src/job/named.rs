//! The job files that were named, and those in folders that were.

use std::path::{Path, PathBuf};

use hieratic::Permissions;
use hieratic::hcl_language::File;
use hieratic::powers::{Files, Kind};

use crate::args::PermissionArguments;
use crate::trust;

/// How deep folders may lie in each other.
const DEEPEST: usize = 64;

/// The files: those that were named in their order, and in place of a folder the jobs below it by their names.
pub(super) fn jobs(named: &[PathBuf], asked: PermissionArguments) -> Vec<PathBuf> {
    let mut jobs = Vec::new();
    for path in named {
        if path.as_os_str() != "-" && path.is_dir() {
            let permissions: Permissions = trust::permissions(asked, Some(path));
            below(path, &permissions.files_below(path), DEEPEST, &mut jobs);
        } else {
            jobs.push(path.clone());
        }
    }
    jobs
}

/// Adds the jobs below a folder. Links are not followed, and what has a dot in front of its name is not looked at.
fn below(folder: &Path, files: &Files, depth: usize, jobs: &mut Vec<PathBuf>) {
    for entry in files.list(folder).unwrap_or_default() {
        let path = folder.join(&entry.name);
        match entry.kind {
            _ if entry.name.starts_with('.') => {}
            Kind::Folder if depth > 0 => below(&path, files, depth - 1, jobs),
            Kind::File if is_job(&entry.name, &path, files) => jobs.push(path),
            _ => {}
        }
    }
}

/// Whether a file is a job: by its name, or as HCL with a `job` block in it.
fn is_job(name: &str, path: &Path, files: &Files) -> bool {
    if name.ends_with(".nomad") || name.ends_with(".nomad.hcl") || name.ends_with(".nomad.json") {
        return true;
    }
    let has_job = |text: Vec<u8>| {
        let file = File::native(name, text);
        let body = file.body();
        body.as_native().is_some_and(|(_, body)| body.blocks.iter().any(|block| &*block.kind == "job"))
    };
    name.ends_with(".hcl") && files.read(path).is_ok_and(has_job)
}
