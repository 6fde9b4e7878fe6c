//! [`rendered`]: a page of Markdown for the terminal.
//!
//! Headings are bold, code is in color, tables have columns, and paragraphs are wrapped between words.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use unicode_width::UnicodeWidthStr;

use crate::terminal::painted;

/// The widest lines of prose, in columns: longer ones are hard to read.
const WIDEST: usize = 100;
/// The number of columns between those of a table.
const BETWEEN: usize = 2;

const BOLD: &str = "1";
const HEADING: &str = "1;4";
const CODE: &str = "36";
const DIM: &str = "2";

/// Renders a page within a width, with colors if they are wanted.
pub(crate) fn rendered(page: &str, width: usize, color: bool) -> String {
    let mut writer = Writer { width: width.clamp(20, WIDEST), color, ..Writer::default() };
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        writer.event(event);
    }
    writer.flush();
    let end = writer.out.trim_end().len();
    writer.out.truncate(end);
    writer.out.push('\n');
    writer.out
}

/// A word with its style.
struct Word {
    text: String,
    style: &'static str,
    /// Whether a space is before it.
    is_apart: bool,
}

#[derive(Default)]
struct Writer {
    width: usize,
    color: bool,
    out: String,
    /// The words of the open paragraph.
    words: Vec<Word>,
    styles: Vec<&'static str>,
    /// Whether the next word follows a space.
    has_space: bool,
    /// The open lists: the number of the next item, or none for bullets.
    lists: Vec<Option<u64>>,
    /// The mark of the item that begins.
    mark: Option<String>,
    code: Option<String>,
    table: Option<Vec<Vec<String>>>,
    /// The target of the open link, if it is a web address.
    link: Option<String>,
}

impl Writer {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match (&mut self.code, &mut self.table) {
                (Some(code), _) => code.push_str(&text),
                (None, Some(_)) => self.cell(&text),
                (None, None) => self.text(&text, self.styles.last().copied().unwrap_or("")),
            },
            Event::Code(text) if self.table.is_some() => self.cell(&text),
            Event::Code(text) => self.word(&text, CODE),
            Event::Html(text) | Event::InlineHtml(text) => self.text(&text, ""),
            Event::SoftBreak => self.has_space = true,
            Event::HardBreak => self.flush_lines(),
            Event::Rule => self.line(&"─".repeat(self.width.min(40)), DIM),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.flush();
                self.blank();
                self.styles.push(if level == pulldown_cmark::HeadingLevel::H1 { HEADING } else { BOLD });
            }
            Tag::Paragraph => {}
            Tag::CodeBlock(_) => {
                self.flush();
                self.code = Some(String::new());
            }
            Tag::List(first) => {
                self.flush();
                self.lists.push(first);
            }
            Tag::Item => {
                self.flush();
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    Some(None) | None => "- ".to_owned(),
                };
                self.mark = Some(mark);
            }
            Tag::Emphasis | Tag::Strong => self.styles.push(BOLD),
            Tag::Link { dest_url, .. } => {
                self.link = dest_url.starts_with("http").then(|| dest_url.to_string());
            }
            Tag::Table(_) => {
                self.flush();
                self.table = Some(Vec::new());
            }
            Tag::TableHead | Tag::TableRow => self.table.iter_mut().for_each(|table| table.push(Vec::new())),
            Tag::TableCell => {
                self.table.iter_mut().filter_map(|table| table.last_mut()).for_each(|row| row.push(String::new()));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.flush();
                self.styles.pop();
                self.blank();
            }
            TagEnd::Paragraph => {
                self.flush();
                if self.lists.is_empty() {
                    self.blank();
                }
            }
            TagEnd::CodeBlock => {
                let code = self.code.take().unwrap_or_default();
                let indent = " ".repeat(self.indent() + 4);
                for line in code.trim_end_matches('\n').lines() {
                    let line = format!("{indent}{line}");
                    self.line(line.trim_end(), CODE);
                }
                self.blank();
            }
            TagEnd::Item => self.flush(),
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
                if self.lists.is_empty() {
                    self.blank();
                }
            }
            TagEnd::Emphasis | TagEnd::Strong => _ = self.styles.pop(),
            TagEnd::Link => {
                if let Some(address) = self.link.take() {
                    self.has_space = true;
                    self.word(&format!("<{address}>"), DIM);
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.table(&table);
                }
            }
            _ => {}
        }
    }

    fn cell(&mut self, text: &str) {
        let cell = self.table.as_mut().and_then(|table| table.last_mut()).and_then(|row| row.last_mut());
        cell.into_iter().for_each(|cell| cell.push_str(text));
    }

    /// Adds the words of a string.
    fn text(&mut self, text: &str, style: &'static str) {
        for part in text.split_inclusive(char::is_whitespace) {
            let word = part.trim_end();
            if !word.is_empty() {
                self.word(word, style);
            }
            self.has_space |= word.len() < part.len();
        }
    }

    fn word(&mut self, text: &str, style: &'static str) {
        let is_apart = std::mem::take(&mut self.has_space);
        self.words.push(Word { text: text.to_owned(), style, is_apart });
    }

    fn indent(&self) -> usize {
        self.lists.len().saturating_sub(1) * 2
    }

    fn flush(&mut self) {
        if !self.words.is_empty() {
            self.flush_lines();
        }
        self.has_space = false;
    }

    /// Writes the open paragraph, wrapped between words.
    fn flush_lines(&mut self) {
        let indent = self.indent();
        let mark = self.mark.take();
        let inner = indent + if self.lists.is_empty() { 0 } else { 2 };
        let mut line = format!("{}{}", " ".repeat(indent), mark.as_deref().unwrap_or(""));
        if mark.is_none() {
            line = " ".repeat(inner);
        }
        let mut used = line.width();
        let mut is_empty = true;
        let words = std::mem::take(&mut self.words);
        let mut rest = words.as_slice();
        // Words without a space between them stay together.
        while let Some((first, after)) = rest.split_first() {
            let count = after.iter().take_while(|word| !word.is_apart).count();
            let (joined, next) = after.split_at(count);
            rest = next;
            let all = || std::iter::once(first).chain(joined);
            let width: usize = all().map(|word| word.text.width()).sum();
            if !is_empty && used + 1 + width > self.width {
                self.out.push_str(line.trim_end());
                self.out.push('\n');
                line = " ".repeat(inner);
                used = inner;
                is_empty = true;
            }
            if !is_empty {
                line.push(' ');
                used += 1;
            }
            for word in all() {
                line.push_str(&self.painted(word.style, &word.text));
            }
            used += width;
            is_empty = false;
        }
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    /// Writes a table: the last column is wrapped, the others are as wide as their cells.
    fn table(&mut self, rows: &[Vec<String>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|column| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max().unwrap_or(0))
            .collect();
        let before: usize = widths.iter().take(columns.saturating_sub(1)).map(|width| width + BETWEEN).sum();
        for (index, row) in rows.iter().enumerate() {
            let style = if index == 0 { BOLD } else { "" };
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths).take(columns.saturating_sub(1)) {
                line.push_str(&self.painted(style, cell));
                line.push_str(&" ".repeat(width - cell.width() + BETWEEN));
            }
            let last = row.get(columns.saturating_sub(1)).map_or("", String::as_str);
            let mut used = before;
            for (index, word) in last.split_whitespace().enumerate() {
                if index > 0 && used + 1 + word.width() > self.width.max(before + 20) {
                    self.out.push_str(line.trim_end());
                    self.out.push('\n');
                    line = " ".repeat(before);
                    used = before;
                } else if index > 0 {
                    line.push(' ');
                    used += 1;
                }
                line.push_str(&self.painted(style, word));
                used += word.width();
            }
            self.out.push_str(line.trim_end());
            self.out.push('\n');
        }
        self.blank();
    }

    fn line(&mut self, text: &str, style: &str) {
        let text = self.painted(style, text);
        self.out.push_str(&text);
        self.out.push('\n');
    }

    /// An empty line, unless there is one already.
    fn blank(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    fn painted(&self, style: &str, text: &str) -> String {
        painted(self.color, style, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A `title` here\n\nA long paragraph with **bold** words, `code`, and a [page](other.md), then \
        [the web](https://x.org).\n\n- first item that is also long enough to be wrapped\n- second\n  1. inner\n\n\
        ```yaml\na: 1\n  b: 2\n```\n\n| flag | does |\n|---|---|\n| `--a` | something that is long enough to be wrapped as well |\n";

    #[test]
    fn a_page_fits_its_width_and_keeps_words_together() {
        let text = rendered(PAGE, 40, false);
        assert!(text.lines().all(|line| line.width() <= 40), "{text}");
        assert_eq!(
            text,
            "A title here\n\nA long paragraph with bold words, code,\nand a page, then the web\n<https://x.org>.\n\n\
             - first item that is also long enough to\n  be wrapped\n- second\n  1. inner\n\n    a: 1\n      b: 2\n\n\
             flag  does\n--a   something that is long enough to\n      be wrapped as well\n"
        );
    }

    #[test]
    fn colors_mark_headings_and_code() {
        let text = rendered("# T\n\n`c`\n", 80, true);
        assert_eq!(text, "\u{1b}[1;4mT\u{1b}[0m\n\n\u{1b}[36mc\u{1b}[0m\n");
        assert!(!rendered(PAGE, 80, false).contains('\u{1b}'));
    }
}
