//! The functions of nomad-pack's templates.

use std::path::{Path, PathBuf};

use hieratic_go_template::{Fault, Functions, RenderError, Rendering, Syntax, Value, parse_into, render, sprig};
use hieratic_sandbox::Files;

use crate::context::SELF;
use crate::text_functions;

/// The functions, with the files that they may read.
pub(crate) struct PackFunctions<'f> {
    pub(crate) files: &'f Files,
    pub(crate) folder: &'f Path,
    /// Whether templates have the first syntax, which lacks the functions of the second.
    pub(crate) is_legacy: bool,
}

/// The functions of nomad-pack besides sprig's.
const OWN: &str = "\
    vars var must_var metas meta must_meta deps deps_tree fileRelative fileContents packPath toStringList tpl spewDump \
    spewPrintf customSpew withIndent withMaxDepth withDisableMethods withDisablePointerMethods \
    withDisablePointerAddresses withDisableCapacities withContinueOnMethod withSortKeys withSpewKeys nomadNamespaces \
    nomadNamespace nomadRegions nomadVariables nomadVariable";

/// Those that are evaluated.
const EVALUATED: &str = "\
    vars var must_var metas meta must_meta deps deps_tree fileRelative fileContents packPath toStringList tpl";

/// Those that the first syntax lacks.
const OF_SECOND_SYNTAX: &str = "vars var must_var metas meta must_meta deps deps_tree";

/// Whether templates of packs have a function.
pub(crate) fn is_function(name: &str) -> bool {
    OWN.split_ascii_whitespace().any(|known| known == name) || sprig::is_function(name)
}

/// The syntax of templates of packs.
pub(crate) const SYNTAX: Syntax<'static> = Syntax { left: "[[", right: "]]", functions: Some(&is_function) };

impl Functions for PackFunctions<'_> {
    fn call(&self, name: &str, arguments: &[Value], rendering: &Rendering<'_>) -> Option<Result<Value, Fault>> {
        if self.is_legacy && OF_SECOND_SYNTAX.split_ascii_whitespace().any(|known| known == name) {
            return Some(Err(Fault::error(format!("{name} is not implemented for nomad-pack's v1 syntax"))));
        }
        Some(match (name, arguments) {
            ("vars", [context]) => own(context, "vars"),
            ("metas", [context]) => own(context, "meta"),
            ("var", [key, context]) => {
                key_of(key).and_then(|key| Ok(variable(&own(context, "vars")?, key).unwrap_or_else(|_| "".into())))
            }
            ("must_var", [key, context]) => key_of(key).and_then(|key| variable(&own(context, "vars")?, key)),
            ("meta", [key, context]) => {
                key_of(key).and_then(|key| Ok(metadata(&own(context, "meta")?, key).unwrap_or_else(|_| "".into())))
            }
            ("must_meta", [key, context]) => key_of(key).and_then(|key| metadata(&own(context, "meta")?, key)),
            ("deps", [context]) => dependencies(context),
            ("deps_tree", [context]) => dependency_tree(context),
            ("fileContents", [Value::String(path)]) => self.read(PathBuf::from(&**path)),
            ("fileRelative", [Value::String(path), context]) => own(context, "meta")
                .and_then(|meta| metadata(&meta, "pack.path"))
                .and_then(|folder| self.read(Path::new(folder.as_str().unwrap_or_default()).join(&**path))),
            ("packPath", []) => Ok(self.folder.display().to_string().into()),
            ("toStringList", [value]) => Ok(string_list(value).into()),
            ("tpl", [Value::String(text), dot]) => nested(text, dot, rendering),
            _ if EVALUATED.split_ascii_whitespace().any(|known| known == name) => {
                let types: Vec<&str> = arguments.iter().map(Value::type_name).collect();
                Err(Fault::error(format!("wrong arguments: {}", types.join(", "))))
            }
            _ if OWN.split_ascii_whitespace().any(|known| known == name) => Err(Fault::NotHere(name.to_owned())),
            _ => return text_functions::call(name, arguments, rendering.budget),
        })
    }
}

impl PackFunctions<'_> {
    fn read(&self, path: PathBuf) -> Result<Value, Fault> {
        match self.files.read_text(&path) {
            Ok(text) => Ok(text.into()),
            Err(error) => Err(Fault::error(format!("failed to read {}: {error}", path.display()))),
        }
    }
}

fn key_of(key: &Value) -> Result<&str, Fault> {
    key.as_str().ok_or_else(|| Fault::error(format!("wrong type for value; expected string; got {}", key.type_name())))
}

/// A part of the pack itself.
fn own(context: &Value, part: &str) -> Result<Value, Fault> {
    let inner = match context {
        Value::Map(entries) => entries.get(SELF),
        _ => None,
    };
    match inner {
        Some(Value::Map(own)) => Ok(own.get(part).cloned().unwrap_or_default()),
        _ => Err(Fault::error(format!(
            "wrong type for value; expected parser.PackContextable; got {}",
            context.type_name()
        ))),
    }
}

/// The variable at a path of keys.
fn variable(variables: &Value, path: &str) -> Result<Value, Fault> {
    let mut value = variables.clone();
    for key in path.split('.') {
        value = match &value {
            Value::Map(entries) => {
                entries.get(key).cloned().ok_or_else(|| Fault::error(format!("var key {key} not found")))?
            }
            Value::String(_) => return Err(Fault::error("encountered non-traversable key while traversing")),
            _ => return Err(Fault::error("var key not found")),
        };
    }
    Ok(value)
}

/// The text of the metadata at a path of keys.
fn metadata(meta: &Value, path: &str) -> Result<Value, Fault> {
    let value = variable(meta, path)?;
    match value {
        Value::String(_) => Ok(value),
        Value::Map(_) => Err(Fault::error("traversal ended on non-metadata item key")),
        other => Err(Fault::error(format!("meta key not found and hit non-traversible type ({})", other.type_name()))),
    }
}

fn dependencies(context: &Value) -> Result<Value, Fault> {
    match context {
        Value::Map(entries) => {
            let inner = entries.iter().filter(|(name, _)| *name != SELF);
            Ok(Value::map(inner.map(|(name, value)| (name.clone(), value.clone()))))
        }
        other => Err(Fault::error(format!(
            "wrong type for value; expected parser.PackTemplateContext; got {}",
            other.type_name()
        ))),
    }
}

fn dependency_tree(context: &Value) -> Result<Value, Fault> {
    let mut paths = Vec::new();
    collect(&dependencies(context)?, "", &mut paths)?;
    Ok(Value::list(paths.into_iter().map(Value::from).collect()))
}

fn collect(dependencies_of: &Value, path: &str, paths: &mut Vec<String>) -> Result<(), Fault> {
    let Value::Map(entries) = dependencies_of else { return Ok(()) };
    for (name, inner) in entries.iter() {
        let path = format!("{path}.{name}");
        paths.push(path.clone());
        collect(&dependencies(inner)?, &path, paths)?;
    }
    Ok(())
}

/// A list as HCL writes it.
fn string_list(value: &Value) -> String {
    let quoted = |value: &Value| match value {
        Value::String(text) => hieratic_hcl_types::quoted(text),
        other => sprig::printf("%q", std::slice::from_ref(other)),
    };
    let elements: Vec<String> = match value {
        Value::List(values) => values.iter().map(quoted).collect(),
        other => vec![quoted(other)],
    };
    format!("[{}]", elements.join(", "))
}

/// Renders a string as a template of the same pack.
fn nested(text: &str, dot: &Value, rendering: &Rendering<'_>) -> Result<Value, Fault> {
    const NAME: &str = "tpl";
    let mut templates = rendering.templates.clone();
    let parsed = parse_into(&mut templates, NAME, text, &SYNTAX, rendering.budget);
    parsed.map_err(|error| Fault::Parse(Box::new(error)))?;
    let rendering = Rendering { templates: &templates, ..*rendering };
    match render(NAME, dot, &rendering) {
        Ok(rendered) => Ok(rendered.text.into()),
        Err(RenderError { fault: problem, .. }) => Err(problem),
    }
}
