//! Evaluates expressions.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use hieratic_jinja::extend::minijinja::value::{Object, ObjectRepr};
use hieratic_jinja::extend::objects::{Dict, List};
use hieratic_jinja::extend::python::compare::{equal, order};
use hieratic_jinja::extend::python::kind::{element, entries, iterate, truth};
use hieratic_jinja::extend::python::{Kind, index, kind};
use hieratic_jinja::extend::{Result, Value, work};

use super::functions;
use super::node::{Comparison, Node};

/// An expression as a value: the argument `&expression` of functions such as `map` and `sort_by`.
#[derive(Debug)]
pub struct Reference(pub Arc<Node>);

impl Object for Reference {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JMESPath expression")
    }
}

/// Evaluates an expression on a value.
pub fn visit(node: &Node, value: &Value) -> Result<Value> {
    work::steps(1)?;
    match node {
        Node::Identity => Ok(value.clone()),
        Node::Field(name) => match kind(value)? {
            Kind::Dict => Ok(element(value, &Value::from(name.as_str()))?.unwrap_or_else(none)),
            _ => Ok(none()),
        },
        Node::Index(at) => {
            if is_list(value)? {
                Ok(index::item(value, at)?.unwrap_or_else(none))
            } else {
                Ok(none())
            }
        }
        Node::Slice(parts) => {
            if is_list(value)? {
                list(iterate(&index::slice(value, parts.clone())?)?)
            } else {
                Ok(none())
            }
        }
        Node::Literal(literal) => Ok(literal.clone()),
        _ => work::deeper(|| visit_parts(node, value)),
    }
}

/// Evaluates an expression with parts.
fn visit_parts(node: &Node, value: &Value) -> Result<Value> {
    Ok(match node {
        Node::Chain(parts) => {
            let mut found = value.clone();
            for part in parts {
                found = visit(part, &found)?;
            }
            found
        }
        Node::Projection(left, right) => {
            let base = visit(left, value)?;
            if !is_list(&base)? {
                return Ok(none());
            }
            project(iterate(&base)?, right)?
        }
        Node::Values(left, right) => {
            let base = visit(left, value)?;
            match kind(&base)? {
                Kind::Dict => project(entries(&base)?.into_iter().map(|(_, item)| item).collect(), right)?,
                _ => none(),
            }
        }
        Node::Filter { left, right, condition } => {
            let base = visit(left, value)?;
            if !is_list(&base)? {
                return Ok(none());
            }
            let mut kept = Vec::new();
            for item in iterate(&base)? {
                if counts(&visit(condition, &item)?)? {
                    kept.push(visit(right, &item)?);
                }
            }
            kept.retain(|item| !item.is_none());
            list(kept)?
        }
        Node::Flatten(inner) => {
            let base = visit(inner, value)?;
            if !is_list(&base)? {
                return Ok(none());
            }
            let mut flat = Vec::new();
            for item in iterate(&base)? {
                if is_list(&item)? {
                    let items = iterate(&item)?;
                    work::elements(items.len())?;
                    flat.extend(items);
                } else {
                    flat.push(item)
                }
            }
            list(flat)?
        }
        Node::Compare(comparison, left, right) => compare(*comparison, &visit(left, value)?, &visit(right, value)?)?,
        Node::Or(left, right) => {
            let found = visit(left, value)?;
            if counts(&found)? { found } else { visit(right, value)? }
        }
        Node::And(left, right) => {
            let found = visit(left, value)?;
            if counts(&found)? { visit(right, value)? } else { found }
        }
        Node::Not(inner) => {
            let found = visit(inner, value)?;
            // Numbers are true, even zero.
            Value::from(!is_number(&found)? && !truth(&found)?)
        }
        Node::List(items) => {
            if value.is_none() {
                return Ok(none());
            }
            list(items.iter().map(|item| visit(item, value)).collect::<Result<_>>()?)?
        }
        Node::Dict(pairs) => {
            if value.is_none() {
                return Ok(none());
            }
            work::elements(2 * pairs.len())?;
            let entry = |(key, item): &(String, Arc<Node>)| Ok((Value::from(key.as_str()), visit(item, value)?));
            Dict::value(pairs.iter().map(entry).collect::<Result<_>>()?)
        }
        Node::Reference(inner) => Value::from_object(Reference(inner.clone())),
        Node::Call(name, arguments) => {
            let arguments = arguments.iter().map(|argument| visit(argument, value)).collect::<Result<Vec<_>>>()?;
            functions::call(name, &arguments)?
        }
        // Leaves do not have parts.
        Node::Identity | Node::Field(_) | Node::Index(_) | Node::Slice(_) | Node::Literal(_) => visit(node, value)?,
    })
}

pub fn none() -> Value {
    Value::from(())
}

/// Creates a list and charges its memory to the budget.
pub fn list(items: Vec<Value>) -> Result<Value> {
    work::elements(items.len())?;
    Ok(List::value(items))
}

/// Returns whether a value is an array of JMESPath. A tuple is not.
pub fn is_list(value: &Value) -> Result<bool> {
    Ok(matches!(kind(value)?, Kind::List))
}

/// Returns whether a value is a number of JMESPath. A boolean is not.
pub fn is_number(value: &Value) -> Result<bool> {
    Ok(matches!(kind(value)?, Kind::Int(_) | Kind::Float(_)))
}

fn project(items: Vec<Value>, right: &Node) -> Result<Value> {
    let mut found = Vec::with_capacity(items.len());
    for item in items {
        let result = visit(right, &item)?;
        if !result.is_none() {
            found.push(result);
        }
    }
    list(found)
}

/// Returns the truth of a value: all are true except `null`, `false` and empty ones.
fn counts(value: &Value) -> Result<bool> {
    Ok(match kind(value)? {
        Kind::None | Kind::Bool(false) => false,
        Kind::Str(text) => !text.is_empty(),
        Kind::List | Kind::Dict => truth(value)?,
        _ => true,
    })
}

fn compare(comparison: Comparison, left: &Value, right: &Value) -> Result<Value> {
    let equals = || -> Result<bool> {
        // A boolean is not a number here; in Python, `True` is 1.
        let mixed = |one: &Value, other: &Value| -> Result<bool> {
            Ok(is_number(one)? && matches!(kind(other)?, Kind::Bool(_)))
        };
        Ok(!mixed(left, right)? && !mixed(right, left)? && equal(left, right)?)
    };
    let comparable = |value: &Value| -> Result<bool> { Ok(is_number(value)? || matches!(kind(value)?, Kind::Str(_))) };
    let operator = match comparison {
        Comparison::Equal => return equals().map(Value::from),
        Comparison::NotEqual => return equals().map(|equal| Value::from(!equal)),
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterOrEqual => ">=",
    };
    if !comparable(left)? || !comparable(right)? {
        return Ok(none());
    }
    let ordering = order(left, right, operator)?;
    Ok(Value::from(ordering.is_some_and(|ordering| match comparison {
        Comparison::Less => ordering == Ordering::Less,
        Comparison::LessOrEqual => ordering != Ordering::Greater,
        Comparison::Greater => ordering == Ordering::Greater,
        _ => ordering != Ordering::Less,
    })))
}
