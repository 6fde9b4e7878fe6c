//! Integers in Go's notation.

/// Parses an integer of 64 bits whose prefix names the base, as `strconv.ParseInt` does with the base 0. Underscores are
/// not allowed.
///
/// ```
/// use hieratic_hcl_types::go::integer;
/// assert_eq!(integer::parse("-0x1F"), Some(-31));
/// assert_eq!(integer::parse("010"), Some(8));
/// assert_eq!(integer::parse("08"), None);
/// ```
pub fn parse(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let (digits, base) = match lower.get(..2) {
        Some("0x") => (lower.get(2..)?, 16),
        Some("0o") => (lower.get(2..)?, 8),
        Some("0b") => (lower.get(2..)?, 2),
        Some(_) if lower.starts_with('0') => (lower.get(1..)?, 8),
        _ => (lower.as_str(), 10),
    };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    i64::from_str_radix(&format!("{sign}{digits}"), base).ok()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_prefix_names_the_base() {
        for (text, expected) in [
            ("0", Some(0)),
            ("+7", Some(7)),
            ("-7", Some(-7)),
            ("0o17", Some(15)),
            ("017", Some(15)),
            ("0B101", Some(5)),
            ("0XfF", Some(255)),
            ("-9223372036854775808", Some(i64::MIN)),
            ("9223372036854775808", None),
            ("08", None),
            ("1.5", None),
            ("", None),
            ("0x", None),
            ("--1", None),
            ("0x-1", None),
            ("1_000", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
