//! What becomes of the pieces that a template prints.
//!
//! In native mode Ansible turns them into one value (`ansible.template.native_helpers`): a single piece keeps its type,
//! several are one text, and a text that reads as a literal of Python is its value.

use std::sync::Arc;

use minijinja::Value;

use super::Mode;
use crate::objects::{Dict, List, Missing, Tuple};
use crate::python::text::LONGEST;
use crate::python::{Budget, Kind, Result, error, kind, literal, str};

/// A piece of what a template prints.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Text of the template.
    Text(Arc<str>),
    /// The value of an expression.
    Value(Value),
}

/// One value of all pieces.
pub fn finish(mut pieces: Vec<Piece>, mode: Mode) -> Result<Value> {
    if mode == Mode::Text {
        return joined(&pieces).map(Value::from);
    }
    let text = match (pieces.pop(), pieces.is_empty()) {
        (None, _) => return Ok(Value::from(())),
        (Some(Piece::Text(text)), true) => text.to_string(),
        // A text that a filter such as `string` made stays one.
        (Some(Piece::Value(value)), true) if value.is_safe() => return Ok(Value::from(str(&value)?)),
        (Some(Piece::Value(value)), true) => match kind(&value)? {
            Kind::Str(text) => text.to_string(),
            Kind::Missing(_) => str(&value)?,
            _ => return Ok(value),
        },
        (Some(last), false) => {
            pieces.push(last);
            joined(&pieces)?
        }
    };
    Ok(read(text))
}

/// A text as the literal that it may be.
fn read(text: String) -> Value {
    let Some(value) = literal::parse(&text) else {
        return Value::from(text);
    };
    // A text in quotes keeps them, with its escapes read.
    match (kind(&value), text.chars().next()) {
        (Ok(Kind::Str(inner)), Some(quote)) => Value::from(format!("{quote}{inner}{quote}")),
        _ => value,
    }
}

/// All pieces as one text.
fn joined(pieces: &[Piece]) -> Result<String> {
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Value(value) => match kind(value)? {
                Kind::Str(text) => out.push_str(text),
                _ => out.push_str(&str(value)?),
            },
        }
        if out.len() > LONGEST {
            return Err(error("the template prints too much"));
        }
    }
    Ok(out)
}

/// What an expression between braces prints: nothing in it may be undefined.
pub fn printed(value: Value, mode: Mode) -> Result<Value> {
    check(&value, 100, &Budget::new())?;
    Ok(if mode == Mode::Text && value.is_none() { Value::from("") } else { value })
}

fn check(value: &Value, depth: usize, budget: &Budget) -> Result<()> {
    budget.step()?;
    let Some(depth) = depth.checked_sub(1) else {
        return Ok(());
    };
    if let Some(missing) = value.downcast_object_ref::<Missing>() {
        return crate::python::kind::defined(missing);
    }
    // What others compute lazily is not computed only to be looked at.
    if let Some(list) = value.downcast_object_ref::<List>() {
        return list.read().iter().try_for_each(|item| check(item, depth, budget));
    }
    if let Some(dict) = value.downcast_object_ref::<Dict>() {
        return dict.read().values().try_for_each(|item| check(item, depth, budget));
    }
    if let Some(tuple) = value.downcast_object_ref::<Tuple>() {
        return tuple.items().iter().try_for_each(|item| check(item, depth, budget));
    }
    Ok(())
}
