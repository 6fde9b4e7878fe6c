//! A reader of characters that can return one character.

use unicode_general_category::{GeneralCategory, get_general_category};

use crate::error::Error;
use crate::token::Place;

/// The character that marks the end.
pub(crate) const END: char = '\0';

/// The reader of a source.
pub(crate) struct Text<'t> {
    pub(crate) bytes: &'t [u8],
    /// The next byte, the line, and the number of characters of the line that are read.
    at: Place,
    /// The beginnings of the last character and of its token.
    before: Place,
    start: Place,
    is_json: bool,
}

impl<'t> Text<'t> {
    pub(crate) fn new(bytes: &'t [u8], is_json: bool) -> Self {
        let first = Place { offset: 0, line: 1, column: 1 };
        Text { bytes, at: first, before: first, start: first, is_json }
    }

    /// The next character, or [`END`]. In JSON, a null character is an end, too.
    pub(crate) fn next(&mut self) -> Result<char, Error> {
        self.before = self.at;
        let Some((letter, length)) = decode(self.bytes, self.at.offset) else { return Ok(END) };
        let Some(letter) = letter else {
            return Err(Error::new("illegal UTF-8 encoding", self.at, 1).with_help("save the file as UTF-8"));
        };
        self.at.offset += length;
        if letter == '\n' {
            self.at.line += 1;
            self.at.column = 1;
        } else {
            self.at.column += 1;
        }
        match letter {
            _ if self.is_json => Ok(letter),
            END => self.fail("unexpected null character (0x00)"),
            '\u{e123}' => self.fail("unicode code point U+E123 reserved for internal use"),
            _ => Ok(letter),
        }
    }

    /// Gives the last character back.
    pub(crate) fn back(&mut self) {
        self.at = self.before;
    }

    /// The next character, which stays.
    pub(crate) fn peek(&self) -> char {
        // An invalid byte is reported when it is read.
        decode(self.bytes, self.at.offset).map_or(END, |(letter, _)| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// Begins a token with the last character.
    pub(crate) fn begin(&mut self) {
        self.start = self.before;
    }

    /// Returns the beginning of the token.
    pub(crate) fn start(&self) -> Place {
        self.start
    }

    /// The next byte.
    pub(crate) fn offset(&self) -> usize {
        self.at.offset
    }

    /// An error at the last character.
    pub(crate) fn fail<T>(&self, message: impl Into<String>) -> Result<T, Error> {
        Err(self.error(message))
    }

    /// An error at the last character.
    pub(crate) fn error(&self, message: impl Into<String>) -> Error {
        Error::new(message, self.before, self.at.offset - self.before.offset)
    }

    /// An error of the whole token.
    pub(crate) fn token_error(&self, message: impl Into<String>) -> Error {
        // A string that does not end is shown up to the end of its line.
        let token = self.bytes.get(self.start.offset..self.at.offset).unwrap_or_default();
        let length = token.iter().position(|byte| *byte == b'\n').unwrap_or(token.len());
        Error::new(message, self.start, length.max(1))
    }

    /// Takes the digits after `digit`, which is taken, and returns the character after them, which stays.
    pub(crate) fn mantissa(&mut self, digit: char) -> Result<char, Error> {
        let mut letter = digit;
        let mut is_read = false;
        while letter.is_ascii_digit() {
            letter = self.next()?;
            is_read = true;
        }
        if is_read && letter != END {
            self.back();
        }
        Ok(letter)
    }

    /// Takes the digits after a point, and returns the character after them.
    pub(crate) fn fraction(&mut self) -> Result<char, Error> {
        let digit = self.peek();
        self.mantissa(digit)
    }

    /// Takes what follows `e`. A character that does not belong there is taken all the same, as in the reference.
    pub(crate) fn exponent(&mut self, letter: char) -> Result<(), Error> {
        if letter != 'e' && letter != 'E' {
            return Ok(());
        }
        let mut letter = self.next()?;
        if letter == '-' || letter == '+' {
            letter = self.next()?;
        }
        self.mantissa(letter)?;
        Ok(())
    }

    /// The rest of a number with a point.
    pub(crate) fn fraction_and_exponent(&mut self) -> Result<(), Error> {
        if matches!(self.fraction()?, 'e' | 'E') {
            let letter = self.next()?;
            self.exponent(letter)?;
        }
        Ok(())
    }
}

/// The character at a byte with its length; no character if the bytes are not UTF-8, and nothing at the end.
fn decode(bytes: &[u8], at: usize) -> Option<(Option<char>, usize)> {
    let rest = bytes.get(at..)?;
    let first = *rest.first()?;
    let length = match first {
        0..0x80 => return Some((Some(char::from(first)), 1)),
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Some((None, 1)),
    };
    // Invalid bytes are an error of the reader.
    let letter = rest.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok()?.chars().next());
    Some((letter, length))
}

/// Whether a name may begin with a character.
pub(crate) fn is_letter(letter: char) -> bool {
    use GeneralCategory::{LowercaseLetter, ModifierLetter, OtherLetter, TitlecaseLetter, UppercaseLetter};
    if letter.is_ascii() {
        return letter.is_ascii_alphabetic() || letter == '_';
    }
    matches!(
        get_general_category(letter),
        LowercaseLetter | ModifierLetter | OtherLetter | TitlecaseLetter | UppercaseLetter
    )
}

/// Whether a character is a digit of any script.
pub(crate) fn is_digit(letter: char) -> bool {
    if letter.is_ascii() {
        return letter.is_ascii_digit();
    }
    get_general_category(letter) == GeneralCategory::DecimalNumber
}

pub(crate) fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\r')
}
