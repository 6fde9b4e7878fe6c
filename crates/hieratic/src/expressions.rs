//! Unfurl's expressions for tools: evaluation with a detailed result.

use std::str::FromStr;
use std::sync::Arc;

use hieratic_hiera::{Node, Query, Strategy};
use hieratic_unfurl::{Context, Expression, ExpressionError, ExpressionErrorKind, Lookup, Match};
use hieratic_value::{Hash, Value};

pub use crate::vault::Vault;

/// The kind of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpressionKind {
    /// An expression: all that matches.
    #[default]
    Expression,
    /// A value in which some maps are expressions and some strings are templates.
    Value,
    /// A template.
    Template,
}

impl FromStr for ExpressionKind {
    type Err = String;

    fn from_str(name: &str) -> Result<ExpressionKind, String> {
        match name {
            "expr" => Ok(ExpressionKind::Expression),
            "map" => Ok(ExpressionKind::Value),
            "template" => Ok(ExpressionKind::Template),
            other => Err(format!("unknown kind '{other}'; the kinds are expr, map and template")),
        }
    }
}

/// The result of an evaluation.
#[derive(Clone, Debug)]
pub struct ExpressionAnswer {
    /// All matches of an expression. `None` for values and templates.
    pub matches: Option<Vec<Match>>,
    /// The single value: null without a match, a list if there are several matches.
    pub one: Match,
}

impl ExpressionAnswer {
    /// Returns the list of matches of an expression, or the result of a value or template. Secrets are Sensitive
    /// values: a [`Redactor`](crate::Redactor) redacts or reveals them.
    pub fn value(&self) -> Value {
        match &self.matches {
            Some(matches) => matches.iter().map(|one| keyed(&one.to_value())).collect(),
            None => self.one(),
        }
    }

    /// Returns the single value for JSON: keys that are not strings are converted as Python does.
    pub fn one(&self) -> Value {
        keyed(&self.one.to_value())
    }
}

fn keyed(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(keyed).collect(),
        Value::Hash(hash) => {
            let key = |key: &Value| match key {
                Value::Undef => "null".into(),
                Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => key.to_text().into(),
                other => other.clone(),
            };
            Value::Hash(hash.iter().map(|(name, value)| (key(name), keyed(value))).collect())
        }
        other => other.clone(),
    }
}

/// Evaluates an expression, a value or a template.
///
/// # Errors
///
/// The evaluation fails; the error has a position in the expression.
///
/// ```
/// use hieratic::unfurl::{Context, Options, Tree};
/// use hieratic::expressions::{ExpressionKind, evaluate_expression};
/// use hieratic::{Hash, Value};
///
/// let document: Hash = [("port", Value::from(80))].into_iter().collect();
/// let context = Context::new(Tree::new(&document.into())?, Options::default());
/// let answer = evaluate_expression(&context, ExpressionKind::Expression, &Value::from("port"))?;
/// assert_eq!(answer.one.to_value(), Value::from(80));
/// # Ok::<(), hieratic::unfurl::ExpressionError>(())
/// ```
pub fn evaluate_expression(
    context: &Context,
    kind: ExpressionKind,
    input: &Value,
) -> Result<ExpressionAnswer, ExpressionError> {
    let one = match kind {
        ExpressionKind::Expression => return resolve_expression(context, &Expression::from_value(input)?),
        ExpressionKind::Value => context.map_value(input)?,
        ExpressionKind::Template => match input.as_str() {
            Some(template) => context.render_template(template)?,
            None => return Err(no_template(input)),
        },
    };
    Ok(ExpressionAnswer { matches: None, one })
}

fn no_template(input: &Value) -> ExpressionError {
    ExpressionError {
        kind: ExpressionErrorKind::Evaluation,
        message: format!("Error rendering template: source must be a string, not {}", input.inspect()),
        place: None,
        help: Some("a value with templates in it is of the kind 'map'".to_owned()),
    }
}

/// Evaluates a parsed expression.
///
/// # Errors
///
/// Those of [`evaluate_expression`].
pub fn resolve_expression(context: &Context, expression: &Expression) -> Result<ExpressionAnswer, ExpressionError> {
    Ok(ExpressionAnswer { matches: Some(context.resolve(expression)?), one: context.resolve_one(expression)? })
}

/// Creates the Jinja2 lookup `hiera`: `lookup('hiera', 'key', default=..., merge=...)` returns the answer of a node for
/// a key.
pub fn hiera_lookup(node: Arc<Node>) -> (String, Lookup) {
    let lookup = move |keys: &[Value], options: &Hash| {
        let merge = options.get("merge").map(Strategy::parse).transpose().map_err(|error| error.to_string())?;
        let found = keys.iter().map(|key| {
            let mut query = Query::new(key.as_str().ok_or("the key of a lookup must be a string")?);
            query.merge = merge.clone();
            query.default = options.get("default").cloned();
            node.lookup(&query).map_err(|error| error.to_string())
        });
        found.collect()
    };
    ("hiera".to_owned(), Arc::new(lookup))
}
