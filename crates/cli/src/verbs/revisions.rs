//! The revisions that the flags of a verb name.

use std::path::PathBuf;

use hieratic::Error;

use super::Verb;
use crate::args::Later;
use crate::revision::named_are_inside;

/// Opens the revisions that the flags of a verb name.
pub(crate) fn open(verb: &mut Verb) -> Result<(), Error> {
    match verb {
        Verb::Lookup(Later(arguments)) => arguments.revision.of_environment(&mut arguments.place),
        Verb::Query(Later(arguments)) => arguments.revision.of_environment(&mut arguments.place),
        Verb::Compare(Later(arguments)) => arguments.revision.of_environment(&mut arguments.place),
        Verb::Catalog(Later(arguments)) => arguments.revision.of_environment(&mut arguments.place),
        Verb::Eval(Later(arguments)) => {
            let named: Vec<PathBuf> = arguments.file.iter().cloned().collect();
            arguments.revision.of_environment(&mut arguments.place)?;
            named_are_inside(&named, arguments.place.revision.as_ref())
        }
        Verb::Render(Later(arguments)) => {
            arguments.revision.of_environment(&mut arguments.place)?;
            named_are_inside(std::slice::from_ref(&arguments.template), arguments.place.revision.as_ref())
        }
        Verb::Check(Later(arguments)) => arguments.revision.of_files(&arguments.paths),
        Verb::Expand(Later(arguments)) => arguments.revision.of_files(std::slice::from_ref(&arguments.file)),
        Verb::Job(Later(arguments)) => arguments.revision.of_files(&arguments.files),
        _ => Ok(()),
    }
}
