//! Normalization of characters for comparing strings.

use super::decoders::{RAW, Symbol};

/// Calls for every byte by which a symbol is searched for: those of its characters without regard to case, also where another
/// case has more of them (`ß`, `SS`).
pub(super) fn each_byte(symbol: Symbol, mut found: impl FnMut(u8)) {
    if let Ok(byte) = u8::try_from(symbol)
        && byte < 0x80
    {
        return found(byte.to_ascii_lowercase());
    }
    match char::from_u32(symbol) {
        Some(character) => {
            for character in character.to_uppercase().flat_map(char::to_lowercase) {
                character.encode_utf8(&mut [0; 4]).bytes().for_each(&mut found);
            }
        }
        // A byte without a character; a lone surrogate counts by its number.
        None if symbol >= RAW => found(u8::try_from(symbol - RAW).unwrap_or(u8::MAX)),
        None => symbol.to_be_bytes().into_iter().for_each(found),
    }
}

/// Returns the control character of a control picture, as messages show them.
pub(super) fn without_picture(symbol: Symbol) -> Symbol {
    match symbol {
        0x2400..=0x2420 => symbol - 0x2400,
        0x2421 => 0x7f,
        0x2424 => 10,
        other => other,
    }
}

/// Returns whether a character is compared regardless of quoting: not whitespace, not a control character, not a
/// quotation or escape mark.
pub(super) fn is_compared(symbol: Symbol) -> bool {
    if let Ok(byte) = u8::try_from(symbol)
        && byte < 0x80
    {
        return is_compared_ascii(byte);
    }
    !matches!(symbol, 0x2400..=0x2421 | 0x2424 | 0x61c | 0x200b..=0x200f | 0x2028..=0x202f | 0x2066..=0x2069 | 0xfeff | 0xfffd)
        && !char::from_u32(symbol).is_some_and(|character| character.is_whitespace() || character.is_control())
}

/// [`is_compared`] for ASCII.
pub(super) const fn is_compared_ascii(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'\\' | b'\'' | b'"' | b'`' | b'^' | b'$' | b'%' | b'+')
}

/// Returns whether a character that is not compared still belongs to a secret.
pub(super) fn is_mark(character: char) -> bool {
    !is_compared(character.into()) && character.is_ascii_punctuation()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        text.chars().for_each(|character| each_byte(character.into(), |byte| bytes.push(byte)));
        bytes
    }

    #[test]
    fn case_does_not_count() {
        for (one, other) in [("Straße", "STRASSE"), ("é", "É"), ("ς", "Σ"), ("ŉ", "ʼN"), ("ﬁn", "FIN")] {
            assert_eq!(folded(one), folded(other), "{one}");
        }
    }
}
