//! [`Type::is_assignable`]: whether every value of one type is a value of another.

use crate::alias::Alias;
use crate::patience;
use crate::range::{FloatRange, IntegerRange};
use crate::types::{
    ArrayType, CallableType, EnumType, HashType, Patterns, ResourceType, RuntimeType, StringType, StructType,
    TupleType, Type,
};

impl Type {
    /// Whether every value of the other type is a value of this one.
    ///
    /// ```
    /// use hieratic_pcore::parse;
    /// let wide = parse("Variant[Integer, Array[Scalar]]").unwrap();
    /// assert!(wide.is_assignable(&parse("Tuple[Integer, String]").unwrap()));
    /// assert!(!wide.is_assignable(&parse("Optional[Integer]").unwrap()));
    /// ```
    pub fn is_assignable(&self, other: &Type) -> bool {
        assignable(self, other, None)
    }
}

/// Whether `undef` is a value of the type.
pub(crate) fn accepts_undef(one: &Type) -> bool {
    one.is_assignable(&Type::Undef)
}

/// Which recursive aliases are being compared, so that types that speak of themselves come to an end.
///
/// This follows the reference's guard step by step, for its answers show in the types that are inferred: once an alias
/// was met twice on either side, all further aliases are taken to fit.
#[derive(Default)]
struct Guard {
    own: Vec<Alias>,
    theirs: Vec<Alias>,
    own_recursion: bool,
    their_recursion: bool,
    /// How often an alias was compared.
    compared: u32,
}

impl Guard {
    fn is_closed(&self) -> bool {
        self.own_recursion && self.their_recursion
    }
}

/// How often aliases that speak of themselves may be compared for one answer; types that take more do not fit.
const MOST_COMPARED: u32 = 200_000;

/// The guard of a comparison; none as long as no recursive alias was met on the way down.
type Guarded<'a> = Option<&'a mut Guard>;

const AT_LEAST_ZERO: fn() -> IntegerRange = || IntegerRange::at_least(0i64);

fn assignable(one: &Type, other: &Type, guard: Guarded<'_>) -> bool {
    match one {
        Type::Unit => return true,
        Type::Variant(variants) if variants.as_slice().is_empty() => {
            return matches!(other.resolved(), Type::Variant(_) | Type::Unit);
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
                    let holds = guard.is_closed() || unwrapped(one, other, Some(guard));
                    guard.own_recursion = false;
                    guard.own.retain(|known| known != own);
                    return holds;
                }
            }
            return guard.is_closed() || unwrapped(one, other, Some(guard));
        }
        _ => {}
    }
    unwrapped(one, other, guard)
}

/// Takes away what is wrapped around the other type, then applies the rule of this one.
fn unwrapped(one: &Type, other: &Type, mut guard: Guarded<'_>) -> bool {
    match other {
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
            guard.is_closed() || assignable(one, theirs.resolved(), Some(guard))
        }
        Type::Alias(theirs) => assignable(one, theirs.resolved(), guard),
        Type::Variant(variants) => match one {
            Type::Any => true,
            Type::NotUndef(_) if variants.as_slice().is_empty() => narrow(one, other, guard),
            _ => {
                !variants.as_slice().is_empty()
                    && variants.as_slice().iter().all(|theirs| assignable(one, theirs, guard.as_deref_mut()))
            }
        },
        Type::Optional(inner) => {
            assignable(one, &Type::Undef, guard.as_deref_mut())
                && inner.as_ref().is_none_or(|inner| assignable(one, inner, guard))
        }
        Type::NotUndef(Some(inner)) if !accepts_undef(inner) => assignable(one, inner, guard),
        _ => narrow(one, other, guard),
    }
}

/// The rule of each type, once wrappers on the other side are gone.
fn narrow(one: &Type, other: &Type, mut guard: Guarded<'_>) -> bool {
    match one {
        Type::Any | Type::Unit => true,
        Type::Alias(alias) => assignable(alias.resolved(), other, guard.as_deref_mut()),
        Type::Scalar => is_scalar(other),
        Type::ScalarData => is_scalar_data(other),
        Type::Numeric => match other {
            Type::Numeric | Type::Integer(_) => true,
            Type::Float(range) => FloatRange::ALL.includes(range),
            _ => false,
        },
        Type::Integer(range) => matches!(other, Type::Integer(theirs) if range.includes(theirs)),
        Type::Float(range) => matches!(other, Type::Float(theirs) if range.includes(theirs)),
        Type::Boolean(value) => matches!(other, Type::Boolean(theirs) if value.is_none() || value == theirs),
        Type::String(string) => string_accepts(string, other),
        Type::Enum(listed) => one == other || enum_accepts(listed, other),
        Type::Pattern(patterns) => pattern_accepts(patterns, other),
        Type::Regexp(pattern) => matches!(other, Type::Regexp(theirs) if pattern.is_none() || pattern == theirs),
        Type::Collection(size) => collection_accepts(size.as_ref(), other),
        Type::Array(array) => array_accepts(array, other, guard.as_deref_mut()),
        Type::Hash(hash) => hash_accepts(hash, other, guard.as_deref_mut()),
        Type::Tuple(tuple) => one == other || tuple_accepts(tuple, other, guard.as_deref_mut()),
        Type::Struct(structure) => struct_accepts(structure, other, guard.as_deref_mut()),
        Type::Variant(variants) => variants.as_slice().iter().any(|own| assignable(own, other, guard.as_deref_mut())),
        Type::Optional(inner) => match (other, inner) {
            (Type::Undef, _) | (_, None) => true,
            (_, Some(inner)) => assignable(inner, other, guard.as_deref_mut()),
        },
        Type::NotUndef(inner) => {
            !assignable(other, &Type::Undef, guard.as_deref_mut())
                && inner.as_ref().is_none_or(|inner| assignable(inner, other, guard.as_deref_mut()))
        }
        Type::Sensitive(inner) => {
            matches!(other, Type::Sensitive(theirs) if assignable(inner, theirs, guard.as_deref_mut()))
        }
        Type::Type(inner) => match (inner, other) {
            (None, Type::Type(_)) => true,
            (Some(inner), Type::Type(Some(theirs))) => assignable(inner, theirs, guard.as_deref_mut()),
            _ => false,
        },
        Type::Iterable(inner) => match inner {
            Some(inner) if !matches!(inner.resolved(), Type::Any) => {
                element_type(other).is_some_and(|element| assignable(inner, &element, guard.as_deref_mut()))
            }
            _ => is_iterable(other),
        },
        Type::Iterator(inner) => match (inner, other) {
            (None, Type::Iterator(_)) => true,
            (Some(inner), Type::Iterator(Some(theirs))) => assignable(inner, theirs, guard.as_deref_mut()),
            _ => false,
        },
        Type::Callable(callable) => {
            matches!(other, Type::Callable(theirs) if callable_accepts(callable, theirs, guard.as_deref_mut()))
        }
        Type::Runtime(runtime) => matches!(other, Type::Runtime(theirs) if runtime_accepts(runtime, theirs)),
        Type::CatalogEntry => matches!(other, Type::CatalogEntry | Type::Class(_) | Type::Resource(_)),
        Type::Class(name) => matches!(other, Type::Class(theirs) if name.is_none() || name == theirs),
        Type::Resource(resource) => {
            matches!(other, Type::Resource(theirs) if resource_accepts(resource, theirs))
        }
        Type::Init(None) => assignable(&Type::rich_data(), other, guard) || matches!(other, Type::Init(_)),
        Type::Init(Some(init)) => match other {
            Type::Init(theirs) => theirs.as_ref().is_some_and(|theirs| assignable(&init.kind, &theirs.kind, guard)),
            other => crate::new::init::accepts(init, other),
        },
        Type::Object(own) => {
            let theirs = match other {
                Type::Object(theirs) => theirs.as_ref(),
                Type::ObjectOf(extension) => Some(extension.base()),
                _ => return false,
            };
            own.as_ref().is_none_or(|own| theirs.is_some_and(|theirs| own.includes(theirs)))
        }
        Type::ObjectOf(own) => match other {
            Type::Object(Some(theirs)) => own.base().includes(theirs) && own.includes(None),
            Type::ObjectOf(theirs) => own.base().includes(theirs.base()) && own.includes(Some(theirs)),
            _ => false,
        },
        Type::Timestamp(range) => matches!(other, Type::Timestamp(theirs) if range.includes(theirs)),
        Type::Timespan(range) => matches!(other, Type::Timespan(theirs) if range.includes(theirs)),
        Type::SemVer(ranges) => matches!(other, Type::SemVer(theirs) if ranges.cover(theirs)),
        Type::Uri => matches!(other, Type::Uri | Type::UriOf(_)),
        Type::UriOf(own) => matches!(other, Type::UriOf(theirs) if own.includes(theirs)),
        Type::TypeSet(own) => {
            matches!(other, Type::TypeSet(theirs) if own.is_none() || own == theirs)
        }
        Type::Undef | Type::Default | Type::Binary | Type::SemVerRange | Type::Reference(_) => one == other,
    }
}

fn is_scalar_data(other: &Type) -> bool {
    matches!(
        other,
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

fn is_scalar(other: &Type) -> bool {
    is_scalar_data(other)
        || matches!(
            other,
            Type::Scalar
                | Type::Regexp(_)
                | Type::SemVer(_)
                | Type::SemVerRange
                | Type::Timespan(_)
                | Type::Timestamp(_)
        )
}

fn string_accepts(string: &StringType, other: &Type) -> bool {
    match (string, other) {
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

fn enum_accepts(listed: &EnumType, other: &Type) -> bool {
    if listed.values().is_empty() && matches!(other, Type::String(_) | Type::Enum(_) | Type::Pattern(_)) {
        return true;
    }
    match other {
        Type::String(StringType::Value(text)) => listed.contains(text),
        Type::Enum(theirs) => {
            !theirs.values().is_empty()
                && (listed.is_case_insensitive() || !theirs.is_case_insensitive())
                && theirs.values().iter().all(|value| listed.contains(value))
        }
        _ => false,
    }
}

fn pattern_accepts(patterns: &Patterns, other: &Type) -> bool {
    match other {
        Type::String(StringType::Value(text)) => patterns.is_match(text),
        Type::Enum(listed) if !listed.values().is_empty() => {
            listed.values().iter().all(|value| patterns.is_match(value))
        }
        Type::Pattern(theirs) if patterns.same(theirs) => true,
        Type::String(_) | Type::Enum(_) | Type::Pattern(_) => patterns.as_slice().is_empty(),
        _ => false,
    }
}

fn collection_accepts(size: Option<&IntegerRange>, other: &Type) -> bool {
    let theirs = match other {
        Type::Collection(size) => size.clone(),
        Type::Array(array) => array.size.clone(),
        Type::Hash(hash) => hash.size.clone(),
        Type::Tuple(tuple) => Some(tuple.size.clone().unwrap_or_else(|| IntegerRange::exactly(tuple.types.len()))),
        Type::Struct(structure) => Some(IntegerRange::exactly(structure.elements.len())),
        _ => return false,
    };
    includes(size, theirs.as_ref())
}

/// Compares sizes that may not have been said.
fn includes(own: Option<&IntegerRange>, theirs: Option<&IntegerRange>) -> bool {
    let any = AT_LEAST_ZERO();
    own.unwrap_or(&any).includes(theirs.unwrap_or(&any))
}

fn array_accepts(array: &ArrayType, other: &Type, mut guard: Guarded<'_>) -> bool {
    match other {
        Type::Tuple(tuple) => {
            collection_accepts(array.size.as_ref(), other)
                && tuple.types.iter().all(|theirs| assignable(&array.element, theirs, guard.as_deref_mut()))
        }
        Type::Array(theirs) => {
            includes(array.size.as_ref(), theirs.size.as_ref()) && assignable(&array.element, &theirs.element, guard)
        }
        _ => false,
    }
}

fn hash_accepts(hash: &HashType, other: &Type, mut guard: Guarded<'_>) -> bool {
    match other {
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

fn tuple_accepts(tuple: &TupleType, other: &Type, mut guard: Guarded<'_>) -> bool {
    let own = tuple.sizes();
    match other {
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

fn struct_accepts(structure: &StructType, other: &Type, mut guard: Guarded<'_>) -> bool {
    match other {
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

fn callable_accepts(own: &CallableType, theirs: &CallableType, mut guard: Guarded<'_>) -> bool {
    let returned = |callable: &CallableType| callable.returns.clone().unwrap_or(Type::Any);
    if own.returns.as_ref().is_some_and(|returns| !assignable(returns, &returned(theirs), guard.as_deref_mut())) {
        return false;
    }
    let Some(parameters) = &own.parameters else { return true };
    let Some(their_parameters) = &theirs.parameters else { return false };
    // What is given to the one has to fit the other, so parameters and blocks compare the other way round.
    let fits = *their_parameters == *parameters
        || tuple_accepts(their_parameters, &Type::Tuple(parameters.clone().into()), guard.as_deref_mut());
    let block = |callable: &CallableType| callable.block.clone().unwrap_or(Type::Undef);
    fits && assignable(&block(theirs), &block(own), guard)
}

fn runtime_accepts(own: &RuntimeType, theirs: &RuntimeType) -> bool {
    (own.runtime.is_none() || own.runtime == theirs.runtime) && (own.name.is_none() || own.name == theirs.name)
}

fn resource_accepts(own: &ResourceType, theirs: &ResourceType) -> bool {
    let Some(name) = &own.name else { return true };
    theirs.name.as_ref().is_some_and(|their| their.eq_ignore_ascii_case(name))
        && (own.title.is_none() || own.title == theirs.title)
}

/// Whether values of the type can be iterated over.
fn is_iterable(one: &Type) -> bool {
    match one {
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
fn element_type(one: &Type) -> Option<Type> {
    let pair = |key: Type, value: Type| Type::tuple_of_size([key, value], Some(IntegerRange::exactly(2i64)));
    match one {
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
