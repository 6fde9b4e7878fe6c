//! Decodes a `dynamic` block: its collection, iterator name, labels and content.

use std::rc::Rc;
use std::sync::Arc;

use hieratic_hcl_syntax::{Problem, Problems, Range};
use hieratic_hcl_types::{Text, Type, Value, convert};

use super::Iteration;
use crate::body::{AttributeSchema, BlockSchema, Schema};
use crate::context::Variables;
use crate::{Block, Body, Context, Expression};

/// A `dynamic` block whose collection is evaluated, but not its labels and content.
pub(super) struct Specification<'a> {
    kind: Arc<str>,
    kind_range: Range,
    def_range: Range,
    pub(super) for_each: Value,
    iterator: Text,
    labels: Vec<Expression<'a>>,
    content: Body<'a>,
}

impl<'a> Specification<'a> {
    /// Reads a `dynamic` block for blocks of a type. `None` after errors.
    pub(super) fn read(
        block: &Block<'a>,
        declared: &BlockSchema,
        context: &Context<'_>,
        problems: &mut Problems,
    ) -> Option<Self> {
        let (content, found) = block.body.content(&schema(!declared.labels.is_empty()));
        let failed = found.has_errors();
        problems.append(found);
        if failed {
            return None;
        }
        let iterator = match content.attribute("iterator") {
            None => Text::from(&*declared.kind),
            Some(attribute) => {
                let reference = match attribute.expression.as_traversal() {
                    Ok(reference) => reference,
                    Err(found) => {
                        problems.append(found);
                        return None;
                    }
                };
                if !reference.steps.is_empty() {
                    let detail = "Dynamic iterator must be a single variable name.";
                    let wrong = Problem::error("Invalid dynamic iterator name", detail);
                    problems.push(wrong.at_range(reference.range));
                    return None;
                }
                reference.root
            }
        };
        let for_each = collection(&content.attribute("for_each")?.expression, context, problems)?;
        let labels = match content.attribute("labels") {
            None => Vec::new(),
            Some(attribute) => label_expressions(&attribute.expression, declared, problems)?,
        };
        let kind_range = block.label_ranges.first()?.clone();
        let body = match content.blocks.as_slice() {
            [only] => only.body.clone(),
            [] => {
                let detail = "A dynamic block must have a nested block of type \"content\" to describe the body of each \
                              generated block.";
                let wrong = Problem::error("Missing dynamic content block", detail);
                problems.push(wrong.at_range(content.missing_range));
                return None;
            }
            [_, second, ..] => {
                let detail = "Only one nested content block is allowed for each dynamic block.";
                let wrong = Problem::error("Extraneous dynamic content block", detail);
                problems.push(wrong.at_range(second.def_range.clone()));
                return None;
            }
        };
        Some(Self {
            kind: Arc::from(&*declared.kind),
            kind_range,
            def_range: block.def_range.clone(),
            for_each,
            iterator,
            labels,
            content: body,
        })
    }

    pub(super) fn iteration(&self, outer: Option<&Rc<Iteration>>, key: Value, value: Value) -> Rc<Iteration> {
        Rc::new(Iteration::new(outer.cloned(), self.iterator.clone(), key, value))
    }

    /// The block for one element, its body not expanded yet. `None` after errors.
    pub(super) fn block(
        &self,
        iteration: &Iteration,
        context: &Context<'_>,
        problems: &mut Problems,
    ) -> Option<Block<'a>> {
        let context = context.child_with(Variables::Iteration(iteration));
        let mut labels = Vec::with_capacity(self.labels.len());
        let mut is_unknown = !self.for_each.is_known() && context.keeps_unknown();
        for expression in &self.labels {
            match label(expression, &context, problems)? {
                Label::Known(text) => labels.push(text),
                Label::Unknown => is_unknown = true,
            }
        }
        if is_unknown {
            labels.clear();
        }
        Some(Block {
            kind: self.kind.clone(),
            labels,
            body: self.content.clone(),
            def_range: self.def_range.clone(),
            type_range: self.kind_range.clone(),
            label_ranges: self.labels.iter().map(Expression::range).collect(),
            is_unknown,
        })
    }
}

fn schema(labelled: bool) -> Schema {
    let mut attributes = vec![AttributeSchema::required("for_each"), AttributeSchema::optional("iterator")];
    if labelled {
        attributes.push(AttributeSchema::required("labels"));
    }
    Schema { attributes, blocks: vec![BlockSchema::new("content", &[])] }
}

fn collection(expression: &Expression<'_>, context: &Context<'_>, problems: &mut Problems) -> Option<Value> {
    let (value, found) = expression.value(context);
    let failed = found.has_errors();
    problems.append(found);
    if failed {
        return None;
    }
    let detail = match &value {
        Value::Unknown(ty) if !ty.is_primitive() => return Some(value),
        Value::Null(Type::Dynamic) => "Cannot use a null value in for_each.".to_owned(),
        value if value.can_iterate() => return Some(value.clone()),
        value => format!(
            "Cannot use a {} value in for_each. An iterable collection is required.",
            value.ty().friendly_name()
        ),
    };
    problems.push(Problem::error("Invalid dynamic for_each value", detail).at_range(expression.range()));
    None
}

fn label_expressions<'a>(
    expression: &Expression<'a>,
    declared: &BlockSchema,
    problems: &mut Problems,
) -> Option<Vec<Expression<'a>>> {
    let labels = match expression.as_list() {
        Ok(labels) => labels,
        Err(found) => {
            problems.append(found);
            return None;
        }
    };
    let count = declared.labels.len();
    let detail = || format!("Blocks of type {} require {count} label(s).", hieratic_hcl_types::quoted(&declared.kind));
    let wrong = match labels.get(count) {
        Some(extra) => Problem::error("Extraneous dynamic block label", detail()).at_range(extra.range()),
        None if labels.len() < count => {
            Problem::error("Insufficient dynamic block labels", detail()).at_range(expression.range())
        }
        None => return Some(labels),
    };
    problems.push(wrong);
    None
}

/// A label of a generated block.
enum Label {
    Known(Text),
    Unknown,
}

/// Evaluates a label; `None` after an error.
fn label(expression: &Expression<'_>, context: &Context<'_>, problems: &mut Problems) -> Option<Label> {
    let (value, found) = expression.value(context);
    let failed = found.has_errors();
    problems.append(found);
    if failed {
        return None;
    }
    let detail = match convert(&value, &Type::String) {
        Ok(Value::String(text)) => return Some(Label::Known(text)),
        Ok(Value::Unknown(_)) if context.keeps_unknown() => return Some(Label::Unknown),
        Ok(Value::Null(_)) => "Cannot use a null value as a dynamic block label.".to_owned(),
        Ok(_) => "This value is not yet known. Dynamic block labels must be immediately-known values.".to_owned(),
        Err(error) => format!("Cannot use this value as a dynamic block label: {error}."),
    };
    problems.push(Problem::error("Invalid dynamic block label", detail).at_range(expression.range()));
    None
}
