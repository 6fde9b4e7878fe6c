//! The encrypted parts of a file, and the decrypted ones of a file that is being edited, each with how it lies there.
//!
//! `eyaml` writes an encrypted value on one line (`ENC[PKCS7,...]`), or as a folded block whose lines are indented. What
//! takes the place of a part is laid out as the part was, so that nothing else of the file moves.

use std::ops::Range;

/// How wide the lines of a block are, as `eyaml` writes them.
pub(crate) const WIDTH: usize = 60;

/// How a part lies in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// On one line.
    Line,
    /// On lines of a width, the first of which is in place.
    Block {
        /// What stands before every further line.
        indentation: String,
        /// How many characters a line has.
        width: usize,
    },
}

impl Layout {
    /// An encrypted value (`ENC[...]` on one line) laid out like this.
    ///
    /// ```
    /// use hieratic_eyaml::Layout;
    ///
    /// let block = Layout::Block { indentation: "  ".into(), width: 4 };
    /// assert_eq!(block.lay_out("ENC[AAAA]"), "ENC[\n  AAAA\n  ]");
    /// assert_eq!(Layout::Line.lay_out("ENC[AAAA]"), "ENC[AAAA]");
    /// ```
    pub fn lay_out(&self, encrypted: &str) -> String {
        let Layout::Block { indentation, width } = self else { return encrypted.to_owned() };
        // Encrypted values are ASCII, except where something else was given; then nothing is cut.
        let lines: Option<Vec<&str>> =
            encrypted.as_bytes().chunks((*width).max(1)).map(|line| std::str::from_utf8(line).ok()).collect();
        lines.map_or_else(|| encrypted.to_owned(), |lines| lines.join(&format!("\n{indentation}")))
    }
}

/// An encrypted part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncryptedPart<'t> {
    /// Where it stands, from `ENC[` to `]`.
    pub range: Range<usize>,
    /// What encrypted it, if it says so.
    pub encryptor: Option<&'t str>,
    /// The text as it stands there.
    pub text: &'t str,
    /// How it lies.
    pub layout: Layout,
}

impl EncryptedPart<'_> {
    /// Where it begins with the sign of a folded block (`>` and a line break), if that stands before it.
    pub fn block_start(&self, text: &str) -> Option<usize> {
        block_start(text, self.range.start)
    }
}

/// A text for messages: of long encrypted parts, only the beginning is left.
///
/// ```
/// let message = "cannot decrypt ENC[PKCS7,MIIBeQYJKoZIhvcNAQcDoIIBajCC] of pw";
/// assert_eq!(hieratic_eyaml::shortened(message), "cannot decrypt ENC[PKCS7,MIIB...] of pw");
/// ```
pub fn shortened(text: &str) -> String {
    const SHOWN: usize = 4;
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for part in encrypted_parts(text) {
        let inside = part.range.end - 1;
        let cipher = part.encryptor.map_or("ENC[".len(), |name| "ENC[,".len() + name.len()) + part.range.start;
        let cut = text[cipher..inside].char_indices().nth(SHOWN).map(|(at, _)| cipher + at);
        if let Some(cut) = cut.filter(|cut| inside - cut > "...".len()) {
            out.push_str(&text[from..cut]);
            out.push_str("...");
            from = inside;
        }
    }
    out.push_str(&text[from..]);
    out
}

/// The encrypted parts of a text, in order.
pub fn encrypted_parts(text: &str) -> Vec<EncryptedPart<'_>> {
    let mut parts = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find("ENC[").map(|at| from + at) {
        from = start + 4;
        let Some(length) = text[from..].find(']') else { break };
        let inside = &text[from..from + length];
        let (encryptor, cipher) = match inside.split_once(',') {
            Some((name, cipher)) if is_word(name) => (Some(name), cipher),
            Some(_) => continue,
            None => (None, inside),
        };
        let is_base64 = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=') || b.is_ascii_whitespace();
        if cipher.trim().is_empty() || !cipher.bytes().all(is_base64) {
            continue;
        }
        let range = start..from + length + 1;
        from = range.end;
        let text_of_part = &text[range.clone()];
        parts.push(EncryptedPart { layout: layout(text, &range), text: text_of_part, encryptor, range });
    }
    parts
}

/// How an encrypted part lies: by its lines if it has several, else by what stands before it.
fn layout(text: &str, range: &Range<usize>) -> Layout {
    let part = &text[range.clone()];
    match part.split_once('\n') {
        Some((first, rest)) => {
            let next = rest.trim_start_matches([' ', '\t']);
            let indentation = rest[..rest.len() - next.len()].to_owned();
            Layout::Block { indentation, width: first.trim_end().len() }
        }
        None => layout_before(text, range.start),
    }
}

/// How a value that begins at a place is to lie: as a block if a folded block begins with it.
fn layout_before(text: &str, start: usize) -> Layout {
    match block_start(text, start) {
        Some(_) => {
            let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
            Layout::Block { indentation: text[line..start].to_owned(), width: WIDTH }
        }
        None => Layout::Line,
    }
}

/// Where the `>` of the folded block is that begins with a place; none if there is no such block.
fn block_start(text: &str, start: usize) -> Option<usize> {
    let before = text[..start].trim_end_matches([' ', '\t']);
    let before = before.strip_suffix('\n')?;
    let before = before.strip_suffix('\r').unwrap_or(before);
    before.ends_with('>').then(|| before.len() - 1)
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// A decrypted part of a text: `DEC::PKCS7[plain]!`, or `DEC(1)::PKCS7[plain]!` if it was encrypted before.
#[derive(Clone, PartialEq, Eq)]
pub struct DecryptedPart<'t> {
    /// Where it stands, from `DEC` to `!`.
    pub range: Range<usize>,
    /// Its number.
    pub number: Option<usize>,
    /// What is to encrypt it.
    pub encryptor: &'t str,
    /// The plain text.
    pub plain: &'t str,
    /// How it is to lie when it is encrypted.
    pub layout: Layout,
}

impl std::fmt::Debug for DecryptedPart<'_> {
    /// Says nothing of the plain text.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("DecryptedPart")
            .field("range", &self.range)
            .field("number", &self.number)
            .finish_non_exhaustive()
    }
}

/// The decrypted parts of a text, in order.
///
/// # Errors
///
/// A part that does not end: where it begins. Were it passed over, its plain text would be written into a file.
pub fn decrypted_parts(text: &str) -> Result<Vec<DecryptedPart<'_>>, usize> {
    let mut parts = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find("DEC").map(|at| from + at) {
        from = start + 3;
        let Some((number, encryptor, inside)) = head(&text[from..]) else { continue };
        let plain = from + inside;
        let length = text[plain..].find("]!").ok_or(start)?;
        let range = start..plain + length + 2;
        from = range.end;
        let layout = layout_before(text, start);
        parts.push(DecryptedPart { number, encryptor, plain: &text[plain..plain + length], layout, range });
    }
    Ok(parts)
}

/// What follows `DEC`: a number in parentheses, `::`, a name and `[`; and how long that is.
fn head(text: &str) -> Option<(Option<usize>, &str, usize)> {
    let (number, rest) = match text.strip_prefix('(') {
        Some(rest) => {
            let (digits, rest) = rest.split_once(')')?;
            let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            // A number that no part can have is still one.
            (is_number.then(|| digits.parse().unwrap_or(usize::MAX)).map(Some)?, rest)
        }
        None => (None, text),
    };
    let rest = rest.strip_prefix("::")?;
    let (encryptor, _) = rest.split_once('[').filter(|(name, _)| is_word(name))?;
    Some((number, encryptor, text.len() - rest.len() + encryptor.len() + 1))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parts_are_found_with_their_layout() {
        let text = "a: ENC[PKCS7,AAAA]\nb: >\n    ENC[PKCS7,AA\n    BB]\nc: >\n  ENC[CC]\nd: ENC[x y,AA] ENC[]\n";
        let parts = encrypted_parts(text);
        let block = |indentation: &str, width| Layout::Block { indentation: indentation.into(), width };
        let layouts: Vec<_> = parts.iter().map(|part| (part.encryptor, part.layout.clone())).collect();
        assert_eq!(
            layouts,
            [(Some("PKCS7"), Layout::Line), (Some("PKCS7"), block("    ", 12)), (None, block("  ", WIDTH))]
        );
        assert_eq!(parts[1].block_start(text), text.find('>'));
        assert_eq!(parts[0].block_start(text), None);
    }

    #[test]
    fn decrypted_parts_are_found_with_their_numbers() {
        let text = "a: DEC(1)::PKCS7[x]y]!\nb: >\n  DEC::PKCS7[]!\nc: DECIDE DEC(x)::P[1]!\n";
        let parts = decrypted_parts(text).unwrap();
        let found: Vec<_> = parts.iter().map(|part| (part.number, part.plain)).collect();
        assert_eq!(found, [(Some(1), "x]y"), (None, "")]);
        assert_eq!(parts[1].layout, Layout::Block { indentation: "  ".into(), width: WIDTH });
        assert_eq!(decrypted_parts("a: DEC(1)::PKCS7[x]"), Err(3));
    }

    proptest! {
        #[test]
        fn any_text_has_parts(text in "[ENC\\[\\],>\n A-D(1):!]{0,60}") {
            for part in encrypted_parts(&text) {
                prop_assert_eq!(&text[part.range.clone()], part.text);
                prop_assert!(part.text.starts_with("ENC[") && part.text.ends_with(']'));
            }
            for part in decrypted_parts(&text).unwrap_or_default() {
                prop_assert!(text[part.range].ends_with("]!"));
            }
        }
    }
}
