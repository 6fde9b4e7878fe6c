//! [`Host`]: what filters, tests, functions and lookups see of the rendering that calls them, and [`Function`]: what they are.

use minijinja::Value;

use crate::call::Args;
use crate::error::Result;
use crate::files::Reach;
use crate::objects::What;
use crate::settings::Settings;

/// A filter or test. A filter's first argument is what it is applied to.
pub type Function = fn(&dyn Host, Args) -> Result<Value>;

/// Names and what they stand for.
pub type Table = &'static [(&'static str, Function)];

/// The rendering that calls a filter, test, function or lookup, at the place where it does.
pub trait Host {
    /// The value of a variable, nothing if there is none of this name.
    fn variable(&self, name: &str) -> Result<Option<Value>>;

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

    /// What Jinja2 or Ansible has under the name of a filter.
    fn known_filter(&self, name: &str) -> Option<Function>;

    /// Applies a filter, with what is known under its name.
    fn filter(&self, name: &str, known: Option<Function>, args: Args) -> Result<Value>;

    /// Applies a test.
    fn test(&self, name: &str, args: Args) -> Result<bool>;

    /// Whether Jinja2 or Ansible has a filter of just this name.
    fn is_filter(&self, name: &str) -> bool;

    /// Whether one of them has such a test.
    fn is_test(&self, name: &str) -> bool;

    /// Whether somebody learns what filters are applied to.
    fn has_witness(&self) -> bool;

    /// What a lookup that others added finds, if there is one of this name. It takes the named arguments out.
    fn added_lookup(&self, name: &str, args: &mut Args) -> Option<Result<Vec<Value>>>;

    /// The names of the lookups that others added.
    fn added_lookups(&self) -> Vec<&str>;

    /// The files that templates may look at.
    fn files(&self) -> Reach<'_>;

    /// An environment variable.
    fn env(&self, name: &str) -> Option<String>;

    /// Renders another template to text, with the variables that can be seen.
    fn render_text(&self, name: &str, template: &str, settings: Settings) -> Result<Value>;

    /// Forgets an error that does not count.
    fn forgive(&self);
}
