//! `hiera.yaml` version 4, which environments and modules may still have.

use std::sync::LazyLock;

use hieratic_puppet_types::{self as pcore, Type};
use hieratic_value::{Hash, Value};

use super::hierarchy::{Config, Datadir, FunctionKind, Level, Locations};
use super::schema;
use super::source::{Source, text, texts};
use crate::Error;
use crate::codes;
use crate::paths::join;
use hieratic_sandbox::SlashPath as _;

static SCHEMA: LazyLock<Type> = LazyLock::new(|| {
    // A constant, which a test parses.
    pcore::parse(
        "Struct[{version=>Integer[4,4],Optional[datadir]=>String[1],Optional[hierarchy]=>Array[Struct[{\
         backend=>String[1],name=>String[1],Optional[datadir]=>String[1],Optional[path]=>String[1],\
         Optional[paths]=>Array[String[1]]}]]}]",
    )
    .unwrap_or(Type::Any)
});

/// Validates a file of version 4 and adds the defaults.
pub(super) fn validate(source: &Source) -> Result<Hash, Error> {
    let mut config = source.value.clone().into_map();
    let missing =
        |config: &hieratic_value::Map, key: &str| !config.get(&Value::from(key)).is_some_and(Value::is_truthy);
    if missing(&config, "datadir") {
        config.insert("datadir".into(), "data".into());
    }
    if missing(&config, "hierarchy") {
        let level: Hash = [("name", Value::from("common")), ("backend", "yaml".into())].into_iter().collect();
        config.insert("hierarchy".into(), vec![Value::from(level)].into());
    }
    let config = Hash::from(config);
    schema::check(source, &SCHEMA, &config)?;
    Ok(config)
}

/// Reads a file of version 4.
pub(super) fn read(source: &Source) -> Result<Config, Error> {
    let config = validate(source)?;
    let default_datadir = text(&config, "datadir").unwrap_or_else(|| "data".into());
    let mut hierarchy = Vec::new();
    let mut error = None;
    let levels = config.get("hierarchy").and_then(Value::as_array).unwrap_or_default();
    for (index, level) in levels.iter().enumerate() {
        let Some(level) = level.as_hash() else { continue };
        let index = index.to_string();
        let name = text(level, "name").unwrap_or_default();
        let backend = text(level, "backend").unwrap_or_default();
        let (function, extension) = match &*backend {
            "yaml" => ("yaml_data", ".yaml"),
            "json" => ("json_data", ".json"),
            "hocon" => ("hocon_data", ".conf"),
            other => {
                let message = format!("No data provider is registered for backend '{other}'");
                let place = source.place(&["hierarchy", &index, "backend"]);
                error.get_or_insert(
                    source
                        .fail_at(codes::CONFIG_BACKEND, message, place)
                        .help("version 4 supports yaml, json and hocon; version 5 supports any function"),
                );
                continue;
            }
        };
        let paths = match level.get("paths") {
            Some(paths) if paths.is_truthy() => texts(paths),
            _ => vec![text(level, "path").unwrap_or_else(|| name.clone())],
        };
        let datadir = text(level, "datadir").unwrap_or_else(|| default_datadir.clone());
        hierarchy.push(Level {
            name,
            kind: FunctionKind::DataHash,
            function: function.into(),
            datadir: Datadir::Plain(join(&source.root, &datadir).to_slashes().into()),
            locations: Locations::Paths(paths),
            extension: Some(extension.into()),
            options: Hash::default(),
            place: Some(source.place(&["hierarchy", &index, "name"])),
        });
    }
    Ok(Config {
        path: Some(source.path.clone()),
        source: Some(source.text.clone()),
        version: 4,
        hierarchy,
        default_hierarchy: None,
        fault: error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_well_formed() {
        assert!(*SCHEMA != Type::Any);
    }
}
