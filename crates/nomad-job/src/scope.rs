//! The scope of the expressions of a job file: Nomad's functions, `var`, `local`, and text for every other name.

use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_hcl_eval::{Context, Functions, Problems, Severity, Source, Template, Undefined, UndefinedHook};
use hieratic_hcl_functions::{Files, functions};
use hieratic_hcl_types::{CallError, Function, Parameter, Type, Value};

use crate::{Options, undefined};

/// The functions of a job file.
pub(crate) struct Tables {
    /// For the job and its locals.
    pub(crate) all: Functions,
    /// For the conditions of variables, which read no files.
    pub(crate) without_files: Functions,
}

impl Tables {
    /// The functions of Nomad and of the options.
    pub(crate) fn new(options: &Options) -> Self {
        let mut all = table(files(options));
        if options.extensions
            && let Some((_, read)) = functions(files(options)).into_iter().find(|(name, _)| *name == "file")
        {
            all.add("templatefile", template_file(read, all.clone()));
        }
        for (name, function) in &options.functions {
            all.add(name.as_str(), function.clone());
        }
        if let Some(observer) = &options.observer {
            all = all.with_observer(observer.clone());
        }
        Self { all, without_files: table(None) }
    }
}

/// The files that functions may read.
fn files(options: &Options) -> Option<Files> {
    let mut files = Files::new(options.folder.as_ref()?.display().to_string());
    if let Some(reach) = &options.reach {
        files = files.reading(reach.clone());
    }
    if let Some(beside) = &options.beside {
        files = files.beside(beside.display().to_string());
    }
    let home = options.environment.iter().find(|(name, home)| name == "HOME" && !home.is_empty());
    Some(files.outside(options.outside).home(home.map(|(_, home)| home.clone())))
}

fn table(files: Option<Files>) -> Functions {
    let mut table = Functions::new().with_expression_functions();
    for (name, function) in functions(files) {
        table.add(name, function);
    }
    table
}

/// `templatefile(path, variables)`: renders a file as a template with these variables, and with all functions except
/// itself. The reference does not have this function.
fn template_file(read: Arc<Function>, functions: Functions) -> Function {
    let parameters = vec![Parameter::new("path", Type::String), Parameter::new("vars", Type::Dynamic)];
    Function::with_budget(parameters, Type::Dynamic, move |budget, arguments| {
        let [path, variables] = arguments else { return Ok(Value::DYNAMIC) };
        let Some(variables) = variables.as_entries() else {
            return Err(CallError::argument(1, "an object or a map is required"));
        };
        let text = read.call_with_budget(budget, std::slice::from_ref(path))?;
        let template = Template::parse(path.as_str().unwrap_or_default(), text.as_str().unwrap_or_default());
        let context =
            Context::new().with_budget(budget).with_variables(variables.iter().cloned()).with_functions(&functions);
        let (value, problems) = if template.problems().has_errors() {
            (Value::DYNAMIC, template.problems().clone())
        } else {
            template.value(&context)
        };
        match problems.iter().find(|problem| problem.severity == Severity::Error) {
            Some(first) => Err(CallError::argument(0, first.to_string())),
            None => Ok(value),
        }
    })
}

/// Evaluates an undefined reference to its text in the job file.
pub(crate) fn as_written(source: &Source) -> impl Fn(Undefined<'_>) -> (Value, Problems) + '_ {
    |undefined| {
        // A template in a string of JSON is a separate source within the file.
        let offset = undefined.source.first_byte();
        let [start, end] = [undefined.span.start, undefined.span.end].map(|at| (offset + at) as usize);
        (Value::string(&*undefined::text(source.bytes(), start, end)), Problems::default())
    }
}

/// The context of the job's expressions.
pub(crate) fn context<'c>(
    functions: &'c Functions,
    undefined: &'c UndefinedHook<'c>,
    variables: Value,
    locals: Value,
    budget: &'c Budget,
) -> Context<'c> {
    Context::new()
        .with_budget(budget)
        .with_variables([("var".into(), variables), ("local".into(), locals)])
        .with_functions(functions)
        .with_undefined(undefined)
}
