//! Types that only signatures use, with their names in messages.

use std::sync::LazyLock;

use hieratic_puppet_types::{Alias, Type, parse, parse_with};

/// The type of a name that only functions know.
pub(crate) fn resolve(name: &str) -> Option<Type> {
    match name {
        "StringData" => Some(STRING_DATA.clone()),
        "OptionsType" => Some(OPTIONS_TYPE.clone()),
        _ => LOOKUP.iter().find(|(known, _)| *known == name).map(|(_, kind)| kind.clone()),
    }
}

/// The types of `lookup`, each of which may refer to earlier ones.
static LOOKUP: LazyLock<Vec<(&'static str, Type)>> = LazyLock::new(|| {
    let mut known: Vec<(&'static str, Type)> = Vec::new();
    for (name, text) in [
        ("NameType", "Variant[String, Array[String]]"),
        ("ValueType", "Type"),
        ("DefaultValueType", "Any"),
        ("MergeType", "Variant[String[1], Hash[String, Scalar]]"),
        ("BlockType", "Callable[NameType]"),
        (
            "OptionsWithName",
            "Struct[{
              name => NameType, value_type => Optional[ValueType], default_value => DefaultValueType,
              override => Optional[Hash[String,Any]], default_values_hash => Optional[Hash[String,Any]],
              merge => Optional[MergeType]
            }]",
        ),
        (
            "OptionsWithoutName",
            "Struct[{
              value_type => Optional[ValueType], default_value => DefaultValueType,
              override => Optional[Hash[String,Any]], default_values_hash => Optional[Hash[String,Any]],
              merge => Optional[MergeType]
            }]",
        ),
    ] {
        let resolve = |name: &str| known.iter().find(|(own, _)| *own == name).map(|(_, kind)| kind.clone());
        // A constant type always parses.
        let kind = parse_with(text, &resolve).unwrap_or(Type::Any);
        known.push((name, Type::Alias(Alias::new(name, kind))));
    }
    known
});

/// Strings and numbers in arrays and hashes. The type is recursive.
static STRING_DATA: LazyLock<Type> = LazyLock::new(|| {
    let (alias, resolver) = Alias::unresolved("StringData");
    let alias = Type::Alias(alias);
    let resolve = |name: &str| (name == "StringData").then(|| alias.clone());
    let text = "Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]";
    // Constant types always parse, and the variants of this one are not recursive alone.
    parse_with(text, &resolve).ok().and_then(|kind| resolver.resolve(kind).ok()).unwrap_or(Type::Any)
});

/// The options of `tree_each`.
static OPTIONS_TYPE: LazyLock<Type> = LazyLock::new(|| {
    let text = "Struct[{
      container_type => Optional[Type], include_root => Optional[Boolean], include_containers => Optional[Boolean],
      include_values => Optional[Boolean], order => Optional[Enum[depth_first, breadth_first]],
      include_refs => Optional[Boolean]
    }]";
    // A constant type always parses.
    Type::Alias(Alias::new("OptionsType", parse(text).unwrap_or(Type::Any)))
});
