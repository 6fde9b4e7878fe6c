//! Renders messages for people: the error, the underlined source line, and what to try.
//!
//! ```text
//! error[data-syntax]: did not find expected ','
//!  --> data/common.yaml:2:7
//!   |
//! 2 | port: {80
//!   |       ^^^ here
//!   |
//!   = help: close the brace
//! ```

use annotate_snippets::renderer::{AnsiColor, DecorStyle, Effects};
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use super::control_chars::{part, visible, visible_line};
use super::excerpt::Excerpt;
use super::wrap::wrap;
use crate::{Diagnostic, Location, Severity};

/// The style of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether to write colors.
    pub color: bool,
    /// The width of the terminal in characters. Longer source lines are cut. `None` means 140.
    pub width: Option<usize>,
    /// Whether to wrap messages, notes and help at the width of the terminal.
    pub wraps: bool,
    /// Whether to write Puppet's first line (`Error: ...`, `Warning: ...`, `Notice: ...`, without the code), followed
    /// by the excerpts and by lines with `note: ` and `help: `.
    pub verbatim: bool,
}

/// Returns a message for people, with a newline at the end. Commands of CI systems are not escaped yet, because
/// redaction must search the unescaped secrets: call [`escape_commands`](super::escape_commands()) last.
///
/// ```
/// use hieratic_diagnostics::{Code, Diagnostic, Severity, render};
///
/// const CODE: Code = Code::new("io", "A file cannot be read");
/// let diagnostic = Diagnostic::new(Severity::Error, CODE, "Could not run: no such file").help("look for it");
/// let style = render::Style { verbatim: true, ..render::Style::default() };
/// assert_eq!(render::human(&diagnostic, &style), "Error: Could not run: no such file\nhelp: look for it\n");
/// ```
pub fn human(diagnostic: &Diagnostic, style: &Style) -> String {
    let mut out = if style.verbatim { as_puppet(diagnostic, style) } else { as_rustc(diagnostic, style) };
    out.push('\n');
    out
}

fn as_rustc(diagnostic: &Diagnostic, style: &Style) -> String {
    let notes = diagnostic.notes.iter().map(|note| Level::NOTE.message(part(note)));
    let help = diagnostic.help.iter().map(|help| Level::HELP.message(part(help)));
    let group = level(diagnostic.severity)
        .primary_title(part(&diagnostic.message))
        .id(visible_line(diagnostic.code.id()))
        .elements(places(diagnostic))
        .elements(notes.chain(help));
    let titles = diagnostic.message.split('\n').count();
    with_gutter(renderer(style).render(&[group]), diagnostic, titles)
}

fn as_puppet(diagnostic: &Diagnostic, style: &Style) -> String {
    let (word, color) = match diagnostic.severity {
        Severity::Error => ("Error", AnsiColor::Red),
        Severity::Warning => ("Warning", AnsiColor::Yellow),
        Severity::Note => ("Notice", AnsiColor::Green),
    };
    let title = fitted(format!("{word}: {}", part(&diagnostic.message)), style);
    let color = color.on_default().effects(Effects::BOLD);
    let mut parts = vec![if style.color { format!("{color}{title}{color:#}") } else { title }];
    let places = places(diagnostic);
    if !places.is_empty() {
        let group = Group::with_level(level(diagnostic.severity)).elements(places);
        parts.push(with_gutter(renderer(style).render(&[group]), diagnostic, 0));
    }
    parts.extend(diagnostic.notes.iter().map(|note| fitted(format!("note: {}", part(note)), style)));
    parts.extend(diagnostic.help.iter().map(|help| fitted(format!("help: {}", part(help)), style)));
    parts.join("\n")
}

/// Divides the lines of a message where they are wider than the terminal.
fn fitted(text: String, style: &Style) -> String {
    let Some(width) = style.width.filter(|_| style.wraps) else { return text };
    text.split('\n').flat_map(|line| wrap(line, width, "  ")).collect::<Vec<_>>().join("\n")
}

/// The positions of a message: excerpts of sources, and the names of positions without a source.
fn places(diagnostic: &Diagnostic) -> Vec<Element<'static>> {
    let mut places: Vec<Element<'static>> = Vec::new();
    for excerpt in Excerpt::from_labels(&diagnostic.labels) {
        if let Some(place) = excerpt.displaced_position().filter(|_| !excerpt.source().name().is_empty()) {
            // Columns in a moved excerpt would be wrong.
            let (line, column) = (Some(place.line), Some(place.column));
            let location = Location { file: excerpt.source().name().to_owned(), line, column };
            places.push(origin(&location).into());
            places.push(snippet(&excerpt, "").into());
        } else {
            places.push(snippet(&excerpt, excerpt.source().name()).into());
        }
    }
    places.extend(diagnostic.locations.iter().map(|location| Element::from(origin(location))));
    places
}

fn snippet(excerpt: &Excerpt<'_>, name: &str) -> Snippet<'static, annotate_snippets::Annotation<'static>> {
    let shown = excerpt.render();
    let annotations = excerpt.labels().zip(shown.ranges).map(|(label, range)| {
        let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        kind.span(range).label((!label.text.is_empty()).then(|| visible(&label.text)))
    });
    let annotations: Vec<_> = annotations.collect();
    let snippet = Snippet::source(shown.text).line_start(excerpt.first_line() as usize).annotations(annotations);
    match name {
        // Without a file, the line number is enough.
        "" => snippet,
        name => snippet.path(visible_line(name)),
    }
}

fn origin(location: &Location) -> Origin<'static> {
    let mut origin = Origin::path(visible_line(&location.file));
    if let Some(line) = location.line {
        origin = origin.line(line as usize);
    }
    if let Some(column) = location.column {
        origin = origin.char_column(column as usize);
    }
    origin
}

/// Removes the gutter if no line number is shown. rustc reserves one digit, which indents the lines after the title by
/// one space.
fn with_gutter(text: String, diagnostic: &Diagnostic, titles: usize) -> String {
    if !diagnostic.labels.is_empty() {
        // Lines of a source that is named above have an empty name here.
        let lines = text.split('\n').filter(|line| line.trim() != ":::");
        return lines.collect::<Vec<_>>().join("\n");
    }
    let indented = |(at, line): (usize, &str)| if at < titles { line.to_string() } else { format!(" {line}") };
    text.split('\n').enumerate().map(indented).collect::<Vec<_>>().join("\n")
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

fn renderer(style: &Style) -> Renderer {
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() }.decor_style(DecorStyle::Ascii);
    match style.width {
        Some(width) => renderer.term_width(width),
        None => renderer,
    }
}
