//! [`Host`]: the interface of filters, tests and functions to the rendering that calls them. [`Function`]: their type.
//! [`Definition`]: a row of their table.

use std::any::Any;

use minijinja::Value;

use crate::call::Args;
use crate::error::Result;
use crate::files::FileAccess;
use crate::objects::UndefinedOrigin;
use crate::settings::Settings;

/// A filter, test or function. The first argument of a filter is its input.
pub type Function = fn(&dyn Host, Args) -> Result<Value>;

/// The definition of a filter, test, function or lookup. Editors and `docs/jinja-functions.md` show it.
#[derive(Clone, Copy, Debug)]
pub struct Definition<F = Function> {
    /// Its name.
    pub name: &'static str,
    /// Its parameters in Python's notation, without the input of a filter or test: `width=4, first=False`.
    pub parameters: &'static str,
    /// One sentence in Markdown that begins with a verb.
    pub documentation: &'static str,
    /// The implementation.
    pub call: F,
}

/// Creates a row of a table.
pub const fn define<F: Copy>(
    name: &'static str,
    parameters: &'static str,
    documentation: &'static str,
    call: F,
) -> Definition<F> {
    Definition { name, parameters, documentation, call }
}

/// A table of filters, tests or functions.
pub type Table = &'static [Definition];

/// The interface to the rendering that calls a filter, test or function.
pub trait Host {
    /// Returns the value of a variable, or `None` if it does not exist.
    fn variable(&self, name: &str) -> Result<Option<Value>>;

    /// Returns an input variable of the rendering, independent of the variables that the template sets. Returns `None`
    /// if it does not exist.
    fn given(&self, name: &str) -> Option<Value>;

    /// Returns the value of a variable for lookups: in Ansible an input variable, independent of the variables that the
    /// template sets.
    fn known(&self, name: &str) -> Result<Option<Value>>;

    /// Renders the templates in a value, if strings of variables are templates. Otherwise returns it unchanged.
    fn rendered(&self, value: &Value) -> Result<Value>;

    /// Returns the names of all visible variables.
    fn variable_names(&self) -> Result<Vec<String>>;

    /// Evaluates `value.name`.
    fn attribute(&self, value: &Value, name: &str) -> Result<Value>;

    /// Evaluates `value[key]`.
    fn item(&self, value: &Value, key: &Value) -> Result<Value>;

    /// Creates an undefined value.
    fn missing(&self, origin: UndefinedOrigin) -> Value;

    /// Returns whether strings are escaped at this moment.
    fn escapes(&self) -> bool;

    /// Returns the filter with this name, except those that were added to this engine.
    fn known_filter(&self, name: &str) -> Option<Function>;

    /// Applies a filter. `known` is the built-in filter of this name.
    fn filter(&self, name: &str, known: Option<Function>, args: Args) -> Result<Value>;

    /// Applies a test.
    fn test(&self, name: &str, args: Args) -> Result<bool>;

    /// Returns whether a filter has exactly this name.
    fn is_filter(&self, name: &str) -> bool;

    /// Returns whether a test has exactly this name.
    fn is_test(&self, name: &str) -> bool;

    /// Returns whether an observer is set.
    fn has_observer(&self) -> bool;

    /// Returns the extension's data for this engine, if there is any.
    fn data(&self) -> Option<&(dyn Any + Send + Sync)>;

    /// Returns the files that templates can access.
    fn files(&self) -> FileAccess<'_>;

    /// Returns an environment variable. It is an error if templates may not read it.
    fn env(&self, name: &str) -> Result<Option<String>>;

    /// Renders another template to a string, with the visible variables.
    fn render_text(&self, name: &str, template: &str, settings: Settings) -> Result<Value>;

    /// Renders another template for a lookup: with the input variables of this rendering and with `more`, but without
    /// the variables that the template sets. The result is a string with `is_text`, otherwise a value as for a variable
    /// with this content.
    fn render_with(&self, name: &str, template: &str, more: &Value, settings: Settings, is_text: bool)
    -> Result<Value>;

    /// Renders a template with only these variables, whose strings are not templates.
    fn render_alone(&self, name: &str, template: &str, variables: &Value, settings: Settings) -> Result<Value>;

    /// Returns the position at which a filter, test or lookup is defined in Python. If the engine also has the name
    /// (`is_known`), only a definition that overrides it is returned.
    fn foreign(&self, kind: &'static str, name: &str, is_known: bool) -> Option<&str>;

    /// Decrypts the content of a file of Ansible Vault. `name` is used in messages.
    fn decrypt(&self, name: &str, text: &str) -> Result<String>;

    /// Drops an error that the caller has handled.
    fn forgive(&self);
}
