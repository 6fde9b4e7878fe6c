//! [`Extension`]: the additions of another crate to the language.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::host::{Definition, Table};

/// Definitions by their names.
pub type Names = HashMap<&'static str, &'static Definition>;

/// The additions of another crate to the language. Its functions have access to a [`Host`](crate::extend::Host), not to
/// the engine.
pub struct Extension {
    /// Filters. They replace built-in filters with the same names, except those in `filters/fast.rs`.
    pub filters: LazyLock<Names>,
    /// Tests. They replace tests of the language with the same names.
    pub tests: LazyLock<Names>,
    /// Functions that every template has.
    pub functions: Table,
    /// Strings that every template has.
    pub constants: &'static [(&'static str, &'static str)],
    /// The optional prefixes of all filter and test names, each with the dot at its end.
    pub collections: &'static [&'static str],
    /// Its filters that distinguish escaped strings. All others receive plain strings.
    pub escape_aware: &'static [&'static str],
    /// Its filters whose result is escaped if their input is.
    pub escape_preserving: &'static [&'static str],
    /// The names of filters and tests that are known, but not supported. With a list, any other unknown name is an error before the
    /// template is rendered; with `None`, it is an error when it is called.
    pub unsupported: Option<&'static [&'static str]>,
    /// Returns the message about an unknown filter or test. The arguments are `filter` or `test`, its name, and a
    /// suggestion.
    pub unknown: fn(&str, &str, Option<&str>) -> String,
}

/// The empty extension.
pub static NOTHING: Extension = Extension {
    filters: LazyLock::new(Names::new),
    tests: LazyLock::new(Names::new),
    functions: &[],
    constants: &[],
    collections: &[],
    escape_aware: &[],
    escape_preserving: &[],
    unsupported: None,
    unknown: |subject, name, suggestion| {
        let suggestion = suggestion.map(|suggestion| format!(" Did you mean '{suggestion}'?"));
        format!("No {subject} named '{name}'.{}", suggestion.unwrap_or_default())
    },
};

/// Collects the definitions of tables.
pub fn collected(tables: &[Table]) -> Names {
    tables.iter().copied().flatten().map(|definition| (definition.name, definition)).collect()
}

impl Extension {
    /// Returns the name without the prefix of a collection.
    pub fn plain_name<'n>(&self, name: &'n str) -> &'n str {
        self.collections.iter().find_map(|collection| name.strip_prefix(collection)).unwrap_or(name)
    }
}
