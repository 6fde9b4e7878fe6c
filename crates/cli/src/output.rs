//! Answers on standard output.

use std::path::Path;

use hieratic::{Hash, Mask, Object, ObjectView, Origin, Value};
use hieratic_diagnostics::render::{plain, visible_line};
use hieratic_render::{RenderAs, Tree};

use crate::streams::ANSWERS;

/// Writes an answer to standard output, byte for byte.
pub(crate) fn print(text: &[u8]) {
    ANSWERS.write(text);
}

/// Writes a text with a newline at its end, unless it has one.
pub(crate) fn print_line(text: &str) {
    print_line_of_bytes(text.as_bytes());
}

/// Writes bytes with a newline at their end, unless they have one.
pub(crate) fn print_line_of_bytes(bytes: &[u8]) {
    print(bytes);
    // In a write of its own: the bytes may be secret and are not copied.
    if !bytes.ends_with(b"\n") {
        print(b"\n");
    }
}

/// A part of a document: its path, its value, and the file, line and column that it comes from.
pub(crate) struct Row {
    pub(crate) path: Vec<Value>,
    pub(crate) value: Value,
    pub(crate) origin: Option<(String, u32, u32)>,
}

/// `path = value  # file:line`, in columns.
pub(crate) fn origin_table(rows: &[Row]) -> String {
    let rows: Vec<(String, String)> = rows
        .iter()
        .map(|row| {
            let origin = row.origin.as_ref().map(|(file, line, _)| format!("{}:{line}", relative_file(file.as_ref())));
            (format!("{} = {}", path_text(&row.path), one_line(&row.value)), origin.unwrap_or("unknown".to_string()))
        })
        .collect();
    in_columns(&rows)
}

/// The same as data.
pub(crate) fn origin_rows(rows: &[Row]) -> Value {
    let row = |row: &Row| {
        let mut pairs: Vec<(Value, Value)> =
            vec![("path".into(), row.path.clone().into()), ("value".into(), row.value.clone())];
        if let Some((file, line, column)) = &row.origin {
            pairs.push(("file".into(), file.as_str().into()));
            pairs.push(("line".into(), Value::Integer((*line).into())));
            pairs.push(("column".into(), Value::Integer((*column).into())));
        }
        Value::from(pairs.into_iter().collect::<Hash>())
    };
    rows.iter().map(row).collect()
}

/// A path with dots between its segments.
pub(crate) fn path_text(path: &[Value]) -> String {
    path.iter().map(segment_text).collect::<Vec<_>>().join(".")
}

/// One part of a value, with its path and where it comes from.
struct Leaf {
    path: Vec<Value>,
    value: Value,
    origin: Option<Origin>,
}

/// The parts of a value: scalars, and arrays and hashes that are empty.
fn leaves(object: &Object, mask: &Mask) -> Vec<Leaf> {
    fn collect(object: &Object, mask: &Mask, path: &mut Vec<Value>, leaves: &mut Vec<Leaf>) {
        match object.view() {
            ObjectView::Array(elements) if !elements.is_empty() => {
                for (index, element) in elements.iter().enumerate() {
                    path.push(Value::Integer(i64::try_from(index).unwrap_or(i64::MAX)));
                    collect(element, mask, path, leaves);
                    path.pop();
                }
            }
            ObjectView::Hash(pairs) if !pairs.is_empty() => {
                for (key, value) in &pairs {
                    path.push(mask.value(key));
                    collect(value, mask, path, leaves);
                    path.pop();
                }
            }
            _ => leaves.push(Leaf { path: path.clone(), value: shown(object, mask), origin: object.origin().cloned() }),
        }
    }
    let mut all = Vec::new();
    collect(object, mask, &mut Vec::new(), &mut all);
    all
}

/// A value with what is secret in it covered, or revealed.
fn shown(object: &Object, mask: &Mask) -> Value {
    if mask.reveals() { mask.value(&object.to_value()) } else { mask.value(&object.masked()) }
}

/// Values by key, with the origin of every part: lines of text, or data for tools.
pub(crate) fn origins(
    answers: &[(String, Object)],
    format: Option<RenderAs>,
    mask: &Mask,
) -> Result<(Vec<u8>, RenderAs), String> {
    match format {
        None | Some(RenderAs::S) => Ok((origin_lines(answers, mask).into_bytes(), RenderAs::S)),
        Some(format) => {
            let answers: Vec<(Value, Value)> =
                answers.iter().map(|(key, object)| (key.as_str().into(), origin_data(object, mask))).collect();
            let document = match answers.as_slice() {
                [(_, only)] => only.clone(),
                _ => answers.into_iter().collect::<Hash>().into(),
            };
            rendered_report(&document, format)
        }
    }
}

/// `path = value  # file:line`, in columns.
fn origin_lines(answers: &[(String, Object)], mask: &Mask) -> String {
    let rows: Vec<(String, String)> = answers
        .iter()
        .flat_map(|(key, object)| {
            leaves(object, mask).into_iter().map(move |leaf| {
                let path: String = leaf.path.iter().map(|segment| format!(".{}", segment_text(segment))).collect();
                let origin = leaf.origin.map_or("unknown".to_string(), |origin| origin_text(&origin));
                (format!("{key}{path} = {}", one_line(&leaf.value)), origin)
            })
        })
        .collect();
    in_columns(&rows)
}

pub(crate) fn in_columns(rows: &[(String, String)]) -> String {
    // Lines beyond this width do not push the others' origins out of sight.
    const WIDEST: usize = 72;
    // A line each, whatever the data have in them.
    let rows: Vec<_> = rows.iter().map(|(text, origin)| (visible_line(text), visible_line(origin))).collect();
    let width = rows.iter().map(|(text, _)| text.chars().count()).filter(|width| *width <= WIDEST).max().unwrap_or(0);
    rows.iter().map(|(text, origin)| format!("{text:width$}  # {origin}\n")).collect()
}

fn segment_text(segment: &Value) -> String {
    let text = segment.to_text();
    let plain = !text.is_empty() && !text.contains(['.', '\'', '"', ' ']);
    if plain { text } else { format!("'{text}'") }
}

fn one_line(value: &Value) -> String {
    value.inspect()
}

fn origin_data(object: &Object, mask: &Mask) -> Value {
    let parts = leaves(object, mask).into_iter().map(|leaf| {
        let mut pairs: Vec<(Value, Value)> = vec![("path".into(), leaf.path.into()), ("value".into(), leaf.value)];
        match leaf.origin {
            Some(Origin::File { file, line, column }) => {
                pairs.push(("file".into(), file.display().to_string().into()));
                pairs.push(("line".into(), Value::Integer(line.into())));
                pairs.push(("column".into(), Value::Integer(column.into())));
            }
            Some(Origin::Named(name)) => pairs.push(("from".into(), Value::String(name))),
            None => pairs.push(("from".into(), "unknown".into())),
        }
        Value::from(pairs.into_iter().collect::<Hash>())
    });
    let parts: Value = parts.collect();
    [("value", shown(object, mask)), ("origins", parts)].into_iter().collect::<Hash>().into()
}

/// An origin with its file as seen from the current folder.
pub(crate) fn origin_text(origin: &Origin) -> String {
    let Origin::File { file, line, .. } = origin else { return origin.to_string() };
    format!("{}:{line}", relative_file(file))
}

/// A file as seen from the current folder.
pub(crate) fn relative_file(file: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    file.strip_prefix(&here).unwrap_or(file).display().to_string()
}

/// What the flag `--render-as` says.
pub(crate) fn format(name: Option<&str>) -> Result<Option<RenderAs>, String> {
    name.map(|name| name.parse::<RenderAs>().map_err(|error| error.to_string())).transpose()
}

/// A value, or an explanation as data, in a format.
pub(crate) fn rendered<T: Tree>(tree: T, format: RenderAs) -> Result<Vec<u8>, String> {
    format.render(tree).map_err(|error| error.to_string())
}

/// What is told about data, in a format; with the format that it has become: YAML in which something is not plain becomes JSON, which is
/// YAML as well, and in which everything can be written so that it is.
pub(crate) fn rendered_report<T: Tree>(tree: T, format: RenderAs) -> Result<(Vec<u8>, RenderAs), String> {
    written_report(format, |format| rendered(tree.clone(), format))
}

/// The same for what is written otherwise; JSON has to be written so that it is plain.
pub(crate) fn written_report<E>(
    format: RenderAs,
    write: impl Fn(RenderAs) -> Result<Vec<u8>, E>,
) -> Result<(Vec<u8>, RenderAs), E> {
    let text = write(format)?;
    let is_plain = |text: &[u8]| std::str::from_utf8(text).is_ok_and(|text| plain(text) == text);
    match format {
        RenderAs::Yaml if !is_plain(&text) => Ok((write(RenderAs::Json)?, RenderAs::Json)),
        RenderAs::Yaml | RenderAs::Json | RenderAs::RichDataJson | RenderAs::Pson => Ok((text, format)),
        _ => Ok((plain(&String::from_utf8_lossy(&text)).into_bytes(), format)),
    }
}

/// A number of things.
pub(crate) fn counted(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}
