//! Heredocs with `<<-`: the common indentation of all lines is removed.
//!
//! Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#template-expressions>

use hieratic_source::graphemes;

use super::TemplatePart;
use super::parts::trimmed;
use crate::grapheme_count;

/// Removes the common indentation from the literals that begin a line. Blank lines do not count and are not changed.
pub(super) fn trim_indentation(parts: &mut [TemplatePart<'_>]) {
    let mut least = None;
    let mut at_start = true;
    let mut lines = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let text = match part {
            TemplatePart::Text { text, .. } => Some(&**text),
            _ => None,
        };
        if std::mem::take(&mut at_start) {
            let indentation = match text {
                Some(text) => indentation(text),
                None => Some(0),
            };
            if let Some(indentation) = indentation {
                least = Some(least.map_or(indentation, |least: u32| least.min(indentation)));
                lines.push(index);
            }
        }
        at_start = text.is_some_and(|text| text.ends_with('\n'));
    }
    let least = least.unwrap_or(0) as usize;
    for line in lines {
        if let Some(TemplatePart::Text { text, span }) = parts.get_mut(line) {
            let length: usize = graphemes(text).take(least).map(str::len).sum();
            *text = trimmed(std::mem::take(text), |text| text.get(length..).unwrap_or_default());
            span.start += length as u32;
        }
    }
}

/// The width of the leading blanks of a literal, in grapheme clusters; `None` for a blank line.
fn indentation(text: &str) -> Option<u32> {
    let rest = text.trim_start();
    if rest.is_empty() && text.ends_with('\n') {
        return None;
    }
    Some(grapheme_count(text.as_bytes().get(..text.len() - rest.len()).unwrap_or_default()))
}
