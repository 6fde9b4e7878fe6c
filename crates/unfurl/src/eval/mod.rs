//! Evaluates values, expressions and functions.
//!
//! An expression has any number of matches. A *value* is data in which some maps are expressions and some strings are
//! templates; [`Session::mapped`] evaluates it lazily (maps and lists on first use), and [`Session::map_value`]
//! completely.

mod compare;
mod force;
mod foreach;
mod host;
mod lookup;
mod properties;
mod query;
mod template;
mod walk;

use hieratic_jinja::is_template;
use hieratic_value::{Hash, Str, Value};

use crate::datum::{Datum, Plain};
use crate::host::Host;
use crate::lazy::{LazyList, LazyMap};
use crate::path::{Key, Modifier, Path, Segment};
use crate::scope::{Scope, Variable};
use crate::session::Session;
use crate::{ExpressionError, functions};

pub(crate) use query::{Query, Required, is_expression};

/// A value after it was evaluated.
pub(crate) struct Mapped {
    pub(crate) value: Datum,
    /// True if it is the only match of an expression: then a list is not iterated over.
    match_of_expression: bool,
}

impl Mapped {
    fn value(value: Datum) -> Mapped {
        Mapped { value, match_of_expression: false }
    }
}

impl Session {
    /// Returns all matches of a query.
    pub(crate) fn resolve(&self, query: &Query, scope: &Scope) -> Result<Vec<Datum>, ExpressionError> {
        self.deeper(|| self.resolve_here(query, scope))
    }

    fn resolve_here(&self, query: &Query, scope: &Scope) -> Result<Vec<Datum>, ExpressionError> {
        let mut scope = scope.inner();
        scope.strict = query.strict.unwrap_or(scope.strict);
        let truths = [("true", true.into()), ("false", false.into()), ("null", Value::Undef)];
        let truths = truths.into_iter().map(|(name, value)| (name.into(), Variable::Known(Datum::done(value))));
        let vars = truths.chain(query.vars.iter().map(|(name, value)| (name.clone(), Variable::Open(value.clone()))));
        scope.vars = self.keep(scope.vars.with(vars));
        if query.vars.iter().any(|(name, _)| &**name == "start") {
            scope.current = self.variable("start", &scope)?;
        }
        let mut inner = scope.inner();
        let start = [("start".into(), Variable::Known(scope.current.clone()))];
        inner.vars = self.keep(scope.vars.with(start));
        let results = match &query.path {
            Some(path) => self.follow(path, &mut inner)?,
            None => self.expression(&query.source, &mut inner)?,
        };
        match query.foreach.as_ref().or(query.select.as_ref()) {
            Some(each) if !results.is_empty() => self.for_each_match(each, results, &scope),
            _ => Ok(results),
        }
    }

    /// Returns the match of a query: null if there is none, a list if there are several.
    pub(crate) fn resolve_one(&self, query: &Query, scope: &Scope) -> Result<Datum, ExpressionError> {
        let results = self.resolve(query, scope)?;
        self.one(query, results)
    }

    /// Converts the matches of a query to the result of [`Session::resolve_one`].
    pub(crate) fn one(&self, query: &Query, mut results: Vec<Datum>) -> Result<Datum, ExpressionError> {
        if query.foreach.is_some() {
            return Ok(LazyList::known(results));
        }
        let source = || query.text();
        match results.len() {
            0 if query.required.is_some() => {
                Err(ExpressionError::new(format!("Expression {} must return results", source()))
                    .help("the expression has no match, and 'strict' requires one"))
            }
            0 => Ok(Datum::NULL),
            1 => match results.remove(0) {
                null if null.is_null() && query.required == Some(Required::NotNull) => {
                    Err(ExpressionError::new(format!("Expression {} must not be null", source())))
                }
                one => Ok(one),
            },
            _ => Ok(LazyList::known(results)),
        }
    }

    /// Returns all matches of an expression: a path, a template, a function with its arguments, or data.
    pub(crate) fn expression(&self, expression: &Datum, scope: &mut Scope) -> Result<Vec<Datum>, ExpressionError> {
        self.deeper(|| self.expression_here(expression, scope))
    }

    fn expression_here(&self, expression: &Datum, scope: &mut Scope) -> Result<Vec<Datum>, ExpressionError> {
        if let Some(keys) = expression.keys() {
            let keys = keys.clone();
            return self.call(expression, &keys, scope);
        }
        match expression {
            Datum::Plain(Plain { value: Value::String(text), templates }) => {
                if *templates && is_template(text) {
                    Ok(vec![self.template(text, scope)?])
                } else {
                    let path = self.path(text)?;
                    self.follow(&path, scope)
                }
            }
            other => self.matches(other, scope),
        }
    }

    /// The matches of a map: of the function that it calls, or of the expression that it is.
    fn call(&self, expression: &Datum, keys: &Hash, scope: &mut Scope) -> Result<Vec<Datum>, ExpressionError> {
        let called = keys.keys().filter_map(Value::as_str).find_map(functions::find);
        let Some(function) = called else {
            if is_expression(expression) {
                return self.matches(expression, scope);
            }
            if keys.contains("eval") || keys.contains("ref") {
                // Other keys next to `eval` make the map plain data.
                return self.matches(expression, scope);
            }
            return Err(functions::missing(keys));
        };
        let unexpected = match function.name {
            _ if keys.contains("var") => Some("var"),
            "foreach" => None,
            _ if keys.contains("foreach") => Some("foreach"),
            _ => None,
        };
        if let Some(unexpected) = unexpected {
            return Err(ExpressionError::new(format!(
                "unexpected '{unexpected}' found, did you intend it for the parent?"
            ))
            .help(format!("'{unexpected}' belongs next to 'eval', not next to '{}'", function.name)));
        }
        let argument = self.entry(expression, function.name)?;
        scope.call = expression.clone();
        if function.name == "q" {
            return Ok(vec![argument]);
        }
        let value = (function.run)(self, &argument, scope)?;
        self.matches(&value, scope)
    }

    /// A value as matches: the elements of a list, none for null.
    pub(crate) fn matches(&self, value: &Datum, scope: &mut Scope) -> Result<Vec<Datum>, ExpressionError> {
        let mapped = self.mapped(value, scope)?;
        match mapped.value {
            value if mapped.match_of_expression => Ok(vec![value]),
            Datum::List(list) => (0..list.len()).map(|at| list.at(at, self)).collect(),
            null if null.is_null() => Ok(Vec::new()),
            value => Ok(vec![value]),
        }
    }

    /// Evaluates the top level of a value. Nested values are lazy.
    pub(crate) fn mapped(&self, value: &Datum, scope: &mut Scope) -> Result<Mapped, ExpressionError> {
        let Datum::Plain(Plain { value: plain, templates }) = value else { return Ok(Mapped::value(value.clone())) };
        Ok(match plain {
            Value::Hash(_) if is_expression(value) => {
                let query = Query::new(value)?;
                let mut results = self.resolve(&query, scope)?;
                if query.foreach_given || results.len() > 1 {
                    Mapped::value(LazyList::known(results))
                } else {
                    match results.pop() {
                        Some(value) => Mapped { value, match_of_expression: true },
                        None => Mapped::value(Datum::NULL),
                    }
                }
            }
            Value::Hash(hash) => Mapped::value(LazyMap::open(hash.clone(), scope.clone(), *templates)),
            Value::Array(items) => Mapped::value(LazyList::open(items.clone(), scope.clone(), *templates)),
            Value::String(text) if *templates && is_template(text) => {
                Mapped::value(self.deeper(|| self.template(text, &scope.inner()))?)
            }
            _ => Mapped::value(value.clone()),
        })
    }

    /// Evaluates everything in a value; an expression is replaced by its match.
    pub(crate) fn map_value(&self, value: &Datum, scope: &Scope) -> Result<Datum, ExpressionError> {
        self.deeper(|| self.map_here(value, scope))
    }

    fn map_here(&self, value: &Datum, scope: &Scope) -> Result<Datum, ExpressionError> {
        if is_expression(value) {
            return self.resolve_one(&Query::new(value)?, scope);
        }
        match value {
            Datum::Plain(Plain { value: Value::Hash(hash), .. }) => {
                let entry = |(key, part): (&Value, &Value)| {
                    Ok((key.clone(), self.map_value(&value.part(part.clone()), scope)?))
                };
                Ok(LazyMap::known(hash.iter().map(entry).collect::<Result<Vec<_>, ExpressionError>>()?))
            }
            Datum::Plain(Plain { value: Value::Array(items), .. }) => {
                let items = items.iter().map(|item| self.map_value(&value.part(item.clone()), scope));
                Ok(LazyList::known(items.collect::<Result<_, ExpressionError>>()?))
            }
            Datum::Plain(Plain { value: Value::String(text), templates: true }) if is_template(text) => {
                self.template(text, &scope.inner())
            }
            Datum::Map(map) => {
                let entry = |at| {
                    let key = map.key(at).cloned().unwrap_or_default();
                    Ok((key, self.map_value(&map.at(at, self)?, scope)?))
                };
                Ok(LazyMap::known((0..map.len()).map(entry).collect::<Result<Vec<_>, ExpressionError>>()?))
            }
            Datum::List(list) => {
                let items = (0..list.len()).map(|at| self.map_value(&list.at(at, self)?, scope));
                Ok(LazyList::known(items.collect::<Result<_, ExpressionError>>()?))
            }
            other => Ok(other.clone()),
        }
    }

    /// The value of a variable.
    pub(crate) fn variable(&self, name: &str, scope: &Scope) -> Result<Datum, ExpressionError> {
        let open = {
            let mut table = scope.vars.lock();
            match table.get(name) {
                Some(Variable::Known(value)) => return Ok(value.clone()),
                Some(Variable::Busy) => {
                    return Err(ExpressionError::new(format!("the variable '${name}' refers to itself"))
                        .help("rename the inner one"));
                }
                Some(Variable::Open(value)) => {
                    let value = value.clone();
                    table.insert(name.into(), Variable::Busy);
                    value
                }
                None => return Err(unknown_variable(name, table.keys())),
            }
        };
        let mapped = self.mapped(&open, &mut scope.clone());
        let state = match &mapped {
            Ok(mapped) => Variable::Known(mapped.value.clone()),
            Err(_) => Variable::Open(open),
        };
        scope.vars.lock().insert(name.into(), state);
        Ok(mapped?.value)
    }

    /// The matches of a path.
    pub(crate) fn follow(&self, path: &Path, scope: &mut Scope) -> Result<Vec<Datum>, ExpressionError> {
        let Some(first) = path.segments.first() else { return Ok(Vec::new()) };
        let placed = |error| path.place(error, first.span);
        let in_loop = scope.vars.contains("break");
        let mut found = Vec::new();
        let rest = &path.segments[1..];
        match &first.key {
            Key::None if first.filters.is_empty() => {
                self.walk(Datum::Instances, rest, path, scope, &mut found)?;
            }
            Key::Variable(name) => {
                let value = self.variable(name, scope).map_err(placed)?;
                if rest.is_empty() {
                    return Ok(vec![value]);
                }
                let segments: Vec<Segment> =
                    [Segment { key: Key::None, ..first.clone() }].into_iter().chain(rest.iter().cloned()).collect();
                self.walk(value, &segments, path, scope, &mut found)?;
            }
            Key::Index(index) if !in_loop => {
                return Err(placed(
                    ExpressionError::new(format!(
                        "the expression starts with the number {index}, but instances have no elements"
                    ))
                    .help(format!(
                        "to select an attribute of that name, use a variable: '.::$name' with name: '{index}'"
                    )),
                ));
            }
            Key::Name(name) if name.starts_with('.') => {
                self.walk(scope.current.clone(), &path.segments, path, scope, &mut found)?;
            }
            _ if in_loop => {
                self.walk(scope.current.clone(), &path.segments, path, scope, &mut found)?;
            }
            _ => {
                // The start is the innermost of the instance and its ancestors for which the whole path has a match.
                let Datum::Instance(start) = scope.current else { return Ok(found) };
                let segments: Vec<Segment> = [Segment { modifier: Modifier::First, ..first.clone() }]
                    .into_iter()
                    .chain(rest.iter().cloned())
                    .collect();
                let ancestors: Vec<_> = self.tree().ancestors(start).collect();
                scope.last = start;
                for instance in ancestors {
                    if self.walk(Datum::Instance(instance), &segments, path, scope, &mut found)? {
                        break;
                    }
                }
            }
        }
        Ok(found)
    }
}

fn unknown_variable<'n>(name: &str, known: impl Iterator<Item = &'n Str>) -> ExpressionError {
    let known: Vec<&str> = known.map(|name| &**name).collect();
    let near = hieratic_diagnostics::nearest(name, known.iter().copied());
    ExpressionError::new(format!("the variable '${name}' is not defined")).did_you_mean(near, "$")
}
