//! The encrypted parts of a file, and the decrypted parts of a file in an editor, each with its layout.
//!
//! `eyaml` writes an encrypted value on one line (`ENC[PKCS7,...]`), or as a folded block whose lines are indented. The
//! replacement of a part has the same layout, so that the rest of the file does not change.

use std::ops::Range;

/// The width of the lines of a block, as `eyaml` writes them.
pub(crate) const WIDTH: usize = 60;

/// The layout of a part in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The part is on one line.
    Line,
    /// The part is a block of lines with a fixed width. The first line is not indented.
    Block {
        /// The indentation of all other lines.
        indentation: String,
        /// The number of characters of a line.
        width: usize,
    },
}

impl Layout {
    /// Formats an encrypted value (`ENC[...]` on one line) in this layout.
    ///
    /// ```
    /// use hieratic_crypto::eyaml::Layout;
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

/// An encrypted part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncryptedPart<'t> {
    /// The byte range, from `ENC[` to `]`.
    pub range: Range<usize>,
    /// The name of the encryptor, if the part has one.
    pub encryptor: Option<&'t str>,
    /// The text as written.
    pub text: &'t str,
    /// The layout.
    pub layout: Layout,
}

impl EncryptedPart<'_> {
    /// Returns the start including the indicator of a folded block (`>` and a line break), if there is one before it.
    pub fn block_start(&self, text: &str) -> Option<usize> {
        block_start(text, self.range.start)
    }
}

/// Truncates long encrypted parts of a message.
///
/// ```
/// let message = "cannot decrypt ENC[PKCS7,MIIBeQYJKoZIhvcNAQcDoIIBajCC] of pw";
/// assert_eq!(hieratic_crypto::eyaml::shortened(message), "cannot decrypt ENC[PKCS7,MIIB...] of pw");
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

/// Returns the encrypted parts of a file, in order.
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

/// The layout of an encrypted part: from its lines if it has several, else from the text before it.
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

/// The layout of a value that begins at an offset: a block if a folded block begins with it.
fn layout_before(text: &str, start: usize) -> Layout {
    match block_start(text, start) {
        Some(_) => {
            let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
            Layout::Block { indentation: text[line..start].to_owned(), width: WIDTH }
        }
        None => Layout::Line,
    }
}

/// The offset of the `>` of the folded block that begins with an offset, if there is one.
fn block_start(text: &str, start: usize) -> Option<usize> {
    let before = text[..start].trim_end_matches([' ', '\t']);
    let before = before.strip_suffix('\n')?;
    let before = before.strip_suffix('\r').unwrap_or(before);
    before.ends_with('>').then(|| before.len() - 1)
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// A decrypted part of a file: `DEC::PKCS7[plain]!`, or `DEC(1)::PKCS7[plain]!` if it was encrypted before.
#[derive(Clone, PartialEq, Eq)]
pub struct DecryptedPart<'t> {
    /// The byte range, from `DEC` to `!`.
    pub range: Range<usize>,
    /// The number of the part in the original file.
    pub number: Option<usize>,
    /// The encryptor to use.
    pub encryptor: &'t str,
    /// The plain text.
    pub plain: &'t str,
    /// The layout for the encrypted value.
    pub layout: Layout,
}

impl std::fmt::Debug for DecryptedPart<'_> {
    /// Does not print the plain text.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("DecryptedPart")
            .field("range", &self.range)
            .field("number", &self.number)
            .finish_non_exhaustive()
    }
}

/// Returns the decrypted parts of a file, in order.
///
/// # Errors
///
/// A part is unterminated. The error is its byte offset. It must not be skipped, because its plain text would be
/// written into a file.
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

/// Parses the rest of `DEC`: an optional number in parentheses, `::`, a name and `[`. Returns its length as well.
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
