//! The revisions that the flags of a verb name.

use std::path::{Path, PathBuf};

use hieratic::Error;
use hieratic::powers::Mounted;

use super::Verb;
use crate::args::Later;
use crate::documents;
use crate::revision::named_are_inside;

/// The revision that a verb reads, once it is opened.
pub(crate) fn opened(verb: &mut Verb) -> Option<Mounted> {
    match verb {
        Verb::Check(Later(arguments)) => arguments.revision.commit.clone(),
        Verb::Expand(Later(arguments)) => arguments.revision.commit.clone(),
        Verb::Job(Later(arguments)) => arguments.revision.commit.clone(),
        _ => verb.place()?.revision.clone(),
    }
}

/// Opens the revisions that the flags of a verb name.
pub(crate) fn open(verb: &mut Verb) -> Result<(), Error> {
    match verb {
        Verb::Lookup(Later(arguments)) => {
            arguments.revision.of_environment(&mut arguments.place, arguments.limits.limits())
        }
        Verb::Query(Later(arguments)) => {
            arguments.revision.of_environment(&mut arguments.place, arguments.limits.limits())
        }
        Verb::Compare(Later(arguments)) => {
            arguments.revision.of_environment(&mut arguments.place, arguments.limits.limits())
        }
        Verb::Catalog(Later(arguments)) => {
            arguments.revision.of_environment(&mut arguments.place, arguments.code_may.limits())
        }
        Verb::Eval(Later(arguments)) => {
            let named: Vec<PathBuf> = arguments.file.iter().cloned().collect();
            arguments.revision.of_environment(&mut arguments.place, arguments.code_may.limits())?;
            named_are_inside(&named, arguments.place.revision.as_ref())
        }
        Verb::Render(Later(arguments)) => {
            arguments.revision.of_environment(&mut arguments.place, arguments.code_may.limits())?;
            named_are_inside(arguments.template.as_slice(), arguments.place.revision.as_ref())
        }
        Verb::Check(Later(arguments)) => {
            let outside = crate::check::permissions(arguments).outside;
            arguments.revision.of_files(&arguments.paths, |_| outside, arguments.limits.limits())
        }
        Verb::Expand(Later(arguments)) => {
            let outside = |folder: &Path| documents::permissions(folder, arguments.document.access).outside;
            let files = std::slice::from_ref(&arguments.file);
            arguments.revision.of_files(files, outside, arguments.limits.limits())
        }
        Verb::Job(Later(arguments)) => {
            let asked = arguments.permissions;
            let outside = |folder: &Path| asked.granted(true, folder).outside;
            arguments.revision.of_files(&arguments.files, outside, arguments.limits.limits())
        }
        _ => Ok(()),
    }
}
