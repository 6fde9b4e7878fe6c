//! Values that resource types of the agent, and of the modules in its packages, refuse by their form.

use hieratic::Value;
use hieratic_puppet_syntax::ast::Expr;

use crate::finding::{ATTRIBUTE_VALUE, Finding};
use crate::names::listed;
use crate::walk::Walk;

const DAYS: &[&str] = &["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
#[rustfmt::skip]
const MONTHS: &[&str] = &[
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
];
/// The weekdays of a schedule, without a final `day`, and their short forms.
const SHORT_DAYS: &[&str] = &["mon", "tue", "tues", "wed", "wednes", "thu", "thurs", "fri", "sat", "satur", "sun"];

impl<'t> Walk<'t> {
    /// Reports values of an attribute whose form the agent refuses.
    pub(crate) fn check_form(&mut self, kind: &str, name: &str, value: &'t Expr) {
        if !matches!(kind, "cron" | "group" | "host" | "mount" | "schedule" | "tidy" | "user") {
            return;
        }
        for one in listed(value) {
            let message = match self.infer(one).value {
                Some(Value::Array(all)) => all.iter().find_map(|element| refusal_of_value(kind, name, element)),
                Some(given) => refusal_of_value(kind, name, &given),
                None => None,
            };
            if let Some(message) = message {
                self.report(Finding::new(&ATTRIBUTE_VALUE, one.span, message));
            }
        }
    }
}

fn refusal_of_value(kind: &str, name: &str, value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.to_string(),
        Value::Integer(number) => number.to_string(),
        _ => return None,
    };
    // The patterns of Puppet look at each line.
    let is_decidable = !text.contains('\n');
    is_decidable.then(|| refusal(kind, name, &text, matches!(value, Value::Integer(_)))).flatten()
}

/// Returns the message with which the agent refuses a value.
fn refusal(kind: &str, name: &str, text: &str, is_integer: bool) -> Option<String> {
    let when = |is_wrong: bool, message: &str| is_wrong.then(|| message.to_owned());
    match (kind, name) {
        ("cron", "minute") => cron_refusal(name, text, 0, 59, &[]),
        ("cron", "hour") => cron_refusal(name, text, 0, 23, &[]),
        ("cron", "monthday") => cron_refusal(name, text, 1, 31, &[]),
        ("cron", "month") => cron_refusal(name, text, 1, 12, MONTHS),
        ("cron", "weekday") => cron_refusal(name, text, 0, 7, DAYS),
        ("cron", "special") => {
            let words = "reboot yearly annually monthly weekly daily midnight hourly absent";
            (!words.split(' ').any(|word| word == text)).then(|| format!("Invalid special schedule \"{text}\""))
        }
        ("group", "gid") => {
            let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
            (!is_number).then(|| format!("Invalid GID {text}"))
        }
        ("host", "ip") => {
            let is_address = text.contains(':') || is_ipv4(text);
            (!is_address).then(|| format!("Invalid IP address \"{text}\""))
        }
        ("mount", "atboot") => {
            let is_boolean = ["true", "false", "yes", "no"].iter().any(|word| text.eq_ignore_ascii_case(word));
            (!is_boolean).then(|| format!("expected a boolean value for atboot, got '{text}'"))
        }
        ("schedule", "range") => range_refusal(text),
        ("schedule", "repeat") => when(!is_digits(text), "Repeat must be a number"),
        ("schedule", "weekday") => {
            let lower = text.to_ascii_lowercase();
            let is_day = matches!(text.as_bytes(), [b'0'..=b'6'])
                || SHORT_DAYS.contains(&lower.strip_suffix("day").unwrap_or(&lower));
            (!is_day).then(|| format!("{text} is not a valid day of the week"))
        }
        ("tidy", "age") if !is_integer => unit_refusal("age", text, "smhdw"),
        ("tidy", "size") if !is_integer => unit_refusal("size", text, "bkmgt"),
        ("user", "password_min_age") => when(!is_signed(text), "Password minimum age must be provided as a number."),
        ("user", "password_max_age") => when(!is_signed(text), "Password maximum age must be provided as a number."),
        ("user", "password_warn_days") => when(!is_signed(text), "Password warning days must be provided as a number."),
        ("user", "password") => when(text.contains(':'), "Passwords cannot include ':'"),
        ("user", "expiry") if !is_integer => {
            let is_date = text == "absent" || is_date(text);
            when(!is_date, "Expiry dates must be YYYY-MM-DD or the string \"absent\"")
        }
        // A number is refused as one.
        ("user", "groups") if is_integer => None,
        ("user", "groups") if is_digits(text) => when(true, "Group names must be provided, not GID numbers."),
        ("user", "groups") if text.is_empty() => when(true, "Group names must not be empty."),
        ("user", "groups") => {
            when(text.contains(','), "Group names must be provided as an array, not a comma-separated list.")
        }
        _ => None,
    }
}

fn cron_refusal(name: &str, text: &str, least: u32, most: u32, words: &[&str]) -> Option<String> {
    let (range, step) = text.split_once('/').map_or((text, None), |(range, step)| (range, Some(step)));
    let has_step = step.is_none_or(is_digits);
    let is_range = range.split_once('-').is_some_and(|(first, last)| is_digits(first) && is_digits(last));
    if text == "absent" || text == "*" || (range == "*" && step.is_some_and(is_digits)) || (is_range && has_step) {
        return None;
    }
    let is_right = if is_digits(text) {
        text.parse::<u32>().is_ok_and(|number| (least..=most).contains(&number))
    } else {
        let lower = text.to_lowercase();
        words.iter().any(|word| *word == lower || (lower.len() == 3 && word.starts_with(&lower)))
    };
    (!is_right).then(|| format!("{text} is not a valid {name}"))
}

fn range_refusal(text: &str) -> Option<String> {
    let Some((first, last)) = text.split_once('-') else {
        return Some(format!("Invalid range value '{text}'"));
    };
    for time in [first.trim(), last.trim()] {
        let numbers: Vec<&str> = time.split(':').collect();
        if numbers.len() > 3 || !numbers.iter().all(|number| is_digits(number)) {
            // The pattern of Puppet does not see the parts around a range.
            return None;
        }
        let is_above = |at: usize, most: u32| {
            numbers.get(at).is_some_and(|number| number.parse::<u32>().is_ok_and(|number| number > most))
        };
        let number = |at: usize| numbers.get(at).map_or("", |number| number.trim_start_matches('0'));
        if is_above(0, 23) {
            return Some(format!("Invalid hour '{}'", number(0)));
        }
        if is_above(1, 59) {
            return Some(format!("Invalid minute '{}'", number(1)));
        }
    }
    None
}

/// Two digits without a unit have the last one as their unit, and are refused for it.
fn unit_refusal(name: &str, text: &str, units: &str) -> Option<String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_word = text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if digits == 0 || !is_word {
        return Some(format!("Invalid tidy {name} {text}"));
    }
    let unit = match text.len() {
        1 => return None,
        length if length == digits => &text[digits - 1..],
        _ => &text[digits..=digits],
    };
    let unit = unit.to_ascii_lowercase();
    (!units.contains(&unit)).then(|| format!("Invalid {name} unit '{unit}'"))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_signed(text: &str) -> bool {
    is_digits(text.strip_prefix('-').unwrap_or(text))
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    matches!(parts[..], [year, month, day]
        if [(year, 4), (month, 2), (day, 2)].iter().all(|(part, length)| part.len() == *length && is_digits(part)))
}

fn is_ipv4(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    parts.len() == 4
        && parts
            .iter()
            .all(|part| part.len() <= 3 && is_digits(part) && part.parse::<u16>().is_ok_and(|number| number <= 255))
}
