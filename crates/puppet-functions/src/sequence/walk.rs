//! [`Walk`]: an iteration in progress.

use std::sync::Arc;

use hieratic_value::{Hash, Str, Value};

use super::SequenceKind;
use super::range::Range;
use super::tree::Visit;

/// An iterator over the elements of a [`Sequence`](super::Sequence).
#[derive(Debug)]
pub struct Walk(State);

#[derive(Debug)]
enum State {
    Array { elements: Arc<[Value]>, next: usize },
    Hash { hash: Hash, next: usize },
    Text { text: Str, next: usize },
    Range { range: Range, next: i128 },
    Tree(Box<Visit>),
    Step { inner: Box<Walk>, skip: usize },
}

impl Walk {
    pub(super) fn new(kind: &SequenceKind) -> Walk {
        Walk(match kind {
            SequenceKind::Array(elements) => State::Array { elements: elements.clone(), next: 0 },
            SequenceKind::Hash(hash) => State::Hash { hash: hash.clone(), next: 0 },
            SequenceKind::Text(text) => State::Text { text: text.clone(), next: 0 },
            SequenceKind::Range(range) => State::Range { range: *range, next: range.first() },
            SequenceKind::Tree(tree) => State::Tree(Box::new(Visit::new(tree))),
            // Steps are never nested, so this recurses once.
            SequenceKind::Step(inner, step) => State::Step { inner: Box::new(Walk::new(inner)), skip: step - 1 },
        })
    }
}

impl Iterator for Walk {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        match &mut self.0 {
            State::Array { elements, next } => {
                let element = elements.get(*next)?.clone();
                *next += 1;
                Some(element)
            }
            State::Hash { hash, next } => {
                let (key, value) = hash.as_map().get_index(*next)?;
                *next += 1;
                Some(Value::Array(Arc::new([key.clone(), value.clone()])))
            }
            State::Text { text, next } => {
                let c = text[*next..].chars().next()?;
                let mut bytes = [0; 4];
                *next += c.len_utf8();
                Some(Value::from(&*c.encode_utf8(&mut bytes)))
            }
            State::Range { range, next } => {
                let (value, after) = range.at(*next)?;
                *next = after;
                Some(value)
            }
            State::Tree(visit) => visit.next(),
            State::Step { inner, skip } => {
                let element = inner.next()?;
                for _ in 0..*skip {
                    if inner.next().is_none() {
                        break;
                    }
                }
                Some(element)
            }
        }
    }
}
