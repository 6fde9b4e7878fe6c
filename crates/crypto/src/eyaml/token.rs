//! Finds the encrypted parts of a string, and decodes them.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Returns whether a string contains an encrypted value: `ENC[` and a `]` after it on the same line, as the reference
/// checks.
pub fn is_encrypted(text: &str) -> bool {
    text.lines().any(|line| line.find("ENC[").is_some_and(|at| line[at..].contains(']')))
}

/// A part of a string.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Token<'t> {
    Plain(&'t str),
    /// An encrypted value: its encryptor, and base 64 with optional whitespace.
    Encrypted {
        encryptor: Option<&'t str>,
        cipher: &'t str,
    },
}

/// The parts of a string. Malformed encrypted values stay plain.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut plain = 0;
    let mut search = 0;
    while let Some(at) = text[search..].find("ENC[").map(|at| search + at) {
        match encrypted(&text[at + 4..]) {
            Some((token, length)) => {
                if plain < at {
                    tokens.push(Token::Plain(&text[plain..at]));
                }
                tokens.push(token);
                search = at + 4 + length;
                plain = search;
            }
            None => search = at + 4,
        }
    }
    if plain < text.len() {
        tokens.push(Token::Plain(&text[plain..]));
    }
    tokens
}

/// Parses the rest of `ENC[`: an optional encryptor's name with a comma, base 64, `]`. Returns its length as well.
fn encrypted(text: &str) -> Option<(Token<'_>, usize)> {
    let end = text.find(']')?;
    let inside = &text[..end];
    let word = |name: &&str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let (encryptor, cipher) = match inside.split_once(',') {
        Some((name, cipher)) => (Some(name).filter(word)?.into(), cipher),
        None => (None, inside),
    };
    let base64 = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b' ' | b'\n');
    let fits = !cipher.is_empty() && cipher.bytes().all(base64);
    fits.then_some((Token::Encrypted { encryptor, cipher }, end + 1))
}

/// Base 64 as Ruby reads it: whitespace is skipped, padding may be missing, and an invalid character ends the input.
pub(crate) fn decode(text: &str) -> Vec<u8> {
    let config = GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let mut digits: String = text.chars().filter(|c| !c.is_whitespace()).take_while(|c| *c != '=').collect();
    if digits.len() % 4 == 1 {
        digits.pop();
    }
    GeneralPurpose::new(&STANDARD, config).decode(digits).unwrap_or_default()
}

/// The bytes of one encrypted value, whitespace allowed anywhere.
pub(crate) fn cipher_bytes(encrypted: &str) -> Option<Vec<u8>> {
    let text: String = encrypted.split_ascii_whitespace().collect();
    match tokens(&text).as_slice() {
        [Token::Encrypted { cipher, .. }] => Some(decode(cipher)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encrypted_parts_are_found_among_plain_ones() {
        let encrypted = |encryptor, cipher| Token::Encrypted { encryptor, cipher };
        assert_eq!(
            tokens("a ENC[PKCS7,AA==] b ENC[BB]"),
            [Token::Plain("a "), encrypted(Some("PKCS7"), "AA=="), Token::Plain(" b "), encrypted(None, "BB")]
        );
        assert_eq!(tokens("ENC[PKCS7,A A\nB]"), [encrypted(Some("PKCS7"), "A A\nB")]);
        for text in ["ENC[]", "ENC[PKCS7,abc", "ENC[x y,AA]", "ENC[PKCS7,A-A]"] {
            assert_eq!(tokens(text), [Token::Plain(text)]);
        }
    }

    #[test]
    fn encrypted_values_are_recognized_on_one_line() {
        assert!(is_encrypted("x ENC[y] z"));
        assert!(!is_encrypted("ENC[x"));
        assert!(!is_encrypted("ENC[\n]"));
    }
}
