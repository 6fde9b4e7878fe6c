//! Parses JSON like Go's `encoding/json`, with its messages.
//!
//! Only the first value is parsed. The rest of the input is ignored, as by a Go decoder.
//!
//! Source of the rules: <https://pkg.go.dev/encoding/json#Decoder.Decode>.

/// The maximum nesting depth of arrays and objects.
const MAX_DEPTH: usize = 512;

/// A JSON value. Numbers are stored as text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum JsonNode {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    Array(Vec<JsonNode>),
    /// Members in the order of the source, including duplicates.
    Object(Vec<(String, JsonNode)>),
}

/// Parses the first value of the source.
pub(super) fn parse(source: &[u8]) -> Result<JsonNode, String> {
    let mut reader = JsonParser { source, at: 0, depth: 0 };
    reader.blanks();
    if reader.peek().is_none() {
        return Err("EOF".to_owned());
    }
    let node = reader.value()?;
    // A number ends before any other character, or at the end of the source.
    Ok(node)
}

struct JsonParser<'a> {
    source: &'a [u8],
    at: usize,
    depth: usize,
}

impl JsonParser<'_> {
    fn peek(&self) -> Option<u8> {
        self.source.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// The error about the next character, or about the end of the input.
    fn unexpected<T>(&self, context: &str) -> Result<T, String> {
        match self.peek() {
            None => Err("unexpected EOF".to_owned()),
            Some(byte) => Err(format!("invalid character {} {context}", quoted(byte))),
        }
    }

    fn value(&mut self) -> Result<JsonNode, String> {
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => Ok(JsonNode::Text(self.text()?)),
            Some(b't') => self.literal("true", JsonNode::Bool(true)),
            Some(b'f') => self.literal("false", JsonNode::Bool(false)),
            Some(b'n') => self.literal("null", JsonNode::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.unexpected("looking for beginning of value"),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<JsonNode, String>) -> Result<JsonNode, String> {
        if self.depth == MAX_DEPTH {
            return self.unexpected("exceeded max depth");
        }
        self.depth += 1;
        self.at += 1;
        self.blanks();
        let node = read(self)?;
        self.depth -= 1;
        Ok(node)
    }

    fn object(&mut self) -> Result<JsonNode, String> {
        let mut members = Vec::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(JsonNode::Object(members));
        }
        loop {
            if self.peek() != Some(b'"') {
                return self.unexpected("looking for beginning of object key string");
            }
            let name = self.text()?;
            self.blanks();
            if self.peek() != Some(b':') {
                return self.unexpected("after object key");
            }
            self.at += 1;
            self.blanks();
            members.push((name, self.value()?));
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(JsonNode::Object(members));
                }
                _ => return self.unexpected("after object key:value pair"),
            }
            self.blanks();
        }
    }

    fn array(&mut self) -> Result<JsonNode, String> {
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(JsonNode::Array(items));
        }
        loop {
            items.push(self.value()?);
            self.blanks();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(JsonNode::Array(items));
                }
                _ => return self.unexpected("after array element"),
            }
            self.blanks();
        }
    }

    fn literal(&mut self, name: &str, node: JsonNode) -> Result<JsonNode, String> {
        for expected in name.bytes() {
            if self.peek() != Some(expected) {
                return self.unexpected(&format!("in literal {name} (expecting {})", quoted(expected)));
            }
            self.at += 1;
        }
        Ok(node)
    }

    fn number(&mut self) -> Result<JsonNode, String> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return self.unexpected("in numeric literal"),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if !matches!(self.peek(), Some(b'0'..=b'9')) {
                return self.unexpected("after decimal point in numeric literal");
            }
            self.digits();
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if !matches!(self.peek(), Some(b'0'..=b'9')) {
                return self.unexpected("in exponent of numeric literal");
            }
            self.digits();
        }
        Ok(JsonNode::Number(String::from_utf8_lossy(&self.source[start..self.at]).into_owned()))
    }

    fn digits(&mut self) {
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
    }

    fn text(&mut self) -> Result<String, String> {
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(String::from_utf8(bytes)
                        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()));
                }
                Some(b'\\') => {
                    self.at += 1;
                    self.escape(&mut bytes)?;
                }
                None | Some(0x00..0x20) => return self.unexpected("in string literal"),
                Some(byte) => {
                    bytes.push(byte);
                    self.at += 1;
                }
            }
        }
    }

    fn escape(&mut self, bytes: &mut Vec<u8>) -> Result<(), String> {
        let byte = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'b') => 0x08,
            Some(b'f') => 0x0c,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                self.at += 1;
                let mut code = u32::from(self.hexadecimal()?);
                if (0xd800..0xdc00).contains(&code) {
                    code = self.low_half(code)?.unwrap_or(code);
                }
                let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return self.unexpected("in string escape code"),
        };
        bytes.push(byte);
        self.at += 1;
        Ok(())
    }

    /// Reads the low half of a surrogate pair and returns the character. `None` if no low half follows; then nothing is
    /// consumed.
    fn low_half(&mut self, high: u32) -> Result<Option<u32>, String> {
        if !self.source[self.at..].starts_with(b"\\u") {
            return Ok(None);
        }
        let before = self.at;
        self.at += 2;
        let low = u32::from(self.hexadecimal()?);
        if (0xdc00..0xe000).contains(&low) {
            return Ok(Some(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)));
        }
        self.at = before;
        Ok(None)
    }

    fn hexadecimal(&mut self) -> Result<u16, String> {
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(16)) else {
                return self.unexpected("in \\u hexadecimal character escape");
            };
            code = code * 16 + digit as u16;
            self.at += 1;
        }
        Ok(code)
    }
}

/// Quotes a byte for messages, as the character with that code.
fn quoted(byte: u8) -> String {
    match byte {
        b'\'' => "'\\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        b'\\' => "'\\\\'".to_owned(),
        0x07 => "'\\a'".to_owned(),
        0x08 => "'\\b'".to_owned(),
        0x0c => "'\\f'".to_owned(),
        b'\n' => "'\\n'".to_owned(),
        b'\r' => "'\\r'".to_owned(),
        b'\t' => "'\\t'".to_owned(),
        0x0b => "'\\v'".to_owned(),
        0x00..0x20 | 0x7f => format!("'\\x{byte:02x}'"),
        // The controls above ASCII, the no-break space and the soft hyphen are escaped.
        0x80..=0xa0 | 0xad => format!("'\\u{byte:04x}'"),
        _ => format!("'{}'", char::from(byte)),
    }
}
