//! The revisions in the flags of a verb.

use std::path::{Path, PathBuf};

use hieratic::Error;
use hieratic::sandbox::Mounted;

use super::Verb;
use crate::args::LazyArgs;
use crate::documents;
use crate::revision::named_are_inside;

/// The revision that a verb reads, once it is opened.
pub(crate) fn opened(verb: &mut Verb) -> Option<Mounted> {
    match verb {
        Verb::Check(LazyArgs(arguments)) => arguments.revision.commit.clone(),
        Verb::Expand(LazyArgs(arguments)) => arguments.revision.commit.clone(),
        Verb::Job(LazyArgs(arguments)) => arguments.revision.commit.clone(),
        _ => verb.place()?.revision.clone(),
    }
}

/// Opens the revisions that the flags of a verb name.
pub(crate) fn open(verb: &mut Verb) -> Result<(), Error> {
    match verb {
        Verb::Lookup(LazyArgs(arguments)) => {
            arguments.revision.of_environment(&mut arguments.place, arguments.limits.limits())
        }
        Verb::Query(LazyArgs(arguments)) => {
            arguments.revision.of_environment(&mut arguments.place, arguments.limits.limits())
        }
        Verb::Compare(LazyArgs(arguments)) => {
            arguments.revision.of_environment(&mut arguments.place, arguments.limits.limits())
        }
        Verb::Enc(LazyArgs(arguments)) => {
            arguments.revision.of_environment(&mut arguments.place, arguments.limits.limits())
        }
        Verb::External(LazyArgs(arguments)) => {
            arguments.revision.of_environment(&mut arguments.place, arguments.limits.limits())
        }
        Verb::Catalog(LazyArgs(arguments)) => {
            arguments.revision.of_environment(&mut arguments.place, arguments.code_may.limits())
        }
        Verb::Eval(LazyArgs(arguments)) => {
            let named: Vec<PathBuf> = arguments.file.iter().cloned().collect();
            arguments.revision.of_environment(&mut arguments.place, arguments.code_may.limits())?;
            named_are_inside(&named, arguments.place.revision.as_ref())
        }
        Verb::Render(LazyArgs(arguments)) => {
            arguments.revision.of_environment(&mut arguments.place, arguments.code_may.limits())?;
            named_are_inside(arguments.template.as_slice(), arguments.place.revision.as_ref())
        }
        Verb::Check(LazyArgs(arguments)) => {
            let outside = crate::check::permissions(arguments).outside;
            arguments.revision.of_files(&arguments.paths, |_| outside, arguments.limits.limits())
        }
        Verb::Expand(LazyArgs(arguments)) => {
            let outside = |folder: &Path| documents::permissions(folder, arguments.document.access).outside;
            let files = std::slice::from_ref(&arguments.file);
            arguments.revision.of_files(files, outside, arguments.limits.limits())
        }
        Verb::Job(LazyArgs(arguments)) => {
            let requested = arguments.permissions;
            let outside = |folder: &Path| requested.granted(true, folder).outside;
            arguments.revision.of_files(&arguments.files, outside, arguments.limits.limits())
        }
        _ => Ok(()),
    }
}
