//! Base64 as in Ruby.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};

/// The variants of base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base64 {
    /// In one line, with `+` and `/`.
    Strict,
    /// With a line end after every 60 letters; read with anything between the letters.
    Lines,
    /// In one line, with `-` and `_`; read without padding, too.
    Url,
}

/// Encodes bytes.
pub(crate) fn encode(bytes: &[u8], how: Base64) -> String {
    /// The number of bytes per line.
    const BYTES_PER_LINE: usize = 45;
    match how {
        Base64::Strict => STANDARD.encode(bytes),
        Base64::Url => URL_SAFE.encode(bytes),
        Base64::Lines => bytes.chunks(BYTES_PER_LINE).map(|line| STANDARD.encode(line) + "\n").collect(),
    }
}

/// Decodes base64; returns `None` if the string is not valid.
pub(crate) fn decode(text: &str, how: Base64) -> Option<Vec<u8>> {
    match how {
        Base64::Strict => STANDARD.decode(text).ok(),
        Base64::Url => {
            let mut text = text.replace('-', "+").replace('_', "/");
            if !text.ends_with('=') {
                while !text.len().is_multiple_of(4) {
                    text.push('=');
                }
            }
            STANDARD.decode(text).ok()
        }
        Base64::Lines => Some(decode_leniently(text)),
    }
}

/// Decodes leniently: invalid letters are skipped, and the first padding in a group of four ends the string.
fn decode_leniently(text: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let mut group: Vec<u8> = Vec::with_capacity(4);
    for byte in text.bytes() {
        match value(byte) {
            Some(bits) => group.push(bits),
            None if byte == b'=' && group.len() >= 2 => break,
            None => {}
        }
        if let [a, b, c, d] = group[..] {
            out.extend([a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
            group.clear();
        }
    }
    match group[..] {
        [a, b] => out.push(a << 2 | b >> 4),
        [a, b, c] => out.extend([a << 2 | b >> 4, b << 4 | c >> 2]),
        _ => {}
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn letters_are_read_as_ruby_reads_them() {
        assert_eq!(decode("aGVsbG8=", Base64::Strict).as_deref(), Some(&b"hello"[..]));
        assert_eq!(decode("aGVsbG8", Base64::Strict), None);
        assert_eq!(decode("aGVsbG9=", Base64::Strict), None);
        assert_eq!(decode("aGVsbG8", Base64::Url).as_deref(), Some(&b"hello"[..]));
        assert_eq!(decode("a G*V\ns=", Base64::Lines).as_deref(), Some(&b"hel"[..]));
        assert_eq!(decode("=aGVs", Base64::Lines).as_deref(), Some(&b"hel"[..]));
    }

    proptest! {
        #[test]
        fn written_values_read_back(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            for how in [Base64::Strict, Base64::Lines, Base64::Url] {
                prop_assert_eq!(decode(&encode(&bytes, how), how), Some(bytes.clone()));
            }
        }
    }
}
