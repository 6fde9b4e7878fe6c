//! Types that only functions of this crate know, under names that their messages show.

use std::sync::LazyLock;

use hieratic_pcore::{Alias, Type, parse, parse_with};

/// The type of a name that only functions know.
pub(crate) fn resolve(name: &str) -> Option<Type> {
    match name {
        "StringData" => Some(STRING_DATA.clone()),
        "OptionsType" => Some(OPTIONS_TYPE.clone()),
        _ => None,
    }
}

/// Texts and numbers in arrays and hashes. It speaks of itself.
static STRING_DATA: LazyLock<Type> = LazyLock::new(|| {
    let (alias, resolver) = Alias::unresolved("StringData");
    let alias = Type::Alias(alias);
    let resolve = |name: &str| (name == "StringData").then(|| alias.clone());
    let text = "Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]";
    // A type of the language always reads, and this one says what it is beside itself.
    parse_with(text, &resolve).ok().and_then(|kind| resolver.resolve(kind).ok()).unwrap_or(Type::Any)
});

/// The options of `tree_each`.
static OPTIONS_TYPE: LazyLock<Type> = LazyLock::new(|| {
    let text = "Struct[{
      container_type => Optional[Type], include_root => Optional[Boolean], include_containers => Optional[Boolean],
      include_values => Optional[Boolean], order => Optional[Enum[depth_first, breadth_first]],
      include_refs => Optional[Boolean]
    }]";
    // A type of the language always reads.
    Type::Alias(Alias::new("OptionsType", parse(text).unwrap_or(Type::Any)))
});
