//! [`Context`]: the rendering, for filters, tests and functions.

use std::any::Any;

use minijinja::Value;

use super::{Frame, Mode, Renderer, Scope, calls, expressions};
use crate::call::Args;
use crate::error::Result;
use crate::files::FileAccess;
use crate::host::{Function, Host};
use crate::objects::{Dict, UndefinedOrigin, undecrypted};
use crate::settings::Settings;
use crate::{checks, filters};

/// The context of a call of a filter, test or function.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The rendering.
    pub run: &'a Renderer<'a>,
    /// The frame of the enclosing statements.
    pub frame: &'a Frame,
}

impl Host for Context<'_> {
    fn variable(&self, name: &str) -> Result<Option<Value>> {
        match self.frame.in_slot(name) {
            Some(value) => Ok(Some(value)),
            None => self.run.find(name, self.frame),
        }
    }

    fn given(&self, name: &str) -> Option<Value> {
        self.run.given.raw(name)
    }

    fn known(&self, name: &str) -> Result<Option<Value>> {
        if self.run.engine.options.templates { self.run.value_of(name) } else { self.variable(name) }
    }

    fn rendered(&self, value: &Value) -> Result<Value> {
        if self.run.engine.options.templates {
            self.run.rendered(value, "argument of a lookup")
        } else {
            Ok(value.clone())
        }
    }

    fn variable_names(&self) -> Result<Vec<String>> {
        if self.run.engine.options.templates {
            // Ansible's lookups see the given variables, not those that the template sets.
            Scope::root(true, &Default::default()).names(self.run.given.variables())
        } else {
            self.frame.visible().names(self.run.given.variables())
        }
    }

    fn attribute(&self, value: &Value, name: &str) -> Result<Value> {
        expressions::attribute_named(self.run, value, name)
    }

    fn item(&self, value: &Value, key: &Value) -> Result<Value> {
        expressions::item(self.run, value, key)
    }

    fn missing(&self, origin: UndefinedOrigin) -> Value {
        self.run.missing(origin)
    }

    fn escapes(&self) -> bool {
        self.frame.around().escapes()
    }

    fn known_filter(&self, name: &str) -> Option<Function> {
        self.run.engine.filter(name)
    }

    fn filter(&self, name: &str, known: Option<Function>, args: Args) -> Result<Value> {
        calls::filter(self, name, known, args)
    }

    fn test(&self, name: &str, args: Args) -> Result<bool> {
        calls::test(self, name, args)
    }

    fn is_filter(&self, name: &str) -> bool {
        let engine = self.run.engine;
        engine.extension.filters.contains_key(name) || filters::all().contains_key(name)
    }

    fn is_test(&self, name: &str) -> bool {
        let engine = self.run.engine;
        engine.extension.tests.contains_key(name) || checks::all().contains_key(name)
    }

    fn has_observer(&self) -> bool {
        self.run.engine.observer.is_some()
    }

    fn data(&self) -> Option<&(dyn Any + Send + Sync)> {
        self.run.engine.data.as_deref()
    }

    fn files(&self) -> FileAccess<'_> {
        self.run.engine.files()
    }

    fn env(&self, name: &str) -> Result<Option<String>> {
        self.run.engine.env(name)
    }

    fn render_text(&self, name: &str, template: &str, settings: Settings) -> Result<Value> {
        let template = self.run.read_template(name, template, settings)?;
        self.run.render_nested(&template, &self.frame.visible(), Mode::Text)
    }

    fn render_with(
        &self,
        name: &str,
        template: &str,
        more: &Value,
        settings: Settings,
        is_text: bool,
    ) -> Result<Value> {
        let given = &self.run.given;
        let more = crate::python::kind::entries(more)?;
        let variables = if more.is_empty() {
            given.variables().clone()
        } else {
            Dict::given(crate::python::kind::entries(given.variables())?.into_iter().chain(more).collect())
        };
        self.run.render_looked_up(given.for_variables(&variables, false), template, name, settings, is_text)
    }

    fn render_alone(&self, name: &str, template: &str, variables: &Value, settings: Settings) -> Result<Value> {
        let template = self.run.read_template(name, template, settings)?;
        self.run.render_other(self.run.given.for_variables(variables, true), &template, Mode::Variable)
    }

    fn foreign(&self, kind: &'static str, name: &str, is_known: bool) -> Option<&str> {
        self.run.engine.options.foreign.place(kind, name, is_known)
    }

    fn decrypt(&self, name: &str, text: &str) -> Result<String> {
        match &self.run.engine.decrypt {
            Some(decrypt) => decrypt(text).map_err(|reason| undecrypted(&format!("the file {name}"), Some(&reason))),
            None => Err(undecrypted(&format!("the file {name}"), None)),
        }
    }

    fn forgive(&self) {
        self.run.forgive();
    }
}
