//! Checks the names of levels in flags, because a misspelled name would have no effect.

use std::collections::BTreeSet;

use hieratic::layers::level_names;
use hieratic::{Environment, Error, Settings};

use crate::usage::usage;

/// The number of names that help lists.
const MAX_NAMES: usize = 5;

/// Refuses levels to be left out if no hierarchy of the environments has them.
pub(crate) fn check_left_out(levels: &[String], environments: &[Environment]) -> Result<(), Error> {
    if levels.is_empty() {
        return Ok(());
    }
    check_known(levels, &environments.iter().flat_map(level_names).collect())
}

/// Refuses levels to be left out if no hierarchy of any environment has them. An environment that cannot be opened may
/// have any.
pub(crate) fn check_left_out_of_all(
    levels: &[String],
    environments: impl IntoIterator<Item = Settings>,
) -> Result<(), Error> {
    if levels.is_empty() {
        return Ok(());
    }
    let opened: Result<Vec<Environment>, Error> =
        environments.into_iter().map(|settings| Environment::open(&settings)).collect();
    match opened {
        Ok(environments) if !environments.is_empty() => check_left_out(levels, &environments),
        // Its error is reported by the verb that reads it.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Refuses levels that are not among those of these names.
pub(crate) fn check_known(levels: &[String], names: &BTreeSet<String>) -> Result<(), Error> {
    let Some(unknown) = levels.iter().find(|level| !names.contains(*level)) else { return Ok(()) };
    let help = match near(unknown, names) {
        Some(near) => format!("did you mean '{near}'?"),
        None if names.is_empty() => "no hierarchy was found".to_owned(),
        None => {
            let names: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("'{name}'")).collect();
            format!("the levels are {}", names.join(", "))
        }
    };
    Err(usage(format!("no hierarchy has a level '{unknown}'")).help(help))
}

/// Returns the name that resembles a misspelled level: as a whole, or by one of its words.
fn near<'n>(level: &str, names: &'n BTreeSet<String>) -> Option<&'n String> {
    let whole = hieratic_diagnostics::nearest(level, names.iter().map(String::as_str));
    let of_word = || {
        let words = names.iter().flat_map(|name| name.split_whitespace());
        let word = hieratic_diagnostics::nearest(level, words)?;
        names.iter().find(|name| name.split_whitespace().any(|own| own == word))
    };
    whole.and_then(|near| names.get(near)).or_else(of_word)
}
