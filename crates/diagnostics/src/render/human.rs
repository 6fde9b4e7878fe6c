//! For people: the message, the line of the source with the fault underlined, and what to try.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, renderer::DecorStyle};

use super::visible;
use crate::{Diagnostic, Label, Severity};

/// How messages look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// With colours.
    pub color: bool,
    /// The width of the terminal in characters.
    pub width: Option<usize>,
    /// The first line as Puppet writes it: `Error: ...`, `Warning: ...`, without the code.
    pub verbatim: bool,
}

/// A line of the source that is longer than this is cut around the fault.
const LONGEST_LINE: usize = 400;

/// Writes a message for people.
pub fn human(diagnostic: &Diagnostic, style: &Style) -> String {
    let mut out = title(diagnostic, style);
    out.push('\n');
    for label in &diagnostic.labels {
        out.push_str(&snippet(label, diagnostic.severity, style));
        out.push('\n');
    }
    for location in &diagnostic.locations {
        let number = |number: Option<u32>| number.map_or(String::new(), |number| format!(":{number}"));
        out.push_str(&format!(" --> {}{}{}\n", visible(&location.file), number(location.line), number(location.column)));
    }
    for (what, texts) in [("note", &diagnostic.notes), ("help", &diagnostic.help)] {
        for text in texts {
            out.push_str(&format!("{what}: {}\n", visible(text)));
        }
    }
    out
}

fn title(diagnostic: &Diagnostic, style: &Style) -> String {
    let (name, color) = match diagnostic.severity {
        Severity::Error => ("Error", "31"),
        Severity::Warning => ("Warning", "33"),
        Severity::Note => ("Note", "32"),
    };
    let message = visible(&diagnostic.message);
    let text = match style.verbatim {
        true => format!("{name}: {message}"),
        false => format!("{}[{}]: {message}", name.to_lowercase(), diagnostic.code),
    };
    if style.color { format!("\u{1b}[1;{color}m{text}\u{1b}[0m") } else { text }
}

/// The line of a label, underlined.
fn snippet(label: &Label, severity: Severity, style: &Style) -> String {
    let source = &label.source;
    let span = source.clamp(label.span);
    let place = source.place(span.start);
    let line_start = source.text()[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let line = source.text()[line_start..].split('\n').next().unwrap_or("").trim_end_matches('\r');
    // Characters, because what is shown may have other lengths than what is in the source.
    let before = source.text()[line_start..span.start.min(line_start + line.len())].chars().count();
    let marked = source.text()[span.start..span.end.min(line_start + line.len()).max(span.start)].chars().count().max(1);
    let shown: Vec<char> = visible(line).chars().collect();
    let from = if shown.len() > LONGEST_LINE { before.saturating_sub(LONGEST_LINE / 4) } else { 0 };
    let text: String = shown.iter().skip(from).take(LONGEST_LINE).collect::<String>() + " ";
    let byte = |characters: usize| text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    let start = byte(before - from);
    let end = byte(before - from + marked).max(start);
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
    let mut annotation = kind.span(start..end);
    let text_of_label = visible(&label.text);
    if !text_of_label.is_empty() {
        annotation = annotation.label(text_of_label);
    }
    let name = visible(source.name());
    let snippet = Snippet::source(text.as_str()).line_start(place.line as usize).path(name).annotation(annotation);
    let group = Group::with_level(level).element(snippet);
    let mut renderer = if style.color { Renderer::styled() } else { Renderer::plain() }.decor_style(DecorStyle::Ascii);
    if let Some(width) = style.width {
        renderer = renderer.term_width(width);
    }
    renderer.render(&[group]).to_string()
}
