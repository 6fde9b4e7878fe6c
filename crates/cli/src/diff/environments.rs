//! The environments that are compared.

use hieratic::value::Str;
use hieratic_comparison::{Lone, Sides};

use super::DiffArguments;
use crate::revisions;

/// The environments of a repository.
pub(super) struct Environments {
    /// Those that both sides have, as sides of their own. The only environment that flags mean has no name here.
    pub(super) both: Vec<(Str, Sides)>,
    /// Those that one side alone has.
    pub(super) lone: Vec<Lone>,
}

/// The environments that the flags mean: all that the repository has, if they name none.
pub(super) fn of(arguments: &DiffArguments, sides: Sides) -> Environments {
    let several = revisions::of_all_environments(&arguments.place);
    let names = several.as_ref().map(|_| sides.environments()).unwrap_or_default();
    let Some(place) = several.filter(|_| !names.is_empty()) else {
        return Environments { both: vec![(Str::default(), sides)], lone: Vec::new() };
    };
    let mut found = Environments { both: Vec::new(), lone: Vec::new() };
    for (name, is_in) in names {
        match is_in {
            [true, true] => {
                let (settings, _) = revisions::environment(&revisions::of_environment(&place, &name));
                found.both.push((name.into(), sides.of_environment(settings)));
            }
            [_, is_head] => found.lone.push(Lone { name: name.into(), is_head }),
        }
    }
    found
}
