//! Tokens of templates: text, and code between `<%` and `%>`.

use hieratic_value::Str;

use super::{LexError, Lexer, ReadResult};
use crate::codes;
use crate::token::{Payload, SyntaxKind};

/// The kind of content at the current position in a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TemplateMode {
    /// Text.
    Text,
    /// Statements: `<% ... %>`.
    Statements,
    /// An expression that is rendered: `<%= ... %>`.
    Expression,
}

impl<'s> Lexer<'s> {
    /// `%>` or `-%>`, and the text after.
    pub(super) fn tag_end(&mut self, length: usize, trims: bool) -> Result<ReadResult, LexError> {
        let start = self.position;
        self.position = start + length;
        if self.mode == Some(TemplateMode::Expression) {
            let kind = if trims { SyntaxKind::EppEndTrim } else { SyntaxKind::EppEnd };
            self.push(kind, start, self.position, Payload::None);
        }
        self.mode = Some(TemplateMode::Text);
        self.template_text(trims)?;
        Ok(ReadResult::Nothing)
    }

    /// Queues a token for the text from here to the next tag or the end, and one for the tag.
    pub(super) fn template_text(&mut self, trims: bool) -> Result<(), LexError> {
        let start = self.position;
        if start >= self.bytes.len() {
            self.tag_open = false;
            return Ok(());
        }
        let mut text = String::new();
        let mode = self.template_scan(trims, &mut text)?;
        let end = self.position;
        // Text that is empty after trimming is still rendered at the end, but not after a comment.
        let ended_in_text = mode == TemplateMode::Text && !self.text[start..end].ends_with("%>");
        if ended_in_text || !text.is_empty() {
            self.push(SyntaxKind::RenderString, start, end, Payload::Text(Str::from(text)));
        }
        match mode {
            TemplateMode::Text => {}
            TemplateMode::Statements => self.mode = Some(mode),
            TemplateMode::Expression => {
                self.push(SyntaxKind::RenderExpr, start, start, Payload::None);
                self.mode = Some(mode);
            }
        }
        self.tag_open = mode != TemplateMode::Text;
        Ok(())
    }

    /// Reads text up to a tag; returns the mode that the tag begins.
    fn template_scan(&mut self, mut trims: bool, out: &mut String) -> Result<TemplateMode, LexError> {
        let text = self.text;
        while self.position < text.len() {
            let rest = &text[self.position..];
            let (part, tag) = match rest.find("<%") {
                Some(length) => (&rest[..length], true),
                None => (rest, false),
            };
            let part = if trims { without_line_start(part) } else { part };
            trims = false;
            push_text(out, part);
            if !tag {
                self.position = text.len();
                break;
            }
            self.position += rest.find("<%").unwrap_or(0) + 2;
            match self.peek(0) {
                0 if self.position >= text.len() => {
                    let message = "Unbalanced embedded expression - opening <% and reaching end of input";
                    return Err(self.problem(codes::EPP_UNBALANCED_EXPRESSION, message.into()));
                }
                b'-' => {
                    self.position += 1;
                    trim_line_end(out);
                    return Ok(TemplateMode::Statements);
                }
                b'%' => {
                    self.position += 1;
                    out.push_str("<%");
                }
                b'=' => {
                    self.position += 1;
                    return Ok(TemplateMode::Expression);
                }
                b'#' => {
                    let Some(comment) = comment(&text[self.position..]) else {
                        let message = "Reaching end after opening <%# without seeing %>";
                        return Err(self.problem(codes::EPP_UNBALANCED_COMMENT, message.into()));
                    };
                    if comment.as_bytes().get(1) == Some(&b'-') {
                        trim_line_end(out);
                    }
                    trims = comment.ends_with("-%>");
                    self.position += comment.len();
                }
                _ => return Ok(TemplateMode::Statements),
            }
        }
        Ok(TemplateMode::Text)
    }
}

/// Returns the comment from `#` to `%>`; `%%>` does not end it.
fn comment(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let end = (1..bytes.len()).find(|at| bytes[*at..].starts_with(b"%>") && bytes[*at - 1] != b'%')?;
    Some(&text[..end + 2])
}

/// Appends text and replaces `%%>` by `%>`.
fn push_text(out: &mut String, text: &str) {
    if text.contains("%%>") { out.push_str(&text.replace("%%>", "%>")) } else { out.push_str(text) }
}

/// Removes the blanks at the start and the line end after them.
fn without_line_start(text: &str) -> &str {
    let text = text.trim_start_matches([' ', '\t']);
    let text = text.strip_prefix('\r').unwrap_or(text);
    text.strip_prefix('\n').unwrap_or(text)
}

fn trim_line_end(out: &mut String) {
    out.truncate(out.trim_end_matches([' ', '\t']).len());
}
