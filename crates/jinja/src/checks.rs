//! The tests of Jinja2: <https://jinja.palletsprojects.com/en/3.1.x/templates/#builtin-tests>.

use std::cmp::Ordering;
use std::sync::LazyLock;

use minijinja::Value;

use crate::call::Args;
use crate::error::Result;
use crate::extension::{Names, collected};
use crate::host::{Function, Host, Table};
use crate::objects::{Encrypted, Markup, distinguish};
use crate::python::arithmetic::{Operator, apply};
use crate::python::compare::{contains, equal, order};
use crate::python::kind::is_callable;
use crate::python::{Kind, kind, str, type_name};

/// Returns all built-in tests.
pub fn all() -> &'static Names {
    static ALL: LazyLock<Names> = LazyLock::new(|| collected(&[KINDS, COMPARISONS, LISTS, TEXTS]));
    &ALL
}

/// Returns the first argument of a test.
fn one(args: Args) -> Result<Value> {
    let [value] = args.bind(["value"], 1)?;
    Ok(value.unwrap_or_default())
}

fn two(args: Args) -> Result<[Value; 2]> {
    let [value, other] = args.bind(["value", "other"], 2)?;
    Ok([value.unwrap_or_default(), other.unwrap_or_default()])
}

fn answer(answer: bool) -> Result<Value> {
    Ok(Value::from(answer))
}

/// Checks whether a value is of a kind. An undefined value is of no kind.
fn is_kind(args: Args, matches: impl Fn(Kind<'_>) -> bool) -> Result<Value> {
    let value = one(args)?;
    answer(matches(kind(&value)?))
}

/// Checks whether a value is undefined. A value that cannot be decrypted is defined.
fn is_missing(args: Args) -> Result<bool> {
    let value = one(args)?;
    let is_encrypted = value.downcast_object_ref::<Encrypted>().is_some();
    Ok(!is_encrypted && matches!(kind(&value)?, Kind::Missing(_)))
}

const KINDS: Table = &[
    ("boolean", |_, args| is_kind(args, |kind| matches!(kind, Kind::Bool(_)))),
    ("callable", |_, args| answer(is_callable(&one(args)?))),
    ("defined", |_, args| is_missing(args).and_then(|missing| answer(!missing))),
    ("undefined", |_, args| is_missing(args).and_then(answer)),
    ("escaped", |_, args| answer(Markup::is(&one(args)?))),
    ("false", |_, args| is_kind(args, |kind| matches!(kind, Kind::Bool(false)))),
    ("true", |_, args| is_kind(args, |kind| matches!(kind, Kind::Bool(true)))),
    ("filter", |host, args| {
        let name = str(&one(args)?)?;
        answer(host.is_filter(&name))
    }),
    ("test", |host, args| {
        let name = str(&one(args)?)?;
        answer(host.is_test(&name))
    }),
    ("float", |_, args| is_kind(args, |kind| matches!(kind, Kind::Float(_)))),
    ("integer", |_, args| is_kind(args, |kind| matches!(kind, Kind::Int(_)))),
    ("iterable", |_, args| {
        let value = one(args)?;
        if let Kind::Missing(missing) = kind(&value)? {
            missing.defined()?;
        }
        answer(crate::python::kind::is_iterable(&kind(&value)?))
    }),
    ("mapping", |_, args| is_kind(args, |kind| matches!(kind, Kind::Dict))),
    ("none", |_, args| is_kind(args, |kind| matches!(kind, Kind::None))),
    ("number", |_, args| is_kind(args, |kind| matches!(kind, Kind::Int(_) | Kind::Float(_) | Kind::Bool(_)))),
    ("sequence", |_, args| {
        is_kind(args, |kind| matches!(kind, Kind::Str(_) | Kind::Bytes(_) | Kind::List | Kind::Tuple(_) | Kind::Dict))
    }),
    ("string", |_, args| is_kind(args, |kind| matches!(kind, Kind::Str(_)))),
];

fn ordered(args: Args, operator: &str, expected: fn(Ordering) -> bool) -> Result<Value> {
    let [left, right] = two(args)?;
    answer(order(&left, &right, operator)?.is_some_and(expected))
}

fn is_equal(_: &dyn Host, args: Args) -> Result<Value> {
    let [left, right] = two(args)?;
    answer(equal(&left, &right)?)
}

fn is_not_equal(_: &dyn Host, args: Args) -> Result<Value> {
    let [left, right] = two(args)?;
    answer(!equal(&left, &right)?)
}

const LESS: Function = |_, args| ordered(args, "<", Ordering::is_lt);
const LESS_OR_EQUAL: Function = |_, args| ordered(args, "<=", Ordering::is_le);
const GREATER: Function = |_, args| ordered(args, ">", Ordering::is_gt);
const GREATER_OR_EQUAL: Function = |_, args| ordered(args, ">=", Ordering::is_ge);

/// The remainder of an integer.
fn remainder(value: &Value, divisor: &Value) -> Result<Value> {
    apply(Operator::Modulo, value, divisor)
}

const COMPARISONS: Table = &[
    ("divisibleby", |_, args| {
        let [value, divisor] = two(args)?;
        answer(equal(&remainder(&value, &divisor)?, &Value::from(0))?)
    }),
    ("even", |_, args| answer(equal(&remainder(&one(args)?, &Value::from(2))?, &Value::from(0))?)),
    ("odd", |_, args| answer(equal(&remainder(&one(args)?, &Value::from(2))?, &Value::from(1))?)),
    ("eq", is_equal),
    ("==", is_equal),
    ("equalto", is_equal),
    ("ne", is_not_equal),
    ("!=", is_not_equal),
    ("lt", LESS),
    ("<", LESS),
    ("lessthan", LESS),
    ("le", LESS_OR_EQUAL),
    ("<=", LESS_OR_EQUAL),
    ("gt", GREATER),
    (">", GREATER),
    ("greaterthan", GREATER),
    ("ge", GREATER_OR_EQUAL),
    (">=", GREATER_OR_EQUAL),
    ("sameas", |_, args| {
        let [left, right] = two(args)?;
        answer(match kind(&left)? {
            Kind::List | Kind::Dict | Kind::Tuple(_) => {
                let is_same = crate::python::compare::same(&left, &right);
                if is_same {
                    distinguish(&left)?;
                }
                is_same
            }
            _ => type_name(&left) == type_name(&right) && equal(&left, &right)?,
        })
    }),
];

const LISTS: Table = &[("in", |_, args| {
    let [item, container] = two(args)?;
    answer(contains(&container, &item)?)
})];

const TEXTS: Table = &[
    ("lower", |_, args| {
        let text = str(&one(args)?)?;
        answer(text == text.to_lowercase() && text.chars().any(char::is_lowercase))
    }),
    ("upper", |_, args| {
        let text = str(&one(args)?)?;
        answer(text == text.to_uppercase() && text.chars().any(char::is_uppercase))
    }),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_test_is_defined_twice() {
        let names: Vec<&str> =
            [KINDS, COMPARISONS, LISTS, TEXTS].into_iter().flatten().map(|(name, _)| *name).collect();
        assert_eq!(all().len(), names.len());
    }
}
