//! Expressions of either syntax.

use std::rc::Rc;
use std::sync::Arc;

use hieratic_hcl_syntax::ast;
use hieratic_hcl_syntax::{Problem, Problems, Range, Source};
use hieratic_hcl_types::Value;

use crate::body::json;
use crate::context::{Context, Variables};
use crate::dynamic::Iteration;
use crate::evaluate;
use crate::references::{self, Reference};

/// An expression together with its body.
#[derive(Clone, Debug)]
pub struct Expression<'a>(ExpressionKind<'a>);

#[derive(Clone, Debug)]
enum ExpressionKind<'a> {
    Native {
        source: &'a Arc<Source>,
        node: &'a ast::Expression,
    },
    Json(json::Expression<'a>),
    /// An expression with the variables of a `dynamic` block.
    Within {
        inner: Box<Expression<'a>>,
        iteration: Rc<Iteration>,
    },
    /// An expression with a known value.
    Static {
        value: Value,
        range: Range,
    },
}

/// A pair of an object constructor.
#[derive(Clone, Debug)]
pub struct Pair<'a> {
    /// The key.
    pub key: Expression<'a>,
    /// The value.
    pub value: Expression<'a>,
}

/// A function call that is not evaluated: `list(string)`.
#[derive(Clone, Debug)]
pub struct StaticCall<'a> {
    /// The name of the function.
    pub name: Arc<str>,
    /// The range of the name.
    pub name_range: Range,
    /// The arguments.
    pub arguments: Vec<Expression<'a>>,
    /// The range from parenthesis to parenthesis.
    pub arguments_range: Range,
}

impl<'a> Expression<'a> {
    pub(crate) fn native(source: &'a Arc<Source>, node: &'a ast::Expression) -> Self {
        Self(ExpressionKind::Native { source, node })
    }

    pub(crate) fn json(expression: json::Expression<'a>) -> Self {
        Self(ExpressionKind::Json(expression))
    }

    pub(crate) fn within(self, iteration: &Rc<Iteration>) -> Self {
        Self(ExpressionKind::Within { inner: Box::new(self), iteration: iteration.clone() })
    }

    /// Creates an expression with a known value.
    pub fn from_value(value: Value, range: Range) -> Self {
        Self(ExpressionKind::Static { value, range })
    }

    /// Evaluates the expression, and returns its value and problems. Parts that fail are unknown values.
    pub fn value(&self, context: &Context<'_>) -> (Value, Problems) {
        match &self.0 {
            ExpressionKind::Native { node: ast::Expression::Literal(literal), .. } => {
                (literal.value.clone(), Problems::default())
            }
            ExpressionKind::Native { source, node } => evaluate::value(source, node, context),
            ExpressionKind::Json(expression) => expression.value(context),
            ExpressionKind::Within { inner, iteration } => {
                inner.value(&context.child_with(Variables::Iteration(iteration)))
            }
            ExpressionKind::Static { value, .. } => (value.clone(), Problems::default()),
        }
    }

    /// Evaluates the expression without a context: variables and functions are errors, and strings of JSON are not
    /// templates.
    pub fn literal_value(&self) -> (Value, Problems) {
        match &self.0 {
            ExpressionKind::Json(expression) => expression.literal_value(),
            _ => self.value(&Context::new()),
        }
    }

    /// Returns the range of the expression.
    pub fn range(&self) -> Range {
        match &self.0 {
            ExpressionKind::Native { source, node } => Range::new((*source).clone(), node.span()),
            ExpressionKind::Json(expression) => expression.range(),
            ExpressionKind::Within { inner, .. } => inner.range(),
            ExpressionKind::Static { range, .. } => range.clone(),
        }
    }

    /// Returns the range that messages about the whole expression point to.
    pub fn start_range(&self) -> Range {
        match &self.0 {
            ExpressionKind::Native { source, node } => Range::new((*source).clone(), node.start_span()),
            ExpressionKind::Json(expression) => expression.start_range(),
            ExpressionKind::Within { inner, .. } => inner.start_range(),
            ExpressionKind::Static { range, .. } => range.clone(),
        }
    }

    /// Returns the variables that the expression refers to, except those that it declares itself.
    pub fn variables(&self) -> Vec<Reference> {
        match &self.0 {
            ExpressionKind::Native { source, node } => references::collect(source, node),
            ExpressionKind::Json(expression) => expression.variables(),
            ExpressionKind::Within { inner, iteration } => {
                let mut found = inner.variables();
                found.retain(|reference| iteration.variable(&reference.root).is_none());
                found
            }
            ExpressionKind::Static { .. } => Vec::new(),
        }
    }

    /// Returns the expression as a variable with constant steps, without evaluation.
    ///
    /// # Errors
    ///
    /// The expression has another form.
    pub fn as_traversal(&self) -> Result<Reference, Problems> {
        let found = match &self.0 {
            ExpressionKind::Native { source, node } => native_traversal(source, node),
            ExpressionKind::Json(expression) => expression.as_traversal(),
            ExpressionKind::Within { inner, .. } => return inner.as_traversal(),
            ExpressionKind::Static { .. } => None,
        };
        let detail = "A single static variable reference is required: only attribute access and indexing with constant \
                      keys. No calculations, function calls, template expressions, etc are allowed here.";
        found.ok_or_else(|| Problem::error("Invalid expression", detail).at_range(self.range()).into())
    }

    /// Returns the word of a bare name, or `None` for other expressions.
    pub fn as_keyword(&self) -> Option<Arc<str>> {
        match &self.0 {
            ExpressionKind::Native { node, .. } => node.keyword().map(Arc::from),
            ExpressionKind::Json(expression) => {
                expression.as_traversal().filter(|found| found.steps.is_empty()).map(|found| found.root)
            }
            ExpressionKind::Within { inner, .. } => inner.as_keyword(),
            ExpressionKind::Static { .. } => None,
        }
    }

    /// Returns the items of a list constructor.
    ///
    /// # Errors
    ///
    /// The expression has another form.
    pub fn as_list(&self) -> Result<Vec<Expression<'a>>, Problems> {
        let found = match &self.0 {
            ExpressionKind::Native { source, node: ast::Expression::Tuple(tuple) } => {
                Some(tuple.items.iter().map(|item| Expression::native(source, item)).collect())
            }
            ExpressionKind::Json(expression) => expression.as_list(),
            ExpressionKind::Within { inner, .. } => return inner.as_list(),
            _ => None,
        };
        found.ok_or_else(|| self.required("A static list expression is required."))
    }

    /// Returns the pairs of an object constructor.
    ///
    /// # Errors
    ///
    /// The expression has another form.
    pub fn as_map(&self) -> Result<Vec<Pair<'a>>, Problems> {
        let found = match &self.0 {
            ExpressionKind::Native { source, node: ast::Expression::Object(object) } => Some(
                object
                    .items
                    .iter()
                    .map(|item| Pair {
                        key: Expression::native(source, &item.key.expression),
                        value: Expression::native(source, &item.value),
                    })
                    .collect(),
            ),
            ExpressionKind::Json(expression) => expression.as_map(),
            ExpressionKind::Within { inner, .. } => return inner.as_map(),
            _ => None,
        };
        found.ok_or_else(|| self.required("A static map expression is required."))
    }

    /// Returns the parts of a function call in native syntax.
    ///
    /// # Errors
    ///
    /// The expression has another form.
    pub fn as_call(&self) -> Result<StaticCall<'a>, Problems> {
        match &self.0 {
            ExpressionKind::Native { source, node: ast::Expression::FunctionCall(call) } => Ok(StaticCall {
                name: call.name.clone(),
                name_range: Range::new((*source).clone(), call.name_span),
                arguments: call.arguments.iter().map(|argument| Expression::native(source, argument)).collect(),
                arguments_range: Range::new((*source).clone(), call.open_span.to(call.close_span)),
            }),
            ExpressionKind::Within { inner, .. } => inner.as_call(),
            _ => Err(self.required("A static function call is required.")),
        }
    }

    /// The native syntax in a JSON string.
    pub(crate) fn json_source(&self) -> Option<Source> {
        match &self.0 {
            ExpressionKind::Json(expression) => expression.native_source(),
            ExpressionKind::Within { inner, .. } => inner.json_source(),
            _ => None,
        }
    }

    /// Returns the syntax node of the native syntax, or `None` for other expressions.
    pub fn as_native(&self) -> Option<(&'a Arc<Source>, &'a ast::Expression)> {
        match &self.0 {
            ExpressionKind::Native { source, node } => Some((source, node)),
            ExpressionKind::Within { inner, .. } => inner.as_native(),
            _ => None,
        }
    }

    fn required(&self, subject: &'static str) -> Problems {
        Problem::error("Invalid expression", subject).at_range(self.start_range()).into()
    }
}

fn native_traversal(source: &Arc<Source>, node: &ast::Expression) -> Option<Reference> {
    match node {
        ast::Expression::ScopeTraversal(traversal) => Some(references::traversal(source, traversal)),
        // In the position of a name, the keywords of literals are names, too.
        ast::Expression::Literal(literal) => Some(Reference {
            root: node.keyword()?.into(),
            steps: Vec::new(),
            range: Range::new(source.clone(), literal.span),
        }),
        ast::Expression::RelativeTraversal(relative) => {
            let mut found = native_traversal(source, &relative.source)?;
            found.steps.extend(relative.steps.iter().cloned());
            found.range = Range::new(source.clone(), node.span());
            Some(found)
        }
        _ => None,
    }
}
