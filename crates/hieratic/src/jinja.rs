//! Jinja2 templates with Ansible's extensions, for tools: their syntax errors, and the built-in names.

use hieratic_diagnostics::Source;
use hieratic_jinja::extend::Definition;
use hieratic_jinja::{Engine, Options};
pub use hieratic_jinja::{
    Extensions, Foreign, Hosts, LinePrefixes, TemplateError, TemplateErrorKind, hosts, local_time,
};

fn engine() -> Engine {
    hieratic_jinja_ansible::engine(&Options::default())
}

/// Parses a template without rendering it.
///
/// # Errors
///
/// A syntax error, with its position.
///
/// ```
/// use hieratic::diagnostics::Source;
/// use hieratic::jinja::check_syntax;
///
/// assert!(check_syntax(&Source::new("a.j2", "{{ nobody_knows | nothing }}")).is_ok());
/// assert!(check_syntax(&Source::new("b.j2", "{% if x %}")).is_err());
/// ```
pub fn check_syntax(source: &Source) -> Result<(), TemplateError> {
    engine().check_syntax(source.name(), source.text())
}

/// The kinds of names that Jinja2 and Ansible define.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltinKind {
    /// `value | name`
    Filter,
    /// `value is name`
    Test,
    /// `name()`
    Function,
    /// `lookup('name')`
    Lookup,
}

/// A filter, test, function or lookup that Jinja2 or Ansible define.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// Its kind.
    pub kind: BuiltinKind,
    /// Its name.
    pub name: &'static str,
    /// Its parameters in Python's notation, without the input of a filter or test: `width=4, first=False`.
    pub parameters: &'static str,
    /// One sentence in Markdown that begins with a verb.
    pub documentation: &'static str,
}

impl Builtin {
    fn new<F>(kind: BuiltinKind, definition: &Definition<F>) -> Builtin {
        let Definition { name, parameters, documentation, .. } = *definition;
        Builtin { kind, name, parameters, documentation }
    }

    /// Returns an expression that shows the use and all parameters.
    ///
    /// ```
    /// use hieratic::jinja::{BuiltinKind, builtins};
    ///
    /// let filters = builtins(BuiltinKind::Filter);
    /// let round = filters.iter().find(|filter| filter.name == "round").unwrap();
    /// assert_eq!(round.signature(), "value | round(precision=0, method='common')");
    /// let lookups = builtins(BuiltinKind::Lookup);
    /// let env = lookups.iter().find(|lookup| lookup.name == "env").unwrap();
    /// assert_eq!(env.signature(), "lookup('env', *names, default='')");
    /// ```
    pub fn signature(&self) -> String {
        let Builtin { kind, name, parameters, .. } = self;
        let arguments = if parameters.is_empty() { String::new() } else { format!("({parameters})") };
        match kind {
            BuiltinKind::Filter => format!("value | {name}{arguments}"),
            BuiltinKind::Test => format!("value is {name}{arguments}"),
            BuiltinKind::Function => format!("{name}({parameters})"),
            BuiltinKind::Lookup => format!("lookup('{name}', {parameters})"),
        }
    }
}

/// Returns all built-in names of a kind, in no particular order.
///
/// ```
/// use hieratic::jinja::{BuiltinKind, builtins};
///
/// let filters = builtins(BuiltinKind::Filter);
/// let indent = filters.iter().find(|filter| filter.name == "indent").unwrap();
/// assert_eq!(indent.parameters, "width=4, first=False, blank=False");
/// assert!(indent.documentation.starts_with("Adds spaces"));
/// ```
pub fn builtins(kind: BuiltinKind) -> Vec<Builtin> {
    let engine = engine();
    match kind {
        BuiltinKind::Filter => engine.filters().map(|filter| Builtin::new(kind, filter)).collect(),
        BuiltinKind::Test => engine.tests().map(|test| Builtin::new(kind, test)).collect(),
        BuiltinKind::Function => engine.functions().map(|function| Builtin::new(kind, function)).collect(),
        BuiltinKind::Lookup => hieratic_jinja_ansible::lookups().map(|lookup| Builtin::new(kind, lookup)).collect(),
    }
}
