//! Filters of `community.general`:
//! <https://docs.ansible.com/ansible/latest/collections/community/general/index.html#filter-plugins>.

use hieratic_jinja::extend::filters::arguments::{as_flag, as_reverse, given};
use hieratic_jinja::extend::objects::{Dict, Entries, List};
use hieratic_jinja::extend::python::arithmetic::{Operator, apply};
use hieratic_jinja::extend::python::compare::sort;
use hieratic_jinja::extend::python::kind::{element, entries, hashable, truth};
use hieratic_jinja::extend::python::{Kind, iterate, kind, str, type_name};
use hieratic_jinja::extend::{Args, Host, Result, Value, error, undefined, work};
use unicode_normalization::UnicodeNormalization;

use crate::filters::{LIST_MERGES, merge_hashes};
use crate::random::Random;
use crate::versions;

/// Returns whether a value is a sequence in Python: a list, a tuple or a string.
fn is_sequence(value: &Value) -> Result<bool> {
    match kind(value)? {
        Kind::Missing(missing) => Err(undefined(missing.message())),
        kind => Ok(matches!(kind, Kind::List | Kind::Tuple(_) | Kind::Str(_))),
    }
}

fn plain_text(value: &Value, subject: &str) -> Result<String> {
    match kind(value)? {
        Kind::Str(text) => Ok(text.to_owned()),
        Kind::Missing(missing) => Err(undefined(missing.message())),
        _ => Err(error(format!("{subject}: expected a string, not {}", type_name(value)))),
    }
}

/// Returns the filter `counter`: counts the occurrences of each element.
pub fn counter(_: &dyn Host, args: Args) -> Result<Value> {
    let [sequence] = args.bind(["sequence"], 1)?;
    let sequence = given(sequence);
    if !is_sequence(&sequence)? {
        let name = type_name(&sequence);
        return Err(error(format!(
            "Argument for community.general.counter must be a sequence (string or list), not {name}"
        )));
    }
    let mut counts = Entries::new();
    for item in iterate(&sequence)? {
        work::steps(1)?;
        hashable(&item).map_err(|problem| {
            let reason = problem.detail().unwrap_or("it has no hash").to_owned();
            error(format!(
                "community.general.counter needs a sequence with hashable elements (int, float or str) - {reason}"
            ))
        })?;
        let count = counts.entry(item).or_insert(Value::from(0));
        *count = Value::from(count.as_i64().unwrap_or(0) + 1);
    }
    Ok(Dict::value(counts))
}

/// Returns the filter `crc32`: the CRC-32 checksum of a string, as zlib computes it.
pub fn crc32(_: &dyn Host, args: Args) -> Result<Value> {
    let [value] = args.bind(["value"], 1)?;
    let text = plain_text(&given(value), "Invalid value type for crc32")?;
    work::steps(text.len())?;
    Ok(Value::from(format!("{:x}", crc32fast::hash(text.as_bytes()))))
}

/// Returns the filter `dict`: the dictionary of a list of pairs.
pub fn dict(_: &dyn Host, args: Args) -> Result<Value> {
    let [sequence] = args.bind(["sequence"], 1)?;
    let sequence = given(sequence);
    if matches!(kind(&sequence)?, Kind::Dict) {
        return Ok(Dict::value(entries(&sequence)?.into_iter().collect()));
    }
    let mut result = Entries::new();
    for (at, item) in iterate(&sequence)?.iter().enumerate() {
        let unread =
            |reason: String| error(format!("cannot convert dictionary update sequence element #{at}: {reason}"));
        let pair = iterate(item).map_err(|_| unread("it is no sequence".to_owned()))?;
        let [key, value] = <[Value; 2]>::try_from(pair)
            .map_err(|pair| unread(format!("it has length {}; 2 is required", pair.len())))?;
        hashable(&key)?;
        result.insert(key, value);
    }
    Ok(Dict::value(result))
}

/// Returns the filter `dict_kv`: a dictionary with one key.
pub fn dict_kv(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, key] = args.bind(["value", "key"], 2)?;
    let (value, key) = (given(value), given(key));
    hashable(&key)?;
    Ok(Dict::value([(key, value)].into_iter().collect()))
}

/// Returns the filter `groupby_as_dict`: the dictionaries of a list by the value of a key. Equal values are an error.
pub fn groupby_as_dict(_: &dyn Host, args: Args) -> Result<Value> {
    let [sequence, attribute] = args.bind(["sequence", "attribute"], 2)?;
    let (sequence, attribute) = (given(sequence), given(attribute));
    if !is_sequence(&sequence)? {
        return Err(error("Input is not a sequence"));
    }
    let mut result = Entries::new();
    for (at, item) in iterate(&sequence)?.into_iter().enumerate() {
        if !matches!(kind(&item)?, Kind::Dict) {
            return Err(error(format!("Sequence element #{at} is not a mapping")));
        }
        let missing = || error(format!("Attribute not contained in element #{at} of sequence"));
        let key = element(&item, &attribute)?.ok_or_else(missing)?;
        hashable(&key)?;
        if result.contains_key(&key) {
            let key = hieratic_jinja::extend::python::repr(&key)?;
            return Err(error(format!("Multiple sequence entries have attribute value {key}")));
        }
        result.insert(key, item);
    }
    Ok(Dict::value(result))
}

/// Returns the filter `lists_mergeby`: merges lists of dictionaries. Dictionaries with an equal value of a key become
/// one.
pub fn lists_mergeby(_: &dyn Host, mut args: Args) -> Result<Value> {
    let recursive = as_flag(args.take("recursive"), false)?;
    let lists = args.take("list_merge").map_or(Ok("replace".to_owned()), |mode| str(&mode))?;
    args.only(&[]).map_err(|_| error("'recursive' and 'list_merge' are the only valid keyword arguments."))?;
    let Some((index, terms)) = args.positional.split_last().filter(|(_, terms)| !terms.is_empty()) else {
        return Err(error("CsvState least one list and index are needed."));
    };
    let mut flat = Vec::new();
    for term in terms {
        if !is_sequence(term)? {
            let name = type_name(term);
            return Err(error(format!(
                "All arguments before the argument index for community.general.lists_mergeby must be lists, not {name}"
            )));
        }
        let items = iterate(term)?;
        let is_nested = items.iter().map(is_sequence).collect::<Result<Vec<_>>>()?.into_iter().all(|is_list| is_list);
        match items.is_empty() {
            true => {}
            false if is_nested => flat.extend(items),
            false => flat.push(term.clone()),
        }
    }
    let Some((last, before)) = flat.split_last() else { return Ok(List::value(Vec::new())) };
    if before.is_empty() {
        return Ok(last.clone());
    }
    let index = plain_text(index, "First argument after the lists for community.general.lists_mergeby must be string")?;
    let index = Value::from(index);
    if !LIST_MERGES.contains(&lists.as_str()) {
        return Err(error(format!("'list_merge' argument can only be equal to {}", LIST_MERGES.join(", "))));
    }
    let mut result = last.clone();
    for list in before.iter().rev() {
        let mut merged = Entries::new();
        for item in [iterate(list)?, iterate(&result)?].concat() {
            work::steps(1)?;
            if !matches!(kind(&item)?, Kind::Dict) {
                let name = type_name(&item);
                return Err(error(format!(
                    "Elements of list arguments for lists_mergeby must be dictionaries, not {name}"
                )));
            }
            let Some(key) = element(&item, &index)? else { continue };
            hashable(&key)?;
            let under = merged.get(&key).cloned().unwrap_or_else(|| Dict::value(Entries::new()));
            merged.insert(key, merge_hashes(&under, &item, recursive, &lists)?);
        }
        let keyed = merged.into_values().map(|item| Ok((element(&item, &index)?.unwrap_or_default(), item)));
        let sorted = sort(keyed.collect::<Result<_>>()?, false)?;
        result = List::value(sorted.into_iter().map(|(_, item)| item).collect());
    }
    Ok(result)
}

/// Returns the filter `random_mac`: completes the prefix of a MAC address with random bytes.
pub fn random_mac(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, seed] = args.bind(["value", "seed"], 1)?;
    let start = plain_text(&given(value), "Invalid value type for random_mac")?.to_lowercase();
    let parts: Vec<&str> = start.split(':').collect();
    if parts.len() > 5 {
        return Err(error(format!("Invalid value ({start}) for random_mac: 5 colon(:) separated items max")));
    }
    let is_byte = |part: &&str| {
        let digits = part.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')))
    };
    if let Some(wrong) = parts.iter().find(|part| !is_byte(part)) {
        let reason = if wrong.is_empty() { "empty item".to_owned() } else { format!("{wrong} not hexa byte") };
        return Err(error(format!("Invalid value ({start}) for random_mac: {reason}")));
    }
    let mut random = match seed.filter(|seed| !seed.is_none()) {
        Some(seed) => Random::seeded(&seed)?,
        None => Random::unseeded(),
    };
    const MIN_SERIAL: u64 = 68_719_476_736;
    const MAX_SERIAL: u64 = 1_099_511_627_775;
    let digits = format!("{:x}", MIN_SERIAL + random.below(MAX_SERIAL - MIN_SERIAL + 1));
    let mut out = start.clone();
    for at in 0..6 - parts.len() {
        out.push(':');
        out.push_str(digits.get(2 * at..2 * at + 2).unwrap_or(""));
    }
    Ok(Value::from(out))
}

/// Returns the filter `unicode_normalize`: a string in a normalization form of Unicode.
pub fn unicode_normalize(_: &dyn Host, args: Args) -> Result<Value> {
    let [data, form] = args.bind(["data", "form"], 1)?;
    let text = plain_text(&given(data), "not a valid input type")?;
    let form = form.map_or(Ok("NFC".to_owned()), |form| str(&form))?;
    // A character may become several.
    work::steps(text.len() / 16)?;
    work::bytes(text.len().saturating_mul(4))?;
    let result: String = match form.as_str() {
        "NFC" => text.nfc().collect(),
        "NFD" => text.nfd().collect(),
        "NFKC" => text.nfkc().collect(),
        "NFKD" => text.nfkd().collect(),
        other => return Err(error(format!("{other} is not a valid form"))),
    };
    work::bytes(result.len())?;
    Ok(Value::from(result))
}

/// Returns the filter `version_sort`: sorts a list of versions.
pub fn version_sort(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, reverse] = args.bind(["value", "reverse"], 1)?;
    let reverse = as_reverse(reverse)?;
    let items = iterate(&given(value))?;
    let mut versions = Vec::new();
    for item in items {
        let text = plain_text(&item, "a version must be a string")?;
        work::scan(text.len())?;
        versions.push((text, item));
    }
    work::steps(versions.len().saturating_mul(16))?;
    let mut problem = if versions.iter().any(|(version, _)| version.is_empty()) && versions.len() > 1 {
        Some(error("an empty string is no version"))
    } else {
        None
    };
    // Equal versions keep their order, also if it is reversed.
    versions.sort_by(|(one, _), (other, _)| {
        let order = versions::compare(one, other, "loose").unwrap_or_else(|error| {
            problem.get_or_insert(error);
            // A sort needs an order until its end.
            versions::order(one, other)
        });
        if reverse { order.reverse() } else { order }
    });
    match problem {
        Some(problem) => Err(problem),
        None => Ok(List::value(versions.into_iter().map(|(_, item)| item).collect())),
    }
}

/// Units of time, and how many milliseconds each has.
const UNITS: [(&str, &[i64]); 8] = [
    ("ms", &[]),
    ("s", &[1000]),
    ("m", &[1000, 60]),
    ("h", &[1000, 60, 60]),
    ("d", &[1000, 60, 60, 24]),
    ("w", &[1000, 60, 60, 24, 7]),
    ("mo", &[1000, 60, 60, 24, 30]),
    ("y", &[1000, 60, 60, 24, 365]),
];

/// The short name of a unit.
fn short(unit: &str) -> &str {
    match unit.trim_end_matches('s') {
        "millisecond" | "msec" | "msecond" => "ms",
        "sec" | "second" => "s",
        "hour" => "h",
        "min" | "minute" => "m",
        "day" => "d",
        "week" => "w",
        "month" => "mo",
        "year" => "y",
        _ => unit,
    }
}

/// A length of time such as `1h 30m` in a unit.
fn time(value: Option<Value>, unit: &str, mut args: Args) -> Result<Value> {
    let value = given(value);
    let text = plain_text(&value, "to_time_unit()")?;
    if text == "0" {
        return Ok(Value::from(0));
    }
    let (year, month) = (args.take("year"), args.take("month"));
    let milliseconds = |unit: &str| -> Result<Option<Value>> {
        let unit = short(unit);
        let Some((_, factors)) = UNITS.iter().find(|(name, _)| *name == unit) else { return Ok(None) };
        let last = match unit {
            "y" => year.clone(),
            "mo" => month.clone(),
            _ => None,
        };
        let count = if last.is_some() { factors.len() - 1 } else { factors.len() };
        let product = Value::from(factors.iter().take(count).product::<i64>());
        match last {
            Some(last) => apply(Operator::Multiply, &product, &last).map(Some),
            None => Ok(Some(product)),
        }
    };
    let divisor = milliseconds(unit)?.ok_or_else(|| {
        let names = UNITS.map(|(name, _)| name).join(", ");
        error(format!("to_time_unit() can not convert to the following unit: {unit}. Available short units: {names}"))
    })?;
    if let Some((name, _)) = args.named.first() {
        return Err(error(format!("to_time_unit() got unknown keyword arguments: {name}")));
    }
    let unread = || error(format!("to_time_unit() can not interpret following string: {text}"));
    let mut sum = Value::from(0);
    for part in text.split_whitespace() {
        work::steps(1)?;
        let digits = part.strip_prefix('-').unwrap_or(part);
        let length = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
        let (number, after) = part.split_at(part.len() - digits.len() + length);
        let end = after.find(|letter: char| letter != '_' && !letter.is_alphanumeric()).unwrap_or(after.len());
        let unit = after.get(..end).filter(|unit| !unit.is_empty() && length > 0).ok_or_else(unread)?;
        let number: i64 = number.parse().map_err(|_| unread())?;
        let factor = milliseconds(unit)?.ok_or_else(unread)?;
        sum = apply(Operator::Add, &sum, &apply(Operator::Multiply, &Value::from(number), &factor)?)?;
    }
    let quotient = apply(Operator::Divide, &sum, &divisor)?;
    let quotient = f64::try_from(quotient).map_err(|_| error("the length of time is no number"))?;
    // Twelve decimals, as in `round`.
    Ok(Value::from(format!("{quotient:.12}").parse::<f64>().unwrap_or(quotient)))
}

pub fn to_time_unit(_: &dyn Host, mut args: Args) -> Result<Value> {
    let unit = match args.take("unit") {
        Some(unit) => Some(unit),
        None if args.positional.len() > 1 => Some(args.positional.remove(1)),
        None => None,
    };
    let unit = unit.map_or(Ok("ms".to_owned()), |unit| plain_text(&unit, "the unit"))?;
    in_unit(args, &unit)
}

fn in_unit(mut args: Args, unit: &str) -> Result<Value> {
    let value = args.take("human_time").or_else(|| args.positional.pop());
    if let Some(more) = args.positional.first() {
        return Err(error(format!("{}() takes 1 positional argument but more were given: {more}", args.callee)));
    }
    time(value, unit, args)
}

/// Defines the filters that convert a duration to a unit.
macro_rules! units {
    ($($name:ident $unit:literal),*) => {
        $(
            #[doc = concat!("A length of time in the unit `", $unit, "`.")]
            pub fn $name(_: &dyn Host, args: Args) -> Result<Value> {
                in_unit(args, $unit)
            }
        )*
    };
}

units!(
    to_milliseconds "ms", to_seconds "s", to_minutes "m", to_hours "h", to_days "d", to_weeks "w", to_months "mo",
    to_years "y"
);

/// Returns the filter `from_csv`: parses a table to a list of dictionaries.
pub fn from_csv(_: &dyn Host, args: Args) -> Result<Value> {
    let [data, dialect, names, delimiter, skips, strict] =
        args.bind(["data", "dialect", "fieldnames", "delimiter", "skipinitialspace", "strict"], 1)?;
    let text = str(&given(data))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let usual = match dialect.map_or(Ok("excel".to_owned()), |dialect| str(&dialect))?.as_str() {
        "excel" | "unix" => ',',
        "excel-tab" => '\t',
        other => return Err(error(format!("Dialect '{other}' is not supported by your version of python."))),
    };
    let delimiter = match delimiter.filter(|delimiter| !delimiter.is_none()) {
        None => usual,
        Some(given) => {
            let text = plain_text(&given, "Unable to create custom dialect: \"delimiter\" must be string")?;
            let mut letters = text.chars();
            match (letters.next(), letters.next()) {
                (Some(only), None) => only,
                _ => {
                    return Err(error("Unable to create custom dialect: \"delimiter\" must be a 1-character string"));
                }
            }
        }
    };
    let flag = |value: Option<Value>| value.map_or(Ok(false), |value| truth(&value));
    let reader = CsvReader { delimiter, skips: flag(skips)?, is_strict: flag(strict)? };
    work::steps(text.len() / 8)?;
    work::bytes(text.len())?;
    let mut rows = reader.rows(text)?.into_iter();
    let names = match names.filter(|names| !names.is_none()) {
        Some(names) => iterate(&names)?,
        None => rows.next().unwrap_or_default().into_iter().map(Value::from).collect(),
    };
    let mut out = Vec::new();
    for row in rows.filter(|row| !row.is_empty()) {
        work::elements(names.len())?;
        let mut cells = row.into_iter().map(Value::from);
        let mut entries = Entries::new();
        for name in &names {
            hashable(name)?;
            entries.insert(name.clone(), cells.next().unwrap_or_else(|| Value::from(())));
        }
        let rest: Vec<Value> = cells.collect();
        if !rest.is_empty() {
            entries.insert(Value::from(()), List::value(rest));
        }
        out.push(Dict::value(entries));
    }
    Ok(List::value(out))
}

/// Reads a table as Python's module `csv` does.
struct CsvReader {
    delimiter: char,
    skips: bool,
    is_strict: bool,
}

/// The state of the reader.
#[derive(Clone, Copy, PartialEq)]
enum CsvState {
    StartOfRow,
    StartOfCell,
    Cell,
    Quoted,
    /// After a quote within quotes.
    Quote,
}

impl CsvReader {
    fn rows(&self, text: &str) -> Result<Vec<Vec<String>>> {
        let (mut rows, mut row, mut cell, mut at) = (Vec::new(), Vec::new(), String::new(), CsvState::StartOfRow);
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let is_end = matches!(letter, '\n' | '\r');
            if is_end && at != CsvState::Quoted {
                if letter == '\r' {
                    letters.next_if_eq(&'\n');
                }
                if at != CsvState::StartOfRow {
                    row.push(std::mem::take(&mut cell));
                }
                rows.push(std::mem::take(&mut row));
                at = CsvState::StartOfRow;
                continue;
            }
            at = match (at, letter) {
                (CsvState::Quoted, '"') => CsvState::Quote,
                (CsvState::Quoted, letter) => {
                    cell.push(letter);
                    CsvState::Quoted
                }
                (CsvState::Quote, '"') => {
                    cell.push('"');
                    CsvState::Quoted
                }
                (CsvState::StartOfRow | CsvState::StartOfCell, '"') => CsvState::Quoted,
                (_, letter) if letter == self.delimiter => {
                    row.push(std::mem::take(&mut cell));
                    CsvState::StartOfCell
                }
                (CsvState::StartOfRow | CsvState::StartOfCell, ' ') if self.skips => CsvState::StartOfCell,
                (CsvState::Quote, letter) if self.is_strict => {
                    return Err(error(format!(
                        "Unable to process file: '{}' expected after '\"', found '{letter}'",
                        self.delimiter
                    )));
                }
                (_, letter) => {
                    cell.push(letter);
                    CsvState::Cell
                }
            };
        }
        if at == CsvState::Quoted && self.is_strict {
            return Err(error("Unable to process file: unexpected end of data"));
        }
        if at != CsvState::StartOfRow {
            row.push(cell);
            rows.push(row);
        }
        Ok(rows)
    }
}
