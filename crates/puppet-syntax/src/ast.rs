//! The syntax tree of a manifest.
//!
//! The nodes are those of the [language specification](https://github.com/puppetlabs/puppet-specifications). The parser
//! builds them, the evaluator walks them. A node owns its children; names and literals are shared by reference count.

use std::sync::Arc;

use hieratic_diagnostics::{Source, Span};
use hieratic_ruby_regexp::Regexp;
use hieratic_value::{Str, Value};

/// A whole manifest or template.
#[derive(Clone, Debug)]
pub struct Program {
    /// The source.
    pub source: Source,
    /// The body; [`Node::Nop`] if it is empty.
    pub body: Expr,
}

/// A syntax node with its position.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The node.
    pub node: Node,
    /// Its position.
    pub span: Span,
    /// The byte that messages point at: for `1 + 2`, that of the `+`.
    pub at: u32,
}

/// The kinds of syntax nodes.
#[derive(Clone, Debug)]
pub enum Node {
    /// An empty body, or a definition without an effect at evaluation.
    Nop,
    /// `undef`, `default` (as a rich value), a boolean, a float or a string without interpolation.
    Literal(Value),
    /// An integer with the base that it is written in: 10, 8 or 16.
    Integer {
        /// The number.
        value: i64,
        /// The base.
        radix: u8,
    },
    /// A regular expression between slashes.
    Regexp(Regexp),
    /// A bare word: a string, or the name of a function, class or resource type.
    Name(Str),
    /// A word that begins with an upper-case letter: the name of a type, as written.
    Reference(Str),
    /// A reserved word; using it is an error, except as a name.
    Reserved {
        /// The word.
        word: Str,
        /// Whether the word is reserved for a future version only.
        future: bool,
    },
    /// `$name`, without the dollar, with any leading `::`. Match variables are numbers.
    Variable(Variable),
    /// A string with interpolations; segments are strings (as literals) and [`Node::Text`].
    Concatenated(Vec<Expr>),
    /// `${...}` in a string: the expression's value as a string.
    Text(Box<Expr>),
    /// `@(END)`: a heredoc with its syntax tag, if it has one.
    Heredoc {
        /// The tag, such as `json`.
        syntax: Option<Str>,
        /// The text: a literal or [`Node::Concatenated`].
        text: Box<Expr>,
    },
    /// `[1, 2]`.
    List(Vec<Expr>),
    /// `{ a => 1 }`.
    Hash(Vec<Entry>),
    /// `( ... )`.
    Parenthesized(Box<Expr>),
    /// `!x`.
    Not(Box<Expr>),
    /// `-x`.
    Minus(Box<Expr>),
    /// `*x`.
    Unfold(Box<Expr>),
    /// `+ - * / % << >>`.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    /// `== != < <= > >=`.
    Comparison(Comparison, Box<Expr>, Box<Expr>),
    /// `=~` and, negated, `!~`.
    Match {
        /// Whether the operator is `!~`.
        negated: bool,
        /// The value that is matched.
        left: Box<Expr>,
        /// The pattern.
        right: Box<Expr>,
    },
    /// `a in b`.
    In(Box<Expr>, Box<Expr>),
    /// `a and b`.
    And(Box<Expr>, Box<Expr>),
    /// `a or b`.
    Or(Box<Expr>, Box<Expr>),
    /// `a = b`, `a += b`, `a -= b`; the last two are always an error.
    Assign(Assignment, Box<Expr>, Box<Expr>),
    /// `a -> b` and the others.
    Relationship(Edge, Box<Expr>, Box<Expr>),
    /// `a[b, c]`.
    Access {
        /// The expression before the brackets.
        left: Box<Expr>,
        /// The keys.
        keys: Vec<Expr>,
    },
    /// `a.b` without a call (the parser converts every complete call to a [`Node::Method`]).
    NamedAccess(Box<Expr>, Box<Expr>),
    /// `name(arguments) |x| { }`, also without parentheses for statement functions.
    Call(Box<Call>),
    /// `x.name(arguments) |x| { }`; the functor is the name, the receiver the first argument in [`Method::receiver`].
    Method(Box<Method>),
    /// A sequence of statements.
    Block(Vec<Expr>),
    /// `if` and `elsif`.
    If(Box<If>),
    /// `unless`.
    Unless(Box<If>),
    /// `case`.
    Case(Box<Case>),
    /// `a ? { b => c }`.
    Selector(Box<Expr>, Vec<SelectorEntry>),
    /// `|x| { }` as the block of a call.
    Lambda(Arc<Lambda>),
    /// `function`.
    Function(Arc<Function>),
    /// `plan`; parsed only where tasks are enabled.
    Plan(Arc<Function>),
    /// `apply(...) { }` in a plan.
    Apply {
        /// The arguments.
        arguments: Vec<Expr>,
        /// The code that is applied.
        body: Option<Box<Expr>>,
    },
    /// `class`.
    Class(Arc<Class>),
    /// `define`.
    Define(Arc<Define>),
    /// `node`.
    NodeDefinition(Arc<NodeDefinition>),
    /// `type A = B`.
    TypeAlias(Arc<TypeAlias>),
    /// `type Runtime[ruby, 'x'] = B`: parsed, but always an error, as in the reference outside its code.
    TypeMapping {
        /// The type of the runtime.
        left: Box<Expr>,
        /// The type that it maps to.
        right: Box<Expr>,
    },
    /// `type A inherits B { }`: parsed, but always an error.
    TypeDefinition(Box<TypeDefinition>),
    /// `file { 'x': ... }`.
    Resource(Box<Resource>),
    /// `File { ... }`.
    ResourceDefaults(Box<ResourceDefaults>),
    /// `File['x'] { ... }`.
    ResourceOverride(Box<ResourceOverride>),
    /// `File <| ... |> { ... }`.
    Collect(Box<Collect>),
    /// The body of a template, with or without parameters.
    Epp(Box<Epp>),
    /// Text in a template.
    RenderString(Str),
    /// `<%= x %>` in a template.
    Render(Box<Expr>),
}

/// The name of a variable.
#[derive(Clone, Debug)]
pub enum Variable {
    /// A name without `::`.
    Local(Str),
    /// A name with `::`, as written (a leading `::` included).
    Qualified(Str),
    /// `$0`, `$1`...: the groups of the last match.
    Match(u32),
    /// `${expression}` without a static variable name; it is always an error of validation or evaluation.
    Computed(Box<Expr>),
}

/// A key and a value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: Expr,
    /// The value.
    pub value: Expr,
    /// The position of messages: the arrow.
    pub at: u32,
}

/// `+ - * / % << >>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    ShiftLeft,
    ShiftRight,
}

impl Arithmetic {
    /// Returns the operator as written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide => "/",
            Arithmetic::Modulo => "%",
            Arithmetic::ShiftLeft => "<<",
            Arithmetic::ShiftRight => ">>",
        }
    }
}

/// `== != < <= > >=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// Returns the operator as written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
        }
    }
}

/// `= += -=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Assignment {
    Set,
    Append,
    Delete,
}

impl Assignment {
    /// Returns the operator as written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Assignment::Set => "=",
            Assignment::Append => "+=",
            Assignment::Delete => "-=",
        }
    }
}

/// `-> ~> <- <~`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Edge {
    Before,
    Notify,
    After,
    Subscribe,
}

impl Edge {
    /// Returns the operator as written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Edge::Before => "->",
            Edge::Notify => "~>",
            Edge::After => "<-",
            Edge::Subscribe => "<~",
        }
    }
}

/// A call of a function.
#[derive(Clone, Debug)]
pub struct Call {
    /// The callee: a [`Node::Name`], or another expression, which is either an error or evaluated (a type, for `new`).
    pub functor: Expr,
    /// The arguments.
    pub arguments: Vec<Expr>,
    /// The block.
    pub lambda: Option<Arc<Lambda>>,
    /// Whether the value of the call is used. It is not for a statement call without parentheses.
    pub is_value_used: bool,
}

/// A call in the form `receiver.name(arguments)`.
#[derive(Clone, Debug)]
pub struct Method {
    /// The expression before the dot.
    pub receiver: Expr,
    /// The name after it.
    pub name: Str,
    /// The position of the name.
    pub name_span: Span,
    /// The position of the dot. The reference reports the access at the dot, and the call at the parenthesis.
    pub dot: u32,
    /// The arguments.
    pub arguments: Vec<Expr>,
    /// The block.
    pub lambda: Option<Arc<Lambda>>,
}

/// `if` or `unless`.
#[derive(Clone, Debug)]
pub struct If {
    /// The condition.
    pub test: Expr,
    /// The branch for a true condition (for `unless`: a false one); [`Node::Nop`] if empty.
    pub then: Expr,
    /// The other branch; an `elsif` is a [`Node::If`].
    pub otherwise: Option<Expr>,
}

/// `case`.
#[derive(Clone, Debug)]
pub struct Case {
    /// The value that is compared.
    pub test: Expr,
    /// The options.
    pub options: Vec<CaseOption>,
}

/// One option of a `case`.
#[derive(Clone, Debug)]
pub struct CaseOption {
    /// The values, any of which may match.
    pub values: Vec<Expr>,
    /// The body; [`Node::Nop`] if empty.
    pub then: Expr,
    /// Its position.
    pub span: Span,
    /// The position of messages: the colon.
    pub at: u32,
}

/// An entry of a selector.
#[derive(Clone, Debug)]
pub struct SelectorEntry {
    /// The value or pattern of the option.
    pub matching: Expr,
    /// The value if it matches.
    pub value: Expr,
    /// The position of messages: the arrow.
    pub at: u32,
}

/// A parameter of a lambda, function, class, defined type or template.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name, without the dollar.
    pub name: Str,
    /// The type, if there is one.
    pub kind: Option<Expr>,
    /// The default, if there is one.
    pub default: Option<Expr>,
    /// Whether it takes all remaining arguments: `*$rest`.
    pub captures_rest: bool,
    /// Its position.
    pub span: Span,
    /// The position of messages: the variable.
    pub at: u32,
}

/// A block of code with parameters.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The return type, if given.
    pub returns: Option<Expr>,
    /// The body; [`Node::Nop`] if empty.
    pub body: Expr,
    /// Its position.
    pub span: Span,
}

/// A function (or plan).
#[derive(Clone, Debug)]
pub struct Function {
    /// The name in full, lower case.
    pub name: Str,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The return type, if given.
    pub returns: Option<Expr>,
    /// The body; [`Node::Nop`] if empty.
    pub body: Expr,
    /// Its position.
    pub span: Span,
}

/// A class.
#[derive(Clone, Debug)]
pub struct Class {
    /// The name in full (classes nested in classes take their names).
    pub name: Str,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The class that it inherits from.
    pub parent: Option<Str>,
    /// The body; [`Node::Nop`] if empty.
    pub body: Expr,
    /// Its position.
    pub span: Span,
}

/// A defined type.
#[derive(Clone, Debug)]
pub struct Define {
    /// The name in full.
    pub name: Str,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The body; [`Node::Nop`] if empty.
    pub body: Expr,
    /// Its position.
    pub span: Span,
}

/// A node definition.
#[derive(Clone, Debug)]
pub struct NodeDefinition {
    /// Names, regular expressions and `default`.
    pub matches: Vec<Expr>,
    /// The parent; always an error.
    pub parent: Option<Expr>,
    /// The body; [`Node::Nop`] if empty.
    pub body: Expr,
    /// Its position.
    pub span: Span,
}

/// A type definition. It is part of the grammar, but not yet of the language.
#[derive(Clone, Debug)]
pub struct TypeDefinition {
    /// The name as written.
    pub name: Str,
    /// The name of the parent.
    pub parent: Option<Str>,
    /// The body.
    pub body: Option<Expr>,
}

/// A type alias.
#[derive(Clone, Debug)]
pub struct TypeAlias {
    /// The name as written.
    pub name: Str,
    /// The type expression.
    pub kind: Expr,
    /// Its position.
    pub span: Span,
}

/// The form of a resource: whether it is part of the catalog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// Part of the catalog.
    #[default]
    Regular,
    /// `@`: not part of the catalog until it is realized.
    Virtual,
    /// `@@`: collected by other nodes.
    Exported,
}

/// Resources of one type.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Their form.
    pub form: Form,
    /// The type: a name, a reference, or an expression.
    pub kind: Expr,
    /// The resources.
    pub bodies: Vec<ResourceBody>,
}

/// One resource, or several with the same attributes.
#[derive(Clone, Debug)]
pub struct ResourceBody {
    /// The title or titles.
    pub title: Expr,
    /// The attributes.
    pub operations: Vec<Operation>,
    /// Its position.
    pub span: Span,
}

/// Defaults for resources of a type.
#[derive(Clone, Debug)]
pub struct ResourceDefaults {
    /// `@` or `@@`, which is always an error.
    pub form: Form,
    /// The type.
    pub kind: Expr,
    /// The attributes.
    pub operations: Vec<Operation>,
}

/// Attributes for declared resources.
#[derive(Clone, Debug)]
pub struct ResourceOverride {
    /// `@` or `@@`, which is always an error.
    pub form: Form,
    /// The resources.
    pub resources: Expr,
    /// The attributes.
    pub operations: Vec<Operation>,
}

/// An operation on attributes.
#[derive(Clone, Debug)]
pub enum Operation {
    /// `name => value`, or `name +> value`.
    Attribute {
        /// The name.
        name: Str,
        /// Whether the operator is `+>`.
        append: bool,
        /// The value.
        value: Expr,
        /// Its position.
        span: Span,
    },
    /// `* => hash`.
    Splat {
        /// The hash.
        value: Expr,
        /// Its position.
        span: Span,
    },
}

/// A collector.
#[derive(Clone, Debug)]
pub struct Collect {
    /// The type.
    pub kind: Expr,
    /// Whether the collector is `<<| |>>`.
    pub exported: bool,
    /// The query, if there is one.
    pub query: Option<Expr>,
    /// Attributes for the collected resources.
    pub operations: Vec<Operation>,
}

/// A template.
#[derive(Clone, Debug)]
pub struct Epp {
    /// The parameters; `None` if there is no parameter tag.
    pub parameters: Option<Vec<Parameter>>,
    /// The body: a block of [`Node::RenderString`], [`Node::Render`] and statements.
    pub body: Expr,
}
