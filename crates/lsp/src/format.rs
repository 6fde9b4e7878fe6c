//! Formatting: HCL in the layout of `hclfmt`, and the arrows of resources in columns.

use hieratic::value::ErasedSort as _;
use lsp_server::ResponseError;
use lsp_types::{Range, TextEdit};

use crate::client::failed;
use crate::code::symbol_at::CodeWords;
use crate::document::{Document, Language};

/// The edits that format a document; none where nothing formats it.
pub(crate) fn format(document: &Document) -> Result<Option<Vec<TextEdit>>, ResponseError> {
    match document.language {
        Language::Hcl => {
            // A file with syntax errors may change its meaning when it is formatted.
            if document.hcl().problems.has_errors() {
                return Err(failed("the file has errors, and is not formatted"));
            }
            let formatted = hieratic_hcl_syntax::format(document.text.as_bytes());
            let formatted = String::from_utf8(formatted).map_err(|_| failed("the result is not UTF-8"))?;
            Ok(Some(difference(document, &formatted)))
        }
        Language::Manifest => {
            if document.parsed().program.is_none() {
                return Err(failed("the file has errors, and is not formatted"));
            }
            Ok(Some(arrows(document)))
        }
        _ => Ok(None),
    }
}

/// The lines that differ, as one edit: editors keep the cursor where it is in the others.
fn difference(document: &Document, formatted: &str) -> Vec<TextEdit> {
    let before: Vec<&str> = document.text.split_inclusive('\n').collect();
    let after: Vec<&str> = formatted.split_inclusive('\n').collect();
    if before == after {
        return Vec::new();
    }
    let same = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let rest = before.len().min(after.len()) - same;
    let end = before.iter().rev().zip(after.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let start_at: usize = before[..same].iter().map(|line| line.len()).sum();
    let end_at: usize = before[..before.len() - end].iter().map(|line| line.len()).sum();
    let range: Range = document.range(start_at..end_at);
    vec![TextEdit { range, new_text: after[same..after.len() - end].concat() }]
}

/// An arrow and the word before it.
struct Arrow {
    word_start: usize,
    word_end: usize,
    at: usize,
    line: usize,
}

/// Aligns the arrows of attributes, and of the hashes in them, in one column per brace, as puppet-lint's rule
/// `arrow_alignment` does. A brace with two arrows on one line is left alone.
fn arrows(document: &Document) -> Vec<TextEdit> {
    let words = CodeWords::new(document);
    let mut open: Vec<(bool, Vec<Arrow>)> = Vec::new();
    let mut edits = Vec::new();
    for index in 0..words.len() {
        match words.text(index) {
            "{" => {
                let is_resource = words.resource_around(index + 1).is_some_and(|(.., at)| at == index);
                let is_inside = open.last().is_some_and(|(is_resource, _)| *is_resource);
                open.push((is_resource || is_inside, Vec::new()));
            }
            "}" => {
                if let Some((true, all)) = open.pop() {
                    edits.extend(align(document, &all));
                }
            }
            // A further resource in the same braces has its own column.
            ";" => {
                if let Some((true, all)) = open.last_mut() {
                    edits.extend(align(document, all));
                    all.clear();
                }
            }
            "=>" => {
                let Some(before) = index.checked_sub(1) else { continue };
                let (word, arrow) = (words.extent(before).range(), words.extent(index).range());
                if let Some((true, all)) = open.last_mut() {
                    let line = document.lines.line_of(arrow.start);
                    all.push(Arrow { word_start: word.start, word_end: word.end, at: arrow.start, line });
                }
            }
            _ => {}
        }
    }
    edits.sort_erased_by_key(|edit| (edit.range.start.line, edit.range.start.character));
    edits
}

impl Arrow {
    /// The column after the word before the arrow.
    fn column(&self, document: &Document) -> usize {
        document.before(self.word_end).chars().count()
    }

    /// Returns whether nothing else is before the word and the arrow on their line.
    fn is_first_on_line(&self, document: &Document) -> bool {
        let before = document.before(self.word_start);
        before.trim().is_empty() && document.lines.line_of(self.word_start) == self.line
    }
}

fn align(document: &Document, all: &[Arrow]) -> Vec<TextEdit> {
    let shares = all.windows(2).any(|pair| pair[0].line == pair[1].line);
    if shares || all.is_empty() || !all.iter().all(|arrow| arrow.is_first_on_line(document)) {
        return Vec::new();
    }
    let widest = all.iter().map(|arrow| arrow.column(document)).max().unwrap_or(0);
    let mut edits = Vec::new();
    for arrow in all {
        let spaces = " ".repeat(widest - arrow.column(document) + 1);
        let written = document.slice(arrow.word_end..arrow.at);
        if written != spaces && written.trim().is_empty() {
            edits.push(TextEdit { range: document.range(arrow.word_end..arrow.at), new_text: spaces });
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use lsp_types::Url;

    use super::*;
    use crate::positions::Encoding;

    fn formatted(text: &str) -> String {
        let uri = Url::parse("file:///a.pp").unwrap();
        let document = Document::new("/a.pp".into(), uri, None, Language::Manifest, text, Encoding::Utf8);
        let mut text = text.to_owned();
        let mut edits = format(&document).unwrap().unwrap();
        edits.reverse();
        for edit in edits {
            let span = document.lines.span(&document.text, edit.range);
            text.replace_range(span, &edit.new_text);
        }
        text
    }

    #[test]
    fn arrows_of_a_resource_are_in_one_column() {
        let text = "file { '/a':\n  ensure => file,\n  mode=> '0644',\n  content   => epp('a/b', {\n    'x' => 1,\n    'long' => 2,\n  }),\n}\n";
        let after = "file { '/a':\n  ensure  => file,\n  mode    => '0644',\n  content => epp('a/b', {\n    'x'    => 1,\n    'long' => 2,\n  }),\n}\n";
        assert_eq!(formatted(text), after);
        assert_eq!(formatted(after), after);
    }

    #[test]
    fn other_arrows_are_left_alone() {
        for text in [
            "$a = {\n  'x' => 1,\n  'long' => 2,\n}\n",
            "file { '/a': ensure => file, mode=> '0644' }\n",
            "$b = $c ? {\n  'x' => 1,\n  default => 2,\n}\n",
        ] {
            assert_eq!(formatted(text), text);
        }
    }
}
