//! [`file`](https://www.puppet.com/docs/puppet/8/function.html#file),
//! [`find_file`](https://www.puppet.com/docs/puppet/8/function.html#find-file),
//! [`find_template`](https://www.puppet.com/docs/puppet/8/function.html#find-template),
//! [`binary_file`](https://www.puppet.com/docs/puppet/8/function.html#binary-file) and
//! [`module_directory`](https://www.puppet.com/docs/puppet/8/function.html#module-directory)

use std::path::{Path, PathBuf};

use hieratic_puppet_types::bytes_value;
use hieratic_value::{Rich, Value};

use crate::collections::joined;
use crate::{Call, Dispatch, Doc, EvalError, FileKind, Flow, Function, Outcome};

use super::legacy;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new(
        "file",
        Doc::new("The content of a file of a module.").example("file('web/motd')"),
        &[Dispatch::untyped(file)],
    ),
    Function::new(
        "find_file",
        Doc::new("The first file that is there, or undef.").example("find_file('web/motd')"),
        &[
            Dispatch::new(&["String *paths"], |call| find(call, FileKind::File, call.arguments)),
            Dispatch::new(&["Array[String] *paths_array"], |call| find_listed(call, FileKind::File)),
        ],
    ),
    Function::new(
        "find_template",
        Doc::new("The first template that is there, or undef.").example("find_template('web/conf.epp')"),
        &[
            Dispatch::new(&["String *paths"], |call| find(call, FileKind::Template, call.arguments)),
            Dispatch::new(&["Array[String] *paths_array"], |call| find_listed(call, FileKind::Template)),
        ],
    ),
    Function::new(
        "binary_file",
        Doc::new("The bytes of a file of a module.").example("binary_file('web/logo.png')"),
        &[Dispatch::new(&["String path"], binary_file)],
    ),
    Function::new(
        "module_directory",
        Doc::new("The folder of a module, or undef.").example("module_directory('web')"),
        &[
            Dispatch::new(&["String *names"], |call| Ok(directory(call, call.arguments))),
            Dispatch::new(&["Array[String] *names"], |call| Ok(directory(call, only_list(call, "module_directory")?))),
        ],
    ),
];

/// Returns the first existing file.
fn first(call: &mut Call<'_>, kind: FileKind, names: &[Value]) -> Result<Option<PathBuf>, Flow> {
    for name in names {
        let name = name.as_str().ok_or_else(|| EvalError::new(crate::ruby::not_a_string(name)))?;
        if let Some(found) = call.host.find_file(kind, name)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn find(call: &mut Call<'_>, kind: FileKind, names: &[Value]) -> Outcome {
    Ok(first(call, kind, names)?.map_or(Value::Undef, |found| path(&found)))
}

fn find_listed(call: &mut Call<'_>, kind: FileKind) -> Outcome {
    let names = only_list(call, if kind == FileKind::File { "find_file" } else { "find_template" })?;
    find(call, kind, names)
}

/// Returns the only array: the signature accepts several, but the function does not.
fn only_list<'a>(call: &Call<'a>, function: &str) -> Result<&'a [Value], Flow> {
    match call.arguments {
        [Value::Array(names)] => Ok(names),
        lists => {
            let message = format!("{function}(): wrong number of arguments (given {}, expected 1)", lists.len());
            Err(EvalError::new(message).into())
        }
    }
}

fn path(found: &Path) -> Value {
    Value::from(&*found.to_string_lossy())
}

fn file(call: &mut Call<'_>) -> Outcome {
    let names = legacy::arguments(call, "file", -2)?;
    let Some(found) = first(call, FileKind::File, &names)? else {
        return Err(EvalError::new(format!("Could not find any files from {}", joined(&names, ", "))).into());
    };
    let bytes = call.host.read_file(&found)?;
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Value::from(text),
        Err(error) => Value::from(Rich::Binary(error.into_bytes())),
    })
}

fn binary_file(call: &mut Call<'_>) -> Outcome {
    let name = call.text(0);
    match call.host.find_file(FileKind::File, &name)? {
        Some(found) => Ok(bytes_value(call.host.read_file(&found)?)),
        None => Err(EvalError::new(format!("binary_file(): The given file '{name}' does not exist")).into()),
    }
}

/// Returns the folder of the first existing module.
fn directory(call: &mut Call<'_>, names: &[Value]) -> Value {
    let mut names = names.iter().filter_map(Value::as_str);
    names.find_map(|name| call.host.module_directory(name)).map_or(Value::Undef, |found| path(&found))
}
