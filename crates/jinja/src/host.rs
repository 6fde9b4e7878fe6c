//! [`Host`]: what filters, tests and functions see of the rendering that calls them, and [`Function`]: what they are.

use std::any::Any;

use minijinja::Value;

use crate::call::Args;
use crate::error::Result;
use crate::files::Reach;
use crate::objects::What;
use crate::settings::Settings;

/// A filter, test or function. A filter's first argument is what it is applied to.
pub type Function = fn(&dyn Host, Args) -> Result<Value>;

/// Names and what they stand for.
pub type Table = &'static [(&'static str, Function)];

/// The rendering that calls a filter, test or function, at the place where it does.
pub trait Host {
    /// The value of a variable, nothing if there is none of this name.
    fn variable(&self, name: &str) -> Result<Option<Value>>;

    /// The value of a variable that the rendering was given, whatever the template sets; nothing if there is none of this name.
    fn given(&self, name: &str) -> Option<Value>;

    /// The value of a variable as lookups see it: to Ansible what the rendering was given, whatever the template sets.
    fn known(&self, name: &str) -> Result<Option<Value>>;

    /// A value with the templates in it rendered, where strings among the variables are templates; otherwise the same value.
    fn rendered(&self, value: &Value) -> Result<Value>;

    /// The names of all variables that can be seen.
    fn variable_names(&self) -> Result<Vec<String>>;

    /// `value.name`, as templates see it.
    fn attribute(&self, value: &Value, name: &str) -> Result<Value>;

    /// `value[key]`, as templates see it.
    fn item(&self, value: &Value, key: &Value) -> Result<Value>;

    /// Something that is not defined.
    fn missing(&self, what: What) -> Value;

    /// Whether texts are escaped now.
    fn escapes(&self) -> bool;

    /// The filter of a name, unless it was added to this engine.
    fn known_filter(&self, name: &str) -> Option<Function>;

    /// Applies a filter, with what is known under its name.
    fn filter(&self, name: &str, known: Option<Function>, args: Args) -> Result<Value>;

    /// Applies a test.
    fn test(&self, name: &str, args: Args) -> Result<bool>;

    /// Whether there is a filter of just this name.
    fn is_filter(&self, name: &str) -> bool;

    /// Whether there is a test of just this name.
    fn is_test(&self, name: &str) -> bool;

    /// Whether somebody learns what filters are applied to.
    fn has_witness(&self) -> bool;

    /// What the extension keeps for this engine, if anything.
    fn data(&self) -> Option<&(dyn Any + Send + Sync)>;

    /// The files that templates may look at.
    fn files(&self) -> Reach<'_>;

    /// An environment variable.
    fn env(&self, name: &str) -> Option<String>;

    /// Renders another template to text, with the variables that can be seen.
    fn render_text(&self, name: &str, template: &str, settings: Settings) -> Result<Value>;

    /// Renders another template as lookups do: with the variables that this rendering was given and with more, but with none that the
    /// template sets.
    fn render_with(&self, name: &str, template: &str, more: &Value, settings: Settings) -> Result<Value>;

    /// What a template is with these variables alone, which are not rendered again.
    fn render_alone(&self, name: &str, template: &str, variables: &Value, settings: Settings) -> Result<Value>;

    /// Where a filter, test or lookup is defined that is written in Python; only one that counts more if the engine has the name, too.
    fn foreign(&self, kind: &'static str, name: &str, is_known: bool) -> Option<&str>;

    /// The plain text of a file that Ansible Vault encrypted; messages name the file.
    fn decrypt(&self, name: &str, text: &str) -> Result<String>;

    /// Forgets an error that does not count.
    fn forgive(&self);
}
