//! [`LookupRows`]: the rows of `lookups`.

use std::io;
use std::sync::Arc;

use hieratic::value::collections::HashMap;
use hieratic_fleet::{NodeAnswer, NodeAnswers, Row, RowId, Scalar};

use super::columns::Cell;
use super::make::{RowSink, TableRequest, of_scalar};

/// The maximum number of rows that are counted before they are sent, and of their bytes.
const MAX_COUNTED: usize = 1 << 16;
const MAX_COUNTED_BYTES: usize = 64 << 20;

/// The rows of `lookups`, made of the answers of nodes.
pub(super) struct LookupRows {
    merge: Merge,
    /// Whether the value is used, which some nodes have in their own form.
    has_value: bool,
    counted: Vec<CountedRow>,
    index: HashMap<RowId, usize>,
    /// The size of the values of counted rows, in bytes.
    bytes: usize,
    text: NodeText,
}

/// Which rows become one row with their number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Merge {
    /// No rows.
    Nothing,
    /// All rows of a node: only columns of the node are used.
    RowsOfNode,
    /// Equal rows of several nodes: no column of the node is used.
    EqualRows,
}

struct CountedRow {
    row: Arc<Row>,
    count: usize,
}

/// A value that a node has in its own form.
#[derive(Default)]
struct NodeText {
    json: Vec<u8>,
    text: Vec<u8>,
}

impl LookupRows {
    pub(super) fn new(request: &TableRequest) -> LookupRows {
        let uses_node = request.includes("node") || request.includes("facts");
        LookupRows {
            merge: match request.merges_rows {
                false => Merge::Nothing,
                true if uses_node => Merge::RowsOfNode,
                true => Merge::EqualRows,
            },
            has_value: ["value", "string", "text"].iter().any(|column| request.includes(column)),
            counted: Vec::new(),
            index: HashMap::default(),
            bytes: 0,
            text: NodeText::default(),
        }
    }

    /// Adds the answers of a node.
    pub(super) fn add(&mut self, node: &str, answers: &NodeAnswers, out: &mut RowSink<'_>) -> io::Result<()> {
        let of_node = NodeColumns { node, facts: answers.facts() };
        match self.merge {
            Merge::Nothing => answers.iter().try_for_each(|answer| self.send(&of_node, answer, out)),
            Merge::RowsOfNode => match answers.iter().next() {
                Some(first) => send(&of_node, first.row(), None, answers.len(), out),
                None => Ok(()),
            },
            Merge::EqualRows => answers.iter().try_for_each(|answer| {
                if self.has_value && answer.has_variables() {
                    return self.send(&of_node, answer, out);
                }
                self.count(answer);
                if self.counted.len() >= MAX_COUNTED || self.bytes >= MAX_COUNTED_BYTES {
                    self.send_counted(out)?;
                }
                Ok(())
            }),
        }
    }

    /// Sends the rows that were counted.
    pub(super) fn send_counted(&mut self, out: &mut RowSink<'_>) -> io::Result<()> {
        self.index.clear();
        self.bytes = 0;
        let of_node = NodeColumns { node: "", facts: None };
        self.counted.drain(..).try_for_each(|CountedRow { row, count }| send(&of_node, &row, None, count, out))
    }

    fn count(&mut self, answer: NodeAnswer<'_>) {
        let next = self.counted.len();
        let index = *self.index.entry(answer.id()).or_insert(next);
        match self.counted.get_mut(index) {
            Some(counted) => counted.count += 1,
            None => {
                let row = answer.row().clone();
                self.bytes += row.answer.as_ref().map_or_else(String::len, |cell| cell.json.len());
                self.counted.push(CountedRow { row, count: 1 });
            }
        }
    }

    fn send(&mut self, of_node: &NodeColumns<'_>, answer: NodeAnswer<'_>, out: &mut RowSink<'_>) -> io::Result<()> {
        let own = (self.has_value && answer.has_variables()).then(|| self.text.render(answer));
        send(of_node, answer.row(), own, 1, out)
    }
}

impl NodeText {
    /// Returns the value of an answer with variables, as JSON and as text.
    fn render(&mut self, answer: NodeAnswer<'_>) -> (&str, &str) {
        self.json.clear();
        self.text.clear();
        answer.append_json(&mut self.json);
        answer.append_text(&mut self.text);
        // Both are made of strings.
        let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
        (text(&self.json), text(&self.text))
    }
}

/// The columns that rows of a node share.
struct NodeColumns<'n> {
    node: &'n str,
    facts: Option<&'n str>,
}

/// Sends a row that stands for several. `own` is the value of the node as JSON and as text, if the row has that of
/// another one.
fn send(
    of_node: &NodeColumns<'_>,
    row: &Row,
    own: Option<(&str, &str)>,
    count: usize,
    out: &mut RowSink<'_>,
) -> io::Result<()> {
    let cell = row.answer.as_ref().ok();
    let scalar = |column| cell.map_or(Cell::None, |cell| of_scalar(&cell.scalar, column));
    out.push(&|column| match column {
        0 => Cell::Text(of_node.node),
        1 => Cell::Text(&row.key),
        2 => Cell::text(row.module()),
        3 => Cell::text(own.map(|(json, _)| json).or_else(|| cell.map(|cell| cell.json.as_str()))),
        4 | 17 => own.map_or_else(|| scalar(0), |(_, text)| Cell::Text(text)),
        5 => scalar(1),
        6 => match cell.map(|cell| &cell.scalar) {
            Some(Scalar::Float(number)) => Cell::Number(*number),
            _ => Cell::None,
        },
        7 => scalar(3),
        8 => Cell::text(row.answer.as_ref().err().map(String::as_str)),
        9 => Cell::text(row.file.as_deref()),
        10 => Cell::count(row.line),
        11 => Cell::text(row.level.as_deref()),
        12 => Cell::text(row.layer.as_deref()),
        13 => Cell::text(row.merge.as_deref()),
        14 => Cell::text(row.contributions.as_deref()),
        15 => Cell::Boolean(row.secret),
        16 => Cell::text(of_node.facts),
        18 => scalar(2),
        _ => Cell::count(Some(count)),
    })
}
