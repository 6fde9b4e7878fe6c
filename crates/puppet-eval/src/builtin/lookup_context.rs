//! The functions of a `Puppet::LookupContext`, the argument of Hiera backend functions.
//!
//! See [custom backends](https://www.puppet.com/docs/puppet/8/hiera_custom_lookup_key.html). The caller of the backend
//! function implements them ([`LookupContext`]); this module checks arguments and runs blocks.

use std::path::Path;
use std::sync::LazyLock;

use hieratic_puppet_functions::{Block, Doc, EvalError, Host, Outcome};
use hieratic_value::{Hash, Value};

use super::{Builtin, LoadedBuiltin, Run, on};
use crate::environment::{EnvironmentRef, LookupContext};
use crate::evaluator::{Evaluator, FileTransform};

/// Their parameters have no names in messages.
static FUNCTIONS: &[(&str, Builtin)] = &[
    (
        "environment_name",
        Builtin::new(
            "function Puppet::LookupContext[environment_name]",
            Doc::new("The name of the environment."),
            &[on(&[])],
            &[name as Run],
        ),
    ),
    (
        "not_found",
        Builtin::new(
            "function Puppet::LookupContext[not_found]",
            Doc::new("Ends the function: the key is not found."),
            &[on(&[])],
            &[not_found as Run],
        ),
    ),
    (
        "explain",
        Builtin::new(
            "function Puppet::LookupContext[explain]",
            Doc::new("Adds a line to the explanation of the lookup."),
            &[on(&["&Callable[0,0] block"])],
            &[explain as Run],
        ),
    ),
    (
        "interpolate",
        Builtin::new(
            "function Puppet::LookupContext[interpolate]",
            Doc::new("The value with its interpolations replaced."),
            &[on(&["Any "])],
            &[interpolate as Run],
        ),
    ),
    (
        "cache",
        Builtin::new(
            "function Puppet::LookupContext[cache]",
            Doc::new("Keeps a value for later calls, and returns it."),
            &[on(&["Optional[Scalar] ", "Any "])],
            &[cache as Run],
        ),
    ),
    (
        "cache_all",
        Builtin::new(
            "function Puppet::LookupContext[cache_all]",
            Doc::new("Keeps the values of a hash for later calls."),
            &[on(&["Hash[Optional[Scalar],Any] "])],
            &[cache_all as Run],
        ),
    ),
    (
        "cache_has_key",
        Builtin::new(
            "function Puppet::LookupContext[cache_has_key]",
            Doc::new("Whether a value is kept under the key."),
            &[on(&["Optional[Scalar] "])],
            &[cache_has_key as Run],
        ),
    ),
    (
        "cached_value",
        Builtin::new(
            "function Puppet::LookupContext[cached_value]",
            Doc::new("The value that is kept under the key, or undef."),
            &[on(&["Optional[Scalar] "])],
            &[cached_value as Run],
        ),
    ),
    (
        "cached_entries",
        Builtin::new(
            "function Puppet::LookupContext[cached_entries]",
            Doc::new("Everything that is kept."),
            &[on(&["&Callable[1,1] block"]), on(&["&Callable[2,2] block"]), on(&[])],
            &[each_entry as Run, each_pair as Run, entries as Run],
        ),
    ),
    (
        "cached_file_data",
        Builtin::new(
            "function Puppet::LookupContext[cached_file_data]",
            Doc::new("The content of a file, or the result of a block for it."),
            &[on(&["String ", "&?Callable[1,1] block"])],
            &[file_data as Run],
        ),
    ),
];

/// Returns the method of a context.
pub(crate) fn method(name: &str) -> Option<&'static LoadedBuiltin> {
    static TABLE: LazyLock<Vec<(&str, LoadedBuiltin)>> =
        LazyLock::new(|| FUNCTIONS.iter().map(|(name, one)| (*name, LoadedBuiltin::new(one))).collect());
    TABLE.iter().find(|(known, _)| *known == name).map(|(_, function)| function)
}

fn context<'a>(environment: &'a EnvironmentRef<'_>) -> Result<&'a dyn LookupContext, EvalError> {
    let context = environment.lookup_context();
    context.ok_or_else(|| EvalError::new("the lookup that this context belongs to has ended"))
}

fn name(evaluator: &mut Evaluator<'_>, _: &[Value], _: Option<&Block>) -> Outcome {
    Ok(evaluator.environment.name().into())
}

fn not_found(evaluator: &mut Evaluator<'_>, _: &[Value], _: Option<&Block>) -> Outcome {
    context(&evaluator.environment)?.not_found();
    // Ends the program; its caller knows that this is not an error.
    Err(EvalError::new("the key is not found").into())
}

fn explain(evaluator: &mut Evaluator<'_>, _: &[Value], block: Option<&Block>) -> Outcome {
    let environment = evaluator.environment.clone();
    let context = context(&environment)?;
    if let Some(block) = block.filter(|_| context.explains()) {
        let text = evaluator.call_block(block, &[])?;
        context.explain(hieratic_puppet_functions::interpolated(&text));
    }
    Ok(Value::Undef)
}

fn interpolate(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    Ok(context(&evaluator.environment)?.interpolate(&arguments[0])?)
}

fn cache(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    context(&evaluator.environment)?.cache(arguments[0].clone(), arguments[1].clone());
    Ok(arguments[1].clone())
}

fn cache_all(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    let environment = evaluator.environment.clone();
    let context = context(&environment)?;
    for (key, value) in arguments[0].as_hash().unwrap_or(&Hash::default()) {
        context.cache(key.clone(), value.clone());
    }
    Ok(Value::Undef)
}

fn cache_has_key(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    Ok(context(&evaluator.environment)?.cached(&arguments[0]).is_some().into())
}

fn cached_value(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    Ok(context(&evaluator.environment)?.cached(&arguments[0]).unwrap_or_default())
}

fn pair((key, value): (Value, Value)) -> Value {
    vec![key, value].into()
}

fn entries(evaluator: &mut Evaluator<'_>, _: &[Value], _: Option<&Block>) -> Outcome {
    Ok(context(&evaluator.environment)?.all_cached().into_iter().map(pair).collect())
}

fn each_entry(evaluator: &mut Evaluator<'_>, _: &[Value], block: Option<&Block>) -> Outcome {
    for entry in context(&evaluator.environment)?.all_cached() {
        if let Some(block) = block {
            evaluator.call_block(block, &[pair(entry)])?;
        }
    }
    Ok(Value::Undef)
}

fn each_pair(evaluator: &mut Evaluator<'_>, _: &[Value], block: Option<&Block>) -> Outcome {
    for (key, value) in context(&evaluator.environment)?.all_cached() {
        if let Some(block) = block {
            evaluator.call_block(block, &[key, value])?;
        }
    }
    Ok(Value::Undef)
}

/// Returns the content of a file, or the result of a block for it. The result is cached until the file changes.
fn file_data(evaluator: &mut Evaluator<'_>, arguments: &[Value], block: Option<&Block>) -> Outcome {
    let environment = evaluator.environment.clone();
    let context = context(&environment)?;
    let path = arguments[0].to_text();
    let path = Path::new(&path);
    let by = FileTransform::from_block(block);
    if let Some(known) = context.file_data(path, &by) {
        return Ok(known);
    }
    let bytes = evaluator.read_file(path)?;
    let text = String::from_utf8(bytes).map_err(|_| EvalError::new(format!("{}: no valid UTF-8", path.display())))?;
    let data = match block {
        Some(block) => evaluator.call_block(block, &[text.into()])?,
        None => text.into(),
    };
    context.cache_file_data(path, by, &data);
    Ok(data)
}
