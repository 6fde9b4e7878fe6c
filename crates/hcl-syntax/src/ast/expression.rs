//! [`Expression`], and the kinds of expressions that are not in another module.

use std::sync::Arc;

use hieratic_hcl_types::Value;

use super::{
    BinaryOperation, Conditional, ForExpression, Index, ObjectConstructor, RelativeTraversal, ScopeTraversal, Splat,
    Template, TemplateWrap, TupleConstructor, UnaryOperation,
};
use crate::Span;

/// An expression.
///
/// The nodes are those of the
/// [specification](https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#expressions), as in the reference's
/// tree.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A number, `true`, `false`, `null`, or the literal between two sequences of a template.
    Literal(Literal),
    /// A quoted or heredoc template, or the branch of a directive: a string.
    Template(Template),
    /// A template that consists of a single interpolation, and so has its value.
    TemplateWrap(Box<TemplateWrap>),
    /// The directive `%{for}`: the strings of its items joined.
    TemplateJoin(Box<ForExpression>),
    /// `name.attribute[0]`.
    ScopeTraversal(Box<ScopeTraversal>),
    /// Steps that follow any other expression.
    RelativeTraversal(Box<RelativeTraversal>),
    /// `name(arguments)`.
    FunctionCall(Box<FunctionCall>),
    /// `condition ? this : that`, or the directive `%{if}`.
    Conditional(Box<Conditional>),
    /// `left + right`.
    Binary(Box<BinaryOperation>),
    /// `-value`.
    Unary(Box<UnaryOperation>),
    /// `(expression)`.
    Parentheses(Box<Parentheses>),
    /// `[first, second]`.
    Tuple(TupleConstructor),
    /// `{key = value}`.
    Object(ObjectConstructor),
    /// `[for v in collection : v]`, `{for k, v in collection : k => v}`.
    For(Box<ForExpression>),
    /// `collection[key]` with a key that has to be evaluated.
    Index(Box<Index>),
    /// `source.*.name`, `source[*].name`.
    Splat(Box<Splat>),
    /// The current element of the innermost splat whose [`Splat::each`] contains this expression.
    Anonymous(Span),
    /// An expression that could not be parsed. Its errors are among the problems of the parse.
    Error(Span),
}

/// The trees of large files consist mostly of expressions, so rare and large variants are boxed.
const _: () = assert!(std::mem::size_of::<Expression>() <= 40);

impl Expression {
    /// Returns the span of the expression.
    pub fn span(&self) -> Span {
        match self {
            Expression::Literal(node) => node.span,
            Expression::Template(node) => node.span,
            Expression::TemplateWrap(node) => node.span,
            Expression::TemplateJoin(node) | Expression::For(node) => node.span,
            Expression::ScopeTraversal(node) => node.span,
            Expression::RelativeTraversal(node) => node.span,
            Expression::FunctionCall(node) => node.span(),
            Expression::Conditional(node) => node.span,
            Expression::Binary(node) => node.span,
            Expression::Unary(node) => node.span,
            Expression::Parentheses(node) => node.span,
            Expression::Tuple(node) => node.span,
            Expression::Object(node) => node.span,
            Expression::Index(node) => node.span,
            Expression::Splat(node) => node.span,
            Expression::Anonymous(span) | Expression::Error(span) => *span,
        }
    }

    /// Returns the span that messages about the whole expression point to: the name and parenthesis of a call, the
    /// bracket of a list.
    pub fn start_span(&self) -> Span {
        let mut expression = self;
        loop {
            expression = match expression {
                Expression::Conditional(node) => &node.condition,
                Expression::Binary(node) => &node.left,
                Expression::Parentheses(node) => &node.expression,
                Expression::Template(node) => match node.parts.first() {
                    Some(part) => part,
                    None => return node.span,
                },
                Expression::FunctionCall(node) => return node.name_span.to(node.open_span),
                Expression::Unary(node) => return node.symbol_span,
                Expression::Tuple(node) => return node.open_span(),
                Expression::Object(node) => return node.open_span(),
                Expression::For(node) | Expression::TemplateJoin(node) => return node.open_span,
                Expression::Index(node) => return node.open_span(),
                Expression::Splat(node) => return node.marker_span,
                other => return other.span(),
            }
        }
    }

    /// Returns the word of a bare name, `true`, `false` or `null`. `None` for other expressions.
    ///
    /// ```
    /// use hieratic_hcl_syntax::{Source, parse_expression};
    ///
    /// assert_eq!(parse_expression(Source::new("a.hcl", "any")).tree.keyword(), Some("any"));
    /// assert_eq!(parse_expression(Source::new("a.hcl", "(any)")).tree.keyword(), None);
    /// ```
    pub fn keyword(&self) -> Option<&str> {
        match self {
            Expression::ScopeTraversal(node) if node.steps.is_empty() => Some(&node.root),
            Expression::Literal(Literal { value, .. }) => literal_word(value),
            _ => None,
        }
    }
}

/// The word that a literal is written as.
fn literal_word(value: &Value) -> Option<&'static str> {
    if value.is_null() {
        return Some("null");
    }
    value.as_bool().map(|value| if value { "true" } else { "false" })
}

/// A literal value.
#[derive(Clone, Debug)]
pub struct Literal {
    /// The value.
    pub value: Value,
    /// The span of the parentheses and their content.
    pub span: Span,
}

/// `(expression)`.
#[derive(Clone, Debug)]
pub struct Parentheses {
    /// The expression between the parentheses.
    pub expression: Expression,
    /// The span from the opening to the closing parenthesis.
    pub span: Span,
}

/// `name(arguments)`.
#[derive(Clone, Debug)]
pub struct FunctionCall {
    /// The name, with its namespaces: `provider::name`.
    pub name: Arc<str>,
    /// The arguments.
    pub arguments: Vec<Expression>,
    /// Whether the last argument is expanded into arguments: `name(list...)`.
    pub expand_final: bool,
    /// The span of the name.
    pub name_span: Span,
    /// The span of the opening parenthesis.
    pub open_span: Span,
    /// The span of the closing parenthesis.
    pub close_span: Span,
}

impl FunctionCall {
    /// Returns the span from the name to the closing parenthesis.
    pub fn span(&self) -> Span {
        self.name_span.to(self.close_span)
    }
}
