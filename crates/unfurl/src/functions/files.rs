//! `abspath`, `get_dir`, `file`, `template`.

use std::sync::Arc;

use hieratic_value::Value;

use super::arguments::{option, text};
use crate::ExpressionError;
use crate::datum::{Datum, Plain};
use crate::file::{Encoding, File, read};
use crate::host::Host;
use crate::paths::join;
use crate::scope::Scope;

/// `{abspath: PATH}`, `{abspath: [PATH, FOLDER]}`: the absolute path of a path below a named folder.
///
/// <https://docs.unfurl.run/expressions.html#abspath>
pub(super) fn abspath(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    let arguments = arguments(host, argument, scope)?;
    let path = text(arguments.first().unwrap_or(&Datum::NULL), "the path of 'abspath'")?;
    let folder = folder(arguments.get(1))?;
    without_mkdir(arguments.get(2))?;
    absolute(host, &path, folder.as_deref())
}

/// `{get_dir: FOLDER}`: the absolute path of a named folder.
///
/// <https://docs.unfurl.run/expressions.html#get-dir>
pub(super) fn get_dir(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    let arguments = arguments(host, argument, scope)?;
    without_mkdir(arguments.get(1))?;
    absolute(host, "", folder(arguments.first())?.as_deref())
}

fn absolute(host: &dyn Host, path: &str, folder: Option<&str>) -> Result<Datum, ExpressionError> {
    Ok(Datum::File(Arc::new(File::absolute(path, folder, host.shared())?)))
}

fn arguments(host: &dyn Host, argument: &Datum, scope: &Scope) -> Result<Vec<Datum>, ExpressionError> {
    match host.map_value(argument, scope)? {
        list if list.is_list() => host.elements(&list),
        one => Ok(vec![one]),
    }
}

fn folder(argument: Option<&Datum>) -> Result<Option<hieratic_value::Str>, ExpressionError> {
    argument.filter(|folder| !folder.is_null()).map(|folder| text(folder, "the name of the folder")).transpose()
}

/// Rejects `mkdir`: folders are never created.
fn without_mkdir(argument: Option<&Datum>) -> Result<(), ExpressionError> {
    match argument {
        Some(flag) if flag.is_true() => {
            Err(ExpressionError::new("no folder is created: evaluation cannot write files").help("remove 'mkdir'"))
        }
        _ => Ok(()),
    }
}

/// `{file: PATH, dir: FOLDER, encoding: NAME}`: a file, of which `path`, `encoding` and, if files may be read,
/// `contents` can be selected. Without a selection it is the path as given.
///
/// <https://docs.unfurl.run/expressions.html#file>
pub(super) fn file(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    if scope.call.keys().is_some_and(|keys| keys.contains("contents")) {
        return Err(
            ExpressionError::new("no file is written: evaluation cannot write files").help("remove 'contents' to read")
        );
    }
    let encoding = match option(host, scope, "encoding")? {
        None => Encoding::Text("utf-8".into()),
        Some(name) => match &*text(&name, "'encoding'")? {
            "binary" => Encoding::Binary,
            name if ["utf-8", "utf8", "yaml", "json"].contains(&name.to_ascii_lowercase().as_str()) => {
                Encoding::Text(name.into())
            }
            other => {
                return Err(ExpressionError::new(format!("the encoding '{other}' cannot be read"))
                    .help("the encodings are 'utf-8', 'binary', 'json' and 'yaml'"));
            }
        },
    };
    let folder = match option(host, scope, "dir")? {
        Some(folder) => text(&folder, "'dir'")?,
        None => host.shared().base.clone(),
    };
    let path = text(&host.map_value(argument, scope)?, "the path of 'file'")?;
    Ok(Datum::File(Arc::new(File { path, folder, encoding: Some(encoding) })))
}

/// `{template: TEXT}`, `{template: {path: PATH}}`: the result of a template.
///
/// <https://docs.unfurl.run/expressions.html#template>
pub(super) fn template(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    if let Some(overrides) = option(host, scope, "overrides")? {
        return Err(ExpressionError::new(format!("'overrides' is {}: delimiters cannot be changed", overrides.kind()))
            .help("write the template with {{ }}, {% %} and {# #}"));
    }
    let path = match argument {
        map if map.keys().is_some_and(|keys| keys.contains("path")) => {
            Some(host.map_value(&host.entry(map, "path")?, scope)?)
        }
        // The template is the result of an expression, or the string itself.
        Datum::Plain(Plain { value: Value::String(text), .. }) => return host.template(text, scope),
        _ => None,
    };
    let Some(path) = path else {
        let text = text(&host.map_value(argument, scope)?, "Error rendering template: source")?;
        return host.template(&text, scope);
    };
    let path = join(&host.shared().base, &text(&path, "the path of the template")?);
    let bytes = read(&path, host.shared())?;
    let template = String::from_utf8(bytes).map_err(|_| {
        ExpressionError::new(format!("the file '{path}' is not valid UTF-8")).help("save the file as UTF-8")
    })?;
    host.template(&template, scope)
}
