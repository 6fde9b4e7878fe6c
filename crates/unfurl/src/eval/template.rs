//! Templates among values.

use std::sync::Arc;

use hieratic_jinja::is_template;
use hieratic_python_values as python;
use hieratic_value::Value;

use crate::datum::Datum;
use crate::error::ExpressionErrorKind;
use crate::host::Host;
use crate::scope::Scope;
use crate::session::Session;
use crate::{ExpressionError, template};

impl Session {
    /// Renders a template: a template that is one expression keeps its type.
    ///
    /// A template that fails is an error if evaluation is strict; otherwise the result is its message.
    pub(crate) fn template(&self, text: &str, scope: &Scope) -> Result<Datum, ExpressionError> {
        let text = python::strip(text);
        if !is_template(text) {
            return Ok(Datum::done(text));
        }
        self.deeper(|| {
            let shown = self.secrets();
            match template::render(&self.host()?, text, scope) {
                // A secret may be anywhere in the result of a template that has seen it.
                Ok(value) if self.secrets() > shown => self.secret(&value),
                Ok(value) => Ok(value),
                Err(error) if scope.strict || error.kind == ExpressionErrorKind::Limit => Err(error),
                Err(error) => Ok(Datum::done(error.message)),
            }
        })
    }

    /// Renders a template file to text.
    pub(crate) fn template_file(
        self: &Arc<Self>,
        name: &str,
        text: &str,
        scope: &Scope,
    ) -> Result<String, hieratic_jinja::TemplateError> {
        let host: Arc<dyn Host> = self.clone();
        template::render_text(&host, name, text, scope)
    }

    /// Calls a lookup of templates.
    pub(super) fn call_lookup(
        &self,
        name: &Value,
        arguments: Vec<Datum>,
        options: Vec<(Value, Datum)>,
        scope: &Scope,
    ) -> Result<Datum, ExpressionError> {
        template::call_lookup(&self.host()?, name, arguments, options, scope)
    }

    /// The session as templates keep it.
    fn host(&self) -> Result<Arc<dyn Host>, ExpressionError> {
        Ok(self.own()?)
    }
}
