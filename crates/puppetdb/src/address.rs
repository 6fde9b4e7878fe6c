//! Removes the credentials from the URL of PuppetDB.

use base64::Engine;

/// Splits the credentials off a URL and returns them as a header. Returns `None` if it is ambiguous where they end.
pub(crate) fn without_access(url: &str) -> Option<(String, Option<String>)> {
    let url = url.trim_end_matches('/');
    let (scheme, rest) = url.split_once("://").map_or(("", url), |(scheme, rest)| (&url[..scheme.len() + 3], rest));
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    if rest[end..].contains('@') {
        return None;
    }
    let Some(at) = rest.rfind('@') else { return Some((url.into(), None)) };
    let access = base64::engine::general_purpose::STANDARD.encode(percent_decoded(&rest[..at]));
    Some((format!("{scheme}{}", &rest[at + 1..]), Some(format!("Basic {access}"))))
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while let Some(&byte) = bytes.get(index) {
        let hex =
            text.get(index + 1..index + 3).filter(|_| byte == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        decoded.push(hex.unwrap_or(byte));
        index += if hex.is_some() { 3 } else { 1 };
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_not_part_of_the_address() {
        for (given, url, access) in [
            ("http://localhost:8080/", "http://localhost:8080", None),
            ("https://u:p%40ss@db:8081/x/", "https://db:8081/x", Some("Basic dTpwQHNz")),
            ("https://u:p@ss@db", "https://db", Some("Basic dTpwQHNz")),
            ("https://u:p%2Fs@db", "https://db", Some("Basic dTpwL3M=")),
            ("u:p@db", "db", Some("Basic dTpw")),
        ] {
            assert_eq!(without_access(given), Some((url.to_string(), access.map(String::from))), "{given}");
        }
        assert_eq!(without_access("https://u:p/s@db"), None);
    }
}
