//! [`Type::common_type`]: the narrowest known type that two types are assignable to.

use std::collections::BTreeSet;

use hieratic_value::{Str, Value};

use crate::check::Check;
use crate::infer::infer_in;
use crate::types::{ResourceType, StringType, Type};

impl Type {
    /// Returns the narrowest type that both are assignable to by the rules of the reference. `Undef` is ignored.
    ///
    /// ```
    /// use hieratic_puppet_types::parse;
    /// let common = |a, b| parse(a).unwrap().common_type(&parse(b).unwrap()).to_string();
    /// assert_eq!(common("Integer[1, 2]", "Integer[5, 7]"), "Integer[1, 7]");
    /// assert_eq!(common("Integer", "Float"), "Numeric");
    /// assert_eq!(common("File['/a']", "File['/b']"), "File");
    /// assert_eq!(common("Integer", "Array[String]"), "Data");
    /// ```
    pub fn common_type(&self, other: &Type) -> Type {
        self.common_type_in(other, &Check::default())
    }

    /// As [`Type::common_type`], as a part of a check.
    pub(crate) fn common_type_in(&self, other: &Type, check: &Check<'_>) -> Type {
        match (self, other) {
            (Type::Undef, _) => return other.clone(),
            (_, Type::Undef) => return self.clone(),
            (Type::Unit, _) => return other.clone(),
            (_, Type::Unit) => return self.clone(),
            _ if self.is_assignable_in(other, check) => return self.clone(),
            _ if other.is_assignable_in(self, check) => return other.clone(),
            _ => {}
        }
        match (self, other) {
            (Type::Array(a), Type::Array(b)) => Type::array(a.element.common_type_in(&b.element, check)),
            (Type::Hash(a), Type::Hash(b)) => {
                Type::hash(a.key.common_type_in(&b.key, check), a.value.common_type_in(&b.value, check))
            }
            (Type::Class(_), Type::Class(_)) => Type::Class(None),
            (Type::Resource(a), Type::Resource(b)) => {
                let name = a.name.clone().filter(|_| a.name == b.name);
                Type::Resource(ResourceType { name, title: None }.into())
            }
            (Type::Integer(a), Type::Integer(b)) => Type::Integer(a.hull(b)),
            (Type::Float(a), Type::Float(b)) => Type::Float(a.hull(b)),
            (Type::String(a), Type::String(b)) => common_string(a, b),
            (Type::String(a), Type::Enum(b)) | (Type::Enum(b), Type::String(a)) => match a {
                StringType::Value(value) => Type::enumeration(b.values().iter().chain([value]).cloned()),
                _ => Type::enumeration::<Str>([]),
            },
            (Type::Enum(a), Type::Enum(b)) => Type::enumeration(a.values().iter().chain(b.values()).cloned()),
            (Type::Pattern(a), Type::Pattern(b)) => Type::pattern(a.as_slice().iter().chain(b.as_slice()).cloned()),
            (Type::Variant(a), Type::Variant(b)) => Type::variant(a.as_slice().iter().chain(b.as_slice()).cloned()),
            (Type::Regexp(_), Type::Regexp(_)) => Type::Regexp(None),
            (Type::Callable(_), Type::Callable(_)) => Type::Callable(Default::default()),
            _ => common_class(self, other, check),
        }
    }
}

fn common_string(a: &StringType, b: &StringType) -> Type {
    match (a, b) {
        (StringType::Size(a), StringType::Size(b)) => Type::String(StringType::Size(a.hull(b))),
        (StringType::Value(a), StringType::Value(b)) => Type::enumeration([a.clone(), b.clone()]),
        _ => Type::STRING,
    }
}

/// Returns the first of the wide types that both are assignable to.
fn common_class(a: &Type, b: &Type, check: &Check<'_>) -> Type {
    let both = |wide: &Type| wide.is_assignable_in(a, check) && wide.is_assignable_in(b, check);
    for wide in [Type::Numeric, Type::ScalarData, Type::Scalar, Type::data()] {
        if both(&wide) {
            return wide;
        }
    }
    if let (Type::Type(a), Type::Type(b)) = (a, b) {
        return match (a, b) {
            (Some(a), Some(b)) => Type::of_type(a.common_type_in(b, check)),
            (Some(one), None) | (None, Some(one)) => Type::Type(Some(one.clone())),
            (None, None) => Type::Type(None),
        };
    }
    if both(&Type::rich_data()) {
        return Type::rich_data();
    }
    Type::Any
}

/// The common type of many values, in order.
///
/// Strings are collected first and made into a type at the end, for lists of them are long and common.
pub(crate) struct Reduction<'a> {
    check: &'a Check<'a>,
    strings: BTreeSet<Str>,
    memo: Option<Type>,
}

impl<'a> Reduction<'a> {
    pub(crate) fn new(check: &'a Check<'a>) -> Reduction<'a> {
        Reduction { check, strings: BTreeSet::new(), memo: None }
    }

    pub(crate) fn add_value(&mut self, value: &Value) {
        match value {
            Value::String(text) if matches!(self.memo, None | Some(Type::Undef)) => {
                self.strings.insert(text.clone());
            }
            _ => self.add(infer_in(value, self.check)),
        }
    }

    fn add(&mut self, one: Type) {
        // `Undef` adds nothing, so the following strings can still be collected.
        if one == Type::Undef && (self.memo.is_some() || !self.strings.is_empty()) {
            return;
        }
        let memo = self.take();
        self.memo = Some(match memo {
            Some(memo) => memo.common_type_in(&one, self.check),
            None => one,
        });
    }

    fn take(&mut self) -> Option<Type> {
        let strings = std::mem::take(&mut self.strings);
        match strings.len() {
            0 => self.memo.take(),
            1 => strings.into_iter().next().map(Type::string_value),
            _ => Some(Type::enumeration(strings)),
        }
    }

    pub(crate) fn finish(mut self) -> Type {
        self.take().unwrap_or(Type::Undef)
    }
}
