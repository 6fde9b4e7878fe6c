//! Hexadecimal encoding. Source of the rules: <https://pkg.go.dev/encoding/hex#DecodeString>.

/// The number of bytes that the digits encode.
///
/// # Errors
///
/// Go's message if a character is not a digit, or the number of digits is odd.
pub(crate) fn length(text: &str) -> Result<usize, String> {
    if let Some(byte) = text.bytes().find(|byte| !byte.is_ascii_hexdigit()) {
        let letter = char::from(byte);
        let quoted = hieratic_hcl_types::quoted(letter.encode_utf8(&mut [0; 4]));
        // Unprintable characters are shown by their code point only.
        let shown = if matches!(letter, '"' | '\\') || quoted.chars().count() == 3 {
            format!(" '{letter}'")
        } else {
            String::new()
        };
        return Err(format!("encoding/hex: invalid byte: U+{:04X}{shown}", u32::from(byte)));
    }
    if text.len() % 2 == 1 {
        return Err("encoding/hex: odd length hex string".to_owned());
    }
    Ok(text.len() / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_those_of_go() {
        assert_eq!(length("00fF"), Ok(2));
        for (text, message) in [
            ("abc", "encoding/hex: odd length hex string"),
            ("xyz", "encoding/hex: invalid byte: U+0078 'x'"),
            ("a\"", "encoding/hex: invalid byte: U+0022 '\"'"),
            ("a\n", "encoding/hex: invalid byte: U+000A"),
            ("é", "encoding/hex: invalid byte: U+00C3 'Ã'"),
        ] {
            assert_eq!(length(text).unwrap_err(), message);
        }
    }
}
