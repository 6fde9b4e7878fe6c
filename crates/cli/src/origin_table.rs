//! The leaves of an expanded document with their origins: lines of `path = value  # file:line`, in columns.
//!
//! Directives put the same maps and lists into many positions, and there may be millions of lines. Shared parts are
//! formatted once; only the lines themselves are built for each position.

use hieratic::directives::{Expanded, Origin};
use hieratic::explain::segment_text;
use hieratic::value::collections::HashMap;
use hieratic::yaml_edit::tree::{Content, Itself, Node};
use hieratic::{Redactor, Value};
use hieratic_diagnostics::render::visible_line;
use unicode_width::UnicodeWidthStr;

use crate::output::{Layout, relative_file};

/// The values of a document, each once.
#[derive(Default)]
pub(crate) struct OriginTable {
    parts: Vec<Part>,
    /// The indexes of values among the parts, by identity.
    known: HashMap<Itself, usize>,
    /// The files by name, with their names as they are shown and their widths.
    files: Vec<(String, String, usize)>,
    /// The width of the widest origin.
    widest: usize,
}

/// The separator before values, and the replacement of unknown origins.
const BEFORE_VALUE: &str = " = ";
const UNKNOWN: &str = "unknown";

/// Returns the bit of a width in a bit set.
fn bit(width: usize) -> u128 {
    if width > Layout::WIDEST { 0 } else { 1 << width }
}

/// A value.
struct Part {
    shape: Shape,
    /// The widths of the lines that begin here, as a bit set. Widths over [`Layout::WIDEST`] are not counted.
    widths: u128,
}

enum Shape {
    /// A leaf: its text, and the width of that; its origin.
    Leaf(String, usize, String),
    /// The names of entries, and where these are among the parts.
    Inner(Vec<(String, usize)>),
}

impl OriginTable {
    /// The table of a document.
    pub(crate) fn from_expanded(expanded: &Expanded, redactor: &Redactor) -> (OriginTable, usize) {
        let mut table = OriginTable::default();
        let root = table.part(expanded, redactor, expanded.root());
        (table, root)
    }

    /// Adds a value unless it is known; returns its index.
    fn part(&mut self, expanded: &Expanded, redactor: &Redactor, node: &Node) -> usize {
        if let Some(known) = self.known.get(&node.itself()) {
            return *known;
        }
        let inner = |table: &mut OriginTable, key: &Value, node: &Node| {
            let name = visible_line(&segment_text(key));
            (name, table.part(expanded, redactor, node))
        };
        let shape = match node.content() {
            Content::List(items) if !items.is_empty() => {
                let index = |at: usize| Value::from(at);
                Shape::Inner(items.iter().enumerate().map(|(at, item)| inner(self, &index(at), item.node())).collect())
            }
            Content::Map(map) if !map.is_empty() => {
                Shape::Inner(map.entries().iter().map(|entry| inner(self, &entry.key, entry.node())).collect())
            }
            _ => {
                let text = visible_line(&redactor.value(&node.to_value()).inspect());
                let width = text.width();
                Shape::Leaf(text, width, self.origin(expanded.origin(node)))
            }
        };
        let widths = match &shape {
            Shape::Leaf(_, width, _) => bit(*width),
            Shape::Inner(entries) => entries.iter().fold(0, |all, (name, at)| all | self.widths_behind(name, *at)),
        };
        self.parts.push(Part { shape, widths });
        self.known.insert(node.itself(), self.parts.len() - 1);
        self.parts.len() - 1
    }

    /// Returns the widths of a part's lines after a name.
    fn widths_behind(&self, name: &str, at: usize) -> u128 {
        let Some(part) = self.parts.get(at) else { return 0 };
        // A dot before the names of inner parts, and an equals sign before values.
        let between = if matches!(part.shape, Shape::Leaf(..)) { BEFORE_VALUE.len() } else { 1 };
        let by = u32::try_from(name.width() + between).unwrap_or(u32::MAX);
        part.widths.checked_shl(by).unwrap_or(0) & (u128::MAX >> (127 - Layout::WIDEST))
    }

    fn origin(&mut self, origin: Option<Origin>) -> String {
        let Some(Origin { file, line, .. }) = origin else {
            self.widest = self.widest.max(UNKNOWN.len());
            return UNKNOWN.to_owned();
        };
        let known = self.files.iter().rposition(|(name, ..)| *name == file).unwrap_or_else(|| {
            let shown = visible_line(&relative_file(file.as_ref()));
            let width = shown.width();
            self.files.push((file, shown, width));
            self.files.len() - 1
        });
        let Some((_, shown, width)) = self.files.get(known) else { return String::new() };
        let text = format!("{shown}:{line}");
        self.widest = self.widest.max(width + text.len() - shown.len());
        text
    }

    /// Writes the lines, in pieces.
    pub(crate) fn write(&self, root: usize, layout: &Layout, write: &mut dyn FnMut(&str)) {
        let widths = self.parts.get(root).map_or(0, |part| part.widths);
        let mut writer = Writer {
            table: self,
            layout,
            column: layout.columns(self.widest, (0..=Layout::WIDEST).filter(|width| widths & bit(*width) != 0)),
            path: String::new(),
            out: String::new(),
            write,
        };
        writer.part(root, 0, true);
        (writer.write)(&writer.out);
    }
}

/// Writes the lines of a document.
struct Writer<'t> {
    table: &'t OriginTable,
    layout: &'t Layout,
    column: usize,
    path: String,
    out: String,
    write: &'t mut dyn FnMut(&str),
}

impl Writer<'_> {
    /// Writes the lines of a part whose path has a width.
    fn part(&mut self, at: usize, width: usize, is_top: bool) {
        const PIECE: usize = 1 << 20;
        let Some(part) = self.table.parts.get(at) else { return };
        match &part.shape {
            Shape::Leaf(text, wide, origin) => {
                let before = if self.path.is_empty() { 0 } else { width + BEFORE_VALUE.len() };
                self.layout.line(&mut self.out, self.column, &self.path, text, before + wide, origin);
                if self.out.len() > PIECE {
                    (self.write)(&self.out);
                    self.out.clear();
                }
            }
            Shape::Inner(entries) => {
                let length = self.path.len();
                let dot = if is_top { "" } else { "." };
                for (name, inner) in entries {
                    self.path.push_str(dot);
                    self.path.push_str(name);
                    self.part(*inner, width + dot.len() + name.width(), false);
                    self.path.truncate(length);
                }
            }
        }
    }
}
