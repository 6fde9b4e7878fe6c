//! How messages name things: nodes of the tree, and values.
//!
//! The names are those of the reference, capitals and all: `'[]' expression`, `Host Class Definition`, `Undef Value`,
//! `Integer[1, 2]-Type`.
//!
//! ```
//! use hieratic_checker::label;
//! use hieratic_value::Value;
//!
//! assert_eq!(label::value_with_article(&Value::Undef), "an Undef Value");
//! assert_eq!(label::with_article_of_value_capitalized(&Value::from(true)), "A Boolean");
//! ```

use std::borrow::Cow;

use hieratic_pcore::{RegexpValue, SemVerRangeValue, SemVerValue, TimespanValue, TimestampValue, Type, bytes_of};
use hieratic_syntax::ast::{Expr, Node};
use hieratic_value::{Rich, Value};

/// What a node is called.
pub fn of(expr: &Expr) -> Cow<'static, str> {
    let operator = |symbol: &str| Cow::Owned(format!("'{symbol}' expression"));
    Cow::Borrowed(match &expr.node {
        Node::Nop => "Nop Expression",
        Node::Literal(value) => return literal(value),
        Node::Integer { .. } => "Literal Integer",
        Node::Regexp(_) => "Regular Expression",
        Node::Name(_) => "Name",
        Node::Reference(_) => "Type-Name",
        Node::Reserved { word, .. } => return Cow::Owned(format!("Reserved Word '{word}'")),
        Node::Variable(_) => "Variable",
        Node::Concatenated(_) => "Double Quoted String",
        Node::Text(_) => "Expression in Interpolated String",
        Node::Heredoc { syntax, .. } => {
            return Cow::Owned(format!("'@({})' expression", syntax.as_deref().unwrap_or_default()));
        }
        Node::List(_) => "Array Expression",
        Node::Hash(_) => "Hash Expression",
        Node::Parenthesized(_) => "Parenthesized Expression",
        Node::Not(_) => "'not' expression",
        Node::Minus(_) => "Unary Minus",
        Node::Unfold(_) => "Unfold",
        Node::Arithmetic(one, ..) => return operator(one.symbol()),
        Node::Comparison(one, ..) => return operator(one.symbol()),
        Node::Match { negated, .. } => return operator(if *negated { "!~" } else { "=~" }),
        Node::In(..) => "'in' expression",
        Node::And(..) => "'and' expression",
        Node::Or(..) => "'or' expression",
        Node::Assign(one, ..) => return operator(one.symbol()),
        Node::Relationship(one, ..) => return operator(one.symbol()),
        Node::Access { .. } => "'[]' expression",
        Node::NamedAccess(..) => "'.' expression",
        Node::Call(_) => "Function Call",
        Node::Method(_) => "Method call",
        Node::Block(_) => "Block Expression",
        Node::If(_) => "'if' statement",
        Node::Unless(_) => "'unless' Statement",
        Node::Case(_) => "'case' statement",
        Node::Selector(..) => "Selector Expression",
        Node::Lambda(_) => "Lambda",
        Node::Function(_) => "Function Definition",
        Node::Plan(_) => "Plan Definition",
        Node::Apply { .. } => "'apply' expression",
        Node::Class(_) => "Host Class Definition",
        Node::Define(_) => "'define' expression",
        Node::NodeDefinition(_) => "Node Definition",
        Node::TypeAlias(_) => "Type Alias",
        Node::TypeMapping { .. } => "Type Mapping",
        Node::TypeDefinition(_) => "Type Definition",
        Node::Resource(_) => "Resource Statement",
        Node::ResourceDefaults(_) => "Resource Defaults Expression",
        Node::ResourceOverride(_) => "Resource Override",
        Node::Collect(collect) if collect.exported => "Exported Query",
        Node::Collect(_) => "Virtual Query",
        Node::Epp(_) => "Epp Template",
        Node::RenderString(_) => "Epp Text",
        Node::Render(_) => "Epp Interpolated Expression",
    })
}

fn literal(literal: &Value) -> Cow<'static, str> {
    Cow::Borrowed(match literal {
        Value::Undef => "'undef' expression",
        Value::Boolean(_) => "Boolean",
        Value::Integer(_) => "Literal Integer",
        Value::Float(_) => "Literal Float",
        Value::String(_) => "String",
        Value::Rich(rich) if matches!(**rich, Rich::Default) => "'default' expression",
        other => return value(other),
    })
}

/// What a node is called, with an article: `an Array Expression`.
pub fn with_article(expr: &Expr) -> String {
    let label = of(expr);
    format!("{} {label}", article(&label))
}

/// The same for the start of a sentence: `An Array Expression`.
pub fn with_article_capitalized(expr: &Expr) -> String {
    capitalized(with_article(expr))
}

/// What a value is called.
pub fn value(value: &Value) -> Cow<'static, str> {
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
    Cow::Borrowed(if RegexpValue::of(value).is_some() {
        "Regexp"
    } else if bytes_of(value).is_some() {
        "Binary"
    } else if TimestampValue::of(value).is_some() {
        "Timestamp"
    } else if TimespanValue::of(value).is_some() {
        "Timespan"
    } else if SemVerValue::of(value).is_some() {
        "Semver"
    } else if value.extended::<SemVerRangeValue>().is_some() {
        "SemverRange"
    } else {
        "Object"
    })
}

/// What a value is called, with an article: `an Undef Value`.
pub fn value_with_article(one: &Value) -> String {
    let label = value(one);
    format!("{} {label}", article(&label))
}

/// The same for the start of a sentence.
pub fn with_article_of_value_capitalized(one: &Value) -> String {
    capitalized(value_with_article(one))
}

/// `an` before a vowel (a quote in front does not count), otherwise `a`.
pub fn article(text: &str) -> &'static str {
    let mut letters = text.chars();
    let first = letters.next().and_then(|c| if matches!(c, '"' | '\'') { letters.next() } else { Some(c) });
    match first.map(|c| c.to_ascii_lowercase()) {
        Some('a' | 'e' | 'i' | 'o' | 'u' | 'y') => "an",
        _ => "a",
    }
}

fn capitalized(text: String) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters.as_str().chars()).collect(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use hieratic_diagnostics::Source;
    use hieratic_pcore::{bytes_value, parse};
    use hieratic_regexp::Regexp;
    use hieratic_value::Hash;

    use super::*;

    #[test]
    fn values_are_called_what_the_reference_calls_them() {
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
            assert_eq!(value_with_article(&one), expected);
        }
    }

    #[test]
    fn types_are_called_by_what_they_are() {
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
            let named = parse(text).ok().map(|kind| with_article_of_value_capitalized(&kind.into_value()));
            assert_eq!(named.as_deref(), Some(expected));
        }
    }

    #[test]
    fn nodes_are_called_by_their_operators_and_words() {
        for (code, expected) in [
            ("$a =~ b", "A '=~' expression"),
            ("$a !~ b", "A '!~' expression"),
            ("a[1]", "A '[]' expression"),
            ("a in b", "An 'in' expression"),
            ("!a", "A 'not' expression"),
            ("if a {}", "An 'if' statement"),
            ("unless a {}", "An 'unless' Statement"),
            ("undef", "An 'undef' expression"),
            ("default", "A 'default' expression"),
            ("1", "A Literal Integer"),
            ("1.5", "A Literal Float"),
            ("File <<| |>>", "An Exported Query"),
            ("private", "A Reserved Word 'private'"),
            ("@(X:json)\n1\n| X\n", "A '@(json)' expression"),
            ("@(X)\n1\n| X\n", "A '@()' expression"),
        ] {
            let program = hieratic_syntax::parse(&Source::new("", code), &Default::default()).program;
            assert_eq!(program.map(|program| with_article_capitalized(&program.body)).as_deref(), Some(expected));
        }
    }
}
