//! `hiera.yaml` version 5.

use std::path::Path;
use std::sync::LazyLock;

use hieratic_puppet_types::{self as pcore, Type};
use hieratic_value::{Hash, Value};

use super::context::{Context, Owner};
use super::hierarchy::{Config, Datadir, FunctionKind, Level, Locations};
use super::schema;
use super::source::{Source, hash, text, texts};
use crate::Error;
use crate::codes;
use crate::paths::join;
use hieratic_sandbox::SlashPath as _;

/// The keys that name a function, in the order in which the reference looks for them.
const FUNCTIONS: [(&str, FunctionKind); 3] = [
    ("data_hash", FunctionKind::DataHash),
    ("lookup_key", FunctionKind::LookupKey),
    ("data_dig", FunctionKind::DataDig),
];
/// The function keys as messages list them.
const FUNCTION_LIST: &str = "data_hash, lookup_key, data_dig, or hiera3_backend";
/// The keys that name locations of data.
const LOCATIONS: [&str; 7] = ["path", "paths", "glob", "globs", "uri", "uris", "mapped_paths"];
/// Options that the reference adds itself.
const RESERVED_OPTIONS: [&str; 2] = ["path", "uri"];

/// The schema of a file of version 5.
static SCHEMA: LazyLock<Type> = LazyLock::new(|| {
    let options = "Optional[options]=>Hash[Pattern[/\\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\\z/],Data]";
    let level = format!(
        "Array[Struct[{{name=>String[1],{options},Optional[data_hash]=>String[1],Optional[lookup_key]=>String[1],\
         Optional[hiera3_backend]=>String[1],Optional[v4_data_hash]=>String[1],Optional[data_dig]=>String[1],\
         Optional[path]=>String[1],Optional[paths]=>Array[String[1],1],Optional[glob]=>String[1],\
         Optional[globs]=>Array[String[1],1],Optional[uri]=>String[1],Optional[uris]=>Array[String[1],1],\
         Optional[mapped_paths]=>Array[String[1],3,3],Optional[datadir]=>String[1]}}]]"
    );
    let text = format!(
        "Struct[{{version=>Integer[5,5],Optional[defaults]=>Struct[{{Optional[data_hash]=>String[1],\
         Optional[lookup_key]=>String[1],Optional[data_dig]=>String[1],Optional[datadir]=>String[1],{options}}}],\
         Optional[hierarchy]=>{level},Optional[plan_hierarchy]=>{level},Optional[default_hierarchy]=>{level}}}]"
    );
    // A constant, which a test parses.
    pcore::parse(&text).unwrap_or(Type::Any)
});

/// Returns the configuration of a layer without a file: `data/common.yaml`, if it exists.
pub(super) fn default(path: &Path) -> Config {
    let root = path.parent().unwrap_or(Path::new("/"));
    Config {
        path: None,
        source: None,
        version: 5,
        hierarchy: vec![Level {
            name: "Common".into(),
            kind: FunctionKind::DataHash,
            function: "yaml_data".into(),
            datadir: Datadir::Interpolated(join(root, "data").to_slashes().into()),
            locations: Locations::Paths(vec!["common.yaml".into()]),
            extension: None,
            options: Hash::default(),
            place: None,
        }],
        default_hierarchy: None,
        fault: None,
    }
}

/// Reads a file of version 5.
pub(super) fn read(source: &Source, context: &Context<'_>) -> Result<Config, Error> {
    // A missing or null key has its default; a given one replaces the whole default, `datadir` and function together.
    let mut config = source.value.clone().into_map();
    let missing =
        |config: &hieratic_value::Map, key: &str| !config.get(&Value::from(key)).is_some_and(Value::is_truthy);
    if missing(&config, "defaults") {
        let defaults: Hash =
            [("datadir", Value::from("data")), ("data_hash", "yaml_data".into())].into_iter().collect();
        config.insert("defaults".into(), defaults.into());
    }
    if missing(&config, "hierarchy") {
        let level: Hash = [("name", Value::from("Common")), ("path", "common.yaml".into())].into_iter().collect();
        config.insert("hierarchy".into(), vec![Value::from(level)].into());
    }
    let config = Hash::from(config);
    schema::check(source, &SCHEMA, &config)?;
    let defaults = hash(&config, "defaults");
    validate_defaults(source, &defaults)?;
    for key in ["hierarchy", "plan_hierarchy"] {
        validate_levels(source, &config, key, &defaults, context)?;
    }
    if config.contains("default_hierarchy") {
        if context.owner != Owner::Module {
            let place = source.place(&["default_hierarchy"]);
            let message = "'default_hierarchy' is only allowed in the module layer";
            return Err(source
                .fail_at(codes::CONFIG_DEFAULT_HIERARCHY, message, place)
                .help("move its levels to the end of `hierarchy`"));
        }
        validate_levels(source, &config, "default_hierarchy", &defaults, context)?;
    }
    Ok(Config {
        path: Some(source.path.clone()),
        source: Some(source.text.clone()),
        version: 5,
        hierarchy: levels(source, &config, "hierarchy", &defaults),
        default_hierarchy: config
            .contains("default_hierarchy")
            .then(|| levels(source, &config, "default_hierarchy", &defaults)),
        fault: None,
    })
}

fn validate_defaults(source: &Source, defaults: &Hash) -> Result<(), Error> {
    if FUNCTIONS.iter().filter(|(key, _)| defaults.contains(key)).count() > 1 {
        let message = format!("Only one of {FUNCTION_LIST} can be defined in defaults");
        return Err(source.fail(codes::CONFIG_FUNCTIONS, message, &["defaults"]).help("keep one of them"));
    }
    let options = hash(defaults, "options");
    if let Some(key) = RESERVED_OPTIONS.iter().find(|key| options.contains(key)) {
        let message = format!("Option key '{key}' used in defaults is reserved by {}", source.product);
        return Err(source
            .fail(codes::CONFIG_RESERVED_OPTION, message, &["defaults", "options", key])
            .help("rename the option"));
    }
    Ok(())
}

fn validate_levels(
    source: &Source,
    config: &Hash,
    hierarchy: &str,
    defaults: &Hash,
    context: &Context<'_>,
) -> Result<(), Error> {
    let Some(levels) = config.get(hierarchy).and_then(Value::as_array) else { return Ok(()) };
    for (index, level) in levels.iter().enumerate() {
        let Some(level) = level.as_hash() else { continue };
        let index = index.to_string();
        validate_level(source, level, &[hierarchy, &index], defaults, context)?;
    }
    Ok(())
}

fn validate_level(
    source: &Source,
    level: &Hash,
    path: &[&str; 2],
    defaults: &Hash,
    context: &Context<'_>,
) -> Result<(), Error> {
    let name = text(level, "name").unwrap_or_default();
    let at = |key: &'static str| [path[0], path[1], key];
    let backend = level.get("hiera3_backend");
    let functions = FUNCTIONS.iter().filter(|(key, _)| level.contains(key)).count()
        + usize::from(backend.is_some())
        + usize::from(level.contains("v4_data_hash"));
    if functions == 0 && !FUNCTIONS.iter().any(|(key, _)| defaults.contains(key)) {
        let message = format!("One of {FUNCTION_LIST} must be defined in hierarchy '{name}'");
        return Err(source.fail(codes::CONFIG_FUNCTIONS, message, &at("name")).help(
            "add `data_hash: yaml_data` to the level or to `defaults`; giving `defaults` replaces the built-in ones",
        ));
    }
    if functions > 1 {
        let message = format!("Only one of {FUNCTION_LIST} can be defined in hierarchy '{name}'");
        return Err(source.fail(codes::CONFIG_FUNCTIONS, message, &at("name")).help("keep one of them"));
    }
    if let Some(backend) = backend {
        let place = source.place(&at("hiera3_backend"));
        if context.owner != Owner::Global {
            let message = "'hiera3_backend' is only allowed in the global layer";
            return Err(source.fail_at(codes::CONFIG_HIERA3_BACKEND, message, place));
        }
        let backend = backend.to_text();
        if matches!(backend.as_str(), "json" | "yaml" | "hocon") {
            let message = format!("Use \"data_hash: {backend}_data\" instead of \"hiera3_backend: {backend}\"");
            return Err(source.fail_at(codes::CONFIG_HIERA3_BACKEND, message, place));
        }
        let message = format!("The Hiera 3 backend '{backend}' is Ruby code, which Hieratic cannot run");
        return Err(source
            .fail_at(codes::CONFIG_HIERA3_BACKEND, message, place)
            .help("name an executable for it in hieratic.yaml and use it as `lookup_key`"));
    }
    if level.contains("v4_data_hash") {
        let message = "'v4_data_hash' is reserved for functions of hiera.yaml version 4, which are not supported";
        return Err(source.fail(codes::CONFIG_FUNCTIONS, message, &at("v4_data_hash")));
    }
    if LOCATIONS.iter().filter(|key| level.contains(key)).count() > 1 {
        let list = "path, paths, glob, globs, uri, uris, or mapped_paths";
        let message = format!("Only one of {list} can be defined in hierarchy '{name}'");
        return Err(source.fail(codes::CONFIG_LOCATIONS, message, &at("name")).help("split the level into two"));
    }
    let options = hash(level, "options");
    if let Some(key) = RESERVED_OPTIONS.iter().find(|key| options.contains(key)) {
        let message = format!("Option key '{key}' used in hierarchy '{name}' is reserved by {}", source.product);
        return Err(source
            .fail(codes::CONFIG_RESERVED_OPTION, message, &[path[0], path[1], "options", key])
            .help("rename the option"));
    }
    Ok(())
}

fn levels(source: &Source, config: &Hash, hierarchy: &str, defaults: &Hash) -> Vec<Level> {
    let Some(levels) = config.get(hierarchy).and_then(Value::as_array) else { return Vec::new() };
    let default_datadir = text(defaults, "datadir").unwrap_or_else(|| "data".into());
    let in_order =
        |hash: &Hash| FUNCTIONS.iter().find_map(|(key, kind)| text(hash, key).map(|function| (*kind, function)));
    levels
        .iter()
        .enumerate()
        .filter_map(|(index, level)| Some((index.to_string(), level.as_hash()?)))
        .filter_map(|(index, level)| {
            let (kind, function) = in_order(level).or_else(|| in_order(defaults))?;
            let datadir = text(level, "datadir").unwrap_or_else(|| default_datadir.clone());
            Some(Level {
                name: text(level, "name")?,
                kind,
                function,
                datadir: Datadir::Interpolated(join(&source.root, &datadir).to_slashes().into()),
                locations: locations(level),
                extension: None,
                options: if level.get("options").is_some_and(Value::is_truthy) {
                    hash(level, "options")
                } else {
                    hash(defaults, "options")
                },
                place: Some(source.place(&[hierarchy, &index, "name"])),
            })
        })
        .collect()
}

fn locations(level: &Hash) -> Locations {
    let Some((key, value)) = LOCATIONS.iter().find_map(|key| Some((*key, level.get(key)?))) else {
        return Locations::None;
    };
    let all = texts(value);
    match (key, all.as_slice()) {
        ("path" | "paths", _) => Locations::Paths(all),
        ("glob" | "globs", _) => Locations::Globs(all),
        ("uri" | "uris", _) => Locations::Uris(all),
        (_, [variable, name, template]) => {
            Locations::Mapped { variable: variable.clone(), name: name.clone(), template: template.clone() }
        }
        _ => Locations::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_well_formed() {
        assert!(*SCHEMA != Type::Any);
    }
}
