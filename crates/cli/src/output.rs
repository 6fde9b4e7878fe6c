//! Answers on standard output.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

pub(crate) use hieratic::diagnostics::counted;
pub(crate) use hieratic::explain::path_text;
use hieratic::explain::segment_text;
use hieratic::lookup::{Object, Origin};
use hieratic::sandbox::SlashPath as _;
use hieratic::value::collections::HashMap;
use hieratic::{Hash, Redactor, Value};
use hieratic_diagnostics::Severity;
use hieratic_diagnostics::render::{sanitize, visible_line};
use hieratic_impact::leaves;
use hieratic_output::{RenderAs, Tree};
use unicode_width::UnicodeWidthStr;

use crate::args::Color;
use crate::streams::ANSWERS;
use crate::terminal;

/// Writes an answer to standard output, byte for byte.
pub(crate) fn print(text: &[u8]) {
    ANSWERS.write(text);
}

/// Standard output, where lost output is an error at the end.
pub(crate) struct Answers;

impl Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        print(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a string, and a newline at its end if it has none.
pub(crate) fn print_line(text: &str) {
    print_line_of_bytes(text.as_bytes());
}

/// Writes bytes with a newline at their end, unless they have one.
pub(crate) fn print_line_of_bytes(bytes: &[u8]) {
    print(bytes);
    // The newline is written separately: the bytes may be secret and are not copied.
    if !bytes.ends_with(b"\n") {
        print(b"\n");
    }
}

/// A part of a document: its path, its value, and the file, line and column that it comes from.
pub(crate) struct Row<'r> {
    pub(crate) path: &'r [Value],
    pub(crate) value: &'r Value,
    pub(crate) origin: Option<(&'r str, u32, u32)>,
}

/// The parts of a document as data.
#[derive(Default)]
pub(crate) struct OriginRows {
    rows: Vec<Value>,
    /// The names of files, interned.
    files: HashMap<String, Value>,
}

impl OriginRows {
    pub(crate) fn add(&mut self, row: &Row<'_>) {
        let mut pairs: Vec<(Value, Value)> =
            vec![("path".into(), row.path.to_vec().into()), ("value".into(), row.value.clone())];
        if let Some((file, line, column)) = row.origin {
            let name = self.files.entry(file.to_owned()).or_insert_with(|| file.into()).clone();
            pairs.push(("file".into(), name));
            pairs.push(("line".into(), Value::Integer(line.into())));
            pairs.push(("column".into(), Value::Integer(column.into())));
        }
        self.rows.push(pairs.into_iter().collect::<Hash>().into());
    }

    pub(crate) fn into_value(self) -> Value {
        self.rows.into()
    }
}

/// Values by key, with the origin of every part: lines of text, or data for tools.
pub(crate) fn origins(
    answers: &[(String, Object)],
    format: Option<RenderAs>,
    layout: &Layout,
    redactor: &Redactor,
) -> Result<(Vec<u8>, RenderAs), String> {
    match format {
        None | Some(RenderAs::S) => Ok((origin_lines(answers, redactor, layout).into_bytes(), RenderAs::S)),
        Some(format) => {
            let answers: Vec<(Value, Value)> =
                answers.iter().map(|(key, object)| (key.as_str().into(), origin_data(object, redactor))).collect();
            let document = match answers.as_slice() {
                [(_, only)] => only.clone(),
                _ => answers.into_iter().collect::<Hash>().into(),
            };
            rendered_report(&document, format)
        }
    }
}

/// `path = value  # file:line`, in columns.
fn origin_lines(answers: &[(String, Object)], redactor: &Redactor, layout: &Layout) -> String {
    let lines = answers.iter().flat_map(|(key, object)| {
        leaves(object, redactor).into_iter().map(move |leaf| {
            let path: String = leaf.path.iter().map(|segment| format!(".{}", segment_text(segment))).collect();
            let origin = leaf.origin.map_or("unknown".to_string(), |origin| origin_text(&origin));
            OriginLine::new(&format!("{key}{path}"), &one_line(&leaf.value), &origin)
        })
    });
    layout.in_columns(&lines.collect::<Vec<_>>())
}

/// A part of an answer and where it comes from, as one line whatever the data have in them.
pub(crate) struct OriginLine {
    path: String,
    value: String,
    origin: String,
}

impl OriginLine {
    pub(crate) fn new(path: &str, value: &str, origin: &str) -> OriginLine {
        let [path, value, origin] = [path, value, origin].map(visible_line);
        OriginLine { path, value, origin }
    }

    /// Creates a line that is not part of the answer.
    pub(crate) fn note(text: &str, origin: &str) -> OriginLine {
        OriginLine::new("", text, origin)
    }

    /// Returns the separator between the path and the value.
    fn between(&self) -> &'static str {
        if self.path.is_empty() { "" } else { " = " }
    }

    /// Returns the width of `path = value`, in columns.
    fn width(&self) -> usize {
        self.path.width() + self.value.width() + self.between().len()
    }
}

/// The separator before an origin.
const BEFORE_ORIGIN: &str = "  # ";

/// The layout of lines with origins.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layout {
    /// The width of the terminal in columns. If a line is wider, its origin is on the next line. `None` for a file or
    /// a pipe, where each part is on one line.
    pub(crate) width: Option<usize>,
    pub(crate) color: bool,
}

/// The maximum number of blanks before an origin.
const BLANKS: &str = "                                                                        ";

impl Layout {
    /// Returns the layout for standard output.
    pub(crate) fn of_process(when: Color) -> Layout {
        let stdout = std::io::stdout();
        let width = stdout.is_terminal().then(terminal::width).flatten();
        Layout { width, color: terminal::colors(when, &stdout) }
    }

    pub(crate) fn in_columns(&self, lines: &[OriginLine]) -> String {
        let origins = lines.iter().map(|line| line.origin.width()).max().unwrap_or(0);
        let column = self.columns(origins, lines.iter().map(OriginLine::width));
        let mut out = String::new();
        for line in lines {
            self.line(&mut out, column, &line.path, &line.value, line.width(), &line.origin);
        }
        out
    }

    /// Lines beyond this width do not push the origins of others out of sight.
    pub(crate) const WIDEST: usize = 72;

    /// Returns the column of origins of a width, given the widths of the lines.
    pub(crate) fn columns(&self, origins: usize, widths: impl Iterator<Item = usize>) -> usize {
        // An origin that takes most of a terminal leaves no room for a column.
        let origins = if origins == 0 { 0 } else { origins + BEFORE_ORIGIN.len() };
        let room =
            self.width.map_or(Self::WIDEST, |width| width.saturating_sub(origins).max(width / 2).min(Self::WIDEST));
        widths.filter(|width| *width <= room).max().unwrap_or(0)
    }

    /// Writes a line: what comes from somewhere, so wide, and where that is.
    pub(crate) fn line(&self, out: &mut String, column: usize, path: &str, value: &str, wide: usize, origin: &str) {
        self.paint(out, "36", &[path]);
        out.push_str(if path.is_empty() { "" } else { " = " });
        out.push_str(value);
        let end = wide.max(column);
        if self.width.is_some_and(|width| end + BEFORE_ORIGIN.len() + origin.width() > width) {
            out.push_str("\n  ");
        } else {
            out.push_str(BLANKS.get(..column.saturating_sub(wide)).unwrap_or_default());
        }
        self.paint(out, "2", &[BEFORE_ORIGIN, origin]);
        out.push('\n');
    }

    /// Appends strings in a color. Nothing is appended if there are none.
    fn paint(&self, out: &mut String, code: &str, texts: &[&str]) {
        let colored = self.color && texts.iter().any(|text| !text.is_empty());
        let [before, between, after] = if colored { ["\u{1b}[", "m", "\u{1b}[0m"] } else { [""; 3] };
        out.push_str(before);
        out.push_str(if colored { code } else { "" });
        out.push_str(between);
        texts.iter().for_each(|text| out.push_str(text));
        out.push_str(after);
    }
}

/// Counts the findings of each severity, in words: `1 error, 2 warnings`. `None` without any.
pub(crate) fn count_severities(all: impl Iterator<Item = Severity>) -> Option<String> {
    let mut counts = [(Severity::Error, 0), (Severity::Warning, 0), (Severity::Note, 0)];
    for severity in all {
        counts.iter_mut().filter(|(known, _)| *known == severity).for_each(|(_, count)| *count += 1);
    }
    let parts = counts.into_iter().filter(|(_, count)| *count > 0);
    let parts: Vec<String> = parts.map(|(severity, count)| counted(count, severity.name())).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn one_line(value: &Value) -> String {
    value.inspect()
}

fn origin_data(object: &Object, redactor: &Redactor) -> Value {
    let parts = leaves(object, redactor).into_iter().map(|leaf| {
        let mut pairs: Vec<(Value, Value)> = vec![("path".into(), leaf.path.into()), ("value".into(), leaf.value)];
        match leaf.origin {
            Some(Origin::File { file, line, column }) => {
                pairs.push(("file".into(), file.to_slashes().into()));
                pairs.push(("line".into(), Value::Integer(line.into())));
                pairs.push(("column".into(), Value::Integer(column.into())));
            }
            Some(Origin::Named(name)) => pairs.push(("from".into(), Value::String(name))),
            None => pairs.push(("from".into(), "unknown".into())),
        }
        Value::from(pairs.into_iter().collect::<Hash>())
    });
    let parts: Value = parts.collect();
    [("value", redactor.answer(object)), ("origins", parts)].into_iter().collect::<Hash>().into()
}

/// Formats an origin, with its file relative to the current folder.
pub(crate) fn origin_text(origin: &Origin) -> String {
    let Origin::File { file, line, .. } = origin else { return origin.to_string() };
    format!("{}:{line}", relative_file(file))
}

/// Returns the path of a file relative to the current folder.
pub(crate) fn relative_file(file: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    file.strip_prefix(&here).unwrap_or(file).to_slashes()
}

/// Parses the value of `--format`.
pub(crate) fn format(name: Option<&str>) -> Result<Option<RenderAs>, String> {
    name.map(|name| name.parse::<RenderAs>().map_err(|error| error.to_string())).transpose()
}

/// A value, or an explanation as data, in a format.
pub(crate) fn rendered<T: Tree>(tree: T, format: RenderAs) -> Result<Vec<u8>, String> {
    format.render(tree).map_err(|error| error.to_string())
}

/// Renders a report about data. Returns the actual format as well: YAML with characters that are not plain becomes
/// JSON, which is also valid YAML and can escape all of them.
pub(crate) fn rendered_report<T: Tree>(tree: T, format: RenderAs) -> Result<(Vec<u8>, RenderAs), String> {
    written_report(format, |format| rendered(tree.clone(), format))
}

/// Renders a report with a separate writer. The writer's JSON must be plain.
pub(crate) fn written_report<E>(
    format: RenderAs,
    write: impl Fn(RenderAs) -> Result<Vec<u8>, E>,
) -> Result<(Vec<u8>, RenderAs), E> {
    let text = write(format)?;
    let is_plain = |text: &[u8]| std::str::from_utf8(text).is_ok_and(|text| sanitize(text) == text);
    match format {
        RenderAs::Yaml if !is_plain(&text) => Ok((write(RenderAs::Json)?, RenderAs::Json)),
        RenderAs::Yaml | RenderAs::Json | RenderAs::RichDataJson | RenderAs::Pson => Ok((text, format)),
        _ => Ok((sanitize(&String::from_utf8_lossy(&text)).into_bytes(), format)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> Vec<OriginLine> {
        let line = |path: &str, value: &str| OriginLine::new(path, value, "data/common.yaml:12");
        vec![line("a", "1"), line("profile::web::vhosts.default.root", "\"/var/www/html/default\""), line("b", "[]")]
    }

    #[test]
    fn without_a_terminal_each_part_is_one_line() {
        let text = Layout::default().in_columns(&lines());
        let at: Vec<usize> = text.lines().filter_map(|line| line.find("# data")).collect();
        assert_eq!(at, [61, 61, 61], "{text}");
    }

    #[test]
    fn an_origin_without_room_is_on_the_next_line() {
        let text = Layout { width: Some(60), color: false }.in_columns(&lines());
        assert_eq!(
            text,
            "a = 1   # data/common.yaml:12\n\
             profile::web::vhosts.default.root = \"/var/www/html/default\"\n    # data/common.yaml:12\n\
             b = []  # data/common.yaml:12\n"
        );
    }

    #[test]
    fn colors_have_no_width() {
        let plain = Layout { width: Some(80), color: false }.in_columns(&lines());
        let colored = Layout { width: Some(80), color: true }.in_columns(&lines());
        let stripped =
            ["\u{1b}[36m", "\u{1b}[2m", "\u{1b}[0m"].iter().fold(colored, |text, code| text.replace(code, ""));
        assert_eq!(stripped, plain);
    }
}
