//! [`Expression`]: a parsed expression.

use std::fmt;
use std::sync::Arc;

use hieratic_diagnostics::{Source, Span};
use hieratic_jinja::is_template;
use hieratic_value::{Str, Value};

use crate::ExpressionError;
use crate::path::Path;

/// An expression: a path, a template, or a map or other data. It is parsed once and can be evaluated many times.
/// Cloning is cheap.
///
/// `Display` prints a path in its canonical form, which parses to an equal expression.
///
/// ```
/// use hieratic_unfurl::Expression;
///
/// let expression = Expression::parse(" users :: [ age=25 ] ?::name ")?;
/// assert_eq!(expression.to_string(), "users::?[age=25] ::name");
/// assert_eq!(Expression::parse(&expression.to_string())?, expression);
/// # Ok::<(), hieratic_unfurl::ExpressionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Expression(Form);

#[derive(Clone, Debug)]
enum Form {
    Path(Arc<Path>, Str),
    Template(Str),
    Data(Value),
}

impl PartialEq for Form {
    fn eq(&self, other: &Form) -> bool {
        match (self, other) {
            (Form::Path(one, _), Form::Path(other, _)) => one == other,
            (Form::Template(one), Form::Template(other)) => one == other,
            (Form::Data(one), Form::Data(other)) => one == other,
            _ => false,
        }
    }
}

impl Expression {
    /// Parses a string: a template if it contains `{{`, `{%` or their ends, otherwise a path.
    ///
    /// The grammar: <https://docs.unfurl.run/expressions.html#expression-query-syntax>
    ///
    /// # Errors
    ///
    /// The string is empty, has unbalanced brackets, or invalid text after a filter. The error has a position.
    pub fn parse(text: &str) -> Result<Expression, ExpressionError> {
        Expression::parse_in(&Source::new("", text), Span::new(0, text.len()))
    }

    /// Parses a span of a source. Errors have positions in the source.
    ///
    /// # Errors
    ///
    /// As [`Expression::parse`].
    ///
    /// ```
    /// use hieratic_diagnostics::{Source, Span};
    /// use hieratic_unfurl::Expression;
    ///
    /// let source = Source::new("web.yaml", "port: 80\neval: users[\n");
    /// let start = source.offset(2, 7);
    /// let error = Expression::parse_in(&source, Span::new(start, start + 6)).unwrap_err();
    /// assert_eq!((error.line(), error.column()), (Some(2), Some(12)));
    /// ```
    pub fn parse_in(source: &Source, span: Span) -> Result<Expression, ExpressionError> {
        let span = source.clamp(span);
        let text: Str = source.slice(span).into();
        if is_template(&text) {
            return Ok(Expression(Form::Template(text)));
        }
        Ok(Expression(Form::Path(Arc::new(Path::parse(source, span)?), text)))
    }

    /// Creates an expression from a value. A string is parsed as by [`Expression::parse`]. A map with `eval` or a
    /// function, and other data, are parsed during their evaluation.
    ///
    /// # Errors
    ///
    /// As [`Expression::parse`].
    pub fn from_value(value: &Value) -> Result<Expression, ExpressionError> {
        match value {
            Value::String(text) => Expression::parse(text),
            other => Ok(Expression(Form::Data(other.clone()))),
        }
    }

    /// Returns the expression in its original notation.
    pub fn to_value(&self) -> Value {
        match &self.0 {
            Form::Path(_, text) | Form::Template(text) => Value::String(text.clone()),
            Form::Data(value) => value.clone(),
        }
    }

    pub(crate) fn path(&self) -> Option<Arc<Path>> {
        match &self.0 {
            Form::Path(path, _) => Some(path.clone()),
            Form::Template(_) | Form::Data(_) => None,
        }
    }

    /// Adds the position of the whole expression to an error, unless it has one.
    pub(crate) fn place(&self, error: ExpressionError) -> ExpressionError {
        match &self.0 {
            Form::Path(path, _) => error.at(&path.source, path.span),
            Form::Template(_) | Form::Data(_) => error,
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Path(path, _) => path.fmt(out),
            Form::Template(text) => out.write_str(text),
            Form::Data(value) => out.write_str(&value.inspect()),
        }
    }
}
