//! URLs. Source of the rules: <https://pkg.go.dev/net/url#Parse>.

use super::address;

/// Parses a URL, and returns whether it has a scheme; `None` if it is invalid.
pub(crate) fn has_scheme(text: &str) -> Option<bool> {
    let (page, fragment) = text.split_once('#').unwrap_or((text, ""));
    if page.bytes().any(|byte| byte.is_ascii_control()) {
        return None;
    }
    let (scheme, rest) = scheme(page)?;
    let rest = rest.split_once('?').map_or(rest, |(rest, _)| rest);
    let readable = if page == "*" || !scheme.is_empty() && !rest.starts_with('/') {
        true
    } else if rest.starts_with('/') {
        let authority = (!scheme.is_empty() || !rest.starts_with("///")).then(|| rest.strip_prefix("//")).flatten();
        match authority {
            None => escapes_are_whole(rest),
            Some(after) => {
                let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
                is_authority(scheme, authority) && escapes_are_whole(path)
            }
        }
    } else {
        // A colon in the first segment would end a scheme, and here the scheme is not valid.
        !rest.split('/').next().is_some_and(|first| first.contains(':')) && escapes_are_whole(rest)
    };
    (readable && escapes_are_whole(fragment)).then_some(!scheme.is_empty())
}

/// Splits a URL after its scheme; `None` if it begins with a colon.
fn scheme(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.')));
    match end.map(|end| text.split_at(end)) {
        Some((scheme, rest)) if rest.starts_with(':') => match scheme.as_bytes().first() {
            Some(first) if first.is_ascii_alphabetic() => Some((scheme, &rest[1..])),
            Some(_) => Some(("", text)),
            None => None,
        },
        _ => Some(("", text)),
    }
}

/// Returns whether two hexadecimal digits follow each percent sign.
fn escapes_are_whole(text: &str) -> bool {
    text.split('%').skip(1).all(|after| {
        let digits = after.as_bytes();
        digits.len() >= 2 && digits[..2].iter().all(u8::is_ascii_hexdigit)
    })
}

/// Checks the part between `//` and the path.
fn is_authority(scheme: &str, text: &str) -> bool {
    match text.rsplit_once('@') {
        Some((user, host)) => is_host(scheme, host) && is_user(user) && escapes_are_whole(user),
        None => is_host(scheme, text),
    }
}

fn is_user(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte))
}

fn is_host(scheme: &str, text: &str) -> bool {
    match text.rfind('[') {
        Some(0) => {
            let Some((host, port)) = text[1..].rsplit_once(']') else { return false };
            let (address, zone) = host.split_at(host.find("%25").unwrap_or(host.len()));
            let inner = format!("{}{}", unescaped(address), unescaped(zone));
            is_port(port)
                && is_host_text(address)
                && is_zone(zone)
                && address::parse(&inner).is_ok_and(|address| !address.is_short)
        }
        Some(_) => false,
        None => {
            // Names of databases have several hosts with ports; those of the web have one.
            let strict = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
            let colon = if strict { text.find(':') } else { text.rfind(':') };
            colon.is_none_or(|colon| is_port(&text[colon..])) && is_host_text(text)
        }
    }
}

/// Returns whether the string is a colon and digits, or empty.
fn is_port(text: &str) -> bool {
    text.is_empty() || text.strip_prefix(':').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns whether a host may contain the byte without escaping.
fn is_host_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:[]<>\"".contains(&byte)
}

/// Checks a host name: only bytes beyond ASCII, and the percent sign, may be escaped.
fn is_host_text(text: &str) -> bool {
    escapes_are_whole(text)
        && escaped(text).all(|byte| byte >= 0x80 || byte == b'%')
        && plain(text).all(|byte| byte >= 0x80 || is_host_byte(byte))
}

/// Checks the zone of an address: except blanks and percent signs, only bytes of a host may be escaped.
fn is_zone(text: &str) -> bool {
    escapes_are_whole(text)
        && escaped(text).all(|byte| matches!(byte, b'%' | b' ') || is_host_byte(byte))
        && plain(text).all(|byte| byte >= 0x80 || is_host_byte(byte))
}

/// The escaped bytes of a string with valid escapes.
fn escaped(text: &str) -> impl Iterator<Item = u8> {
    text.split('%').skip(1).filter_map(|after| u8::from_str_radix(after.get(..2)?, 16).ok())
}

/// The unescaped bytes of a string with valid escapes.
fn plain(text: &str) -> impl Iterator<Item = u8> {
    let mut parts = text.split('%');
    let first = parts.next().unwrap_or_default();
    first.bytes().chain(parts.flat_map(|after| after.bytes().skip(2)))
}

/// The string with its escapes decoded. Bytes that are not UTF-8 are replaced.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    for (at, part) in text.split('%').enumerate() {
        match part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if at > 0 => {
                bytes.push(byte);
                bytes.extend_from_slice(&part.as_bytes()[2..]);
            }
            _ => bytes.extend_from_slice(part.as_bytes()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_with_a_scheme_are_recognized() {
        for text in ["/health", "", "a/b:c", "*", "/a%20b?x=%zz", "///a", "//host:80/x", "1a"] {
            assert_eq!(has_scheme(text), Some(false), "{text}");
        }
        for text in ["http://a/b", "mailto:x%zz", "a:b", "http://[::1]:80/", "db://a:1,b:2/", "http://[fe80::1%25en0]/"]
        {
            assert_eq!(has_scheme(text), Some(true), "{text}");
        }
        for text in [
            ":a",
            "1a:b",
            "/a%zz",
            "/a%2",
            "/a\u{1}",
            "a b:c",
            "//a:x/",
            "http://a:1,b:2/",
            "http://[1.2.3.4]/",
            "//[::1",
            "//a b/",
            "//a%41/",
            "//a@b c@d/",
            "/#%z",
            "http://[::1]x/",
        ] {
            assert_eq!(has_scheme(text), None, "{text}");
        }
    }
}
