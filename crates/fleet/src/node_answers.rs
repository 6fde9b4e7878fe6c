//! [`NodeAnswers`]: the answers of one node, for an index of all nodes.

use std::path::Path;
use std::sync::Arc;

use hieratic::value::Str;

use crate::inserted::{NodeTexts, TextPart};
use crate::rows::{NodeRows, Row, RowId};

/// The answers of a node. Nodes share equal answers.
#[derive(Clone, Debug)]
pub struct NodeAnswers(pub(crate) NodeRows);

/// An answer of a node.
#[derive(Clone, Copy, Debug)]
pub struct NodeAnswer<'a> {
    row: &'a Arc<Row>,
    texts: &'a NodeTexts,
}

/// The value of an answer as JSON, or its error.
pub enum AnswerValue<'a> {
    /// The complete JSON.
    Whole(&'a str),
    /// The parts of a JSON string, including its quotation marks.
    Parts(Vec<TextPart<'a>>),
}

impl NodeAnswers {
    /// Returns the answers, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = NodeAnswer<'_>> {
        self.0.rows.iter().map(|row| NodeAnswer { row, texts: &self.0.texts })
    }

    /// Returns the number of answers.
    pub fn len(&self) -> usize {
        self.0.rows.len()
    }

    /// Returns whether there are no answers.
    pub fn is_empty(&self) -> bool {
        self.0.rows.is_empty()
    }

    /// Returns the chosen facts of the node as JSON, if some are chosen.
    pub fn facts(&self) -> Option<&str> {
        self.0.facts.as_deref()
    }

    /// Returns the variables that the answers insert, with their strings as JSON.
    pub fn variables(&self) -> impl Iterator<Item = (&Str, &str)> {
        self.0.texts.variables()
    }
}

impl<'a> NodeAnswer<'a> {
    /// Returns whether the value inserts variables.
    pub fn has_variables(self) -> bool {
        self.row.text.is_some()
    }

    /// Returns the identity of the answer. Answers of several nodes with the same identity are equal, except the
    /// variables in their [parts](AnswerValue::Parts).
    pub fn id(self) -> RowId {
        self.row.id
    }

    /// Returns the row, which other nodes may have, too. If the value [has variables](Self::has_variables), the row has
    /// the value of one of these nodes: the node's own is appended with [`append_json`](Self::append_json) and
    /// [`append_text`](Self::append_text).
    pub fn row(self) -> &'a Arc<Row> {
        self.row
    }

    /// Appends a value that has variables, as a string without quotation marks; nothing for another value.
    pub fn append_text(self, out: &mut Vec<u8>) {
        if let Some(text) = &self.row.text {
            self.texts.append(text, out);
        }
    }

    /// Appends a value that has variables, as JSON; nothing for another value.
    pub fn append_json(self, out: &mut Vec<u8>) {
        if let Some(text) = &self.row.text {
            self.texts.append_json(text, out);
        }
    }

    /// Returns the key.
    pub fn key(self) -> &'a Str {
        &self.row.key
    }

    /// Returns whether the lookup failed.
    pub fn is_error(self) -> bool {
        self.row.answer.is_err()
    }

    /// Returns whether the answer belongs only to nodes of one class.
    pub fn is_own(self) -> bool {
        self.row.is_own
    }

    /// Returns the position of the first part.
    pub fn position(self) -> Option<(&'a Path, u32)> {
        let (file, line) = self.row.first.as_ref()?;
        Some((&**file, *line))
    }

    /// Returns the value.
    pub fn value(self) -> AnswerValue<'a> {
        match (&self.row.text, &self.row.answer) {
            (Some(text), _) => AnswerValue::Parts(self.texts.json_parts(text)),
            (None, Ok(cell)) => AnswerValue::Whole(&cell.json),
            (None, Err(message)) => AnswerValue::Whole(message),
        }
    }
}
