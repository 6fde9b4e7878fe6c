//! Templates: Jinja2 with what Unfurl adds.
//!
//! A template sees its variables, `SELF` (the attributes of its instance) and the filters and lookups of [`filters`].
//! What it makes is never a template again.

mod filters;
mod objects;

use hieratic_pythonic as python;
use std::sync::Arc;

use hieratic_jinja::{Engine, Options, is_template, to_value};
use hieratic_value::Value;

use crate::Fault;
use crate::context::Shared;
use crate::datum::Datum;
use crate::fault::FaultKind;
use crate::scope::Scope;
use crate::session::Session;

pub(crate) use objects::from_template;

/// An engine for templates of a context, strict or not.
pub(crate) fn engine(shared: &Shared, strict: bool) -> Engine {
    let mut engine = Engine::new(&Options {
        base: (&*shared.base).into(),
        files: shared.files.clone(),
        env: shared.env.clone(),
        strict,
        budget: shared.budget.clone(),
        ..Options::default()
    });
    if let Some(witness) = shared.witness.clone() {
        engine.set_witness(move |of, made| {
            // Of what is given, only single texts and numbers count.
            let is_single = |value: &&hieratic_jinja::minijinja::Value| value.as_str().is_some() || value.is_number();
            if !witness.is_idle()
                && let Ok(of) = of.iter().filter(is_single).map(to_value).collect::<Result<Vec<_>, _>>()
                && !of.is_empty()
                && let Ok(made) = to_value(made)
            {
                witness.made(&of, &made);
            }
        });
    }
    filters::register(&mut engine, shared);
    engine
}

impl Session {
    /// What a template gives: a template that is one expression keeps its type.
    ///
    /// A template that fails is a fault where evaluation is strict, otherwise it is the message.
    pub(crate) fn template(self: &Arc<Self>, text: &str, scope: &Scope) -> Result<Datum, Fault> {
        let text = python::strip(text);
        if !is_template(text) {
            return Ok(Datum::done(text));
        }
        self.deeper(|| {
            let shown = self.secrets();
            let engine = self.shared.engine(scope.strict);
            let rendered = engine.render(text, objects::variables(self, scope));
            let value = match rendered {
                Err(fault) => Err(told_of(&fault, text)),
                Ok(value) => match from_template(&value) {
                    // What is not defined prints as it stands in the template.
                    Err(fault) if !scope.strict && fault.kind != FaultKind::Limit => Ok(Datum::done(value.to_string())),
                    value => value,
                },
            };
            match value {
                // Secrets may be anywhere in what a template makes of them.
                Ok(value) if self.secrets() > shown => self.secret(&value),
                Ok(value) => Ok(value),
                Err(fault) if scope.strict || fault.kind == FaultKind::Limit => Err(fault),
                Err(fault) => Ok(Datum::done(fault.message)),
            }
        })
    }

    /// The text that a template file prints.
    pub(crate) fn template_file(
        self: &Arc<Self>,
        name: &str,
        text: &str,
        scope: &Scope,
    ) -> Result<String, hieratic_jinja::Fault> {
        self.shared.engine(scope.strict).render_text(name, text, objects::variables(self, scope))
    }

    /// Calls a lookup of templates.
    pub(crate) fn call_lookup(
        self: &Arc<Self>,
        name: &Value,
        arguments: Vec<Datum>,
        options: Vec<(Value, Datum)>,
        scope: &Scope,
    ) -> Result<Datum, Fault> {
        let engine = self.shared.engine(scope.strict);
        let variables = objects::variables_with(
            self,
            scope,
            [
                ("__name", Datum::done(name.clone())),
                ("__arguments", crate::lazy::LazyList::known(arguments)),
                ("__options", crate::lazy::LazyMap::known(options)),
            ],
        );
        let found = engine.render("{{ query(__name, *__arguments, **__options) }}", variables);
        let found = from_template(&found.map_err(|fault| told(&fault))?)?;
        let mut found = self.elements(&found)?;
        Ok(match found.len() {
            0 => Datum::NULL,
            1 => found.remove(0),
            _ => crate::lazy::LazyList::known(found),
        })
    }
}

/// A fault of a whole template as the reference words it: one of syntax quotes the template.
fn told_of(fault: &hieratic_jinja::Fault, template: &str) -> Fault {
    let told = told(fault);
    if fault.kind != hieratic_jinja::FaultKind::Syntax || own(fault).is_some() {
        return told;
    }
    let what = fault.message.trim_end_matches('.');
    let message = format!("template error while templating string: {what}. String: {template}. {what}");
    Fault { message: format!("<<Error rendering template: {message}>>"), ..told }
}

/// A fault of a template as the reference words it.
fn told(fault: &hieratic_jinja::Fault) -> Fault {
    let inner = own(fault);
    if fault.kind == hieratic_jinja::FaultKind::Limit {
        return Fault { help: fault.help.clone(), place: fault.place.clone(), ..Fault::limit(fault.message.clone()) };
    }
    if let Some(limit) = inner.filter(|inner| inner.kind == FaultKind::Limit) {
        return limit.clone();
    }
    let message = inner.map_or(fault.message.as_str(), |inner| &inner.message);
    let told = match (named(message, "has no attribute '", "'"), named(message, "'", "' is undefined")) {
        (Some(name), _) => format!("missing attribute or key: \"{name}\""),
        (None, Some(name)) => format!("missing variable: \"{name}\""),
        (None, None) => message.to_owned(),
    };
    Fault {
        kind: FaultKind::Evaluation,
        message: format!("<<Error rendering template: {told}>>"),
        place: inner.and_then(|inner| inner.place.clone()).or_else(|| fault.place.clone()),
        help: inner.and_then(|inner| inner.help.clone()).or_else(|| fault.help.clone()),
    }
}

/// The fault of an expression that a template failed by, if it did.
fn own(fault: &hieratic_jinja::Fault) -> Option<&Fault> {
    let mut source = std::error::Error::source(fault);
    while let Some(error) = source {
        if let Some(own) = error.downcast_ref::<Fault>() {
            return Some(own);
        }
        source = error.source();
    }
    None
}

/// The first word between two texts.
fn named<'m>(message: &'m str, before: &str, behind: &str) -> Option<&'m str> {
    let word = |name: &&str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    message.match_indices(before).find_map(|(at, _)| {
        let rest = &message[at + before.len()..];
        rest.find(behind).map(|end| &rest[..end]).filter(word)
    })
}
