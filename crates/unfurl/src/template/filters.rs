//! Unfurl's additions to templates: filters and lookups.
//!
//! <https://docs.unfurl.run/expressions.html>; the names are those of the reference's filter plugin.

use hieratic_jinja::Engine;
use hieratic_jinja::extend::minijinja::value::{Kwargs, Rest, from_args};
use hieratic_jinja::extend::{Args, Error, Host, Value as Template};
use hieratic_jinja_ansible::add_lookup;
use hieratic_value::Value;

use super::arguments::{data, named};
use super::errors::error;
use super::labels::label;
use super::objects::{Handle, from_template, to_template};
use crate::ExpressionError;
use crate::datum::Datum;
use crate::file::File;
use crate::label::RULES;
use crate::lazy::LazyList;
use crate::paths::which;
use crate::scope::Variable;
use crate::shared::Shared;

/// Adds the filters and lookups.
pub(super) fn register(engine: &mut Engine, shared: &Shared) {
    for name in ["eval", "ref"] {
        engine.add_filter(name, eval);
    }
    for name in ["map_value", "mapValue"] {
        engine.add_filter(name, map_value);
    }
    engine.add_filter("abspath", abspath);
    engine.add_filter("get_dir", get_dir);
    engine.add_filter("which", executable);
    engine.add_filter("sensitive", sensitive);
    for name in RULES {
        engine.add_filter(name, move |rendering, args| {
            let (value, options): (Template, Kwargs) = from_args(&args.into_values())?;
            label(&*Handle::from_rendering(rendering)?.host, name, &value, &options)
        });
    }
    add_lookup(engine, "unfurl", lookup);
    for (name, lookup) in shared.lookups.iter() {
        let lookup = lookup.clone();
        add_lookup(engine, name, move |_, args| {
            let arguments = args.positional.iter().map(data).collect::<Result<Vec<_>, Error>>()?;
            let options = args.named.iter().map(|(name, value)| Ok((Value::from(&**name), data(value)?)));
            let options = options.collect::<Result<hieratic_value::Hash, Error>>()?;
            let found = lookup(&arguments, &options).map_err(|message| error(ExpressionError::new(message)))?;
            Ok(found.iter().map(hieratic_jinja::from_value).collect())
        });
    }
}

/// `EXPR | eval(wantList=false, NAME=VALUE...)`: the match of an expression, with variables.
fn eval(rendering: &dyn Host, args: Args) -> Result<Template, Error> {
    let (expression, _, options): (Template, Rest<Template>, Kwargs) = from_args(&args.into_values())?;
    let handle = Handle::from_rendering(rendering)?;
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
        if as_list {
            Ok(LazyList::known(host.eval(&expression, vars, scope)?))
        } else {
            host.eval_one(&expression, vars, scope)
        }
    };
    Ok(to_template(&found().map_err(error)?, host))
}

/// `VALUE | map_value(NAME=VALUE...)`: a value with everything in it evaluated.
fn map_value(rendering: &dyn Host, args: Args) -> Result<Template, Error> {
    let (value, options): (Template, Kwargs) = from_args(&args.into_values())?;
    let handle = Handle::from_rendering(rendering)?;
    let Handle { host, scope } = &*handle;
    let mut inner = scope.inner();
    let mut vars = Vec::new();
    for (name, value) in named(&options)? {
        vars.push((name.as_str().into(), Variable::Open(from_template(&value).map_err(error)?)));
    }
    if !vars.is_empty() {
        inner.vars = host.keep(scope.vars.with(vars));
    }
    // Strings from the template itself may be templates here.
    let value = match from_template(&value).map_err(error)? {
        Datum::Plain(plain) => Datum::raw(plain.value),
        other => other,
    };
    Ok(to_template(&host.map_value(&value, &inner).map_err(error)?, host))
}

/// `PATH | abspath(FOLDER)`.
fn abspath(rendering: &dyn Host, args: Args) -> Result<Template, Error> {
    let (path, folder, make, options): (String, Option<String>, Option<bool>, Kwargs) = from_args(&args.into_values())?;
    let handle = Handle::from_rendering(rendering)?;
    let folder = match folder {
        Some(folder) => Some(folder),
        None => options.get::<Option<String>>("relativeTo")?,
    };
    without_mkdir(make, &options)?;
    path_of(&handle, &path, folder.as_deref())
}

/// `FOLDER | get_dir`.
fn get_dir(rendering: &dyn Host, args: Args) -> Result<Template, Error> {
    let (folder, make, options): (String, Option<bool>, Kwargs) = from_args(&args.into_values())?;
    let handle = Handle::from_rendering(rendering)?;
    without_mkdir(make, &options)?;
    path_of(&handle, "", Some(&folder))
}

/// Returns the absolute path of a path below a named folder.
fn path_of(handle: &Handle, path: &str, folder: Option<&str>) -> Result<Template, Error> {
    let file = File::absolute(path, folder, handle.host.shared()).map_err(error)?;
    Ok(Template::from(file.path))
}

fn without_mkdir(make: Option<bool>, options: &Kwargs) -> Result<(), Error> {
    if make == Some(true) || options.get::<Option<bool>>("mkdir")? == Some(true) {
        Err(error(ExpressionError::new("no folder is created: evaluation cannot write files").help("remove 'mkdir'")))
    } else {
        Ok(())
    }
}

/// `NAME | which`: the path of an executable in the given variable `PATH`; `None` if there is no accessible one.
fn executable(rendering: &dyn Host, args: Args) -> Result<Template, Error> {
    let (name,): (String,) = from_args(&args.into_values())?;
    let handle = Handle::from_rendering(rendering)?;
    let shared = handle.host.shared();
    let path = shared.env.read("PATH").map_err(|hidden| error(ExpressionError::hidden(&hidden)))?;
    Ok(which(&name, path, &shared.files).map_or(Template::from(()), Template::from))
}

/// `VALUE | sensitive`: turns a value into a secret.
fn sensitive(rendering: &dyn Host, args: Args) -> Result<Template, Error> {
    let (value,): (Template,) = from_args(&args.into_values())?;
    Handle::from_rendering(rendering)?.host.secret_shown();
    Ok(value)
}

/// `lookup('unfurl', EXPR...)`: the match of each expression.
fn lookup(rendering: &dyn Host, args: Args) -> Result<Vec<Template>, Error> {
    let handle = Handle::from_rendering(rendering)?;
    let Handle { host, scope } = &*handle;
    let mut found = Vec::new();
    for expression in &args.positional {
        let one = || host.eval_one(&from_template(expression)?, Vec::new(), scope);
        found.push(to_template(&one().map_err(error)?, host));
    }
    Ok(found)
}
