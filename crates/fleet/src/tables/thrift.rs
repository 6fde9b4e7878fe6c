//! A parser for the metadata of Parquet files, limited to the numbers that decide about the reader's memory use, in
//! Thrift's compact protocol.
//!
//! The reader trusts the file: it allocates a dictionary of a billion values before the first one is read, and a type
//! with a million levels causes a million nested calls. Both are therefore checked before.

/// The maximum nesting of structs and lists. Those of Parquet nest seven deep.
const DEEPEST: usize = 16;

/// The types of the compact protocol. All integers have the same encoding.
mod kinds {
    pub(super) const TRUE: u8 = 1;
    pub(super) const FALSE: u8 = 2;
    pub(super) const BYTE: u8 = 3;
    pub(super) const I16: u8 = 4;
    pub(super) const I64: u8 = 6;
    pub(super) const DOUBLE: u8 = 7;
    pub(super) const BINARY: u8 = 8;
    pub(super) const LIST: u8 = 9;
    pub(super) const SET: u8 = 10;
    pub(super) const MAP: u8 = 11;
    pub(super) const STRUCT: u8 = 12;
    pub(super) const UUID: u8 = 13;
}

/// An event of the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// An integer.
    Number(i64),
    /// The end of a struct.
    End,
}

/// Calls back for the content of a struct, with the numbers of the fields that lead to it; the elements of lists have
/// the number 0. `None` if the bytes are not a struct, or end in the middle of it.
pub(super) fn parse_struct(bytes: &[u8], found: &mut Callback<'_>) -> Option<()> {
    Reader { rest: bytes }.fields(&mut Vec::new(), found)
}

type Callback<'f> = dyn FnMut(&[i16], Event) + 'f;

struct Reader<'b> {
    rest: &'b [u8],
}

impl Reader<'_> {
    fn fields(&mut self, path: &mut Vec<i16>, found: &mut Callback<'_>) -> Option<()> {
        let mut field: i16 = 0;
        loop {
            let head = self.byte()?;
            let kind = head & 0x0f;
            if kind == 0 {
                found(path, Event::End);
                return Some(());
            }
            field = match head >> 4 {
                0 => i16::try_from(self.zigzag()?).ok()?,
                step => field.checked_add(step.into())?,
            };
            path.push(field);
            self.value(kind, path, found, false)?;
            path.pop();
        }
    }

    fn value(&mut self, kind: u8, path: &mut Vec<i16>, found: &mut Callback<'_>, is_element: bool) -> Option<()> {
        if path.len() > DEEPEST {
            return None;
        }
        match kind {
            // A truth is its own type in a field, and a byte in a list.
            kinds::TRUE | kinds::FALSE if !is_element => {}
            kinds::TRUE | kinds::FALSE | kinds::BYTE => self.skip(1)?,
            kinds::I16..=kinds::I64 => {
                let number = self.zigzag()?;
                found(path, Event::Number(number));
            }
            kinds::DOUBLE => self.skip(8)?,
            kinds::UUID => self.skip(16)?,
            kinds::BINARY => {
                let length = usize::try_from(self.varint()?).ok()?;
                self.skip(length)?;
            }
            kinds::LIST | kinds::SET => {
                let head = self.byte()?;
                let length = match head >> 4 {
                    15 => self.varint()?,
                    short => short.into(),
                };
                path.push(0);
                for _ in 0..length {
                    self.value(head & 0x0f, path, found, true)?;
                }
                path.pop();
            }
            kinds::MAP => {
                let length = self.varint()?;
                let both = if length > 0 { self.byte()? } else { 0 };
                path.push(0);
                for _ in 0..length {
                    self.value(both >> 4, path, found, true)?;
                    self.value(both & 0x0f, path, found, true)?;
                }
                path.pop();
            }
            kinds::STRUCT => self.fields(path, found)?,
            _ => return None,
        }
        Some(())
    }

    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*byte)
    }

    fn skip(&mut self, count: usize) -> Option<()> {
        self.rest = self.rest.get(count..)?;
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn zigzag(&mut self) -> Option<i64> {
        let number = self.varint()?;
        // Half of an unsigned 64-bit number always fits.
        i64::try_from(number >> 1).ok().map(|half| if number & 1 == 0 { half } else { !half })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(bytes: &[u8]) -> Option<Vec<(Vec<i16>, i64)>> {
        let mut numbers = Vec::new();
        let mut found = |path: &[i16], field| {
            if let Event::Number(number) = field {
                numbers.push((path.to_vec(), number));
            }
        };
        parse_struct(bytes, &mut found)?;
        Some(numbers)
    }

    #[test]
    fn numbers_are_found_where_they_stand() {
        // The head of a page: its type, its sizes, and a dictionary of five values.
        let page = [0x15, 4, 0x15, 0x3c, 0x15, 0x38, 0x4c, 0x15, 0x0a, 0x15, 0, 0x12, 0, 0];
        let found = [(vec![1], 2), (vec![2], 30), (vec![3], 28), (vec![7, 1], 5), (vec![7, 2], 0)];
        assert_eq!(numbers(&page), Some(found.into()));
        // A field with an explicit number, a list of numbers, and a string.
        assert_eq!(
            numbers(&[0x05, 0x28, 3, 0x19, 0x25, 2, 4, 0x18, 1, b'x', 0]),
            Some(vec![(vec![20], -2), (vec![21, 0], 1), (vec![21, 0], 2),])
        );
    }

    #[test]
    fn malformed_structs_are_errors() {
        let long = [0x19, 0xf8, 0xff, 0xff, 0xff, 0xff, 0x0f];
        let deep = [0x1c; 64];
        for bytes in [&[][..], &[0x15], &[0x15, 0x80], &[0x18, 9, 0], &[0x1f, 0], &long, &deep] {
            assert_eq!(numbers(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn lists_of_empty_structures_end() {
        // A list of 2^31 truths takes as many bytes.
        assert_eq!(numbers(&[0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07, 0, 0]), None);
    }
}
