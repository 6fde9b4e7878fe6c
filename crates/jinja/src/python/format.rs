//! `'%s' % value` and `'{}'.format(value)`:
//! <https://docs.python.org/3/library/stdtypes.html#printf-style-string-formatting> and
//! <https://docs.python.org/3/library/string.html#formatstrings>.

pub use hieratic_python_values::format::padded;
use hieratic_python_values::format::{
    Reader, Spec, WIDEST, float, grouped, integer_digits, parse_spec, prefix, signed,
};
use minijinja::Value;
use num_bigint::BigInt;

use super::kind::{element, type_name};
use super::number::{Number, index, number, to_f64, truncated};
use super::text::LONGEST;
use super::{Kind, index as indexing, kind, repr, str};
use crate::call::Args;
use crate::error::{Result, error};
use crate::work;

/// Escapes all characters outside ASCII, as Python's `ascii` does.
fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match u32::from(letter) {
            0..=0x7f => out.push(letter),
            code @ 0x80..=0xff => out.push_str(&format!("\\x{code:02x}")),
            code @ 0x100..=0xffff => out.push_str(&format!("\\u{code:04x}")),
            code => out.push_str(&format!("\\U{code:08x}")),
        }
    }
    out
}

/// `template % values`
pub fn percent(template: &str, values: &Value) -> Result<String> {
    let positional: Vec<Value> = match kind(values)? {
        Kind::Tuple(items) => items.to_vec(),
        _ => vec![values.clone()],
    };
    let is_dict = matches!(kind(values)?, Kind::Dict);
    let mut used = 0;
    let mut take = || {
        used += 1;
        positional.get(used - 1).cloned().ok_or_else(|| error("not enough arguments for format string"))
    };
    let mut out = String::new();
    let mut reader = Reader { rest: template };
    while let Some(before) = reader.until('%') {
        out.push_str(before);
        let after = reader.rest.len();
        let mut named = None;
        if reader.next_if(|letter| letter == '(').is_some() {
            if !is_dict {
                return Err(error("format requires a mapping"));
            }
            let name = reader.until(')').ok_or_else(|| error("incomplete format key"))?;
            let found = element(values, &Value::from(name))?;
            named = Some(found.ok_or_else(|| error(format!("'{name}'")))?);
        }
        let mut spec = Spec::default();
        let mut left = false;
        while let Some(flag) = reader.next_if(|letter| "-+ #0".contains(letter)) {
            match flag {
                '-' => left = true,
                '#' => spec.alternate = true,
                '0' => spec.fill = Some('0'),
                '+' => spec.sign = Some('+'),
                _ => spec.sign = spec.sign.or(Some(' ')),
            }
        }
        let mut star = |reader: &mut Reader<'_>| match reader.next_if(|letter| letter == '*') {
            Some(_) => index(&take()?).map(Some),
            None => Ok(None),
        };
        if let Some(width) = star(&mut reader)? {
            left |= width < 0;
            spec.width = usize::try_from(width.unsigned_abs()).unwrap_or(WIDEST).min(WIDEST);
        } else {
            spec.width = reader.number().map_err(error)?.unwrap_or(0);
        }
        if reader.next_if(|letter| letter == '.').is_some() {
            let precision = match star(&mut reader)? {
                Some(precision) => usize::try_from(precision).unwrap_or(0).min(WIDEST),
                None => reader.number().map_err(error)?.unwrap_or(0),
            };
            spec.precision = Some(precision);
        }
        while reader.next_if(|letter| "hlL".contains(letter)).is_some() {}
        let is_alone = reader.rest.len() == after;
        let conversion = reader.next().ok_or_else(|| error("incomplete format"))?;
        // `%%` is a percent sign only without flags between.
        if conversion == '%' && is_alone {
            out.push('%');
            continue;
        }
        let value = match named {
            Some(value) => value,
            None => take()?,
        };
        spec.align = match (left, spec.fill) {
            (true, _) => Some('<'),
            (false, Some(_)) => Some('='),
            (false, None) => Some('>'),
        };
        if left {
            spec.fill = None;
        }
        work::bytes(spec.width.saturating_add(spec.precision.unwrap_or(0)))?;
        let text = percent_value(&value, conversion, &spec)?;
        work::bytes(text.len())?;
        out.push_str(&text);
        bounded(&out)?;
    }
    out.push_str(reader.rest);
    if used < positional.len() && !is_dict && !(used == 0 && matches!(kind(values)?, Kind::List)) {
        return Err(error("not all arguments converted during string formatting"));
    }
    Ok(out)
}

fn percent_value(value: &Value, conversion: char, spec: &Spec) -> Result<String> {
    let texts = |text: String| {
        let text = match spec.precision {
            Some(precision) => text.chars().take(precision).collect(),
            None => text,
        };
        let fill = spec.align.filter(|align| *align == '<').map_or('>', |_| '<');
        Ok(padded(&text, spec.width, ' ', fill))
    };
    match conversion {
        's' => texts(str(value)?),
        'r' => texts(repr(value)?),
        'a' => texts(ascii(&repr(value)?)),
        'c' => match kind(value)? {
            Kind::Str(text) if text.chars().count() == 1 => texts(text.into()),
            Kind::Int(_) => texts(character(value)?),
            _ => Err(error("%c requires int or char")),
        },
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' => {
            let whole = match number(value)? {
                Some(Number::Int(number)) => number,
                Some(Number::Float(number)) if "diu".contains(conversion) => truncated(number)?,
                Some(Number::Float(_)) => {
                    return Err(error(format!("%{conversion} format: an integer is required, not float")));
                }
                None => {
                    let (subject, name) =
                        (if "diu".contains(conversion) { "a real number" } else { "an integer" }, type_name(value));
                    return Err(error(format!("%{conversion} format: {subject} is required, not {name}")));
                }
            };
            let kind = if matches!(conversion, 'i' | 'u') { 'd' } else { conversion };
            let digits = integer_digits(&whole, kind);
            let least = spec.precision.unwrap_or(0);
            let digits = format!("{}{digits}", "0".repeat(least.saturating_sub(digits.len())));
            Ok(signed(whole < BigInt::ZERO, &prefix(spec, kind), &digits, spec))
        }
        'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
            let Some(number) = number(value)? else {
                return Err(error(format!("must be real number, not {}", type_name(value))));
            };
            Ok(float(number.to_f64(), &Spec { kind: Some(conversion), ..spec.clone() }))
        }
        _ => {
            let code = u32::from(conversion);
            Err(error(format!("unsupported format character '{conversion}' (0x{code:x})")))
        }
    }
}

fn bounded(out: &str) -> Result<()> {
    if out.len() > LONGEST { Err(error("the string is too long")) } else { Ok(()) }
}

/// `template.format(*args, **named)`
pub fn braces(template: &str, args: &Args) -> Result<String> {
    let mut automatic = 0;
    fill(template, args, &mut automatic, 2)
}

fn fill(template: &str, args: &Args, automatic: &mut usize, depth: usize) -> Result<String> {
    if depth == 0 {
        return Err(error("Max string recursion exceeded"));
    }
    let mut out = String::new();
    let mut reader = Reader { rest: template };
    while let Some(letter) = reader.next() {
        match letter {
            '{' if reader.next_if(|next| next == '{').is_some() => out.push('{'),
            '}' if reader.next_if(|next| next == '}').is_some() => out.push('}'),
            '}' => return Err(error("Single '}' encountered in format string")),
            '{' => {
                let mut level = 1;
                let end = reader.rest.char_indices().find(|(_, letter)| {
                    level += i32::from(*letter == '{') - i32::from(*letter == '}');
                    level == 0
                });
                let Some((end, _)) = end else {
                    return Err(error("expected '}' before end of string"));
                };
                let (field, rest) = reader.rest.split_at(end);
                reader.rest = rest.get(1..).unwrap_or("");
                let text = replacement(field, args, automatic, depth)?;
                work::steps(1)?;
                work::bytes(text.len())?;
                out.push_str(&text);
                bounded(&out)?;
            }
            other => out.push(other),
        }
    }
    Ok(out)
}

/// Evaluates the field between two braces.
fn replacement(field: &str, args: &Args, automatic: &mut usize, depth: usize) -> Result<String> {
    let split = field.find(['!', ':']).unwrap_or(field.len());
    let (name, rest) = field.split_at(split);
    let (conversion, spec) = match rest.strip_prefix('!') {
        Some(rest) => {
            let mut letters = rest.chars();
            (letters.next(), letters.as_str())
        }
        None => (None, rest),
    };
    let spec = match spec.strip_prefix(':') {
        Some(spec) => fill(spec, args, automatic, depth - 1)?,
        None if spec.is_empty() => String::new(),
        None => return Err(error("expected ':' after conversion specifier")),
    };
    let value = lookup(name, args, automatic)?;
    let value = match conversion {
        None => value,
        Some('s') => Value::from(str(&value)?),
        Some('r') => Value::from(repr(&value)?),
        Some('a') => Value::from(ascii(&repr(&value)?)),
        Some(other) => return Err(error(format!("Unknown conversion specifier '{other}'"))),
    };
    format_value(&value, &spec)
}

/// The value of a field: `0`, `name`, `name.attribute[key]`.
fn lookup(name: &str, args: &Args, automatic: &mut usize) -> Result<Value> {
    let split = name.find(['.', '[']).unwrap_or(name.len());
    let (first, mut rest) = name.split_at(split);
    let positional = |at: usize| {
        let value = args.positional.get(at).cloned();
        value.ok_or_else(|| error(format!("Replacement index {at} out of range for positional args tuple")))
    };
    let mut value = if first.is_empty() {
        *automatic += 1;
        positional(*automatic - 1)?
    } else if let Ok(at) = first.parse::<usize>() {
        positional(at)?
    } else {
        work::steps(args.named.len() / 8)?;
        let named = args.named.iter().find(|(known, _)| **known == *first);
        named.map(|(_, value)| value.clone()).ok_or_else(|| error(format!("'{first}'")))?
    };
    while !rest.is_empty() {
        let missing = |key: &str| error(format!("'{key}'"));
        if let Some(after) = rest.strip_prefix('[') {
            let (key, after) = after.split_once(']').ok_or_else(|| error("Missing ']' in format string"))?;
            let key_value = key.parse::<i64>().map_or_else(|_| Value::from(key), Value::from);
            value = indexing::item(&value, &key_value)?.ok_or_else(|| missing(key))?;
            rest = after;
        } else if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            let (attribute, after) = after.split_at(end);
            let found = match kind(&value)? {
                Kind::Datetime(_) | Kind::Daytime(_) | Kind::Zone(_) | Kind::Timedelta(_) | Kind::Other => {
                    value.get_attr(attribute).ok()
                }
                _ => None,
            };
            let name = type_name(&value);
            value = found
                .filter(|found| !found.is_undefined())
                .ok_or_else(|| error(format!("'{name}' object has no attribute '{attribute}'")))?;
            rest = after;
        } else {
            return Err(error("Only '.' or '[' may follow ']' in format field specifier"));
        }
    }
    Ok(value)
}

/// `format(value, spec)`
pub fn format_value(value: &Value, spec: &str) -> Result<String> {
    if spec.is_empty() {
        return str(value);
    }
    match kind(value)? {
        Kind::Datetime(datetime) => return datetime.format(spec),
        Kind::Daytime(time) => return time.format(spec),
        _ => {}
    }
    let unknown = |letter: char| {
        let name = type_name(value);
        Err(error(format!("Unknown format code '{letter}' for object of type '{name}'")))
    };
    let parsed = parse_spec(spec).map_err(error)?;
    match kind(value)? {
        Kind::Str(text) => match parsed.kind {
            None | Some('s') if parsed.align == Some('=') => {
                Err(error("'=' alignment not allowed in string format specifier"))
            }
            None | Some('s') => {
                let text: String = text.chars().take(parsed.precision.unwrap_or(usize::MAX)).collect();
                Ok(padded(&text, parsed.width, parsed.fill.unwrap_or(' '), parsed.align.unwrap_or('<')))
            }
            Some(other) => unknown(other),
        },
        Kind::Bool(_) | Kind::Int(_) => match (parsed.kind, number(value)?) {
            (None | Some('d' | 'n' | 'x' | 'X' | 'o' | 'b'), Some(Number::Int(number))) => {
                if parsed.precision.is_some() {
                    return Err(error("Precision not allowed in integer format specifier"));
                }
                let kind = parsed.kind.filter(|kind| *kind != 'n').unwrap_or('d');
                let digits = grouped(&integer_digits(&number, kind), parsed.grouping, if kind == 'd' { 3 } else { 4 });
                Ok(signed(number < BigInt::ZERO, &prefix(&parsed, kind), &digits, &parsed))
            }
            (Some('c'), _) => {
                Ok(padded(&character(value)?, parsed.width, parsed.fill.unwrap_or(' '), parsed.align.unwrap_or('<')))
            }
            (Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%'), Some(Number::Int(number))) => {
                Ok(float(to_f64(&number), &parsed))
            }
            (Some(other), _) => unknown(other),
            (None, _) => str(value),
        },
        Kind::Float(number) => match parsed.kind {
            None | Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'n' | '%') => Ok(float(number, &parsed)),
            Some(other) => unknown(other),
        },
        _ => {
            let name = type_name(value);
            Err(error(format!("unsupported format string passed to {name}.__format__")))
        }
    }
}

fn character(value: &Value) -> Result<String> {
    let code = u32::try_from(index(value)?).ok().and_then(char::from_u32);
    code.map(String::from).ok_or_else(|| error("%c arg not in range(0x110000)"))
}
