//! Functions of modules as back ends of Hiera: `data_hash`, `lookup_key` and `data_dig` written in the Puppet language.
//!
//! Hiera asks through its trait [`DataFunctions`] and knows nothing of the language; the language asks back through its
//! traits [`Environment`](puppet::Environment) and [`LookupContext`]. [`Run`] is one call, and stands between both.
//! See <https://www.puppet.com/docs/puppet/8/hiera_custom_backends.html>.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

use hieratic_functions::Level;
use hieratic_hiera::{
    DataAnswer, DataCall, DataContext, DataFunctions, Error, ErrorKind, FunctionKind, Layers, Place, Query, Segment,
    Strategy, Strictness, Warning,
};
use hieratic_pcore::{Type, lookup_context};
use hieratic_puppet::{
    self as puppet, DataFailure, Evaluator, Failure, LookupContext, Options, Request, Unanswered, Variables,
};
use hieratic_value::{Hash, Value};
use rustc_hash::FxHashMap;

/// What keys and values of data are.
static DATA: LazyLock<Type> = LazyLock::new(|| known("RichData"));
static HASH_OF_DATA: LazyLock<Type> = LazyLock::new(|| known("Hash[RichDataKey, RichData]"));

fn known(name: &str) -> Type {
    // Both are constants of this file, which a test reads.
    hieratic_pcore::parse(name).unwrap_or(Type::Any)
}

/// The functions of an environment and its modules.
#[derive(Debug)]
pub(crate) struct ModuleFunctions {
    layers: Layers,
    settings: Hash,
    strict: Strictness,
    /// What was made of files (`cached_file_data`), with what the file was like.
    files: Mutex<FxHashMap<PathBuf, (Stamp, Value)>>,
}

type Stamp = (Option<SystemTime>, u64);

impl ModuleFunctions {
    pub(crate) fn new(layers: Layers, settings: Hash, strict: Strictness) -> ModuleFunctions {
        ModuleFunctions { layers, settings, strict, files: Mutex::default() }
    }

    fn options(&self, scope: &hieratic_hiera::Scope) -> Options {
        let node = scope.variable("trusted").and_then(|trusted| trusted.as_hash()?.get("certname")?.as_str());
        Options {
            strict: match self.strict {
                Strictness::Off => puppet::Strict::Off,
                Strictness::Warning => puppet::Strict::Warning,
                Strictness::Error => puppet::Strict::Error,
            },
            environment: self.layers.environment.name.to_string(),
            node: node.unwrap_or("localhost").to_owned(),
            ..Options::default()
        }
    }

    /// Why there is no such function, where that can be told.
    fn help(&self, name: &str) -> Option<String> {
        let Some((module, rest)) = name.split_once("::") else {
            return Some(format!(
                "a back end of your own is a function of a module (mymodule::{name}), or an executable that a \
                 hieratic.yaml beside hiera.yaml names"
            ));
        };
        let (root, file) = match module {
            "environment" => (&self.layers.environment.root, "functions/environment"),
            _ => match self.layers.modules.get(module) {
                Some(module) => (&module.root, "functions"),
                None => return Some(format!("there is no module '{module}' on the module path")),
            },
        };
        let path = rest.replace("::", "/");
        let ruby = root.join(format!("lib/puppet/functions/{module}/{path}.rb"));
        Some(match ruby.is_file() {
            true => format!(
                "{} is written in Ruby, which cannot be run here: call it from an executable that a hieratic.yaml \
                 beside hiera.yaml names",
                ruby.display()
            ),
            false => format!("the function belongs in {}", root.join(format!("{file}/{path}.pp")).display()),
        })
    }
}

impl DataFunctions for ModuleFunctions {
    fn call(&self, call: &DataCall<'_>, context: &mut dyn DataContext) -> Result<DataAnswer, Error> {
        let context_value = lookup_context(context.module());
        let variables: Vec<(String, Value)> = {
            let scope = context.scope();
            let value = |name: &str| scope.variable(name).cloned().unwrap_or_default();
            scope.names().map(|name| (name.to_string(), value(name))).collect()
        };
        let options = self.options(context.scope());
        let run = Run { functions: self, context: RefCell::new(context), not_found: Cell::new(false) };
        let mut evaluator = Evaluator::new(&run, options);
        for (name, value) in variables {
            evaluator.set_variable(&name, value);
        }
        evaluator.set_settings(self.settings.clone());
        let mut arguments = vec![call.options.clone().into(), context_value];
        match (call.kind, call.key) {
            (FunctionKind::LookupKey, Some(key)) => arguments.insert(0, Value::String(key.root().clone())),
            (FunctionKind::DataDig, Some(key)) => {
                let root = Value::String(key.root().clone());
                let segments = std::iter::once(root).chain(key.segments().iter().map(Segment::to_value));
                arguments.insert(0, segments.collect());
            }
            _ => {}
        }
        let returns = if call.kind == FunctionKind::DataHash { &HASH_OF_DATA } else { &DATA };
        let subject = format!("Return type of '{}' function named '{}'", call.kind.name(), call.function);
        let outcome = evaluator.call_data_function(call.function, &arguments, &subject, returns);
        for log in evaluator.take_logs() {
            if log.level >= Level::Warning {
                let text = log.text();
                let text = if log.source.is_empty() { text } else { format!("{}: {text}", log.source) };
                run.context.borrow_mut().warn(Warning::plain(text));
            }
        }
        match outcome {
            _ if run.not_found.get() => Ok(DataAnswer::NotFound),
            Ok(Some(value)) => Ok(DataAnswer::Found(value)),
            Ok(None) => Ok(DataAnswer::NoFunction(self.help(call.function))),
            Err(DataFailure::Arguments(failure)) => Err(refused(&failure, ErrorKind::Fatal)),
            Err(DataFailure::Other(failure)) => Err(refused(&failure, ErrorKind::Puppet)),
        }
    }
}

fn refused(failure: &Failure, kind: ErrorKind) -> Error {
    let site = &failure.site;
    let number = |number: u32| Some(number).filter(|number| *number > 0);
    let error = Error::new(kind, "function", format!("{}{}", failure.message, failure.place_text()));
    let error = match &site.file {
        Some(file) => {
            error.at(Place { file: Path::new(&**file).into(), line: number(site.line), column: number(site.column) })
        }
        None => error,
    };
    match &failure.help {
        Some(help) => error.help(help),
        None => error,
    }
}

/// One call of a function.
struct Run<'c> {
    functions: &'c ModuleFunctions,
    /// Lent to one question at a time: whoever is asked comes back before the next.
    context: RefCell<&'c mut dyn DataContext>,
    not_found: Cell<bool>,
}

impl puppet::Environment for Run<'_> {
    fn name(&self) -> &str {
        &self.functions.layers.environment.name
    }

    fn root(&self) -> Option<&Path> {
        Some(&self.functions.layers.environment.root)
    }

    fn module(&self, name: &str) -> Option<PathBuf> {
        self.functions.layers.modules.get(name).map(|module| module.root.clone())
    }

    fn modules(&self) -> Vec<String> {
        self.functions.layers.modules.keys().map(|name| name.to_string()).collect()
    }

    fn reads(&self, file: &Path) {
        self.context.borrow_mut().depends_on(file);
    }

    fn lookup_context(&self) -> Option<&dyn LookupContext> {
        Some(self)
    }

    fn lookup(&self, request: &Request, _: &Variables) -> Result<Value, Unanswered> {
        let failed = |error: &Error| Unanswered {
            message: error.to_string(),
            missing: error.code() == hieratic_hiera::Node::NOT_FOUND,
        };
        let merge = request.merge.as_ref().map(Strategy::parse).transpose().map_err(|error| failed(&error))?;
        let query = Query {
            names: request.names.iter().map(String::as_str).collect(),
            merge,
            value_type: request.kind.clone(),
            default: request.default.clone(),
            overrides: request.overrides.clone(),
            default_values: request.default_values.clone(),
            ..Query::default()
        };
        self.context.borrow_mut().lookup(&query).map_err(|error| failed(&error))
    }
}

impl LookupContext for Run<'_> {
    fn not_found(&self) {
        self.not_found.set(true);
    }

    fn explains(&self) -> bool {
        self.context.borrow().explains()
    }

    fn explain(&self, text: String) {
        self.context.borrow_mut().explain(text);
    }

    fn interpolate(&self, value: &Value) -> Result<Value, String> {
        self.context.borrow_mut().interpolate(value).map_err(|error| error.to_string())
    }

    fn keep(&self, key: Value, value: Value) {
        self.context.borrow().cache().put(key, value);
    }

    fn kept(&self, key: &Value) -> Option<Value> {
        self.context.borrow().cache().get(key)
    }

    fn all_kept(&self) -> Vec<(Value, Value)> {
        self.context.borrow().cache().entries()
    }

    fn file_data(&self, file: &Path) -> Option<Value> {
        self.context.borrow_mut().depends_on(file);
        let stamp = stamp(file)?;
        let files = self.functions.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.get(file).filter(|(then, _)| *then == stamp).map(|(_, value)| value.clone())
    }

    fn keep_file_data(&self, file: &Path, data: &Value) {
        let Some(stamp) = stamp(file) else { return };
        let mut files = self.functions.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.insert(file.to_path_buf(), (stamp, data.clone()));
    }
}

fn stamp(file: &Path) -> Option<Stamp> {
    let data = std::fs::metadata(file).ok()?;
    Some((data.modified().ok(), data.len()))
}

/// The functions of an environment as Hiera takes them.
pub(crate) fn functions_of(layers: &Layers, settings: &Hash, strict: Strictness) -> Arc<dyn DataFunctions> {
    Arc::new(ModuleFunctions::new(layers.clone(), settings.clone(), strict))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_types_of_answers_are_well_formed() {
        assert_ne!(*super::DATA, hieratic_pcore::Type::Any);
        assert_ne!(*super::HASH_OF_DATA, hieratic_pcore::Type::Any);
    }
}
