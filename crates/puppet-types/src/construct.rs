//! Constructors of types.

use std::sync::Arc;

use hieratic_value::Str;

use crate::alias::Alias;
use crate::pattern::Pattern;
use crate::range::{FloatRange, IntegerRange, TimeRange};
use crate::types::{
    ArrayType, EnumType, HashType, Key, Patterns, RuntimeType, StringType, StructElement, StructType, TupleType, Type,
    Variants, VersionRanges,
};
use crate::values::Range;

/// Constructors. They normalize as the reference does, so that types with the same meaning print the same.
impl Type {
    /// `Integer`.
    pub const INTEGER: Type = Type::Integer(IntegerRange::ALL);
    /// `Float`.
    pub const FLOAT: Type = Type::Float(FloatRange::ALL);
    /// `String`.
    pub const STRING: Type = Type::String(StringType::Any);
    /// `Boolean`.
    pub const BOOLEAN: Type = Type::Boolean(None);
    /// `Timestamp`.
    pub const TIMESTAMP: Type = Type::Timestamp(TimeRange::ALL);
    /// `Timespan`.
    pub const TIMESPAN: Type = Type::Timespan(TimeRange::ALL);

    /// `SemVer`.
    pub const SEM_VER: Type = Type::SemVer(VersionRanges(None));

    /// Creates `SemVer[ranges]`. Overlapping ranges are merged.
    pub fn sem_ver(ranges: impl IntoIterator<Item = Range>) -> Type {
        let mut ranges: Vec<Range> = ranges.into_iter().collect();
        let mut merged = Vec::new();
        while let Some(mut grown) = ranges.pop() {
            let mut left = Vec::new();
            for range in ranges {
                match grown.merge(&range) {
                    Some(both) => grown = both,
                    None => left.push(range),
                }
            }
            merged.push(grown);
            ranges = left;
        }
        merged.reverse();
        Type::SemVer(VersionRanges((!merged.is_empty()).then(|| merged.into())))
    }

    /// Creates `Integer[from, to]`, or returns `None` if `from` is greater than `to`.
    pub fn integer(from: Option<i64>, to: Option<i64>) -> Option<Type> {
        IntegerRange::new(from.map(Into::into), to.map(Into::into)).map(Type::Integer)
    }

    /// Creates `Integer[number, number]`.
    pub fn exactly(number: i64) -> Type {
        Type::Integer(IntegerRange::exactly(number))
    }

    /// Creates `String[minimum]`: strings with at least `minimum` characters.
    pub fn string_of_at_least(minimum: usize) -> Type {
        Type::String(StringType::Size(IntegerRange::at_least(minimum)))
    }

    /// Returns the type of one string.
    pub fn string_value(text: impl Into<Str>) -> Type {
        Type::String(StringType::Value(text.into()))
    }

    /// Creates `Enum['a', 'b']`.
    pub fn enumeration<S: Into<Str>>(values: impl IntoIterator<Item = S>) -> Type {
        Type::enumeration_with_case(values, false)
    }

    /// Creates `Enum['a', 'b', true]`: an enumeration that may ignore case.
    pub fn enumeration_with_case<S: Into<Str>>(values: impl IntoIterator<Item = S>, case_insensitive: bool) -> Type {
        let mut values: Vec<Str> = values.into_iter().map(Into::into).collect();
        values.sort();
        values.dedup();
        Type::Enum(Arc::new(EnumType { values, case_insensitive }))
    }

    /// Creates `Pattern[/a/, /b/]`.
    pub fn pattern(patterns: impl IntoIterator<Item = Pattern>) -> Type {
        let mut unique: Vec<Pattern> = Vec::new();
        for pattern in patterns {
            if !unique.contains(&pattern) {
                unique.push(pattern);
            }
        }
        Type::Pattern(Patterns(unique.into()))
    }

    /// Creates `Array[element]`.
    pub fn array(element: Type) -> Type {
        Type::array_of_size(element, None)
    }

    /// Creates `Array[element, from, to]`.
    pub fn array_of_size(element: Type, size: Option<IntegerRange>) -> Type {
        // Only a literal zero makes an empty array. A range that ends below zero is cut to zero after this check.
        let element = if size.as_ref().is_some_and(IntegerRange::is_zero) { Type::Unit } else { element };
        Type::Array(Arc::new(ArrayType { element, size: size.map(|size| size.to_size()) }))
    }

    /// Creates `Hash[key, value]`.
    pub fn hash(key: Type, value: Type) -> Type {
        Type::hash_of_size(key, value, None)
    }

    /// Creates `Hash[key, value, from, to]`.
    pub fn hash_of_size(key: Type, value: Type, size: Option<IntegerRange>) -> Type {
        let empty = size.as_ref().is_some_and(IntegerRange::is_zero);
        let (key, value) = if empty { (Type::Unit, Type::Unit) } else { (key, value) };
        Type::Hash(Arc::new(HashType { key, value, size: size.map(|size| size.to_size()) }))
    }

    /// Creates `Collection[from, to]`.
    pub fn collection(size: Option<IntegerRange>) -> Type {
        Type::Collection(size.map(|size| size.to_size()))
    }

    /// Creates `Tuple[a, b]`.
    pub fn tuple(types: impl IntoIterator<Item = Type>) -> Type {
        Type::tuple_of_size(types, None)
    }

    /// Creates `Tuple[a, b, from, to]`.
    pub fn tuple_of_size(types: impl IntoIterator<Item = Type>, size: Option<IntegerRange>) -> Type {
        let (types, size) = (types.into_iter().collect(), size.map(|size| size.to_size()));
        Type::Tuple(Arc::new(TupleType { types, size }))
    }

    /// Integer, Optional['b'] => String}]`. => Creates `Struct[{'a' => Integer, Optional['b'] => String}]`. => Integer,
    /// Optional['b'] => String}]`.
    ///
    /// A key whose value may be `undef` is not automatically optional: choose the [`Key`] explicitly.
    ///
    /// ```
    /// use hieratic_puppet_types::{Key, Type};
    /// let name = Type::structure([(Key::required("name"), Type::string_of_at_least(1))]);
    /// assert_eq!(name.to_string(), "Struct[{'name' => String[1]}]");
    /// ```
    pub fn structure(elements: impl IntoIterator<Item = (Key, Type)>) -> Type {
        let elements = elements.into_iter().map(|(key, value)| StructElement { key, value }).collect();
        Type::Struct(Arc::new(StructType { elements }))
    }

    /// Creates `Variant[a, b]`. Nested variants are flattened, duplicates are removed, and a single type is returned
    /// unwrapped.
    pub fn variant(types: impl IntoIterator<Item = Type>) -> Type {
        let mut flat: Vec<Type> = Vec::new();
        // Equality and hash of an alias depend on its name only, which never changes.
        #[allow(clippy::mutable_key_type)]
        let mut seen = hieratic_value::collections::HashSet::default();
        let mut add = |one: &Type| {
            if seen.insert(one.clone()) {
                flat.push(one.clone());
            }
        };
        for one in types {
            match &one {
                Type::Variant(inner) => inner.as_slice().iter().for_each(&mut add),
                _ => add(&one),
            }
        }
        match flat.len() {
            1 => flat.remove(0),
            _ => Type::Variant(Variants(flat.into())),
        }
    }

    /// Creates `Optional[inner]`.
    pub fn optional(inner: Type) -> Type {
        Type::Optional(Some(Arc::new(inner)))
    }

    /// Creates `NotUndef[inner]`.
    pub fn not_undef(inner: Type) -> Type {
        match inner {
            Type::Any => Type::NotUndef(None),
            inner => Type::NotUndef(Some(Arc::new(inner))),
        }
    }

    /// Creates `Sensitive[inner]`. As in the reference, sizes and values are removed.
    pub fn sensitive(inner: Type) -> Type {
        Type::Sensitive(Arc::new(inner.generalize()))
    }

    /// Creates `Type[inner]`.
    pub fn of_type(inner: Type) -> Type {
        Type::Type(Some(Arc::new(inner)))
    }

    /// Creates `Iterable[inner]`.
    pub fn iterable(inner: Type) -> Type {
        Type::Iterable(Some(Arc::new(inner)))
    }

    /// Creates the type of a Ruby class: `Runtime[ruby, 'class']`.
    pub fn ruby(class: &str) -> Type {
        Type::Runtime(Arc::new(RuntimeType { runtime: Some("ruby".into()), name: Some(class.into()) }))
    }

    /// Returns `Data`: the values that JSON can represent.
    pub fn data() -> Type {
        Type::Alias(Alias::DATA)
    }

    /// Returns `RichData`: the values that a catalog may contain.
    pub fn rich_data() -> Type {
        Type::Alias(Alias::RICH_DATA)
    }
}
