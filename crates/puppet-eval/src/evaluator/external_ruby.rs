//! Runs unsupported Ruby code in an installed Ruby, if the user names one.

use std::sync::Arc;

use hieratic_puppet_functions::{Block, EvalError, Flow};
use hieratic_ruby::{ErrorKind, ExternalRuby, Ruby, RubyError};
use hieratic_value::collections::HashSet;

use super::Evaluator;
use super::ruby::RubyHost;

/// The external Ruby process, once it runs.
#[derive(Debug, Default)]
pub(super) struct ExternalRubies {
    running: Option<Arc<ExternalRuby>>,
    /// The files and templates that only the external Ruby can run.
    only: HashSet<String>,
}

/// Returns whether an error may be due to a method or library that Ruby has and this interpreter does not support.
fn may_work_in_external_ruby(error: &RubyError) -> bool {
    match &error.kind {
        ErrorKind::Refused | ErrorKind::Syntax => true,
        ErrorKind::Raised { class, .. } => {
            matches!(class.as_str(), "NoMethodError" | "NameError" | "LoadError" | "NotImplementedError")
        }
        ErrorKind::Exhausted(_) | ErrorKind::Host(_) => false,
    }
}

impl<'e> Evaluator<'e> {
    /// Runs code of a file with the built-in interpreter, or in the external Ruby if that fails.
    pub(super) fn run_or_retry_externally<T>(
        &mut self,
        file: &str,
        blocks: &[Block],
        here: impl FnOnce(&mut Ruby, &mut RubyHost<'_, 'e>) -> Result<T, RubyError>,
        there: impl FnOnce(&ExternalRuby, &mut Ruby, &mut RubyHost<'_, 'e>) -> Result<T, RubyError>,
    ) -> Result<Result<T, RubyError>, Flow> {
        if self.options.ruby.is_none() {
            return Ok(self.with_ruby(blocks.to_vec(), here));
        }
        if !self.rubies.real.only.contains(file) {
            let before = self.side_effect_counts();
            let error = match self.with_ruby(blocks.to_vec(), here) {
                Err(error) if may_work_in_external_ruby(&error) => error,
                other => return Ok(other),
            };
            if self.side_effect_counts() != before {
                let message = format!(
                    "{}; it has declared resources or set variables before, so it was not run again in another Ruby",
                    error.message
                );
                return Ok(Err(RubyError { message, ..error }));
            }
            self.rubies.real.only.insert(file.to_owned());
        }
        self.mark_impure();
        self.scopes.reads.refuse();
        let real = self.real_ruby()?;
        Ok(self.with_ruby(blocks.to_vec(), |ruby, host| there(&real, ruby, host)))
    }

    /// Renders a template.
    pub(super) fn rendered(
        &mut self,
        text: &str,
        name: &str,
        path: Option<&str>,
    ) -> Result<Result<Arc<str>, RubyError>, Flow> {
        self.run_or_retry_externally(
            path.unwrap_or(text),
            &[],
            |ruby, host| ruby.render(host, text, name, path),
            |real, ruby, host| real.render(host, ruby, text, name, path),
        )
    }

    /// Returns counters of side effects that a second run would see.
    fn side_effect_counts(&self) -> (usize, usize) {
        (self.catalog.count(), self.scopes.count_variables())
    }

    /// Returns the external Ruby, which is started if needed.
    fn real_ruby(&mut self) -> Result<Arc<ExternalRuby>, Flow> {
        if let Some(running) = &self.rubies.real.running {
            return Ok(running.clone());
        }
        let program = self.options.ruby.clone().unwrap_or_default();
        let shown = program.display();
        let Some(command) = self.options.programs.command(&program) else {
            let mut error = EvalError::new(format!("running programs is not allowed, so '{shown}' was not run"));
            error.help = Some("allow it with --allow-programs".into());
            return Err(error.into());
        };
        let started = ExternalRuby::start(command).map_err(|reason| {
            EvalError::new(format!("the program of --ruby, '{shown}', cannot be started: {reason}"))
        })?;
        let running = Arc::new(started);
        self.rubies.real.running = Some(running.clone());
        Ok(running)
    }
}
