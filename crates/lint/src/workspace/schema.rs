//! [`schema`]: JSON Schema of the data files of a repository.

use hieratic::value::ErasedSort as _;
use hieratic::{Settings, Strategy, Value};
use hieratic_json_schema::{Application, Parameter, document};

use super::lookup_options::AllOptions;
use super::types::{Types, language};
use super::{Workspace, documentation};
use crate::run::code_of;

/// Returns the JSON Schema of the data files of a repository: a property for each parameter of an installed class, with
/// its type, its default, and its description in the comment of its class. `is_selected` selects the keys.
///
/// # Errors
/// The repository cannot be read.
pub fn schema(settings: &Settings, is_selected: &dyn Fn(&str) -> bool) -> Result<serde_json::Value, String> {
    Ok(document(&parameters(settings, is_selected)?))
}

fn parameters(settings: &Settings, is_selected: &dyn Fn(&str) -> bool) -> Result<Vec<Parameter>, String> {
    let workspace = Workspace::open(settings, &()).map_err(|finding| finding.diagnostic.message.clone())?;
    let code = code_of(&workspace, &mut Default::default()).map_err(|finding| finding.diagnostic.message.clone())?;
    let language = language(&workspace.environment);
    let mut types = Types::new(&language);
    let options = AllOptions::new(&workspace.files);
    let mut classes: Vec<_> = code.classes.iter().collect();
    classes.sort_erased_by_key(|(name, _)| *name);
    let mut parameters = Vec::new();
    for (class, info) in classes {
        let mut described = documentation::of_parameters(info.source.text(), info.start);
        for parameter in &info.parameters {
            let key = format!("{class}::{}", parameter.name);
            if !is_selected(&key) {
                continue;
            }
            let default = parameter.default.as_ref().and_then(|(text, _)| types.value(text));
            parameters.push(Parameter {
                kind: parameter.kind.as_deref().and_then(|kind| types.get(kind)),
                kind_text: parameter.kind.clone(),
                default: default.filter(|value| !value.is_undef()),
                default_text: parameter.default.as_ref().map(|(text, _)| text.clone()),
                documentation: described.remove(&parameter.name),
                applies: applies(options.get(&key)),
                key,
            });
        }
    }
    Ok(parameters)
}

/// Returns how the type of a key applies to its values, given all options of the key.
fn applies<'o>(options: impl Iterator<Item = &'o Value>) -> Application {
    let mut all: Vec<Application> = options.map(by_options).collect();
    all.dedup();
    match all.as_slice() {
        [] => Application::Whole,
        [only] => *only,
        // Levels disagree, or their options are combined.
        _ => Application::Unknown,
    }
}

fn by_options(options: &Value) -> Application {
    let Some(options) = options.as_hash() else { return Application::Unknown };
    let merge = match options.get("merge").map(Strategy::parse) {
        None => Application::Whole,
        Some(Err(_)) => Application::Unknown,
        Some(Ok(strategy)) => match strategy.name() {
            "first" => Application::Whole,
            "unique" => Application::Elements,
            "hash" => Application::Hash,
            // An element with a knockout prefix need not match the type.
            _ if options
                .get("merge")
                .and_then(Value::as_hash)
                .is_some_and(|merge| merge.contains("knockout_prefix")) =>
            {
                Application::Unknown
            }
            _ => Application::Deep,
        },
    };
    match (options.get("convert_to"), merge) {
        (None, merge) => merge,
        (Some(kind), Application::Whole) if is_sensitive(kind) => Application::Secret,
        _ => Application::Unknown,
    }
}

fn is_sensitive(kind: &Value) -> bool {
    match kind {
        Value::Array(elements) => matches!(&**elements, [only] if is_sensitive(only)),
        kind => kind.as_str() == Some("Sensitive"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_has_the_schema_of_its_classes() {
        let root = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("hiera.yaml", "version: 5\nhierarchy:\n  - {name: A, path: a.yaml}\n");
        write(
            "data/a.yaml",
            "lookup_options:\n  web::hosts: {merge: unique}\n  '^web::key': {convert_to: Sensitive}\n",
        );
        write("modules/web/types/port.pp", "type Web::Port = Integer[1, 65535]\n");
        write(
            "modules/web/manifests/init.pp",
            "# @param port The port.\nclass web (\n  Web::Port $port = 80,\n  Array[String] $hosts = [],\n  Optional[Sensitive[String]] $key = undef,\n  $any = $facts['x'],\n) { }\n",
        );
        let settings = Settings { environment_dir: Some(root.path().into()), ..Settings::default() };
        let schema = schema(&settings, &|key| key != "web::any").unwrap();
        let all = schema["properties"].as_object().unwrap();
        assert_eq!(all.keys().collect::<Vec<_>>(), ["lookup_options", "web::port", "web::hosts", "web::key"]);
        let port = &all["web::port"];
        assert_eq!(port["description"], "The port.\n\nType: Web::Port\n\nDefault: 80");
        assert_eq!(port["default"], 80);
        assert_eq!(port["anyOf"][0]["$ref"], "#/definitions/Web::Port");
        assert_eq!(schema["definitions"]["Web::Port"]["maximum"], 65535);
        assert_eq!(all["web::hosts"]["anyOf"][0]["type"], "array");
        assert_eq!(all["web::key"]["anyOf"][0]["type"], "string");
    }
}
