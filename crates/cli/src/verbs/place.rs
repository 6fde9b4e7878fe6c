//! The environment and the node of a verb.

use super::Verb;
use crate::args::{LazyArgs, PlaceArguments};

impl Verb {
    /// The flags that say which environment and node the verb asks about, if it has all of them.
    pub(crate) fn place(&mut self) -> Option<&mut PlaceArguments> {
        Some(match self {
            Verb::Lookup(LazyArgs(arguments)) => &mut arguments.place,
            Verb::Query(LazyArgs(arguments)) => &mut arguments.place,
            Verb::Compare(LazyArgs(arguments)) => &mut arguments.place,
            Verb::Enc(LazyArgs(arguments)) => &mut arguments.place,
            Verb::External(LazyArgs(arguments)) => &mut arguments.place,
            Verb::Diff(LazyArgs(arguments)) => &mut arguments.place,
            Verb::History(LazyArgs(arguments)) => &mut arguments.place,
            Verb::Affected(LazyArgs(arguments)) => &mut arguments.place,
            Verb::Eval(LazyArgs(arguments)) => &mut arguments.place,
            Verb::Catalog(LazyArgs(arguments)) => &mut arguments.place,
            Verb::Refactor(LazyArgs(arguments)) => &mut arguments.place,
            Verb::Schema(LazyArgs(arguments)) => &mut arguments.place,
            Verb::Types(LazyArgs(arguments)) => &mut arguments.place,
            Verb::Render(LazyArgs(arguments)) => &mut arguments.place,
            Verb::Repl(LazyArgs(arguments)) => &mut arguments.place,
            _ => return None,
        })
    }
}
