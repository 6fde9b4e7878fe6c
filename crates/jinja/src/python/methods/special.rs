//! Special methods, which Python's operators and functions call:
//! <https://docs.python.org/3/reference/datamodel.html#special-method-names>. Templates call them where no other syntax
//! exists: `{{ ports.__setitem__(0, 80) }}`.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{Object, ObjectRepr};
use num_bigint::BigInt;

use super::super::arithmetic::{self, Operator};
use super::super::compare::{contains, equal, order};
use super::super::kind::{element, hashable, iterate, truth};
use super::super::number::{Number, fraction, index, number, truncated};
use super::super::{Kind, duration, format, index as indexing, kind, repr, str, type_name};
use super::dict::pairs;
use crate::call::Args;
use crate::error::{Result, error};
use crate::objects::{Big, Datetime, Dict, List, Tuple};

/// The type of a value: `value.__class__`.
#[derive(Debug)]
pub struct Class(pub &'static str);

impl Class {
    /// The module of the type, unless it is built in.
    fn module(&self) -> Option<&'static str> {
        match self.0 {
            "date" | "datetime" | "time" | "timedelta" | "timezone" | "IsoCalendarDate" => Some("datetime"),
            "struct_time" => Some("time"),
            _ => None,
        }
    }
}

impl Object for Class {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn get_value_by_str(self: &Arc<Self>, key: &str) -> Option<Value> {
        match key {
            "__name__" | "__qualname__" => Some(Value::from(self.0)),
            "__module__" => Some(Value::from(self.module().unwrap_or("builtins"))),
            _ => None,
        }
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.module() {
            Some(module) => write!(out, "<class '{module}.{}'>", self.0),
            None => write!(out, "<class '{}'>", self.0),
        }
    }
}

/// A generic alias, such as `list[int]`.
#[derive(Debug)]
struct Alias(String);

impl Object for Alias {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// The name of a type with its parts in brackets.
fn alias(value: &Value, args: Args) -> Result<Value> {
    let parts = one(args)?;
    let parts = match kind(&parts)? {
        Kind::Tuple([]) => "()".to_owned(),
        Kind::Tuple(items) => items.iter().map(repr).collect::<Result<Vec<_>>>()?.join(", "),
        _ => repr(&parts)?,
    };
    let title = value.downcast_object_ref::<Tuple>().and_then(|tuple| tuple.names().title);
    Ok(Value::from_object(Alias(format!("{}[{parts}]", title.unwrap_or_else(|| type_name(value))))))
}

/// `NotImplemented`: the result of an operator for operands that it does not support.
#[derive(Debug)]
struct NotImplemented;

impl Object for NotImplemented {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("NotImplemented")
    }
}

/// The methods of all values.
const ALL: [&str; 11] = [
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__str__",
    "__repr__",
    "__format__",
    "__getattribute__",
    "__hash__",
];

/// The methods of integers and floats.
const NUMBER: [&str; 24] = [
    "__abs__",
    "__add__",
    "__bool__",
    "__divmod__",
    "__float__",
    "__floordiv__",
    "__int__",
    "__mod__",
    "__mul__",
    "__neg__",
    "__pos__",
    "__pow__",
    "__radd__",
    "__rdivmod__",
    "__rfloordiv__",
    "__rmod__",
    "__rmul__",
    "__round__",
    "__rpow__",
    "__rsub__",
    "__rtruediv__",
    "__sub__",
    "__truediv__",
    "__trunc__",
];

const INTEGER: [&str; 18] = [
    "__and__",
    "__ceil__",
    "__floor__",
    "__index__",
    "__invert__",
    "__lshift__",
    "__or__",
    "__rand__",
    "__rlshift__",
    "__ror__",
    "__rrshift__",
    "__rshift__",
    "__rxor__",
    "__xor__",
    "as_integer_ratio",
    "bit_count",
    "from_bytes",
    "to_bytes",
];

const FLOAT: [&str; 5] = ["__ceil__", "__floor__", "as_integer_ratio", "hex", "fromhex"];

const STRING: [&str; 8] =
    ["__add__", "__contains__", "__getitem__", "__iter__", "__len__", "__mod__", "__mul__", "__rmul__"];

const LIST: [&str; 12] = [
    "__add__",
    "__contains__",
    "__delitem__",
    "__getitem__",
    "__iadd__",
    "__imul__",
    "__iter__",
    "__len__",
    "__mul__",
    "__reversed__",
    "__rmul__",
    "__setitem__",
];

const DICT: [&str; 10] = [
    "__contains__",
    "__delitem__",
    "__getitem__",
    "__ior__",
    "__iter__",
    "__len__",
    "__or__",
    "__reversed__",
    "__ror__",
    "__setitem__",
];

const TUPLE: [&str; 7] = ["__add__", "__contains__", "__getitem__", "__iter__", "__len__", "__mul__", "__rmul__"];

const TIME: [&str; 4] = ["__add__", "__radd__", "__sub__", "__rsub__"];

const TIMEDELTA: [&str; 14] = [
    "__abs__",
    "__bool__",
    "__divmod__",
    "__floordiv__",
    "__mod__",
    "__mul__",
    "__neg__",
    "__pos__",
    "__rdivmod__",
    "__rfloordiv__",
    "__rmod__",
    "__rmul__",
    "__rtruediv__",
    "__truediv__",
];

/// Returns whether a value has a method with this name.
pub fn exists(value: &Value, name: &str) -> bool {
    let own: [&[&str]; 2] = match kind(value) {
        Ok(Kind::Str(_)) => [&STRING, &["__rmod__"]],
        Ok(Kind::Int(_) | Kind::Bool(_)) => [&NUMBER, &INTEGER],
        Ok(Kind::Float(_)) => [&NUMBER, &FLOAT],
        Ok(Kind::List) => [&LIST, &[]],
        Ok(Kind::Dict) => [&DICT, &[]],
        Ok(Kind::Tuple(_)) => [&TUPLE, &[]],
        Ok(Kind::Datetime(_)) => [&TIME, &[]],
        Ok(Kind::Timedelta(_)) => [&TIME, &TIMEDELTA],
        Ok(Kind::Daytime(_) | Kind::Zone(_)) => [&[], &[]],
        _ => return false,
    };
    let is_generic = || matches!(kind(value), Ok(Kind::List | Kind::Dict | Kind::Tuple(_)));
    own.into_iter().flatten().chain(&ALL).any(|known| *known == name) || name == "__class_getitem__" && is_generic()
}

/// Returns whether any type has a method with this name.
pub fn is_any(name: &str) -> bool {
    name.starts_with("__") || INTEGER.contains(&name) || FLOAT.contains(&name)
}

fn not_implemented() -> Value {
    Value::from_object(NotImplemented)
}

/// Calls a special method.
pub fn call(value: &Value, name: &str, mut args: Args) -> Result<Value> {
    if name == "__round__" {
        let [digits] = args.bind(["ndigits"], 0)?;
        let is_integer = matches!(kind(value)?, Kind::Int(_) | Kind::Bool(_));
        if is_integer && digits.as_ref().is_some_and(Value::is_none) {
            return Err(error("'NoneType' object cannot be interpreted as an integer"));
        }
        return round(value, digits);
    }
    if name == "__class_getitem__" {
        return alias(value, args);
    }
    if matches!(name, "as_integer_ratio" | "bit_count" | "from_bytes" | "to_bytes" | "hex" | "fromhex") {
        return call_number_method(value, name, args);
    }
    if let Some((left, operator)) = arithmetic_of(name) {
        let third = if matches!(name, "__pow__" | "__rpow__") && args.positional.len() == 2 {
            args.positional.pop()
        } else {
            None
        };
        let other = one(args)?;
        if third.is_some_and(|third| !third.is_none()) {
            return Err(error("pow() with a third argument is not supported"));
        }
        return arithmetic_with(value, name, operator, left, &other);
    }
    match name {
        "__eq__" | "__ne__" | "__lt__" | "__le__" | "__gt__" | "__ge__" => {
            let other = one(args)?;
            compared(value, name, &other)
        }
        "__str__" => none(args).and_then(|()| str(value)).map(Value::from),
        "__repr__" => none(args).and_then(|()| repr(value)).map(Value::from),
        "__format__" => {
            let spec = one(args)?;
            let Some(spec) = spec.as_str() else {
                return Err(error(format!("__format__() argument must be str, not {}", type_name(&spec))));
            };
            format::format_value(value, spec).map(Value::from)
        }
        "__len__" => {
            none(args)?;
            match kind(value)? {
                Kind::Str(text) => {
                    crate::work::scan(text.len())?;
                    Ok(Value::from(text.chars().count()))
                }
                _ => Ok(Value::from(value.len().unwrap_or_default())),
            }
        }
        "__contains__" => {
            let item = one(args)?;
            contains(value, &item).map(Value::from)
        }
        "__iter__" => none(args).and_then(|()| iterate(value)).map(List::value),
        "__reversed__" => {
            none(args)?;
            let mut items = iterate(value)?;
            items.reverse();
            Ok(List::value(items))
        }
        "__getitem__" => {
            let key = one(args)?;
            got(value, &key)
        }
        "__setitem__" | "__delitem__" => change(value, name, args),
        "__iadd__" | "__imul__" | "__ior__" => change_all(value, name, one(args)?),
        "__or__" | "__ror__" if matches!(kind(value)?, Kind::Dict) => {
            let other = one(args)?;
            if !matches!(kind(&other)?, Kind::Dict) {
                return Ok(not_implemented());
            }
            let (first, second) = if name == "__or__" { (value, &other) } else { (&other, value) };
            let mut all = pairs(first)?;
            all.extend(pairs(second)?);
            Ok(Dict::value(all.into_iter().collect()))
        }
        "__getattribute__" => {
            let attribute = one(args)?;
            Err(error(format!("the attribute {} is not looked for by __getattribute__: write it", repr(&attribute)?)))
        }
        "__hash__" => Err(error("hashes differ from run to run: they are not supported")),
        _ => call_number_method(value, name, args),
    }
}

fn one(args: Args) -> Result<Value> {
    let callee = args.callee.clone();
    args.only(&[])?;
    let given = args.positional.len();
    match <[Value; 1]>::try_from(args.positional) {
        Ok([value]) => Ok(value),
        Err(_) => Err(error(format!("{callee}() takes exactly one argument ({given} given)"))),
    }
}

fn none(args: Args) -> Result<()> {
    args.bind([], 0).map(|[]| ())
}

/// The operator of a method, and whether the value is on its left.
fn arithmetic_of(name: &str) -> Option<(bool, Operator)> {
    Some(match name {
        "__add__" => (true, Operator::Add),
        "__radd__" => (false, Operator::Add),
        "__sub__" => (true, Operator::Subtract),
        "__rsub__" => (false, Operator::Subtract),
        "__mul__" => (true, Operator::Multiply),
        "__rmul__" => (false, Operator::Multiply),
        "__truediv__" => (true, Operator::Divide),
        "__rtruediv__" => (false, Operator::Divide),
        "__floordiv__" => (true, Operator::FloorDivide),
        "__rfloordiv__" => (false, Operator::FloorDivide),
        "__mod__" => (true, Operator::Modulo),
        "__rmod__" => (false, Operator::Modulo),
        "__pow__" => (true, Operator::Power),
        "__rpow__" => (false, Operator::Power),
        _ => return None,
    })
}

/// Returns whether the methods of a value support another value as an operand.
fn knows(value: &Value, name: &str, other: &Value) -> Result<bool> {
    let is_number = |value: &Value| {
        Ok::<_, minijinja::Error>(matches!(kind(value)?, Kind::Int(_) | Kind::Bool(_) | Kind::Float(_)))
    };
    Ok(match (kind(value)?, kind(other)?) {
        (Kind::Int(_) | Kind::Bool(_), _) => matches!(kind(other)?, Kind::Int(_) | Kind::Bool(_)),
        (Kind::Float(_), _) => is_number(other)?,
        (Kind::Str(_), Kind::Str(_)) => true,
        (Kind::Str(_), _) => name == "__mod__",
        (Kind::Datetime(value), Kind::Datetime(other)) => name.contains("sub") && value.is_day == other.is_day,
        (Kind::Datetime(_), Kind::Timedelta(_)) => name != "__rsub__",
        (Kind::Timedelta(_), Kind::Timedelta(_)) => !name.contains("mul"),
        (Kind::Timedelta(_), _) => match name {
            "__mul__" | "__rmul__" | "__truediv__" => is_number(other)?,
            "__floordiv__" => matches!(kind(other)?, Kind::Int(_) | Kind::Bool(_)),
            _ => false,
        },
        _ => false,
    })
}

fn arithmetic_with(value: &Value, name: &str, operator: Operator, is_left: bool, other: &Value) -> Result<Value> {
    let kind_of = kind(value)?;
    let is_sequence = matches!(kind_of, Kind::Str(_) | Kind::List | Kind::Tuple(_));
    if is_sequence && matches!(operator, Operator::Multiply) {
        if !matches!(kind(other)?, Kind::Int(_) | Kind::Bool(_)) {
            return Err(error(format!("'{}' object cannot be interpreted as an integer", type_name(other))));
        }
        return arithmetic::apply(operator, value, other);
    }
    if is_sequence && matches!(operator, Operator::Add) {
        let (own, given) = (type_name(value), type_name(other));
        if own != given {
            return Err(error(format!("can only concatenate {own} (not \"{given}\") to {own}")));
        }
        return arithmetic::apply(operator, value, other);
    }
    if !knows(value, name, other)? {
        return Ok(not_implemented());
    }
    if is_left { arithmetic::apply(operator, value, other) } else { arithmetic::apply(operator, other, value) }
}

fn compared(value: &Value, name: &str, other: &Value) -> Result<Value> {
    let comparable = match (kind(value)?, kind(other)?) {
        (Kind::Int(_) | Kind::Bool(_), other) => matches!(other, Kind::Int(_) | Kind::Bool(_)),
        (Kind::Float(_), other) => matches!(other, Kind::Int(_) | Kind::Bool(_) | Kind::Float(_)),
        (Kind::Dict, Kind::Dict) => matches!(name, "__eq__" | "__ne__"),
        (Kind::Dict, _) => false,
        // A point in time is a date as well, of which a date compares the day alone.
        (Kind::Datetime(value), Kind::Datetime(other)) if value.is_day && !other.is_day => {
            let day = Value::from_object(Datetime::day(other.time.date()));
            return compared(&Value::from_object(*value), name, &day);
        }
        (Kind::Datetime(_), Kind::Datetime(_)) | (Kind::Tuple(_), Kind::Tuple(_)) => true,
        (Kind::Zone(_), Kind::Zone(_)) => matches!(name, "__eq__" | "__ne__"),
        _ => type_name(value) == type_name(other),
    };
    if !comparable {
        return Ok(not_implemented());
    }
    let ordered = |symbol: &str, expected: fn(Ordering) -> bool| {
        order(value, other, symbol).map(|order| Value::from(order.is_some_and(expected)))
    };
    match name {
        "__eq__" => equal(value, other).map(Value::from),
        "__ne__" => equal(value, other).map(|equal| Value::from(!equal)),
        "__lt__" => ordered("<", Ordering::is_lt),
        "__le__" => ordered("<=", Ordering::is_le),
        "__gt__" => ordered(">", Ordering::is_gt),
        _ => ordered(">=", Ordering::is_ge),
    }
}

/// `value[key]`, which has to be there.
fn got(value: &Value, key: &Value) -> Result<Value> {
    if matches!(kind(value)?, Kind::Dict) {
        return element(value, key)?.ok_or_else(|| error(repr(key).unwrap_or_default()));
    }
    if !matches!(kind(key)?, Kind::Int(_) | Kind::Bool(_)) {
        let subject = if matches!(kind(value)?, Kind::Str(_)) { "string" } else { type_name(value) };
        return Err(error(format!("{subject} indices must be integers or slices, not {}", type_name(key))));
    }
    let subject = if matches!(kind(value)?, Kind::Str(_)) { "string" } else { type_name(value) };
    indexing::item(value, key)?.ok_or_else(|| error(format!("{subject} index out of range")))
}

/// `value[key] = item`, and `del value[key]`.
fn change(value: &Value, name: &str, args: Args) -> Result<Value> {
    let (key, item) = match name {
        "__setitem__" => {
            let [key, item] = args.bind(["key", "value"], 2)?;
            (key.unwrap_or_default(), item)
        }
        _ => (one(args)?, None),
    };
    if let Some(dict) = value.downcast_object_ref::<Dict>() {
        hashable(&key)?;
        let mut entries = dict.write()?;
        let before = match item {
            Some(item) => entries.insert(key, item).or_else(|| Some(Value::from(()))),
            None => entries.shift_remove(&key),
        };
        drop(entries);
        return before.map(|_| Value::from(())).ok_or_else(|| error("the key is not in the dictionary"));
    }
    let Some(list) = value.downcast_object_ref::<List>() else {
        return Err(error(format!("the {} cannot be changed by '{name}': copy it first", type_name(value))));
    };
    if !matches!(kind(&key)?, Kind::Int(_) | Kind::Bool(_)) {
        return Err(error(format!("list indices must be integers or slices, not {}", type_name(&key))));
    }
    let at = index(&key)?;
    let mut items = list.write()?;
    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let place = usize::try_from(if at < 0 { at + length } else { at }).ok().filter(|place| *place < items.len());
    let Some(place) = place else { return Err(error("list assignment index out of range")) };
    match (item, items.get_mut(place)) {
        (Some(item), Some(slot)) => *slot = item,
        (None, _) => drop(items.remove(place)),
        (Some(_), None) => {}
    }
    Ok(Value::from(()))
}

/// `value += other` and its like: the value itself, changed.
fn change_all(value: &Value, name: &str, other: Value) -> Result<Value> {
    if let Some(dict) = value.downcast_object_ref::<Dict>() {
        let more = pairs(&other)?;
        dict.write()?.extend(more);
        return Ok(value.clone());
    }
    let Some(list) = value.downcast_object_ref::<List>() else {
        return Err(error(format!("the {} cannot be changed by '{name}': copy it first", type_name(value))));
    };
    if name == "__iadd__" {
        let more = iterate(&other)?;
        crate::work::elements(more.len())?;
        list.write()?.extend(more);
        return Ok(value.clone());
    }
    if !matches!(kind(&other)?, Kind::Int(_) | Kind::Bool(_)) {
        return Err(error(format!("'{}' object cannot be interpreted as an integer", type_name(&other))));
    }
    let many = iterate(&arithmetic::apply(Operator::Multiply, value, &other)?)?;
    drop(list.replace(many)?);
    Ok(value.clone())
}

fn round(value: &Value, digits: Option<Value>) -> Result<Value> {
    let digits = digits.filter(|digits| !digits.is_none()).map(|digits| index(&digits)).transpose()?;
    match (number(value)?, digits) {
        (Some(Number::Int(whole)), None) => Ok(Big::value(&whole)),
        (Some(Number::Int(whole)), Some(digits)) if digits >= 0 => Ok(Big::value(&whole)),
        (Some(Number::Int(_)), Some(_)) => Err(error("__round__ of an integer with negative digits is not supported")),
        (Some(Number::Float(real)), None) => truncated(real.round_ties_even()).map(|whole| Big::value(&whole)),
        (Some(Number::Float(real)), Some(digits)) => {
            if !real.is_finite() || digits > 300 {
                return Ok(Value::from(real));
            }
            // As in Python, halves are rounded to even, based on the exact value of the float.
            let text = match usize::try_from(digits) {
                Ok(digits) => format!("{real:.digits$}"),
                Err(_) => return Err(error("__round__ with negative digits is not supported")),
            };
            Ok(Value::from(text.parse().unwrap_or(real)))
        }
        (None, _) => Err(super::no_method(value, "__round__")),
    }
}

fn call_number_method(value: &Value, name: &str, args: Args) -> Result<Value> {
    if let Kind::Timedelta(_) = kind(value)? {
        return call_timedelta_method(value, name, args);
    }
    let integer = |value: &Value| match number(value)? {
        Some(Number::Int(whole)) => Ok(Some(whole)),
        _ => Ok::<_, minijinja::Error>(None),
    };
    match (number(value)?, name) {
        (Some(_), "__bool__") => none(args).and_then(|()| truth(value)).map(Value::from),
        (Some(_), "__neg__") => none(args).and_then(|()| arithmetic::negative(value)),
        (Some(_), "__pos__") => none(args).and_then(|()| arithmetic::positive(value)),
        (Some(Number::Int(whole)), "__abs__") => {
            none(args).map(|()| Big::value(&BigInt::from(whole.magnitude().clone())))
        }
        (Some(Number::Float(real)), "__abs__") => none(args).map(|()| Value::from(real.abs())),
        (Some(number), "__float__") => none(args).map(|()| Value::from(number.to_f64())),
        (Some(Number::Int(whole)), "__int__" | "__index__" | "__trunc__" | "__floor__" | "__ceil__") => {
            none(args).map(|()| Big::value(&whole))
        }
        (Some(Number::Float(real)), "__int__" | "__trunc__" | "__floor__" | "__ceil__") => {
            none(args)?;
            let real = match name {
                "__floor__" => real.floor(),
                "__ceil__" => real.ceil(),
                _ => real,
            };
            truncated(real).map(|whole| Big::value(&whole))
        }
        (Some(_), "__divmod__" | "__rdivmod__") => {
            let other = one(args)?;
            if !knows(value, name, &other)? {
                return Ok(not_implemented());
            }
            let (left, right) = if name == "__divmod__" { (value, &other) } else { (&other, value) };
            let quotient = arithmetic::apply(Operator::FloorDivide, left, right)?;
            Ok(Tuple::value(vec![quotient, arithmetic::apply(Operator::Modulo, left, right)?]))
        }
        (Some(Number::Int(whole)), "__invert__") => none(args).map(|()| Big::value(&!whole)),
        (Some(Number::Int(_)), "__and__" | "__rand__" | "__or__" | "__ror__" | "__xor__" | "__rxor__") => {
            let other = one(args)?;
            let (Some(left), Some(right)) = (integer(value)?, integer(&other)?) else { return Ok(not_implemented()) };
            let is_bool = |value: &Value| value.kind() == minijinja::value::ValueKind::Bool;
            let result = match name {
                "__and__" | "__rand__" => left & right,
                "__or__" | "__ror__" => left | right,
                _ => left ^ right,
            };
            if is_bool(value) && is_bool(&other) {
                Ok(Value::from(result != BigInt::ZERO))
            } else {
                Ok(Big::value(&result))
            }
        }
        (Some(Number::Int(_)), "__lshift__" | "__rlshift__" | "__rshift__" | "__rrshift__") => {
            let other = one(args)?;
            let (left, right) =
                if name.starts_with("__r") && name != "__rshift__" { (&other, value) } else { (value, &other) };
            let (Some(whole), Some(by)) = (integer(left)?, integer(right)?) else { return Ok(not_implemented()) };
            if by < BigInt::ZERO {
                return Err(error("negative shift count"));
            }
            let by = u64::try_from(&by).unwrap_or(u64::MAX);
            let is_left = name.contains("lshift");
            if is_left && (by > MAX_BITS || whole.bits() > MAX_BITS) && whole != BigInt::ZERO {
                return Err(error("the number is too large"));
            }
            Ok(Big::value(&if is_left { whole << by } else { whole >> by.min(MAX_BITS * 2) }))
        }
        (Some(Number::Int(whole)), "bit_count") => {
            none(args)?;
            let ones: u64 = whole.magnitude().iter_u64_digits().map(|digit| u64::from(digit.count_ones())).sum();
            Ok(Value::from(ones))
        }
        (Some(Number::Int(whole)), "as_integer_ratio") => {
            none(args).map(|()| Tuple::value(vec![Big::value(&whole), Value::from(1)]))
        }
        (Some(Number::Float(real)), "as_integer_ratio") => none(args).and_then(|()| ratio(real)),
        (Some(Number::Float(real)), "hex") => none(args).map(|()| Value::from(hexadecimal(real))),
        (Some(Number::Int(whole)), "to_bytes") => to_bytes(&whole, args),
        (Some(Number::Int(_)), "from_bytes") => match kind(value)? {
            Kind::Bool(_) => truth(&from_bytes(args)?).map(Value::from),
            _ => from_bytes(args),
        },
        (Some(Number::Float(_)), "fromhex") => {
            let text = one(args)?;
            let text = text.as_str().ok_or_else(|| error("fromhex() argument must be str"))?;
            let bad = || error("invalid hexadecimal floating-point string");
            read_hexadecimal(text).ok_or_else(bad).map(Value::from)
        }
        _ => Err(super::no_method(value, name)),
    }
}

fn call_timedelta_method(value: &Value, name: &str, args: Args) -> Result<Value> {
    let unknown = || super::no_method(value, name);
    match name {
        "__bool__" => none(args).and_then(|()| truth(value)).map(Value::from),
        "__neg__" => none(args).and_then(|()| arithmetic::negative(value)),
        "__pos__" => none(args).and_then(|()| arithmetic::positive(value)),
        "__abs__" => none(args).and_then(|()| duration::absolute(value)?.ok_or_else(unknown)),
        "__divmod__" | "__rdivmod__" => {
            let other = one(args)?;
            if !matches!(kind(&other)?, Kind::Timedelta(_)) {
                return Ok(not_implemented());
            }
            let (left, right) = if name == "__divmod__" { (value, &other) } else { (&other, value) };
            duration::divided(left, right)?.ok_or_else(unknown)
        }
        _ => Err(unknown()),
    }
}

/// The maximum distance of a shift in bits.
const MAX_BITS: u64 = 1 << 17;

/// The fraction that a float is.
fn ratio(real: f64) -> Result<Value> {
    let (top, below) = fraction(real)?;
    Ok(Tuple::value(vec![Big::value(&top), Big::value(&below)]))
}

/// A float as Python's `float.hex` writes it.
fn hexadecimal(real: f64) -> String {
    if real.is_nan() {
        return "nan".into();
    }
    let sign = if real.is_sign_negative() { "-" } else { "" };
    if real.is_infinite() {
        return format!("{sign}inf");
    }
    let bits = real.to_bits();
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    if exponent == 0 && fraction == 0 {
        return format!("{sign}0x0.0p+0");
    }
    let (first, exponent) = match i64::try_from(exponent).unwrap_or(0) {
        0 => (0, -1022),
        exponent => (1, exponent - 1023),
    };
    format!("{sign}0x{first}.{fraction:013x}p{exponent:+}")
}

/// The maximum number of bytes of `to_bytes`.
const MAX_BYTES: i64 = 1 << 16;

/// The integer that bytes are, which may be a list of them.
fn from_bytes(args: Args) -> Result<Value> {
    let [bytes, order, signed] = args.bind(["bytes", "byteorder", "signed"], 1)?;
    let bytes = bytes.unwrap_or_default();
    let mut bytes = match kind(&bytes)? {
        Kind::Bytes(bytes) => bytes.to_vec(),
        Kind::List | Kind::Tuple(_) | Kind::Set(_) => {
            let byte = |item: &Value| u8::try_from(index(item)?).map_err(|_| error("bytes must be in range(0, 256)"));
            iterate(&bytes)?.iter().map(byte).collect::<Result<_>>()?
        }
        _ => return Err(error(format!("cannot convert '{}' object to bytes", type_name(&bytes)))),
    };
    crate::work::scan(bytes.len())?;
    match order
        .map_or(Ok("big".to_owned()), |order| match order.as_str() {
            Some(order) => Ok(order.to_owned()),
            None => Err(error(format!("from_bytes() argument 'byteorder' must be str, not {}", type_name(&order)))),
        })?
        .as_str()
    {
        "big" => bytes.reverse(),
        "little" => {}
        _ => return Err(error("byteorder must be either 'little' or 'big'")),
    }
    let is_signed = signed.map_or(Ok(false), |signed| truth(&signed))?;
    Ok(Big::value(&if is_signed {
        BigInt::from_signed_bytes_le(&bytes)
    } else {
        BigInt::from_bytes_le(num_bigint::Sign::Plus, &bytes)
    }))
}

/// A float in hexadecimal, as `hex` writes it: `0x1.8p+1`.
fn read_hexadecimal(text: &str) -> Option<f64> {
    let text = text.trim();
    let (is_negative, rest) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (text.starts_with('-'), rest),
        None => (false, text),
    };
    let sign = if is_negative { -1.0 } else { 1.0 };
    let lower = rest.to_ascii_lowercase();
    match lower.as_str() {
        "inf" | "infinity" => return Some(sign * f64::INFINITY),
        "nan" => return Some(f64::NAN),
        _ => {}
    }
    let digits = lower.strip_prefix("0x").unwrap_or(&lower);
    let (mantissa, exponent) = match digits.split_once('p') {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (digits, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    // A float in hexadecimal has no more digits than these.
    if all.is_empty() || all.len() > 28 || !all.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let number = u128::from_str_radix(&all, 16).ok()?;
    let places = i32::try_from(4 * fraction.len()).ok()?;
    // In two steps, so that the smallest floats are not lost between them.
    let exponent = exponent.checked_sub(places)?;
    let half = exponent / 2;
    Some(sign * (number as f64) * 2_f64.powi(half) * 2_f64.powi(exponent - half)).filter(|result| result.is_finite())
}

fn to_bytes(whole: &BigInt, args: Args) -> Result<Value> {
    let [length, order, signed] = args.bind(["length", "byteorder", "signed"], 0)?;
    let length = length.map_or(Ok(1), |length| index(&length))?;
    let is_signed = signed.map_or(Ok(false), |signed| truth(&signed))?;
    let order = order.map_or(Ok("big".to_owned()), |order| match order.as_str() {
        Some(order) => Ok(order.to_owned()),
        None => Err(error(format!("to_bytes() argument 'byteorder' must be str, not {}", type_name(&order)))),
    })?;
    if !(0..=MAX_BYTES).contains(&length) {
        return Err(error("length argument must be non-negative, and no number is so long"));
    }
    if !matches!(&*order, "big" | "little") {
        return Err(error("byteorder must be either 'little' or 'big'"));
    }
    if *whole < BigInt::ZERO && !is_signed {
        return Err(error("can't convert negative int to unsigned"));
    }
    let length = usize::try_from(length).unwrap_or(0);
    let mut bytes = if is_signed { whole.to_signed_bytes_le() } else { whole.to_bytes_le().1 };
    if *whole == BigInt::ZERO {
        bytes.clear();
    }
    if bytes.len() > length {
        return Err(error("int too big to convert"));
    }
    let fill = if *whole < BigInt::ZERO { 0xff } else { 0 };
    bytes.resize(length, fill);
    if order == "big" {
        bytes.reverse();
    }
    Ok(Value::from_bytes(bytes))
}
