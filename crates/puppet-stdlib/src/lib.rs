//! The functions and type aliases of the [stdlib
//! module](https://github.com/puppetlabs/puppetlabs-stdlib/blob/main/REFERENCE.md), natively.
//!
//! They are available whether or not an environment has the module. A Puppet-language function with the same name in a
//! module of the environment overrides them. [`MISSING`] lists the functions that are not implemented, with the reason,
//! which is the error of a call.

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

use hieratic_puppet_functions::{Function, FunctionTable, LoadedFunction};

pub use removed::successor;
pub use unsupported::MISSING;

/// Returns all functions, in no particular order. The compiler warns about a table that is not listed.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    [
        arrays::FUNCTIONS,
        booleans::FUNCTIONS,
        deprecated::FUNCTIONS,
        digests::FUNCTIONS,
        facts::FUNCTIONS,
        formats::FUNCTIONS,
        hashes::FUNCTIONS,
        networks::FUNCTIONS,
        numbers::FUNCTIONS,
        paths::FUNCTIONS,
        random::FUNCTIONS,
        resources::FUNCTIONS,
        strings::FUNCTIONS,
        unsupported::FUNCTIONS,
        validation::FUNCTIONS,
    ]
    .into_iter()
    .flatten()
}

static TABLE: LazyLock<FunctionTable> = LazyLock::new(|| FunctionTable::new(functions()));

/// Returns a function by its name in lower case.
///
/// ```
/// assert_eq!(hieratic_puppet_stdlib::find("stdlib::merge").map(|function| function.name), Some("stdlib::merge"));
/// assert!(hieratic_puppet_stdlib::find("map").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static LoadedFunction> {
    TABLE.find(name)
}

/// Returns the names of all functions, in no particular order.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.names()
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
        assert_eq!(names().count(), functions().count());
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
