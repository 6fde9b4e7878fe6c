//! The folders that a verb reads, for the check for replacements that a killed run left incomplete.

use std::path::PathBuf;

use super::Verb;
use crate::args::LazyArgs;
use crate::documents;
use crate::files::interrupted;
use crate::report::Reporter;

/// Warns of an unfinished change by a killed run in the files that a verb reads. Verbs that write complete or undo it
/// instead.
pub(crate) fn warn(verb: &mut Verb, reporter: &Reporter) {
    let folders = folders(verb).into_iter().filter_map(|folder| {
        // A folder that does not exist has no files; the verb reports that.
        let folder = hieratic::sandbox::real_path(&folder).ok()?;
        Some(hieratic::layers::repository_of(&folder).unwrap_or(folder))
    });
    let folders: Vec<PathBuf> = folders.collect();
    if !folders.is_empty() {
        interrupted::warn(&folders, reporter);
    }
}

fn folders(verb: &mut Verb) -> Vec<PathBuf> {
    let or_here = |folder: &Option<PathBuf>| vec![folder.clone().unwrap_or_else(|| PathBuf::from("."))];
    let of_files = |files: &[PathBuf]| files.iter().map(|file| documents::around(file)).collect();
    match verb {
        // These write.
        Verb::Refactor(_) | Verb::Types(_) => Vec::new(),
        Verb::Serve(LazyArgs(serve)) => or_here(&serve.environment_dir),
        Verb::Check(LazyArgs(check)) if check.paths.is_empty() => or_here(&check.environment_dir),
        Verb::Check(LazyArgs(check)) => of_files(&check.paths),
        Verb::Job(LazyArgs(job)) => of_files(&job.files),
        Verb::Expand(LazyArgs(expand)) => of_files(std::slice::from_ref(&expand.file)),
        verb => match verb.place() {
            // A revision is read from the objects of git, which no run replaces.
            Some(place) if place.revision.is_none() => or_here(&place.environment_dir),
            // The others write, read one file that is replaced as a whole, or read nothing of a repository. Editors name their folders later.
            Some(_) | None => Vec::new(),
        },
    }
}
