//! The tree of a template.

use std::sync::Arc;

use hieratic_source::Span;

use super::number::Number;

/// The templates of a file: the file itself, and those that it defines.
#[derive(Clone, Debug, Default)]
pub struct Templates(Vec<Template>);

/// A named template.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its name.
    pub name: Arc<str>,
    /// The name of the text that it is in.
    pub file: Arc<str>,
    /// Its parts.
    pub nodes: Vec<Node>,
}

impl Templates {
    /// Finds a template.
    pub fn get(&self, name: &str) -> Option<&Template> {
        self.0.iter().find(|template| &*template.name == name)
    }

    /// Returns the templates, in the order in which they end.
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
        /// Its place.
        span: Span,
        /// The text, without what delimiters trim.
        text: Arc<str>,
    },
    /// `{{ pipeline }}`
    Action(Pipeline),
    /// `{{ if }}`, `{{ else if }}` and `{{ else }}`.
    If(Control),
    /// `{{ with }}`, likewise.
    With(Control),
    /// `{{ range }}`, with one branch.
    Range(Control),
    /// `{{ template "name" pipeline }}`, and the place of a `{{ block }}`.
    Template {
        /// The place of the name.
        span: Span,
        /// The name.
        name: Arc<str>,
        /// The value that the template gets as its dot.
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
    /// Its condition or value.
    pub pipeline: Pipeline,
    /// The nodes that it controls.
    pub nodes: Vec<Node>,
}

/// Commands, of which each gets the result of the one before as its last argument.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// Its place.
    pub span: Span,
    /// The variables that it sets.
    pub variables: Vec<Variable>,
    /// Whether these exist already: `=`, not `:=`.
    pub assigns: bool,
    /// Its commands, one at least.
    pub commands: Vec<Command>,
}

/// A variable that a pipeline sets.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its place.
    pub span: Span,
    /// Its name, with `$`.
    pub name: Arc<str>,
}

/// A value, or a function with its arguments.
#[derive(Clone, Debug)]
pub struct Command {
    /// Its place.
    pub span: Span,
    /// Its operands, one at least. If the first is a function, a field or a method, the others are its arguments.
    pub operands: Vec<Operand>,
}

/// A part of a command.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Its place.
    pub span: Span,
    /// Its kind.
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
    /// A string. Escapes can make bytes that are not UTF-8.
    String(Arc<[u8]>),
    /// `.A.B`
    Field(Vec<Arc<str>>),
    /// `$name.A.B`
    Variable {
        /// Its name, with `$`.
        name: Arc<str>,
        /// The fields after.
        fields: Vec<Arc<str>>,
    },
    /// The name of a function.
    Function(Arc<str>),
    /// An operand with fields after: `(f x).A`.
    Chain {
        /// The operand.
        operand: Box<Operand>,
        /// The fields.
        fields: Vec<Arc<str>>,
    },
    /// A pipeline in parentheses.
    Pipeline(Box<Pipeline>),
}
