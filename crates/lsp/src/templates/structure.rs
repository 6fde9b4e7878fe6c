//! Statements of templates from one tag to another: `{% if %}` to `{% endif %}`, `<% if %>` to `<% end %>`.

use super::lexer::{Tag, TagKind, Template, WordKind};
use crate::document::Language;
use hieratic::value::ErasedSort as _;
use hieratic_diagnostics::Span;

/// A statement over several tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// The word that begins it.
    pub(crate) word: String,
    /// The number of its first tag.
    pub(crate) tag: usize,
    /// From the first tag to the last.
    pub(crate) span: Span,
    /// The span between the first tag of the statement and the next one.
    pub(crate) inside: Span,
    /// The number of statements around it.
    pub(crate) depth: usize,
}

/// The maximum nesting depth of statements.
const MAX_DEPTH: usize = 100;

/// Statements of Jinja2 that have an end.
const BLOCKS: [&str; 11] =
    ["if", "for", "block", "macro", "set", "filter", "call", "with", "raw", "autoescape", "trans"];

/// Words of Ruby that need an `end` where a statement begins.
const OPENERS: [&str; 9] = ["if", "unless", "case", "while", "until", "for", "begin", "def", "class"];

/// Returns the statements of a template, in the order of their first tags. Unterminated statements are left out.
pub(crate) fn parts(template: &Template, text: &str, language: Language) -> Vec<Statement> {
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut found = Vec::new();
    for (number, tag) in template.tags.iter().enumerate() {
        if tag.kind == TagKind::Comment {
            continue;
        }
        let events = if language == Language::Erb { ruby(tag, text) } else { jinja(tag, text) };
        for event in events {
            match event {
                StatementEvent::Opens(word) if open.len() < MAX_DEPTH => open.push((word, number)),
                StatementEvent::Opens(_) => return found,
                StatementEvent::Closes(word) => {
                    // Unterminated statements before it are skipped.
                    let at = match &word {
                        Some(word) => open.iter().rposition(|(opened, _)| opened == word),
                        None => open.len().checked_sub(1),
                    };
                    let Some(at) = at else { continue };
                    open.truncate(at + 1);
                    let Some((word, first)) = open.pop() else { continue };
                    let begin = &template.tags[first];
                    if first == number {
                        continue;
                    }
                    found.push(Statement {
                        word,
                        tag: first,
                        span: Span { start: begin.span.start, end: tag.span.end },
                        inside: Span { start: begin.span.end, end: tag.span.start },
                        depth: open.len(),
                    });
                }
            }
        }
    }
    found.sort_erased_by_key(|part| (part.span.start, std::cmp::Reverse(part.span.end)));
    found
}

enum StatementEvent {
    Opens(String),
    /// The end of a statement, with the word of the statement if the tag names it.
    Closes(Option<String>),
}

fn jinja(tag: &Tag, text: &str) -> Vec<StatementEvent> {
    if tag.kind != TagKind::Statement {
        return Vec::new();
    }
    let word = tag.text(text, 0);
    if let Some(closed) = word.strip_prefix("end") {
        return vec![StatementEvent::Closes(Some(closed.to_owned()))];
    }
    // `{% set a = 1 %}` is whole; `{% set a %}` is not.
    let is_whole = word == "set" && (1..tag.words.len()).any(|index| tag.text(text, index) == "=");
    if BLOCKS.contains(&word) && !is_whole { vec![StatementEvent::Opens(word.to_owned())] } else { Vec::new() }
}

fn ruby(tag: &Tag, text: &str) -> Vec<StatementEvent> {
    let mut events = Vec::new();
    let mut begins = true;
    // `while x do` has one end.
    let mut has_loop = false;
    for index in 0..tag.words.len() {
        let word = tag.words[index];
        let written = tag.text(text, index);
        let is_name = word.kind == WordKind::Name && tag.before(text, index) != ".";
        let starts_line = index > 0 && text[tag.words[index - 1].end..word.start].contains('\n');
        begins |= starts_line;
        if starts_line {
            has_loop = false;
        }
        if is_name && written == "end" {
            events.push(StatementEvent::Closes(None));
        } else if is_name && written == "do" {
            if !has_loop {
                events.push(StatementEvent::Opens(written.to_owned()));
            }
            has_loop = false;
        } else if is_name && begins && OPENERS.contains(&written) {
            has_loop = matches!(written, "while" | "until" | "for");
            events.push(StatementEvent::Opens(written.to_owned()));
        }
        begins = matches!(written, ";" | "=" | "(" | "then" | "else" | "do");
    }
    // Blocks in braces reach from `{` to `}`.
    let braces = |sign: &str| (0..tag.words.len()).filter(|index| tag.text(text, *index) == sign).count();
    let (opens, closes) = (braces("{"), braces("}"));
    if opens > closes {
        events.push(StatementEvent::Opens("{".to_owned()));
    } else if closes > opens {
        events.push(StatementEvent::Closes(Some("{".to_owned())));
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statements_of(text: &str, language: Language) -> Vec<(String, usize)> {
        let template = match language {
            Language::Erb => Template::erb(text),
            _ => Template::jinja(text),
        };
        parts(&template, text, language).into_iter().map(|part| (part.word, part.depth)).collect()
    }

    #[test]
    fn jinja_statements_end_with_their_end_tags() {
        let text = "{% if a %}{% for b in c %}{% set d = 1 %}{% set e %}x{% endset %}{% endfor %}{% else %}{% endif %}{% if open %}";
        let expected = [("if", 0), ("for", 1), ("set", 2)].map(|(word, depth)| (word.to_owned(), depth));
        assert_eq!(statements_of(text, Language::Jinja), expected);
    }

    #[test]
    fn ruby_statements_end_with_their_end_tags() {
        let text = "<% if @a then b end %><% @c.each do |d| %><% while x do %>y<% end %><% puts 1 if z %><% end %><% @e.each { |f| %>g<% } %>";
        let expected = [("do", 0), ("while", 1), ("{", 0)].map(|(word, depth)| (word.to_owned(), depth));
        assert_eq!(statements_of(text, Language::Erb), expected);
    }
}
