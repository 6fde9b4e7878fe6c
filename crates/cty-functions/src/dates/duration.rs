//! Lengths of time: `1h30m`, `-1.5s` (<https://pkg.go.dev/time#ParseDuration>).

use super::fault::quoted;

/// Just beyond the largest that can be held.
const LIMIT: u64 = 1 << 63;

/// A length of time in nanoseconds.
pub(super) fn parse(text: &str) -> Result<i64, String> {
    let fault = |what: &str| format!("time: {what} {}", quoted(text));
    let invalid = || fault("invalid duration");
    let negative = text.starts_with('-');
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut total = 0u64;
    while !rest.is_empty() {
        let (whole, after) = digits(rest);
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => digits(after),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return Err(invalid());
        }
        let length = after.find(|letter: char| letter == '.' || letter.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(length);
        // Before what follows is looked at, the whole part must fit.
        let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| invalid())? };
        if whole > LIMIT {
            return Err(invalid());
        }
        if unit.is_empty() {
            return Err(fault("missing unit in duration"));
        }
        let Some(nanoseconds) = nanoseconds(unit) else {
            return Err(fault(&format!("unknown unit {} in duration", quoted(unit))));
        };
        let mut value = whole.checked_mul(nanoseconds).filter(|value| *value <= LIMIT).ok_or_else(invalid)?;
        value = value.saturating_add(part(fraction, nanoseconds));
        total = total.checked_add(value).filter(|total| *total <= LIMIT && value <= LIMIT).ok_or_else(invalid)?;
        rest = after;
    }
    match (negative, i64::try_from(total)) {
        (false, Ok(total)) => Ok(total),
        (true, Ok(total)) => Ok(-total),
        (true, Err(_)) => Ok(i64::MIN),
        (false, Err(_)) => Err(invalid()),
    }
}

fn digits(text: &str) -> (&str, &str) {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at(length)
}

/// A decimal fraction of a unit. Digits beyond what a word holds do not count.
fn part(fraction: &str, unit: u64) -> u64 {
    let (mut value, mut scale) = (0u64, 1f64);
    for digit in fraction.bytes() {
        if value > (LIMIT - 1) / 10 {
            break;
        }
        let next = value * 10 + u64::from(digit - b'0');
        if next > LIMIT {
            break;
        }
        value = next;
        scale *= 10.0;
    }
    (value as f64 * (unit as f64 / scale)) as u64
}

fn nanoseconds(unit: &str) -> Option<u64> {
    Some(match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_sums() {
        assert_eq!(parse("1h30m"), Ok(5_400_000_000_000));
        assert_eq!(parse("-1.5us"), Ok(-1_500));
        assert_eq!(parse("1"), Err("time: missing unit in duration \"1\"".into()));
        assert_eq!(parse("1d"), Err("time: unknown unit \"d\" in duration \"1d\"".into()));
        assert_eq!(parse(".h"), Err("time: invalid duration \".h\"".into()));
        assert_eq!(parse("-9223372036854775808ns"), Ok(i64::MIN));
        assert_eq!(parse("9223372036854775808ns"), Err("time: invalid duration \"9223372036854775808ns\"".into()));
    }
}
