//! The functions: <https://jmespath.org/specification.html#built-in-functions>.

use std::cmp::Ordering;

use hieratic_jinja::extend::json::{self, Layout};
use hieratic_jinja::extend::objects::{Big, Dict, Entries};
use hieratic_jinja::extend::python::arithmetic::{Operator, apply, negative};
use hieratic_jinja::extend::python::compare::{contains, order, sort};
use hieratic_jinja::extend::python::kind::{entries, iterate};
use hieratic_jinja::extend::python::number::{Number, number, truncated};
use hieratic_jinja::extend::python::text::LONGEST;
use hieratic_jinja::extend::python::{Kind, kind, str, type_name};
use hieratic_jinja::extend::{Result, Value, error, work};
use hieratic_python_values::{parse_float, parse_int};

use super::search::{Reference, is_list, list, none, visit};

/// The expected types of an argument; an array type may name the type of its elements.
type Types = &'static [&'static str];

/// A function with its signature.
struct Function {
    name: &'static str,
    parameters: &'static [Types],
    /// True if more arguments may follow, which are not checked.
    variadic: bool,
    body: fn(&[Value]) -> Result<Value>,
}

const ANY: Types = &[];

const fn function(name: &'static str, parameters: &'static [Types], body: fn(&[Value]) -> Result<Value>) -> Function {
    Function { name, parameters, variadic: false, body }
}

const FUNCTIONS: &[Function] = &[
    function("abs", &[&["number"]], |arguments| match order(&arguments[0], &Value::from(0), "<")? {
        Some(Ordering::Less) => negative(&arguments[0]),
        _ => match number(&arguments[0])? {
            Some(Number::Float(number)) => Ok(Value::from(number.abs())),
            _ => Ok(arguments[0].clone()),
        },
    }),
    function("avg", &[&["array-number"]], |arguments| {
        let items = iterate(&arguments[0])?;
        match items.len() {
            0 => Ok(none()),
            length => apply(Operator::Divide, &sum(&items)?, &Value::from(length)),
        }
    }),
    function("ceil", &[&["number"]], |arguments| rounded(&arguments[0], f64::ceil)),
    function("contains", &[&["array", "string"], ANY], |arguments| {
        contains(&arguments[0], &arguments[1]).map(Value::from)
    }),
    function("ends_with", &[&["string"], &["string"]], |arguments| {
        Ok(Value::from(text(&arguments[0]).ends_with(text(&arguments[1]))))
    }),
    function("floor", &[&["number"]], |arguments| rounded(&arguments[0], f64::floor)),
    function("join", &[&["string"], &["array-string"]], |arguments| {
        let (separator, items) = (text(&arguments[0]), iterate(&arguments[1])?);
        let mut joined = String::new();
        for (at, item) in items.iter().enumerate() {
            let separator = if at > 0 { separator } else { "" };
            work::bytes(separator.len() + text(item).len())?;
            joined.push_str(separator);
            joined.push_str(text(item));
            if joined.len() > LONGEST {
                return Err(error("the string is too long"));
            }
        }
        Ok(Value::from(joined))
    }),
    function("keys", &[&["object"]], |arguments| list(iterate(&arguments[0])?)),
    function("length", &[&["string", "array", "object"]], |arguments| {
        Ok(Value::from(match kind(&arguments[0])? {
            Kind::Str(text) => {
                work::scan(text.len())?;
                text.chars().count()
            }
            _ => iterate(&arguments[0])?.len(),
        }))
    }),
    function("map", &[&["expref"], &["array"]], |arguments| {
        let found = iterate(&arguments[1])?.iter().map(|item| referred(&arguments[0], item)).collect::<Result<_>>()?;
        list(found)
    }),
    function("max", &[&["array-number", "array-string"]], |arguments| {
        best(pairs(iterate(&arguments[0])?), Ordering::Greater)
    }),
    function("max_by", &[&["array"], &["expref"]], |arguments| best(keyed("max_by", arguments)?, Ordering::Greater)),
    Function {
        name: "merge",
        parameters: &[&["object"]],
        variadic: true,
        body: |arguments| {
            let mut merged = Entries::new();
            for argument in arguments {
                merged.extend(updates(argument)?);
            }
            work::elements(2 * merged.len())?;
            Ok(Dict::value(merged))
        },
    },
    function("min", &[&["array-number", "array-string"]], |arguments| {
        best(pairs(iterate(&arguments[0])?), Ordering::Less)
    }),
    function("min_by", &[&["array"], &["expref"]], |arguments| best(keyed("min_by", arguments)?, Ordering::Less)),
    Function {
        name: "not_null",
        parameters: &[ANY],
        variadic: true,
        body: |arguments| Ok(arguments.iter().find(|value| !value.is_none()).cloned().unwrap_or_else(none)),
    },
    function("reverse", &[&["array", "string"]], |arguments| match kind(&arguments[0])? {
        Kind::Str(text) => {
            work::bytes(text.len())?;
            Ok(Value::from(text.chars().rev().collect::<String>()))
        }
        _ => list(iterate(&arguments[0])?.into_iter().rev().collect()),
    }),
    function("sort", &[&["array-string", "array-number"]], |arguments| sorted(pairs(iterate(&arguments[0])?))),
    function("sort_by", &[&["array"], &["expref"]], |arguments| {
        let items = iterate(&arguments[0])?;
        let Some(first) = items.first() else { return Ok(arguments[0].clone()) };
        let expected = name_of(&referred(&arguments[1], first)?);
        if !["number", "string"].contains(&expected) {
            return Err(wrong_type("sort_by", first, expected, &["string", "number"]));
        }
        let mut pairs = Vec::new();
        for item in items {
            let key = referred(&arguments[1], &item)?;
            if name_of(&key) != expected {
                return Err(wrong_type("sort_by", &key, name_of(&key), &[expected]));
            }
            pairs.push((key, item));
        }
        sorted(pairs)
    }),
    function("starts_with", &[&["string"], &["string"]], |arguments| {
        Ok(Value::from(text(&arguments[0]).starts_with(text(&arguments[1]))))
    }),
    function("sum", &[&["array-number"]], |arguments| sum(&iterate(&arguments[0])?)),
    function("to_array", &[ANY], |arguments| {
        if is_list(&arguments[0])? { Ok(arguments[0].clone()) } else { list(vec![arguments[0].clone()]) }
    }),
    function("to_number", &[ANY], |arguments| {
        Ok(match kind(&arguments[0])? {
            Kind::Int(_) | Kind::Float(_) => arguments[0].clone(),
            Kind::None | Kind::Bool(_) | Kind::List | Kind::Dict => none(),
            Kind::Str(text) => match (parse_int(text, 10), parse_float(text)) {
                (Some(whole), _) => Big::value(&whole),
                (None, Some(float)) => Value::from(float),
                (None, None) => none(),
            },
            _ => {
                let name = type_name(&arguments[0]);
                let message = "int() argument must be a string, a bytes-like object or a real number";
                return Err(error(format!("{message}, not '{name}'")));
            }
        })
    }),
    function("to_string", &[ANY], |arguments| match kind(&arguments[0])? {
        Kind::Str(_) => Ok(arguments[0].clone()),
        _ => {
            let layout = Layout { item: ",".into(), key: ":".into(), ..Layout::default() };
            json::write(&arguments[0], &layout).map(Value::from)
        }
    }),
    function("type", &[ANY], |arguments| {
        Ok(match name_of(&arguments[0]) {
            "unknown" | "expref" => none(),
            name => Value::from(name),
        })
    }),
    function("values", &[&["object"]], |arguments| {
        list(entries(&arguments[0])?.into_iter().map(|(_, item)| item).collect())
    }),
];

/// Calls a built-in function of JMESPath.
pub fn call(name: &str, arguments: &[Value]) -> Result<Value> {
    let Some(function) = FUNCTIONS.iter().find(|function| function.name == name) else {
        let known = FUNCTIONS.iter().map(|function| function.name);
        let similar = hieratic_diagnostics::nearest(name, known)
            .map_or(String::new(), |known| format!("; did you mean '{known}'?"));
        return Err(error(format!("Unknown function: {name}(){similar}")));
    };
    let (expected, given) = (function.parameters.len(), arguments.len());
    if given < expected || (given > expected && !function.variadic) {
        let least = if function.variadic { "at least " } else { "" };
        let plural = if expected == 1 { "" } else { "s" };
        let message = format!("Expected {least}{expected} argument{plural} for function {name}(), received {given}");
        return Err(error(message));
    }
    for (types, argument) in function.parameters.iter().zip(arguments) {
        check(name, types, argument)?;
    }
    (function.body)(arguments)
}

/// Checks an argument, and the elements of one that is an array.
fn check(function: &str, types: Types, argument: &Value) -> Result<()> {
    let outer = |expected: &str| expected.split('-').next() == Some(name_of(argument));
    if types.is_empty() {
        return Ok(());
    }
    if !types.iter().any(|expected| outer(expected)) {
        return Err(wrong_type(function, argument, name_of(argument), types));
    }
    let inner: Vec<&str> =
        types.iter().filter_map(|expected| expected.split_once('-')).map(|(_, inner)| inner).collect();
    if inner.is_empty() {
        return Ok(());
    }
    let items = iterate(argument)?;
    // The first element decides which of several types is expected.
    let expected = items.first().map(name_of);
    for item in &items {
        if !inner.contains(&name_of(item)) || (inner.len() > 1 && Some(name_of(item)) != expected) {
            return Err(wrong_type(function, item, type_name(item), types));
        }
    }
    Ok(())
}

fn wrong_type(function: &str, value: &Value, actual: &str, types: &[&str]) -> hieratic_jinja::extend::Error {
    let shown = |value: &Value| str(value).unwrap_or_else(|_| "...".into());
    let types: Vec<String> = types.iter().map(|name| format!("'{name}'")).collect();
    error(format!(
        "In function {function}(), invalid type for value: {}, expected one of: [{}], received: \"{actual}\"",
        shown(value),
        types.join(", ")
    ))
}

/// The name of a value's type in the language.
fn name_of(value: &Value) -> &'static str {
    match kind(value) {
        Ok(Kind::None) => "null",
        Ok(Kind::Bool(_)) => "boolean",
        Ok(Kind::Int(_) | Kind::Float(_)) => "number",
        Ok(Kind::Str(_)) => "string",
        Ok(Kind::List) => "array",
        Ok(Kind::Dict) => "object",
        Ok(Kind::Other) if value.downcast_object_ref::<Reference>().is_some() => "expref",
        _ => "unknown",
    }
}

/// Returns a string argument.
fn text(value: &Value) -> &str {
    match kind(value) {
        Ok(Kind::Str(text)) => text,
        _ => "",
    }
}

/// Evaluates an expression argument on a value.
fn referred(reference: &Value, value: &Value) -> Result<Value> {
    match reference.downcast_object_ref::<Reference>() {
        Some(Reference(node)) => visit(node, value),
        None => Ok(none()),
    }
}

fn sum(items: &[Value]) -> Result<Value> {
    items.iter().try_fold(Value::from(0), |sum, item| apply(Operator::Add, &sum, item))
}

fn rounded(value: &Value, round: fn(f64) -> f64) -> Result<Value> {
    match number(value)? {
        Some(Number::Float(number)) => truncated(round(number)).map(|whole| Big::value(&whole)),
        _ => Ok(value.clone()),
    }
}

/// Values with themselves as keys.
fn pairs(items: Vec<Value>) -> Vec<(Value, Value)> {
    items.into_iter().map(|item| (item.clone(), item)).collect()
}

/// Returns the elements of the first argument with their keys, which the second one, an expression, computes.
fn keyed(function: &str, arguments: &[Value]) -> Result<Vec<(Value, Value)>> {
    let mut pairs = Vec::new();
    for item in iterate(&arguments[0])? {
        let key = referred(&arguments[1], &item)?;
        if !["number", "string"].contains(&name_of(&key)) {
            return Err(wrong_type(function, &key, name_of(&key), &["number", "string"]));
        }
        pairs.push((key, item));
    }
    Ok(pairs)
}

/// Returns the first of the values with the least or the greatest key.
fn best(pairs: Vec<(Value, Value)>, expected: Ordering) -> Result<Value> {
    let operator = if expected == Ordering::Greater { ">" } else { "<" };
    let mut pairs = pairs.into_iter();
    let Some((mut key, mut value)) = pairs.next() else { return Ok(none()) };
    for (other, item) in pairs {
        if order(&other, &key, operator)? == Some(expected) {
            (key, value) = (other, item);
        }
    }
    Ok(value)
}

fn sorted(pairs: Vec<(Value, Value)>) -> Result<Value> {
    list(sort(pairs, false)?.into_iter().map(|(_, item)| item).collect())
}

/// Returns the entries of a dictionary, or of pairs, as `dict.update` does.
fn updates(value: &Value) -> Result<Vec<(Value, Value)>> {
    if let Kind::Dict = kind(value)? {
        return entries(value);
    }
    let mut updates = Vec::new();
    for (at, pair) in iterate(value)?.iter().enumerate() {
        let not_sequence = |_| error(format!("cannot convert dictionary update sequence element #{at} to a sequence"));
        match <[Value; 2]>::try_from(iterate(pair).map_err(not_sequence)?) {
            Ok([key, value]) => {
                hieratic_jinja::extend::python::kind::hashable(&key)?;
                updates.push((key, value));
            }
            Err(parts) => {
                let length = parts.len();
                let message = format!("dictionary update sequence element #{at} has length {length}; 2 is required");
                return Err(error(message));
            }
        }
    }
    Ok(updates)
}
