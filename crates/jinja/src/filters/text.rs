//! Filters of texts.

use minijinja::Value;

use super::arguments::{as_flag, as_index, as_text, given, strict, strict_text};
use crate::call::Args;
use crate::error::{Result, error, undefined};
use crate::escaping::{escaped, operation};
use crate::host::{Host, Table};
use crate::objects::{List, Markup, Missing, What};
use crate::python::arithmetic::Operator;
use crate::python::methods;
use crate::python::{Budget, Kind, format, iterate, kind, str};
use crate::work;

pub const TABLE: Table = &[
    ("capitalize", |_, args| plain(args, "capitalize")),
    ("center", center),
    ("comment", comment),
    ("format", format_filter),
    ("indent", indent),
    ("lower", |_, args| plain(args, "lower")),
    ("pprint", pprint),
    ("quote", quote),
    ("replace", replace),
    ("reverse", reverse),
    ("split", |_, args| {
        let mut positional = args.positional.into_iter();
        let text = strict(&positional.next(), "split")?;
        methods::call(
            &Value::from(text),
            "split",
            Args { what: args.what, positional: positional.collect(), named: args.named },
        )
    }),
    ("string", string),
    ("title", title),
    ("trim", trim),
    ("truncate", truncate),
    ("upper", |_, args| plain(args, "upper")),
    ("wordcount", |_, args| {
        let [value] = args.bind(["s"], 1)?;
        let text = as_text(&value)?;
        let words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        Ok(Value::from(words.filter(|word| !word.is_empty()).count()))
    }),
    ("human_readable", human_readable),
    ("human_to_bytes", human_to_bytes),
    ("filesizeformat", filesizeformat),
    ("type_debug", |_, args| {
        let [value] = args.bind(["obj"], 1)?;
        let value = given(value);
        Ok(Value::from(match value.downcast_object_ref::<Missing>() {
            _ if Markup::is(&value) => "Markup",
            Some(Missing { what: What::NoElse, .. }) => "Undefined",
            _ => crate::python::type_name(&value),
        }))
    }),
    ("bool", boolean),
    ("ternary", |_, args| {
        let [value, yes, no, none] = args.bind(["value", "true_val", "false_val", "none_val"], 3)?;
        let value = given(value);
        match none.filter(|none| value.is_none() && !none.is_none()) {
            Some(none) => Ok(none),
            None => Ok(given(if crate::python::kind::truth(&value)? { yes } else { no })),
        }
    }),
    ("mandatory", mandatory),
    ("default", default),
    ("d", default),
];

/// A method of texts as a filter.
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

/// `shlex.quote`
fn quote(_: &dyn Host, args: Args) -> Result<Value> {
    let [value] = args.bind(["a"], 1)?;
    let value = given(value);
    let is_marked = Markup::is(&value);
    let text = if value.is_none() { String::new() } else { as_text(&Some(value))? };
    let is_safe = |letter: char| letter.is_ascii_alphanumeric() || "@%+=:,./-_".contains(letter);
    if !text.is_empty() && text.chars().all(is_safe) {
        return Ok(if is_marked { Markup::value(text) } else { Value::from(text) });
    }
    if is_marked && !text.is_empty() {
        // The quotes are put to a text that is escaped, which escapes them.
        let quoted = text.replace('\'', "&#39;&#34;&#39;&#34;&#39;");
        return Ok(Markup::value(format!("&#39;{quoted}&#39;")));
    }
    Ok(Value::from(format!("'{}'", text.replace('\'', "'\"'\"'"))))
}

fn replace(host: &dyn Host, args: Args) -> Result<Value> {
    let [value, old, new, count] = args.bind(["s", "old", "new", "count"], 3)?;
    let [of, from, to] = [&value, &old, &new].map(|text| text.as_ref().is_some_and(Markup::is));
    // Where texts are escaped, one that is already makes the others so.
    let escapes = host.escapes() && (of || from || to);
    let text_of = |value: &Option<Value>, is_escaped: bool| match escapes && !is_escaped {
        true => as_text(value).map(|text| escaped(&text)),
        false => as_text(value),
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

/// The filter `string`, whose text stays a text.
fn string(host: &dyn Host, args: Args) -> Result<Value> {
    let [value] = args.bind(["s"], 1)?;
    if let Some(escaped) = value.as_ref().filter(|value| host.escapes() && Markup::is(value)) {
        return Ok(escaped.clone());
    }
    Ok(Value::from_safe_string(as_text(&value)?))
}

/// The filter `title`: a word starts behind white space and behind `-`, `(`, `{`, `[` and `<`.
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
    // Lists have a length too; those that fit are left alone.
    if crate::python::kind::is_sequence(&value) || matches!(kind(&value)?, Kind::Dict) {
        let fits = value.len().unwrap_or(0) <= usize::try_from(as_index(length, 255)?).unwrap_or(0);
        return if fits { Ok(value) } else { Err(error("only strings can be truncated")) };
    }
    let text = strict_text(&value, "truncate")?;
    let end = end.map_or(Ok("...".into()), |end| as_text(&Some(end)))?;
    let (length, leeway) = (as_index(length, 255)?, as_index(leeway, 5)?);
    let end_length = i64::try_from(end.chars().count()).unwrap_or(i64::MAX);
    if length < end_length {
        return Err(error(format!("expected length >= {end_length}, got {length}")));
    }
    if leeway < 0 {
        return Err(error(format!("expected leeway >= 0, got {leeway}")));
    }
    // There are no more letters than bytes.
    if i64::try_from(text.len()).is_ok_and(|bytes| bytes <= length.saturating_add(leeway)) {
        return Ok(Value::from(text));
    }
    let letters: Vec<char> = text.chars().collect();
    if i64::try_from(letters.len()).unwrap_or(i64::MAX) <= length.saturating_add(leeway) {
        return Ok(Value::from(text));
    }
    // The text is longer than this.
    let kept: String = letters.iter().take(usize::try_from(length - end_length).unwrap_or(0)).collect();
    if as_flag(kill, false)? {
        return Ok(Value::from(kept + &end));
    }
    let whole = kept.rsplit_once(' ').map_or(&*kept, |(whole, _)| whole);
    Ok(Value::from(format!("{whole}{end}")))
}

/// The filter `comment`: <https://docs.ansible.com/ansible/latest/collections/ansible/builtin/comment_filter.html>.
fn comment(_: &dyn Host, args: Args) -> Result<Value> {
    let names = [
        "text",
        "style",
        "newline",
        "beginning",
        "prefix",
        "prefix_count",
        "decoration",
        "postfix",
        "postfix_count",
        "end",
    ];
    let [text, style, newline, beginning, prefix, prefix_count, decoration, postfix, postfix_count, end] =
        args.bind(names, 1)?;
    let style = style.map_or(Ok("plain".into()), |style| as_text(&Some(style)))?;
    let (style_beginning, style_decoration, style_end) = match style.as_str() {
        "plain" => ("", "# ", ""),
        "erlang" => ("", "% ", ""),
        "c" => ("", "// ", ""),
        "cblock" => ("/*", " * ", " */"),
        "xml" => ("<!--", " - ", "-->"),
        _ => return Err(error(format!("Invalid style '{style}'."))),
    };
    let or = |value: Option<Value>, default: &str| value.map_or(Ok(default.to_string()), |value| as_text(&Some(value)));
    let newline = or(newline, "\n")?;
    let decoration = or(decoration, style_decoration)?;
    let beginning = or(beginning, style_beginning)?;
    let end = or(end, style_end)?;
    let prefix = or(prefix, decoration.trim_end())?;
    let postfix = or(postfix, decoration.trim_end())?;
    let count = |value: Option<Value>| as_index(value, 1).map(|count| usize::try_from(count).unwrap_or(0).min(1000));
    let (prefix_count, postfix_count) = (count(prefix_count)?, count(postfix_count)?);
    let around = |text: &str, count: usize| (text.len() + newline.len()).saturating_mul(count);
    work::bytes(around(&prefix, prefix_count).saturating_add(around(&postfix, postfix_count)))?;
    let repeated = |text: &str, count: usize| match text.is_empty() {
        true => String::new(),
        false => format!("{text}{newline}").repeat(count),
    };
    let beginning = if beginning.is_empty() { String::new() } else { format!("{beginning}{newline}") };
    let replace = crate::python::replace;
    let body = replace(&strict(&text, "comment")?, &newline, &format!("{newline}{decoration}"), -1)?;
    let bare = format!("{}{newline}", decoration.trim_end());
    let body = replace(&format!("{decoration}{body}"), &format!("{decoration}{newline}"), &bare, -1)?;
    let last = if postfix_count == 0 || postfix.is_empty() {
        String::new()
    } else {
        vec![postfix.as_str(); postfix_count].iter().map(|postfix| format!("{newline}{postfix}")).collect()
    };
    let end = if end.is_empty() { String::new() } else { format!("{newline}{end}") };
    Ok(Value::from(format!("{beginning}{}{body}{last}{end}", repeated(&prefix, prefix_count))))
}

/// The units of sizes, each 1024 times the one behind it.
const UNITS: [(char, i32); 8] = [('Y', 8), ('Z', 7), ('E', 6), ('P', 5), ('T', 4), ('G', 3), ('M', 2), ('K', 1)];

fn human_readable(_: &dyn Host, args: Args) -> Result<Value> {
    let [size, bits, unit] = args.bind(["size", "isbits", "unit"], 1)?;
    let size = given(size);
    let Some(number) = crate::python::number::number(&size)? else {
        return Err(error(format!("human_readable() can't interpret following string: {}", str(&size)?)));
    };
    let number = number.to_f64();
    let base = if as_flag(bits, false)? { "bits" } else { "Bytes" };
    let wanted = unit.filter(|unit| !unit.is_none()).map(|unit| as_text(&Some(unit))).transpose()?;
    let wanted = wanted.and_then(|unit| unit.chars().next()).map(|unit| unit.to_ascii_uppercase());
    for (suffix, power) in UNITS.into_iter().chain([('B', 0)]) {
        let limit = 1024f64.powi(power);
        let fits = match wanted {
            None => number.abs() >= limit,
            Some(wanted) => wanted == suffix,
        };
        if fits || power == 0 {
            let letter = if power == 0 { String::new() } else { suffix.to_string() };
            let unit = match (power, base) {
                (0, base) => base,
                (_, "bits") => "b",
                _ => "B",
            };
            return Ok(Value::from(format!("{:.2} {letter}{unit}", number / limit)));
        }
    }
    Err(error("human_readable() can't interpret the size"))
}

fn human_to_bytes(_: &dyn Host, args: Args) -> Result<Value> {
    let [size, default_unit, bits] = args.bind(["size", "default_unit", "isbits"], 1)?;
    let text = as_text(&size)?;
    let bad = || error(format!("human_to_bytes() can't interpret following string: {text}"));
    let trimmed = text.trim();
    let split = trimmed.find(|letter: char| !(letter.is_ascii_digit() || letter == '.')).unwrap_or(trimmed.len());
    let (digits, unit) = trimmed.split_at(split);
    let number: f64 = digits.parse().map_err(|_| bad())?;
    let unit = unit.trim_start();
    let unit = match unit.split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or("") {
        "" => default_unit.filter(|unit| !unit.is_none()).map_or(Ok("".into()), |unit| as_text(&Some(unit)))?,
        unit => unit.to_string(),
    };
    let Some(first) = unit.chars().next() else {
        return crate::python::number::truncated(number.round_ties_even())
            .map(|bytes| crate::objects::Big::value(&bytes));
    };
    let power = match first.to_ascii_uppercase() {
        'B' => 0,
        letter => UNITS.iter().find(|(known, _)| *known == letter).map(|(_, power)| *power).ok_or_else(|| {
            error(format!(
                "human_to_bytes() failed to convert {text} (unit = {unit}). The suffix must be one of \
                           Y, Z, E, P, T, G, M, K, B"
            ))
        })?,
    };
    let isbits = as_flag(bits, false)?;
    let (letter, word) = if isbits { ('b', "bit") } else { ('B', "byte") };
    let rest = unit.get(first.len_utf8()..).unwrap_or("");
    let fits = match power {
        0 => {
            unit.len() == 1 && first == letter
                || unit.len() == 1 && !isbits
                || unit.to_lowercase().trim_end_matches('s') == word
        }
        _ => rest.is_empty() || rest.to_lowercase().trim_end_matches('s') == word || rest == letter.to_string(),
    };
    if !fits {
        return Err(error(format!(
            "human_to_bytes() failed to convert {text}. Value is not a valid string \
                                  (expect {letter} or {word})"
        )));
    }
    let bytes = (number * 1024f64.powi(power)).round_ties_even();
    crate::python::number::truncated(bytes).map(|bytes| crate::objects::Big::value(&bytes))
}

fn filesizeformat(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, binary] = args.bind(["value", "binary"], 1)?;
    let value = given(value);
    let bytes = match kind(&value)? {
        Kind::Str(text) => hieratic_pythonic::parse_float(text)
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
    let units = match binary {
        true => ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"],
        false => ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"],
    };
    if bytes == 1.0 {
        return Ok(Value::from("1 Byte"));
    }
    if bytes < base {
        // Parts of a byte are cut off; no number is negative zero.
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

/// The filter `bool`: what Ansible takes for true.
fn boolean(_: &dyn Host, args: Args) -> Result<Value> {
    let [value] = args.bind(["a"], 1)?;
    let value = given(value);
    Ok(match kind(&value)? {
        Kind::None | Kind::Bool(_) => value,
        Kind::Missing(missing) => {
            missing.defined()?;
            Value::from(false)
        }
        Kind::Str(text) => Value::from(matches!(text.to_lowercase().as_str(), "yes" | "on" | "1" | "true")),
        _ => Value::from(crate::python::compare::equal(&value, &Value::from(1))?),
    })
}

fn mandatory(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, message] = args.bind(["a", "msg"], 1)?;
    let value = given(value);
    let Kind::Missing(missing) = kind(&value)? else {
        return Ok(value);
    };
    if let Some(message) = message.filter(|message| !message.is_none()) {
        return Err(undefined(str(&message)?));
    }
    Err(undefined(match &missing.what {
        crate::objects::What::Variable(name) => format!("Mandatory variable '{name}' not defined."),
        _ => "Mandatory variable not defined.".into(),
    }))
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
