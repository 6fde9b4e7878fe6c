//! The access of the selected verb.

use hieratic::lookup::SkippedLevels;
use hieratic::sandbox::RefusedPaths;

use super::Verb;
use crate::access::Access;

/// Sets the access of a verb, and returns the records of refused paths and of skipped levels.
pub(crate) fn grant(verb: &mut Verb) -> (RefusedPaths, SkippedLevels) {
    let access = Access::for_verb(row(verb));
    match verb {
        Verb::Job(job) => return (job.refused.clone(), job.skipped_levels.clone()),
        // A comparison lists refused files in its answer.
        Verb::Diff(diff) => {
            diff.place.access = access;
            return (RefusedPaths::default(), diff.place.skipped_levels.clone());
        }
        _ => {}
    }
    let Some(place) = verb.place() else { return Default::default() };
    place.access = access;
    (place.refused.clone(), place.skipped_levels.clone())
}

/// The name of the row of a verb in the table of access.
fn row(verb: &Verb) -> &'static str {
    match verb {
        Verb::Catalog(arguments) if arguments.all => "catalog --all",
        Verb::Lookup(_) => "lookup",
        Verb::Query(_) => "query",
        Verb::Compare(_) => "compare",
        Verb::Enc(_) => "enc",
        Verb::External(_) => "external",
        Verb::Diff(_) => "diff",
        Verb::History(_) => "history",
        Verb::Affected(_) => "affected",
        Verb::Eval(_) => "eval",
        Verb::Catalog(_) => "catalog",
        Verb::Parse(_) => "parse",
        Verb::Check(_) => "check",
        Verb::Refactor(_) => "refactor",
        Verb::Schema(_) => "schema",
        Verb::Types(_) => "types",
        Verb::Explain(_) => "explain",
        Verb::Expand(_) => "expand",
        Verb::Restore(_) => "restore",
        Verb::Render(_) => "render",
        Verb::Job(_) => "job",
        Verb::Pack(_) => "pack",
        Verb::Fmt(_) => "fmt",
        Verb::Lsp(_) => "lsp",
        Verb::Serve(_) => "serve",
        Verb::Repl(_) => "repl",
        Verb::Trust(_) => "trust",
        Verb::Secret(_) => "secret",
        Verb::Config(_) => "config",
        Verb::Completions { .. } => "completions",
        Verb::Man { .. } => "man",
        Verb::Init(_) => "init",
        Verb::Doctor(_) => "doctor",
        Verb::Version(_) => "version",
    }
}
