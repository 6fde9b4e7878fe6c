//! [`Ignores`]: comments that accept the findings on a line.

use hieratic::value::collections::HashMap;
use hieratic_diagnostics::{Source, Span};

use crate::finding::Finding;

/// The marks of such a comment; the codes follow them.
const MARKS: [&str; 2] = ["hieratic: ignore ", "hieratic:ignore "];

/// A code that a comment ignores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IgnoredCode<'t> {
    /// The line of the comment, counted from 1.
    pub(crate) line: u32,
    /// The span of the code.
    pub(crate) span: Span,
    /// The code.
    pub(crate) code: &'t str,
}

/// Comments that accept the findings on their line or on the next one: `# hieratic: ignore duplicate-key, unused-key`.
///
/// The syntax of the comment does not matter: only the words count.
///
/// ```
/// use hieratic_lint::Ignores;
///
/// assert!(Ignores::on("port: 1 # hieratic: ignore duplicate-key").any(|code| code == "duplicate-key"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ignores;

impl Ignores {
    /// Returns the codes in the comments of a line.
    pub fn on(line: &str) -> impl Iterator<Item = &str> {
        let start = MARKS.iter().find_map(|mark| Some(line.find(mark)? + mark.len()));
        let codes = start.map_or("", |start| &line[start..]);
        let end =
            codes.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | ',' | ' '))).unwrap_or(codes.len());
        // A word after the codes, or the end of a comment (`-->`, `%>`), is not a code.
        codes[..end].split([',', ' ']).map(|code| code.trim_matches('-')).filter(|code| !code.is_empty())
    }

    /// Returns whether a file contains such comments.
    pub(crate) fn are_in(text: &str) -> bool {
        MARKS.iter().any(|mark| text.contains(mark))
    }

    /// The codes that the comments of a file ignore.
    pub(crate) fn in_text(source: &Source) -> Vec<IgnoredCode<'_>> {
        let mut written = Vec::new();
        let mut start = 0;
        for (index, text) in source.text().split_inclusive('\n').enumerate() {
            if Ignores::are_in(text) {
                let at = |code: &str| start + (code.as_ptr() as usize - text.as_ptr() as usize);
                // Four thousand million lines do not fit into a file that is read.
                let line = u32::try_from(index + 1).unwrap_or(u32::MAX);
                let codes = Ignores::on(text);
                written.extend(codes.map(|code| IgnoredCode {
                    line,
                    span: Span::new(at(code), at(code) + code.len()),
                    code,
                }));
            }
            start += text.len();
        }
        written
    }

    /// Removes the findings that comments accept.
    pub(crate) fn remove_accepted(findings: &mut Vec<Finding>) {
        let mut lines = IgnoredLines::default();
        findings.retain(|finding| lines.accepted(finding).is_none());
    }
}

/// The codes that lines accept. A long line may have many findings, and is read once.
#[derive(Debug, Default)]
pub(crate) struct IgnoredLines {
    /// By the address of the text and the number of the line.
    codes: HashMap<(usize, u32), Vec<String>>,
}

impl IgnoredLines {
    /// Returns the line of the comment that accepts a finding, and the code by which it does: that of its rule, or its
    /// more specific one.
    pub(crate) fn accepted(&mut self, finding: &Finding) -> Option<(u32, String)> {
        let (source, span) = finding.primary()?;
        let line = source.start(span).line;
        self.accepted_by(finding, source, line).or_else(|| {
            let is_above = line > 1 && is_comment(source, line - 1);
            is_above.then(|| self.accepted_by(finding, source, line - 1)).flatten()
        })
    }

    fn accepted_by(&mut self, finding: &Finding, source: &Source, line: u32) -> Option<(u32, String)> {
        let codes = self.codes.entry((source.text().as_ptr() as usize, line)).or_insert_with(|| {
            let text = source.slice(source.line(line));
            Ignores::on(text).map(str::to_owned).collect()
        });
        let is_meant = |code: &&String| finding.rule.is_selected_by(code) || finding.diagnostic.code == code.as_str();
        codes.iter().find(is_meant).map(|code| (line, code.clone()))
    }
}

/// Returns whether a line is only a comment. A comment after a value belongs to its own line.
fn is_comment(source: &Source, line: u32) -> bool {
    let span = source.line(line);
    let text = source.slice(span).trim_start();
    ["#", "//", "/*", "<%#", "<%-#", "{#", "{{/*"].iter().any(|start| text.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_end_where_the_comment_does() {
        let codes = |line| Ignores::on(line).collect::<Vec<_>>();
        assert_eq!(codes("a: 1 # hieratic: ignore duplicate-key, unused-key"), ["duplicate-key", "unused-key"]);
        assert_eq!(codes("<%# hieratic: ignore manifest %>"), ["manifest"]);
        assert_eq!(codes("{# hieratic: ignore template-syntax #}"), ["template-syntax"]);
        assert_eq!(codes("a: 1 # hieratic:ignore unused-key"), ["unused-key"]);
        assert_eq!(codes("a: 1"), [] as [&str; 0]);
    }

    #[test]
    fn codes_have_spans() {
        let source = Source::new("a.yaml", "a: 1\n# hieratic: ignore unused-key, unknown-key\n");
        let written = Ignores::in_text(&source);
        let found: Vec<(u32, &str)> = written.iter().map(|one| (one.line, source.slice(one.span))).collect();
        assert_eq!(found, [(2, "unused-key"), (2, "unknown-key")]);
    }
}
