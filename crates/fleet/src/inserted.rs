//! [`RowText`]: a value that differs between nodes only in inserted variables.
//!
//! Nodes that read the same files share the row, and each has the [strings](NodeTexts) of its variables. The value is
//! assembled when it is written.

use std::sync::Mutex;

use hieratic::Node;
use hieratic::dependencies::{AnswerPart, AnswerTemplate, InsertedVariable};
use hieratic::value::ids::{Id as _, IndexVec, Interner, TooManyIds};
use hieratic::value::{Str, Value, define_ids};

use crate::rows::{Cell, Scalar};

define_ids! {
    /// The id of a variable that answers insert.
    pub(crate) struct VariableId: "variables of answers";
}

/// The maximum number of inserted variables: each node has a table of them. Further ones are looked up for each node.
const MAX_VARIABLES: usize = 1024;

/// The variables that answers insert.
#[derive(Debug, Default)]
pub(crate) struct InsertedVariables(Mutex<Interner<VariableId, Str>>);

/// A string, as it is and as JSON without its quotation marks.
#[derive(Clone, Debug)]
pub(crate) struct InsertedText {
    text: Str,
    json: Str,
}

/// The value of a row that is a string with variables inserted.
#[derive(Debug)]
pub(crate) struct RowText {
    parts: Box<[RowPart]>,
}

#[derive(Debug)]
enum RowPart {
    Literal(InsertedText),
    Variable(VariableId, InsertedVariable),
}

/// A part of a value as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextPart<'a> {
    /// A string that is equal for all nodes with the answer.
    Literal(&'a str),
    /// The value of a variable.
    Variable {
        /// The variable as written in the data.
        name: &'a Str,
        /// Its value on the node.
        text: &'a str,
    },
}

/// The strings of a node's variables, as far as its answers insert them.
#[derive(Debug, Default)]
pub(crate) struct NodeTexts {
    by_id: IndexVec<VariableId, VariableText>,
}

/// The text of a variable of a node.
#[derive(Clone, Debug, Default)]
enum VariableText {
    #[default]
    Unknown,
    /// It cannot be inserted without the rest of the string.
    Unsuitable,
    Text {
        name: Str,
        text: InsertedText,
    },
}

impl InsertedText {
    fn new(text: Str) -> Option<InsertedText> {
        // A string has a form in JSON; an error would be shown by the lookup.
        let json = hieratic_output::json(&Value::String(text.clone())).ok()?;
        let inner = json.strip_prefix('"')?.strip_suffix('"')?;
        let json = if *inner == *text { text.clone() } else { inner.into() };
        Some(InsertedText { text, json })
    }
}

impl RowText {
    /// Returns the value of a row as a string, if the answer on a node is what its template makes. `None` too if there are
    /// too many variables.
    pub(crate) fn new(
        template: &AnswerTemplate,
        answer: &Cell,
        node: &Node,
        texts: &mut NodeTexts,
        variables: &InsertedVariables,
    ) -> Result<Option<RowText>, TooManyIds> {
        let mut parts = Vec::new();
        for part in template.parts() {
            parts.push(match part {
                AnswerPart::Literal(text) => match InsertedText::new(text.clone()) {
                    Some(text) => RowPart::Literal(text),
                    None => return Ok(None),
                },
                AnswerPart::Variable(variable) => match variables.id(variable.text())? {
                    Some(id) => RowPart::Variable(id, variable.clone()),
                    None => return Ok(None),
                },
            });
        }
        let text = RowText { parts: parts.into() };
        if !texts.are_known(&text, node)? {
            return Ok(None);
        }
        let cell = texts.cell(&text);
        Ok((cell == *answer).then_some(text))
    }
}

impl InsertedVariables {
    fn id(&self, variable: &Str) -> Result<Option<VariableId>, TooManyIds> {
        let mut all = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (id, _) = all.intern(variable, Str::clone)?;
        Ok((id.index() < MAX_VARIABLES).then_some(id))
    }
}

impl NodeTexts {
    /// Reads the variables of a string, and returns whether the node can insert all of them.
    pub(crate) fn are_known(&mut self, text: &RowText, node: &Node) -> Result<bool, TooManyIds> {
        for part in &text.parts {
            let RowPart::Variable(id, variable) = part else { continue };
            while self.by_id.len() <= id.index() {
                self.by_id.push(VariableText::Unknown)?;
            }
            let known = &mut self.by_id[*id];
            if matches!(known, VariableText::Unknown) {
                *known = match node.inserted_text(variable).and_then(InsertedText::new) {
                    Some(text) => VariableText::Text { name: variable.text().clone(), text },
                    None => VariableText::Unsuitable,
                };
            }
            if matches!(known, VariableText::Unsuitable) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the variables with their strings as JSON.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&Str, &str)> {
        self.by_id.iter().filter_map(|variable| match variable {
            VariableText::Text { name, text } => Some((name, &*text.json)),
            VariableText::Unknown | VariableText::Unsuitable => None,
        })
    }

    /// Appends a value as it is.
    pub(crate) fn append(&self, text: &RowText, out: &mut Vec<u8>) {
        self.parts(text).for_each(|part| out.extend_from_slice(part.text.as_bytes()));
    }

    /// Appends a value as JSON.
    pub(crate) fn append_json(&self, text: &RowText, out: &mut Vec<u8>) {
        out.push(b'"');
        self.parts(text).for_each(|part| out.extend_from_slice(part.json.as_bytes()));
        out.push(b'"');
    }

    /// Returns a value as JSON in parts, the quotation marks among them.
    pub(crate) fn json_parts<'t>(&'t self, text: &'t RowText) -> Vec<TextPart<'t>> {
        let part = |(part, text): (&'t RowPart, &'t InsertedText)| match part {
            RowPart::Literal(_) => TextPart::Literal(&text.json),
            RowPart::Variable(_, variable) => TextPart::Variable { name: variable.text(), text: &text.json },
        };
        let quote = || [TextPart::Literal("\"")].into_iter();
        quote().chain(text.parts.iter().zip(self.parts(text)).map(part)).chain(quote()).collect()
    }

    /// Returns a value as a cell.
    pub(crate) fn cell(&self, text: &RowText) -> Cell {
        let (mut plain, mut json) = (String::new(), String::from("\""));
        for part in self.parts(text) {
            plain.push_str(&part.text);
            json.push_str(&part.json);
        }
        json.push('"');
        Cell { json, scalar: Scalar::String(plain.into()) }
    }

    /// The strings of the parts. A row is only a node's own if its variables [are known](Self::are_known).
    fn parts<'t>(&'t self, text: &'t RowText) -> impl Iterator<Item = &'t InsertedText> {
        text.parts.iter().map(|part| match part {
            RowPart::Literal(text) => text,
            RowPart::Variable(id, variable) => match &self.by_id[*id] {
                VariableText::Text { text, .. } => text,
                VariableText::Unknown | VariableText::Unsuitable => panic!("{} has no text", variable.text()),
            },
        })
    }
}
