//! [`TYPE_NAMES`]: the names of the data types.

/// The names of the data types of the language, sorted: for suggestions and completion.
pub const TYPE_NAMES: [&str; 43] = [
    "Any",
    "Array",
    "Binary",
    "Boolean",
    "Callable",
    "CatalogEntry",
    "Class",
    "Collection",
    "Data",
    "Default",
    "Deferred",
    "Enum",
    "Error",
    "Float",
    "Hash",
    "Init",
    "Integer",
    "Iterable",
    "Iterator",
    "NotUndef",
    "Numeric",
    "Object",
    "Optional",
    "Pattern",
    "Regexp",
    "Resource",
    "RichData",
    "Runtime",
    "Scalar",
    "ScalarData",
    "SemVer",
    "SemVerRange",
    "Sensitive",
    "String",
    "Struct",
    "Timespan",
    "Timestamp",
    "Tuple",
    "Type",
    "TypeSet",
    "URI",
    "Undef",
    "Variant",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Type, parse};

    #[test]
    fn every_name_is_a_type() {
        assert!(TYPE_NAMES.is_sorted());
        for name in TYPE_NAMES {
            let is_unknown = matches!(parse(name), Ok(Type::Reference(_)) | Err(_));
            assert!(!is_unknown, "{name}");
        }
    }
}
