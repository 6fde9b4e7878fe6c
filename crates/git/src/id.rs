//! [`Id`]: the id of an object: the hash of its content.

use std::fmt;

/// The length of an id in bytes: SHA-1.
pub(crate) const LENGTH: usize = 20;

/// The name of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Id([u8; LENGTH]);

impl Id {
    /// A name of this many bytes.
    pub(crate) fn new(bytes: [u8; LENGTH]) -> Id {
        Id(bytes)
    }

    /// The name at the beginning of some bytes, if there are enough.
    pub(crate) fn at_start(bytes: &[u8]) -> Option<Id> {
        bytes.first_chunk().copied().map(Id)
    }

    /// The name with exactly this many digits.
    pub(crate) fn from_hex(digits: &[u8]) -> Option<Id> {
        if digits.len() != 2 * LENGTH {
            return None;
        }
        let mut id = [0; LENGTH];
        for (byte, pair) in id.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Id(id))
    }

    /// The bytes of the name.
    pub(crate) fn bytes(&self) -> &[u8; LENGTH] {
        &self.0
    }

    /// Returns whether the id begins with these hexadecimal digits.
    pub(crate) fn begins_with(&self, digits: &[u8]) -> bool {
        let own = |at: usize| self.0.get(at / 2).map(|byte| if at.is_multiple_of(2) { byte >> 4 } else { byte & 15 });
        digits.iter().enumerate().all(|(at, expected)| own(at).is_some() && own(at) == digit(*expected))
    }

    /// The first twelve digits.
    pub(crate) fn short(&self) -> String {
        self.0[..6].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The value of a hexadecimal digit.
pub(crate) fn digit(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

impl fmt::Display for Id {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let text = "0123456789abcdef0123456789abcdef01234567";
        let id = Id::from_hex(text.as_bytes()).unwrap();
        assert_eq!((id.to_string(), id.short()), (text.to_owned(), text[..12].to_owned()));
        for (start, begins) in [("", true), ("012", true), ("0123", true), ("013", false), (text, true)] {
            assert_eq!(id.begins_with(start.as_bytes()), begins, "{start}");
        }
        assert!(!id.begins_with(format!("{text}0").as_bytes()));
        assert!(Id::from_hex(b"0123").is_none() && Id::from_hex("é".repeat(20).as_bytes()).is_none());
    }
}
