//! [`Query`]: an expression with its variables and the processing of its matches.

use hieratic_python_values as python;
use std::sync::Arc;

use hieratic_value::{Hash, Str, Value};

use crate::datum::{Datum, Plain};
use crate::path::Path;
use crate::{ExpressionError, notation};

/// An expression with the options of its map.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    pub(crate) source: Datum,
    /// The source, if it was read before.
    pub(crate) path: Option<Arc<Path>>,
    pub(crate) vars: Vec<(Str, Datum)>,
    pub(crate) select: Option<Datum>,
    pub(crate) foreach: Option<Datum>,
    /// True if there is a `foreach`, even an empty one.
    pub(crate) foreach_given: bool,
    pub(crate) strict: Option<bool>,
    pub(crate) required: Option<Required>,
}

/// The requirement of `strict` for the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Required {
    /// There is one.
    Match,
    /// There is one, and it is not null.
    NotNull,
}

impl Query {
    /// Parses a query from an expression: a string, a map, or data.
    pub(crate) fn new(expression: &Datum) -> Result<Query, ExpressionError> {
        let mut query = Query {
            source: expression.clone(),
            path: None,
            vars: Vec::new(),
            select: None,
            foreach: None,
            foreach_given: false,
            strict: None,
            required: None,
        };
        let Some(keys) = expression.keys() else { return Ok(query) };
        let first = keys.keys().next().and_then(Value::as_str);
        if first.is_none_or(notation::stands_alone) {
            return Ok(query);
        }
        query.read(expression, keys)?;
        Ok(query)
    }

    fn read(&mut self, expression: &Datum, keys: &Hash) -> Result<(), ExpressionError> {
        let part = |name: &str| keys.get(name).map(|value| expression.part(value.clone()));
        match keys.get("vars") {
            None => {}
            Some(Value::Hash(vars)) => {
                for (name, value) in vars {
                    let name =
                        name.as_str().ok_or_else(|| ExpressionError::new("the name of a variable is not a string"))?;
                    self.vars.push((name.into(), expression.part(value.clone())));
                }
            }
            Some(Value::Array(none)) if none.is_empty() => {}
            Some(other) => {
                let kind = expression.part(other.clone());
                return Err(ExpressionError::new(format!("'vars' is {}", kind.kind()))
                    .help("'vars' is a map of names and values"));
            }
        }
        let given = |datum: &Datum| matches!(datum, Datum::Plain(Plain { value, .. }) if python::truthy(value));
        self.foreach_given = keys.contains("foreach");
        self.foreach = part("foreach").filter(given);
        self.select = part("select").filter(given);
        match keys.get("strict") {
            Some(Value::String(text)) if &**text == "required" => self.required = Some(Required::Match),
            Some(Value::String(text)) if &**text == "notnull" => self.required = Some(Required::NotNull),
            None | Some(Value::Undef) => {}
            Some(Value::Boolean(strict)) => self.strict = Some(*strict),
            Some(other) => {
                return Err(ExpressionError::new(format!("'strict' is {}", python::repr(other)))
                    .help("'strict' is true, false, 'required' or 'notnull'"));
            }
        }
        if let Some(source) = part("eval").or_else(|| part("ref")) {
            self.source = source;
        }
        Ok(())
    }

    /// The query with more variables.
    pub(crate) fn with(mut self, vars: impl IntoIterator<Item = (Str, Datum)>) -> Query {
        self.vars.extend(vars);
        self
    }

    /// Returns the source of the expression, for messages.
    pub(crate) fn text(&self) -> String {
        match &self.source {
            Datum::Plain(plain) => python::text(&plain.value),
            other => other.keys().map_or_else(|| other.kind().into(), |keys| python::repr(&keys.clone().into())),
        }
    }
}

/// Returns whether a value is an expression: a map with `eval` (or `ref`) and only keys that may be next to it, or a map
/// whose only key is the name of a function that needs no `eval`.
pub(crate) fn is_expression(value: &Datum) -> bool {
    value.keys().is_some_and(notation::is_expression_map)
}
