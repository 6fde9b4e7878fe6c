//! Templates: Jinja2 with Unfurl's additions.
//!
//! A template can use its variables, `SELF` (the attributes of its instance) and the filters and lookups of
//! [`filters`]. Its result is not evaluated as a template again.

mod arguments;
mod errors;
mod filters;
mod labels;
mod objects;

use std::sync::Arc;

use hieratic_jinja::{Engine, Options};
use hieratic_value::Value;

use crate::ExpressionError;
use crate::datum::Datum;
use crate::error::ExpressionErrorKind;
use crate::host::Host;
use crate::lazy::{LazyList, LazyMap};
use crate::scope::Scope;
use crate::shared::Shared;

use errors::{convert_error, convert_template_error};
use objects::from_template;

/// Renders a template: a template that is one expression keeps its type.
pub(crate) fn render(host: &Arc<dyn Host>, text: &str, scope: &Scope) -> Result<Datum, ExpressionError> {
    let rendered = engine(host.shared(), scope.strict).render(text, objects::variables(host, scope));
    let value = rendered.map_err(|error| convert_template_error(&error, text))?;
    match from_template(&value) {
        // An undefined value prints as its source in the template.
        Err(error) if !scope.strict && error.kind != ExpressionErrorKind::Limit => Ok(Datum::done(value.to_string())),
        value => value,
    }
}

/// Renders a template file to text.
pub(crate) fn render_text(
    host: &Arc<dyn Host>,
    name: &str,
    text: &str,
    scope: &Scope,
) -> Result<String, hieratic_jinja::TemplateError> {
    engine(host.shared(), scope.strict).render_text(name, text, objects::variables(host, scope))
}

/// Calls a lookup of templates; the result is null if there is none, a list if there are several.
pub(crate) fn call_lookup(
    host: &Arc<dyn Host>,
    name: &Value,
    arguments: Vec<Datum>,
    options: Vec<(Value, Datum)>,
    scope: &Scope,
) -> Result<Datum, ExpressionError> {
    let variables = objects::variables_with(
        host,
        scope,
        [
            ("__name", Datum::done(name.clone())),
            ("__arguments", LazyList::known(arguments)),
            ("__options", LazyMap::known(options)),
        ],
    );
    let engine = engine(host.shared(), scope.strict);
    let found = engine.render("{{ query(__name, *__arguments, **__options) }}", variables);
    let found = from_template(&found.map_err(|error| convert_error(&error))?)?;
    let mut found = host.elements(&found)?;
    Ok(match found.len() {
        0 => Datum::NULL,
        1 => found.remove(0),
        _ => LazyList::known(found),
    })
}

/// The engine for templates of a context, strict or not.
fn engine(shared: &Shared, strict: bool) -> &Engine {
    shared.engine(strict, || new_engine(shared, strict))
}

fn new_engine(shared: &Shared, strict: bool) -> Engine {
    let mut engine = hieratic_jinja_ansible::engine(&Options {
        base: (&*shared.base).into(),
        files: shared.files.clone(),
        env: shared.env.clone(),
        strict,
        budget: shared.budget.clone(),
        ..Options::default()
    });
    if let Some(observer) = shared.observer.clone() {
        engine.set_observer(observer);
    }
    filters::register(&mut engine, shared);
    engine
}
