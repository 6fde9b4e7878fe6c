//! `lookup` and `query`: <https://docs.ansible.com/ansible/latest/plugins/lookup.html>.

mod files;
mod lists;

use std::collections::HashMap;

use hieratic_diagnostics::nearest;
use minijinja::{Error, ErrorKind, Value};

use crate::call::Args;
use crate::error::{Result, error, undefined};
use crate::eval::Context;
use crate::objects::List;
use crate::python::kind::truth;
use crate::python::{iterate, str};

/// A lookup of Ansible. Its arguments by position are the terms.
type Lookup = fn(&Context<'_>, Args) -> Result<Vec<Value>>;

/// Names and what they stand for.
type Table = &'static [(&'static str, Lookup)];

/// Lookups that would run programs or use the network.
const ABSENT: Table = &[
    ("lines", |_, _| Err(error("the lookup 'lines' is not supported: templates cannot run programs"))),
    ("pipe", |_, _| Err(error("the lookup 'pipe' is not supported: templates cannot run programs"))),
    ("url", |_, _| Err(error("the lookup 'url' is not supported: templates cannot use the network"))),
    ("password", |_, _| Err(error("the lookup 'password' is not supported: templates cannot write files"))),
    ("config", |_, _| Err(error("the lookup 'config' is not supported: there is no configuration of Ansible"))),
    ("unvault", |_, _| {
        Err(error(
            "the lookup 'unvault' is not supported: read the file with the lookup 'file' and use the filter unvault",
        ))
    }),
    ("inventory_hostnames", |_, _| {
        Err(error("the lookup 'inventory_hostnames' is not supported: there is no inventory"))
    }),
];

/// Lookups of variables.
const VARIABLES: Table = &[
    ("env", |context, mut args| {
        let default = args.take("default");
        args.only(&[])?;
        args.positional
            .iter()
            .map(|term| {
                let term = str(term)?;
                let name = term.split_whitespace().next().unwrap_or("");
                match (context.run.engine.env(name), &default) {
                    (Some(value), _) => Ok(Value::from(value)),
                    (None, Some(default)) => Ok(default.clone()),
                    (None, None) => Ok(Value::from("")),
                }
            })
            .collect()
    }),
    ("vars", |context, mut args| {
        let default = args.take("default");
        args.only(&[])?;
        args.positional
            .iter()
            .map(|term| {
                let Some(name) = term.as_str() else {
                    return Err(error(format!(
                        "Invalid setting identifier, \"{}\" is not a string, its a {}",
                        str(term)?,
                        crate::python::type_name(term)
                    )));
                };
                match (context.variable(name)?, &default) {
                    (Some(value), _) => Ok(value),
                    (None, Some(default)) => Ok(default.clone()),
                    (None, None) => Err(undefined(format!("No variable found with this name: {name}"))),
                }
            })
            .collect()
    }),
    ("varnames", |context, args| {
        args.only(&[])?;
        let names = context.scope().names()?;
        let mut found = Vec::new();
        for term in &args.positional {
            let regex = crate::filters::compile(&str(term)?, false, false)?;
            found.extend(
                names
                    .iter()
                    .filter(|name| regex.is_match(name).unwrap_or(false))
                    .map(|name| Value::from(name.as_str())),
            );
        }
        Ok(found)
    }),
];

/// Calls a lookup. For `query` the result is always a list; for `lookup` texts are joined by commas, and a single value
/// is itself.
pub fn call(context: &Context<'_>, mut args: Args, as_list: bool) -> Result<Value> {
    if args.positional.is_empty() {
        return Err(error("lookup() missing 1 required positional argument: 'name'"));
    }
    let name = str(&args.positional.remove(0))?;
    let as_list = as_list | args.take("wantlist").map_or(Ok(false), |wanted| truth(&wanted))?;
    args.take("allow_unsafe");
    let errors = args.take("errors").map_or(Ok("strict".to_string()), |errors| str(&errors))?;
    args.what = name.as_str().into();
    args.defined()?;
    let found = match run(context, &name, args) {
        Ok(found) => found,
        // Undefined variables and unknown lookups are errors whatever is said of errors.
        Err(error) if matches!(error.kind(), ErrorKind::UndefinedError | ErrorKind::UnknownFunction) => {
            return Err(error);
        }
        Err(_) if matches!(errors.as_str(), "ignore" | "warn") => {
            context.run.forgive();
            return Ok(if as_list { List::value(Vec::new()) } else { Value::from(()) });
        }
        Err(error) => return Err(error),
    };
    if as_list {
        return Ok(List::value(found));
    }
    let texts: Option<Vec<&str>> = found.iter().map(Value::as_str).collect();
    match (texts, found.as_slice()) {
        // Nothing is nothing, not the empty text.
        (_, []) => Ok(List::value(Vec::new())),
        (Some(texts), _) => Ok(Value::from(texts.join(","))),
        (None, [one]) => Ok(one.clone()),
        (None, _) => Ok(List::value(found)),
    }
}

fn run(context: &Context<'_>, name: &str, args: Args) -> Result<Vec<Value>> {
    let engine = context.run.engine;
    if let Some(lookup) = engine.lookups.get(name) {
        let options = crate::call::kwargs(args.named);
        return lookup(context.run.state, &args.positional, &options);
    }
    let name = name.strip_prefix("ansible.builtin.").unwrap_or(name);
    let known: HashMap<&str, Lookup> =
        [ABSENT, VARIABLES, lists::TABLE, files::TABLE].into_iter().flatten().copied().collect();
    match known.get(name) {
        Some(lookup) => lookup(context, args),
        None => {
            let names = known.keys().copied().chain(engine.lookups.keys().map(String::as_str));
            let meant = nearest(name, names).map(|meant| format!(" Did you mean '{meant}'?")).unwrap_or_default();
            Err(Error::new(ErrorKind::UnknownFunction, format!("lookup plugin ({name}) not found.{meant}")))
        }
    }
}

/// The terms with lists among them taken apart once.
fn flattened(terms: &[Value]) -> Result<Vec<Value>> {
    let mut out = Vec::new();
    for term in terms {
        match crate::python::kind::is_sequence(term) {
            true => out.extend(iterate(term)?),
            false => out.push(term.clone()),
        }
    }
    Ok(out)
}
