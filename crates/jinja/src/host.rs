//! [`Host`]: the interface through which filters, tests and functions see the rendering that calls them,
//! [`Function`]: their type, and [`Definition`]: one row for each.

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
    /// Returns the value of a variable; `None` if there is none of this name.
    fn variable(&self, name: &str) -> Result<Option<Value>>;

    /// Returns an input variable of the rendering, regardless of the variables that the template sets; `None` if there
    /// is none of this name.
    fn given(&self, name: &str) -> Option<Value>;

    /// Returns the value of a variable as lookups see it: in Ansible an input variable, regardless of the variables
    /// that the template sets.
    fn known(&self, name: &str) -> Result<Option<Value>>;

    /// A value with the templates in it rendered, where strings among the variables are templates; otherwise the same value.
    fn rendered(&self, value: &Value) -> Result<Value>;

    /// The names of all variables that can be seen.
    fn variable_names(&self) -> Result<Vec<String>>;

    /// `value.name`, as templates see it.
    fn attribute(&self, value: &Value, name: &str) -> Result<Value>;

    /// `value[key]`, as templates see it.
    fn item(&self, value: &Value, key: &Value) -> Result<Value>;

    /// Creates an undefined value.
    fn missing(&self, origin: UndefinedOrigin) -> Value;

    /// Returns whether strings are escaped at this moment.
    fn escapes(&self) -> bool;

    /// Returns the filter of a name, except those that were added to this engine.
    fn known_filter(&self, name: &str) -> Option<Function>;

    /// Applies a filter. `known` is the built-in filter of this name.
    fn filter(&self, name: &str, known: Option<Function>, args: Args) -> Result<Value>;

    /// Applies a test.
    fn test(&self, name: &str, args: Args) -> Result<bool>;

    /// Checks whether a filter has exactly this name.
    fn is_filter(&self, name: &str) -> bool;

    /// Checks whether a test has exactly this name.
    fn is_test(&self, name: &str) -> bool;

    /// Returns whether an observer learns the inputs of filters.
    fn has_observer(&self) -> bool;

    /// Returns the extension's data for this engine, if there is any.
    fn data(&self) -> Option<&(dyn Any + Send + Sync)>;

    /// The files that templates may look at.
    fn files(&self) -> FileAccess<'_>;

    /// An environment variable; an error if templates may not read it.
    fn env(&self, name: &str) -> Result<Option<String>>;

    /// Renders another template to text, with the variables that can be seen.
    fn render_text(&self, name: &str, template: &str, settings: Settings) -> Result<Value>;

    /// Renders another template as lookups do: with the variables that this rendering was given and with more, but with none that the
    /// template sets. The result is a value as of a variable with this text, or text (`is_text`).
    fn render_with(&self, name: &str, template: &str, more: &Value, settings: Settings, is_text: bool)
    -> Result<Value>;

    /// Renders a template with only these variables, whose strings are not templates.
    fn render_alone(&self, name: &str, template: &str, variables: &Value, settings: Settings) -> Result<Value>;

    /// Returns the position at which a filter, test or lookup is defined in Python. If the engine has the name, too
    /// (`is_known`), only a definition that takes precedence is returned.
    fn foreign(&self, kind: &'static str, name: &str, is_known: bool) -> Option<&str>;

    /// Decrypts the content of a file of Ansible Vault; messages name the file.
    fn decrypt(&self, name: &str, text: &str) -> Result<String>;

    /// Forgets an error that does not count.
    fn forgive(&self);
}
