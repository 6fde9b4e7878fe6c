//! The format of `formatdate`: runs of one letter are parts of the time, strings in single quotes are literals.

use std::fmt::Write;

use hieratic_hcl_types::quoted;

use super::Civil;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// Formats a timestamp.
pub(super) fn format(format: &str, time: &Civil) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' => literal(rest, &mut out)?,
            letter if letter.is_ascii_alphabetic() => {
                let length = rest.len() - rest.trim_start_matches(letter).len();
                verb(rest.get(..length).unwrap_or_default(), letter, time, &mut out)?;
                length
            }
            letter => {
                out.push(letter);
                letter.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    Ok(out)
}

/// A quoted literal, in which a quote is doubled. Two quotes alone are one.
fn literal(text: &str, out: &mut String) -> Result<usize, String> {
    if text.starts_with("''") {
        out.push('\'');
        return Ok(2);
    }
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        if letter != '\'' {
            out.push(letter);
        } else if letters.next_if(|(_, next)| *next == '\'').is_some() {
            out.push('\'');
        } else {
            return Ok(at + 1);
        }
    }
    // A doubled quote at the end also counts as the closing one.
    if text.len() > 1 && text.ends_with('\'') { Ok(text.len()) } else { Err("unterminated literal '".into()) }
}

fn verb(verb: &str, letter: char, time: &Civil, out: &mut String) -> Result<(), String> {
    let wrong = |expected: &str| Err(format!("invalid date format verb {}: {expected}", quoted(verb)));
    // Writing to a string cannot fail.
    let digits = |out: &mut String, number: i64| match verb.len() {
        1 => drop(write!(out, "{number}")),
        _ => drop(write!(out, "{number:02}")),
    };
    let named = |out: &mut String, names: &[&str], index: i64| {
        let name = usize::try_from(index).ok().and_then(|index| names.get(index)).copied().unwrap_or_default();
        out.push_str(if verb.len() == 3 { name.get(..3).unwrap_or(name) } else { name });
    };
    let short = verb.len() <= 2;
    match letter {
        'Y' => match verb.len() {
            2 => drop(write!(out, "{:02}", time.year % 100)),
            4 => drop(write!(out, "{:04}", time.year)),
            _ => return wrong("year must either be \"YY\" or \"YYYY\""),
        },
        'M' if short => digits(out, time.month),
        'M' if verb.len() <= 4 => named(out, &MONTHS, time.month - 1),
        'M' => return wrong("month must be \"M\", \"MM\", \"MMM\", or \"MMMM\""),
        'D' if short => digits(out, time.day),
        'D' => return wrong("day of month must either be \"D\" or \"DD\""),
        'E' if matches!(verb.len(), 3 | 4) => named(out, &DAYS, time.weekday()),
        'E' => return wrong("day of week must either be \"EEE\" or \"EEEE\""),
        'h' if short => digits(out, time.hour),
        'h' => return wrong("24-hour must either be \"h\" or \"hh\""),
        'H' if short => digits(out, if time.hour % 12 == 0 { 12 } else { time.hour % 12 }),
        'H' => return wrong("12-hour must either be \"H\" or \"HH\""),
        'A' | 'a' if verb.len() != 2 => return wrong(&format!("must be \"{letter}{letter}\"")),
        'A' => out.push_str(if time.hour < 12 { "AM" } else { "PM" }),
        'a' => out.push_str(if time.hour < 12 { "am" } else { "pm" }),
        'm' if short => digits(out, time.minute),
        'm' => return wrong("minute must either be \"m\" or \"mm\""),
        's' if short => digits(out, time.second),
        's' => return wrong("second must either be \"s\" or \"ss\""),
        'Z' => out.push_str(&match verb.len() {
            1 => time.zone(true),
            3 if time.offset == 0 => "UTC".into(),
            3 | 4 => time.numeric_zone(false),
            5 => time.numeric_zone(true),
            _ => return wrong("timezone must be Z, ZZZZ, or ZZZZZ"),
        }),
        _ => return Err(format!("invalid date format verb {}", quoted(verb))),
    }
    Ok(())
}
