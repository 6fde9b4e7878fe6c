//! The folders that a verb reads, and whether a killed run has left half of a change there.

use std::path::{Path, PathBuf};

use super::Verb;
use crate::args::{Later, PlaceArguments};
use crate::documents;
use crate::files::unfinished;
use crate::report::Reporter;

/// Warns of a change that a killed run has left in what a verb reads. Verbs that write complete it or undo it instead.
pub(crate) fn warn(verb: &Verb, reporter: &Reporter) {
    let folders = folders(verb).into_iter().filter_map(|folder| {
        // A folder that is not there has no files; the verb says so.
        let folder = folder.canonicalize().ok()?;
        Some(hieratic::repository_of(&folder).unwrap_or(folder))
    });
    let folders: Vec<PathBuf> = folders.collect();
    if !folders.is_empty() {
        unfinished::warn(&folders, reporter);
    }
}

fn folders(verb: &Verb) -> Vec<PathBuf> {
    let or_here = |folder: &Option<PathBuf>| vec![folder.clone().unwrap_or_else(|| PathBuf::from("."))];
    // A revision is read from the objects of git, which no run replaces.
    let of_place = |place: &PlaceArguments| match place.revision {
        Some(_) => Vec::new(),
        None => or_here(&place.environment_dir),
    };
    let of_files = |files: &[PathBuf]| files.iter().map(|file| around(file)).collect();
    match verb {
        Verb::Lookup(Later(lookup)) => of_place(&lookup.place),
        Verb::Query(Later(query)) => of_place(&query.place),
        Verb::Eval(Later(eval)) => of_place(&eval.place),
        Verb::Catalog(Later(catalog)) => of_place(&catalog.place),
        Verb::Compare(Later(compare)) => of_place(&compare.place),
        Verb::Diff(Later(diff)) => of_place(&diff.place),
        Verb::History(Later(history)) => of_place(&history.place),
        Verb::Affected(Later(affected)) => of_place(&affected.place),
        Verb::Schema(Later(schema)) => of_place(&schema.place),
        Verb::Render(Later(render)) => of_place(&render.place),
        Verb::Repl(Later(repl)) => of_place(&repl.place),
        Verb::Serve(Later(serve)) => or_here(&serve.environment_dir),
        Verb::Check(Later(check)) if check.paths.is_empty() => or_here(&check.environment_dir),
        Verb::Check(Later(check)) => of_files(&check.paths),
        Verb::Job(Later(job)) => of_files(&job.files),
        Verb::Expand(Later(expand)) => of_files(std::slice::from_ref(&expand.file)),
        // These write, read one file that is replaced as a whole, or read nothing of a repository. Editors name their folders later.
        Verb::Refactor(_)
        | Verb::Types(_)
        | Verb::Restore(_)
        | Verb::Secret(_)
        | Verb::Fmt(_)
        | Verb::Parse(_)
        | Verb::Explain(_)
        | Verb::Lsp(_)
        | Verb::Trust(_)
        | Verb::Config(_)
        | Verb::Completions { .. }
        | Verb::Man { .. } => Vec::new(),
    }
}

/// The folder that a path names, or that its file is in.
fn around(path: &Path) -> PathBuf {
    if path.is_dir() { path.to_owned() } else { documents::folder(path).to_owned() }
}
