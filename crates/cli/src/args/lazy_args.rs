//! Lazy flags: the flags of a subcommand are registered only when that subcommand is used, because the command has
//! thirty subcommands and runs one of them.

use std::ops::{Deref, DerefMut};

use clap::error::Error;
use clap::{ArgMatches, Args, Command, FromArgMatches, Id};

use super::help;

/// The flags of a subcommand, which are registered only when that subcommand is used. Before that, only its name and
/// its help line are known. To inspect the flags of other subcommands, call [`Command::build`] first.
#[derive(Debug)]
pub(crate) struct LazyArgs<T>(pub(crate) Box<T>);

impl<T: Args> Args for LazyArgs<T> {
    fn group_id() -> Option<Id> {
        T::group_id()
    }

    fn augment_args(verb: Command) -> Command {
        verb.defer(define_args::<T>)
    }

    fn augment_args_for_update(verb: Command) -> Command {
        verb.defer(define_args::<T>)
    }
}

/// Registers the flags. The doc comment of their type is for readers of the code, so it must not replace the help of
/// the subcommand.
fn define_args<T: Args>(verb: Command) -> Command {
    let about = verb.get_about().cloned().unwrap_or_default();
    help::arrange(T::augment_args(verb).about(about).long_about(None::<&'static str>))
}

impl<T: Args> FromArgMatches for LazyArgs<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(|flags| LazyArgs(Box::new(flags)))
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(|flags| LazyArgs(Box::new(flags)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl<T> Deref for LazyArgs<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for LazyArgs<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
