//! Formats one value with one verb.

use hieratic_hcl_types::{Type, Value, convert, quoted};

use super::number;
use super::scan::{Verb, quoted_letter};
use crate::MAX_PADDING;
use crate::encoding::json;
use crate::strings::characters::{length, prefix};

/// The cost in steps of the digits that a verb prints.
pub(super) fn work(verb: &Verb<'_>, values: &[Value]) -> u64 {
    let value = verb.argument.checked_sub(1).and_then(|index| values.get(index));
    let converted = value.and_then(|value| convert(value, &Type::Number).ok());
    converted.as_ref().and_then(Value::as_number).map_or(0, |number| number::digits_cost(verb, number))
}

/// Writes the value that a verb speaks of.
pub(super) fn append(verb: &Verb<'_>, values: &[Value], to: &mut String) -> Result<(), String> {
    let at = || format!("{} at {}", quoted(verb.raw), verb.offset);
    let Some(value) = verb.argument.checked_sub(1).and_then(|index| values.get(index)) else {
        return Err(format!(
            "not enough arguments for {}: need index {} but have {} total",
            at(),
            verb.argument,
            values.len()
        ));
    };
    let unsupported = |reason: &str| format!("unsupported value for {}: {reason}", at());
    if verb.letter != 'v' && value.is_null() {
        return Err(unsupported("null value cannot be formatted"));
    }
    let converted = |ty: &Type| convert(value, ty).map_err(|error| unsupported(&error.message));
    match verb.letter {
        'v' => {
            let plain = match value {
                Value::String(text) if !verb.sharp => text.to_string(),
                Value::Number(number) if !verb.sharp => number::general(number),
                value => json::encode(value).map_err(|message| unsupported(&message))?,
            };
            pad(verb, &plain, to)
        }
        't' => {
            let value = converted(&Type::Bool)?;
            to.push_str(if value.as_bool() == Some(true) { "true" } else { "false" });
            Ok(())
        }
        'b' | 'd' | 'o' | 'x' | 'X' => match converted(&Type::Number)?.as_number() {
            Some(number) if number.is_whole() => number::append_whole(verb, number, to),
            _ => Err(unsupported("an integer is required")),
        },
        'e' | 'E' | 'f' | 'g' | 'G' => match converted(&Type::Number)?.as_number() {
            Some(number) => number::append_float(verb, number, to),
            None => Err(unsupported("a number is required")),
        },
        's' | 'q' => {
            let value = converted(&Type::String)?;
            let text = value.as_str().unwrap_or_default();
            let text = match verb.precision {
                Some(most) if most > 0 => prefix(text, most),
                _ => text,
            };
            if verb.letter == 's' { pad(verb, text, to) } else { pad(verb, &json::quoted(text), to) }
        }
        letter => Err(format!(
            "unsupported format verb {} in {} at offset {}",
            quoted_letter(letter),
            quoted(verb.raw),
            verb.offset
        )),
    }
}

/// Filled up to the width of the verb, counted in characters.
fn pad(verb: &Verb<'_>, text: &str, to: &mut String) -> Result<(), String> {
    let missing = verb.width.map_or(0, |width| width.saturating_sub(length(text)));
    if missing > MAX_PADDING {
        return Err(format!("the width of {} is larger than {MAX_PADDING}", quoted(verb.raw)));
    }
    if verb.minus {
        to.push_str(text);
    }
    to.extend(std::iter::repeat_n(if verb.zero { '0' } else { ' ' }, missing));
    if !verb.minus {
        to.push_str(text);
    }
    Ok(())
}
