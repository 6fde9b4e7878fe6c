//! Decodes integers from a DER sequence (<https://pkg.go.dev/encoding/asn1>), with the error messages of the reference.

use std::fmt;

/// The reason why the bytes cannot be decoded.
#[derive(Debug, PartialEq)]
pub(super) enum DerError {
    /// They are not DER.
    Syntax(&'static str),
    /// They are DER of another structure.
    Structure(String),
}

impl fmt::Display for DerError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DerError::Syntax(message) => write!(out, "asn1: syntax error: {message}"),
            DerError::Structure(message) => write!(out, "asn1: structure error: {message}"),
        }
    }
}

fn structure<T>(message: &str) -> Result<T, DerError> {
    Err(DerError::Structure(message.into()))
}

const INTEGER: u32 = 2;
const SEQUENCE: u32 = 16;

/// The header of an element.
#[derive(Debug, PartialEq)]
struct Header {
    class: u8,
    tag: u32,
    length: usize,
    is_compound: bool,
}

/// Elements in sequence.
pub(super) struct Elements<'b> {
    bytes: &'b [u8],
    at: usize,
    /// Whether more bytes follow the enclosing sequence.
    is_followed: bool,
}

impl<'b> Elements<'b> {
    /// The elements of the sequence at the start of the bytes. `kind` is its name in the messages of the reference.
    pub(super) fn from_sequence(bytes: &'b [u8], kind: &str) -> Result<Elements<'b>, DerError> {
        let mut outside = Elements { bytes, at: 0, is_followed: false };
        let inside = outside.element(SEQUENCE, true, kind)?;
        Ok(Elements { bytes: inside, at: 0, is_followed: !outside.is_at_end() })
    }

    /// Rejects bytes after the sequence. The reference checks this last.
    pub(super) fn expect_end(&self) -> Result<(), DerError> {
        if self.is_followed { Err(DerError::Syntax("trailing data")) } else { Ok(()) }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// The bytes of the next integer, of any size.
    pub(super) fn integer(&mut self) -> Result<&'b [u8], DerError> {
        self.number("")
    }

    /// The bytes of the next integer, if the next element is one.
    pub(super) fn optional_integer(&mut self) -> Result<Option<&'b [u8]>, DerError> {
        let before = self.at;
        if self.is_at_end() {
            return Ok(None);
        }
        let header = self.header()?;
        self.at = before;
        if header.class == 0 && header.tag == INTEGER && !header.is_compound {
            self.integer().map(Some)
        } else {
            Ok(None)
        }
    }

    /// The next integer, as an `i64`.
    pub(super) fn small(&mut self) -> Result<i64, DerError> {
        let bytes = self.number("int")?;
        if bytes.len() > 8 {
            return structure("integer too large");
        }
        let sign = if is_negative(bytes) { -1 } else { 0 };
        Ok(bytes.iter().fold(sign, |number, byte| number << 8 | i64::from(*byte)))
    }

    fn number(&mut self, kind: &str) -> Result<&'b [u8], DerError> {
        match self.element(INTEGER, false, kind)? {
            [] => structure("empty integer"),
            [0, next, ..] if next & 0x80 == 0 => structure("integer not minimally-encoded"),
            [0xff, next, ..] if next & 0x80 != 0 => structure("integer not minimally-encoded"),
            bytes => Ok(bytes),
        }
    }

    fn element(&mut self, tag: u32, is_compound: bool, kind: &str) -> Result<&'b [u8], DerError> {
        if self.is_at_end() {
            return Err(DerError::Syntax("sequence truncated"));
        }
        let header = self.header()?;
        if header.class != 0 || header.tag != tag || header.is_compound != is_compound {
            // The reference prints its own structures here.
            let Header { class, tag: found, length, is_compound } = header;
            return structure(&format!(
                "tags don't match ({tag} vs {{class:{class} tag:{found} length:{length} isCompound:{is_compound}}}) \
                 {{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> \
                 stringType:0 timeType:0 set:false omitEmpty:false}} {kind} @{}",
                self.at
            ));
        }
        let Some(content) = self.bytes[self.at..].get(..header.length) else {
            return Err(DerError::Syntax("data truncated"));
        };
        self.at += header.length;
        Ok(content)
    }

    fn byte(&mut self) -> Result<u8, DerError> {
        let byte = self.bytes.get(self.at).ok_or(DerError::Syntax("truncated tag or length"))?;
        self.at += 1;
        Ok(*byte)
    }

    fn header(&mut self) -> Result<Header, DerError> {
        let first = self.byte()?;
        let tag = match u32::from(first & 0x1f) {
            0x1f => self.long_tag()?,
            tag => tag,
        };
        let length = self.length()?;
        Ok(Header { class: first >> 6, tag, length, is_compound: first & 0x20 != 0 })
    }

    /// A tag that does not fit into the first byte: seven bits in each of the following.
    fn long_tag(&mut self) -> Result<u32, DerError> {
        let mut tag = 0u64;
        for count in 0..5 {
            let byte = self.byte().map_err(|_| DerError::Syntax("truncated base 128 integer"))?;
            if count == 0 && byte == 0x80 {
                return Err(DerError::Syntax("integer is not minimally encoded"));
            }
            tag = tag << 7 | u64::from(byte & 0x7f);
            if byte & 0x80 != 0 {
                continue;
            }
            return match u32::try_from(tag) {
                Ok(tag) if tag > i32::MAX.unsigned_abs() => structure("base 128 integer too large"),
                Ok(tag) if tag < 0x1f => Err(DerError::Syntax("non-minimal tag")),
                Ok(tag) => Ok(tag),
                Err(_) => structure("base 128 integer too large"),
            };
        }
        if self.is_at_end() {
            Err(DerError::Syntax("truncated base 128 integer"))
        } else {
            structure("base 128 integer too large")
        }
    }

    fn length(&mut self) -> Result<usize, DerError> {
        let first = self.byte()?;
        if first & 0x80 == 0 {
            return Ok(usize::from(first));
        }
        if first == 0x80 {
            return Err(DerError::Syntax("indefinite length found (not DER)"));
        }
        let mut length = 0;
        for _ in 0..first & 0x7f {
            let byte = self.byte()?;
            if length >= 1 << 23 {
                return structure("length too large");
            }
            length = length << 8 | usize::from(byte);
            if length == 0 {
                return structure("superfluous leading zeros in length");
            }
        }
        if length < 0x80 { structure("non-minimal length") } else { Ok(length) }
    }
}

/// Returns whether these bytes encode a negative integer.
pub(super) fn is_negative(number: &[u8]) -> bool {
    number.first().is_some_and(|byte| byte & 0x80 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(bytes: &[u8]) -> Result<i64, String> {
        let message = |error: DerError| error.to_string();
        let mut elements = Elements::from_sequence(bytes, "thing").map_err(message)?;
        let sum = elements.small().map_err(message)? + elements.small().map_err(message)?;
        elements.expect_end().map(|()| sum).map_err(message)
    }

    #[test]
    fn integers_are_decoded() {
        assert_eq!(sum(&[0x30, 7, 2, 2, 1, 0, 2, 1, 0xff]), Ok(255));
    }

    #[test]
    fn faults_are_those_of_the_reference() {
        let cases: [(&[u8], &str); 10] = [
            (&[], "asn1: syntax error: sequence truncated"),
            (&[0x30], "asn1: syntax error: truncated tag or length"),
            (&[0x30, 0x80], "asn1: syntax error: indefinite length found (not DER)"),
            (&[0x30, 0x81, 1, 0], "asn1: structure error: non-minimal length"),
            (&[0x30, 5, 2], "asn1: syntax error: data truncated"),
            (&[0x30, 6, 2, 1, 1, 2, 1, 1, 0], "asn1: syntax error: trailing data"),
            (&[0x30, 3, 2, 1, 1], "asn1: syntax error: sequence truncated"),
            (&[0x30, 2, 2, 0], "asn1: structure error: empty integer"),
            (&[0x30, 4, 2, 2, 0, 1], "asn1: structure error: integer not minimally-encoded"),
            (&[0x3f, 1, 0], "asn1: syntax error: non-minimal tag"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(sum(bytes), Err(expected.to_owned()), "{bytes:x?}");
        }
    }
}
