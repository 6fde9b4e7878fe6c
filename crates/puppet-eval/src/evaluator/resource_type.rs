//! Native resource types: from `puppet generate types`, from the Ruby code of a module, or built into the agent.

use std::sync::Arc;

use hieratic_puppet_functions::{EvalError, Flow, Level};
use hieratic_ruby::ErrorKind;
use hieratic_value::Str;

use super::Evaluator;
use super::ruby::{in_file, into_flow};
use crate::failure::Failure;
use crate::native_types::{self, AllowedValues, DeclaredAttribute, ModuleType, NativeType};

impl Evaluator<'_> {
    /// Returns the native type of a lower-case name, if there is one.
    pub(crate) fn native_kind(&mut self, name: &str) -> Result<Option<NativeType>, Flow> {
        if let Some(known) = self.catalog.known_kind(name) {
            return Ok(known);
        }
        let found = self.find_native_kind(name)?;
        self.catalog.keep_kind(name, found.clone());
        Ok(found)
    }

    /// Returns the attributes of a native type of a module or of the agent, without the metaparameters. Returns `None`
    /// if the type does not exist.
    ///
    /// # Errors
    /// The Ruby code of the type cannot be read.
    pub fn attributes_of_resource_type(&mut self, name: &str) -> Result<Option<Vec<String>>, Failure> {
        self.options = self.options.renewed();
        self.budget.renew(self.options.budget.clone());
        match self.native_kind(name) {
            Ok(kind) => Ok(kind.map(|kind| kind.attributes().map(str::to_owned).collect())),
            Err(Flow::Error(error)) => Err(Failure::from(*error)),
            // Nothing else leaves the description of a type.
            Err(_) => Ok(None),
        }
    }

    /// Returns the values that attributes of a resource type in Ruby allow, by attribute. Attributes that allow any
    /// value, or whose values are checked by code, are left out.
    pub fn allowed_values_of_resource_type(&mut self, name: &str) -> Vec<(Str, Arc<AllowedValues>)> {
        match self.native_kind(name) {
            Ok(Some(NativeType::Module(kind))) => kind.allowed.clone(),
            // The agent's types are described elsewhere. One that cannot be read is not judged.
            _ => Vec::new(),
        }
    }

    /// Returns the attribute that has the title of a resource of a type in Ruby as its value; `None` if there are several,
    /// or if a pattern divides the title.
    pub fn name_attribute_of_resource_type(&mut self, name: &str) -> Option<Str> {
        match self.native_kind(name) {
            Ok(Some(NativeType::Module(kind))) => kind.name_attribute(),
            // The agent's types are described elsewhere. One that cannot be read is not judged.
            _ => None,
        }
    }

    /// Returns what a type of the Resource API declares of its attributes, by attribute.
    pub fn declared_attributes_of_resource_type(&mut self, name: &str) -> Vec<(Str, Arc<DeclaredAttribute>)> {
        match self.native_kind(name) {
            Ok(Some(NativeType::Module(kind))) => kind.declared.clone(),
            // No type of the agent is one. One that cannot be read is not judged.
            _ => Vec::new(),
        }
    }

    fn find_native_kind(&mut self, name: &str) -> Result<Option<NativeType>, Flow> {
        // Native types have names without a module.
        if name.is_empty() || !name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
            return Ok(None);
        }
        if let Some(kind) = self.written_kind(name)? {
            return Ok(Some(kind));
        }
        let Some(path) = self.ruby_files().kind(name) else { return Ok(native_types::find(name)) };
        match self.kind_in_ruby(name, &path) {
            Ok(found) => Ok(found.or_else(|| native_types::find(name))),
            // A built-in type of the agent is a fallback for a module's type.
            Err((_, true)) if native_types::find(name).is_some() => Ok(native_types::find(name)),
            Err((flow, _)) => Err(flow),
        }
    }

    /// Returns the type that `puppet generate types` has written.
    fn written_kind(&mut self, name: &str) -> Result<Option<NativeType>, Flow> {
        let Some(root) = self.environment.root() else { return Ok(None) };
        let path = root.join(".resource_types").join(format!("{name}.pp"));
        if !self.has_written_kinds() || !self.options.files.is_file(&path) {
            return Ok(None);
        }
        let Some(file) = self.environment.code(&path, &self.options) else { return Ok(None) };
        let program = file.program().map_err(Failure::to_error)?;
        match ModuleType::written(program) {
            Some(kind) => Ok(Some(NativeType::Module(Arc::new(kind)))),
            None => {
                let message = format!(
                    "The code loaded from {} does not describe the resource type '{name}' as 'puppet generate types' does",
                    path.display()
                );
                Err(EvalError::new(message).into())
            }
        }
    }

    /// Returns the type that a file of a module describes; an error includes whether it may be ignored.
    fn kind_in_ruby(&mut self, name: &str, path: &std::path::Path) -> Result<Option<NativeType>, (Flow, bool)> {
        let fatal = |flow: Flow| (flow, false);
        let source = String::from_utf8_lossy(&self.read_code(path).map_err(fatal)?).into_owned();
        let shown = path.display().to_string();
        let declared = self
            .deeper(|this| Ok(this.with_ruby(Vec::new(), |ruby, host| ruby.resource_type(host, name, &source, &shown))))
            .map_err(fatal)?;
        let declared = declared.map_err(|error| {
            let passed_over = matches!(error.kind, ErrorKind::Raised { .. } | ErrorKind::Refused);
            let flow = into_flow(error, |error| match &error.message {
                // The error is reported where the type is used.
                message if message.starts_with("you must specify title patterns") => message.clone(),
                _ => format!("Could not autoload puppet/type/{name}: {}", in_file(error)),
            });
            (flow, passed_over)
        })?;
        let Some(declared) = declared else {
            let message = format!("Loaded puppet/type/{name} but no class was created");
            self.log_without_scope(Level::Warning, message);
            return Ok(None);
        };
        let provided = self.ruby_files().provides(name);
        let kind = ModuleType::from_declaration(&declared, provided)
            .map_err(|message| fatal(EvalError::new(message).into()))?;
        Ok(Some(NativeType::Module(Arc::new(kind))))
    }
}
