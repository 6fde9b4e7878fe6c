//! ERB templates.

use hieratic::puppet::ruby::check_template;
use hieratic_diagnostics::{Source, Span};

use crate::finding::Finding;
use crate::rules;

/// What keeps a template from being read: its first error.
pub(crate) fn check(source: &Source) -> Vec<Finding> {
    let Err(error) = check_template(source.text(), source.name()) else { return Vec::new() };
    // Where a block is never closed, the parser is at the end of what was made of the template.
    let last = u32::try_from(source.text().lines().count()).unwrap_or(u32::MAX).max(1);
    let line = error.line.clamp(1, last);
    let start = source.offset(line, 1);
    let text = source.text().get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let indent = text.len() - text.trim_start().len();
    let span = Span::new(start + indent, start + text.trim_end().len().max(indent));
    let message = format!("the Ruby of this template cannot be read: {}", error.message);
    vec![Finding::new(&rules::TEMPLATE_SYNTAX, message).at(source, span, "here")]
}
