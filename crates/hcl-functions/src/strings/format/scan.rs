//! Splits a format into literals and verbs.

/// A part of a format.
pub(super) enum FormatPart<'f> {
    Text(&'f str),
    Verb(Verb<'f>),
}

/// `%-5.2[3]f` and the like.
#[derive(Clone, Debug)]
pub(super) struct Verb<'f> {
    /// The source of the verb.
    pub raw: &'f str,
    /// Its byte offset in the format.
    pub offset: usize,
    /// The number of the value that it formats, counted from one.
    pub argument: usize,
    pub letter: char,
    pub zero: bool,
    pub sharp: bool,
    pub plus: bool,
    pub minus: bool,
    pub space: bool,
    pub width: Option<usize>,
    pub precision: Option<usize>,
}

/// The parts of a format in order.
pub(super) struct FormatParts<'f> {
    format: &'f str,
    at: usize,
    next_argument: usize,
}

impl<'f> FormatParts<'f> {
    pub fn new(format: &'f str) -> Self {
        Self { format, at: 0, next_argument: 1 }
    }

    fn rest(&self) -> &'f str {
        self.format.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.format.as_bytes().get(self.at).copied()
    }

    /// A number without zeros in front.
    fn whole(&mut self) -> Option<usize> {
        if !self.peek().is_some_and(|byte| (b'1'..=b'9').contains(&byte)) {
            return None;
        }
        Some(self.digits())
    }

    fn digits(&mut self) -> usize {
        let mut number = 0usize;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            number = number.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
            self.at += 1;
        }
        number
    }

    fn unrecognized<T>(&self) -> Result<T, String> {
        match self.rest().chars().next() {
            Some(letter) => {
                Err(format!("unrecognized format character {} at offset {}", quoted_letter(letter), self.at))
            }
            None => Err(format!("invalid format string starting at offset {}", self.at)),
        }
    }

    /// Parses a verb, from after its percent sign.
    fn verb(&mut self, offset: usize) -> Result<Verb<'f>, String> {
        let mut verb = Verb {
            raw: "",
            offset,
            argument: self.next_argument,
            letter: ' ',
            zero: false,
            sharp: false,
            plus: false,
            minus: false,
            space: false,
            width: None,
            precision: None,
        };
        while let Some(byte) = self.peek() {
            match byte {
                b'0' => verb.zero = true,
                b'#' => verb.sharp = true,
                b'-' => verb.minus = true,
                b'+' => verb.plus = true,
                b' ' => verb.space = true,
                _ => break,
            }
            self.at += 1;
        }
        verb.width = self.whole();
        if self.peek() == Some(b'.') {
            self.at += 1;
            verb.precision = Some(self.digits());
        }
        if self.peek() == Some(b'[') {
            self.at += 1;
            let Some(number) = self.whole() else { return self.unrecognized() };
            if self.peek() != Some(b']') {
                return self.unrecognized();
            }
            self.at += 1;
            verb.argument = number;
        }
        let Some(letter) = self.peek().filter(u8::is_ascii_alphabetic) else { return self.unrecognized() };
        self.at += 1;
        verb.letter = char::from(letter);
        verb.raw = self.format.get(offset..self.at).unwrap_or_default();
        self.next_argument = verb.argument.saturating_add(1);
        Ok(verb)
    }
}

impl<'f> Iterator for FormatParts<'f> {
    type Item = Result<FormatPart<'f>, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        let text = rest.split_once('%').map_or(rest, |(text, _)| text);
        if !text.is_empty() {
            self.at += text.len();
            return Some(Ok(FormatPart::Text(text)));
        }
        if rest.starts_with("%%") {
            self.at += 2;
            return Some(Ok(FormatPart::Text("%")));
        }
        let offset = self.at;
        self.at += 1;
        Some(self.verb(offset).map(FormatPart::Verb))
    }
}

/// A byte in single quotes, as the character with its number.
pub(crate) fn quoted_byte(byte: u8) -> String {
    quoted_letter(char::from(byte))
}

/// A character in single quotes, as messages have it.
pub(super) fn quoted_letter(letter: char) -> String {
    match letter {
        '\'' => "'\\''".into(),
        '"' => "'\"'".into(),
        letter => {
            let quoted = hieratic_hcl_types::quoted(&letter.to_string());
            format!("'{}'", quoted.trim_matches('"'))
        }
    }
}
