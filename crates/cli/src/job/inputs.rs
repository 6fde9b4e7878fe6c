//! The job files in the arguments, and those in folders in the arguments.

use std::path::{Path, PathBuf};

use hieratic::hcl_eval::File;
use hieratic::sandbox::{DirEntry, FileKind, Files, Mounted};

use super::JobArguments;
use crate::files;

/// Returns the named files in order; a folder is replaced by the jobs below it, sorted by name. Hidden files are
/// skipped.
pub(super) fn jobs(named: &[PathBuf], arguments: &JobArguments) -> Vec<PathBuf> {
    let commit = arguments.revision.commit.as_ref();
    let of = |path: &PathBuf| {
        if path.as_os_str() == "-" || !Mounted::over(commit, Files::of_user()).is_folder(path) {
            return vec![path.clone()];
        }
        let readable = Mounted::over(commit, arguments.permissions_in(path).files_below(path));
        let is_selected = |entry: &DirEntry, path: &Path| {
            !entry.name.starts_with('.') && (entry.kind == FileKind::Folder || is_job(&entry.name, path, &readable))
        };
        files::below(path, &readable, files::MAX_DEPTH, &is_selected)
    };
    named.iter().flat_map(of).collect()
}

/// Returns whether a file is a job: by its name, or as HCL with a `job` block.
fn is_job(name: &str, path: &Path, files: &Files) -> bool {
    /// Extensions that only jobs have.
    const OF_JOBS: [&str; 6] = [".nomad", ".nomad.hcl", ".nomad.json", ".nomad2", ".nomadjob", ".jobspec"];
    if OF_JOBS.iter().any(|ending| name.ends_with(ending)) {
        return true;
    }
    let has_job = |text: Vec<u8>| {
        let file = File::native(name, text);
        let body = file.body();
        body.as_native().is_some_and(|(_, body)| body.blocks.iter().any(|block| &*block.kind == "job"))
    };
    (name.ends_with(".hcl") || name.ends_with(".job")) && files.read(path).is_ok_and(has_job)
}
