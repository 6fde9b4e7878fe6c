//! Converts values of expressions to values of fields.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/expressions#type-conversion> and
//! <https://github.com/zclconf/go-cty/blob/main/docs/gocty.md>.

use hieratic_hcl_types::{Number, Type, Value, convert};

use crate::record::{Data, Datum, Map};
use crate::schema::{Kind, Scalar};

/// The treatment of unknown values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnknownPolicy {
    /// Unknown values are errors, as in the reference.
    Reject,
    /// Unknown values become [`Data::Unknown`], but their type must fit as far as it is known.
    Keep,
}

/// Converts an argument's value for its field; [`Data::Null`] if the field then has no value.
///
/// # Errors
///
/// The detail of the reference's message.
pub(super) fn field(kind: Kind, value: &Value, gaps: UnknownPolicy) -> Result<Data, String> {
    let ty = match kind {
        Kind::Plain(of) | Kind::Maybe(of) => scalar_type(of),
        Kind::List(of) => Type::list(scalar_type(of)),
        Kind::Map(of) => Type::map(scalar_type(of)),
        Kind::MapOfLists(of) => Type::map(Type::list(scalar_type(of))),
        // These kinds are not written as arguments.
        Kind::Any | Kind::Bytes | Kind::One(_) | Kind::Many(_) | Kind::Keyed(_) => Type::Dynamic,
    };
    let converted;
    let value = if value.is_of(&ty) {
        value
    } else {
        converted = convert(value, &ty).map_err(|error| format!("Unsuitable value: {error}"))?;
        &converted
    };
    let data = match (kind, value) {
        (Kind::Maybe(_), Value::Null(_)) => Ok(Data::Null),
        (Kind::Plain(of) | Kind::Maybe(of), value) => scalar(of, value, gaps),
        (Kind::List(of), value) => list(of, value, gaps),
        (Kind::Map(_) | Kind::MapOfLists(_), value) => map(kind, value, gaps),
        _ => Err("this cannot be written as an argument".to_owned()),
    };
    data.map_err(|error| format!("Unsuitable value: {error}"))
}

/// The value of a field whose argument could not be converted. It matters only where messages are lost, in the fields
/// that a group passes on to its tasks. The reference allocates a field before it rejects a value of the right type
/// that is unknown or out of range, so the field is then empty instead of missing.
pub(super) fn value_after_error(kind: Kind, value: &Value) -> Option<Data> {
    match kind {
        Kind::Maybe(of) => convert(value, &scalar_type(of)).is_ok().then(|| zero_value(of)),
        _ => None,
    }
}

/// The value of a field that was not written.
pub(super) fn zero_value(of: Scalar) -> Data {
    match of {
        Scalar::Text | Scalar::Named(_) => Data::Text("".into()),
        Scalar::Bool => Data::Bool(false),
        Scalar::Integer | Scalar::Int(_) | Scalar::Duration => Data::Int(0),
        Scalar::Uint(_) => Data::Uint(0),
    }
}

/// A number of nanoseconds in its field.
///
/// # Errors
///
/// The detail of the reference's message.
pub(super) fn duration(value: &Value, gaps: UnknownPolicy) -> Result<Data, String> {
    scalar(Scalar::Duration, value, gaps).map_err(|error| format!("Unsuitable value: {error}"))
}

/// The type to which a scalar's value is converted.
fn scalar_type(of: Scalar) -> Type {
    match of {
        Scalar::Text | Scalar::Named(_) => Type::String,
        Scalar::Bool => Type::Bool,
        Scalar::Integer | Scalar::Int(_) | Scalar::Uint(_) | Scalar::Duration => Type::Number,
    }
}

fn list(of: Scalar, value: &Value, gaps: UnknownPolicy) -> Result<Data, String> {
    match value {
        Value::Null(_) => Ok(Data::Null),
        Value::Unknown(_) => unknown(gaps),
        value => {
            let items = value.elements().map(|item| scalar(of, item, gaps).map(Datum::derived));
            Ok(Data::List(items.collect::<Result<_, _>>()?))
        }
    }
}

fn map(kind: Kind, value: &Value, gaps: UnknownPolicy) -> Result<Data, String> {
    match value {
        Value::Null(_) => Ok(Data::Null),
        Value::Unknown(_) => unknown(gaps),
        value => {
            let entries = value.as_entries().unwrap_or_default().iter().map(|(key, item)| {
                let item = match kind {
                    Kind::Map(of) => scalar(of, item, gaps)?,
                    Kind::MapOfLists(of) => list(of, item, gaps)?,
                    _ => Data::Null,
                };
                Ok::<_, String>((key.clone(), Datum::derived(item)))
            });
            Ok(Data::Map(entries.collect::<Result<_, _>>()?))
        }
    }
}

/// The result for an unknown value.
fn unknown(gaps: UnknownPolicy) -> Result<Data, String> {
    match gaps {
        UnknownPolicy::Reject => Err("value must be known".to_owned()),
        UnknownPolicy::Keep => Ok(Data::Unknown),
    }
}

fn scalar(of: Scalar, value: &Value, gaps: UnknownPolicy) -> Result<Data, String> {
    match (of, value) {
        (_, Value::Null(_)) => Err("null value is not allowed".to_owned()),
        (_, Value::Unknown(_)) => unknown(gaps),
        (Scalar::Text | Scalar::Named(_), Value::String(text)) => Ok(Data::Text(text.clone())),
        (Scalar::Bool, Value::Bool(value)) => Ok(Data::Bool(*value)),
        (Scalar::Uint(bits), Value::Number(number)) => unsigned(bits, number),
        (Scalar::Integer | Scalar::Duration, Value::Number(number)) => signed(64, number),
        (Scalar::Int(bits), Value::Number(number)) => signed(bits, number),
        // Values are converted first.
        _ => Err("incorrect type".to_owned()),
    }
}

fn signed(bits: u8, number: &Number) -> Result<Data, String> {
    let greatest = i64::MAX >> (64 - u32::from(bits));
    let smallest = -greatest - 1;
    match number.to_i64() {
        Some(value) if (smallest..=greatest).contains(&value) => Ok(Data::Int(value)),
        _ => Err(format!("value must be a whole number, between {smallest} and {greatest}")),
    }
}

fn unsigned(bits: u8, number: &Number) -> Result<Data, String> {
    let greatest = u64::MAX >> (64 - u32::from(bits));
    match cut_to_unsigned(number) {
        Some(value) if value <= greatest => Ok(Data::Uint(value)),
        _ => Err(format!("value must be a whole number, between 0 and {greatest} inclusive")),
    }
}

/// The number as an unsigned integer. As in the reference, a fraction is truncated if all bits of the number, from the
/// first to the last that is set, fit into a machine word: 1.5 is 1, but 0.5 and 1.1 are errors.
fn cut_to_unsigned(number: &Number) -> Option<u64> {
    if let Some(value) = number.to_i64() {
        return u64::try_from(value).ok();
    }
    // Beyond that a number may have ten million digits.
    if number.absolute() >= Number::from_f64(2_f64.powi(64))? {
        return None;
    }
    let value: u64 = number.truncated()?.to_digits(10)?.parse().ok()?;
    if value == 0 {
        return None;
    }
    // Scaling by the remaining bits of a word tests the bits after the point.
    let factor = Number::from_f64(2_f64.powi(value.leading_zeros() as i32))?;
    number.multiply(&factor)?.is_whole().then_some(value)
}

/// The maximum number of values for plugins in one job. Values share common parts, so a short file can represent more
/// of them than fit into memory.
const MAX_VALUES: usize = 10_000_000;

/// The maximum nesting depth of these values.
const MAX_DEPTH: usize = 1_000;

/// The number of values that a job may still have.
pub(super) struct ValueBudget {
    left: usize,
    depth: usize,
    lost_keys: bool,
    gaps: UnknownPolicy,
}

impl ValueBudget {
    pub(super) fn new(gaps: UnknownPolicy) -> Self {
        Self { left: MAX_VALUES, depth: MAX_DEPTH, lost_keys: false, gaps }
    }

    /// Converts a value for a plugin: whole numbers as integers, others as floating point.
    ///
    /// # Errors
    ///
    /// If it contains an unknown value, or is too large.
    pub(super) fn any(&mut self, value: &Value) -> Result<Data, String> {
        self.left = self.left.checked_sub(1).ok_or_else(|| format!("there are more than {MAX_VALUES} values"))?;
        Ok(match value {
            Value::Null(_) => Data::Null,
            Value::Unknown(_) if self.gaps == UnknownPolicy::Keep => Data::Unknown,
            Value::Unknown(_) => return Err("value is not known".to_owned()),
            Value::Bool(value) => Data::Bool(*value),
            Value::String(text) => Data::Text(text.clone()),
            Value::Number(number) => match number.to_i64() {
                Some(value) => Data::Int(value),
                None => Data::Float(number.to_f64()),
            },
            compound => {
                let depth = self.depth.checked_sub(1);
                self.depth = depth.ok_or_else(|| format!("values are more than {MAX_DEPTH} levels deep"))?;
                let data = self.compound(compound)?;
                self.depth += 1;
                data
            }
        })
    }

    /// Returns whether a map of maps has lost its keys since the last call.
    pub(super) fn has_lost_keys(&mut self) -> bool {
        std::mem::take(&mut self.lost_keys)
    }

    fn compound(&mut self, value: &Value) -> Result<Data, String> {
        // The reference treats every collection of maps as a list.
        if let Value::Map(map) = value
            && matches!(map.element, Type::Map(_) | Type::Object(_))
        {
            let entries = map.entries.entries();
            self.lost_keys |= !entries.is_empty();
            let items = entries.iter().map(|(_, item)| self.any(item).map(Datum::derived));
            return Ok(Data::List(items.collect::<Result<_, _>>()?));
        }
        if let Some(entries) = value.as_entries() {
            let entries = entries.iter().map(|(key, item)| Ok((key.clone(), Datum::derived(self.any(item)?))));
            return Ok(Data::Map(entries.collect::<Result<Map, String>>()?));
        }
        let items = value.elements().map(|item| self.any(item).map(Datum::derived));
        Ok(Data::List(items.collect::<Result<_, _>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fit_their_field() {
        let number = |text| Value::from(Number::parse(text).unwrap());
        assert_eq!(field(Kind::Maybe(Scalar::Int(8)), &number("-128"), UnknownPolicy::Reject), Ok(Data::Int(-128)));
        assert_eq!(
            field(Kind::Maybe(Scalar::Int(8)), &number("128"), UnknownPolicy::Reject).unwrap_err(),
            "Unsuitable value: value must be a whole number, between -128 and 127"
        );
        assert_eq!(
            field(Kind::Plain(Scalar::Uint(64)), &number("18446744073709551615"), UnknownPolicy::Reject),
            Ok(Data::Uint(u64::MAX))
        );
        assert_eq!(
            field(Kind::Plain(Scalar::Uint(16)), &number("65536"), UnknownPolicy::Reject).unwrap_err(),
            "Unsuitable value: value must be a whole number, between 0 and 65535 inclusive"
        );
        for (text, cut) in
            [("1.5", Some(1)), ("255.25", Some(255)), ("0.5", None), ("1.1", None), ("-1", None), ("1e30", None)]
        {
            assert_eq!(cut_to_unsigned(&Number::parse(text).unwrap()), cut, "{text}");
        }
        assert!(
            field(Kind::Plain(Scalar::Integer), &number("1.5"), UnknownPolicy::Reject)
                .unwrap_err()
                .contains("-9223372036854775808")
        );
    }

    #[test]
    fn null_clears_an_optional_field() {
        assert_eq!(field(Kind::Maybe(Scalar::Text), &Value::NULL, UnknownPolicy::Reject), Ok(Data::Null));
        assert_eq!(field(Kind::List(Scalar::Text), &Value::NULL, UnknownPolicy::Reject), Ok(Data::Null));
        let refused = field(Kind::Plain(Scalar::Text), &Value::NULL, UnknownPolicy::Reject).unwrap_err();
        assert_eq!(refused, "Unsuitable value: null value is not allowed");
    }

    #[test]
    fn the_type_of_an_unknown_value_must_fit() {
        let unknown = |ty| Value::Unknown(ty);
        let keep = |kind, ty| field(kind, &unknown(ty), UnknownPolicy::Keep);
        assert_eq!(keep(Kind::Maybe(Scalar::Integer), Type::String), Ok(Data::Unknown));
        assert_eq!(keep(Kind::Maybe(Scalar::Integer), Type::Dynamic), Ok(Data::Unknown));
        assert!(keep(Kind::Maybe(Scalar::Integer), Type::list(Type::String)).unwrap_err().contains("number required"));
        assert!(field(Kind::Maybe(Scalar::Integer), &unknown(Type::Number), UnknownPolicy::Reject).is_err());
        let list = Value::tuple(vec![Value::String("a".into()), unknown(Type::String)]);
        let items = vec![Datum::derived("a".into()), Datum::derived(Data::Unknown)];
        assert_eq!(field(Kind::List(Scalar::Text), &list, UnknownPolicy::Keep), Ok(Data::List(items)));
    }
}
