//! What functions may ask of the evaluator.

use std::path::{Path, PathBuf};

use hieratic_functions::{Block, Fault, FileKind, Flow, Host, Level, Outcome, Site};
use hieratic_pcore::Type;
use hieratic_regexp::{Options, Regexp};
use hieratic_value::{Str, Value};

use super::Evaluator;
use crate::builtin;

/// How many patterns in strings are kept compiled.
const MOST_REGEXPS: usize = 500;

impl Host for Evaluator<'_> {
    fn call_block(&mut self, block: &Block, arguments: &[Value]) -> Outcome {
        self.run_block(block, arguments)
    }

    fn call_function(&mut self, name: &str, arguments: &[Value], block: Option<&Block>) -> Outcome {
        self.call_if_known(name, arguments, block)
            .unwrap_or_else(|| Err(Fault::new(format!("Unknown function '{name}'")).into()))
    }

    fn knows_function(&mut self, name: &str) -> bool {
        let name = name.strip_prefix("::").unwrap_or(name);
        builtin::find(name).is_some()
            || hieratic_functions::find(name).is_some()
            || matches!(self.user_function(name), Ok(Some(_)))
            || hieratic_stdlib::find(name).is_some()
    }

    fn resource(&mut self, kind: &str, title: &str) -> Option<Vec<(Str, Value)>> {
        self.catalog.get(kind, title).map(|resource| resource.attributes.clone())
    }

    fn new_instance(&mut self, kind: &Type, arguments: &[Value]) -> Outcome {
        hieratic_pcore::instantiate(kind, arguments).map_err(|error| Fault::new(error.to_string()).into())
    }

    fn regexp(&mut self, source: &str, options: Options) -> Result<Regexp, hieratic_regexp::Error> {
        let known = self.regexps.entry(options).or_default();
        if let Some(regexp) = known.get(source) {
            return Ok(regexp.clone());
        }
        let regexp = Regexp::with_options(source, options)?;
        // Code that makes its patterns as it goes would fill the table with what is used once.
        if known.len() >= MOST_REGEXPS {
            known.clear();
        }
        known.insert(source.into(), regexp.clone());
        Ok(regexp)
    }

    fn log(&mut self, level: Level, message: String) {
        self.say(level, message, None);
    }

    fn warn_once(&mut self, message: String) {
        self.say_once(Level::Warning, message);
    }

    fn variable(&mut self, name: &str) -> Result<Option<Value>, Flow> {
        if name.contains("::") { Ok(self.qualified_variable(name)) } else { self.local_variable(name) }
    }

    fn parse_type(&mut self, text: &str) -> Result<Type, Flow> {
        self.type_from_text(text)
    }

    fn find_file(&mut self, kind: FileKind, name: &str) -> Result<Option<PathBuf>, Flow> {
        let path = Path::new(name);
        if path.is_absolute() {
            return Ok(path.exists().then(|| path.to_owned()));
        }
        let Some((module, rest)) = name.split_once('/') else { return Ok(None) };
        let folder = match kind {
            FileKind::File => "files",
            FileKind::Template => "templates",
        };
        let found = self.environment.module(module).map(|root| root.join(folder).join(rest));
        Ok(found.filter(|path| path.exists()))
    }

    fn module_directory(&mut self, name: &str) -> Option<PathBuf> {
        self.environment.module(name)
    }

    fn read_file(&mut self, path: &Path) -> Result<Vec<u8>, Flow> {
        self.check_file(path)?;
        std::fs::read(path).map_err(|error| Fault::new(format!("Could not read '{}': {error}", path.display())).into())
    }

    fn run_program(&mut self, command: &[String]) -> Result<String, Flow> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(Fault::new("no program was given").into());
        };
        if !self.options.allow_programs {
            let mut fault = Fault::new(format!("running programs is not allowed, so '{program}' was not run"));
            fault.help = Some("allow it with --allow-programs".into());
            return Err(fault.into());
        }
        let failed =
            |reason: String| Flow::from(Fault::new(format!("Failed to execute generator {program}: {reason}")));
        let output = std::process::Command::new(program).args(arguments).output();
        let output = output.map_err(|error| failed(error.to_string()))?;
        if !output.status.success() {
            return Err(failed(output.status.to_string()));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn node_name(&self) -> String {
        self.options.node.clone()
    }

    fn site(&self) -> Site {
        self.site_at(self.at)
    }
}

impl Evaluator<'_> {
    /// Refuses files that do not belong to the environment, links out of it included.
    fn check_file(&self, path: &Path) -> Result<(), Flow> {
        if self.options.allow_files {
            return Ok(());
        }
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let inside = |root: PathBuf| root.canonicalize().is_ok_and(|root| real.starts_with(root));
        let allowed = self.environment.root().is_some_and(|root| inside(root.to_owned()))
            || self.environment.modules().iter().filter_map(|name| self.environment.module(name)).any(inside);
        if allowed {
            return Ok(());
        }
        let mut fault = Fault::new(format!("'{}' is outside of the environment, so it was not read", path.display()));
        fault.help = Some("allow it with --allow-files".into());
        Err(fault.into())
    }
}
