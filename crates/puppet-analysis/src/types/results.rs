//! The return types of functions that do not depend on the arguments.

use std::sync::LazyLock;

use hieratic::puppet_types::{Type, parse};
use hieratic::value::collections::HashMap;

/// Functions of the language, and the types of their results in every version.
const RESULTS: &[(&str, &str)] = &[
    ("all", "Boolean"),
    ("any", "Boolean"),
    ("binary_file", "Binary"),
    ("defined", "Boolean"),
    ("empty", "Boolean"),
    ("file", "Variant[String, Binary]"),
    ("find_file", "Optional[String]"),
    ("fqdn_rand", "Variant[Integer, String]"),
    ("generate", "String"),
    ("inline_template", "Variant[String, Sensitive]"),
    ("inline_epp", "Variant[String, Sensitive]"),
    ("epp", "Variant[String, Sensitive]"),
    ("template", "Variant[String, Sensitive]"),
    ("join", "String"),
    ("keys", "Array"),
    ("values", "Array"),
    ("length", "Integer"),
    ("size", "Integer"),
    ("md5", "String"),
    ("sha1", "String"),
    ("sha256", "String"),
    ("shellquote", "String"),
    ("sprintf", "String"),
    ("tagged", "Boolean"),
    ("versioncmp", "Integer[-1, 1]"),
    ("map", "Array"),
    ("Integer", "Integer"),
    ("Float", "Float"),
    ("Numeric", "Numeric"),
    ("String", "String"),
    ("Boolean", "Boolean"),
    ("Array", "Array"),
    ("Hash", "Hash"),
    ("Sensitive", "Sensitive"),
];

static TABLE: LazyLock<HashMap<&'static str, Type>> =
    LazyLock::new(|| RESULTS.iter().filter_map(|(name, kind)| Some((*name, parse(kind).ok()?))).collect());

/// The return type of a function.
pub(super) fn result_of(name: &str) -> Option<&'static Type> {
    TABLE.get(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_one() {
        assert_eq!(TABLE.len(), RESULTS.len());
    }
}
