//! [`Engine`]: what renders.

use hieratic_diagnostics::{Source, Span};
use minijinja::value::Kwargs;
use minijinja::{Environment, Error, State, UndefinedBehavior, Value};

use crate::{Fault, Options};

/// Renders templates. Filters, functions and lookups can be added to it; nothing is shared between two of them.
pub struct Engine {
    environment: Environment<'static>,
}

impl Engine {
    /// An engine with all that Ansible brings.
    pub fn new(options: &Options) -> Engine {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(match options.strict {
            true => UndefinedBehavior::Strict,
            false => UndefinedBehavior::Chainable,
        });
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        Engine { environment }
    }

    /// The registry of filters, tests and functions, to add one's own; they go before those of the same name.
    pub fn environment_mut(&mut self) -> &mut Environment<'static> {
        &mut self.environment
    }

    /// Adds a lookup, for `lookup('name', ...)` and `query('name', ...)`.
    pub fn add_lookup(
        &mut self,
        name: &str,
        lookup: impl Fn(&State<'_, '_>, &[Value], &Kwargs) -> Result<Vec<Value>, Error> + Send + Sync + 'static,
    ) {
        let wanted = name.to_string();
        self.environment.add_function(
            "lookup",
            move |state: &State<'_, '_>, name: String, args: minijinja::value::Rest<Value>, options: Kwargs| {
                if name != wanted {
                    let detail = format!("lookup plugin ({name}) not found");
                    return Err(Error::new(minijinja::ErrorKind::UnknownFunction, detail));
                }
                let mut found = lookup(state, &args, &options)?;
                Ok(if found.len() == 1 { found.remove(0) } else { Value::from(found) })
            },
        );
    }

    /// Renders a template to a value: one that is a single expression keeps its type.
    pub fn render(&self, template: &str, variables: Value) -> Result<Value, Fault> {
        let template = template.trim();
        let inner = template.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
        if let Some(expression) = inner.filter(|inner| !inner.contains("{{"))
            && let Ok(expression) = self.environment.compile_expression(expression)
        {
            return expression.eval(variables).map_err(Fault::from);
        }
        self.environment.render_str(template, variables).map(Value::from).map_err(Fault::from)
    }

    /// Renders a file's template to text.
    pub fn render_text(&self, name: &str, template: &str, variables: Value) -> Result<String, Fault> {
        self.environment.render_named_str(name, template, variables).map_err(|error| {
            let source = Source::new(name, template);
            let start = source.offset(error.line().and_then(|line| u32::try_from(line).ok()).unwrap_or(1), 1);
            Fault::from(error).at(Some((source, Span { start, end: start })))
        })
    }
}
