//! [`Context`]: what filters, tests, functions and lookups see of a rendering.

use minijinja::Value;

use super::{Frame, Mode, Run, calls, expressions};
use crate::call::{Args, kwargs};
use crate::error::Result;
use crate::files::Reach;
use crate::host::{Function, Host};
use crate::objects::What;
use crate::settings::Settings;

/// Where a filter, test, function or lookup is called.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The rendering.
    pub run: &'a Run<'a>,
    /// The statements around.
    pub frame: &'a Frame,
}

impl Host for Context<'_> {
    fn variable(&self, name: &str) -> Result<Option<Value>> {
        self.frame.by_name(name)
    }

    fn variable_names(&self) -> Result<Vec<String>> {
        self.frame.visible().names()
    }

    fn attribute(&self, value: &Value, name: &str) -> Result<Value> {
        expressions::attribute_named(self.run, value, name)
    }

    fn item(&self, value: &Value, key: &Value) -> Result<Value> {
        expressions::item(self.run, value, key)
    }

    fn missing(&self, what: What) -> Value {
        self.run.missing(what)
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
        self.run.engine.filters.contains_key(name)
    }

    fn is_test(&self, name: &str) -> bool {
        self.run.engine.tests.contains_key(name)
    }

    fn has_witness(&self) -> bool {
        self.run.engine.witness.is_some()
    }

    fn added_lookup(&self, name: &str, args: &mut Args) -> Option<Result<Vec<Value>>> {
        let lookup = self.run.engine.lookups.get(name)?;
        let options = kwargs(std::mem::take(&mut args.named));
        Some(lookup(self.run.state, &args.positional, &options))
    }

    fn added_lookups(&self) -> Vec<&str> {
        self.run.engine.lookups.keys().map(String::as_str).collect()
    }

    fn files(&self) -> Reach<'_> {
        self.run.engine.files()
    }

    fn env(&self, name: &str) -> Option<String> {
        self.run.engine.env(name)
    }

    fn render_text(&self, name: &str, template: &str, settings: Settings) -> Result<Value> {
        let template = self.run.read_template(name, template, settings)?;
        self.run.render_nested(&template, &self.frame.visible(), Mode::Text)
    }

    fn forgive(&self) {
        self.run.forgive();
    }
}
