//! [`Context`]: a tree, a start instance and options for expressions.

use std::fmt;
use std::sync::Arc;

use hieratic_diagnostics::nearest;
use hieratic_value::Value;

use crate::datum::Datum;
use crate::eval::Query;
use crate::scope::{Scope, Variable, Vars};
use crate::session::Session;
use crate::shared::Shared;
use crate::tree::{Instance, InstanceId, Tree};
use crate::{Expression, ExpressionError, Match, Options};

/// A tree with a start instance for expressions, and the options of their evaluation. Cloning is cheap.
///
/// ```
/// use hieratic_unfurl::{Context, Expression, Options, Tree};
/// use hieratic_value::{Hash, Value};
///
/// let ports: Value = [80, 81].map(Value::from).into_iter().collect();
/// let document: Hash = [("ports", ports)].into_iter().collect();
/// let context = Context::new(Tree::new(&document.into())?, Options::default());
/// let second = Expression::parse("ports::1")?;
/// assert_eq!(context.resolve_one(&second)?.to_value(), Value::from(81));
/// assert_eq!(context.render_template("port {{ SELF.ports[0] }}")?.to_value(), Value::from("port 80"));
/// # Ok::<(), hieratic_unfurl::ExpressionError>(())
/// ```
#[derive(Clone)]
pub struct Context {
    shared: Arc<Shared>,
    start: InstanceId,
}

impl Context {
    /// Creates a context whose expressions start from the root of a tree.
    pub fn new(tree: Tree, options: Options) -> Context {
        Context { shared: Arc::new(Shared::new(tree, options)), start: 0 }
    }

    /// Returns the context with another start instance.
    ///
    /// # Errors
    ///
    /// The instance does not exist. The error suggests similar names.
    pub fn start(&self, name: &str) -> Result<Context, ExpressionError> {
        match self.shared.tree.find(name) {
            Some(start) => Ok(Context { shared: self.shared.clone(), start }),
            None => {
                let near = nearest(name, self.shared.tree.names());
                Err(ExpressionError::new(format!("unknown instance '{name}'")).did_you_mean(near, ""))
            }
        }
    }

    /// Returns the instance that expressions start from.
    pub fn instance(&self) -> Instance {
        Instance::new(&self.shared.tree, self.start)
    }

    /// Returns all matches of an expression. The list may be empty.
    ///
    /// Semantics: <https://docs.unfurl.run/expressions.html#semantics>
    ///
    /// # Errors
    ///
    /// A variable, a property or a function is unknown, an argument is invalid, a template fails, or a limit is
    /// reached.
    pub fn resolve(&self, expression: &Expression) -> Result<Vec<Match>, ExpressionError> {
        self.evaluate(|session, scope| {
            let found = session.resolve(&query(expression)?, scope);
            found
                .and_then(|found| found.iter().map(|one| self.out(session, one)).collect())
                .map_err(|error| expression.place(error))
        })
    }

    /// Returns the value of an expression: the match, null without a match, or a list of several matches.
    ///
    /// # Errors
    ///
    /// As [`Context::resolve`], or there is no match (or null) although the expression's `strict` requires one.
    pub fn resolve_one(&self, expression: &Expression) -> Result<Match, ExpressionError> {
        self.evaluate(|session, scope| {
            let found = session.resolve_one(&query(expression)?, scope);
            found.and_then(|found| self.out(session, &found)).map_err(|error| expression.place(error))
        })
    }

    /// Evaluates all expressions and templates in a value.
    ///
    /// # Errors
    ///
    /// As [`Context::resolve_one`].
    ///
    /// ```
    /// use hieratic_unfurl::{Context, Options, Tree};
    /// use hieratic_value::{Hash, Value};
    ///
    /// let document: Hash = [("port", Value::from(80))].into_iter().collect();
    /// let context = Context::new(Tree::new(&document.into())?, Options::default());
    /// let value = Value::from(vec![Value::from("{{ SELF.port + 1 }}"), Value::from("plain")]);
    /// assert_eq!(context.map_value(&value)?.to_value(), Value::from(vec![Value::from(81), Value::from("plain")]));
    /// # Ok::<(), hieratic_unfurl::ExpressionError>(())
    /// ```
    pub fn map_value(&self, value: &Value) -> Result<Match, ExpressionError> {
        self.evaluate(|session, scope| {
            let mapped = session.map_value(&Datum::raw(value.clone()), scope)?;
            self.out(session, &mapped)
        })
    }

    /// Renders a template. The value of a template that is a single expression keeps its type.
    ///
    /// # Errors
    ///
    /// The template fails and the context is strict. Otherwise, the result is the message `<<Error rendering template:
    /// ...>>`.
    pub fn render_template(&self, template: &str) -> Result<Match, ExpressionError> {
        self.evaluate(|session, scope| {
            let rendered = session.template(template, scope)?;
            self.out(session, &rendered)
        })
    }

    /// Renders a template file to a string, as Ansible's module `template` does.
    ///
    /// # Errors
    ///
    /// The template fails. The error has a position in it.
    pub fn render_text(&self, name: &str, template: &str) -> Result<String, hieratic_jinja::TemplateError> {
        let mut text = Ok(String::new());
        // Only the template can fail.
        let _ = self.evaluate(|session, scope| {
            text = session.template_file(name, template, scope);
            Ok(())
        });
        text
    }

    /// Evaluates in a new session, so that the same expression always has the same result.
    fn evaluate<T>(
        &self,
        work: impl FnOnce(&Arc<Session>, &Scope) -> Result<T, ExpressionError>,
    ) -> Result<T, ExpressionError> {
        let session = Arc::new(Session::new(self.shared.clone()));
        let vars = self
            .shared
            .vars
            .iter()
            .filter_map(|(name, value)| Some((name.as_str()?.into(), Variable::Open(Datum::raw(value.clone())))));
        let vars = session.keep(Vars::new(vars));
        let done = work(&session, &Scope::new(self.start, vars, self.shared.strict));
        session.end();
        done
    }

    fn out(&self, session: &Arc<Session>, found: &Datum) -> Result<Match, ExpressionError> {
        Ok(match found {
            Datum::Instance(id) => Match::Instance(Instance::new(&self.shared.tree, *id)),
            found => {
                let value = session.force(found)?;
                self.shared.weigh(&value)?;
                Match::Value(value)
            }
        })
    }
}

fn query(expression: &Expression) -> Result<Query, ExpressionError> {
    let mut query = Query::new(&Datum::raw(expression.to_value()))?;
    query.path = expression.path();
    Ok(query)
}

impl fmt::Debug for Context {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Context").field("instance", &self.instance().name()).finish_non_exhaustive()
    }
}
