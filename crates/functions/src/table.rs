//! [`find`]: the function of a name.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::{Function, collections, iteration, numbers, strings, system, values};

static TABLE: LazyLock<FxHashMap<&'static str, &'static Function>> = LazyLock::new(|| {
    iteration::functions()
        .chain(collections::functions())
        .chain(numbers::functions())
        .chain(strings::functions())
        .chain(system::functions())
        .chain(values::functions())
        .map(|function| (function.name, function))
        .collect()
});

/// The function of a name, if it is one of this crate.
///
/// ```
/// assert_eq!(hieratic_functions::find("map").map(|function| function.name), Some("map"));
/// assert!(hieratic_functions::find("include").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static Function> {
    TABLE.get(name).copied()
}

/// The names of all functions of this crate, in no particular order.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.keys().copied()
}
