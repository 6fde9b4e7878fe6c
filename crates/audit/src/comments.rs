//! [`Ignores`]: comments that accept what is found on a line.

use crate::finding::Finding;

/// The mark of such a comment; the codes follow it.
const MARK: &str = "hieratic: ignore ";

/// Comments that accept what is found on their line or the one behind: `# hieratic: ignore duplicate-key, unused-key`.
///
/// Any comment of any language does, since only the words count.
///
/// ```
/// use hieratic_audit::Ignores;
///
/// assert!(Ignores::on("port: 1 # hieratic: ignore duplicate-key").any(|code| code == "duplicate-key"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ignores;

impl Ignores {
    /// The codes that a line accepts.
    pub fn on(line: &str) -> impl Iterator<Item = &str> {
        let codes = line.find(MARK).map_or("", |at| &line[at + MARK.len()..]);
        let end =
            codes.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | ',' | ' '))).unwrap_or(codes.len());
        // A word behind the codes, or the end of a comment (`-->`, `%>`), is no code.
        codes[..end].split([',', ' ']).map(|code| code.trim_matches('-')).filter(|code| !code.is_empty())
    }

    /// Whether a comment accepts a finding, by the code of its rule or the more exact one.
    pub(crate) fn accept(finding: &Finding) -> bool {
        let Some((source, span)) = finding.primary() else { return false };
        let line = source.start(span).line;
        let accepts = |line: u32| {
            let span = source.line(line);
            let text = source.slice(span);
            Ignores::on(text).any(|code| finding.rule.code == code || finding.diagnostic.code == code)
        };
        accepts(line) || line > 1 && is_comment(source, line - 1) && accepts(line - 1)
    }
}

/// Whether a line has nothing but a comment: one behind a value is about its own line.
fn is_comment(source: &hieratic_diagnostics::Source, line: u32) -> bool {
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
        assert_eq!(codes("a: 1"), [] as [&str; 0]);
    }
}
