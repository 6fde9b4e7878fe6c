//! Functions that version 9 of the module removed, and their replacements.
//!
//! See [its change log](https://github.com/puppetlabs/puppetlabs-stdlib/blob/main/CHANGELOG.md).

/// The replacement of a removed function.
enum Successor {
    /// A type: for a parameter if the function failed, in a comparison if it returned a boolean.
    Type(&'static str),
    /// An expression.
    Expression(&'static str),
}

use Successor::{Expression, Type};

/// The functions, sorted by name.
const REMOVED: &[(&str, Successor)] = &[
    ("dig44", Expression("dig")),
    ("has_key", Expression("'key' in $hash")),
    ("hash", Expression("Hash($array)")),
    ("is_absolute_path", Type("Stdlib::Absolutepath")),
    ("is_array", Type("Array")),
    ("is_bool", Type("Boolean")),
    ("is_domain_name", Type("Stdlib::Fqdn")),
    ("is_email_address", Type("Stdlib::Email")),
    ("is_float", Type("Float")),
    ("is_function_available", Expression("defined('name')")),
    ("is_hash", Type("Hash")),
    ("is_integer", Type("Integer")),
    ("is_ip_address", Type("Stdlib::IP::Address")),
    ("is_ipv4_address", Type("Stdlib::IP::Address::V4")),
    ("is_ipv6_address", Type("Stdlib::IP::Address::V6")),
    ("is_mac_address", Type("Stdlib::MAC")),
    ("is_numeric", Type("Numeric")),
    ("is_string", Type("String")),
    ("private", Expression("assert_private()")),
    ("size", Expression("length($value)")),
    ("sprintf_hash", Expression("sprintf($format, $hash)")),
    ("type3x", Expression("type($value)")),
    ("validate_absolute_path", Type("Stdlib::Absolutepath")),
    ("validate_array", Type("Array")),
    ("validate_bool", Type("Boolean")),
    ("validate_hash", Type("Hash")),
    ("validate_integer", Type("Integer")),
    ("validate_ip_address", Type("Stdlib::IP::Address")),
    ("validate_ipv4_address", Type("Stdlib::IP::Address::V4")),
    ("validate_ipv6_address", Type("Stdlib::IP::Address::V6")),
    ("validate_numeric", Type("Numeric")),
    ("validate_re", Type("Pattern[/^a/]")),
    ("validate_slength", Type("String[1, 10]")),
    ("validate_string", Type("String")),
];

/// Returns the help line for a function that was removed from the module.
///
/// ```
/// let advice = hieratic_puppet_stdlib::successor("is_hash").unwrap();
/// assert_eq!(advice, "stdlib 9 removed 'is_hash': write `$value =~ Hash`");
/// assert!(hieratic_puppet_stdlib::successor("merge").is_none());
/// ```
pub fn successor(name: &str) -> Option<String> {
    let at = REMOVED.binary_search_by(|(known, _)| known.cmp(&name)).ok()?;
    let (name, successor) = REMOVED.get(at)?;
    Some(match successor {
        Type(kind) if name.starts_with("is_") => format!("stdlib 9 removed '{name}': write `$value =~ {kind}`"),
        Type(kind) => format!(
            "stdlib 9 removed '{name}': give the parameter the type `{kind}`, or call `assert_type({kind}, $value)`"
        ),
        Expression(written) => format!("stdlib 9 removed '{name}': write `{written}`"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_in_order_and_gone() {
        assert!(REMOVED.is_sorted_by_key(|(name, _)| *name));
        for (name, successor) in REMOVED {
            assert!(crate::find(name).is_none(), "{name} is there");
            if let Type(kind) = successor {
                assert!(hieratic_puppet_types::parse(kind).is_ok(), "{kind}");
            }
        }
    }
}
