//! Flags that are defined when their verb is asked for: the command has thirty verbs, and runs one.

use std::ops::{Deref, DerefMut};

use clap::error::Error;
use clap::{ArgMatches, Args, Command, FromArgMatches, Id};

/// The flags of a verb. Until the verb stands on the command line, only its name and its line of help are known; whoever looks at the
/// flags of a verb that was not asked for calls [`Command::build`] first.
#[derive(Debug)]
pub(crate) struct Later<T>(pub(crate) Box<T>);

impl<T: Args> Args for Later<T> {
    fn group_id() -> Option<Id> {
        T::group_id()
    }

    fn augment_args(verb: Command) -> Command {
        verb.defer(define::<T>)
    }

    fn augment_args_for_update(verb: Command) -> Command {
        verb.defer(define::<T>)
    }
}

/// Defines the flags. What their type says about itself is meant for who reads the code: the help of the verb stays.
fn define<T: Args>(verb: Command) -> Command {
    let about = verb.get_about().cloned().unwrap_or_default();
    T::augment_args(verb).about(about).long_about(None::<&'static str>)
}

impl<T: Args> FromArgMatches for Later<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(|flags| Later(Box::new(flags)))
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(|flags| Later(Box::new(flags)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl<T> Deref for Later<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Later<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
