//! [`AnswerTemplate`]: an answer with placeholders for variables, computed once for all nodes that read the same
//! values.
//!
//! Most answers that differ between nodes differ only in an inserted variable. If neither a merge nor a conversion
//! depends on the string, the answer is a concatenation: the literal parts are equal for all nodes that read the same
//! values, and each node inserts its own variables.

use std::borrow::Cow;
use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_value::{Str, Value};

use super::evaluator::{Evaluator, KeyRequest, StackEntry};
use super::fast_path::FastPath;
use super::mode::Plain;
use super::request::LookupRequest;
use crate::key::{Key, Segment};
use crate::merge::Strategy;
use crate::node::Node;
use crate::query::Query;
use crate::scope::VariableResult;
use crate::template::{Expression, Part, Template, Text};
use crate::variable::Variable;

/// The maximum number of parts. A longer answer is looked up for each node.
const MAX_PARTS: usize = 256;

/// The maximum size of the literal parts, in bytes.
const MAX_BYTES: usize = 64 << 10;

/// The answer for a key, as a string with placeholders for variables.
#[derive(Debug)]
pub struct AnswerTemplate {
    parts: Vec<AnswerPart>,
}

/// A part of an answer.
#[derive(Debug)]
pub enum AnswerPart {
    /// A string that is equal for all nodes.
    Literal(Str),
    /// A variable of the node.
    Variable(InsertedVariable),
}

/// A placeholder.
#[derive(Clone, Debug)]
pub struct InsertedVariable(Arc<Variable>);

impl AnswerTemplate {
    /// Returns the parts, in order.
    pub fn parts(&self) -> &[AnswerPart] {
        &self.parts
    }
}

impl InsertedVariable {
    /// Returns the expression as written in the data.
    pub fn text(&self) -> &Str {
        &self.0.text
    }
}

impl Node {
    /// Returns the answer for a key as a template. It is valid for every node that reads the same values at the same
    /// locations with the same options: its answer is the concatenation of the parts, with the node's
    /// [text](Self::inserted_text) of each variable. A node that has none must look the key up.
    ///
    /// Returns `None` if the answer is not such a string, or if this is unknown.
    pub fn answer_template(&self, key: &str, budget: &Budget) -> Option<AnswerTemplate> {
        let query = Query::within(key, budget.clone());
        let request = LookupRequest::from_query(&query);
        let mut evaluator = Evaluator::new(self, Plain, &request);
        let mut collected = CollectedParts::default();
        evaluator.collect_answer(&Key::parse(key).ok()?, &mut collected)?;
        Some(AnswerTemplate { parts: collected.parts })
    }

    /// Returns the text of a placeholder. Returns `None` if the text depends on the rest of the string: for a missing
    /// variable, a value that is not a scalar, and a string that may begin or end an expression.
    pub fn inserted_text(&self, variable: &InsertedVariable) -> Option<Str> {
        let Some(Segment::Name(root)) = &variable.0.root else { return None };
        if self.fault().is_some() {
            return None;
        }
        let VariableResult::Found(value) = self.variable(root, variable.0.hash) else { return None };
        let text = match variable.0.follow(value)? {
            Value::String(text) => text.clone(),
            value @ (Value::Integer(_) | Value::Boolean(_)) => value.to_text().into(),
            _ => return None,
        };
        is_inert(&text).then_some(text)
    }
}

/// Returns whether a string cannot be part of an expression, regardless of its context.
fn is_inert(text: &str) -> bool {
    !text.contains('%')
}

/// The parts of an answer so far.
#[derive(Default)]
struct CollectedParts {
    parts: Vec<AnswerPart>,
    bytes: usize,
}

impl CollectedParts {
    fn add_literal(&mut self, text: Cow<'_, str>) -> Option<()> {
        self.bytes += text.len();
        if !is_inert(&text) || self.bytes > MAX_BYTES {
            return None;
        }
        self.add(AnswerPart::Literal(text.into()))
    }

    fn add(&mut self, part: AnswerPart) -> Option<()> {
        self.parts.push(part);
        (self.parts.len() <= MAX_PARTS).then_some(())
    }
}

impl Evaluator<'_, Plain> {
    /// Adds the answer to a key, if the first value answers as it is. The lookup of the key reports errors of
    /// it.
    fn collect_answer(&mut self, key: &Key, collected: &mut CollectedParts) -> Option<()> {
        self.budget().step().ok()?;
        if !key.segments().is_empty() || &**key.root() == Node::OPTIONS_KEY {
            return None;
        }
        if let Some(options) = self.options_of(key).ok()? {
            let is_first = match &options.merge {
                Some(strategy) => strategy.as_ref().is_ok_and(Strategy::stops_at_first),
                None => true,
            };
            if !is_first || options.convert.is_some() || options.fault.is_some() {
                return None;
            }
        }
        let request = KeyRequest::new(key, key.module());
        let FastPath::First(first) = self.try_fast_path(request, Strategy::none()) else { return None };
        if first.data.is_secret() {
            return None;
        }
        let is_inserted = !self.stack.is_empty();
        match first.template {
            Template::Plain(Value::String(text)) => collected.add_literal(Cow::Borrowed(text)),
            Template::Plain(value @ (Value::Integer(_) | Value::Boolean(_))) if is_inserted => {
                collected.add_literal(value.to_text().into())
            }
            Template::Text(text) => {
                self.checked(StackEntry::Key(key.text().clone()), |this| Ok(this.collect_text(text, collected))).ok()?
            }
            _ => None,
        }
    }

    fn collect_text(&mut self, text: &Text, collected: &mut CollectedParts) -> Option<()> {
        for part in &text.parts {
            match part {
                Part::Literal(literal) => collected.add_literal(Cow::Borrowed(text.literal(literal)))?,
                Part::Expression(Expression::Empty) => {}
                Part::Expression(Expression::Literal(literal)) => collected.add_literal(Cow::Borrowed(literal))?,
                Part::Expression(Expression::Variable(variable)) => {
                    collected.add(AnswerPart::Variable(InsertedVariable(variable.clone())))?;
                }
                Part::Expression(Expression::Lookup(key)) => self.collect_answer(key.key.as_ref()?, collected)?,
                // An alias may answer with another type, and the others are errors.
                Part::Expression(_) => return None,
            }
        }
        Some(())
    }
}
