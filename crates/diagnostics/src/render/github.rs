//! Renders messages as GitHub's workflow commands, which become annotations of a commit or a pull request.
//!
//! See <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>.

use super::control_chars::{visible, visible_line};
use super::workflow_commands::escape_commands;
use crate::{Diagnostic, Severity};

/// Writes a message as one line, without a newline.
///
/// ```
/// use hieratic_diagnostics::{Code, Diagnostic, Severity, render};
///
/// const CODE: Code = Code::new("unused-key", "A key is never looked up");
/// let diagnostic = Diagnostic::new(Severity::Warning, CODE, "100% unused").location("a,b.yaml", Some(3), None);
/// assert_eq!(render::github(&diagnostic), "::warning file=a%2Cb.yaml,line=3,title=unused-key::100%25 unused");
/// ```
pub fn github(diagnostic: &Diagnostic) -> String {
    let command = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = Vec::new();
    let mut property = |name: &str, value: &str| properties.push(format!("{name}={}", escaped(value, true)));
    let label = diagnostic.labels.iter().find(|label| label.primary);
    if let Some(label) = label {
        let (start, end) = label.source.ends(label.span);
        property("file", &visible_line(label.source.name()));
        property("line", &start.line.to_string());
        property("endLine", &end.line.to_string());
        // Columns are understood within one line only.
        if start.line == end.line {
            property("col", &start.column.to_string());
            property("endColumn", &end.column.max(start.column).to_string());
        }
    } else if let Some(location) = diagnostic.locations.first() {
        property("file", &visible_line(&location.file));
        if let Some(line) = location.line {
            property("line", &line.to_string());
        }
    }
    property("title", diagnostic.code.id());
    let texts = std::iter::once(&diagnostic.message).chain(&diagnostic.notes).chain(&diagnostic.help);
    let text = texts.map(String::as_str).collect::<Vec<_>>().join("\n");
    // GitHub reads the beginning of the line; others look for their commands anywhere in it.
    let rest = format!(" {}::{}", properties.join(","), escaped(&visible(&text), false));
    format!("::{command}{}", escape_commands(&rest))
}

/// Text as the runner reads it back; in properties commas and colons mean something, too.
fn escaped(text: &str, property: bool) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    if property { text.replace(':', "%3A").replace(',', "%2C") } else { text }
}
