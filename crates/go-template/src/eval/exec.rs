//! Walks the tree of a template, and writes its text.

use std::sync::Arc;

use hieratic_budget::{Budget, Depth};
use hieratic_source::Span;

use super::builtins;
use super::error::{Fault, RenderError};
use super::print::display;
use super::value::{Key, Value};
use crate::syntax::{Command, Control, Node, Operand, OperandKind, Pipeline, Templates};

/// The functions of a template in addition to the built-in ones.
pub trait Functions {
    /// Calls a function. Returns `None` if it does not exist.
    fn call(&self, name: &str, arguments: &[Value], rendering: &Rendering<'_>) -> Option<Result<Value, Fault>>;
}

/// The templates and rules of a rendering.
#[derive(Clone, Copy)]
pub struct Rendering<'r> {
    /// The templates.
    pub templates: &'r Templates,
    /// The functions in addition to the built-in ones.
    pub functions: &'r dyn Functions,
    /// Whether a missing key of a map is an error.
    pub is_strict: bool,
    /// The text of an action whose value is missing. Go writes `<no value>`.
    pub no_value: &'r str,
    /// The budget of the rendering.
    pub budget: &'r Budget,
}

/// The result of rendering, with the origins of its parts.
#[derive(Clone, Debug, Default)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// The parts of the text, in order.
    pub segments: Vec<Segment>,
}

/// A part of a rendered text.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The start of the part in the rendered text, in bytes.
    pub start: usize,
    /// The name of the template.
    pub template: Arc<str>,
    /// The span in the template.
    pub span: Span,
    /// Whether the part is literal text, which equals the bytes of the template.
    pub is_literal: bool,
}

/// Renders the template with this name.
///
/// # Errors
/// Rendering fails. The error has a position.
pub fn render(name: &str, dot: &Value, rendering: &Rendering<'_>) -> Result<Rendered, RenderError> {
    let Some(template) = rendering.templates.get(name) else {
        return Err(Fault::error(format!("there is no template {name:?}")).into());
    };
    let mut walker = Walker {
        rendering,
        out: Rendered::default(),
        variables: vec![("$".into(), dot.clone())],
        depth: Depth::default(),
        name: template.file.clone(),
    };
    walker.nodes(&template.nodes, dot)?;
    Ok(walker.out)
}

/// The end of a list of nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    Break,
    Continue,
}

struct Walker<'r, 't> {
    rendering: &'r Rendering<'t>,
    out: Rendered,
    variables: Vec<(Arc<str>, Value)>,
    depth: Depth,
    name: Arc<str>,
}

impl<'t> Walker<'_, 't> {
    fn fail<T>(&self, span: Span, fault: impl Into<Fault>) -> Result<T, RenderError> {
        Err(RenderError { place: Some((self.name.to_string(), span)), fault: fault.into() })
    }

    fn error<T>(&self, span: Span, message: impl Into<String>) -> Result<T, RenderError> {
        self.fail(span, Fault::Error(message.into()))
    }

    fn write(&mut self, span: Span, text: &str, is_literal: bool) -> Result<(), RenderError> {
        let bytes = text.len() + size_of::<Segment>();
        self.rendering.budget.bytes(bytes).or_else(|exhausted| self.fail(span, exhausted))?;
        let start = self.out.text.len();
        self.out.segments.push(Segment { start, template: self.name.clone(), span, is_literal });
        self.out.text.push_str(text);
        Ok(())
    }

    fn nodes(&mut self, nodes: &'t [Node], dot: &Value) -> Result<Flow, RenderError> {
        let entered = self.rendering.budget.enter(&self.depth);
        let guard = entered.or_else(|exhausted| self.fail(Span::at(0), exhausted))?;
        let flow = stacker::maybe_grow(128 << 10, 1 << 20, || self.nodes_in(nodes, dot));
        drop(guard);
        flow
    }

    fn nodes_in(&mut self, nodes: &'t [Node], dot: &Value) -> Result<Flow, RenderError> {
        for node in nodes {
            let flow = self.node(node, dot)?;
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn node(&mut self, node: &'t Node, dot: &Value) -> Result<Flow, RenderError> {
        match node {
            Node::Text { span, text } => self.write(*span, text, true)?,
            Node::Action(pipeline) => {
                let value = self.pipeline(pipeline, dot)?;
                if pipeline.variables.is_empty() {
                    let text = if value == Value::Nil { self.rendering.no_value.to_owned() } else { display(&value) };
                    self.write(pipeline.span, &text, false)?;
                }
            }
            Node::If(control) => return self.branches(control, dot, false),
            Node::With(control) => return self.branches(control, dot, true),
            Node::Range(control) => self.range(control, dot)?,
            Node::Template { span, name, argument } => self.template(*span, name, argument.as_ref(), dot)?,
            Node::Break(_) => return Ok(Flow::Break),
            Node::Continue(_) => return Ok(Flow::Continue),
        }
        Ok(Flow::Next)
    }

    fn branches(&mut self, control: &'t Control, dot: &Value, is_with: bool) -> Result<Flow, RenderError> {
        let mark = self.variables.len();
        let mut flow = None;
        for branch in &control.branches {
            let value = self.pipeline(&branch.pipeline, dot)?;
            if value.is_true() {
                flow = Some(self.nodes(&branch.nodes, if is_with { &value } else { dot })?);
                break;
            }
        }
        let flow = match (flow, &control.otherwise) {
            (Some(flow), _) => flow,
            (None, Some(nodes)) => self.nodes(nodes, dot)?,
            (None, None) => Flow::Next,
        };
        self.variables.truncate(mark);
        Ok(flow)
    }

    fn range(&mut self, control: &'t Control, dot: &Value) -> Result<(), RenderError> {
        let mark = self.variables.len();
        let Some(branch) = control.branches.first() else { return Ok(()) };
        let pipeline = &branch.pipeline;
        let value = self.pipeline_value(pipeline, dot)?;
        // The variables exist also where there is nothing.
        for variable in &pipeline.variables {
            if pipeline.assigns {
                self.assign(&variable.name, value.clone())?;
            } else {
                self.variables.push((variable.name.clone(), value.clone()));
            }
        }
        let inner = self.variables.len();
        let entries: Vec<(Value, Value)> = match &value {
            Value::List(values) => (0_i64..).map(Value::Int).zip(values.iter().cloned()).collect(),
            Value::Map(entries) => {
                entries.iter().map(|(key, value)| (Value::from(key.as_str()), value.clone())).collect()
            }
            Value::AnyMap(entries) => entries.iter().map(|(key, value)| (key.to_value(), value.clone())).collect(),
            Value::Int(count) if pipeline.variables.len() > 1 => {
                return self.error(pipeline.span, format!("can't use {count} to iterate over more than one variable"));
            }
            Value::Int(count) => {
                let used = self.rendering.budget.steps((*count).max(0).unsigned_abs());
                used.or_else(|exhausted| self.fail(pipeline.span, exhausted))?;
                (0..*count).map(|index| (Value::Int(index), Value::Int(index))).collect()
            }
            Value::Nil => Vec::new(),
            other => return self.error(pipeline.span, format!("range can't iterate over {}", display(other))),
        };
        let is_empty = entries.is_empty();
        for (key, element) in entries {
            self.set_range_variables(pipeline, &key, &element)?;
            let flow = self.nodes(&branch.nodes, &element)?;
            self.variables.truncate(inner);
            if flow == Flow::Break {
                break;
            }
        }
        if let (true, Some(nodes)) = (is_empty, &control.otherwise) {
            self.nodes(nodes, dot)?;
        }
        self.variables.truncate(mark);
        Ok(())
    }

    fn set_range_variables(&mut self, pipeline: &Pipeline, key: &Value, element: &Value) -> Result<(), RenderError> {
        match pipeline.variables.as_slice() {
            [] => Ok(()),
            [only] => self.assign(&only.name, element.clone()),
            [first, second, ..] => {
                self.assign(&first.name, key.clone())?;
                self.assign(&second.name, element.clone())
            }
        }
    }

    /// Sets the innermost variable of a name.
    fn assign(&mut self, name: &str, value: Value) -> Result<(), RenderError> {
        match self.variables.iter_mut().rev().find(|(known, _)| &**known == name) {
            Some((_, slot)) => *slot = value,
            None => return self.error(Span::at(0), format!("undefined variable: {name}")),
        }
        Ok(())
    }

    fn template(
        &mut self,
        span: Span,
        name: &str,
        argument: Option<&'t Pipeline>,
        dot: &Value,
    ) -> Result<(), RenderError> {
        let value = match argument {
            Some(pipeline) => self.pipeline(pipeline, dot)?,
            None => Value::Nil,
        };
        let templates: &'t Templates = self.rendering.templates;
        let Some(template) = templates.get(name) else {
            return self.error(span, format!("template {} not defined", hieratic_hcl_types::quoted(name)));
        };
        let variables = std::mem::replace(&mut self.variables, vec![("$".into(), value.clone())]);
        let outer = std::mem::replace(&mut self.name, template.file.clone());
        let flow = self.nodes(&template.nodes, &value);
        self.name = outer;
        self.variables = variables;
        flow.map(|_| ())
    }

    /// The value of a pipeline, whose variables are set.
    fn pipeline(&mut self, pipeline: &'t Pipeline, dot: &Value) -> Result<Value, RenderError> {
        let value = self.pipeline_value(pipeline, dot)?;
        for variable in &pipeline.variables {
            if pipeline.assigns {
                self.assign(&variable.name, value.clone())?;
            } else {
                self.variables.push((variable.name.clone(), value.clone()));
            }
        }
        Ok(value)
    }

    fn pipeline_value(&mut self, pipeline: &'t Pipeline, dot: &Value) -> Result<Value, RenderError> {
        let mut value = None;
        for command in &pipeline.commands {
            value = Some(self.command(command, dot, value)?);
        }
        // The parser refuses a pipeline without commands.
        Ok(value.unwrap_or_default())
    }

    fn command(&mut self, command: &'t Command, dot: &Value, last: Option<Value>) -> Result<Value, RenderError> {
        self.rendering.budget.step().or_else(|exhausted| self.fail(command.span, exhausted))?;
        let Some((first, rest)) = command.operands.split_first() else { return Ok(Value::Nil) };
        if let OperandKind::Function(name) = &first.kind {
            return self.call(first.span, name, rest, dot, last);
        }
        if !rest.is_empty() || last.is_some() {
            return self.error(first.span, "can't give argument to non-function");
        }
        if matches!(first.kind, OperandKind::Nil) {
            return self.error(first.span, "nil is not a command");
        }
        self.operand(first, dot)
    }

    fn call(
        &mut self,
        span: Span,
        name: &str,
        operands: &'t [Operand],
        dot: &Value,
        last: Option<Value>,
    ) -> Result<Value, RenderError> {
        if matches!(name, "and" | "or") {
            return self.and_or(name == "and", operands, dot, last);
        }
        let mut arguments = Vec::with_capacity(operands.len() + 1);
        for operand in operands {
            arguments.push(self.operand(operand, dot)?);
        }
        arguments.extend(last);
        let own = self.rendering.functions.call(name, &arguments, self.rendering);
        let result = own.or_else(|| builtins::call(name, &arguments));
        match result {
            Some(Ok(value)) => Ok(value),
            Some(Err(Fault::Error(message))) => self.error(span, format!("error calling {name}: {message}")),
            Some(Err(fault)) => self.fail(span, fault),
            None => self.fail(span, Fault::NotHere(name.to_owned())),
        }
    }

    /// The first argument that decides; those after it are not evaluated.
    fn and_or(
        &mut self,
        is_and: bool,
        operands: &'t [Operand],
        dot: &Value,
        last: Option<Value>,
    ) -> Result<Value, RenderError> {
        let mut value = Value::Nil;
        for operand in operands {
            value = self.operand(operand, dot)?;
            if value.is_true() != is_and {
                return Ok(value);
            }
        }
        Ok(last.unwrap_or(value))
    }

    fn operand(&mut self, operand: &'t Operand, dot: &Value) -> Result<Value, RenderError> {
        match &operand.kind {
            OperandKind::Dot => Ok(dot.clone()),
            OperandKind::Nil => Ok(Value::Nil),
            OperandKind::Bool(truth) => Ok(Value::Bool(*truth)),
            OperandKind::Number(number) => match (number.signed, number.float) {
                // A number is an integer unless it is written as another one.
                (_, Some(float)) if number.is_written_as_float => Ok(Value::Float(float)),
                (Some(signed), _) if !number.is_complex => Ok(Value::Int(signed)),
                (_, Some(float)) if !number.is_complex => Ok(Value::Float(float)),
                _ => self.fail(operand.span, Fault::NotHere("complex numbers".to_owned())),
            },
            OperandKind::String(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Ok(Value::from(text)),
                Err(_) => self.fail(operand.span, Fault::NotHere("strings that are not UTF-8".to_owned())),
            },
            OperandKind::Field(fields) => self.fields(operand.span, dot.clone(), fields),
            OperandKind::Variable { name, fields } => {
                let found = self.variables.iter().rev().find(|(known, _)| known == name);
                // The parser refuses variables that are not declared.
                let value = found.map(|(_, value)| value.clone()).unwrap_or_default();
                self.fields(operand.span, value, fields)
            }
            OperandKind::Function(name) => self.call(operand.span, name, &[], dot, None),
            OperandKind::Chain { operand: inner, fields } => {
                let value = self.operand(inner, dot)?;
                self.fields(operand.span, value, fields)
            }
            OperandKind::Pipeline(pipeline) => stacker::maybe_grow(128 << 10, 1 << 20, || self.pipeline(pipeline, dot)),
        }
    }

    fn fields(&self, span: Span, value: Value, fields: &[Arc<str>]) -> Result<Value, RenderError> {
        let mut value = value;
        for (index, field) in fields.iter().enumerate() {
            let entry = match &value {
                Value::Map(entries) => entries.get(&**field),
                Value::AnyMap(entries) => entries.get(&Key::String(field.clone())),
                // Go tells the missing result of a pipeline from an entry that is nil: only the first has fields, which
                // are missing as well.
                Value::Nil if index == 0 && !self.rendering.is_strict => return Ok(Value::Nil),
                Value::Nil if index == 0 => {
                    let message = format!("nil data; no entry for key {}", hieratic_hcl_types::quoted(field));
                    return self.error(span, message);
                }
                Value::Nil => {
                    return self.error(span, format!("nil pointer evaluating interface {{}}.{field}"));
                }
                other => {
                    return self.error(span, format!("can't evaluate field {field} in type {}", other.type_name()));
                }
            };
            value = match entry {
                Some(inner) => inner.clone(),
                None if self.rendering.is_strict => {
                    let message = format!("map has no entry for key {}", hieratic_hcl_types::quoted(field));
                    return self.error(span, message);
                }
                None => Value::Nil,
            };
        }
        Ok(value)
    }
}
