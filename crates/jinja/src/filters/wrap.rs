//! The filter `wordwrap`.

use minijinja::Value;

use super::arguments::{as_flag, as_index, as_text, strict};
use crate::call::Args;
use crate::error::{Result, error};
use crate::host::{Host, Table, define};
use crate::python::methods::lines;
use crate::work;

pub const TABLE: Table = &[define(
    "wordwrap",
    "width=79, break_long_words=True, wrapstring=None, break_on_hyphens=True",
    "Breaks the text into lines of this width.",
    wordwrap,
)];

fn wordwrap(_: &dyn Host, args: Args) -> Result<Value> {
    let names = ["s", "width", "break_long_words", "wrapstring", "break_on_hyphens"];
    let [text, width, break_long, between, hyphens] = args.bind(names, 1)?;
    let width = match usize::try_from(as_index(width, 79)?) {
        Ok(width) if width > 0 => width,
        _ => return Err(error("invalid width (must be > 0)")),
    };
    let (break_long, hyphens) = (as_flag(break_long, true)?, as_flag(hyphens, true)?);
    let between = match between.filter(|between| !between.is_none()) {
        Some(between) => as_text(&Some(between))?,
        None => "\n".into(),
    };
    let text = strict(&text, "wordwrap")?;
    let lines = lines(&text, false);
    // Each character may become a line, followed by the separator of lines.
    work::elements(text.len())?;
    let wrapped: Vec<String> = lines.iter().flat_map(|line| lines_of(wrap(line, width, break_long, hyphens))).collect();
    work::bytes(wrapped.len().saturating_mul(between.len()))?;
    Ok(Value::from(wrapped.join(&between)))
}

/// An empty line stays one.
fn lines_of(lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() { vec![String::new()] } else { lines }
}

/// Breaks a line into lines, as Python's `textwrap` does without changing whitespace.
fn wrap(line: &str, width: usize, break_long: bool, hyphens: bool) -> Vec<String> {
    let mut chunks: Vec<Chunk<'_>> = chunks(line, hyphens);
    chunks.reverse();
    let mut lines = Vec::new();
    while !chunks.is_empty() {
        let mut current: Vec<&str> = Vec::new();
        let mut length = 0;
        // Whitespace at the start of a line is dropped, except on the first one.
        if !lines.is_empty() && chunks.last().is_some_and(|chunk| is_blank(chunk.text)) {
            chunks.pop();
        }
        while let Some(chunk) = chunks.pop_if(|chunk| length + chunk.length <= width) {
            length += chunk.length;
            current.push(chunk.text);
        }
        if let Some(Chunk { text, length: letters }) = chunks.pop_if(|chunk| chunk.length > width) {
            let room = width - length;
            if break_long {
                let room = if length == 0 { room.max(1) } else { room };
                let mut split = text.char_indices().nth(room).map_or(text.len(), |(at, _)| at);
                let hyphen = text.get(..split).and_then(|head| head.rfind('-')).filter(|_| hyphens);
                if let Some(at) =
                    hyphen.filter(|at| text.get(..*at).is_some_and(|head| head.contains(|letter| letter != '-')))
                {
                    split = at + 1;
                }
                let (head, tail) = text.split_at(split);
                // Without room the head is empty, and whitespace before it stays.
                current.push(head);
                // The head is short; the characters of the tail are not counted again for each line.
                chunks.push(Chunk { text: tail, length: letters - head.chars().count() });
            } else if current.is_empty() {
                current.push(text);
            } else {
                chunks.push(Chunk { text, length: letters });
            }
        }
        current.pop_if(|chunk| is_blank(chunk));
        if !current.is_empty() {
            lines.push(current.concat());
        }
    }
    lines
}

/// A part of a line that is kept together if possible.
struct Chunk<'a> {
    text: &'a str,
    /// The number of characters.
    length: usize,
}

fn is_blank(text: &str) -> bool {
    // Chunks do not mix whitespace and other characters.
    text.chars().next().is_none_or(char::is_whitespace)
}

/// Splits a line into words and the whitespace between them; words with hyphens are several chunks.
fn chunks(line: &str, hyphens: bool) -> Vec<Chunk<'_>> {
    let mut out: Vec<Chunk<'_>> = Vec::new();
    let mut letters = line.char_indices().peekable();
    let mut before: Option<char> = None;
    let mut start = 0;
    while let Some((at, letter)) = letters.next() {
        let is_space = letter.is_whitespace();
        let starts = match before {
            None => true,
            Some(last) => is_space != last.is_whitespace(),
        };
        let end = at + letter.len_utf8();
        match out.last_mut() {
            Some(chunk) if !starts => {
                *chunk = Chunk { text: line.get(start..end).unwrap_or(""), length: chunk.length + 1 };
            }
            _ => {
                start = at;
                out.push(Chunk { text: line.get(start..end).unwrap_or(""), length: 1 });
            }
        }
        let between_letters =
            before.is_some_and(char::is_alphabetic) && letters.peek().is_some_and(|(_, next)| next.is_alphabetic());
        before = Some(letter);
        if hyphens && letter == '-' && between_letters {
            // The next character starts a new chunk.
            before = None;
        }
    }
    out
}
