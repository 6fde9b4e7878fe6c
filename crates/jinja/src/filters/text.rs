//! String filters.

use minijinja::Value;

use super::arguments::{as_flag, as_index, as_text, given, strict, strict_text};
use crate::call::Args;
use crate::error::{Result, error, undefined};
use crate::escaping::{escaped, operation};
use crate::host::{Host, Table, define};
use crate::objects::{List, Markup};
use crate::python::arithmetic::Operator;
use crate::python::methods;
use crate::python::{Budget, Kind, format, iterate, kind};
use crate::work;

pub const TABLE: Table = &[
    define("capitalize", "", "Converts the first letter to upper case, all others to lower case.", |_, args| {
        plain(args, "capitalize")
    }),
    define("center", "width=80", "Centers the text in a field of this width.", center),
    define(
        "format",
        "*args, **kwargs",
        "Replaces placeholders such as `%s` and `%(name)d` by the arguments.",
        format_filter,
    ),
    define(
        "indent",
        "width=4, first=False, blank=False",
        "Adds spaces to the beginning of each line, to the first and to blank ones on request only.",
        indent,
    ),
    define("lower", "", "Converts all letters to lower case.", |_, args| plain(args, "lower")),
    define("pprint", "", "Formats the value as Python's `pprint` does.", pprint),
    define(
        "replace",
        "old, new, count=None",
        "Replaces each occurrence of a string by another one, at most `count` of them.",
        replace,
    ),
    define("reverse", "", "Reverses the order of the items or characters.", reverse),
    define("string", "", "Converts to a string.", string),
    define("title", "", "Converts the first letter of each word to upper case, all others to lower case.", title),
    define("trim", "chars=None", "Removes whitespace, or these characters, from both ends.", trim),
    define(
        "truncate",
        "length=255, killwords=False, end='...', leeway=None",
        "Shortens the string to a length, at a word unless `killwords` is true, and appends `end`.",
        truncate,
    ),
    define("upper", "", "Converts all letters to upper case.", |_, args| plain(args, "upper")),
    define("wordcount", "", "Counts the words.", |_, args| {
        let [value] = args.bind(["s"], 1)?;
        let text = as_text(&value)?;
        let words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        Ok(Value::from(words.filter(|word| !word.is_empty()).count()))
    }),
    define(
        "filesizeformat",
        "binary=False",
        "Formats a number of bytes as `1.5 kB`; with `true` in binary units, `1.5 KiB`.",
        filesizeformat,
    ),
    define(
        "default",
        "default_value='', boolean=False",
        "Returns another value where the value is undefined; with `true` as second argument also where it is false.",
        default,
    ),
    define(
        "d",
        "default_value='', boolean=False",
        "Returns another value where the value is undefined; with `true` as second argument also where it is false.",
        default,
    ),
];

/// Applies a string method as a filter.
fn plain(args: Args, method: &str) -> Result<Value> {
    let [value] = args.bind(["s"], 1)?;
    match given(value) {
        value if value.as_str().is_some() => methods::call(&value, method, Args::default()),
        value => methods::call(&Value::from(as_text(&Some(value))?), method, Args::default()),
    }
}

fn center(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, width] = args.bind(["value", "width"], 1)?;
    let width = width.unwrap_or_else(|| Value::from(80));
    let args = Args { positional: vec![width], ..Args::default() };
    methods::call(&Value::from(as_text(&value)?), "center", args)
}

/// The filter `format`, which is `%`.
fn format_filter(_: &dyn Host, mut args: Args) -> Result<Value> {
    if args.positional.is_empty() {
        return Err(error("format() missing 1 required positional argument: 'value'"));
    }
    let template = args.positional.remove(0);
    let values = if args.named.is_empty() {
        crate::objects::Tuple::value(args.positional)
    } else if args.positional.is_empty() {
        crate::objects::Dict::value(args.named.into_iter().map(|(name, value)| (Value::from(&*name), value)).collect())
    } else {
        return Err(error("can't handle positional and keyword arguments at the same time"));
    };
    if Markup::is(&template) {
        return operation(Operator::Modulo, &template, &values);
    }
    format::percent(&as_text(&Some(template))?, &values).map(Value::from)
}

fn indent(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, width, first, blank] = args.bind(["s", "width", "first", "blank"], 1)?;
    let indention = match width.as_ref().and_then(|width| width.as_str()) {
        Some(text) => text.to_string(),
        None => " ".repeat(methods_width(width)?),
    };
    let (first, blank) = (as_flag(first, false)?, as_flag(blank, false)?);
    let text = strict(&value, "indent")? + "\n";
    let lines = methods::lines(&text, false);
    let mut out = String::new();
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        let indented = if at == 0 { first } else { blank || !line.is_empty() };
        work::bytes(line.len() + if indented { indention.len() + 1 } else { 1 })?;
        if indented {
            out.push_str(&indention);
        }
        out.push_str(line);
        if out.len() > crate::python::text::LONGEST {
            return Err(error("the string is too long"));
        }
    }
    Ok(Value::from(out))
}

fn methods_width(width: Option<Value>) -> Result<usize> {
    match usize::try_from(as_index(width, 4)?) {
        Ok(width) if width > 1 << 16 => Err(error(format!("the width {width} is too large"))),
        width => Ok(width.unwrap_or(0)),
    }
}

fn pprint(_: &dyn Host, args: Args) -> Result<Value> {
    let [value] = args.bind(["value"], 1)?;
    crate::python::repr(&sorted(&given(value), 100, &Budget::new())?).map(Value::from)
}

/// A value with the keys of its dictionaries in order, if they have one.
fn sorted(value: &Value, depth: usize, budget: &Budget) -> Result<Value> {
    budget.step()?;
    let Some(depth) = depth.checked_sub(1) else {
        return Err(error("the value nests too deeply"));
    };
    Ok(match kind(value)? {
        Kind::List => {
            List::value(iterate(value)?.iter().map(|item| sorted(item, depth, budget)).collect::<Result<_>>()?)
        }
        Kind::Tuple(items) => {
            crate::objects::Tuple::value(items.iter().map(|item| sorted(item, depth, budget)).collect::<Result<_>>()?)
        }
        Kind::Dict => {
            let mut entries = crate::python::kind::entries(value)?;
            // Keys of different types are in the order of the names of their types.
            entries.sort_by_cached_key(|(key, _)| (crate::python::type_name(key), key.clone()));
            let entries = entries.into_iter().map(|(key, item)| Ok((key, sorted(&item, depth, budget)?)));
            crate::objects::Dict::value(entries.collect::<Result<_>>()?)
        }
        _ => value.clone(),
    })
}

fn replace(host: &dyn Host, args: Args) -> Result<Value> {
    let [value, old, new, count] = args.bind(["s", "old", "new", "count"], 3)?;
    let [of, from, to] = [&value, &old, &new].map(|text| text.as_ref().is_some_and(Markup::is));
    // With autoescape, one escaped string makes the result escaped.
    let escapes = host.escapes() && (of || from || to);
    let text_of = |value: &Option<Value>, is_escaped: bool| {
        if escapes && !is_escaped { as_text(value).map(|text| escaped(&text)) } else { as_text(value) }
    };
    let (text, old, new) = (text_of(&value, of)?, text_of(&old, from)?, text_of(&new, to)?);
    let replaced = crate::python::replace(&text, &old, &new, as_index(count, -1)?)?;
    Ok(if escapes { Markup::value(replaced) } else { Value::from(replaced) })
}

fn reverse(_: &dyn Host, args: Args) -> Result<Value> {
    let [value] = args.bind(["value"], 1)?;
    let value = given(value);
    if let Kind::Str(text) = kind(&value)? {
        return Ok(Value::from(text.chars().rev().collect::<String>()));
    }
    let mut items = iterate(&value).map_err(|_| error("argument must be iterable"))?;
    items.reverse();
    Ok(List::value(items))
}

/// The filter `string`, whose result is not parsed as a literal.
fn string(host: &dyn Host, args: Args) -> Result<Value> {
    let [value] = args.bind(["s"], 1)?;
    if let Some(escaped) = value.as_ref().filter(|value| host.escapes() && Markup::is(value)) {
        return Ok(escaped.clone());
    }
    Ok(Value::from_safe_string(as_text(&value)?))
}

/// The filter `title`: a word starts after whitespace and after `-`, `(`, `{`, `[` and `<`.
fn title(_: &dyn Host, args: Args) -> Result<Value> {
    let [value] = args.bind(["s"], 1)?;
    let text = as_text(&value)?;
    let mut out = String::with_capacity(text.len());
    let mut starts = true;
    for letter in text.chars() {
        match starts {
            true if letter.is_ascii() => out.push(letter.to_ascii_uppercase()),
            false if letter.is_ascii() => out.push(letter.to_ascii_lowercase()),
            true => out.extend(letter.to_uppercase()),
            false => out.extend(letter.to_lowercase()),
        }
        starts = letter.is_whitespace() || "-({[<".contains(letter);
    }
    Ok(Value::from(out))
}

fn trim(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, letters] = args.bind(["value", "chars"], 1)?;
    let positional = letters.into_iter().collect();
    methods::call(&Value::from(as_text(&value)?), "strip", Args { positional, ..Args::default() })
}

fn truncate(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, length, kill, end, leeway] = args.bind(["s", "length", "killwords", "end", "leeway"], 1)?;
    let value = given(value);
    if let Kind::Missing(missing) = kind(&value)? {
        return Err(undefined(missing.message()));
    }
    let end = end.map_or(Ok("...".into()), |end| as_text(&Some(end)))?;
    if length.as_ref().is_some_and(Value::is_none) {
        return Err(error("'>=' not supported between instances of 'NoneType' and 'int'"));
    }
    let (length, leeway) = (as_index(length, 255)?, as_index(leeway, 5)?);
    let end_length = i64::try_from(end.chars().count()).unwrap_or(i64::MAX);
    if length < end_length {
        return Err(error(format!("expected length >= {end_length}, got {length}")));
    }
    if leeway < 0 {
        return Err(error(format!("expected leeway >= 0, got {leeway}")));
    }
    // Lists have a length, too; short ones are unchanged.
    if crate::python::kind::is_sequence(&value) || matches!(kind(&value)?, Kind::Dict) {
        let most = usize::try_from(length.saturating_add(leeway)).unwrap_or(0);
        let fits = value.len().unwrap_or(0) <= most;
        return if fits { Ok(value) } else { Err(error("only strings can be truncated")) };
    }
    let text = strict_text(&value, "truncate")?;
    // A string does not have more characters than bytes.
    if i64::try_from(text.len()).is_ok_and(|bytes| bytes <= length.saturating_add(leeway)) {
        return Ok(Value::from(text));
    }
    let letters: Vec<char> = text.chars().collect();
    if i64::try_from(letters.len()).unwrap_or(i64::MAX) <= length.saturating_add(leeway) {
        return Ok(Value::from(text));
    }
    // The string is longer than this.
    let kept: String = letters.iter().take(usize::try_from(length - end_length).unwrap_or(0)).collect();
    if as_flag(kill, false)? {
        return Ok(Value::from(kept + &end));
    }
    let whole = kept.rsplit_once(' ').map_or(&*kept, |(whole, _)| whole);
    Ok(Value::from(format!("{whole}{end}")))
}

fn filesizeformat(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, binary] = args.bind(["value", "binary"], 1)?;
    let value = given(value);
    let bytes = match kind(&value)? {
        Kind::Str(text) => hieratic_python_values::parse_float(text)
            .ok_or_else(|| error(format!("could not convert string to float: '{text}'")))?,
        _ => match crate::python::number::number(&value)? {
            Some(number) => number.to_f64(),
            None => {
                let name = crate::python::type_name(&value);
                return Err(error(format!("float() argument must be a string or a real number, not '{name}'")));
            }
        },
    };
    let binary = as_flag(binary, false)?;
    let base = if binary { 1024.0 } else { 1000.0 };
    let units = if binary {
        ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"]
    } else {
        ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"]
    };
    if bytes == 1.0 {
        return Ok(Value::from("1 Byte"));
    }
    if bytes < base {
        // Fractions of a byte are truncated; adding zero avoids negative zero.
        return Ok(Value::from(format!("{} Bytes", bytes.trunc() + 0.0)));
    }
    let mut unit = base;
    for name in units {
        unit *= base;
        if bytes < unit || name.starts_with('Y') {
            return Ok(Value::from(format!("{:.1} {name}", base * bytes / unit)));
        }
    }
    Ok(Value::from(""))
}

/// The filter `default`.
fn default(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, default, boolean] = args.bind(["value", "default_value", "boolean"], 1)?;
    let value = given(value);
    let is_missing = matches!(kind(&value)?, Kind::Missing(_));
    if is_missing || (as_flag(boolean, false)? && !crate::python::kind::truth(&value)?) {
        return Ok(default.unwrap_or_else(|| Value::from("")));
    }
    Ok(value)
}
