//! Reads XML: <https://www.w3.org/TR/xml/>. Document types with declarations are refused.

use hieratic_jinja::extend::objects::{Dict, Entries, List};
use hieratic_jinja::extend::python::methods;
use hieratic_jinja::extend::{Error, Result, Value, work};

use super::failed;

/// The deepest that elements may nest.
const MAX_DEPTH: usize = 150;

/// An element that is open.
struct Element {
    name: String,
    /// Its attributes and children.
    parts: Entries,
    /// The values of children with the same name.
    lists: std::collections::HashMap<String, Vec<Value>>,
    text: String,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

fn invalid(reason: &str) -> Error {
    failed("from_xml", &format!("Input Xml is not valid: {reason}"))
}

/// Reads a document as a dictionary with its root.
pub fn read(text: &str) -> Result<Value> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(letter) = text.chars().find(|letter| !is_letter(*letter)) {
        return Err(invalid(&format!("it contains the character {letter:?}")));
    }
    let mut reader = Reader { text, at: 0 };
    if text.starts_with("<?xml") && text.get(5..).is_some_and(|rest| rest.starts_with(is_space)) {
        reader.declaration()?;
    }
    let mut has_type = false;
    loop {
        reader.skip_space();
        if reader.skip_misc()? {
            continue;
        }
        if !has_type && reader.takes("<!DOCTYPE") {
            reader.document_type()?;
            has_type = true;
            continue;
        }
        break;
    }
    let root = reader.root()?;
    loop {
        reader.skip_space();
        if !reader.skip_misc()? {
            break;
        }
    }
    if reader.at < text.len() {
        return Err(invalid("there is text after its root"));
    }
    Ok(root)
}

/// Returns whether XML may contain a character.
fn is_letter(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\r')
}

fn starts_name(letter: char) -> bool {
    matches!(letter, ':' | '_' | 'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}'
        | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}'
        | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}')
}

fn continues_name(letter: char) -> bool {
    starts_name(letter)
        || matches!(letter, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn takes(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        if self.takes(word) { Ok(()) } else { Err(invalid(&format!("expected {word} at byte {}", self.at))) }
    }

    /// Skips whitespace. Returns whether there was any.
    fn skip_space(&mut self) -> bool {
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches(is_space).len();
        self.at += length;
        length > 0
    }

    /// Returns the text before a word, and skips both.
    fn until(&mut self, word: &str, subject: &str) -> Result<&'t str> {
        let rest = self.rest();
        let end = rest.find(word).ok_or_else(|| invalid(&format!("{subject} does not end")))?;
        work::scan(end)?;
        self.at += end + word.len();
        Ok(rest.get(..end).unwrap_or_default())
    }

    fn name(&mut self) -> Result<&'t str> {
        let rest = self.rest();
        if !rest.starts_with(starts_name) {
            return Err(invalid(&format!("expected a name at byte {}", self.at)));
        }
        let end = rest.find(|letter| !continues_name(letter)).unwrap_or(rest.len());
        self.at += end;
        Ok(rest.get(..end).unwrap_or_default())
    }

    /// Reads `<?xml version="1.0" encoding="..." standalone="..."?>`. Its encoding has no effect: the text is decoded.
    fn declaration(&mut self) -> Result<()> {
        self.expect("<?xml")?;
        let mut names = vec!["version", "encoding", "standalone"].into_iter();
        let mut is_first = true;
        loop {
            let has_space = self.skip_space();
            if self.takes("?>") && !is_first {
                return Ok(());
            }
            let name = self.name()?;
            if !has_space || !names.any(|known| known == name) || (is_first && name != "version") {
                return Err(invalid("its declaration is not well-formed"));
            }
            is_first = false;
            self.skip_space();
            self.expect("=")?;
            self.skip_space();
            let value = self.literal()?;
            let is_known = match name {
                "version" => value
                    .strip_prefix("1.")
                    .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit())),
                "standalone" => matches!(value, "yes" | "no"),
                _ => {
                    let mut letters = value.chars();
                    letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
                        && letters.all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-'))
                }
            };
            if !is_known {
                return Err(invalid("its declaration is not well-formed"));
            }
        }
    }

    fn literal(&mut self) -> Result<&'t str> {
        let quote = if self.takes("\"") {
            "\""
        } else {
            self.expect("'")?;
            "'"
        };
        self.until(quote, "a string")
    }

    /// Reads a document type without declarations.
    fn document_type(&mut self) -> Result<()> {
        let refused = || Err(invalid("a document type with declarations or a file is not supported"));
        if !self.skip_space() {
            return refused();
        }
        self.name()?;
        self.skip_space();
        if self.takes(">") { Ok(()) } else { refused() }
    }

    /// Skips a comment or an instruction. Returns whether there was one.
    fn skip_misc(&mut self) -> Result<bool> {
        if self.takes("<!--") {
            let comment = self.until("-->", "a comment")?;
            if comment.contains("--") || comment.ends_with('-') {
                return Err(invalid("a comment contains --"));
            }
            return Ok(true);
        }
        if !self.takes("<?") {
            return Ok(false);
        }
        let name = self.name()?;
        if name.eq_ignore_ascii_case("xml") {
            return Err(invalid("its declaration is not at its start"));
        }
        if !self.takes("?>") {
            if !self.skip_space() {
                return Err(invalid("an instruction is not well-formed"));
            }
            self.until("?>", "an instruction")?;
        }
        Ok(true)
    }

    fn root(&mut self) -> Result<Value> {
        let document =
            Element { name: String::new(), parts: Entries::new(), lists: Default::default(), text: String::new() };
        let mut open = vec![document];
        self.expect("<")?;
        self.start_tag(&mut open)?;
        while open.len() > 1 {
            work::steps(1)?;
            let rest = self.rest();
            let end = rest.find(['<', '&']).ok_or_else(|| invalid("an element does not end"))?;
            let text = rest.get(..end).unwrap_or_default();
            self.at += end;
            if text.contains("]]>") {
                return Err(invalid("a string contains ]]>"));
            }
            let Some(element) = open.last_mut() else { break };
            add_text(element, &with_line_ends(text))?;
            if self.takes("&") {
                let letter = self.reference()?;
                add_text(element, letter.encode_utf8(&mut [0; 4]))?;
            } else if self.takes("<![CDATA[") {
                let text = self.until("]]>", "a section")?;
                add_text(element, &with_line_ends(text))?;
            } else if self.takes("</") {
                let name = self.name()?;
                self.skip_space();
                self.expect(">")?;
                if element.name != name {
                    return Err(invalid(&format!("the tag of {} ends that of {name}", element.name)));
                }
                close(&mut open)?;
            } else if !self.skip_misc()? {
                self.expect("<")?;
                self.start_tag(&mut open)?;
            }
        }
        // The document is left, which has the root alone.
        Ok(open.pop().map_or_else(|| Value::from(()), |document| Dict::value(document.parts)))
    }

    fn start_tag(&mut self, open: &mut Vec<Element>) -> Result<()> {
        let name = self.name()?.to_owned();
        work::bytes(name.len())?;
        let mut parts = Entries::new();
        loop {
            let has_space = self.skip_space();
            let is_empty = self.takes("/>");
            if is_empty || self.takes(">") {
                if open.len() > MAX_DEPTH {
                    return Err(invalid("it nests too deeply"));
                }
                open.push(Element { name, parts, lists: Default::default(), text: String::new() });
                return if is_empty { close(open) } else { Ok(()) };
            }
            let attribute = format!("@{}", self.name()?);
            self.skip_space();
            self.expect("=")?;
            self.skip_space();
            let value = self.attribute_value()?;
            work::bytes(attribute.len() + value.len())?;
            if !has_space || parts.insert(Value::from(attribute), Value::from(value)).is_some() {
                return Err(invalid("an attribute is repeated or does not follow whitespace"));
            }
        }
    }

    fn attribute_value(&mut self) -> Result<String> {
        let inner = self.literal()?;
        if inner.contains('<') {
            return Err(invalid("the value of an attribute contains <"));
        }
        // Whitespace is a space, unless it is written as a number.
        let inner = with_line_ends(inner).replace(['\t', '\n'], " ");
        let mut reader = Reader { text: &inner, at: 0 };
        let mut value = String::new();
        while let Some(end) = reader.rest().find('&') {
            value.push_str(reader.rest().get(..end).unwrap_or_default());
            reader.at += end + 1;
            value.push(reader.reference()?);
        }
        value.push_str(reader.rest());
        Ok(value)
    }

    /// Reads a reference after its `&`.
    fn reference(&mut self) -> Result<char> {
        let name = self.until(";", "a reference")?;
        let number = match name.strip_prefix("#x") {
            Some(digits) => Some((digits, 16)),
            None => name.strip_prefix('#').map(|digits| (digits, 10)),
        };
        let letter = match (name, number) {
            (_, Some((digits, base))) if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                // A number that no character has is refused below.
                u32::from_str_radix(digits, base).ok().and_then(char::from_u32).filter(|letter| is_letter(*letter))
            }
            ("amp", _) => Some('&'),
            ("lt", _) => Some('<'),
            ("gt", _) => Some('>'),
            ("quot", _) => Some('"'),
            ("apos", _) => Some('\''),
            _ => None,
        };
        letter.ok_or_else(|| invalid(&format!("it refers to &{name};")))
    }
}

fn with_line_ends(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text.into() }
}

fn add_text(element: &mut Element, text: &str) -> Result<()> {
    work::bytes(text.len())?;
    element.text.push_str(text);
    Ok(())
}

/// Ends the last element, and adds its value to the one that contains it.
fn close(open: &mut Vec<Element>) -> Result<()> {
    let Some(element) = open.pop() else { return Ok(()) };
    let Element { name, mut parts, lists, text } = element;
    for (name, items) in lists {
        parts.insert(Value::from(name), List::value(items));
    }
    let text = text.trim_matches(methods::is_space);
    let text = if text.is_empty() { Value::from(()) } else { Value::from(text) };
    let value = if parts.is_empty() {
        text
    } else {
        if !text.is_none() {
            parts.insert(Value::from("#text"), text);
        }
        Dict::value(parts)
    };
    let Some(outer) = open.last_mut() else { return Ok(()) };
    let key = Value::from(name.as_str());
    if let Some(items) = outer.lists.get_mut(&name) {
        items.push(value);
    } else if let Some(first) = outer.parts.get(&key) {
        // The list has the place of the first one.
        outer.lists.insert(name, vec![first.clone(), value]);
    } else {
        outer.parts.insert(key, value);
    }
    Ok(())
}
