//! Heredocs: `@(END:syntax/escapes)`, with the text on the lines after.

use super::strings::Escapes;
use super::{LexError, Lexer, ReadResult, SearchMatch, is_wide_blank, is_word};
use crate::codes;
use crate::token::{Payload, SyntaxKind, Token};
use hieratic_diagnostics::Span;

/// Maps positions in the text of a heredoc, without its margin, to positions in the source.
pub(super) struct HeredocMap<'s> {
    interpolates: bool,
    /// The position of the first byte in the surrounding source.
    leading: usize,
    margins: Option<Margins>,
    parent: Option<&'s HeredocMap<'s>>,
}

/// The margins that were removed from the lines.
struct Margins {
    /// The starts of the remaining lines.
    starts: Vec<usize>,
    /// The total size of the margins up to and including this line.
    cut: Vec<usize>,
}

impl HeredocMap<'_> {
    /// Returns whether `$` interpolates.
    pub fn interpolates(&self) -> bool {
        self.interpolates
    }

    /// Converts an offset in the text to an offset in the source. As in the reference, the first byte is in the margin.
    pub fn global(&self, at: usize) -> u32 {
        let cut = match &self.margins {
            Some(margins) if at > 0 => {
                let line = margins.starts.partition_point(|start| *start <= at).saturating_sub(1);
                margins.cut.get(line).or(margins.cut.last()).copied().unwrap_or(0)
            }
            _ => 0,
        };
        let outside = at + self.leading + cut;
        match self.parent {
            Some(parent) => parent.global(outside),
            None => outside as u32,
        }
    }
}

/// The content of the parentheses.
struct HeredocHead<'t> {
    tag: &'t str,
    syntax: &'t str,
    escapes: Option<&'t str>,
}

/// A line that ends a heredoc.
struct LastLine<'t> {
    /// The blanks before the `|`, or before the tag.
    leading: &'t str,
    has_margin: bool,
    removes_break: bool,
}

impl<'s> Lexer<'s> {
    /// Reads a heredoc after `@(`: queues a token for the heredoc, then those of its text.
    pub(super) fn heredoc(&mut self) -> Result<ReadResult, LexError> {
        let text: &'s str = self.text;
        let start = self.position;
        let Some(length) = text[start..].find(')') else {
            let message = format!("Unclosed parenthesis after '@(' followed by '{}'", self.followed_by());
            return Err(self.problem(codes::HEREDOC_UNCLOSED_PARENTHESIS, message));
        };
        let after = start + length + 1;
        self.position = after;
        let Some(head) = find_head(&text[start..after]) else {
            let message = "Invalid syntax in heredoc expected @(endtag[:syntax][/escapes])";
            return Err(self.problem(codes::HEREDOC_INVALID_SYNTAX, message.into()));
        };
        let quoted = head.tag.len() > 1 && head.tag.starts_with('"') && head.tag.ends_with('"');
        let tag = if quoted { trim(&head.tag[1..head.tag.len() - 1]) } else { head.tag };
        if tag.is_empty() {
            return Err(self.problem(codes::HEREDOC_EMPTY_ENDTAG, "Heredoc with an empty endtag".into()));
        }
        let escapes = self.heredoc_escapes(head.escapes)?;
        self.push(SyntaxKind::Heredoc, start, after, Payload::Piece(head.syntax));

        // The text begins on the next line, or after the text of the heredoc before on this line.
        let first = match self.resume_after_line {
            Some(first) => first,
            None => match text[after..].find('\n') {
                Some(length) => after + length + 1,
                None => {
                    let message = "Heredoc without any following lines of text";
                    return Err(self.problem(codes::HEREDOC_WITHOUT_TEXT, message.into()));
                }
            },
        };
        let mut end = first;
        for line in text[first..].split_inclusive('\n') {
            if let Some(last) = last_line(line, tag) {
                self.resume_after_line = Some(end + line.len());
                self.position = after;
                self.matched = SearchMatch::default();
                self.heredoc_text(first..end, &last, escapes, quoted)?;
                return Ok(ReadResult::Nothing);
            }
            end += line.len();
        }
        let mut problem =
            self.problem_at(codes::HEREDOC_WITHOUT_END_TAGGED_LINE, "Heredoc without end-tagged line".into(), first);
        problem.span = Span { start: self.global(start), end: self.global(after) };
        Err(problem)
    }

    /// Returns the escapes that `/letters` enables; without letters, all of them.
    fn heredoc_escapes(&self, letters: Option<&str>) -> Result<Escapes, LexError> {
        let Some(letters) = letters else { return Ok(Escapes::NONE) };
        let letters = if letters.is_empty() { "trnsuL$" } else { letters };
        let mut escapes = Escapes::BACKSLASH;
        let twice = letters.char_indices().any(|(at, c)| letters[at + c.len_utf8()..].contains(c));
        if twice {
            let list: Vec<String> = letters.chars().map(String::from).collect();
            let message = format!("An escape char for @() may only appear once. Got '{}'", list.join(", "));
            return Err(self.problem(codes::HEREDOC_MULTIPLE_AT_ESCAPES, message));
        }
        for letter in letters.chars() {
            let Some(escape) = Escapes::of_letter(letter) else {
                let message = format!("Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got '{letter}'");
                return Err(self.problem(codes::HEREDOC_INVALID_ESCAPE, message));
            };
            escapes = escapes.with(escape);
        }
        Ok(escapes)
    }

    /// Queues the tokens of the lines of a heredoc.
    fn heredoc_text(
        &mut self,
        lines: std::ops::Range<usize>,
        last: &LastLine<'_>,
        escapes: Escapes,
        interpolates: bool,
    ) -> Result<(), LexError> {
        let leading = lines.start;
        let raw = &self.text[lines];
        let cuts = last.has_margin && !last.leading.is_empty();
        let mut text = String::new();
        let mut margins = Margins { starts: Vec::new(), cut: Vec::new() };
        let mut total = 0;
        if cuts {
            text.reserve(raw.len());
            // Lines with text in the margin are kept unchanged, contrary to the documentation.
            for line in raw.split_inclusive('\n') {
                let kept = line.strip_prefix(last.leading).unwrap_or(line);
                total += line.len() - kept.len();
                margins.starts.push(text.len());
                margins.cut.push(total);
                text.push_str(kept);
            }
        }
        let whole: &str = if cuts { &text } else { raw };
        let whole = match whole.strip_suffix('\n') {
            Some(kept) if last.removes_break => kept.strip_suffix('\r').unwrap_or(kept),
            _ => whole,
        };
        let map = HeredocMap { interpolates, leading, margins: last.has_margin.then_some(margins), parent: self.map };
        let mut inner = Lexer::new(whole, self.tasks);
        inner.map = Some(&map);
        inner.depth = self.depth + 1;
        inner.escapes = escapes;
        inner.escaped_dollar = escapes.has_dollar();
        let read = inner.interpolated(false);
        let (queue, warnings) = (inner.queue, inner.warnings);
        self.warnings.extend(warnings);
        read?;
        self.queue.extend(queue.into_iter().map(Token::owned));
        Ok(())
    }
}

/// Finds the content of the parentheses of `@(...)`; like the reference, also after an invalid one.
fn find_head(text: &str) -> Option<HeredocHead<'_>> {
    text.match_indices("@(").find_map(|(at, _)| head(&text[at + 2..]))
}

fn head(text: &str) -> Option<HeredocHead<'_>> {
    let blanks = |text: &str| text.find(|c| !is_blank(c)).unwrap_or(text.len());
    let length = text.find([':', '/', '\r', '\n', ')'])?;
    let (tag, mut rest) = text.split_at(length);
    if tag.is_empty() {
        return None;
    }
    let mut syntax = "";
    if let Some(after) = rest.strip_prefix(':') {
        let after = &after[blanks(after)..];
        let length = after.bytes().take_while(|byte| is_word(*byte) || *byte == b'+').count();
        syntax = &after[..length];
        if length < 2 || !syntax.starts_with(|c: char| c.is_ascii_lowercase()) {
            return None;
        }
        rest = &after[length..];
        rest = &rest[blanks(rest)..];
    }
    let mut escapes = None;
    if let Some(after) = rest.strip_prefix('/') {
        let length = after.bytes().take_while(|byte| is_word(*byte) || *byte == b'$').count();
        escapes = Some(&after[..length]);
        rest = &after[length..];
        rest = &rest[blanks(rest)..];
    }
    rest.starts_with(')').then(|| HeredocHead { tag: trim(tag), syntax, escapes })
}

/// Parses the last line of a heredoc: it ends with the tag, after an optional `|` and `-`. Other text before them is
/// allowed.
fn last_line<'t>(line: &'t str, tag: &str) -> Option<LastLine<'t>> {
    let line = match line.strip_suffix('\n') {
        Some(line) => line.strip_suffix('\r').unwrap_or(line),
        None => line.strip_suffix('\r').unwrap_or(line),
    };
    let before = line.trim_end_matches(is_blank).strip_suffix(tag)?;
    let mut rest = before.trim_end_matches(is_blank);
    let mut blanks = &before[rest.len()..];
    let mut last = LastLine { leading: blanks, has_margin: false, removes_break: false };
    if let Some(kept) = rest.strip_suffix('-') {
        last.removes_break = true;
        rest = kept.trim_end_matches(is_blank);
        blanks = &kept[rest.len()..];
        last.leading = blanks;
    }
    if let Some(kept) = rest.strip_suffix('|') {
        last.has_margin = true;
        last.leading = &kept[kept.trim_end_matches(is_blank).len()..];
    }
    Some(last)
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t') || is_wide_blank(c)
}

/// Removes whitespace at both ends, like Ruby's `strip`.
fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_ascii_whitespace() || matches!(c, '\u{b}' | '\0'))
}
