//! The tree of a template.

use std::sync::Arc;

use hieratic_source::Span;

use super::number::Number;

/// The templates of a file: the file itself, and the templates that it defines.
#[derive(Clone, Debug, Default)]
pub struct Templates(Vec<Template>);

/// A named template.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its name.
    pub name: Arc<str>,
    /// The name of its file.
    pub file: Arc<str>,
    /// The nodes of the template.
    pub nodes: Vec<Node>,
}

impl Templates {
    /// Returns the template with this name.
    pub fn get(&self, name: &str) -> Option<&Template> {
        self.0.iter().find(|template| &*template.name == name)
    }

    /// Returns the templates, in the order of their ends.
    pub fn iter(&self) -> impl Iterator<Item = &Template> {
        self.0.iter()
    }

    /// Adds a template. One that has only spaces and comments replaces nothing, and is replaced by any other.
    ///
    /// # Errors
    /// There is another template of that name.
    pub(super) fn add(&mut self, template: Template) -> Result<(), ()> {
        match self.0.iter_mut().find(|other| other.name == template.name) {
            None => self.0.push(template),
            Some(other) if is_blank(&other.nodes) => *other = template,
            Some(_) if is_blank(&template.nodes) => {}
            Some(_) => return Err(()),
        }
        Ok(())
    }
}

/// Whether a template is of no effect when it is defined a second time.
pub(crate) fn is_blank(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| matches!(node, Node::Text { text, .. } if text.chars().all(char::is_whitespace)))
}

/// A part of a template.
#[derive(Clone, Debug)]
pub enum Node {
    /// The text outside of actions.
    Text {
        /// The span.
        span: Span,
        /// The text, without the whitespace that delimiters trim.
        text: Arc<str>,
    },
    /// `{{ pipeline }}`
    Action(Pipeline),
    /// `{{ if }}`, `{{ else if }}` and `{{ else }}`.
    If(Control),
    /// `{{ with }}`, `{{ else with }}` and `{{ else }}`.
    With(Control),
    /// `{{ range }}`, with one branch.
    Range(Control),
    /// `{{ template "name" pipeline }}`, also for a `{{ block }}`.
    Template {
        /// The span of the name.
        span: Span,
        /// The name.
        name: Arc<str>,
        /// The value of the template's dot.
        argument: Option<Pipeline>,
    },
    /// `{{ break }}`
    Break(Span),
    /// `{{ continue }}`
    Continue(Span),
}

/// A control structure.
#[derive(Clone, Debug)]
pub struct Control {
    /// The branches: one, and those of `else if` or `else with`.
    pub branches: Vec<Branch>,
    /// The nodes after `else`.
    pub otherwise: Option<Vec<Node>>,
}

/// A branch of a control structure.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The condition or value.
    pub pipeline: Pipeline,
    /// The nodes of the branch.
    pub nodes: Vec<Node>,
}

/// A sequence of commands. The result of each is the last argument of the next.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The span.
    pub span: Span,
    /// The variables that the pipeline sets.
    pub variables: Vec<Variable>,
    /// Whether the variables already exist (`=` instead of `:=`).
    pub assigns: bool,
    /// The commands, at least one.
    pub commands: Vec<Command>,
}

/// A variable that a pipeline sets.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The span.
    pub span: Span,
    /// The name, with `$`.
    pub name: Arc<str>,
}

/// A value, or a function with its arguments.
#[derive(Clone, Debug)]
pub struct Command {
    /// The span.
    pub span: Span,
    /// The operands, at least one. If the first is a function, a field or a method, the others are its arguments.
    pub operands: Vec<Operand>,
}

/// A part of a command.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The span.
    pub span: Span,
    /// The kind.
    pub kind: OperandKind,
}

/// The kinds of operands.
#[derive(Clone, Debug)]
pub enum OperandKind {
    /// `.`
    Dot,
    /// `nil`
    Nil,
    /// `true` or `false`
    Bool(bool),
    /// A number, or a character.
    Number(Number),
    /// A string. Escapes can produce bytes that are not UTF-8.
    String(Arc<[u8]>),
    /// `.A.B`
    Field(Vec<Arc<str>>),
    /// `$name.A.B`
    Variable {
        /// The name, with `$`.
        name: Arc<str>,
        /// The fields after it.
        fields: Vec<Arc<str>>,
    },
    /// The name of a function.
    Function(Arc<str>),
    /// An operand followed by fields: `(f x).A`.
    Chain {
        /// The operand.
        operand: Box<Operand>,
        /// The fields.
        fields: Vec<Arc<str>>,
    },
    /// A pipeline in parentheses.
    Pipeline(Box<Pipeline>),
}
