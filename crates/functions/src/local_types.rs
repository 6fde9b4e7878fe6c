//! Types that only functions of this crate know, under names that their messages show.

use std::sync::LazyLock;

use hieratic_pcore::{Alias, Type, parse, parse_with};

/// How deep the signatures look into a `StringData`; what is deeper, the functions check themselves.
const DEEPEST: usize = 4;

/// The type of a name that only functions know.
pub(crate) fn resolve(name: &str) -> Option<Type> {
    match name {
        "StringData" => Some(STRING_DATA.clone()),
        "OptionsType" => Some(OPTIONS_TYPE.clone()),
        _ => None,
    }
}

/// Texts and numbers in arrays and hashes. It speaks of itself, which is written out to a depth.
static STRING_DATA: LazyLock<Type> = LazyLock::new(|| {
    let mut inner: Option<Type> = None;
    for _ in 0..DEEPEST {
        let resolve = |name: &str| inner.clone().filter(|_| name == "StringData");
        let text = match inner {
            Some(_) => "Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]",
            None => "Variant[String, Numeric, Array, Hash]",
        };
        // A type of the language always reads.
        let resolved = parse_with(text, &resolve).unwrap_or(Type::Any);
        inner = Some(Type::Alias(Alias::new("StringData", resolved)));
    }
    inner.unwrap_or(Type::Any)
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
