//! Heredocs: text that starts on the next line and ends with a tag of its own.
//!
//! See [heredocs](https://www.puppet.com/docs/puppet/8/lang_data_string.html#heredocs). The text is read as soon as its tag
//! is met, although it stands further down; the line with the tag goes on, and at its end reading jumps over the text.

use super::string::Escapes;
use super::token::Kind;
use super::{DEEPEST, Lexer, Places, Step};

/// What the parentheses behind `@` say.
struct Tag {
    end: String,
    syntax: String,
    /// Whether the text has interpolations.
    interpolates: bool,
    escapes: Vec<char>,
}

impl Lexer<'_, '_> {
    pub(super) fn heredoc(&mut self) -> Step {
        let (start, tokens) = (self.at, self.out.tokens.len());
        self.read_heredoc(start).inspect_err(|_| self.out.tokens.truncate(tokens))
    }

    fn read_heredoc(&mut self, start: usize) -> Step {
        let Some(length) = self.text[start..].find(')') else {
            let message = format!("Unclosed parenthesis after '@(' followed by '{}'", self.followed_by(start));
            return Err(self.fault("heredoc-unclosed-parenthesis", message, start));
        };
        let after = start + length + 1;
        let tag = self.heredoc_tag(&self.text[start + 2..after - 1], after)?;
        self.at = after;
        self.push(Kind::Heredoc, start, Some(tag.syntax.as_str().into()));
        // A second heredoc on the line starts where the first ends.
        let text_start = match self.jump {
            Some(jump) => jump,
            None => match self.text[after..].find('\n') {
                Some(length) => after + length + 1,
                None => {
                    return Err(self.fault("heredoc-without-text", "Heredoc without any following lines of text", after));
                }
            },
        };
        let mut line_start = text_start;
        let mut lines: Vec<(usize, usize)> = Vec::new();
        loop {
            if line_start >= self.text.len() {
                return Err(self.fault(
                    "heredoc-without-end-tagged-line",
                    "Heredoc without end-tagged line",
                    text_start,
                ));
            }
            let line_end = self.text[line_start..].find('\n').map_or(self.text.len(), |length| line_start + length + 1);
            let line = &self.text[line_start..line_end];
            if let Some(ending) = Ending::of(line, &tag.end) {
                self.jump = Some(line_end);
                return self.heredoc_text(&tag, &ending, &lines, after);
            }
            lines.push((line_start, line_end));
            line_start = line_end;
        }
    }

    fn heredoc_tag(&self, inner: &str, after: usize) -> Step<Tag> {
        let invalid = || {
            let message = "Invalid syntax in heredoc expected @(endtag[:syntax][/escapes])";
            self.fault("heredoc-invalid-syntax", message, after)
        };
        let (rest, escapes) = match inner.split_once('/') {
            Some((rest, escapes)) => (rest, Some(escapes.trim_end_matches([' ', '\t']))),
            None => (inner, None),
        };
        let (end, syntax) = match rest.split_once(':') {
            Some((end, syntax)) => (end, Some(syntax.trim_matches([' ', '\t']))),
            None => (rest, None),
        };
        if end.is_empty() || end.contains(['\r', '\n']) {
            return Err(invalid());
        }
        if let Some(syntax) = syntax {
            let mut bytes = syntax.bytes();
            let well_formed = bytes.next().is_some_and(|byte| byte.is_ascii_lowercase())
                && syntax.len() > 1
                && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'+');
            if !well_formed {
                return Err(invalid());
            }
        }
        if escapes.is_some_and(|escapes| !escapes.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')) {
            return Err(invalid());
        }
        let end = end.trim();
        let quoted = end.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let (end, interpolates) = match quoted {
            Some(inner) => (inner.trim(), true),
            None => (end, false),
        };
        if end.is_empty() {
            return Err(self.fault("heredoc-empty-endtag", "Heredoc with an empty endtag", after));
        }
        let mut listed = Vec::new();
        if let Some(escapes) = escapes {
            let escapes = if escapes.is_empty() { "trnsuL$" } else { escapes };
            let mut seen: Vec<char> = Vec::new();
            for c in escapes.chars() {
                if seen.contains(&c) {
                    let all: Vec<String> = escapes.chars().map(String::from).collect();
                    let message = format!("An escape char for @() may only appear once. Got '{}'", all.join(", "));
                    return Err(self.fault("heredoc-multiple-at-escapes", message, after));
                }
                seen.push(c);
            }
            listed.push('\\');
            for c in seen {
                match c {
                    't' | 'r' | 'n' | 's' | 'u' | '$' => listed.push(c),
                    'L' => listed.push('\n'),
                    other => {
                        let message = format!(
                            "Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got '{other}'"
                        );
                        return Err(self.fault("heredoc-invalid-escape", message, after));
                    }
                }
            }
        }
        Ok(Tag { end: end.to_owned(), syntax: syntax.unwrap_or_default().to_owned(), interpolates, escapes: listed })
    }

    /// Takes the margin off the lines and reads the text.
    fn heredoc_text(&mut self, tag: &Tag, ending: &Ending<'_>, lines: &[(usize, usize)], after: usize) -> Step {
        let mut text = String::new();
        let mut places = Vec::with_capacity(lines.len() + 1);
        for (start, end) in lines {
            let line = &self.text[*start..*end];
            // A line with less than the margin stays as it is.
            let kept = match ending.margin {
                Some(margin) if !margin.is_empty() => line.strip_prefix(margin).unwrap_or(line),
                _ => line,
            };
            places.push((text.len() as u32, self.places.of(end - kept.len())));
            text.push_str(kept);
        }
        if let Some((_, end)) = lines.last() {
            places.push((text.len() as u32, self.places.of(*end)));
        }
        if ending.joins {
            let kept = text.strip_suffix('\n').map(|text| text.strip_suffix('\r').unwrap_or(text).len());
            text.truncate(kept.unwrap_or(text.len()));
        }
        if self.depth >= DEEPEST {
            return Err(self.fault("nesting-too-deep", "the heredocs are nested too deeply", after));
        }
        let escapes = Escapes::Listed(tag.escapes.clone());
        let mut inner = Lexer::new(&text, self.settings, Places::Lines(places), self.out, self.depth + 1);
        inner.interpolates = tag.interpolates;
        inner.escapes_dollar = tag.escapes.contains(&'$');
        inner.pieces(0, None, &escapes)?;
        self.at = after;
        self.after = Some(Kind::Heredoc);
        Ok(())
    }
}

/// The line that ends a heredoc.
struct Ending<'t> {
    /// What is taken off the start of each line, if a pipe says so.
    margin: Option<&'t str>,
    /// Whether a dash takes off the last line end.
    joins: bool,
}

impl<'t> Ending<'t> {
    /// The line, if it is `  |- END`.
    fn of(line: &'t str, tag: &str) -> Option<Ending<'t>> {
        let blank = [' ', '\t'];
        let body = line.strip_suffix('\n').unwrap_or(line);
        let body = body.strip_suffix('\r').unwrap_or(body).trim_end_matches(blank);
        let before = body.strip_suffix(tag)?;
        let before = before.trim_end_matches(blank);
        let (before, joins) = match before.strip_suffix('-') {
            Some(rest) => (rest.trim_end_matches(blank), true),
            None => (before, false),
        };
        let (before, piped) = match before.strip_suffix('|') {
            Some(rest) => (rest, true),
            None => (before, false),
        };
        // The reference looks for the tag anywhere in the line; what stands before the signs is then no margin.
        let leading = before.len() - before.trim_start_matches(blank).len();
        if leading < before.len() {
            let margin = &before[before.trim_end_matches(blank).len()..];
            return Some(Ending { margin: piped.then_some(margin), joins });
        }
        let margin = &line[..leading];
        Some(Ending { margin: piped.then_some(margin), joins })
    }
}
