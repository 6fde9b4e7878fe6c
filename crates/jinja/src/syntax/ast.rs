//! The tree of a template.
//!
//! It is shared and immutable: macros and blocks keep the parts that they need.

use std::collections::BTreeMap;
use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};

use hieratic_diagnostics::{Source, Span};
use minijinja::Value;

use super::fast_loop::FastLoop;
use crate::host::Function;
use crate::objects::Key;
use crate::python::arithmetic::Operator;
use crate::settings::Settings;

/// A parsed template.
#[derive(Debug)]
pub struct Template {
    /// Its source, to which spans refer.
    pub source: Source,
    /// The statements.
    pub body: Vec<Node>,
    /// The layout of its variables.
    pub unit: Arc<Unit>,
    /// The blocks anywhere in it.
    pub blocks: BTreeMap<Arc<str>, Arc<Block>>,
    /// The filters and tests anywhere in it.
    pub plugins: Vec<Plugin>,
    /// The settings of the parser, which also apply to the templates that it names.
    pub settings: Arc<Settings>,
}

/// The name of a filter or a test in a template.
#[derive(Debug)]
pub struct Plugin {
    /// `filter` or `test`.
    pub kind: &'static str,
    /// The name.
    pub name: Arc<str>,
    /// The span of the name.
    pub span: Span,
}

/// The variables of a unit of evaluation: the top of a template, a block, a macro.
#[derive(Debug, Default)]
pub struct Unit {
    /// The name of the variable in each slot. The slots of inner statements follow those of the outer statements.
    pub slots: Vec<Arc<str>>,
    /// The number of leading slots whose variables are also in a scope: the top-level variables.
    pub top: usize,
    /// The number of names that are read but never set.
    pub given: usize,
    /// Those of these names that are read outside of loops.
    pub names: Vec<Arc<str>>,
}

/// A use of a variable in a template.
#[derive(Clone, Debug)]
pub struct Name {
    /// Its name.
    pub text: Arc<str>,
    /// The location of the variable, which is resolved when the whole template has been parsed.
    pub location: OnceLock<Location>,
}

/// The location of a variable.
#[derive(Clone, Debug)]
pub enum Location {
    /// In a scope, under its name.
    Named,
    /// In a scope outside of the unit, which does not change during the evaluation of the unit.
    Input(usize),
    /// In a slot if it is set there, otherwise in a scope.
    Slot(usize),
    /// In a slot and in a scope, which is where it is set.
    Both(usize),
    /// In the first of several slots in which it is set, otherwise in a scope.
    Slots(Box<[usize]>),
}

impl Name {
    /// Returns the location of the variable.
    #[inline]
    pub fn location(&self) -> &Location {
        self.location.get().unwrap_or(&Location::Named)
    }
}

impl From<Arc<str>> for Name {
    fn from(text: Arc<str>) -> Name {
        Name { text, location: OnceLock::new() }
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// Statements with their own variables.
#[derive(Debug)]
pub struct Body {
    /// The statements.
    pub nodes: Vec<Node>,
    /// The location of the variables, which is resolved when the whole template has been parsed.
    pub level: OnceLock<BodyLocation>,
    /// The names that the unit never sets and that are looked up again when the statements begin, because the outer
    /// statements do not read them.
    pub anew: OnceLock<Vec<usize>>,
}

/// The location of the variables of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyLocation {
    /// In a scope, because a macro inside keeps it.
    Scope,
    /// In these slots.
    Slots(Range<usize>),
}

impl Body {
    /// Returns the location of the variables.
    pub fn level(&self) -> &BodyLocation {
        self.level.get().unwrap_or(&BodyLocation::Scope)
    }
}

impl From<Vec<Node>> for Body {
    fn from(nodes: Vec<Node>) -> Body {
        Body { nodes, level: OnceLock::new(), anew: OnceLock::new() }
    }
}

/// A statement, or text between statements.
#[derive(Debug)]
pub struct Node {
    /// The position in the template.
    pub span: Span,
    /// The kind of the syntax node.
    pub kind: NodeKind,
}

/// The kinds of a [`Node`].
#[derive(Debug)]
pub enum NodeKind {
    /// Literal text.
    Text(Literal),
    /// `{{ ... }}`
    Output(Expr),
    /// `{% for ... %}`
    For(Arc<For>),
    /// `{% if ... %}`, with `elif` and `else`.
    If { branches: Vec<(Expr, Vec<Node>)>, otherwise: Vec<Node> },
    /// `{% set a = ... %}`
    Set { target: Target, value: Expr },
    /// `{% set a %}...{% endset %}`
    SetBlock { target: Target, filters: Vec<Filter>, body: Body },
    /// `{% macro name(...) %}`
    Macro(Arc<Macro>),
    /// `{% call(...) name(...) %}`: the body is a macro, which the callee can call as `caller`.
    Call { caller: Arc<Macro>, call: Expr },
    /// `{% filter ... %}`
    FilterBlock { filters: Vec<Filter>, body: Body },
    /// `{% with a = ... %}`
    With { bindings: Vec<(Target, Expr)>, body: Body },
    /// `{% autoescape ... %}`
    Autoescape { on: Expr, body: Body },
    /// `{% block name %}`
    Block(Arc<Block>),
    /// `{% do ... %}`
    Do(Expr),
    /// `{% break %}`, or `{% continue %}`.
    Jump(Jump),
    /// `{% extends ... %}`
    Extends(Expr),
    /// `{% include ... %}`
    Include { name: Expr, ignore_missing: bool, with_context: bool },
    /// `{% import ... as name %}`
    Import { name: Expr, target: Name, with_context: bool },
    /// `{% from ... import name as alias %}`
    From { name: Expr, names: Vec<(Arc<str>, Name)>, with_context: bool },
}

/// Literal text of a template.
#[derive(Debug)]
pub struct Literal {
    text: Arc<str>,
    /// The text, padded with spaces: a copy of a fixed size is faster than one of a few bytes.
    padded: Option<Padded>,
}

/// A string that is padded to a block of a fixed size, which copies faster.
#[derive(Debug)]
pub enum Padded {
    /// In 16 bytes.
    Short(Box<str>),
    /// In 32.
    Long(Box<str>),
}

/// The sizes of blocks.
pub const SHORT: usize = 16;
pub const LONG: usize = 32;

impl From<Arc<str>> for Literal {
    fn from(text: Arc<str>) -> Literal {
        let fill = |size: usize| format!("{text}{}", " ".repeat(size - text.len())).into_boxed_str();
        let padded = match text.len() {
            length if length <= SHORT => Some(Padded::Short(fill(SHORT))),
            length if length <= LONG => Some(Padded::Long(fill(LONG))),
            _ => None,
        };
        Literal { text, padded }
    }
}

impl Literal {
    /// Returns the padded text, if it is short.
    #[inline(always)]
    pub fn padded(&self) -> Option<&Padded> {
        self.padded.as_ref()
    }
}

impl Deref for Literal {
    type Target = Arc<str>;

    fn deref(&self) -> &Arc<str> {
        &self.text
    }
}

/// A jump within a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jump {
    /// A jump to the end of the loop.
    Break,
    /// A jump to the next item.
    Continue,
}

/// A loop.
#[derive(Debug)]
pub struct For {
    /// The target that each item is assigned to.
    pub target: Target,
    /// The expression that is iterated over.
    pub iterable: Expr,
    /// The condition for items.
    pub condition: Option<Expr>,
    /// The statements for each item.
    pub body: Body,
    /// The statements of `else`, for a loop without items.
    pub otherwise: Body,
    /// Whether the loop is recursive, so that `loop(...)` can be called in it.
    pub recursive: bool,
    /// The variable `loop`.
    pub state: Name,
    /// The slots that are cleared for each iteration, and whether a statement may read `loop`. They are resolved when
    /// the whole template is parsed.
    pub details: OnceLock<(Range<usize>, bool)>,
    /// The names that the unit never sets and that are looked up again in each iteration, because the outer statements
    /// do not read them. They are resolved when the whole template is parsed.
    pub anew: OnceLock<Vec<usize>>,
    /// The literal text at both ends of the body, computed on first use.
    pub separators: OnceLock<Option<Separators>>,
    /// The compiled body, if it only prints. It is computed on first use.
    pub fast_loop: OnceLock<Option<FastLoop>>,
}

/// The text at both ends of a body, which is printed at once between two items.
#[derive(Debug)]
pub struct Separators {
    /// The text at its start.
    pub first: Literal,
    /// The text at its end.
    pub last: Literal,
    /// The text at the end, followed by that at the start.
    pub both: Literal,
}

impl Separators {
    /// Returns the separators of statements that begin and end with text.
    pub fn from_nodes(nodes: &[Node]) -> Option<Separators> {
        let [Node { kind: NodeKind::Text(first), .. }, .., Node { kind: NodeKind::Text(last), .. }] = nodes else {
            return None;
        };
        let both = Literal::from(Arc::from([&***last, &***first].concat()));
        Some(Separators { first: Literal::from((**first).clone()), last: Literal::from((**last).clone()), both })
    }
}

impl For {
    /// Returns the text between two items and the statements between its two parts, if the body has text at both ends and
    /// no statement in between that leaves it.
    pub fn separators(&self) -> Option<(&[Node], &Separators)> {
        let nodes = &self.body.nodes;
        let is_whole = |node: &Node| matches!(node.kind, NodeKind::Text(_) | NodeKind::Output(_) | NodeKind::For(_));
        let separators = self
            .separators
            .get_or_init(|| if nodes.iter().all(is_whole) { Separators::from_nodes(nodes) } else { None });
        let inner = nodes.get(1..nodes.len().saturating_sub(1))?;
        separators.as_ref().map(|separators| (inner, separators))
    }

    /// Returns the compiled body, if it only prints.
    pub fn fast_loop(&self) -> Option<&FastLoop> {
        self.fast_loop.get_or_init(|| FastLoop::compile(self)).as_ref()
    }
}

/// A macro, or the body of a call block.
#[derive(Debug)]
pub struct Macro {
    /// The name. It is `caller` for the body of a call block.
    pub name: Name,
    /// The parameters and their defaults.
    pub parameters: Vec<(Name, Option<Expr>)>,
    /// The statements.
    pub body: Body,
    /// The variables among `varargs`, `kwargs` and `caller` that it uses. It accepts no arguments for the others.
    pub uses: Uses,
    /// The variables with these names.
    pub special: Special,
    /// The layout of its variables, which is resolved when the whole template has been parsed.
    pub unit: OnceLock<Arc<Unit>>,
}

/// The special names that a macro uses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uses {
    /// Whether it uses positional arguments without a parameter.
    pub varargs: bool,
    /// Whether it uses named arguments without a parameter.
    pub kwargs: bool,
    /// Whether it uses the body of a call block.
    pub caller: bool,
}

/// The variables of a macro in addition to its parameters.
#[derive(Debug)]
pub struct Special {
    /// The positional arguments without a parameter.
    pub varargs: Name,
    /// The named arguments without a parameter.
    pub kwargs: Name,
    /// The body of a call block.
    pub caller: Name,
}

impl Default for Special {
    fn default() -> Special {
        let name = |text: &str| Name::from(Arc::from(text));
        Special { varargs: name("varargs"), kwargs: name("kwargs"), caller: name("caller") }
    }
}

/// A block, which templates that extend this one can override.
#[derive(Debug)]
pub struct Block {
    /// Its name.
    pub name: Arc<str>,
    /// The statements.
    pub body: Vec<Node>,
    /// Whether the outer variables are visible in it.
    pub scoped: bool,
    /// Whether another template must override it.
    pub required: bool,
    /// The layout of its variables, which is resolved when the whole template has been parsed.
    pub unit: OnceLock<Arc<Unit>>,
}

/// The target of an assignment.
#[derive(Debug)]
pub enum Target {
    /// A variable.
    Name(Name),
    /// An attribute of a namespace.
    Attribute(Name, Key),
    /// Several targets, each for one element.
    Several(Vec<Target>),
}

impl Target {
    /// Returns whether a variable of this name is assigned to.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Target::Name(target) => *target.text == *name,
            Target::Attribute(..) => false,
            Target::Several(targets) => targets.iter().any(|target| target.has(name)),
        }
    }
}

/// A filter with its arguments, without its input.
#[derive(Debug)]
pub struct Filter {
    /// Its name.
    pub name: Arc<str>,
    /// Its arguments.
    pub arguments: Arguments,
    /// The position in the template.
    pub span: Span,
    /// The built-in filter of this name, looked up on first use.
    pub known: OnceLock<Option<Function>>,
    /// The fast path of the filter, if it has one.
    pub fast: OnceLock<Option<crate::filters::FastFilter>>,
}

impl Filter {
    /// Returns whether it is `default` with at most the default value as an argument.
    pub fn is_default(&self) -> bool {
        matches!(&*self.name, "d" | "default") && self.fast().is_some()
    }

    /// Returns the fast path, if there is at most one argument and it has no side effects.
    #[inline]
    pub fn fast(&self) -> Option<crate::filters::FastFilter> {
        *self.fast.get_or_init(|| {
            let Arguments { positional, named, list, dictionary } = &self.arguments;
            let is_plain = |expr: &Expr| match &expr.kind {
                ExprKind::Attribute(object, _) => object.is_leaf(),
                _ => expr.is_leaf(),
            };
            let is_simple =
                named.is_empty() && list.is_none() && dictionary.is_none() && positional.iter().all(is_plain);
            if is_simple { crate::filters::fast_filter(&self.name, positional.len()) } else { None }
        })
    }
}

/// The arguments of a call.
#[derive(Debug, Default)]
pub struct Arguments {
    /// By position.
    pub positional: Vec<Expr>,
    /// By name.
    pub named: Vec<(Arc<str>, Expr)>,
    /// `*list`
    pub list: Option<Box<Expr>>,
    /// `**dictionary`
    pub dictionary: Option<Box<Expr>>,
}

impl Arguments {
    /// Returns whether there are no arguments.
    pub fn is_empty(&self) -> bool {
        self.positional.is_empty() && self.named.is_empty() && self.list.is_none() && self.dictionary.is_none()
    }
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// The position in the template.
    pub span: Span,
    /// The kind of the expression.
    pub kind: ExprKind,
}

impl ExprKind {
    /// Creates a literal.
    pub fn constant(value: Value) -> ExprKind {
        let number = crate::python::kind::small(&value);
        ExprKind::Constant(value, number)
    }
}

impl Expr {
    /// Returns whether it is a variable of this name.
    pub fn is_name(&self, name: &str) -> bool {
        matches!(&self.kind, ExprKind::Name(known) if *known.text == *name)
    }

    /// Returns whether it is a variable or a literal, which have no parts.
    pub fn is_leaf(&self) -> bool {
        matches!(self.kind, ExprKind::Name(_) | ExprKind::Constant(..))
    }

    /// Returns the number of levels for `super`, `super.super` and so on. Returns `None` for any other expression.
    pub fn supers(&self) -> Option<usize> {
        match &self.kind {
            ExprKind::Name(_) if self.is_name("super") => Some(1),
            ExprKind::Attribute(receiver, name) if *name.text == *"super" => receiver.supers().map(|steps| steps + 1),
            _ => None,
        }
    }
}

/// The kinds of an [`Expr`].
#[derive(Debug)]
pub enum ExprKind {
    /// A literal, with its value as a small integer.
    Constant(Value, Option<i64>),
    /// A variable.
    Name(Name),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `{a: b}`
    Dict(Vec<(Expr, Expr)>),
    /// `a.b`
    Attribute(Box<Expr>, Key),
    /// `a[b]`
    Item(Box<Expr>, Box<Expr>),
    /// `a[b:c:d]`
    Slice(Box<Expr>, [Option<Box<Expr>>; 3]),
    /// `a(b)`
    Call(Box<Expr>, Box<Arguments>),
    /// `a | b`
    Filter(Box<Expr>, Box<Filter>),
    /// `a is b`
    Test(Box<Expr>, Box<Filter>),
    /// `not a`
    Not(Box<Expr>),
    /// `-a`
    Negative(Box<Expr>),
    /// `+a`
    Positive(Box<Expr>),
    /// `a + b` and its like.
    Arithmetic(Operator, Box<Expr>, Box<Expr>),
    /// `a and b`
    And(Box<Expr>, Box<Expr>),
    /// `a or b`
    Or(Box<Expr>, Box<Expr>),
    /// `a if b else c`
    Conditional { condition: Box<Expr>, then: Box<Expr>, otherwise: Option<Box<Expr>> },
    /// `a < b < c`
    Compare(Box<Expr>, Vec<(Comparison, Expr)>),
    /// `a ~ b ~ c`
    Concat(Vec<Expr>),
}

/// An operator of comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    NotIn,
}
