//! The functions and type aliases of the [stdlib
//! module](https://github.com/puppetlabs/puppetlabs-stdlib/blob/main/REFERENCE.md), natively.
//!
//! They are available whether or not an environment has the module. A Puppet-language function of the same name in a
//! module of the environment takes precedence. [`MISSING`] lists the functions that are not implemented, with the
//! reason, which calls report as an error.

mod arrays;
mod booleans;
mod deprecated;
mod digests;
mod facts;
mod formats;
mod hashes;
mod networks;
mod numbers;
mod passwords;
mod paths;
mod random;
mod removed;
mod resources;
mod strings;
mod types;
mod unsupported;
mod untyped;
mod validation;

use std::sync::LazyLock;

use hieratic_puppet_functions::Function;
use hieratic_value::collections::HashMap;

pub use removed::successor;
pub use unsupported::MISSING;

static TABLE: LazyLock<HashMap<&'static str, &'static Function>> = LazyLock::new(|| {
    let all: [&'static [Function]; 15] = [
        &arrays::FUNCTIONS,
        &booleans::FUNCTIONS,
        &deprecated::FUNCTIONS,
        &digests::FUNCTIONS,
        &facts::FUNCTIONS,
        &formats::FUNCTIONS,
        &hashes::FUNCTIONS,
        &unsupported::FUNCTIONS,
        &networks::FUNCTIONS,
        &numbers::FUNCTIONS,
        &paths::FUNCTIONS,
        &random::FUNCTIONS,
        &resources::FUNCTIONS,
        &strings::FUNCTIONS,
        &validation::FUNCTIONS,
    ];
    all.into_iter().flatten().map(|function| (function.name, function)).collect()
});

/// Returns a function by its name in lower case.
///
/// ```
/// assert_eq!(hieratic_puppet_stdlib::find("stdlib::merge").map(|function| function.name), Some("stdlib::merge"));
/// assert!(hieratic_puppet_stdlib::find("map").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static Function> {
    TABLE.get(name).copied()
}

/// The names of all functions, in no particular order.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.keys().copied()
}

/// Returns the type of an alias by its name in lower case.
///
/// ```
/// assert_eq!(hieratic_puppet_stdlib::type_alias("stdlib::port"), Some("Integer[0, 65535]"));
/// ```
pub fn type_alias(name: &str) -> Option<&'static str> {
    let found = types::ALIASES.binary_search_by(|(known, _)| lower(known).cmp(name.bytes()));
    found.ok().and_then(|at| types::ALIASES.get(at)).map(|(_, text)| *text)
}

/// Returns the names of the type aliases, as written, in alphabetical order.
pub fn type_aliases() -> impl Iterator<Item = &'static str> {
    types::ALIASES.iter().map(|(name, _)| *name)
}

fn lower(name: &str) -> impl Iterator<Item = u8> + '_ {
    name.bytes().map(|byte| byte.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_are_in_order_and_found() {
        assert!(types::ALIASES.is_sorted_by_key(|(name, _)| name.to_lowercase()));
        for (name, text) in types::ALIASES {
            assert_eq!(type_alias(&name.to_lowercase()), Some(*text));
            assert!(hieratic_puppet_types::parse(text).is_ok(), "{name}");
        }
    }

    #[test]
    fn every_signature_reads_and_no_name_is_there_twice() {
        let all = [
            arrays::FUNCTIONS.len(),
            booleans::FUNCTIONS.len(),
            deprecated::FUNCTIONS.len(),
            digests::FUNCTIONS.len(),
            facts::FUNCTIONS.len(),
            formats::FUNCTIONS.len(),
            hashes::FUNCTIONS.len(),
            unsupported::FUNCTIONS.len(),
            networks::FUNCTIONS.len(),
            numbers::FUNCTIONS.len(),
            paths::FUNCTIONS.len(),
            random::FUNCTIONS.len(),
            resources::FUNCTIONS.len(),
            strings::FUNCTIONS.len(),
            validation::FUNCTIONS.len(),
        ];
        assert_eq!(names().count(), all.iter().sum::<usize>());
        for name in names() {
            for dispatch in find(name).into_iter().flat_map(|function| function.dispatches(Default::default())) {
                for text in dispatch.parameters {
                    let kind = text.trim_start_matches(['&', '?']).rsplit_once(' ').map(|(kind, _)| kind);
                    assert!(kind.is_some_and(|kind| hieratic_puppet_types::parse(kind).is_ok()), "{name}: {text}");
                }
            }
        }
    }
}
