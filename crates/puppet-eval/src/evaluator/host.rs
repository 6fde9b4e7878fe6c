//! The services of the evaluator for functions.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hieratic_budget::Budget;
use hieratic_puppet_functions::{Block, EvalError, FileKind, Flow, Host, Level, Outcome, Site};
use hieratic_puppet_types::{PuppetVersion, Strict, Type};
use hieratic_ruby_regexp::{Options, Regexp};
use hieratic_sandbox::{Denied, DeniedReason};
use hieratic_value::{Str, Value};

use super::Evaluator;
use crate::builtin;
use crate::catalog::{Resource, Source};

/// The minimum memory of a compiled pattern, in bytes.
const PATTERN: usize = 8 << 10;

impl Host for Evaluator<'_> {
    fn call_block(&mut self, block: &Block, arguments: &[Value]) -> Outcome {
        self.run_block(block, arguments)
    }

    fn call_function(&mut self, name: &str, arguments: &[Value], block: Option<&Block>) -> Outcome {
        self.call_if_known(name, arguments, block)
            .unwrap_or_else(|| Err(EvalError::new(format!("Unknown function '{name}'")).into()))
    }

    fn knows_function(&mut self, name: &str) -> bool {
        let name = name.strip_prefix("::").unwrap_or(name);
        builtin::find(name).is_some()
            || hieratic_puppet_functions::find(name).is_some()
            || matches!(self.user_function(name), Ok(Some(_)))
            || hieratic_puppet_stdlib::find(name).is_some()
            || matches!(self.ruby_function(name), Ok(Some(_)))
    }

    fn resource(&mut self, kind: &str, title: &str) -> Option<Vec<(Str, Value)>> {
        self.catalog.get(kind, title).map(Resource::values)
    }

    fn new_instance(&mut self, kind: &Type, arguments: &[Value]) -> Outcome {
        hieratic_puppet_types::instantiate(kind, arguments).map_err(|error| EvalError::new(error.to_string()).into())
    }

    fn regexp(&mut self, source: &str, options: Options) -> Result<Regexp, hieratic_ruby_regexp::Error> {
        if let Some(regexp) = self.prepared.regexps.get(source, options) {
            return Ok(regexp);
        }
        let regexp = Regexp::with_options(source, options)?;
        // A compiled pattern is many times larger than its source, and takes time to compile.
        if self.budget.charge_bytes_later(PATTERN + source.len().saturating_mul(64))
            && let Err(Flow::Error(_)) = self.budget.charge_steps(PATTERN as u64 / 8)
        {
            self.budget.charge_bytes_later(usize::MAX);
        }
        self.prepared.regexps.keep(&regexp);
        Ok(regexp)
    }

    fn puppet_version(&self) -> PuppetVersion {
        self.options.version
    }

    fn strict(&self) -> Strict {
        self.options.strict
    }

    fn budget(&self) -> &Budget {
        self.budget.whole()
    }

    fn log(&mut self, level: Level, message: String) {
        self.log_message(level, message, None);
    }

    fn warn_once(&mut self, message: String) {
        self.log_once(Level::Warning, message);
    }

    fn variable(&mut self, name: &str) -> Result<Option<Value>, Flow> {
        if name.contains("::") { Ok(self.scopes.qualified_variable(name)) } else { self.scopes.local_variable(name) }
    }

    fn parse_type(&mut self, text: &str) -> Result<Type, Flow> {
        self.type_from_text(text)
    }

    fn find_file(&mut self, kind: FileKind, name: &str) -> Result<Option<PathBuf>, Flow> {
        let path = Path::new(name);
        if path.is_absolute() {
            return Ok(self.file_exists(path)?.then(|| path.to_owned()));
        }
        let Some((module, rest)) = name.split_once('/') else { return Ok(None) };
        let folder = match kind {
            FileKind::File => "files",
            FileKind::Template => "templates",
        };
        let found = self.environment.module(module).map(|root| root.join(folder).join(rest));
        match found {
            Some(path) => Ok(self.file_exists(&path)?.then_some(path)),
            None => Ok(None),
        }
    }

    fn module_directory(&mut self, name: &str) -> Option<PathBuf> {
        self.environment.module(name)
    }

    fn read_file(&mut self, path: &Path) -> Result<Vec<u8>, Flow> {
        let bytes = self.options.files.read(path).map_err(|error| self.unread(path, &error))?;
        self.budget.charge_bytes(bytes.len())?;
        Ok(bytes)
    }

    fn cached_file_result(&mut self, reader: &'static str, path: &Path, text: &str) -> Option<Value> {
        self.environment.cached_file_result(reader, path, text)
    }

    fn cache_file_result(&mut self, reader: &'static str, path: &Path, text: String, value: &Value) {
        self.environment.cache_file_result(reader, path, text, value);
    }

    fn file_exists(&mut self, path: &Path) -> Result<bool, Flow> {
        match self.options.files.check(path) {
            Ok(()) => Ok(true),
            Err(error) if Denied::from_error(&error).is_some() => Err(self.unread(path, &error)),
            Err(_) => Ok(false),
        }
    }

    fn run_program(&mut self, command: &[String]) -> Result<String, Flow> {
        self.scopes.reads.refuse();
        let Some((program, arguments)) = command.split_first() else {
            return Err(EvalError::new("no program was given").into());
        };
        let Some(mut allowed) = self.options.programs.command(program) else {
            let mut error = EvalError::new(format!("running programs is not allowed, so '{program}' was not run"));
            error.help = Some("allow it with --allow-programs".into());
            return Err(error.into());
        };
        allowed.args(arguments);
        let largest = self.options.files.largest();
        let output = self.environment.program_output(command, Box::new(move || output_of(allowed, largest)));
        let output = output
            .map_err(|reason| Flow::from(EvalError::new(format!("Failed to execute generator {program}: {reason}"))))?;
        self.budget.charge_bytes(output.len())?;
        Ok(output)
    }

    fn node_name(&self) -> String {
        self.node().to_owned()
    }

    fn definition(&self) -> Option<(&'static str, String)> {
        match &self.scopes.current().source {
            Source::Class(name) => Some(("Class", name.to_string())),
            Source::Define(name) => Some(("Definition", name.to_string())),
            Source::Nobody | Source::Main | Source::Node(_) => None,
        }
    }

    fn site(&self) -> Site {
        self.calls.site()
    }
}

impl Evaluator<'_> {
    /// Returns the error for a file that was not read.
    fn unread(&self, path: &Path, error: &io::Error) -> Flow {
        let path = path.display();
        let Some(denied) = Denied::from_error(error) else {
            return EvalError::new(format!("Could not read '{path}': {error}")).into();
        };
        let mut error = match denied.reason() {
            DeniedReason::Outside { .. } => {
                EvalError::new(format!("'{path}' is outside of the environment, so it was not read"))
            }
            _ => EvalError::new(format!("Could not read '{path}': {denied}")),
        };
        error.help = Some(denied.help().into());
        error.into()
    }
}

/// Runs a program and returns its output, up to the maximum file size, or the reason why there is none.
fn output_of(mut command: Command, largest: u64) -> Result<String, String> {
    let to_message = |error: io::Error| error.to_string();
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().map_err(to_message)?;
    let mut output = Vec::new();
    if let Some(pipe) = child.stdout.take() {
        let read = pipe.take(largest + 1).read_to_end(&mut output);
        if output.len() as u64 > largest {
            // Closing the pipe ends a program that writes more; others must be killed.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("it prints more than {largest} bytes"));
        }
        read.map_err(to_message)?;
    }
    let status = child.wait().map_err(to_message)?;
    if !status.success() {
        return Err(status.to_string());
    }
    Ok(String::from_utf8_lossy(&output).into_owned())
}
