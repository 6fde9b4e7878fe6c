//! Lookups of variables, of templates and of the environment.

use hieratic_jinja::extend::objects::Missing;
use hieratic_jinja::extend::python::{str, type_name};
use hieratic_jinja::extend::{Value, define, error, undefined};

use super::lookup::Table;
use crate::pattern::compile;

pub const TABLE: Table = &[
    define(
        "env",
        "*names, default=''",
        "Returns environment variables, where the person at the keyboard allows them.",
        |host, mut args| {
            // Ansible's lookups ignore options that they do not know.
            let default = args.take("default");
            args.positional
                .iter()
                .map(|term| {
                    let Some(words) = term.as_str() else {
                        return Err(error(format!("'{}' object has no attribute 'split'", type_name(term))));
                    };
                    let Some(name) = words.split_whitespace().next() else {
                        return Err(error("the lookup 'env' needs the name of a variable"));
                    };
                    match (host.env(name)?, &default) {
                        (Some(value), _) => Ok(Value::from(value)),
                        (None, Some(default)) => Ok(default.clone()),
                        (None, None) => Ok(Value::from("")),
                    }
                })
                .collect()
        },
    ),
    define("vars", "*names, default=None", "Returns the values of variables by their names.", |host, mut args| {
        // Ansible's lookups ignore options that they do not know.
        let default = args.take("default");
        args.positional
            .iter()
            .map(|term| {
                let Some(name) = term.as_str() else {
                    return Err(error(format!(
                        "Invalid setting identifier, \"{}\" is not a string, its a {}",
                        str(term)?,
                        type_name(term)
                    )));
                };
                let found = host.known(name)?;
                let missing = found.as_ref().and_then(|value| value.downcast_object_ref::<Missing>());
                let message = || format!("No variable found with this name: {name}");
                match (&found, &default) {
                    (Some(value), _) if missing.is_none() => Ok(value.clone()),
                    (_, Some(default)) => Ok(default.clone()),
                    (_, None) => Err(undefined(missing.map_or_else(message, Missing::message))),
                }
            })
            .collect()
    }),
    define("varnames", "*patterns", "Returns the names of variables that regular expressions match.", |host, args| {
        let names = host.variable_names()?;
        let mut found = Vec::new();
        for term in &args.positional {
            let Some(term) = term.as_str() else {
                let (value, name) = (str(term)?, type_name(term));
                return Err(error(format!("Invalid setting identifier, \"{value}\" is not a string, it is a {name}")));
            };
            let regex = compile(term, false, false)?;
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
