//! What the verb that was asked for may read and run.

use hieratic::powers::Refused;

use super::Verb;
use crate::access::Access;
use crate::args::Later;

/// Tells the place that a verb asks about what may be read there, and gives what will be refused.
pub(crate) fn grant(verb: &mut Verb) -> Refused {
    let access = access_of(verb);
    let place = match verb {
        Verb::Lookup(Later(arguments)) => &mut arguments.place,
        Verb::Query(Later(arguments)) => &mut arguments.place,
        Verb::Compare(Later(arguments)) => &mut arguments.place,
        Verb::Diff(Later(arguments)) => &mut arguments.place,
        Verb::History(Later(arguments)) => &mut arguments.place,
        Verb::Affected(Later(arguments)) => &mut arguments.place,
        Verb::Eval(Later(arguments)) => &mut arguments.place,
        Verb::Catalog(Later(arguments)) => &mut arguments.place,
        Verb::Refactor(Later(arguments)) => &mut arguments.place,
        Verb::Schema(Later(arguments)) => &mut arguments.place,
        Verb::Types(Later(arguments)) => &mut arguments.place,
        Verb::Render(Later(arguments)) => &mut arguments.place,
        Verb::Repl(Later(arguments)) => &mut arguments.place,
        Verb::Job(Later(arguments)) => return arguments.refused.clone(),
        _ => return Refused::default(),
    };
    place.access = access;
    let refused = place.refused.clone();
    // A comparison names in its answer what it was refused.
    if matches!(verb, Verb::Diff(_)) { Refused::default() } else { refused }
}

fn access_of(verb: &Verb) -> Access {
    match verb {
        Verb::Catalog(arguments) if arguments.all => Access::Shared,
        Verb::Lookup(_) | Verb::Eval(_) | Verb::Catalog(_) | Verb::Compare(_) => Access::Own,
        Verb::Render(_) | Verb::Job(_) | Verb::Repl(_) | Verb::Serve(_) => Access::Own,
        Verb::Diff(_) | Verb::Affected(_) | Verb::History(_) => Access::Shared,
        Verb::Refactor(_) | Verb::Schema(_) | Verb::Types(_) | Verb::Query(_) => Access::Shared,
        Verb::Check(_) => Access::Check,
        Verb::Expand(_) | Verb::Restore(_) => Access::Document,
        Verb::Lsp(_) => Access::Editor,
        Verb::Parse(_) | Verb::Explain(_) | Verb::Fmt(_) | Verb::Trust(_) | Verb::Secret(_) => Access::Named,
        Verb::Config(_) | Verb::Completions { .. } | Verb::Man { .. } => Access::Named,
    }
}
