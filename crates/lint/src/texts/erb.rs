//! ERB templates.

use hieratic::puppet_eval::ruby::check_template;
use hieratic_diagnostics::{Source, Span};

use crate::finding::Finding;
use crate::rules;

/// Finds the first syntax error of a template. An unclosed tag is not a syntax error, but the text after it is probably
/// unintended.
pub(crate) fn check(source: &Source) -> Vec<Finding> {
    let Err(error) = check_template(source.text(), source.name()) else {
        return unclosed(source).into_iter().collect();
    };
    // The error of an unclosed block is at the end of the generated code.
    let last = u32::try_from(source.text().lines().count()).unwrap_or(u32::MAX).max(1);
    let line = error.line.clamp(1, last);
    let start = source.offset(line, 1);
    let text = source.text().get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let indent = text.len() - text.trim_start().len();
    let span = Span::new(start + indent, start + text.trim_end().len().max(indent));
    let message = format!("the Ruby of this template cannot be read: {}", error.message);
    vec![Finding::new(&rules::TEMPLATE_SYNTAX, message).at(source, span, "here")]
}

/// A tag that is never closed: what follows it is printed as it is.
fn unclosed(source: &Source) -> Option<Finding> {
    let text = source.text();
    let mut from = 0;
    loop {
        let start = from + text[from..].find("<%")?;
        let inside = start + 2;
        if text[inside..].starts_with('%') {
            from = inside + 1;
            continue;
        }
        // Behind a percent sign, the end is text.
        let mut ends = text[inside..].match_indices("%>").map(|(at, _)| inside + at);
        let end = ends.find(|end| !text[inside..*end].ends_with('%'));
        match end {
            Some(end) => from = end + 2,
            None => {
                let message = "this tag is never closed: ERB prints what follows as text";
                let finding = Finding::new(&rules::TEMPLATE_SYNTAX, message).softened();
                let finding = finding.at(source, Span::new(start, inside), "here");
                return Some(finding.help("close it with %>, or write <%% for the two characters"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unclosed_tags_are_findings() {
        let lines =
            |text: &str| check(&Source::new("a.erb", text)).iter().filter_map(Finding::line).collect::<Vec<_>>();
        assert_eq!(lines("a\n<%= @b\n"), [2]);
        assert_eq!(lines("a <%u%%%d> b\n"), [1]);
        assert_eq!(lines("<%= '%%>' %> <%% <%# x %>\n"), [] as [u32; 0]);
        assert_eq!(lines("<% if @a %>\nb\n<% end\n"), [3]);
    }
}
