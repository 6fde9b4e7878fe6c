//! # template-syntax
//!
//! A Jinja2 or ERB template cannot be read. (error)
//!
//! ## What is found
//!
//! A `.j2`, `.jinja` or `.jinja2` file contains an invalid expression or block. Names of variables are not checked: they
//! can come from anywhere. A filter that is nearly another one is an [unknown-filter](unknown-filter.md).
//!
//! Or the Ruby in a template of ERB has a syntax error. Such a template is a file `*.erb` below a folder `templates`,
//! or a file of any other name below `MODULE/templates` that has a tag: `template('ntp/ntp.conf')` reads any file. A
//! tag that is never closed is a warning: ERB prints the rest as text. Hieratic reads it with Ruby's own parser. Ruby
//! that is valid and that [Hieratic does not evaluate](../ruby.md#missing-parts) is not reported.
//!
//! ## Why it matters
//!
//! Rendering the template fails.
//!
//! ## How to fix it
//!
//! Close the open block. The message names the expected token.
//!
//! ## Example
//!
//! ```jinja
//! # site.conf.j2
//! {% if tls %}
//! listen 443;
//! ```
//!
//! becomes
//!
//! ```jinja
//! # site.conf.j2
//! {% if tls %}
//! listen 443;
//! {% endif %}
//! ```
//!
//! A comment `# hieratic: ignore template-syntax` on the same line or the line before accepts the finding.

use hieratic::jinja::check_syntax;
use hieratic::puppet_eval::ruby::check_template;
use hieratic_diagnostics::{Diagnose, Source, Span};

use crate::finding::Finding;
use crate::rules;

/// Finds the syntax errors of a Jinja2 template.
pub(crate) fn jinja(source: &Source) -> Vec<Finding> {
    match check_syntax(source) {
        Ok(()) => Vec::new(),
        Err(error) => {
            let diagnostics = error.diagnose().into_iter();
            diagnostics.map(|diagnostic| Finding::from_diagnostic(&rules::TEMPLATE_SYNTAX, diagnostic)).collect()
        }
    }
}

/// Finds the first syntax error of an ERB template. An unclosed tag is not a syntax error, but the text after it is probably
/// unintended.
pub(crate) fn erb(source: &Source) -> Vec<Finding> {
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
        let lines = |text: &str| erb(&Source::new("a.erb", text)).iter().filter_map(Finding::line).collect::<Vec<_>>();
        assert_eq!(lines("a\n<%= @b\n"), [2]);
        assert_eq!(lines("a <%u%%%d> b\n"), [1]);
        assert_eq!(lines("<%= '%%>' %> <%% <%# x %>\n"), [] as [u32; 0]);
        assert_eq!(lines("<% if @a %>\nb\n<% end\n"), [3]);
    }
}
