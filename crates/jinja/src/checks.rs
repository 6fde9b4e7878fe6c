//! The tests of Jinja2: <https://jinja.palletsprojects.com/en/3.1.x/templates/#builtin-tests>.

use std::cmp::Ordering;
use std::sync::LazyLock;

use minijinja::Value;

use crate::call::Args;
use crate::error::{Result, error};
use crate::extension::{Names, collected};
use crate::host::{Function, Host, Table, define};
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

/// Returns the name of a filter or test.
fn plugin_name(value: &Value) -> Result<&str> {
    match kind(value)? {
        Kind::Str(name) => Ok(name),
        _ => Err(error(format!("the name of a filter or test must be a string, not {}", type_name(value)))),
    }
}

fn two(args: Args) -> Result<[Value; 2]> {
    let [value, other] = args.bind(["value", "other"], 2)?;
    Ok([value.unwrap_or_default(), other.unwrap_or_default()])
}

/// Returns whether the value is undefined. Python finds each attribute of such a value, `__call__` and `__html__` too.
fn has_any_attribute(value: &Value) -> bool {
    matches!(kind(value), Ok(Kind::Missing(_)))
}

fn answer(answer: bool) -> Result<Value> {
    Ok(Value::from(answer))
}

/// Returns whether a value is of a kind. An undefined value is of no kind.
fn is_kind(args: Args, matches: impl Fn(Kind<'_>) -> bool) -> Result<Value> {
    let value = one(args)?;
    answer(matches(kind(&value)?))
}

/// Returns whether a value is undefined. A value that cannot be decrypted is defined.
fn is_missing(args: Args) -> Result<bool> {
    let value = one(args)?;
    let is_encrypted = value.downcast_object_ref::<Encrypted>().is_some();
    Ok(!is_encrypted && matches!(kind(&value)?, Kind::Missing(_)))
}

const KINDS: Table = &[
    define("boolean", "", "Tests whether the value is true or false itself.", |_, args| {
        is_kind(args, |kind| matches!(kind, Kind::Bool(_)))
    }),
    define("callable", "", "Tests whether the value can be called.", |_, args| {
        let value = one(args)?;
        answer(is_callable(&value) || has_any_attribute(&value))
    }),
    define("defined", "", "Tests whether the variable is defined.", |_, args| {
        is_missing(args).and_then(|missing| answer(!missing))
    }),
    define("undefined", "", "Tests whether the variable is not defined.", |_, args| is_missing(args).and_then(answer)),
    define("escaped", "", "Tests whether the string is escaped for HTML.", |_, args| {
        let value = one(args)?;
        answer(Markup::is(&value) || has_any_attribute(&value))
    }),
    define("false", "", "Tests whether the value is false itself.", |_, args| {
        is_kind(args, |kind| matches!(kind, Kind::Bool(false)))
    }),
    define("true", "", "Tests whether the value is true itself.", |_, args| {
        is_kind(args, |kind| matches!(kind, Kind::Bool(true)))
    }),
    define("filter", "", "Tests whether a filter of this name exists.", |host, args| {
        answer(host.is_filter(plugin_name(&one(args)?)?))
    }),
    define("test", "", "Tests whether a test of this name exists.", |host, args| {
        answer(host.is_test(plugin_name(&one(args)?)?))
    }),
    define("float", "", "Tests whether the value is a number with a fraction.", |_, args| {
        is_kind(args, |kind| matches!(kind, Kind::Float(_)))
    }),
    define("integer", "", "Tests whether the value is a whole number.", |_, args| {
        is_kind(args, |kind| matches!(kind, Kind::Int(_)))
    }),
    define("iterable", "", "Tests whether a loop over the value is possible.", |_, args| {
        let value = one(args)?;
        if let Kind::Missing(missing) = kind(&value)? {
            missing.defined()?;
        }
        answer(crate::python::kind::is_iterable(&kind(&value)?))
    }),
    define("mapping", "", "Tests whether the value is a dictionary.", |_, args| {
        is_kind(args, |kind| matches!(kind, Kind::Dict))
    }),
    define("none", "", "Tests whether the value is `none`.", |_, args| {
        is_kind(args, |kind| matches!(kind, Kind::None))
    }),
    define("number", "", "Tests whether the value is a number.", |_, args| {
        is_kind(args, |kind| matches!(kind, Kind::Int(_) | Kind::Float(_) | Kind::Bool(_)))
    }),
    define("sequence", "", "Tests whether the value has items and a length.", |_, args| {
        is_kind(args, |kind| matches!(kind, Kind::Str(_) | Kind::Bytes(_) | Kind::List | Kind::Tuple(_) | Kind::Dict))
    }),
    define("string", "", "Tests whether the value is a string.", |_, args| {
        is_kind(args, |kind| matches!(kind, Kind::Str(_)))
    }),
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
    define("divisibleby", "num", "Tests whether the number can be divided without a remainder.", |_, args| {
        let [value, divisor] = two(args)?;
        answer(equal(&remainder(&value, &divisor)?, &Value::from(0))?)
    }),
    define("even", "", "Tests whether the number is even.", |_, args| {
        answer(equal(&remainder(&one(args)?, &Value::from(2))?, &Value::from(0))?)
    }),
    define("odd", "", "Tests whether the number is odd.", |_, args| {
        answer(equal(&remainder(&one(args)?, &Value::from(2))?, &Value::from(1))?)
    }),
    define("eq", "b", "Tests whether both values are equal.", is_equal),
    define("==", "b", "Tests whether both values are equal.", is_equal),
    define("equalto", "b", "Tests whether both values are equal.", is_equal),
    define("ne", "b", "Tests whether the values differ.", is_not_equal),
    define("!=", "b", "Tests whether the values differ.", is_not_equal),
    define("lt", "b", "Tests whether the value is less than the other one.", LESS),
    define("<", "b", "Tests whether the value is less than the other one.", LESS),
    define("lessthan", "b", "Tests whether the value is less than the other one.", LESS),
    define("le", "b", "Tests whether the value is less than the other one or equal to it.", LESS_OR_EQUAL),
    define("<=", "b", "Tests whether the value is less than the other one or equal to it.", LESS_OR_EQUAL),
    define("gt", "b", "Tests whether the value is greater than the other one.", GREATER),
    define(">", "b", "Tests whether the value is greater than the other one.", GREATER),
    define("greaterthan", "b", "Tests whether the value is greater than the other one.", GREATER),
    define("ge", "b", "Tests whether the value is greater than the other one or equal to it.", GREATER_OR_EQUAL),
    define(">=", "b", "Tests whether the value is greater than the other one or equal to it.", GREATER_OR_EQUAL),
    define("sameas", "other", "Tests whether both are one object, as Python's `is` does.", |_, args| {
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

const LISTS: Table = &[define("in", "seq", "Tests whether the value is an item of the other one.", |_, args| {
    let [item, container] = two(args)?;
    answer(contains(&container, &item)?)
})];

const TEXTS: Table = &[
    define("lower", "", "Tests whether all letters are lower case.", |_, args| {
        let text = str(&one(args)?)?;
        answer(text == text.to_lowercase() && text.chars().any(char::is_lowercase))
    }),
    define("upper", "", "Tests whether all letters are upper case.", |_, args| {
        let text = str(&one(args)?)?;
        answer(text == text.to_uppercase() && text.chars().any(char::is_uppercase))
    }),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_test_is_defined_twice() {
        let names: Vec<&str> = [KINDS, COMPARISONS, LISTS, TEXTS].into_iter().flatten().map(|test| test.name).collect();
        assert_eq!(all().len(), names.len());
    }
}
