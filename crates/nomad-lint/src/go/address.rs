//! Addresses and networks. Source of the rules: <https://pkg.go.dev/net/netip#ParsePrefix>.

use hieratic_hcl_types::quoted;

/// An address that could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// Whether the address has four bytes.
    pub(crate) is_short: bool,
    has_zone: bool,
}

/// The error in an address, and the rest of the address from the error on.
struct AddressError<'a>(&'static str, &'a str);

/// Checks a network: `10.0.0.0/8`.
///
/// # Errors
///
/// Go's message.
pub(crate) fn check_network(text: &str) -> Result<(), String> {
    let error = |problem: &str| Err(format!("netip.ParsePrefix({}): {problem}", quoted(text)));
    let Some((address, bits)) = text.rsplit_once('/') else { return error("no '/'") };
    let address = match parse(address) {
        Ok(address) => address,
        Err(message) => return error(&message),
    };
    if address.has_zone {
        return error("IPv6 zones cannot be present in a prefix");
    }
    let canonical = bits.len() == 1 || bits.starts_with(|first| matches!(first, '1'..='9'));
    match bits.parse::<i64>() {
        Ok(count) if canonical && (0..=if address.is_short { 32 } else { 128 }).contains(&count) => Ok(()),
        Ok(_) if canonical => error("prefix length out of range"),
        _ => error(&format!("bad bits after slash: {}", quoted(bits))),
    }
}

/// Parses an address.
///
/// # Errors
///
/// Go's message.
pub(crate) fn parse(text: &str) -> Result<Address, String> {
    let parsed = match text.chars().find(|letter| matches!(letter, '.' | ':' | '%')) {
        Some('.') => short(text).map(|()| Address { is_short: true, has_zone: false }),
        Some(':') => long(text),
        Some(_) => Err(AddressError("missing IPv6 address", "")),
        None => Err(AddressError("unable to parse IP", "")),
    };
    parsed.map_err(|AddressError(problem, at)| match at {
        "" => format!("ParseAddr({}): {problem}", quoted(text)),
        at => format!("ParseAddr({}): {problem} (at {})", quoted(text), quoted(at)),
    })
}

/// An address of four bytes.
fn short(text: &str) -> Result<(), AddressError<'_>> {
    let (mut value, mut digits, mut dots) = (0_u32, 0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '0'..='9' if digits == 1 && value == 0 => {
                return Err(AddressError("IPv4 field has octet with leading zero", ""));
            }
            '0'..='9' => {
                value = value * 10 + (u32::from(letter) - u32::from('0'));
                digits += 1;
                if value > 255 {
                    return Err(AddressError("IPv4 field has value >255", ""));
                }
            }
            '.' if digits == 0 || at + 1 == text.len() => {
                return Err(AddressError("IPv4 field must have at least one digit", &text[at..]));
            }
            '.' if dots == 3 => return Err(AddressError("IPv4 address too long", "")),
            '.' => (value, digits, dots) = (0, 0, dots + 1),
            _ => return Err(AddressError("unexpected character", &text[at..])),
        }
    }
    if dots < 3 { Err(AddressError("IPv4 address too short", "")) } else { Ok(()) }
}

/// An address of sixteen bytes.
fn long(text: &str) -> Result<Address, AddressError<'_>> {
    let (mut rest, zone) = match text.split_once('%') {
        Some((_, "")) => return Err(AddressError("zone must be a non-empty string", "")),
        Some((address, _)) => (address, true),
        None => (text, false),
    };
    let address = Address { is_short: false, has_zone: zone };
    let (mut bytes, mut gap) = (0, false);
    if let Some(after) = rest.strip_prefix("::") {
        (rest, gap) = (after, true);
        if rest.is_empty() {
            return Ok(address);
        }
    }
    while bytes < 16 {
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        if digits > 4 {
            return Err(AddressError("each group must have 4 or less digits", rest));
        }
        if digits == 0 {
            return Err(AddressError("each colon-separated field must have at least one digit", rest));
        }
        if rest[digits..].starts_with('.') {
            if !gap && bytes != 12 {
                let problem = "embedded IPv4 address must replace the final 2 fields of the address";
                return Err(AddressError(problem, rest));
            }
            if bytes > 12 {
                let problem = "too many hex fields to fit an embedded IPv4 at the end of the address";
                return Err(AddressError(problem, rest));
            }
            short(rest)?;
            (rest, bytes) = ("", bytes + 4);
            break;
        }
        bytes += 2;
        rest = &rest[digits..];
        if rest.is_empty() {
            break;
        }
        let Some(after) = rest.strip_prefix(':') else {
            return Err(AddressError("unexpected character, want colon", rest));
        };
        if after.is_empty() {
            return Err(AddressError("colon must be followed by more characters", rest));
        }
        rest = after;
        if let Some(after) = rest.strip_prefix(':') {
            if gap {
                return Err(AddressError("multiple :: in address", rest));
            }
            (rest, gap) = (after, true);
            if rest.is_empty() {
                break;
            }
        }
    }
    match (rest, bytes, gap) {
        ("", 16, false) | ("", ..16, true) => Ok(address),
        ("", 16, true) => Err(AddressError("the :: must expand to at least one field of zeros", "")),
        ("", ..) => Err(AddressError("address string too short", "")),
        (rest, ..) => Err(AddressError("trailing garbage after address", rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_accepted() {
        for text in ["10.0.0.0/8", "::/0", "2001:db8::1/128", "::ffff:1.2.3.4/96", "1:2:3:4:5:6:7:8/64", "1::/16"] {
            assert_eq!(check_network(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn errors_are_those_of_go() {
        for (text, message) in [
            ("x", "no '/'"),
            ("10.0.0/8", r#"ParseAddr("10.0.0"): IPv4 address too short"#),
            ("10.0.0.300/8", r#"ParseAddr("10.0.0.300"): IPv4 field has value >255"#),
            ("10.0.0.01/8", r#"ParseAddr("10.0.0.01"): IPv4 field has octet with leading zero"#),
            ("10..0.1/8", r#"ParseAddr("10..0.1"): IPv4 field must have at least one digit (at ".0.1")"#),
            ("10.0.0.0.0/8", r#"ParseAddr("10.0.0.0.0"): IPv4 address too long"#),
            ("10.0.0.x/8", r#"ParseAddr("10.0.0.x"): unexpected character (at "x")"#),
            ("/8", r#"ParseAddr(""): unable to parse IP"#),
            ("%eth/8", r#"ParseAddr("%eth"): missing IPv6 address"#),
            ("10.0.0.0/33", "prefix length out of range"),
            ("10.0.0.0/08", r#"bad bits after slash: "08""#),
            ("10.0.0.0/", r#"bad bits after slash: """#),
            ("10.0.0.0/x", r#"bad bits after slash: "x""#),
            ("fe80::1%eth/8", "IPv6 zones cannot be present in a prefix"),
            ("1:2/8", r#"ParseAddr("1:2"): address string too short"#),
            ("1:::2/8", r#"ParseAddr("1:::2"): each colon-separated field must have at least one digit (at ":2")"#),
            ("1::2::3/8", r#"ParseAddr("1::2::3"): multiple :: in address (at ":3")"#),
            ("12345::/8", r#"ParseAddr("12345::"): each group must have 4 or less digits (at "12345::")"#),
            ("1:2:3:4:5:6:7:8:9/8", r#"ParseAddr("1:2:3:4:5:6:7:8:9"): trailing garbage after address (at "9")"#),
        ] {
            let whole = format!("netip.ParsePrefix({}): {message}", quoted(text));
            assert_eq!(check_network(text).unwrap_err(), whole);
        }
    }
}
