//! [`EngineState`]: the settings, templates and functions of an engine.

use std::any::Any;
use std::collections::HashMap;
use std::sync::Arc;

use minijinja::Value;
use minijinja::value::ValueKind;

use crate::call::Args;
use crate::error::{Result, error};
use crate::extension::{Extension, Names};
use crate::files::FileAccess;
use crate::host::{Definition, Function, Host};
use crate::taint_observer::TaintObserver;
use crate::template_cache::TemplateCache;
use crate::{Options, checks, filters, functions};

/// The state of an engine.
pub struct EngineState {
    /// The options of the engine.
    pub options: Options,
    /// The additions of another crate to the language.
    pub extension: &'static Extension,
    /// The filters that were added to this engine.
    pub added: HashMap<String, Box<Added>>,
    /// The extension's data for this engine.
    pub data: Option<Box<dyn Any + Send + Sync>>,
    /// The observer of inputs and results.
    pub observer: Option<Arc<dyn TaintObserver>>,
    /// Decrypts strings with the tag `!vault`.
    pub decrypt: Option<Box<Decrypt>>,
    /// The cache of templates that others include, import or extend.
    pub parts: TemplateCache,
}

impl EngineState {
    /// Returns the filter with this name, except those that were added to this engine.
    pub fn filter(&self, name: &str) -> Option<Function> {
        self.find(name, &self.extension.filters, filters::all())
    }

    /// Returns the test with this name.
    pub fn test(&self, name: &str) -> Option<Function> {
        self.find(name, &self.extension.tests, checks::all())
    }

    fn find(&self, name: &str, extension: &Names, language: &Names) -> Option<Function> {
        let name = self.extension.plain_name(name);
        extension.get(name).or_else(|| language.get(name)).map(|definition| definition.call)
    }

    /// Returns all distinct filters, in no particular order.
    pub fn filters(&self) -> impl Iterator<Item = &'static Definition> {
        definitions(&self.extension.filters, filters::all())
    }

    /// Returns all distinct tests, in no particular order.
    pub fn tests(&self) -> impl Iterator<Item = &'static Definition> {
        definitions(&self.extension.tests, checks::all())
    }

    /// Returns the files that templates can access.
    pub fn files(&self) -> FileAccess<'_> {
        FileAccess(&self.options)
    }

    /// Returns an environment variable.
    pub fn env(&self, name: &str) -> Result<Option<String>> {
        let value = self.options.env.read(name).map_err(|hidden| error(hidden.to_string()).with_source(hidden))?;
        Ok(value.map(str::to_owned))
    }

    /// Returns a function or string that every template has.
    pub fn global(&self, name: &str) -> Option<Value> {
        functions::global(name, self.options.extensions, self.extension)
    }
}

fn definitions(extension: &'static Names, language: &'static Names) -> impl Iterator<Item = &'static Definition> {
    let own = language.values().filter(|definition| !extension.contains_key(definition.name));
    extension.values().chain(own).copied()
}

/// A filter that was added to an engine.
pub type Added = dyn Fn(&dyn Host, Args) -> Result<Value> + Send + Sync;

/// Decrypts a string of Ansible Vault, or returns an error message.
pub type Decrypt = dyn Fn(&str) -> std::result::Result<String, String> + Send + Sync;

/// The maximum number of elements and of levels of a list that is treated as a string that was taken apart.
const MAX_PARTS: usize = 4_096;
const MAX_LEVELS: usize = 5;

/// Returns whether a result can reveal its input: a string, a number, or a list of parts of a string that are too short
/// to be recognized one by one.
pub fn may_reveal(value: &Value) -> bool {
    value.as_str().is_some() || value.is_number() || value.as_bytes().is_some() || is_parts(value, MAX_LEVELS)
}

fn is_parts(value: &Value, levels: usize) -> bool {
    if levels == 0 || value.kind() != ValueKind::Seq || value.len().is_none_or(|count| count > MAX_PARTS) {
        return false;
    }
    let first = value.get_item_by_index(0);
    first.is_ok_and(|first| {
        first.as_str().is_some_and(|text| text.len() <= 4) || first.is_number() || is_parts(&first, levels - 1)
    })
}
