//! [`Type::is_assignable`]: whether every value of one type is a value of another.
//!
//! Every relation here goes from the wide type to the narrow one: `wide.is_assignable(&narrow)` asks whether a variable of the type `wide`
//! can hold every value of the type `narrow`. So `Scalar` accepts `Integer`, and `Integer[0]` accepts `Integer[1, 5]`, but not the other way
//! round. Functions have the wide type first. Parts of it are named `own`, and parts of the narrow one `theirs`.
//!
//! One relation turns around: the parameters and the block of a `Callable`, because a caller passes values to the narrow type that fit the
//! wide one.

use crate::alias::Alias;
use crate::patience;
use crate::range::{FloatRange, IntegerRange};
use crate::types::{
    ArrayType, CallableType, EnumType, HashType, Patterns, ResourceType, RuntimeType, StringType, StructType,
    TupleType, Type,
};

impl Type {
    /// Returns whether every value of the narrow type is a value of this one, the wide type.
    ///
    /// ```
    /// use hieratic_pcore::parse;
    /// let wide = parse("Variant[Integer, Array[Scalar]]").unwrap();
    /// let narrow = parse("Tuple[Integer, String]").unwrap();
    /// assert!(wide.is_assignable(&narrow));
    /// assert!(!narrow.is_assignable(&wide));
    /// assert!(!wide.is_assignable(&parse("Optional[Integer]").unwrap()));
    /// ```
    pub fn is_assignable(&self, narrow: &Type) -> bool {
        assignable(self, narrow, None)
    }
}

/// Returns whether `undef` is a value of the type.
pub(crate) fn accepts_undef(wide: &Type) -> bool {
    wide.is_assignable(&Type::Undef)
}

/// Which recursive aliases are being compared, so that types that speak of themselves come to an end.
///
/// This follows the reference's guard step by step, for its answers show in the types that are inferred: once an alias
/// was met twice on either side, all further aliases are taken to fit.
#[derive(Default)]
struct Guard {
    /// Those met in the wide type.
    own: Vec<Alias>,
    /// Those met in the narrow type.
    theirs: Vec<Alias>,
    own_recursion: bool,
    their_recursion: bool,
    /// The number of comparisons of aliases so far.
    compared: u32,
}

impl Guard {
    fn is_closed(&self) -> bool {
        self.own_recursion && self.their_recursion
    }
}

/// The maximum number of comparisons of recursive aliases for one answer. Types that need more are not assignable.
const MOST_COMPARED: u32 = 200_000;

/// The guard of a comparison; none as long as no recursive alias was met on the way down.
type Guarded<'a> = Option<&'a mut Guard>;

const AT_LEAST_ZERO: fn() -> IntegerRange = || IntegerRange::at_least(0i64);

/// Returns whether every value of `narrow` is a value of `wide`. All helpers have this direction: the left or first
/// operand is the one that must be wide enough.
fn assignable(wide: &Type, narrow: &Type, guard: Guarded<'_>) -> bool {
    match wide {
        Type::Unit => return true,
        Type::Variant(variants) if variants.as_slice().is_empty() => {
            return matches!(narrow.resolved(), Type::Variant(_) | Type::Unit);
        }
        Type::Alias(own) if own.is_recursive() => {
            let mut new = Guard::default();
            let guard = guard.unwrap_or(&mut new);
            guard.compared += 1;
            if guard.compared > MOST_COMPARED || !patience::comparing() {
                return false;
            }
            if !guard.own_recursion {
                if guard.own.contains(own) {
                    guard.own_recursion = true;
                } else {
                    guard.own.push(own.clone());
                    let holds = guard.is_closed() || unwrapped(wide, narrow, Some(guard));
                    guard.own_recursion = false;
                    guard.own.retain(|known| known != own);
                    return holds;
                }
            }
            return guard.is_closed() || unwrapped(wide, narrow, Some(guard));
        }
        _ => {}
    }
    unwrapped(wide, narrow, guard)
}

/// Unwraps `narrow` before the rule of `wide` is applied. Every variant of `narrow` must fit `wide`.
fn unwrapped(wide: &Type, narrow: &Type, mut guard: Guarded<'_>) -> bool {
    match narrow {
        Type::Unit => true,
        Type::Alias(theirs) if theirs.is_recursive() => {
            let mut new = Guard::default();
            let guard = guard.unwrap_or(&mut new);
            if !guard.their_recursion {
                if guard.theirs.contains(theirs) {
                    guard.their_recursion = true;
                } else {
                    guard.theirs.push(theirs.clone());
                }
            }
            guard.is_closed() || assignable(wide, theirs.resolved(), Some(guard))
        }
        Type::Alias(theirs) => assignable(wide, theirs.resolved(), guard),
        Type::Variant(variants) => match wide {
            Type::Any => true,
            Type::NotUndef(_) if variants.as_slice().is_empty() => accepts(wide, narrow, guard),
            _ => {
                !variants.as_slice().is_empty()
                    && variants.as_slice().iter().all(|theirs| assignable(wide, theirs, guard.as_deref_mut()))
            }
        },
        Type::Optional(inner) => {
            assignable(wide, &Type::Undef, guard.as_deref_mut())
                && inner.as_ref().is_none_or(|inner| assignable(wide, inner, guard))
        }
        Type::NotUndef(Some(inner)) if !accepts_undef(inner) => assignable(wide, inner, guard),
        _ => accepts(wide, narrow, guard),
    }
}

/// Applies the rule of `wide` to a `narrow` that has no wrapper. One matching variant of `wide` is enough.
fn accepts(wide: &Type, narrow: &Type, mut guard: Guarded<'_>) -> bool {
    match wide {
        Type::Any | Type::Unit => true,
        Type::Alias(alias) => assignable(alias.resolved(), narrow, guard.as_deref_mut()),
        Type::Scalar => is_scalar(narrow),
        Type::ScalarData => is_scalar_data(narrow),
        Type::Numeric => match narrow {
            Type::Numeric | Type::Integer(_) => true,
            Type::Float(range) => FloatRange::ALL.includes(range),
            _ => false,
        },
        Type::Integer(range) => matches!(narrow, Type::Integer(theirs) if range.includes(theirs)),
        Type::Float(range) => matches!(narrow, Type::Float(theirs) if range.includes(theirs)),
        Type::Boolean(value) => matches!(narrow, Type::Boolean(theirs) if value.is_none() || value == theirs),
        Type::String(string) => string_accepts(string, narrow),
        Type::Enum(listed) => wide == narrow || enum_accepts(listed, narrow),
        Type::Pattern(patterns) => pattern_accepts(patterns, narrow),
        Type::Regexp(pattern) => matches!(narrow, Type::Regexp(theirs) if pattern.is_none() || pattern == theirs),
        Type::Collection(size) => collection_accepts(size.as_ref(), narrow),
        Type::Array(array) => array_accepts(array, narrow, guard.as_deref_mut()),
        Type::Hash(hash) => hash_accepts(hash, narrow, guard.as_deref_mut()),
        Type::Tuple(tuple) => wide == narrow || tuple_accepts(tuple, narrow, guard.as_deref_mut()),
        Type::Struct(structure) => struct_accepts(structure, narrow, guard.as_deref_mut()),
        Type::Variant(variants) => variants.as_slice().iter().any(|own| assignable(own, narrow, guard.as_deref_mut())),
        Type::Optional(inner) => match (narrow, inner) {
            (Type::Undef, _) | (_, None) => true,
            (_, Some(inner)) => assignable(inner, narrow, guard.as_deref_mut()),
        },
        Type::NotUndef(inner) => {
            !assignable(narrow, &Type::Undef, guard.as_deref_mut())
                && inner.as_ref().is_none_or(|inner| assignable(inner, narrow, guard.as_deref_mut()))
        }
        Type::Sensitive(inner) => {
            matches!(narrow, Type::Sensitive(theirs) if assignable(inner, theirs, guard.as_deref_mut()))
        }
        Type::Type(inner) => match (inner, narrow) {
            (None, Type::Type(_)) => true,
            (Some(inner), Type::Type(Some(theirs))) => assignable(inner, theirs, guard.as_deref_mut()),
            _ => false,
        },
        Type::Iterable(inner) => match inner {
            Some(inner) if !matches!(inner.resolved(), Type::Any) => {
                element_type(narrow).is_some_and(|element| assignable(inner, &element, guard.as_deref_mut()))
            }
            _ => is_iterable(narrow),
        },
        Type::Iterator(inner) => match (inner, narrow) {
            (None, Type::Iterator(_)) => true,
            (Some(inner), Type::Iterator(Some(theirs))) => assignable(inner, theirs, guard.as_deref_mut()),
            _ => false,
        },
        Type::Callable(callable) => {
            matches!(narrow, Type::Callable(theirs) if callable_accepts(callable, theirs, guard.as_deref_mut()))
        }
        Type::Runtime(runtime) => matches!(narrow, Type::Runtime(theirs) if runtime_accepts(runtime, theirs)),
        Type::CatalogEntry => matches!(narrow, Type::CatalogEntry | Type::Class(_) | Type::Resource(_)),
        Type::Class(name) => matches!(narrow, Type::Class(theirs) if name.is_none() || name == theirs),
        Type::Resource(resource) => {
            matches!(narrow, Type::Resource(theirs) if resource_accepts(resource, theirs))
        }
        Type::Init(None) => assignable(&Type::rich_data(), narrow, guard) || matches!(narrow, Type::Init(_)),
        Type::Init(Some(init)) => match narrow {
            Type::Init(theirs) => theirs.as_ref().is_some_and(|theirs| assignable(&init.kind, &theirs.kind, guard)),
            narrow => crate::init::accepts(init, narrow),
        },
        Type::Object(own) => {
            let theirs = match narrow {
                Type::Object(theirs) => theirs.as_ref(),
                Type::ObjectOf(extension) => Some(extension.base()),
                _ => return false,
            };
            own.as_ref().is_none_or(|own| theirs.is_some_and(|theirs| own.includes(theirs)))
        }
        Type::ObjectOf(own) => match narrow {
            Type::Object(Some(theirs)) => own.base().includes(theirs) && own.includes(None),
            Type::ObjectOf(theirs) => own.base().includes(theirs.base()) && own.includes(Some(theirs)),
            _ => false,
        },
        Type::Timestamp(range) => matches!(narrow, Type::Timestamp(theirs) if range.includes(theirs)),
        Type::Timespan(range) => matches!(narrow, Type::Timespan(theirs) if range.includes(theirs)),
        Type::SemVer(ranges) => matches!(narrow, Type::SemVer(theirs) if ranges.cover(theirs)),
        Type::Uri => matches!(narrow, Type::Uri | Type::UriOf(_)),
        Type::UriOf(own) => matches!(narrow, Type::UriOf(theirs) if own.includes(theirs)),
        Type::TypeSet(own) => {
            matches!(narrow, Type::TypeSet(theirs) if own.is_none() || own == theirs)
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
        (StringType::Size(size), Type::String(theirs)) => size.includes(&theirs.sizes()),
        (StringType::Size(size), Type::Enum(listed)) => size.includes(&listed.sizes().unwrap_or_else(AT_LEAST_ZERO)),
        (StringType::Size(size), Type::Pattern(_)) => size.includes(&AT_LEAST_ZERO()),
        (StringType::Value(_), Type::String(theirs)) => string == theirs,
        // The reference asks only whether there is one string, not which.
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
        Type::Enum(theirs) => {
            !theirs.values().is_empty()
                && (listed.is_case_insensitive() || !theirs.is_case_insensitive())
                && theirs.values().iter().all(|value| listed.contains(value))
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
        Type::Pattern(theirs) if patterns.same(theirs) => true,
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) => patterns.as_slice().is_empty(),
        _ => false,
    }
}

/// Returns whether every value of `narrow` is a collection of the given size.
fn collection_accepts(size: Option<&IntegerRange>, narrow: &Type) -> bool {
    let theirs = match narrow {
        Type::Collection(size) => size.clone(),
        Type::Array(array) => array.size.clone(),
        Type::Hash(hash) => hash.size.clone(),
        Type::Tuple(tuple) => Some(tuple.size.clone().unwrap_or_else(|| IntegerRange::exactly(tuple.types.len()))),
        Type::Struct(structure) => Some(IntegerRange::exactly(structure.elements.len())),
        _ => return false,
    };
    includes(size, theirs.as_ref())
}

/// Returns whether every size in `theirs` is in `own`. A missing size is any size.
fn includes(own: Option<&IntegerRange>, theirs: Option<&IntegerRange>) -> bool {
    let any = AT_LEAST_ZERO();
    own.unwrap_or(&any).includes(theirs.unwrap_or(&any))
}

/// Returns whether every value of `narrow` is an array of this type.
fn array_accepts(array: &ArrayType, narrow: &Type, mut guard: Guarded<'_>) -> bool {
    match narrow {
        Type::Tuple(tuple) => {
            collection_accepts(array.size.as_ref(), narrow)
                && tuple.types.iter().all(|theirs| assignable(&array.element, theirs, guard.as_deref_mut()))
        }
        Type::Array(theirs) => {
            includes(array.size.as_ref(), theirs.size.as_ref()) && assignable(&array.element, &theirs.element, guard)
        }
        _ => false,
    }
}

/// Returns whether every value of `narrow` is a hash of this type.
fn hash_accepts(hash: &HashType, narrow: &Type, mut guard: Guarded<'_>) -> bool {
    match narrow {
        Type::Hash(theirs) => {
            let may_be_empty = hash.size.as_ref().is_none_or(|size| size.from() == Some(&0i64.into()));
            may_be_empty && theirs.is_empty_hash()
                || assignable(&hash.key, &theirs.key, guard.as_deref_mut())
                    && assignable(&hash.value, &theirs.value, guard.as_deref_mut())
                    && includes(hash.size.as_ref(), theirs.size.as_ref())
        }
        Type::Struct(structure) => {
            hash.size.as_ref().is_none_or(|size| size.contains_size(structure.elements.len()))
                && structure.elements.iter().all(|element| {
                    hash.key.is_instance(&element.key.name.clone().into())
                        && assignable(&hash.value, &element.value, guard.as_deref_mut())
                })
        }
        _ => false,
    }
}

/// Returns whether every value of `narrow` is a tuple of this type: each element must fit the type at its index.
fn tuple_accepts(tuple: &TupleType, narrow: &Type, mut guard: Guarded<'_>) -> bool {
    let own = tuple.sizes();
    match narrow {
        Type::Tuple(theirs) => {
            if !own.includes(&theirs.sizes()) {
                return false;
            }
            if tuple.types.is_empty() {
                return true;
            }
            if theirs.types.is_empty() {
                return own.from() == Some(&0i64.into());
            }
            theirs.types.iter().enumerate().all(|(index, element)| {
                tuple.at(index).is_some_and(|own| assignable(own, element, guard.as_deref_mut()))
            })
        }
        Type::Array(theirs) => {
            let size = theirs.size.clone().unwrap_or_else(AT_LEAST_ZERO);
            if !own.includes(&size) {
                return false;
            }
            // Only as many types are compared as the array can have elements.
            let reachable = tuple.types.iter().enumerate();
            reachable
                .take_while(|(index, _)| size.to().is_none_or(|to| *to > (*index).into()))
                .all(|(_, own)| assignable(own, &theirs.element, guard.as_deref_mut()))
        }
        _ => false,
    }
}

/// Returns whether every value of `narrow` is a hash of this type: all keys must be declared, and each value must fit
/// the type of its key.
fn struct_accepts(structure: &StructType, narrow: &Type, mut guard: Guarded<'_>) -> bool {
    match narrow {
        Type::Struct(theirs) => {
            let mut matched = 0;
            let all = structure.elements.iter().all(|element| match theirs.get(&element.key.name) {
                None => element.key.optional,
                Some(their) => {
                    matched += 1;
                    (element.key.optional || !their.key.optional)
                        && assignable(&element.value, &their.value, guard.as_deref_mut())
                }
            });
            all && matched == theirs.elements.len()
        }
        Type::Hash(hash) => {
            structure.elements.iter().filter(|element| !element.key.optional).all(|element| {
                assignable(&element.value, &hash.value, guard.as_deref_mut())
                    && assignable(&Type::STRING, &hash.key, guard.as_deref_mut())
            }) && structure.sizes().includes(&hash.size.clone().unwrap_or_else(AT_LEAST_ZERO))
        }
        _ => false,
    }
}

/// Returns whether every callable of the type `theirs` can be called as one of the type `own`. Return types are
/// covariant (`theirs` must fit `own`); parameters and blocks are contravariant.
fn callable_accepts(own: &CallableType, theirs: &CallableType, mut guard: Guarded<'_>) -> bool {
    let returned = |callable: &CallableType| callable.returns.clone().unwrap_or(Type::Any);
    if own.returns.as_ref().is_some_and(|returns| !assignable(returns, &returned(theirs), guard.as_deref_mut())) {
        return false;
    }
    let Some(parameters) = &own.parameters else { return true };
    let Some(their_parameters) = &theirs.parameters else { return false };
    // The arguments for `own` are passed to `theirs`, so here `theirs` is the wide type.
    let fits = *their_parameters == *parameters
        || tuple_accepts(their_parameters, &Type::Tuple(parameters.clone().into()), guard.as_deref_mut());
    let block = |callable: &CallableType| callable.block.clone().unwrap_or(Type::Undef);
    fits && assignable(&block(theirs), &block(own), guard)
}

/// Returns whether every value of the type `theirs` is a value of the type `own`.
fn runtime_accepts(own: &RuntimeType, theirs: &RuntimeType) -> bool {
    (own.runtime.is_none() || own.runtime == theirs.runtime) && (own.name.is_none() || own.name == theirs.name)
}

/// Returns whether every reference of the type `theirs` is a value of the type `own`.
fn resource_accepts(own: &ResourceType, theirs: &ResourceType) -> bool {
    let Some(name) = &own.name else { return true };
    theirs.name.as_ref().is_some_and(|their| their.eq_ignore_ascii_case(name))
        && (own.title.is_none() || own.title == theirs.title)
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

/// The type of what an iteration over the type gives; none where that is not known.
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
