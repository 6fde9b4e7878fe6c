//! The filter `wordwrap`.

use minijinja::Value;

use super::{Table, as_flag, as_index, as_text};
use crate::call::Args;
use crate::eval::Context;
use crate::python::{Result, error};

pub const TABLE: Table = &[("wordwrap", wordwrap)];

fn wordwrap(_: &Context<'_>, args: Args) -> Result<Value> {
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
    let text = super::strict(&text, "wordwrap")?;
    let lines = crate::python::lines(&text);
    let wrapped: Vec<String> = lines.iter().map(|line| wrap(line, width, break_long, hyphens).join(&between)).collect();
    Ok(Value::from(wrapped.join(&between)))
}

/// The lines of one line, as Python's `textwrap` breaks it without touching white space.
fn wrap(line: &str, width: usize, break_long: bool, hyphens: bool) -> Vec<String> {
    let mut chunks: Vec<String> = chunks(line, hyphens);
    chunks.reverse();
    let mut lines = Vec::new();
    while !chunks.is_empty() {
        let mut current: Vec<String> = Vec::new();
        let mut length = 0;
        // White space that starts a line behind the first is dropped.
        if !lines.is_empty() && chunks.last().is_some_and(|chunk| chunk.trim().is_empty()) {
            chunks.pop();
        }
        while let Some(chunk) = chunks.pop_if(|chunk| length + chunk.chars().count() <= width) {
            length += chunk.chars().count();
            current.push(chunk);
        }
        if let Some(chunk) = chunks.pop_if(|chunk| chunk.chars().count() > width) {
            let room = width - length;
            if break_long {
                let room = if length == 0 { room.max(1) } else { room };
                let mut split = chunk.char_indices().nth(room).map_or(chunk.len(), |(at, _)| at);
                let hyphen = chunk.get(..split).and_then(|head| head.rfind('-')).filter(|_| hyphens);
                if let Some(at) =
                    hyphen.filter(|at| chunk.get(..*at).is_some_and(|head| head.contains(|letter| letter != '-')))
                {
                    split = at + 1;
                }
                let (head, tail) = chunk.split_at(split);
                // Where there is no room, this is empty, and what is blank before it stays.
                current.push(head.into());
                chunks.push(tail.into());
            } else if current.is_empty() {
                current.push(chunk);
            } else {
                chunks.push(chunk);
            }
        }
        current.pop_if(|chunk| chunk.trim().is_empty());
        if !current.is_empty() {
            lines.push(current.concat());
        }
    }
    lines
}

/// Words, and the white space between them; words with hyphens are several.
fn chunks(line: &str, hyphens: bool) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut letters = line.chars().peekable();
    let mut before: Option<char> = None;
    while let Some(letter) = letters.next() {
        let is_space = letter.is_whitespace();
        let starts = match before {
            None => true,
            Some(last) => is_space != last.is_whitespace(),
        };
        match out.last_mut() {
            Some(chunk) if !starts => chunk.push(letter),
            _ => out.push(letter.into()),
        }
        let between_letters =
            before.is_some_and(char::is_alphabetic) && letters.peek().is_some_and(|next| next.is_alphabetic());
        before = Some(letter);
        if hyphens && letter == '-' && between_letters {
            // What follows starts a chunk of its own.
            before = None;
        }
    }
    out
}
