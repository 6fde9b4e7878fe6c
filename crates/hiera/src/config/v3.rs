//! `hiera.yaml` version 3, which the global layer may still have.
//!
//! Every backend becomes a level that reads the whole hierarchy of files with its extension.

use hieratic_puppet_types as pcore;
use hieratic_value::{Hash, Str, Value};

use super::context::{Context, Owner};
use super::hierarchy::{Config, Datadir, FunctionKind, Level, Locations};
use super::schema;
use super::source::{Source, hash, text, texts};
use crate::codes;
use crate::{Error, Strict, Warning};
use hieratic_sandbox::SlashPath as _;

/// Reads a file of version 3. `None` if the layer ignores it.
pub(super) fn read(source: &Source, context: &Context<'_>) -> Result<Option<Config>, Error> {
    let mut config = source.value.clone().into_map();
    let mut default = |key: &str, value: Value| {
        let given = config.get(&Value::from(key)).is_some_and(Value::is_truthy);
        if !given {
            config.insert(key.into(), value);
        }
    };
    default("version", 3.into());
    default("backends", vec![Value::from("yaml")].into());
    default("hierarchy", vec![Value::from("nodes/%{::trusted.certname}"), "common".into()].into());
    default("merge_behavior", "native".into());
    default("deep_merge_options", Hash::default().into());
    let config = Hash::from(config);
    let backends = texts(config.get("backends").unwrap_or(&Value::Undef));
    validate(source, &config, &backends)?;
    if context.owner != Owner::Global {
        if context.strict == Strict::Error {
            let message = format!("hiera.yaml version 3 cannot be used in {}", place_of(context.owner));
            return Err(source
                .fail(codes::CONFIG_VERSION, message, &["version"])
                .help("convert the file to version 5"));
        }
        return Ok(None);
    }
    let default_datadir: Str = context.codedir.join("environments/%{::environment}/hieradata").to_slashes().into();
    let paths = texts(config.get("hierarchy").unwrap_or(&Value::Undef));
    let mut hierarchy = Vec::new();
    let mut error = None;
    for (index, backend) in backends.iter().enumerate() {
        let settings = hash(&config, backend);
        let (kind, function, default_extension) = match &**backend {
            "yaml" => (FunctionKind::DataHash, "yaml_data", "yaml"),
            "json" => (FunctionKind::DataHash, "json_data", "json"),
            "hocon" => (FunctionKind::DataHash, "hocon_data", "conf"),
            "eyaml" => (FunctionKind::LookupKey, "eyaml_lookup_key", "eyaml"),
            other => {
                let message = format!("The Hiera 3 backend '{other}' is Ruby code, which Hieratic cannot run");
                error.get_or_insert(
                    source
                        .fail(codes::CONFIG_HIERA3_BACKEND, message, &["backends", &index.to_string()])
                        .help("convert the file to version 5 and name an executable for it in hieratic.yaml"),
                );
                continue;
            }
        };
        if backends[..index].contains(backend) {
            let first = backends.iter().position(|other| other == backend).unwrap_or(index).to_string();
            let at = |index: &str| source.place(&["backends", index]);
            let (first, second) = (at(&first), at(&index.to_string()));
            let earlier = match (first.line, second.line) {
                (Some(a), Some(b)) if a != b => format!(" First defined at (line: {a})"),
                _ => String::new(),
            };
            let message = format!("Backend '{backend}' is defined more than once.{earlier}");
            error.get_or_insert(source.fail_at(codes::CONFIG_DUPLICATE, message, second));
            continue;
        }
        let extension = text(&settings, "extension").unwrap_or_else(|| default_extension.into());
        hierarchy.push(Level {
            name: backend.clone(),
            kind,
            function: function.into(),
            datadir: Datadir::Interpolated(text(&settings, "datadir").unwrap_or_else(|| default_datadir.clone())),
            locations: Locations::Paths(paths.clone()),
            extension: Some(format!(".{extension}").into()),
            options: if kind == FunctionKind::LookupKey { without_datadir(&settings) } else { Hash::default() },
            place: Some(source.place(&["backends", &index.to_string()])),
        });
    }
    Ok(Some(Config {
        path: Some(source.path.clone()),
        source: Some(source.text.clone()),
        version: 3,
        hierarchy,
        default_hierarchy: None,
        fault: error,
    }))
}

/// The warning of a file that the layer ignores.
pub(super) fn ignored(source: &Source, context: &Context<'_>) -> Warning {
    let root = if context.owner == Owner::Module { "module root" } else { "the environment root" };
    Warning::at_file(format!("hiera.yaml version 3 found at {root} was ignored"), &source.path)
}

fn place_of(owner: Owner) -> &'static str {
    match owner {
        Owner::Module => "a module",
        _ => "an environment",
    }
}

fn without_datadir(settings: &Hash) -> Hash {
    settings
        .iter()
        .filter(|(key, _)| !matches!(key.as_str(), Some("datadir" | "extension")))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

fn validate(source: &Source, config: &Hash, backends: &[Str]) -> Result<(), Error> {
    let settings: String = backends
        .iter()
        .map(|backend| format!(",Optional['{}']=>Hash[String[1],Any]", backend.replace(['\\', '\''], "")))
        .collect();
    let expected = format!(
        "Struct[{{Optional[version]=>Integer[3,3],Optional[backends]=>Variant[String[1],Array[String[1]]],\
         Optional[logger]=>String[1],Optional[merge_behavior]=>Enum[deep,deeper,native],\
         Optional[deep_merge_options]=>Hash[String[1],Variant[String,Boolean]],\
         Optional[hierarchy]=>Variant[String[1],Array[String[1]]]{settings}}}]"
    );
    match pcore::parse(&expected) {
        Ok(expected) => schema::check(source, &expected, config),
        Err(error) => Err(Error::puppet(codes::CONFIG_SCHEMA, error.to_string()).at(source.place(&["backends"]))),
    }
}
