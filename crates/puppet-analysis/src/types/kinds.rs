//! [`KindSet`]: the kinds of values that a type has. Types whose kinds differ have no value in common.

use hieratic::puppet_types::{StringType, StructElement, Type};

/// A set of kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KindSet(u32);

impl KindSet {
    pub(crate) const NONE: KindSet = KindSet(0);
    pub(crate) const UNDEF: KindSet = KindSet(1);
    pub(crate) const DEFAULT: KindSet = KindSet(1 << 1);
    pub(crate) const BOOLEAN: KindSet = KindSet(1 << 2);
    pub(crate) const INTEGER: KindSet = KindSet(1 << 3);
    pub(crate) const FLOAT: KindSet = KindSet(1 << 4);
    pub(crate) const STRING: KindSet = KindSet(1 << 5);
    pub(crate) const REGEXP: KindSet = KindSet(1 << 6);
    pub(crate) const ARRAY: KindSet = KindSet(1 << 7);
    pub(crate) const HASH: KindSet = KindSet(1 << 8);
    /// Types, references to resources and classes included.
    pub(crate) const TYPE: KindSet = KindSet(1 << 9);
    pub(crate) const SENSITIVE: KindSet = KindSet(1 << 10);
    /// Times, versions, bytes, addresses, objects, blocks and everything else.
    pub(crate) const OTHER: KindSet = KindSet(1 << 11);
    pub(crate) const ALL: KindSet = KindSet((1 << 12) - 1);
    pub(crate) const NUMBER: KindSet = KindSet(KindSet::INTEGER.0 | KindSet::FLOAT.0);

    pub(crate) const fn and(self, other: KindSet) -> KindSet {
        KindSet(self.0 | other.0)
    }

    /// Returns whether every kind is one of the others, and there is one.
    pub(crate) const fn is_within(self, other: KindSet) -> bool {
        self.0 != 0 && self.0 & !other.0 == 0
    }

    pub(crate) const fn meets(self, other: KindSet) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn without(self, other: KindSet) -> KindSet {
        KindSet(self.0 & !other.0)
    }
}

/// The kinds of the values of a type; more than there are where that is not known exactly.
pub(crate) fn kinds_of(kind: &Type) -> KindSet {
    kinds_within(kind, 0)
}

/// The deepest nesting of types that is followed: aliases may refer to themselves.
const DEEPEST: usize = 20;

fn kinds_within(kind: &Type, depth: usize) -> KindSet {
    if depth > DEEPEST {
        return KindSet::ALL;
    }
    let inner = |kind: &Type| kinds_within(kind, depth + 1);
    match kind {
        Type::Undef => KindSet::UNDEF,
        Type::Default => KindSet::DEFAULT,
        Type::Boolean(_) => KindSet::BOOLEAN,
        Type::Integer(_) => KindSet::INTEGER,
        Type::Float(_) => KindSet::FLOAT,
        Type::Numeric => KindSet::NUMBER,
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) => KindSet::STRING,
        Type::Regexp(_) => KindSet::REGEXP,
        Type::Array(_) | Type::Tuple(_) => KindSet::ARRAY,
        Type::Hash(_) | Type::Struct(_) => KindSet::HASH,
        Type::Collection(_) => KindSet::ARRAY.and(KindSet::HASH),
        Type::ScalarData => KindSet::NUMBER.and(KindSet::STRING).and(KindSet::BOOLEAN),
        Type::Scalar => {
            KindSet::NUMBER.and(KindSet::STRING).and(KindSet::BOOLEAN).and(KindSet::REGEXP).and(KindSet::OTHER)
        }
        Type::Type(_) | Type::CatalogEntry | Type::Class(_) | Type::Resource(_) => KindSet::TYPE,
        Type::Sensitive(_) => KindSet::SENSITIVE,
        Type::Optional(Some(kind)) => inner(kind).and(KindSet::UNDEF),
        Type::NotUndef(Some(kind)) => inner(kind).without(KindSet::UNDEF),
        Type::NotUndef(None) => KindSet::ALL.without(KindSet::UNDEF),
        Type::Variant(all) if !all.as_slice().is_empty() => {
            all.as_slice().iter().fold(KindSet::NONE, |kinds, one| kinds.and(inner(one)))
        }
        Type::Alias(_) => inner(kind.resolved()),
        Type::SemVer(_) | Type::SemVerRange | Type::Timestamp(_) | Type::Timespan(_) | Type::Binary => KindSet::OTHER,
        Type::Uri | Type::UriOf(_) | Type::Object(_) | Type::ObjectOf(_) | Type::TypeSet(_) => {
            KindSet::OTHER.and(KindSet::TYPE)
        }
        // Everything else may be anything.
        _ => KindSet::ALL,
    }
}

/// Returns whether a hash that has the required keys of one `Struct` cannot be of the other.
fn has_disjoint_element(own: &[StructElement], others: &[StructElement]) -> bool {
    own.iter().filter(|one| !one.key.optional).any(|one| {
        match others.iter().find(|other| other.key.name == one.key.name) {
            Some(other) => are_disjoint(&one.value, &other.value),
            None => true,
        }
    })
}

/// Returns whether two types certainly have no value in common.
pub(crate) fn are_disjoint(one: &Type, other: &Type) -> bool {
    if let Type::Variant(all) = one.resolved()
        && !all.as_slice().is_empty()
    {
        return all.as_slice().iter().all(|part| are_disjoint(part, other));
    }
    if let Type::Variant(all) = other.resolved()
        && !all.as_slice().is_empty()
    {
        return all.as_slice().iter().all(|part| are_disjoint(one, part));
    }
    if let Type::Optional(Some(inner)) = one.resolved() {
        return are_disjoint(&Type::Undef, other) && are_disjoint(inner, other);
    }
    if let Type::Optional(Some(inner)) = other.resolved() {
        return are_disjoint(one, &Type::Undef) && are_disjoint(one, inner);
    }
    if !kinds_of(one).meets(kinds_of(other)) {
        return true;
    }
    match (one.resolved(), other.resolved()) {
        (Type::Enum(one), Type::Enum(other)) => {
            let is_apart = |text: &hieratic::value::Str| !other.contains(text);
            let is_exact = !one.is_case_insensitive() && !other.is_case_insensitive();
            is_exact && !one.values().is_empty() && !other.values().is_empty() && one.values().iter().all(is_apart)
        }
        (Type::Struct(own), Type::Struct(other)) if !own.elements().is_empty() && !other.elements().is_empty() => {
            has_disjoint_element(own.elements(), other.elements())
                || has_disjoint_element(other.elements(), own.elements())
        }
        (Type::Struct(own), Type::Hash(other)) | (Type::Hash(other), Type::Struct(own)) => {
            let mut required = own.elements().iter().filter(|one| !one.key.optional);
            required.any(|one| {
                are_disjoint(&one.value, other.value())
                    || are_disjoint(&Type::string_value(one.key.name.clone()), other.key())
            })
        }
        (Type::Tuple(own), Type::Array(other)) | (Type::Array(other), Type::Tuple(own)) if own.size().is_none() => {
            own.types().iter().any(|one| are_disjoint(one, other.element()))
        }
        (Type::String(StringType::Value(text)), Type::Enum(other))
        | (Type::Enum(other), Type::String(StringType::Value(text))) => {
            !other.values().is_empty() && !other.contains(text)
        }
        _ => false,
    }
}
