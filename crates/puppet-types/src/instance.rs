//! [`Type::is_instance`] checks whether a value is of a type.

use hieratic_budget::{Budget, Exhausted};
use hieratic_value::{Rich, Value};

use crate::check::Check;
use crate::infer::{Shape, infer_in, shape};
use crate::range::Int;
use crate::types::{Patterns, StringType, Type};

impl Type {
    /// Returns whether the value is an instance of this type.
    ///
    /// ```
    /// use hieratic_puppet_types::parse;
    /// use hieratic_value::Value;
    /// let port = parse("Variant[Integer[1, 65535], Pattern[/^[a-z]+$/]]").unwrap();
    /// assert!(port.is_instance(&Value::from(8080)));
    /// assert!(port.is_instance(&Value::from("http")));
    /// assert!(!port.is_instance(&Value::from(0)));
    /// ```
    pub fn is_instance(&self, value: &Value) -> bool {
        self.holds(value, &Check::default())
    }

    /// Like [`Type::is_instance`], but charges the budget one step for each part of the type and of the value.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn is_instance_within(&self, value: &Value, budget: &Budget) -> Result<bool, Exhausted> {
        let check = Check::within(budget);
        let answer = self.holds(value, &check);
        match check.exhausted() {
            Some(exhausted) => Err(exhausted),
            None => Ok(answer),
        }
    }

    /// As [`Type::is_instance`], as a part of a check.
    pub(crate) fn holds(&self, value: &Value, check: &Check<'_>) -> bool {
        if !check.charge_part() {
            return false;
        }
        let shape = shape(value);
        match self {
            Type::Any | Type::Unit => true,
            Type::Undef => matches!(shape, Shape::Undef),
            Type::Default => matches!(shape, Shape::Default),
            Type::Scalar => {
                is_scalar_data(&shape)
                    || matches!(
                        shape,
                        Shape::Regexp(_)
                            | Shape::Version(_)
                            | Shape::VersionRange
                            | Shape::Timespan(_)
                            | Shape::Timestamp(_)
                    )
            }
            Type::ScalarData => is_scalar_data(&shape),
            Type::Numeric => match shape {
                Shape::Integer(_) => true,
                Shape::Float(number) => !number.is_nan(),
                _ => false,
            },
            Type::Integer(range) => matches!(shape, Shape::Integer(number) if range.contains(&number)),
            Type::Float(range) => matches!(shape, Shape::Float(number) if range.contains(number)),
            Type::Boolean(expected) => {
                matches!(shape, Shape::Boolean(truth) if expected.is_none_or(|expected| expected == truth))
            }
            Type::String(expected) => match (shape, expected) {
                (Shape::Text(_), StringType::Any) => true,
                (Shape::Text(text), StringType::Size(size)) => size.contains_size(text.chars().count()),
                (Shape::Text(text), StringType::Value(value)) => *text == **value,
                _ => false,
            },
            Type::Enum(listed) => matches!(shape, Shape::Text(text) if listed.contains(&text)),
            Type::Pattern(patterns) => matches!(shape, Shape::Text(text) if check.matches(patterns, &text)),
            Type::Collection(size) => {
                let length = match value {
                    Value::Array(elements) => elements.len(),
                    Value::Hash(hash) => hash.len(),
                    _ => return false,
                };
                size.as_ref().is_none_or(|size| size.contains_size(length))
            }
            Type::Array(array) => value.as_array().is_some_and(|elements| {
                array.size.as_ref().is_none_or(|size| size.contains_size(elements.len()))
                    && elements.iter().all(|element| array.element.holds(element, check))
            }),
            Type::Hash(expected) => value.as_hash().is_some_and(|hash| {
                expected.size.as_ref().is_none_or(|size| size.contains_size(hash.len()))
                    && hash.iter().all(|(k, v)| expected.key.holds(k, check) && expected.value.holds(v, check))
            }),
            Type::Tuple(tuple) => value.as_array().is_some_and(|elements| {
                let size = match &tuple.size {
                    Some(size) => size.contains_size(elements.len()),
                    None => tuple.types.is_empty() || tuple.types.len() == elements.len(),
                };
                size && elements
                    .iter()
                    .enumerate()
                    .all(|(index, element)| tuple.at(index).is_none_or(|one| one.holds(element, check)))
            }),
            Type::Struct(structure) => value.as_hash().is_some_and(|hash| {
                let mut matched = 0;
                structure.elements.iter().all(|element| match hash.get(&element.key.name) {
                    None => element.key.optional,
                    Some(value) => {
                        matched += 1;
                        element.value.holds(value, check)
                    }
                }) && matched == hash.len()
            }),
            Type::Variant(variants) => variants.as_slice().iter().any(|one| one.holds(value, check)),
            Type::Optional(inner) => {
                matches!(shape, Shape::Undef) || inner.as_ref().is_some_and(|inner| inner.holds(value, check))
            }
            Type::NotUndef(inner) => {
                !matches!(shape, Shape::Undef) && inner.as_ref().is_none_or(|inner| inner.holds(value, check))
            }
            Type::Sensitive(inner) => matches!(shape, Shape::Sensitive(secret) if inner.holds(secret, check)),
            Type::Iterable(inner) => match inner {
                Some(inner) if !matches!(inner.resolved(), Type::Any) => {
                    self.is_assignable_in(&infer_in(value, check), check)
                }
                _ => match shape {
                    Shape::Text(_) | Shape::Array | Shape::Hash => true,
                    Shape::Integer(number) => number >= Int::from(0i64),
                    Shape::Kind(kind) => is_iterable_kind(kind),
                    Shape::Opaque(opaque) => matches!(opaque.kind, Type::Iterator(_)),
                    _ => false,
                },
            },
            Type::Init(None) => is_rich_data(value),
            Type::Init(Some(init)) => crate::init::accepts_value(init, value, check),
            Type::Runtime(_) => self.is_assignable_in(&infer_in(value, check), check),
            Type::Alias(alias) => match alias.resolved() {
                rich if *alias == crate::Alias::RICH_DATA || *rich == Type::rich_data() => is_rich_data(value),
                resolved if alias.is_recursive() => check.memoized(resolved, value, || resolved.holds(value, check)),
                resolved => resolved.holds(value, check),
            },
            Type::Regexp(None) => matches!(shape, Shape::Regexp(_)),
            Type::Regexp(Some(pattern)) => matches!(shape, Shape::Regexp(regexp) if pattern.regexp() == regexp),
            Type::Type(inner) => {
                matches!(shape, Shape::Kind(kind) if inner.as_ref().is_none_or(|inner| inner.is_assignable_in(kind, check)))
            }
            Type::Callable(_) | Type::Iterator(_) => {
                matches!(shape, Shape::Opaque(opaque) if self.is_assignable_in(&opaque.kind, check))
            }
            Type::Binary => matches!(shape, Shape::Bytes(_)),
            // In the reference a type is an object, too.
            Type::Object(None) => matches!(shape, Shape::Object(_) | Shape::Kind(_)),
            Type::Object(kind) => {
                matches!(shape, Shape::Object(object) if kind.as_ref().is_none_or(|kind| kind.includes(&object.kind)))
            }
            Type::ObjectOf(extension) => {
                matches!(shape, Shape::Object(object) if extension.matches_object(object, check))
            }
            Type::TypeSet(_) => matches!(shape, Shape::Kind(Type::TypeSet(_))),
            Type::Timestamp(range) => matches!(shape, Shape::Timestamp(moment) if range.contains(moment.nanoseconds())),
            Type::Timespan(range) => matches!(shape, Shape::Timespan(span) if range.contains(span.nanoseconds())),
            Type::SemVer(ranges) => matches!(shape, Shape::Version(version) if ranges.includes(version)),
            Type::SemVerRange => matches!(shape, Shape::VersionRange),
            Type::Uri => matches!(shape, Shape::Uri(_)),
            Type::UriOf(own) => matches!(shape, Shape::Uri(uri) if own.matches_uri(uri, check)),
            Type::CatalogEntry | Type::Class(_) | Type::Resource(_) | Type::Reference(_) => false,
        }
    }
}

impl Check<'_> {
    /// Returns whether one of the expressions matches. A search that exceeds its limit does not match.
    fn matches(&self, patterns: &Patterns, text: &str) -> bool {
        let Some(budget) = self.budget() else { return patterns.is_match(text) };
        let patterns = patterns.as_slice();
        patterns.is_empty()
            || patterns.iter().any(|pattern| {
                let found = self.charge_part().then(|| pattern.regexp().is_match_within(text, budget));
                if let Some(Err(given_up)) = &found
                    && let Some(exhausted) = given_up.exhausted()
                {
                    self.exhaust(exhausted);
                }
                found.is_some_and(|found| found.unwrap_or(false))
            })
    }
}

fn is_scalar_data(shape: &Shape<'_>) -> bool {
    matches!(shape, Shape::Boolean(_) | Shape::Integer(_) | Shape::Float(_) | Shape::Text(_))
}

/// Returns whether a type that is used as a value is iterable: over its integers or its strings.
fn is_iterable_kind(kind: &Type) -> bool {
    match kind.resolved() {
        Type::Enum(_) => true,
        Type::Integer(range) => range.is_finite(),
        _ => false,
    }
}

/// Returns whether the value is of type `RichData`, as every lookup result must be.
///
/// This does not build the type. Symbols are not rich data, nor are hashes with keys other than strings and numbers.
/// The time is linear in the number of distinct parts, even if parts are shared.
///
/// ```
/// use hieratic_puppet_types::is_rich_data;
/// use hieratic_value::{Hash, Rich, Value};
/// let hash: Hash = [(Value::from(true), Value::from(1))].into_iter().collect();
/// assert!(is_rich_data(&Value::from(vec![Value::Undef, Value::from(1.5)])));
/// assert!(!is_rich_data(&Value::from(hash)));
/// assert!(!is_rich_data(&Value::from(Rich::Symbol("name".into()))));
/// ```
pub fn is_rich_data(value: &Value) -> bool {
    /// The number of containers that are visited before visited ones are remembered.
    const UNTRACKED_CONTAINERS: usize = 4096;
    let mut containers = 0;
    let mut seen = hieratic_value::collections::HashSet::default();
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        let address = match value {
            Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => continue,
            Value::Array(elements) => elements.as_ptr().cast::<()>(),
            Value::Hash(hash) => std::ptr::from_ref(hash.as_map()).cast::<()>(),
            Value::Rich(rich) => match (&**rich, shape(value)) {
                (_, Shape::Default | Shape::Undef) => continue,
                (Rich::Sensitive(_) | Rich::BigInteger(_) | Rich::Binary(_) | Rich::Default, _) => continue,
                (Rich::Extended(_), Shape::Opaque(_) | Shape::Foreign(_)) => return false,
                (Rich::Extended(_), _) => continue,
                (Rich::Symbol(_), _) => return false,
            },
        };
        containers += 1;
        if containers > UNTRACKED_CONTAINERS && !seen.insert(address) {
            continue;
        }
        match value {
            Value::Array(elements) => waiting.extend(elements.iter().filter(|element| !is_plain(element))),
            Value::Hash(hash) => {
                for (key, value) in hash {
                    if !matches!(key, Value::String(_)) && !is_rich_key(key) {
                        return false;
                    }
                    if !is_plain(value) {
                        waiting.push(value);
                    }
                }
            }
            _ => {}
        }
    }
    true
}

/// Returns whether the value is rich data without a look into containers.
fn is_plain(value: &Value) -> bool {
    matches!(value, Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::String(_))
}

/// Returns whether the value is of type `RichDataKey`.
fn is_rich_key(key: &Value) -> bool {
    match shape(key) {
        Shape::Text(_) | Shape::Integer(_) => true,
        Shape::Float(number) => !number.is_nan(),
        _ => false,
    }
}
