//! Templates among values.

use std::sync::Arc;

use hieratic_jinja::is_template;
use hieratic_pythonic as python;
use hieratic_value::Value;

use crate::datum::Datum;
use crate::fault::FaultKind;
use crate::host::Host;
use crate::scope::Scope;
use crate::session::Session;
use crate::{Fault, template};

impl Session {
    /// What a template gives: a template that is one expression keeps its type.
    ///
    /// A template that fails is a fault where evaluation is strict, otherwise it is the message.
    pub(crate) fn template(&self, text: &str, scope: &Scope) -> Result<Datum, Fault> {
        let text = python::strip(text);
        if !is_template(text) {
            return Ok(Datum::done(text));
        }
        self.deeper(|| {
            let shown = self.secrets();
            match template::render(&self.host()?, text, scope) {
                // Secrets may be anywhere in what a template makes of them.
                Ok(value) if self.secrets() > shown => self.secret(&value),
                Ok(value) => Ok(value),
                Err(fault) if scope.strict || fault.kind == FaultKind::Limit => Err(fault),
                Err(fault) => Ok(Datum::done(fault.message)),
            }
        })
    }

    /// The text that a template file prints.
    pub(crate) fn template_file(
        self: &Arc<Self>,
        name: &str,
        text: &str,
        scope: &Scope,
    ) -> Result<String, hieratic_jinja::Fault> {
        let host: Arc<dyn Host> = self.clone();
        template::render_text(&host, name, text, scope)
    }

    /// What a lookup of templates finds.
    pub(super) fn call_lookup(
        &self,
        name: &Value,
        arguments: Vec<Datum>,
        options: Vec<(Value, Datum)>,
        scope: &Scope,
    ) -> Result<Datum, Fault> {
        template::call_lookup(&self.host()?, name, arguments, options, scope)
    }

    /// The session as templates keep it.
    fn host(&self) -> Result<Arc<dyn Host>, Fault> {
        Ok(self.own()?)
    }
}
