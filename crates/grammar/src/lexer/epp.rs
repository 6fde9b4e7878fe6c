//! Templates: text between tags with code.
//!
//! See [EPP](https://www.puppet.com/docs/puppet/8/lang_template_epp.html).

use super::token::Kind;
use super::{Lexer, Step};

/// What an open tag is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    /// `<%`: code.
    Code,
    /// `<%=`: an expression whose value becomes text.
    Value,
    /// None is open: text is read.
    Text,
}

impl Lexer<'_, '_> {
    pub(super) fn template(&mut self) -> Step {
        self.refuse_mark()?;
        self.epp = Some(Tag::Text);
        self.push(Kind::EppStart, 0, None);
        self.template_text(false)?;
        let mut opened = self.at;
        while self.at < self.bytes.len() {
            if self.epp == Some(Tag::Text) {
                self.template_text(false)?;
                continue;
            }
            let before = self.epp;
            self.word()?;
            if before != self.epp {
                opened = self.at;
            }
        }
        if matches!(self.epp, Some(Tag::Code | Tag::Value)) {
            let message = "Unbalanced epp tag, reached <eof> without closing tag.";
            return Err(self.fault("epp-unbalanced-tag", message, opened.max(self.at)));
        }
        Ok(())
    }

    /// The end of a tag, and the text behind it.
    pub(super) fn end_tag(&mut self, trims: bool) -> Step {
        let start = self.at;
        self.at += if trims { 3 } else { 2 };
        if self.epp == Some(Tag::Value) {
            self.push(if trims { Kind::EppEndTrim } else { Kind::EppEnd }, start, None);
        }
        self.epp = Some(Tag::Text);
        self.template_text(trims)
    }

    /// Reads text up to the next tag.
    fn template_text(&mut self, mut trims: bool) -> Step {
        let start = self.at;
        let mut text = String::new();
        if start >= self.bytes.len() {
            self.epp = Some(Tag::Text);
            return Ok(());
        }
        loop {
            let rest = &self.text[self.at..];
            let (part, opened) = match rest.find("<%") {
                Some(at) => (&rest[..at], true),
                None => (rest, false),
            };
            self.at += part.len() + if opened { 2 } else { 0 };
            let part = if std::mem::take(&mut trims) { without_line_start(part) } else { part };
            text.push_str(&part.replace("%%>", "%>"));
            if !opened {
                self.epp = Some(Tag::Text);
                self.push(Kind::RenderString, start, Some(text.into()));
                return Ok(());
            }
            match self.byte(0) {
                0 if self.at >= self.bytes.len() => {
                    let message = "Unbalanced embedded expression - opening <% and reaching end of input";
                    return Err(self.fault("epp-unbalanced-expression", message, self.at));
                }
                b'-' => {
                    self.at += 1;
                    text.truncate(text.trim_end_matches([' ', '\t']).len());
                    self.open_tag(Tag::Code, start, text);
                    return Ok(());
                }
                b'%' => {
                    self.at += 1;
                    text.push_str("<%");
                }
                b'=' => {
                    self.at += 1;
                    self.open_tag(Tag::Value, start, text);
                    return Ok(());
                }
                b'#' => trims = self.comment(&mut text)?,
                _ => {
                    self.open_tag(Tag::Code, start, text);
                    return Ok(());
                }
            }
        }
    }

    fn open_tag(&mut self, tag: Tag, start: usize, text: String) {
        if !text.is_empty() {
            self.push(Kind::RenderString, start, Some(text.into()));
        }
        if tag == Tag::Value {
            self.push(Kind::RenderExpr, start, None);
        }
        self.epp = Some(tag);
        self.line = self.at;
    }

    /// Goes over a comment; whether it trims what follows.
    fn comment(&mut self, text: &mut String) -> Step<bool> {
        let rest = &self.text[self.at..];
        // A `%%>` does not end it.
        let mut from = 0;
        let end = loop {
            let Some(at) = rest[from..].find("%>").map(|at| from + at) else {
                let message = "Reaching end after opening <%# without seeing %>";
                return Err(self.fault("epp-unbalanced-comment", message, self.at));
            };
            if at > 0 && rest.as_bytes()[at - 1] != b'%' {
                break at;
            }
            from = at + 2;
        };
        let trims = rest[..end].ends_with('-');
        if rest.as_bytes().get(1) == Some(&b'-') {
            text.truncate(text.trim_end_matches([' ', '\t']).len());
        }
        self.at += end + 2;
        Ok(trims)
    }
}

/// The text without the blanks and the line end that it starts with.
fn without_line_start(text: &str) -> &str {
    let rest = text.trim_start_matches([' ', '\t']);
    let rest = rest.strip_prefix('\r').unwrap_or(rest);
    rest.strip_prefix('\n').unwrap_or(rest)
}
