//! What Unfurl adds to templates: filters and lookups.
//!
//! <https://docs.unfurl.run/expressions.html>; the names are those of the reference's filter plugin.

use hieratic_jinja::Engine;
use hieratic_jinja::minijinja::value::{Kwargs, Rest};
use hieratic_jinja::minijinja::{Error, State, Value as Template};
use hieratic_value::Value;

use super::arguments::{data, named};
use super::faults::error;
use super::labels::label;
use super::objects::{Handle, from_template, to_template};
use crate::Fault;
use crate::datum::Datum;
use crate::file::File;
use crate::label::RULES;
use crate::lazy::LazyList;
use crate::paths::which;
use crate::scope::Variable;
use crate::shared::Shared;

/// Adds the filters and lookups.
pub(super) fn register(engine: &mut Engine, shared: &Shared) {
    let environment = engine.environment_mut();
    for name in ["eval", "ref"] {
        environment.add_filter(name, eval);
    }
    for name in ["map_value", "mapValue"] {
        environment.add_filter(name, map_value);
    }
    environment.add_filter("abspath", abspath);
    environment.add_filter("get_dir", get_dir);
    environment.add_filter("which", executable);
    environment.add_filter("sensitive", sensitive);
    for name in RULES {
        environment.add_filter(name, move |state: &State<'_, '_>, value: Template, options: Kwargs| {
            label(&*Handle::of(state)?.host, name, &value, &options)
        });
    }
    engine.add_lookup("unfurl", lookup);
    for (name, lookup) in shared.lookups.iter() {
        let lookup = lookup.clone();
        engine.add_lookup(name, move |_: &State<'_, '_>, arguments: &[Template], options: &Kwargs| {
            let arguments = arguments.iter().map(data).collect::<Result<Vec<_>, Error>>()?;
            let options = named(options)?.into_iter().map(|(name, value)| Ok((Value::from(name), data(&value)?)));
            let options = options.collect::<Result<hieratic_value::Hash, Error>>()?;
            let found = lookup(&arguments, &options).map_err(|message| error(Fault::new(message)))?;
            Ok(found.iter().map(hieratic_jinja::from_value).collect())
        });
    }
}

/// `EXPR | eval(wantList=false, NAME=VALUE...)`: the match of an expression, with variables.
fn eval(state: &State<'_, '_>, expression: Template, _: Rest<Template>, options: Kwargs) -> Result<Template, Error> {
    let handle = Handle::of(state)?;
    let Handle { host, scope } = &*handle;
    let mut vars = Vec::new();
    let mut as_list = false;
    for (name, value) in named(&options)? {
        match name.as_str() {
            "wantList" => as_list = value.is_true(),
            "trace" => {}
            _ => vars.push((name.as_str().into(), from_template(&value).map_err(error)?)),
        }
    }
    let found = || {
        let expression = from_template(&expression)?;
        match as_list {
            true => Ok(LazyList::known(host.eval(&expression, vars, scope)?)),
            false => host.eval_one(&expression, vars, scope),
        }
    };
    Ok(to_template(&found().map_err(error)?, host))
}

/// `VALUE | map_value(NAME=VALUE...)`: a value with everything in it evaluated.
fn map_value(state: &State<'_, '_>, value: Template, options: Kwargs) -> Result<Template, Error> {
    let handle = Handle::of(state)?;
    let Handle { host, scope } = &*handle;
    let mut inner = scope.inner();
    let mut vars = Vec::new();
    for (name, value) in named(&options)? {
        vars.push((name.as_str().into(), Variable::Open(from_template(&value).map_err(error)?)));
    }
    if !vars.is_empty() {
        inner.vars = host.keep(scope.vars.with(vars));
    }
    // Texts that the template itself wrote may be templates here.
    let value = match from_template(&value).map_err(error)? {
        Datum::Plain(plain) => Datum::raw(plain.value),
        other => other,
    };
    Ok(to_template(&host.map_value(&value, &inner).map_err(error)?, host))
}

/// `PATH | abspath(FOLDER)`.
fn abspath(
    state: &State<'_, '_>,
    path: String,
    folder: Option<String>,
    make: Option<bool>,
    options: Kwargs,
) -> Result<Template, Error> {
    let handle = Handle::of(state)?;
    let folder = match folder {
        Some(folder) => Some(folder),
        None => options.get::<Option<String>>("relativeTo")?,
    };
    without_mkdir(make, &options)?;
    path_of(&handle, &path, folder.as_deref())
}

/// `FOLDER | get_dir`.
fn get_dir(state: &State<'_, '_>, folder: String, make: Option<bool>, options: Kwargs) -> Result<Template, Error> {
    let handle = Handle::of(state)?;
    without_mkdir(make, &options)?;
    path_of(&handle, "", Some(&folder))
}

/// The absolute path of a path below a named folder.
fn path_of(handle: &Handle, path: &str, folder: Option<&str>) -> Result<Template, Error> {
    let file = File::absolute(path, folder, handle.host.shared()).map_err(error)?;
    Ok(Template::from(file.path))
}

fn without_mkdir(make: Option<bool>, options: &Kwargs) -> Result<(), Error> {
    match make == Some(true) || options.get::<Option<bool>>("mkdir")? == Some(true) {
        true => Err(error(Fault::new("no folder is created: evaluation cannot write files").help("remove 'mkdir'"))),
        false => Ok(()),
    }
}

/// `NAME | which`: the path of an executable, by the variable `PATH` that was given; none if there is none that may be seen.
fn executable(state: &State<'_, '_>, name: String) -> Result<Template, Error> {
    let handle = Handle::of(state)?;
    let shared = handle.host.shared();
    let path = shared.env.get("PATH").map(String::as_str);
    Ok(which(&name, path, &shared.files).map_or(Template::from(()), Template::from))
}

/// `VALUE | sensitive`: what the template gives becomes a secret.
fn sensitive(state: &State<'_, '_>, value: Template) -> Result<Template, Error> {
    Handle::of(state)?.host.secret_shown();
    Ok(value)
}

/// `lookup('unfurl', EXPR...)`: the match of each expression.
fn lookup(state: &State<'_, '_>, expressions: &[Template], _: &Kwargs) -> Result<Vec<Template>, Error> {
    let handle = Handle::of(state)?;
    let Handle { host, scope } = &*handle;
    let mut found = Vec::new();
    for expression in expressions {
        let one = || host.eval_one(&from_template(expression)?, Vec::new(), scope);
        found.push(to_template(&one().map_err(error)?, host));
    }
    Ok(found)
}
