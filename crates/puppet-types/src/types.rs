//! [`Type`]: every type that data can be described with.
//!
//! The types and their parameters are those of the
//! [language reference](https://www.puppet.com/docs/puppet/8/lang_data_type.html).

use std::sync::Arc;

use crate::quantities::SemVer;
use hieratic_value::{Str, Value};

use crate::alias::Alias;
use crate::object::{ObjectExtension, ObjectType};
use crate::pattern::Pattern;
use crate::range::{FloatRange, IntegerRange, TimeRange};
use crate::type_set::TypeSetType;
use crate::uri_type::UriType;
use crate::values::Range;

/// A type of the Puppet language. Cloning is cheap.
///
/// Parse one with [`parse`](crate::parse()), or build it with the constructors below. `==` is equality of the types'
/// form: types that mean the same may differ.
///
/// ```
/// use hieratic_puppet_types::{Type, parse};
/// assert_eq!(parse("Array[String[1]]").unwrap(), Type::array(Type::string_of_at_least(1)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Everything.
    Any,
    /// `undef` only.
    Undef,
    /// The element type of empty collections: assignable to every type. It has no name in the language.
    Unit,
    /// The value `default` only.
    Default,
    /// Every single value: strings, numbers, booleans, regular expressions, versions and times.
    Scalar,
    /// The scalars of JSON: strings, numbers, booleans.
    ScalarData,
    /// Integers and floats.
    Numeric,
    /// Integers in a range.
    Integer(IntegerRange),
    /// Floats in a range.
    Float(FloatRange),
    /// Booleans, or only one of them.
    Boolean(Option<bool>),
    /// Strings.
    String(StringType),
    /// Strings from a list.
    Enum(Arc<EnumType>),
    /// Strings that match one of several regular expressions.
    Pattern(Patterns),
    /// Regular expressions, or only one of them.
    Regexp(Option<Pattern>),
    /// Arrays and hashes of a size.
    Collection(Option<IntegerRange>),
    /// Arrays whose elements are all of one type.
    Array(Arc<ArrayType>),
    /// Hashes whose keys and values are of one type each.
    Hash(Arc<HashType>),
    /// Arrays with a type for each element.
    Tuple(Arc<TupleType>),
    /// Hashes with a type for each key.
    Struct(Arc<StructType>),
    /// One of several types.
    Variant(Variants),
    /// A type, or `undef`.
    Optional(Option<Arc<Type>>),
    /// A type, but not `undef`.
    NotUndef(Option<Arc<Type>>),
    /// Secrets whose content is of a type.
    Sensitive(Arc<Type>),
    /// Types that are assignable to a type.
    Type(Option<Arc<Type>>),
    /// Everything that can be iterated over.
    Iterable(Option<Arc<Type>>),
    /// An iteration in progress.
    Iterator(Option<Arc<Type>>),
    /// Callables: lambdas and functions.
    Callable(Arc<CallableType>),
    /// A class of the reference's runtime, such as Ruby's `Symbol`.
    Runtime(Arc<RuntimeType>),
    /// Bytes.
    Binary,
    /// Points in time, in a range.
    Timestamp(TimeRange),
    /// Lengths of time, in a range.
    Timespan(TimeRange),
    /// Semantic versions, in one of several ranges.
    SemVer(VersionRanges),
    /// Ranges of semantic versions.
    SemVerRange,
    /// URIs.
    Uri,
    /// URIs whose parts match.
    UriOf(Arc<UriType>),
    /// Objects of a type, or of any.
    Object(Option<Arc<ObjectType>>),
    /// Objects of a type whose parameters they match.
    ObjectOf(Arc<ObjectExtension>),
    /// Sets of types, or only one of them.
    TypeSet(Option<Arc<TypeSetType>>),
    /// The values from which a type can be created. Without a type, all values of a catalog.
    Init(Option<Arc<InitType>>),
    /// Resources and classes.
    CatalogEntry,
    /// Classes, or only one of them.
    Class(Option<Str>),
    /// Resources of a type, or a single resource.
    Resource(Arc<ResourceType>),
    /// An undefined name. It has no instances.
    Reference(Str),
    /// A type alias.
    Alias(Alias),
}

/// The constraint of a string type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum StringType {
    /// Any string.
    Any,
    /// A number of characters in a range.
    Size(IntegerRange),
    /// Exactly this string. It results from inference; the language writes it as an `Enum` with one value.
    Value(Str),
}

impl StringType {
    /// Returns the allowed lengths of the strings.
    pub(crate) fn sizes(&self) -> IntegerRange {
        match self {
            StringType::Any => IntegerRange::at_least(0i64),
            StringType::Size(size) => size.clone(),
            StringType::Value(text) => IntegerRange::exactly(text.chars().count()),
        }
    }
}

/// The strings of an `Enum`, sorted, each once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EnumType {
    pub(crate) values: Vec<Str>,
    pub(crate) case_insensitive: bool,
}

impl EnumType {
    /// Returns the strings. There are none for the bare `Enum`.
    pub fn values(&self) -> &[Str] {
        &self.values
    }

    /// Returns whether the case of ASCII letters is ignored.
    pub fn is_case_insensitive(&self) -> bool {
        self.case_insensitive
    }

    /// Returns whether the string is one of the values.
    pub fn contains(&self, text: &str) -> bool {
        if self.case_insensitive {
            self.values.iter().any(|value| value.eq_ignore_ascii_case(text))
        } else {
            self.values.binary_search_by(|value| (**value).cmp(text)).is_ok()
        }
    }

    /// Returns the lengths of the shortest and the longest string; `None` for the bare `Enum`.
    pub(crate) fn sizes(&self) -> Option<IntegerRange> {
        let sizes = || self.values.iter().map(|value| value.chars().count());
        Some(IntegerRange::sizes(sizes().min()?, sizes().max()?))
    }
}

/// The regular expressions of a `Pattern`; empty for the bare type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Patterns(pub(crate) Arc<[Pattern]>);

impl Patterns {
    /// Returns the regular expressions.
    pub fn as_slice(&self) -> &[Pattern] {
        &self.0
    }

    /// Returns whether one of the expressions matches, or there are no expressions.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|pattern| pattern.is_match(text))
    }

    /// Returns whether both contain the same expressions, in any order.
    pub(crate) fn same(&self, other: &Patterns) -> bool {
        self.0.len() == other.0.len() && self.0.iter().all(|pattern| other.0.contains(pattern))
    }
}

/// The ranges of a `SemVer`; empty for the bare type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VersionRanges(pub(crate) Option<Arc<[Range]>>);

impl VersionRanges {
    /// Returns the ranges.
    pub fn as_slice(&self) -> &[Range] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Returns whether the version is in one of the ranges, or there are no ranges.
    pub fn includes(&self, version: &SemVer) -> bool {
        self.as_slice().is_empty() || self.as_slice().iter().any(|range| range.range().includes(version))
    }

    /// Returns whether every range of the other is in one of these.
    pub(crate) fn cover(&self, other: &VersionRanges) -> bool {
        self.as_slice().is_empty()
            || !other.as_slice().is_empty()
                && other
                    .as_slice()
                    .iter()
                    .all(|theirs| self.as_slice().iter().any(|own| theirs.range().is_covered_by(own.range())))
    }
}

/// The types of a `Variant`; empty for the bare type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variants(pub(crate) Arc<[Type]>);

impl Variants {
    /// Returns the types.
    pub fn as_slice(&self) -> &[Type] {
        &self.0
    }
}

/// An array whose elements are all of one type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArrayType {
    pub(crate) element: Type,
    pub(crate) size: Option<IntegerRange>,
}

impl ArrayType {
    /// Returns the type of each element.
    pub fn element(&self) -> &Type {
        &self.element
    }

    /// Returns the allowed numbers of elements, if they are given.
    pub fn size(&self) -> Option<&IntegerRange> {
        self.size.as_ref()
    }
}

/// A hash whose keys and values are of one type each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HashType {
    pub(crate) key: Type,
    pub(crate) value: Type,
    pub(crate) size: Option<IntegerRange>,
}

impl HashType {
    /// Returns the type of each key.
    pub fn key(&self) -> &Type {
        &self.key
    }

    /// Returns the type of each value.
    pub fn value(&self) -> &Type {
        &self.value
    }

    /// Returns the allowed numbers of entries, if they are given.
    pub fn size(&self) -> Option<&IntegerRange> {
        self.size.as_ref()
    }

    /// Returns whether this is the type of the empty hash.
    pub(crate) fn is_empty_hash(&self) -> bool {
        self.key == Type::Unit && self.value == Type::Unit && self.size.as_ref().is_some_and(IntegerRange::is_zero)
    }
}

/// An array with a type for each element. With a size, the last type repeats.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TupleType {
    pub(crate) types: Vec<Type>,
    pub(crate) size: Option<IntegerRange>,
}

impl TupleType {
    /// Returns the types, in the order of the elements; empty for the bare `Tuple`.
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// Returns the allowed numbers of elements, if they are given.
    pub fn size(&self) -> Option<&IntegerRange> {
        self.size.as_ref()
    }

    /// Returns the type of the element at an index. The last type repeats.
    pub(crate) fn at(&self, index: usize) -> Option<&Type> {
        self.types.get(index).or(self.types.last())
    }

    /// Returns the allowed numbers of elements, given or derived from the types.
    pub(crate) fn sizes(&self) -> IntegerRange {
        match &self.size {
            Some(size) => size.clone(),
            None if self.types.is_empty() => IntegerRange::at_least(0i64),
            None => IntegerRange::exactly(self.types.len()),
        }
    }
}

/// A hash with a type for each key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StructType {
    pub(crate) elements: Vec<StructElement>,
}

impl StructType {
    /// Returns the keys; empty for the bare `Struct`.
    pub fn elements(&self) -> &[StructElement] {
        &self.elements
    }

    /// Returns the allowed numbers of entries.
    pub(crate) fn sizes(&self) -> IntegerRange {
        let required = self.elements.iter().filter(|element| !element.key.optional).count();
        IntegerRange::sizes(required, self.elements.len())
    }

    /// Returns the element of a key; the last one if the key is duplicated.
    pub(crate) fn get(&self, name: &str) -> Option<&StructElement> {
        self.elements.iter().rev().find(|element| *element.key.name == *name)
    }
}

/// One key of a `Struct` and the type of its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StructElement {
    /// The key.
    pub key: Key,
    /// The type of its value.
    pub value: Type,
}

/// A key of a `Struct`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The name of the key.
    pub name: Str,
    /// Whether the key may be missing.
    pub optional: bool,
}

impl Key {
    /// Creates a required key.
    pub fn required(name: &str) -> Key {
        Key { name: name.into(), optional: false }
    }

    /// Creates an optional key.
    pub fn optional(name: &str) -> Key {
        Key { name: name.into(), optional: true }
    }

    /// The type of the key itself.
    pub(crate) fn to_type(&self) -> Type {
        let name = Type::String(StringType::Value(self.name.clone()));
        if self.optional { Type::optional(name) } else { name }
    }
}

/// The type of a callable. Parts that are not given are unconstrained.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallableType {
    /// The parameters.
    pub parameters: Option<TupleType>,
    /// The type of the block.
    pub block: Option<Type>,
    /// The return type.
    pub returns: Option<Type>,
}

/// The type of values that a type can be created from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InitType {
    /// The type that is created.
    pub kind: Type,
    /// The arguments that follow the first.
    pub arguments: Vec<Value>,
}

/// A class of the reference's runtime.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RuntimeType {
    /// The name of the runtime, in practice `ruby`.
    pub runtime: Option<Str>,
    /// The name of the class.
    pub name: Option<Str>,
}

/// A type of resources, or one resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResourceType {
    /// The name of the type, with capital letters; `None` for `Resource`.
    pub name: Option<Str>,
    /// The title of the one resource.
    pub title: Option<Str>,
}

/// Access to the structure of types.
impl Type {
    /// Returns whether this is the `Array` without parameters.
    pub(crate) fn is_bare_array(array: &ArrayType) -> bool {
        array.element == Type::Any && array.size.is_none()
    }

    /// Returns whether this is the `Hash` without parameters.
    pub(crate) fn is_bare_hash(hash: &HashType) -> bool {
        hash.key == Type::Any && hash.value == Type::Any && hash.size.is_none()
    }

    /// Returns the type that an alias names; every other type is returned unchanged.
    pub fn resolved(&self) -> &Type {
        let mut resolved = self;
        // Resolved aliases always lead to a type. The counter only guards unresolved ones.
        for _ in 0..1000 {
            match resolved {
                Type::Alias(alias) => resolved = alias.resolved(),
                _ => break,
            }
        }
        resolved
    }

    /// The type inside of a type that wraps one.
    pub(crate) fn contained(&self) -> Option<&Type> {
        match self {
            Type::Optional(inner)
            | Type::NotUndef(inner)
            | Type::Type(inner)
            | Type::Iterable(inner)
            | Type::Iterator(inner) => inner.as_deref(),
            Type::Sensitive(inner) => Some(inner),
            _ => None,
        }
    }

    /// Visits the direct parts of this type. The type that an alias names is not a part of it.
    pub(crate) fn for_each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Type)) {
        match self {
            Type::Array(array) => visit(&array.element),
            Type::Hash(hash) => {
                visit(&hash.key);
                visit(&hash.value);
            }
            Type::Tuple(tuple) => tuple.types.iter().for_each(visit),
            Type::Struct(structure) => structure.elements.iter().for_each(|element| visit(&element.value)),
            Type::Variant(variants) => variants.as_slice().iter().for_each(visit),
            Type::Callable(callable) => {
                let parameters = callable.parameters.iter().flat_map(|tuple| &tuple.types);
                parameters.chain(&callable.block).chain(&callable.returns).for_each(visit);
            }
            Type::Object(Some(object)) => {
                object.parent.iter().for_each(&mut *visit);
                let attributes = object.type_parameters.iter().chain(&object.attributes);
                attributes.map(|one| &one.value_type).for_each(&mut *visit);
                object.functions.iter().map(|one| &one.callable).for_each(visit);
            }
            Type::TypeSet(Some(set)) => set.types().map(|(_, kind)| kind).for_each(visit),
            Type::Init(Some(init)) => visit(&init.kind),
            other => other.contained().into_iter().for_each(visit),
        }
    }
}
