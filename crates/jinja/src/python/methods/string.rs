//! String methods: <https://docs.python.org/3/library/stdtypes.html#string-methods>.

use minijinja::Value;
use unicode_general_category::{GeneralCategory as Category, get_general_category};

use super::super::kind::{element, entries, iterate, truth};
use super::super::number::index;
use super::super::text::LONGEST;
use super::super::{Kind, format, kind, type_name};
use super::no_method;
use crate::call::Args;
use crate::error::{Result, error, undefined};
use crate::objects::{Dict, Entries, List, Tuple};
use crate::work;
use hieratic_python_values::is_printable;

/// The names of the string methods.
pub const NAMES: [&str; 47] = [
    "capitalize",
    "casefold",
    "center",
    "count",
    "encode",
    "endswith",
    "expandtabs",
    "find",
    "format",
    "format_map",
    "index",
    "isalnum",
    "isalpha",
    "isascii",
    "isdecimal",
    "isdigit",
    "isidentifier",
    "islower",
    "isnumeric",
    "isprintable",
    "isspace",
    "istitle",
    "isupper",
    "join",
    "ljust",
    "lower",
    "lstrip",
    "maketrans",
    "partition",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rindex",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "swapcase",
    "title",
    "upper",
    "zfill",
    "translate",
];

/// Calls a string method.
pub fn call(text: &str, name: &str, args: Args) -> Result<Value> {
    match name {
        "upper" => plain(args, || text.to_uppercase()),
        "lower" => plain(args, || text.to_lowercase()),
        "casefold" => plain(args, || text.chars().flat_map(folded).collect()),
        "capitalize" => plain(args, || capitalized(text)),
        "title" => plain(args, || title(text)),
        "swapcase" => plain(args, || {
            text.chars().flat_map(|letter| if letter.is_uppercase() { lower(letter) } else { upper(letter) }).collect()
        }),
        "strip" | "lstrip" | "rstrip" => strip(text, name, args),
        "split" | "rsplit" => split(text, name == "rsplit", args),
        "splitlines" => {
            let [keep] = args.bind(["keepends"], 0)?;
            let keep = keep.map_or(Ok(false), |keep| truth(&keep))?;
            Ok(List::value(lines(text, keep).into_iter().map(Value::from).collect()))
        }
        "partition" | "rpartition" => {
            let [separator] = args.bind(["sep"], 1)?;
            let separator = required(separator)?;
            if separator.is_empty() {
                return Err(error("empty separator"));
            }
            let found = if name == "partition" { text.find(&separator) } else { text.rfind(&separator) };
            let parts = match found {
                Some(at) => [text.get(..at), Some(&*separator), text.get(at + separator.len()..)],
                None if name == "partition" => [Some(text), Some(""), Some("")],
                None => [Some(""), Some(""), Some(text)],
            };
            Ok(Tuple::value(parts.map(|part| Value::from(part.unwrap_or(""))).to_vec()))
        }
        "join" => {
            let [items] = args.bind(["iterable"], 1)?;
            let mut parts = Vec::new();
            let mut length = 0;
            for (at, item) in iterate(&items.unwrap_or_default())?.iter().enumerate() {
                let Kind::Str(part) = kind(item)? else {
                    let name = type_name(item);
                    return Err(error(format!("sequence item {at}: expected str instance, {name} found")));
                };
                length += part.len() + text.len();
                work::bytes(part.len() + text.len())?;
                if length > LONGEST {
                    return Err(error("the string is too long"));
                }
                parts.push(part.to_string());
            }
            Ok(Value::from(parts.join(text)))
        }
        "replace" => {
            let [old, new, count] = args.bind(["old", "new", "count"], 2)?;
            let count = count.map_or(Ok(-1), |count| index(&count))?;
            replace(text, &required(old)?, &required(new)?, count).map(Value::from)
        }
        "startswith" | "endswith" => affix(text, name == "startswith", args),
        "removeprefix" => {
            let [affix] = args.bind(["prefix"], 1)?;
            Ok(Value::from(text.strip_prefix(&*required(affix)?).unwrap_or(text)))
        }
        "removesuffix" => {
            let [affix] = args.bind(["suffix"], 1)?;
            Ok(Value::from(text.strip_suffix(&*required(affix)?).unwrap_or(text)))
        }
        "find" | "rfind" | "index" | "rindex" | "count" => find(text, name, args),
        "center" | "ljust" | "rjust" => {
            let [width, fill] = args.bind(["width", "fillchar"], 1)?;
            let fill = fill.map_or(Ok(" ".into()), |fill| required(Some(fill)))?;
            let width = width_of(&width.unwrap_or_default())?;
            let mut letters = fill.chars();
            let (Some(fill), None) = (letters.next(), letters.next()) else {
                return Err(error("The fill character must be exactly one character long"));
            };
            Ok(Value::from(match name {
                "ljust" => format::padded(text, width, fill, '<'),
                "rjust" => format::padded(text, width, fill, '>'),
                _ => centered(text, width, fill),
            }))
        }
        "zfill" => {
            let [width] = args.bind(["width"], 1)?;
            let (sign, digits) = match text.strip_prefix(['+', '-']) {
                Some(digits) => (text.get(..1).unwrap_or(""), digits),
                None => ("", text),
            };
            let width = width_of(&width.unwrap_or_default())?.saturating_sub(sign.len());
            Ok(Value::from(format!("{sign}{}", format::padded(digits, width, '0', '>'))))
        }
        "expandtabs" => {
            let [size] = args.bind(["tabsize"], 0)?;
            let size = size.map_or(Ok(8), |size| width_of(&size))?;
            expand_tabs(text, size).map(Value::from)
        }
        "format" => format::braces(text, &args).map(Value::from),
        "format_map" => {
            let [mapping] = args.bind(["mapping"], 1)?;
            let entries = super::super::kind::entries(&mapping.unwrap_or_default())?;
            let named = entries.into_iter().filter_map(|(key, value)| Some((key.as_str()?.into(), value))).collect();
            format::braces(text, &Args { named, ..Args::default() }).map(Value::from)
        }
        "encode" => {
            let [encoding, _] = args.bind(["encoding", "errors"], 0)?;
            let encoding = encoding.map_or(Ok("utf-8".into()), |name| required(Some(name)))?;
            super::super::encoding::encode(text, &encoding).map(Value::from_bytes)
        }
        "translate" => {
            let [table] = args.bind(["table"], 1)?;
            translate(text, &table.unwrap_or_default())
        }
        "maketrans" => make_table(args),
        _ => match predicate(text, name) {
            Some(answer) => args.bind([], 0).map(|[]| Value::from(answer)),
            None => Err(no_method(&Value::from(text), name)),
        },
    }
}

/// Replaces each character by the entry of a table for its code: a code, a string, or nothing.
fn translate(text: &str, table: &Value) -> Result<Value> {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        work::steps(1)?;
        let code = Value::from(u32::from(letter));
        let found = match kind(table)? {
            Kind::Dict => element(table, &code)?,
            Kind::List | Kind::Tuple(_) | Kind::Str(_) | Kind::Bytes(_) => super::super::index::item(table, &code)?,
            _ => return Err(error(format!("'{}' object is not subscriptable", type_name(table)))),
        };
        match found {
            None => out.push(letter),
            Some(found) => match kind(&found)? {
                Kind::None => {}
                Kind::Str(text) => {
                    work::bytes(text.len())?;
                    out.push_str(text);
                }
                Kind::Int(_) | Kind::Bool(_) => {
                    let code = u32::try_from(index(&found)?).ok().and_then(char::from_u32);
                    out.push(code.ok_or_else(|| error("character mapping must be in range(0x110000)"))?);
                }
                _ => return Err(error("character mapping must return integer, None or str")),
            },
        }
        if out.len() > LONGEST {
            return Err(error("the string is too long"));
        }
    }
    Ok(Value::from(out))
}

/// Makes a table for `translate`: of a dictionary, or of strings of the same length and one of what goes away.
fn make_table(args: Args) -> Result<Value> {
    let [from, to, without] = args.bind(["x", "y", "z"], 1)?;
    let from = from.unwrap_or_default();
    let mut table = Entries::new();
    let code = |letter: char| Value::from(u32::from(letter));
    let Some(to) = to else {
        if !matches!(kind(&from)?, Kind::Dict) {
            return Err(error("if you give only one argument to maketrans it must be a dict"));
        }
        for (key, item) in entries(&from)? {
            let key = match kind(&key)? {
                Kind::Str(text) => {
                    let mut letters = text.chars();
                    match (letters.next(), letters.next()) {
                        (Some(letter), None) => code(letter),
                        _ => return Err(error("string keys in translate table must be of length 1")),
                    }
                }
                Kind::Int(_) | Kind::Bool(_) => key,
                _ => return Err(error("keys in translate table must be strings or integers")),
            };
            table.insert(key, item);
        }
        return Ok(Dict::value(table));
    };
    let (from, to) = (required(Some(from))?, required(Some(to))?);
    work::steps(from.len() + to.len())?;
    if from.chars().count() != to.chars().count() {
        return Err(error("the first two maketrans arguments must have equal length"));
    }
    table.extend(from.chars().zip(to.chars()).map(|(from, to)| (code(from), code(to))));
    if let Some(without) = without {
        table.extend(required(Some(without))?.chars().map(|letter| (code(letter), Value::from(()))));
    }
    Ok(Dict::value(table))
}

fn plain(args: Args, compute: impl FnOnce() -> String) -> Result<Value> {
    args.bind([], 0).map(|[]| Value::from(compute()))
}

/// Returns an argument that must be a string.
fn required(value: Option<Value>) -> Result<String> {
    let value = value.unwrap_or_default();
    match kind(&value)? {
        Kind::Str(text) => Ok(text.into()),
        Kind::Missing(missing) => Err(undefined(missing.message())),
        _ => Err(error(format!("must be str, not {}", type_name(&value)))),
    }
}

/// Returns a width. It is an error if it is too large.
pub fn width_of(value: &Value) -> Result<usize> {
    match usize::try_from(index(value)?) {
        Ok(width) if width > 1 << 20 => Err(error(format!("the width {width} is too large"))),
        width => Ok(width.unwrap_or(0)),
    }
}

fn upper(letter: char) -> Vec<char> {
    letter.to_uppercase().collect()
}

fn lower(letter: char) -> Vec<char> {
    letter.to_lowercase().collect()
}

/// Returns the titlecase form of a character: `ß` is `Ss`, and digraphs have a special form.
fn titled(letter: char) -> Vec<char> {
    let shifted = |by: u32| char::from_u32(by).map_or_else(|| vec![letter], |letter| vec![letter]);
    let code = u32::from(letter);
    match code {
        0x149 => vec!['\u{2bc}', 'N'],
        // Three forms of each: large, as the start of a word, small.
        0x1c4..=0x1cc => shifted(code - (code - 0x1c4) % 3 + 1),
        0x1f1..=0x1f3 => shifted(0x1f2),
        // Letters of Georgian start words as they are.
        0x10d0..=0x10fa | 0x10fd..=0x10ff => vec![letter],
        // Greek with an iota below.
        0x1f80..=0x1faf => shifted(code | 8),
        0x1fb3 | 0x1fbc => shifted(0x1fbc),
        0x1fc3 | 0x1fcc => shifted(0x1fcc),
        0x1ff3 | 0x1ffc => shifted(0x1ffc),
        0x1fb2 => vec!['\u{1fba}', '\u{345}'],
        0x1fb4 => vec!['\u{386}', '\u{345}'],
        0x1fb7 => vec!['\u{391}', '\u{342}', '\u{345}'],
        0x1fc2 => vec!['\u{1fca}', '\u{345}'],
        0x1fc4 => vec!['\u{389}', '\u{345}'],
        0x1fc7 => vec!['\u{397}', '\u{342}', '\u{345}'],
        0x1ff2 => vec!['\u{1ffa}', '\u{345}'],
        0x1ff4 => vec!['\u{38f}', '\u{345}'],
        0x1ff7 => vec!['\u{3a9}', '\u{342}', '\u{345}'],
        _ => letter
            .to_uppercase()
            .enumerate()
            .flat_map(|(at, part)| if at == 0 { vec![part] } else { lower(part) })
            .collect(),
    }
}

/// A letter as `casefold` has it.
fn folded(letter: char) -> Vec<char> {
    match letter {
        // Cherokee is folded to its large letters.
        '\u{13a0}'..='\u{13f5}' | '\u{131}' => vec![letter],
        '\u{13f8}'..='\u{13fd}' | '\u{ab70}'..='\u{abbf}' => upper(letter),
        '\u{1e9e}' => vec!['s', 's'],
        _ => upper(letter).into_iter().flat_map(lower).collect(),
    }
}

/// `str.capitalize`
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map_or_else(Vec::new, titled);
    first.into_iter().collect::<String>() + &letters.as_str().to_lowercase()
}

/// `str.title`
pub fn title(text: &str) -> String {
    let mut after_letter = false;
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        out.extend(if after_letter { lower(letter) } else { titled(letter) });
        after_letter = letter.is_uppercase() || letter.is_lowercase();
    }
    out
}

/// `str.center`. In a field of odd width, the odd space is on the left.
pub fn centered(text: &str, width: usize, fill: char) -> String {
    let missing = width.saturating_sub(text.chars().count());
    let left = missing / 2 + (missing & width & 1);
    let fill = fill.to_string();
    format!("{}{text}{}", fill.repeat(left), fill.repeat(missing - left))
}

fn strip(text: &str, name: &str, args: Args) -> Result<Value> {
    let [letters] = args.bind(["chars"], 0)?;
    let letters = letters.filter(|letters| !letters.is_none()).map(|letters| required(Some(letters))).transpose()?;
    let counts = |letter: char| match &letters {
        Some(letters) => letters.contains(letter),
        None => is_space(letter),
    };
    let text = if name == "rstrip" { text } else { text.trim_start_matches(counts) };
    Ok(Value::from(if name == "lstrip" { text } else { text.trim_end_matches(counts) }))
}

/// `str.isspace` of one character.
pub fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{1c}'..='\u{1f}')
}

fn split(text: &str, from_right: bool, args: Args) -> Result<Value> {
    let [separator, most] = args.bind(["sep", "maxsplit"], 0)?;
    let most = most.map_or(Ok(-1), |most| index(&most))?;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let separator = separator.filter(|separator| !separator.is_none());
    let parts: Vec<&str> = match separator.map(|separator| required(Some(separator))).transpose()? {
        Some(separator) if separator.is_empty() => return Err(error("empty separator")),
        Some(separator) => {
            let limit = most.saturating_add(1);
            return Ok(List::value(if from_right {
                let mut parts: Vec<Value> = text.rsplitn(limit, &separator).map(Value::from).collect();
                parts.reverse();
                parts
            } else {
                text.splitn(limit, &separator).map(Value::from).collect()
            }));
        }
        None => words(text, most, from_right),
    };
    Ok(List::value(parts.into_iter().map(Value::from).collect()))
}

/// Splits a string at whitespace, at most `most` times.
fn words(text: &str, most: usize, from_right: bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text.trim_matches(is_space);
    while !rest.is_empty() {
        if parts.len() >= most {
            parts.push(if from_right {
                text.trim_start_matches(is_space).get(..rest.len()).unwrap_or(rest)
            } else {
                // The rest keeps the whitespace at its end.
                let start = text.len() - text.trim_start_matches(is_space).len();
                let from = start + (text.trim_matches(is_space).len() - rest.len());
                text.get(from..).unwrap_or(rest)
            });
            break;
        }
        if from_right {
            let at = rest.char_indices().rev().find(|(_, letter)| is_space(*letter));
            let at = at.map_or(0, |(at, letter)| at + letter.len_utf8());
            parts.push(rest.get(at..).unwrap_or(""));
            rest = rest.get(..at).unwrap_or("").trim_end_matches(is_space);
        } else {
            let at = rest.find(is_space).unwrap_or(rest.len());
            parts.push(rest.get(..at).unwrap_or(""));
            rest = rest.get(at..).unwrap_or("").trim_start_matches(is_space);
        }
    }
    if from_right {
        parts.reverse();
    }
    parts
}

/// `str.splitlines`
pub fn lines(text: &str, keep: bool) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.char_indices().find(|(_, letter)| {
            matches!(letter, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
        });
        let Some((at, letter)) = end else {
            lines.push(rest);
            break;
        };
        let length = if rest.get(at..).is_some_and(|end| end.starts_with("\r\n")) { 2 } else { letter.len_utf8() };
        lines.push(rest.get(..if keep { at + length } else { at }).unwrap_or(""));
        rest = rest.get(at + length..).unwrap_or("");
    }
    lines
}

/// `str.replace`
pub fn replace(text: &str, old: &str, new: &str, count: i64) -> Result<String> {
    let grows = new.len().saturating_sub(old.len());
    work::scan(text.len())?;
    let matches = if grows > 0 { text.matches(old).count() } else { 0 };
    work::bytes(matches.saturating_mul(grows).saturating_add(text.len()))?;
    if matches.checked_mul(grows).is_none_or(|more| more + text.len() > LONGEST) {
        return Err(error("the string is too long"));
    }
    Ok(match usize::try_from(count) {
        Ok(count) => text.replacen(old, new, count),
        Err(_) => text.replace(old, new),
    })
}

/// Returns the part of a string between two character indexes, with its offset.
fn part(text: &str, start: Option<Value>, end: Option<Value>) -> Result<(usize, &str)> {
    let length = text.chars().count();
    let place = |value: Option<Value>, default: usize| match value.filter(|value| !value.is_none()) {
        None => Ok::<usize, minijinja::Error>(default),
        Some(value) => {
            let at = index(&value)?;
            let distance = usize::try_from(at.unsigned_abs()).unwrap_or(usize::MAX);
            Ok(if at < 0 { length.saturating_sub(distance) } else { distance })
        }
    };
    let (start, end) = (place(start, 0)?, place(end, length)?);
    let byte = |at: usize| text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte);
    Ok((start, if start > length { "" } else { text.get(byte(start)..byte(end).max(byte(start))).unwrap_or("") }))
}

fn affix(text: &str, at_start: bool, args: Args) -> Result<Value> {
    let [affixes, start, end] = args.bind(["affix", "start", "end"], 1)?;
    let affixes = affixes.unwrap_or_default();
    let (from, text) = part(text, start, end)?;
    let candidates = match kind(&affixes)? {
        Kind::Tuple(items) => items.to_vec(),
        _ => vec![affixes],
    };
    for candidate in candidates {
        let affix = match kind(&candidate)? {
            Kind::Str(affix) => affix,
            Kind::Missing(missing) => return Err(undefined(missing.message())),
            _ => {
                let (method, name) = (if at_start { "startswith" } else { "endswith" }, type_name(&candidate));
                return Err(error(format!("{method} first arg must be str or a tuple of str, not {name}")));
            }
        };
        let within = from == 0 || !text.is_empty() || !affix.is_empty();
        if within && (if at_start { text.starts_with(affix) } else { text.ends_with(affix) }) {
            return Ok(Value::from(true));
        }
    }
    Ok(Value::from(false))
}

fn find(text: &str, name: &str, args: Args) -> Result<Value> {
    let [substring, start, end] = args.bind(["sub", "start", "end"], 1)?;
    let substring = required(substring)?;
    let (from, text) = part(text, start, end)?;
    if name == "count" {
        return Ok(Value::from(if substring.is_empty() {
            text.chars().count() + 1
        } else {
            text.matches(&*substring).count()
        }));
    }
    let found = if name.starts_with('r') { text.rfind(&*substring) } else { text.find(&*substring) };
    match found {
        Some(at) => Ok(Value::from(from + text.get(..at).unwrap_or("").chars().count())),
        None if name.ends_with("find") => Ok(Value::from(-1)),
        None => Err(error("substring not found")),
    }
}

fn expand_tabs(text: &str, size: usize) -> Result<String> {
    let mut out = String::new();
    let mut column = 0;
    for letter in text.chars() {
        match letter {
            '\t' if size > 0 => {
                let spaces = size - column % size;
                work::bytes(spaces)?;
                out.push_str(&" ".repeat(spaces));
                column += spaces;
            }
            '\t' => {}
            _ => {
                out.push(letter);
                column = if matches!(letter, '\n' | '\r') { 0 } else { column + 1 };
            }
        }
    }
    Ok(out)
}

/// `str.isalpha` and its like.
fn predicate(text: &str, name: &str) -> Option<bool> {
    let all = |counts: &dyn Fn(char) -> bool| !text.is_empty() && text.chars().all(counts);
    let is_decimal = |letter: char| get_general_category(letter) == Category::DecimalNumber;
    let is_digit = |letter: char| is_decimal(letter) || "\u{b2}\u{b3}\u{b9}\u{2070}\u{2074}\u{2075}".contains(letter);
    let is_alpha = |letter: char| {
        matches!(
            get_general_category(letter),
            Category::UppercaseLetter
                | Category::LowercaseLetter
                | Category::TitlecaseLetter
                | Category::ModifierLetter
                | Category::OtherLetter
        )
    };
    let cased = |letter: char| letter.is_uppercase() || letter.is_lowercase();
    Some(match name {
        "isalpha" => all(&is_alpha),
        "isalnum" => all(&|letter| is_alpha(letter) || letter.is_numeric()),
        "isascii" => text.is_ascii(),
        "isdecimal" => all(&is_decimal),
        "isdigit" => all(&is_digit),
        "isnumeric" => all(&char::is_numeric),
        "isspace" => all(&is_space),
        "isprintable" => text.chars().all(is_printable),
        "islower" => text.chars().any(cased) && !text.chars().any(char::is_uppercase),
        "isupper" => text.chars().any(cased) && !text.chars().any(char::is_lowercase),
        "istitle" => text.chars().any(cased) && title(text) == text,
        "isidentifier" => {
            let starts = text.starts_with(|first: char| first == '_' || first.is_alphabetic());
            starts && text.chars().all(|letter| letter == '_' || letter.is_alphanumeric())
        }
        _ => return None,
    })
}
