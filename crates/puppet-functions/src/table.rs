//! [`find`]: functions by name.

use std::sync::LazyLock;

use crate::{Function, FunctionTable, LoadedFunction, collections, iteration, numbers, strings, system, values};

static TABLE: LazyLock<FunctionTable> = LazyLock::new(|| FunctionTable::new(functions()));

/// Returns the functions of this crate, in no particular order.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    iteration::functions()
        .chain(collections::functions())
        .chain(numbers::functions())
        .chain(strings::functions())
        .chain(system::functions())
        .chain(values::functions())
}

/// Returns a function of this crate by its name.
///
/// ```
/// assert_eq!(hieratic_puppet_functions::find("map").map(|function| function.name), Some("map"));
/// assert!(hieratic_puppet_functions::find("include").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static LoadedFunction> {
    TABLE.find(name)
}

/// Returns the names of all functions of this crate, in no particular order.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.names()
}

#[cfg(test)]
mod tests {
    use hieratic_puppet_types::PuppetVersion;

    use super::*;

    #[test]
    fn every_signature_reads_and_every_name_is_there_once() {
        let mut count = 0;
        for name in names() {
            let Some(function) = find(name) else { continue };
            for version in PuppetVersion::ALL {
                let dispatches = function.dispatches(version);
                let mistakes = dispatches.iter().filter(|dispatch| dispatch.parameters.first() == Some(&"!")).count();
                assert_eq!(function.signatures(version).len() + mistakes, dispatches.len(), "{name}");
            }
            for dispatch in PuppetVersion::ALL.into_iter().flat_map(|version| function.dispatches(version)) {
                for text in dispatch.parameters.iter().filter(|text| **text != "!") {
                    let text = text.trim_start_matches(['&', '?']);
                    let Some((kind, _)) = text.rsplit_once(' ') else { panic!("{name}: {text}") };
                    assert!(
                        hieratic_puppet_types::parse_with(kind, &crate::local_types::resolve).is_ok(),
                        "{name}: {kind}"
                    );
                }
            }
            count += 1;
        }
        assert_eq!(count, functions().count());
    }
}
