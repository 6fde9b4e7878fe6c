//! Configurations that are refused, with the reference's words and the place.

use std::path::Path;

use super::*;
use crate::CONFIG_FILE_NAME;

fn load(owner: Owner, text: &str) -> Result<(Option<Config>, Vec<Warning>), Error> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(CONFIG_FILE_NAME);
    std::fs::write(&path, text).unwrap();
    let mut warnings = Vec::new();
    let environment = crate::layers::EnvironmentLayer {
        name: "test".into(),
        root: folder.path().to_owned(),
        data_provider: None,
        datadirs: Vec::new(),
    };
    let machine = hieratic_sandbox::Files::anywhere();
    let deployed = DatadirMap { environment: &environment, machine: &machine };
    let context =
        Context { owner, version: Default::default(), strict: Strict::Warning, codedir: Path::new("/code"), deployed };
    Config::load(&path, &machine, &context, &mut warnings).map(|config| (config, warnings))
}

fn refusal(owner: Owner, text: &str) -> (String, Option<u32>) {
    let error = load(owner, text).map(|_| ()).unwrap_err();
    let message = error.to_string();
    let message = message.split(" (file: ").next().unwrap_or("");
    (message.replace(|c: char| c.is_control(), " "), error.place().and_then(|place| place.line))
}

#[test]
fn errors_have_the_reference_words_and_a_line() {
    let cases = [
        ("version: 2\n", "This runtime does not support hiera.yaml version 2", 1),
        (
            "version: 5\ndefaults: {datadir: x}\nhierarchy:\n  - name: A\n    path: a\n",
            "One of data_hash, lookup_key, data_dig, or hiera3_backend must be defined in hierarchy 'A'",
            4,
        ),
        (
            "version: 5\nhierarchy:\n  - name: A\n    path: a\n    glob: b\n",
            "Only one of path, paths, glob, globs, uri, uris, or mapped_paths can be defined in hierarchy 'A'",
            3,
        ),
        (
            "version: 5\nhierarchy:\n  - name: A\n    data_hash: x\n    lookup_key: y\n",
            "Only one of data_hash, lookup_key, data_dig, or hiera3_backend can be defined in hierarchy 'A'",
            3,
        ),
        (
            "version: 5\nhierarchy:\n  - name: A\n    options:\n      path: x\n",
            "Option key 'path' used in hierarchy 'A' is reserved by Puppet",
            5,
        ),
        (
            "version: 5\ndefaults:\n  data_hash: yaml_data\n  options: {uri: x}\n",
            "Option key 'uri' used in defaults is reserved by Puppet",
            4,
        ),
        ("version: 5\ndefault_hierarchy: []\n", "'default_hierarchy' is only allowed in the module layer", 2),
    ];
    for (text, message, line) in cases {
        assert_eq!(refusal(Owner::Environment, text), (message.to_string(), Some(line)), "{text}");
    }
    let global = refusal(Owner::Global, "version: 4\n");
    assert_eq!(global.0, "hiera.yaml version 4 cannot be used in the global layer");
}

#[test]
fn a_schema_fault_points_at_the_key() {
    let (message, line) = refusal(Owner::Environment, "version: 5\nhierarchy:\n  - name: A\n    pth: a\n");
    assert!(message.ends_with("has wrong type, entry 'hierarchy' index 0 unrecognized key 'pth'"), "{message}");
    assert_eq!(line, Some(4));
}

#[test]
fn missing_arguments_have_defaults() {
    let config = load(Owner::Environment, "version: 5\n").unwrap().0.unwrap();
    assert_eq!(config.hierarchy.len(), 1);
    assert_eq!(&*config.hierarchy[0].function, "yaml_data");
    assert!(load(Owner::Environment, "version: 5\nhierarchy: []\n").unwrap().0.unwrap().hierarchy.is_empty());
}

#[test]
fn an_old_version_is_converted_or_ignored() {
    let (config, warnings) = load(Owner::Environment, "").unwrap();
    assert!(config.is_none() && warnings.len() == 3);
    let (config, warnings) = load(Owner::Global, ":backends: yaml\n").unwrap();
    let config = config.unwrap();
    assert_eq!((config.version, config.hierarchy.len(), warnings.len()), (3, 1, 1));
    let text = "version: 4\nhierarchy:\n  - {name: a, backend: json}\n";
    assert_eq!(load(Owner::Module, text).unwrap().0.unwrap().hierarchy[0].extension.as_deref(), Some(".json"));
}
