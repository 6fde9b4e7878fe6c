//! [`Type::is_assignable`] checks whether every value of one type is a value of another.
//!
//! Every relation here goes from the wide type to the narrow one: `wide.is_assignable(&narrow)` asks whether a variable
//! of the type `wide` can hold every value of the type `narrow`. So `Scalar` accepts `Integer`, and `Integer[0]`
//! accepts `Integer[1, 5]`, but not vice versa. Functions take the wide type first.
//!
//! One relation is reversed: the parameters and the block of a `Callable`, because a caller passes values to the narrow
//! type that fit the wide one.

use crate::alias::Alias;
use crate::check::Check;
use crate::range::{FloatRange, IntegerRange};
use crate::types::{
    ArrayType, CallableType, EnumType, HashType, Patterns, ResourceType, RuntimeType, StringType, StructType,
    TupleType, Type,
};

impl Type {
    /// Returns whether every value of the narrow type is a value of this one, the wide type.
    ///
    /// ```
    /// use hieratic_puppet_types::parse;
    /// let wide = parse("Variant[Integer, Array[Scalar]]").unwrap();
    /// let narrow = parse("Tuple[Integer, String]").unwrap();
    /// assert!(wide.is_assignable(&narrow));
    /// assert!(!narrow.is_assignable(&wide));
    /// assert!(!wide.is_assignable(&parse("Optional[Integer]").unwrap()));
    /// ```
    pub fn is_assignable(&self, narrow: &Type) -> bool {
        self.is_assignable_in(narrow, &Check::default())
    }

    /// As [`Type::is_assignable`], as a part of a check.
    pub(crate) fn is_assignable_in(&self, narrow: &Type, check: &Check<'_>) -> bool {
        assignable(self, narrow, Guarded { guard: None, check })
    }
}

/// Returns whether `undef` is a value of the type.
pub(crate) fn accepts_undef(wide: &Type, check: &Check<'_>) -> bool {
    wide.is_assignable_in(&Type::Undef, check)
}

/// The recursive aliases that are being compared, so that comparing recursive types terminates.
///
/// This follows the reference's guard step by step, because inferred types depend on its result: once an alias has been
/// reached twice on either side, all further aliases are assumed to fit.
#[derive(Default)]
struct Guard {
    /// The aliases in the wide type.
    wide_aliases: Vec<Alias>,
    /// The aliases in the narrow type.
    narrow_aliases: Vec<Alias>,
    wide_recursion: bool,
    narrow_recursion: bool,
    /// The number of comparisons of aliases so far.
    compared: u32,
}

impl Guard {
    fn is_closed(&self) -> bool {
        self.wide_recursion && self.narrow_recursion
    }
}

/// The maximum number of comparisons of recursive aliases for one answer. Types that need more are not assignable.
const MAX_COMPARISONS: u32 = 200_000;

/// A comparison in progress.
struct Guarded<'a> {
    /// `None` until a recursive alias is reached.
    guard: Option<&'a mut Guard>,
    check: &'a Check<'a>,
}

impl<'a> Guarded<'a> {
    /// Returns a guard for one of several parts.
    fn part(&mut self) -> Guarded<'_> {
        Guarded { guard: self.guard.as_deref_mut(), check: self.check }
    }
}

const AT_LEAST_ZERO: fn() -> IntegerRange = || IntegerRange::at_least(0i64);

/// Returns whether every value of `narrow` is a value of `wide`. All helpers have this direction: the left or first
/// operand is the one that must be wide enough.
fn assignable(wide: &Type, narrow: &Type, within: Guarded<'_>) -> bool {
    match wide {
        Type::Unit => return true,
        Type::Variant(variants) if variants.as_slice().is_empty() => {
            return matches!(narrow.resolved(), Type::Variant(_) | Type::Unit);
        }
        Type::Alias(alias) if alias.is_recursive() => {
            let mut new = Guard::default();
            let Guarded { guard, check } = within;
            let guard = guard.unwrap_or(&mut new);
            guard.compared += 1;
            if guard.compared > MAX_COMPARISONS || !check.charge_comparison() {
                return false;
            }
            if !guard.wide_recursion {
                if guard.wide_aliases.contains(alias) {
                    guard.wide_recursion = true;
                } else {
                    guard.wide_aliases.push(alias.clone());
                    let holds =
                        guard.is_closed() || unwrapped(wide, narrow, Guarded { guard: Some(&mut *guard), check });
                    guard.wide_recursion = false;
                    guard.wide_aliases.retain(|known| known != alias);
                    return holds;
                }
            }
            return guard.is_closed() || unwrapped(wide, narrow, Guarded { guard: Some(guard), check });
        }
        _ => {}
    }
    unwrapped(wide, narrow, within)
}

/// Unwraps `narrow` before the rule of `wide` is applied. Every variant of `narrow` must fit `wide`.
fn unwrapped(wide: &Type, narrow: &Type, mut within: Guarded<'_>) -> bool {
    match narrow {
        Type::Unit => true,
        Type::Alias(alias) if alias.is_recursive() => {
            let mut new = Guard::default();
            let Guarded { guard, check } = within;
            let guard = guard.unwrap_or(&mut new);
            if !guard.narrow_recursion {
                if guard.narrow_aliases.contains(alias) {
                    guard.narrow_recursion = true;
                } else {
                    guard.narrow_aliases.push(alias.clone());
                }
            }
            guard.is_closed() || assignable(wide, alias.resolved(), Guarded { guard: Some(guard), check })
        }
        Type::Alias(alias) => assignable(wide, alias.resolved(), within),
        Type::Variant(variants) => match wide {
            Type::Any => true,
            Type::NotUndef(_) if variants.as_slice().is_empty() => accepts(wide, narrow, within),
            _ => {
                !variants.as_slice().is_empty()
                    && variants.as_slice().iter().all(|variant| assignable(wide, variant, within.part()))
            }
        },
        Type::Optional(inner) => {
            assignable(wide, &Type::Undef, within.part())
                && inner.as_ref().is_none_or(|inner| assignable(wide, inner, within))
        }
        Type::NotUndef(Some(inner)) if !accepts_undef(inner, within.check) => assignable(wide, inner, within),
        _ => accepts(wide, narrow, within),
    }
}

/// Applies the rule of `wide` to a `narrow` that has no wrapper. One matching variant of `wide` is enough.
fn accepts(wide: &Type, narrow: &Type, mut within: Guarded<'_>) -> bool {
    match wide {
        Type::Any | Type::Unit => true,
        Type::Alias(alias) => assignable(alias.resolved(), narrow, within.part()),
        Type::Scalar => is_scalar(narrow),
        Type::ScalarData => is_scalar_data(narrow),
        Type::Numeric => match narrow {
            Type::Numeric | Type::Integer(_) => true,
            Type::Float(range) => FloatRange::ALL.includes(range),
            _ => false,
        },
        Type::Integer(range) => matches!(narrow, Type::Integer(narrow) if range.includes(narrow)),
        Type::Float(range) => matches!(narrow, Type::Float(narrow) if range.includes(narrow)),
        Type::Boolean(value) => matches!(narrow, Type::Boolean(narrow) if value.is_none() || value == narrow),
        Type::String(string) => string_accepts(string, narrow),
        Type::Enum(listed) => wide == narrow || enum_accepts(listed, narrow),
        Type::Pattern(patterns) => pattern_accepts(patterns, narrow),
        Type::Regexp(pattern) => matches!(narrow, Type::Regexp(narrow) if pattern.is_none() || pattern == narrow),
        Type::Collection(size) => collection_accepts(size.as_ref(), narrow),
        Type::Array(array) => array_accepts(array, narrow, within.part()),
        Type::Hash(hash) => hash_accepts(hash, narrow, within.part()),
        Type::Tuple(tuple) => wide == narrow || tuple_accepts(tuple, narrow, within.part()),
        Type::Struct(structure) => struct_accepts(structure, narrow, within.part()),
        Type::Variant(variants) => variants.as_slice().iter().any(|variant| assignable(variant, narrow, within.part())),
        Type::Optional(inner) => match (narrow, inner) {
            (Type::Undef, _) | (_, None) => true,
            (_, Some(inner)) => assignable(inner, narrow, within.part()),
        },
        Type::NotUndef(inner) => {
            !assignable(narrow, &Type::Undef, within.part())
                && inner.as_ref().is_none_or(|inner| assignable(inner, narrow, within.part()))
        }
        Type::Sensitive(inner) => {
            matches!(narrow, Type::Sensitive(narrow) if assignable(inner, narrow, within.part()))
        }
        Type::Type(inner) => match (inner, narrow) {
            (None, Type::Type(_)) => true,
            (Some(inner), Type::Type(Some(narrow))) => assignable(inner, narrow, within.part()),
            _ => false,
        },
        Type::Iterable(inner) => match inner {
            Some(inner) if !matches!(inner.resolved(), Type::Any) => {
                element_type(narrow).is_some_and(|element| assignable(inner, &element, within.part()))
            }
            _ => is_iterable(narrow),
        },
        Type::Iterator(inner) => match (inner, narrow) {
            (None, Type::Iterator(_)) => true,
            (Some(inner), Type::Iterator(Some(narrow))) => assignable(inner, narrow, within.part()),
            _ => false,
        },
        Type::Callable(callable) => {
            matches!(narrow, Type::Callable(narrow) if callable_accepts(callable, narrow, within.part()))
        }
        Type::Runtime(runtime) => matches!(narrow, Type::Runtime(narrow) if runtime_accepts(runtime, narrow)),
        Type::CatalogEntry => matches!(narrow, Type::CatalogEntry | Type::Class(_) | Type::Resource(_)),
        Type::Class(name) => matches!(narrow, Type::Class(narrow) if name.is_none() || name == narrow),
        Type::Resource(resource) => {
            matches!(narrow, Type::Resource(narrow) if resource_accepts(resource, narrow))
        }
        Type::Init(None) => assignable(&Type::rich_data(), narrow, within) || matches!(narrow, Type::Init(_)),
        Type::Init(Some(init)) => match narrow {
            Type::Init(narrow) => narrow.as_ref().is_some_and(|narrow| assignable(&init.kind, &narrow.kind, within)),
            narrow => crate::init::accepts_type(init, narrow, within.check),
        },
        Type::Object(wide) => {
            let narrow = match narrow {
                Type::Object(narrow) => narrow.as_ref(),
                Type::ObjectOf(extension) => Some(extension.base()),
                _ => return false,
            };
            wide.as_ref().is_none_or(|wide| narrow.is_some_and(|narrow| wide.includes(narrow)))
        }
        Type::ObjectOf(wide) => match narrow {
            Type::Object(Some(narrow)) => wide.base().includes(narrow) && wide.includes(None, within.check),
            Type::ObjectOf(narrow) => wide.base().includes(narrow.base()) && wide.includes(Some(narrow), within.check),
            _ => false,
        },
        Type::Timestamp(range) => matches!(narrow, Type::Timestamp(narrow) if range.includes(narrow)),
        Type::Timespan(range) => matches!(narrow, Type::Timespan(narrow) if range.includes(narrow)),
        Type::SemVer(ranges) => matches!(narrow, Type::SemVer(narrow) if ranges.cover(narrow)),
        Type::Uri => matches!(narrow, Type::Uri | Type::UriOf(_)),
        Type::UriOf(wide) => matches!(narrow, Type::UriOf(narrow) if wide.includes(narrow, within.check)),
        Type::TypeSet(wide) => {
            matches!(narrow, Type::TypeSet(narrow) if wide.is_none() || wide == narrow)
        }
        Type::Undef | Type::Default | Type::Binary | Type::SemVerRange | Type::Reference(_) => wide == narrow,
    }
}

/// Returns whether every value of `narrow` is a `ScalarData`.
fn is_scalar_data(narrow: &Type) -> bool {
    matches!(
        narrow,
        Type::ScalarData
            | Type::Numeric
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Boolean(_)
            | Type::String(_)
            | Type::Enum(_)
            | Type::Pattern(_)
    )
}

/// Returns whether every value of `narrow` is a `Scalar`.
fn is_scalar(narrow: &Type) -> bool {
    is_scalar_data(narrow)
        || matches!(
            narrow,
            Type::Scalar
                | Type::Regexp(_)
                | Type::SemVer(_)
                | Type::SemVerRange
                | Type::Timespan(_)
                | Type::Timestamp(_)
        )
}

/// Returns whether every value of `narrow` is allowed by `string`.
fn string_accepts(string: &StringType, narrow: &Type) -> bool {
    match (string, narrow) {
        (StringType::Any, Type::String(_) | Type::Enum(_) | Type::Pattern(_)) => true,
        (StringType::Size(size), Type::String(narrow)) => size.includes(&narrow.sizes()),
        (StringType::Size(size), Type::Enum(listed)) => size.includes(&listed.sizes().unwrap_or_else(AT_LEAST_ZERO)),
        (StringType::Size(size), Type::Pattern(_)) => size.includes(&AT_LEAST_ZERO()),
        (StringType::Value(_), Type::String(narrow)) => string == narrow,
        // The reference only checks that there is one string, not which.
        (StringType::Value(_), Type::Enum(listed)) => listed.values().len() == 1 && !listed.is_case_insensitive(),
        _ => false,
    }
}

/// Returns whether every value of `narrow` is a value of `listed`.
fn enum_accepts(listed: &EnumType, narrow: &Type) -> bool {
    if listed.values().is_empty() && matches!(narrow, Type::String(_) | Type::Enum(_) | Type::Pattern(_)) {
        return true;
    }
    match narrow {
        Type::String(StringType::Value(text)) => listed.contains(text),
        Type::Enum(narrow) => {
            !narrow.values().is_empty()
                && (listed.is_case_insensitive() || !narrow.is_case_insensitive())
                && narrow.values().iter().all(|value| listed.contains(value))
        }
        _ => false,
    }
}

/// Returns whether every value of `narrow` matches one of the patterns.
fn pattern_accepts(patterns: &Patterns, narrow: &Type) -> bool {
    match narrow {
        Type::String(StringType::Value(text)) => patterns.is_match(text),
        Type::Enum(listed) if !listed.values().is_empty() => {
            listed.values().iter().all(|value| patterns.is_match(value))
        }
        Type::Pattern(narrow) if patterns.same(narrow) => true,
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) => patterns.as_slice().is_empty(),
        _ => false,
    }
}

/// Returns whether every value of `narrow` is a collection of the given size.
fn collection_accepts(size: Option<&IntegerRange>, narrow: &Type) -> bool {
    let narrow_size = match narrow {
        Type::Collection(size) => size.clone(),
        Type::Array(array) => array.size.clone(),
        Type::Hash(hash) => hash.size.clone(),
        Type::Tuple(tuple) => Some(tuple.size.clone().unwrap_or_else(|| IntegerRange::exactly(tuple.types.len()))),
        Type::Struct(structure) => Some(IntegerRange::exactly(structure.elements.len())),
        _ => return false,
    };
    includes(size, narrow_size.as_ref())
}

/// Returns whether every size in `narrow` is in `wide`. A missing size is any size.
fn includes(wide: Option<&IntegerRange>, narrow: Option<&IntegerRange>) -> bool {
    let any = AT_LEAST_ZERO();
    wide.unwrap_or(&any).includes(narrow.unwrap_or(&any))
}

/// Returns whether every value of `narrow` is an array of this type.
fn array_accepts(array: &ArrayType, narrow: &Type, mut within: Guarded<'_>) -> bool {
    match narrow {
        Type::Tuple(tuple) => {
            collection_accepts(array.size.as_ref(), narrow)
                && tuple.types.iter().all(|element| assignable(&array.element, element, within.part()))
        }
        Type::Array(narrow_array) => {
            includes(array.size.as_ref(), narrow_array.size.as_ref())
                && assignable(&array.element, &narrow_array.element, within)
        }
        _ => false,
    }
}

/// Returns whether every value of `narrow` is a hash of this type.
fn hash_accepts(hash: &HashType, narrow: &Type, mut within: Guarded<'_>) -> bool {
    match narrow {
        Type::Hash(narrow_hash) => {
            let may_be_empty = hash.size.as_ref().is_none_or(|size| size.from() == Some(&0i64.into()));
            may_be_empty && narrow_hash.is_empty_hash()
                || assignable(&hash.key, &narrow_hash.key, within.part())
                    && assignable(&hash.value, &narrow_hash.value, within.part())
                    && includes(hash.size.as_ref(), narrow_hash.size.as_ref())
        }
        Type::Struct(structure) => {
            hash.size.as_ref().is_none_or(|size| size.contains_size(structure.elements.len()))
                && structure.elements.iter().all(|element| {
                    hash.key.holds(&element.key.name.clone().into(), within.check)
                        && assignable(&hash.value, &element.value, within.part())
                })
        }
        _ => false,
    }
}

/// Returns whether every value of `narrow` is a tuple of this type: each element must fit the type at its index.
fn tuple_accepts(tuple: &TupleType, narrow: &Type, mut within: Guarded<'_>) -> bool {
    let sizes = tuple.sizes();
    match narrow {
        Type::Tuple(narrow_tuple) => {
            if !sizes.includes(&narrow_tuple.sizes()) {
                return false;
            }
            if tuple.types.is_empty() {
                return true;
            }
            if narrow_tuple.types.is_empty() {
                return sizes.from() == Some(&0i64.into());
            }
            narrow_tuple
                .types
                .iter()
                .enumerate()
                .all(|(index, element)| tuple.at(index).is_some_and(|wide| assignable(wide, element, within.part())))
        }
        Type::Array(array) => {
            let size = array.size.clone().unwrap_or_else(AT_LEAST_ZERO);
            if !sizes.includes(&size) {
                return false;
            }
            // Only as many types are compared as the array can have elements.
            let reachable = tuple.types.iter().enumerate();
            reachable
                .take_while(|(index, _)| size.to().is_none_or(|to| *to > (*index).into()))
                .all(|(_, wide)| assignable(wide, &array.element, within.part()))
        }
        _ => false,
    }
}

/// Returns whether every value of `narrow` is a hash of this type: all keys must be declared, and each value must fit
/// the type of its key.
fn struct_accepts(structure: &StructType, narrow: &Type, mut within: Guarded<'_>) -> bool {
    match narrow {
        Type::Struct(narrow_struct) => {
            let mut matched = 0;
            let all = structure.elements.iter().all(|element| match narrow_struct.get(&element.key.name) {
                None => element.key.optional,
                Some(narrow_element) => {
                    matched += 1;
                    (element.key.optional || !narrow_element.key.optional)
                        && assignable(&element.value, &narrow_element.value, within.part())
                }
            });
            all && matched == narrow_struct.elements.len()
        }
        Type::Hash(hash) => {
            structure.elements.iter().filter(|element| !element.key.optional).all(|element| {
                assignable(&element.value, &hash.value, within.part())
                    && assignable(&Type::STRING, &hash.key, within.part())
            }) && structure.sizes().includes(&hash.size.clone().unwrap_or_else(AT_LEAST_ZERO))
        }
        _ => false,
    }
}

/// Returns whether every callable of the type `narrow` can be called as one of the type `wide`. Return types are
/// covariant (`narrow` must fit `wide`); parameters and blocks are contravariant.
fn callable_accepts(wide: &CallableType, narrow: &CallableType, mut within: Guarded<'_>) -> bool {
    let returned = |callable: &CallableType| callable.returns.clone().unwrap_or(Type::Any);
    if wide.returns.as_ref().is_some_and(|returns| !assignable(returns, &returned(narrow), within.part())) {
        return false;
    }
    let Some(parameters) = &wide.parameters else { return true };
    let Some(narrow_parameters) = &narrow.parameters else { return false };
    // The arguments for `wide` are passed to `narrow`, so here `narrow` is the wide type.
    let fits = *narrow_parameters == *parameters
        || tuple_accepts(narrow_parameters, &Type::Tuple(parameters.clone().into()), within.part());
    let block = |callable: &CallableType| callable.block.clone().unwrap_or(Type::Undef);
    fits && assignable(&block(narrow), &block(wide), within)
}

/// Returns whether every value of the type `narrow` is a value of the type `wide`.
fn runtime_accepts(wide: &RuntimeType, narrow: &RuntimeType) -> bool {
    (wide.runtime.is_none() || wide.runtime == narrow.runtime) && (wide.name.is_none() || wide.name == narrow.name)
}

/// Returns whether every reference of the type `narrow` is a value of the type `wide`.
fn resource_accepts(wide: &ResourceType, narrow: &ResourceType) -> bool {
    let Some(name) = &wide.name else { return true };
    narrow.name.as_ref().is_some_and(|narrow_name| narrow_name.eq_ignore_ascii_case(name))
        && (wide.title.is_none() || wide.title == narrow.title)
}

/// Returns whether values of the type can be iterated over.
fn is_iterable(kind: &Type) -> bool {
    match kind {
        Type::String(_)
        | Type::Enum(_)
        | Type::Integer(_)
        | Type::Collection(_)
        | Type::Array(_)
        | Type::Hash(_)
        | Type::Tuple(_)
        | Type::Struct(_)
        | Type::Iterable(_)
        | Type::Iterator(_) => true,
        Type::Type(Some(inner)) => match &**inner {
            Type::Enum(_) => true,
            Type::Integer(range) => range.is_finite(),
            _ => false,
        },
        Type::Alias(alias) => is_iterable(alias.resolved()),
        _ => false,
    }
}

/// Returns the element type of an iteration over the type, if it is known.
fn element_type(kind: &Type) -> Option<Type> {
    let pair = |key: Type, value: Type| Type::tuple_of_size([key, value], Some(IntegerRange::exactly(2i64)));
    match kind {
        Type::String(_) | Type::Enum(_) => Some(Type::String(StringType::Size(IntegerRange::exactly(1i64)))),
        Type::Integer(_) => Some(Type::INTEGER),
        Type::Array(array) if array.element == Type::Any => None,
        Type::Array(array) => Some(array.element.clone()),
        Type::Hash(hash) if Type::is_bare_hash(hash) || hash.is_empty_hash() => Some(pair(Type::Unit, Type::Unit)),
        Type::Hash(hash) => Some(pair(hash.key.clone(), hash.value.clone())),
        Type::Struct(structure) if structure.elements.is_empty() => Some(pair(Type::Unit, Type::Unit)),
        Type::Struct(structure) => Some(pair(
            Type::variant(structure.elements.iter().map(|element| element.key.to_type())),
            Type::variant(structure.elements.iter().map(|element| element.value.clone())),
        )),
        Type::Tuple(tuple) => Some(Type::variant(tuple.types.iter().cloned())),
        Type::Iterable(inner) | Type::Iterator(inner) => inner.as_deref().cloned(),
        Type::Type(Some(inner)) => match &**inner {
            Type::Enum(_) => Some((**inner).clone()),
            Type::Integer(range) if range.is_finite() => Some((**inner).clone()),
            _ => None,
        },
        Type::Alias(alias) => element_type(alias.resolved()),
        _ => None,
    }
}
