//! The names of values in messages.
//!
//! The names are those of the reference, capitals included: `Undef Value`, `Integer[1, 2]-Type`.
//!
//! ```
//! use hieratic_puppet_types::label;
//! use hieratic_value::Value;
//!
//! assert_eq!(label::with_article(&Value::Undef), "an Undef Value");
//! assert_eq!(label::with_article_capitalized(&Value::from(true)), "A Boolean");
//! ```

use std::borrow::Cow;

use hieratic_value::text::{article, capitalized};
use hieratic_value::{Rich, Value};

use crate::{RegexpValue, SemVerRangeValue, SemVerValue, TimespanValue, TimestampValue, Type, bytes_of};

/// Returns the name of a value.
pub fn for_value(value: &Value) -> Cow<'static, str> {
    Cow::Borrowed(match value {
        Value::Undef => "Undef Value",
        Value::Boolean(_) => "Boolean",
        Value::Integer(_) => "Integer",
        Value::Float(_) => "Float",
        Value::String(_) => "String",
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        Value::Rich(rich) => match &**rich {
            Rich::Default | Rich::Symbol(_) => "Object",
            Rich::Sensitive(_) => "Sensitive",
            Rich::BigInteger(_) => "Integer",
            Rich::Binary(_) => "String",
            Rich::Extended(_) => return extended(value),
        },
    })
}

fn extended(value: &Value) -> Cow<'static, str> {
    if let Some(kind) = Type::of_value(value) {
        return match kind {
            Type::Resource(one) if one.title.is_some() => Cow::Owned(format!("{kind} Resource-Reference")),
            _ => Cow::Owned(format!("{kind}-Type")),
        };
    }
    Cow::Borrowed(if RegexpValue::downcast(value).is_some() {
        "Regexp"
    } else if bytes_of(value).is_some() {
        "Binary"
    } else if TimestampValue::downcast(value).is_some() {
        "Timestamp"
    } else if TimespanValue::downcast(value).is_some() {
        "Timespan"
    } else if SemVerValue::downcast(value).is_some() {
        "Semver"
    } else if value.extended::<SemVerRangeValue>().is_some() {
        "SemverRange"
    } else {
        "Object"
    })
}

/// Returns the name of a value with its article: `an Undef Value`.
pub fn with_article(value: &Value) -> String {
    let label = for_value(value);
    format!("{} {label}", article(&label))
}

/// Returns the name of a value with its article, for the start of a sentence: `An Undef Value`.
pub fn with_article_capitalized(value: &Value) -> String {
    capitalized(with_article(value))
}

#[cfg(test)]
mod tests {
    use hieratic_ruby_regexp::Regexp;
    use hieratic_value::Hash;

    use super::*;
    use crate::{bytes_value, parse};

    #[test]
    fn values_have_the_names_of_the_reference() {
        let regexp = Regexp::new("x").map(RegexpValue::value).unwrap_or_default();
        for (one, expected) in [
            (Value::from(1), "an Integer"),
            (Value::from(1.5), "a Float"),
            (Value::from("a"), "a String"),
            (Value::from(false), "a Boolean"),
            (Value::Undef, "an Undef Value"),
            (Value::from(Vec::new()), "an Array"),
            (Value::from(Hash::default()), "a Hash"),
            (Value::from(Rich::Default), "an Object"),
            (regexp, "a Regexp"),
            (bytes_value(vec![1]), "a Binary"),
            (Value::sensitive(Value::from(1)), "a Sensitive"),
        ] {
            assert_eq!(with_article(&one), expected);
        }
    }

    #[test]
    fn types_are_named_by_their_kind() {
        for (text, expected) in [
            ("String[1]", "A String[1]-Type"),
            ("Integer[1,2]", "An Integer[1, 2]-Type"),
            ("Class[foo]", "A Class[foo]-Type"),
            ("Enum[a,b]", "An Enum['a', 'b']-Type"),
            ("Undef", "An Undef-Type"),
            ("Resource", "A Resource-Type"),
            ("Type[String]", "A Type[String]-Type"),
            ("Struct[{a=>Integer}]", "A Struct[{'a' => Integer}]-Type"),
            ("Resource[file,x]", "A File['x'] Resource-Reference"),
        ] {
            let named = parse(text).ok().map(|kind| with_article_capitalized(&kind.into_value()));
            assert_eq!(named.as_deref(), Some(expected));
        }
    }
}
