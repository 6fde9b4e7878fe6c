//! The functions and type aliases of the stdlib module of Puppet, natively.

use hieratic_functions::Function;

/// The function of a name.
pub fn find(_name: &str) -> Option<&'static Function> {
    None
}

/// The names.
pub fn names() -> impl Iterator<Item = &'static str> {
    std::iter::empty()
}

/// The text of a type alias.
pub fn type_alias(_name: &str) -> Option<&'static str> {
    None
}

/// The names of the type aliases.
pub fn type_aliases() -> impl Iterator<Item = &'static str> {
    std::iter::empty()
}
