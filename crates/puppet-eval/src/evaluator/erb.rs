//! Templates in ERB: their text is rendered by Ruby.
//!
//! See [ERB](https://www.puppet.com/docs/puppet/8/lang_template_erb.html).

use std::sync::Arc;

use hieratic_diagnostics::Source;
use hieratic_puppet_functions::{EvalError, EvalErrorKind, FileKind, Flow, Host as _, Site};
use hieratic_ruby::{ErrorKind, RubyError};
use hieratic_value::Value;

use super::Evaluator;
use super::ruby::into_flow;
use crate::failure::Failure;

/// A template in a file.
#[derive(Clone, Debug)]
pub(crate) struct ErbFile {
    /// Its path for messages.
    shown: Arc<str>,
    text: Arc<str>,
}

impl Evaluator<'_> {
    /// Renders a template in a file.
    pub(crate) fn erb_file(&mut self, name: &str) -> Result<Arc<str>, Flow> {
        let ErbFile { shown, text } = self.erb_file_named(name)?;
        let rendered = self.deeper(|this| this.rendered(&text, &shown, Some(&shown)))?;
        let rendered = rendered.map_err(|error| {
            let described = |error: &RubyError| {
                format!(
                    "Failed to parse template {name}:\n  Filepath: {}\n  Line: {}\n  Detail: {}\n",
                    error.file, error.line, error.message
                )
            };
            into_flow(error, described)
        })?;
        self.budget.charge_bytes(rendered.len())?;
        Ok(rendered)
    }

    /// Reads a template in a file. A compilation is a snapshot, so it is read once.
    fn erb_file_named(&mut self, name: &str) -> Result<ErbFile, Flow> {
        if let Some(known) = self.prepared.erb_files.get(name) {
            return Ok(known.clone());
        }
        let Some(path) = self.find_file(FileKind::Template, name)? else {
            return Err(EvalError::new(format!("Could not find template '{name}'")).into());
        };
        let text = String::from_utf8(self.read_file(&path)?)
            .map_err(|_| EvalError::new(format!("the template '{name}' is not valid UTF-8")))?;
        let file = ErbFile { shown: path.display().to_string().into(), text: text.into() };
        // At a prompt, the user may be editing the file.
        if !self.prompting {
            self.prepared.erb_files.insert(name.into(), file.clone());
        }
        Ok(file)
    }

    /// Renders an inline template.
    pub(crate) fn erb_text(&mut self, text: &str) -> Result<Arc<str>, Flow> {
        let rendered = self.deeper(|this| this.rendered(text, "inline template", None))?;
        let rendered = rendered
            .map_err(|error| into_flow(error, |error| format!("Failed to parse inline template: {}", error.message)))?;
        self.budget.charge_bytes(rendered.len())?;
        Ok(rendered)
    }

    /// Renders a template outside of modules, with the variables of the top scope. Positions of errors refer to the
    /// template.
    ///
    /// # Errors
    /// The template is invalid, it raises an exception, or a limit is reached.
    pub fn render_erb(&mut self, name: &str, text: &str) -> Result<Value, Failure> {
        self.catalog.start();
        let rendered = self
            .deeper(|this| this.rendered(text, name, Some(name)))
            .and_then(|rendered| rendered.map_err(|error| at_line(error, name, text)));
        let rendered = rendered.and_then(|text| self.budget.charge_bytes(text.len()).map(|()| Value::String(text)));
        self.finish_program(rendered)
    }
}

/// Returns the error of an inline template that cannot be rendered, with its line as the position.
fn at_line(error: RubyError, name: &str, text: &str) -> Flow {
    let place = (&*error.file == name && error.line > 0).then(|| {
        let source = Some(Source::new(name, text));
        Site { file: Some(name.into()), line: error.line, column: 0, source }
    });
    let message = error.message.clone();
    let is_placed = place.is_some() && matches!(error.kind, ErrorKind::Syntax | ErrorKind::Refused);
    match into_flow(error, |error| error.message.clone()) {
        Flow::Error(mut error) => {
            if is_placed {
                error.message = message;
            }
            error.kind = EvalErrorKind::Rule;
            error.site = error.site.or(place);
            Flow::Error(error)
        }
        other => other,
    }
}
