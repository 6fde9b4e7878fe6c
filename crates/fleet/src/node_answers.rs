//! [`NodeAnswers`]: the answers of one node, for an index of all nodes.

use std::path::Path;

use hieratic::value::Str;

use crate::inserted::{NodeTexts, TextPart};
use crate::rows::{NodeRows, Row, RowId};

/// The answers of a node. Nodes share equal answers.
#[derive(Clone, Debug)]
pub struct NodeAnswers(pub(crate) NodeRows);

/// An answer of a node.
#[derive(Clone, Copy, Debug)]
pub struct NodeAnswer<'a> {
    row: &'a Row,
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
        self.row.first.as_ref().map(|(file, line)| (&**file, *line))
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
