//! The environment and node that a verb asks about.

use super::Verb;
use crate::args::{Later, PlaceArguments};

impl Verb {
    /// The flags that say which environment and node the verb asks about, if it has all of them.
    pub(crate) fn place(&mut self) -> Option<&mut PlaceArguments> {
        Some(match self {
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
            _ => return None,
        })
    }
}
