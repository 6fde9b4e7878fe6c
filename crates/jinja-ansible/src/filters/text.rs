//! String filters.

use hieratic_jinja::extend::filters::arguments::{as_flag, as_index, as_text, given, strict};
use hieratic_jinja::extend::objects::{Markup, Missing, UndefinedOrigin};
use hieratic_jinja::extend::python::methods;
use hieratic_jinja::extend::python::{Kind, kind, str};
use hieratic_jinja::extend::{Args, Host, Result, Table, Value, define, error, undefined, work};

pub const TABLE: Table = &[
    define(
        "comment",
        "style='plain', **options",
        "Writes the text as a comment in a style: `plain`, `erlang`, `c`, `cblock` or `xml`.",
        comment,
    ),
    define("quote", "", "Quotes the string as one word for a shell.", quote),
    define("split", "sep=None, maxsplit=-1", "Splits the string at a separator, or at whitespace.", |_, args| {
        let mut positional = args.positional.into_iter();
        let text = strict(&positional.next(), "split")?;
        methods::call(
            &Value::from(text),
            "split",
            Args { callee: args.callee, positional: positional.collect(), named: args.named },
        )
    }),
    define(
        "human_readable",
        "isbits=False, unit=None",
        "Formats a number of bytes, or bits, as `1.50 KB`.",
        human_readable,
    ),
    define(
        "human_to_bytes",
        "default_unit=None, isbits=False",
        "Reads a size such as `10M` as a number of bytes.",
        human_to_bytes,
    ),
    define("type_debug", "", "Returns the name of the value's type in Python.", |_, args| {
        let [value] = args.bind(["obj"], 1)?;
        let value = given(value);
        Ok(Value::from(match value.downcast_object_ref::<Missing>() {
            _ if Markup::is(&value) => "Markup",
            Some(Missing { what: UndefinedOrigin::NoElse, .. }) => "Undefined",
            _ => hieratic_jinja::extend::python::type_name(&value),
        }))
    }),
    define("bool", "", "Converts `yes`, `on`, `1` and `true` to true, other values to false.", boolean),
    define(
        "ternary",
        "true_val, false_val, none_val=None",
        "Returns the first value if the condition counts as true, otherwise the second; `none_val` for `none`.",
        |_, args| {
            let [value, yes, no, none] = args.bind(["value", "true_val", "false_val", "none_val"], 3)?;
            let value = given(value);
            match none.filter(|none| value.is_none() && !none.is_none()) {
                Some(none) => Ok(none),
                None => Ok(given(if hieratic_jinja::extend::python::kind::truth(&value)? { yes } else { no })),
            }
        },
    ),
    define("mandatory", "msg=None", "Returns the value; fails with this message if it is undefined.", mandatory),
];

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
        // The quotes are added to an escaped string, which escapes them.
        let quoted = text.replace('\'', "&#39;&#34;&#39;&#34;&#39;");
        return Ok(Markup::value(format!("&#39;{quoted}&#39;")));
    }
    Ok(Value::from(format!("'{}'", text.replace('\'', "'\"'\"'"))))
}

/// The filter `comment`: <https://docs.ansible.com/ansible/latest/collections/ansible/builtin/comment_filter.html>.
fn comment(_: &dyn Host, mut args: Args) -> Result<Value> {
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
    if args.positional.len() > 2 {
        return Err(error(format!(
            "comment() takes from 1 to 2 positional arguments but {} were given",
            args.positional.len()
        )));
    }
    // Ansible ignores unknown options.
    args.named.retain(|(name, _)| names.contains(&&**name));
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
    let outer = |text: &str, count: usize| (text.len() + newline.len()).saturating_mul(count);
    work::bytes(outer(&prefix, prefix_count).saturating_add(outer(&postfix, postfix_count)))?;
    let before = match prefix.is_empty() {
        true => String::new(),
        // A newline is one itself.
        false if prefix == newline => newline.repeat(prefix_count),
        false => format!("{prefix}{newline}").repeat(prefix_count),
    };
    let beginning = if beginning.is_empty() { String::new() } else { format!("{beginning}{newline}") };
    let replace = hieratic_jinja::extend::python::replace;
    let body = replace(&strict(&text, "comment")?, &newline, &format!("{newline}{decoration}"), -1)?;
    let bare = format!("{}{newline}", decoration.trim_end());
    let body = replace(&format!("{decoration}{body}"), &format!("{decoration}{newline}"), &bare, -1)?;
    let last = format!("{newline}{postfix}").repeat(postfix_count);
    let end = if end.is_empty() { String::new() } else { format!("{newline}{end}") };
    Ok(Value::from(format!("{beginning}{before}{body}{last}{end}")))
}

/// The units of sizes, each 1024 times the next one.
const UNITS: [(char, i32); 8] = [('Y', 8), ('Z', 7), ('E', 6), ('P', 5), ('T', 4), ('G', 3), ('M', 2), ('K', 1)];

fn human_readable(_: &dyn Host, args: Args) -> Result<Value> {
    let [size, bits, unit] = args.bind(["size", "isbits", "unit"], 1)?;
    let size = given(size);
    let Some(number) = hieratic_jinja::extend::python::number::number(&size)? else {
        return Err(error(format!("human_readable() can't interpret following string: {}", str(&size)?)));
    };
    let number = number.to_f64();
    let base = if as_flag(bits, false)? { "bits" } else { "Bytes" };
    let unit_letter = unit.filter(|unit| !unit.is_none()).map(|unit| as_text(&Some(unit))).transpose()?;
    let unit_letter = unit_letter.and_then(|unit| unit.chars().next()).map(|unit| unit.to_ascii_uppercase());
    for (suffix, power) in UNITS.into_iter().chain([('B', 0)]) {
        let limit = 1024f64.powi(power);
        let fits = match unit_letter {
            None => number.abs() >= limit,
            Some(letter) => letter == suffix,
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
    // What follows the number and its unit does not count.
    let start = text.trim_start();
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(start);
    if start[end..].starts_with('.') {
        end += 1 + digits(&start[end + 1..]);
    }
    let (number, rest) = start.split_at(end);
    let number: f64 = number.parse().map_err(|_| bad())?;
    let rest = rest.trim_start();
    let unit = match &rest[..rest.bytes().take_while(u8::is_ascii_alphabetic).count()] {
        "" => default_unit.filter(|unit| !unit.is_none()).map_or(Ok("".into()), |unit| as_text(&Some(unit)))?,
        unit => unit.to_string(),
    };
    let Some(first) = unit.chars().next() else {
        return hieratic_jinja::extend::python::number::truncated(number.round_ties_even())
            .map(|bytes| hieratic_jinja::extend::objects::Big::value(&bytes));
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
    let second = unit.chars().nth(1);
    let fits = second.is_none_or(|second| second == letter) || unit.to_lowercase().contains(word);
    if !fits {
        return Err(error(format!(
            "human_to_bytes() failed to convert {text}. Value is not a valid string \
                                  (expect {letter} or {word})"
        )));
    }
    let bytes = (number * 1024f64.powi(power)).round_ties_even();
    hieratic_jinja::extend::python::number::truncated(bytes)
        .map(|bytes| hieratic_jinja::extend::objects::Big::value(&bytes))
}

/// The filter `bool`: Ansible's truth of a value.
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
        _ => Value::from(hieratic_jinja::extend::python::compare::equal(&value, &Value::from(1))?),
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
        hieratic_jinja::extend::objects::UndefinedOrigin::Variable(name) => {
            format!("Mandatory variable '{name}' not defined.")
        }
        _ => "Mandatory variable not defined.".into(),
    }))
}
