//! Encodes and decodes strings, in the encodings that need no tables.

use crate::error::{Result, error};

/// The encodings.
#[derive(Clone, Copy)]
enum Encoding {
    Utf8,
    Utf8WithMark,
    Ascii,
    Latin1,
    /// Units of a fixed number of bytes, with the most significant byte first or last; `None` if a byte order mark decides.
    Wide(usize, Option<bool>),
}

/// Returns the encoding of a Python name.
fn named(name: &str) -> Result<Encoding> {
    let plain: String = name.to_ascii_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    Ok(match plain.as_str() {
        "utf8" | "u8" | "cp65001" => Encoding::Utf8,
        "utf8sig" => Encoding::Utf8WithMark,
        "ascii" | "usascii" | "646" => Encoding::Ascii,
        "latin1" | "latin" | "l1" | "iso88591" | "88591" | "8859" | "cp819" => Encoding::Latin1,
        "utf16" | "u16" => Encoding::Wide(2, None),
        "utf16le" => Encoding::Wide(2, Some(false)),
        "utf16be" => Encoding::Wide(2, Some(true)),
        "utf32" | "u32" => Encoding::Wide(4, None),
        "utf32le" => Encoding::Wide(4, Some(false)),
        "utf32be" => Encoding::Wide(4, Some(true)),
        _ => {
            return Err(error(format!(
                "the encoding '{name}' is not supported: use utf-8, utf-16, utf-32, latin-1 or ascii"
            )));
        }
    })
}

/// `text.encode(name)`
pub fn encode(text: &str, name: &str) -> Result<Vec<u8>> {
    crate::work::bytes(text.len().saturating_mul(4))?;
    let narrow = |limit: u32, name: &str| {
        let bytes =
            text.chars().map(|letter| u8::try_from(u32::from(letter)).ok().filter(|byte| u32::from(*byte) < limit));
        bytes
            .collect::<Option<Vec<u8>>>()
            .ok_or_else(|| error(format!("'{name}' codec can't encode the text: ordinal not in range({limit})")))
    };
    Ok(match named(name)? {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf8WithMark => [&[0xef, 0xbb, 0xbf], text.as_bytes()].concat(),
        Encoding::Ascii => narrow(128, "ascii")?,
        Encoding::Latin1 => narrow(256, "latin-1")?,
        Encoding::Wide(width, order) => {
            let mark = if order.is_none() { "\u{feff}" } else { "" };
            let big = order.unwrap_or(false);
            let letters = mark.chars().chain(text.chars());
            match width {
                2 => {
                    let mut units = [0; 2];
                    letters
                        .flat_map(|letter| letter.encode_utf16(&mut units).to_vec())
                        .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
                        .collect()
                }
                _ => letters
                    .map(u32::from)
                    .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
                    .collect(),
            }
        }
    })
}

/// `bytes.decode(name)`
pub fn decode(bytes: &[u8], name: &str) -> Result<String> {
    crate::work::bytes(bytes.len().saturating_mul(2))?;
    let bad = || error(format!("'{name}' codec can't decode the bytes"));
    let utf8 = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|_| bad());
    match named(name)? {
        Encoding::Utf8 => utf8(bytes),
        Encoding::Utf8WithMark => utf8(bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes)),
        Encoding::Ascii if bytes.is_ascii() => utf8(bytes),
        Encoding::Ascii => Err(bad()),
        Encoding::Latin1 => Ok(bytes.iter().map(|byte| char::from(*byte)).collect()),
        Encoding::Wide(width, order) => {
            if !bytes.len().is_multiple_of(width) {
                return Err(bad());
            }
            let unit = |big: bool| {
                move |unit: &[u8]| {
                    let fold = |number: u32, byte: &u8| number << 8 | u32::from(*byte);
                    if big { unit.iter().fold(0, fold) } else { unit.iter().rev().fold(0, fold) }
                }
            };
            let units = |big: bool| bytes.chunks(width).map(unit(big)).collect::<Vec<u32>>();
            let mut units = match order {
                Some(big) => units(big),
                None => {
                    let little = units(false);
                    let swapped = if width == 2 { 0xfffe } else { 0xfffe_0000 };
                    if little.first() == Some(&swapped) { units(true) } else { little }
                }
            };
            if order.is_none() && units.first() == Some(&0xfeff) {
                units.remove(0);
            }
            match width {
                2 => {
                    let units = units.into_iter().map(|unit| u16::try_from(unit).unwrap_or(0xfffd));
                    char::decode_utf16(units).collect::<std::result::Result<_, _>>().map_err(|_| bad())
                }
                _ => units.into_iter().map(char::from_u32).collect::<Option<_>>().ok_or_else(bad),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_round_trips() {
        for name in ["utf-8", "utf_8_sig", "UTF-16", "utf-16-le", "utf-16be", "utf-32", "utf-32-be"] {
            let bytes = encode("aé😀", name).expect("bytes");
            assert_eq!(decode(&bytes, name).expect("a text"), "aé😀", "{name}");
        }
        assert_eq!(encode("é", "utf-16").expect("bytes"), [0xff, 0xfe, 0xe9, 0]);
        assert_eq!(encode("é", "latin-1").expect("bytes"), [0xe9]);
        assert!(encode("é", "ascii").is_err() && encode("a", "ebcdic").is_err() && decode(&[0], "utf-16").is_err());
    }
}
