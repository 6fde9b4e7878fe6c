//! Compiles recorded control repositories through the library: cycles are those that the agent finds.

use std::path::Path;

use hieratic::catalog::{CatalogEdge, Classification, catalog_difference, cycles};
use hieratic::{Compiler, Environment, Facts, Settings};

fn compiled(files: &serde_json::Value) -> Option<hieratic::Catalog> {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), files);
    let environment = environment(folder.path());
    let compiler = Compiler::new(&environment, environment.language());
    compiler.compile(Facts::named("web01.example.com"), &Classification::default()).catalog.ok()
}

/// The recorded cases of a file.
fn cases(file: &str) -> Vec<serde_json::Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/catalog");
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn write(folder: &Path, files: &serde_json::Value) {
    for (path, text) in files.as_object().unwrap() {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text.as_str().unwrap()).unwrap();
    }
}

fn environment(folder: &Path) -> Environment {
    let settings = Settings {
        environment_dir: Some(folder.to_owned()),
        puppet_version: "7".parse().unwrap(),
        ..Settings::default()
    };
    Environment::open(&settings).unwrap()
}

#[test]
fn cycles_are_those_of_the_agent() {
    let (mut count, mut wrong) = (0, Vec::new());
    for case in cases("written.jsonl") {
        if !case["catalog"].is_object() || case.get("exported").is_some() || case.get("classes").is_some() {
            continue;
        }
        let Some(catalog) = compiled(&case["files"]) else { continue };
        let ours: Vec<String> = cycles(&catalog).iter().map(|cycle| cycle.path.join(" => ")).collect();
        let theirs = case["cycles"].as_array().into_iter().flatten().map(|paths| paths[0].as_str().unwrap().to_owned());
        let theirs: Vec<String> = theirs.collect();
        count += theirs.len();
        if ours != theirs {
            wrong.push(format!("{}\n   ours: {ours:?}\n theirs: {theirs:?}", case["name"]));
        }
    }
    assert!(count > 5, "{count} cycles");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Data names variables of the place in code that asks for it: recorded from Puppet 7.23.
#[test]
fn data_sees_the_variables_of_code() {
    let (mut count, mut wrong) = (0, Vec::new());
    for case in cases("environments/data.jsonl") {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &case["files"]);
        let environment = environment(folder.path());
        let compiler = Compiler::new(&environment, environment.language());
        let facts = Facts::read(case["facts"].to_string().as_bytes(), "facts.json".as_ref()).unwrap();
        let compilation = compiler.compile(Facts::new(Some("web01.example.com"), facts), &Classification::default());
        let logs: Vec<(&str, String)> = compilation.logs.iter().map(|log| (log.level.name(), log.text())).collect();
        let catalog = compilation.catalog.unwrap();
        let parameters: serde_json::Map<String, serde_json::Value> = catalog
            .resources
            .iter()
            .map(|one| {
                let named = one.parameters.iter().map(|one| (one.name.to_string(), one.value.inspect()));
                (one.reference(), serde_json::Value::from_iter(named))
            })
            .collect();
        let theirs: Vec<(&str, String)> =
            case["logs"].as_array().unwrap().iter().map(|log| (text(&log[0]), text(&log[1]).to_owned())).collect();
        if logs != theirs {
            wrong.push(format!("{}\n   ours: {logs:#?}\n theirs: {theirs:#?}", case["name"]));
        }
        for (name, theirs) in case["parameters"].as_object().unwrap() {
            let names = |all: &serde_json::Value| all.as_object().map(|all| all.keys().cloned().collect::<Vec<_>>());
            let ours = parameters.get(name).and_then(names);
            if ours != names(theirs) {
                wrong.push(format!("{}: {name} has {ours:?}, not {theirs}", case["name"]));
            }
        }
        count += theirs.len();
    }
    assert!(count > 30, "{count} messages");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn parameters_know_the_place_in_the_data_that_their_class_sees() {
    let folder = tempfile::tempdir().unwrap();
    let files = serde_json::json!({
        "manifests/site.pp": "node default { $role = 'web' include m }\nclass m($port, $list, $name_of) { $tier = 'a' include n }\nclass n($x) { }",
        "hiera.yaml": "version: 5\nhierarchy:\n  - {name: all, paths: ['%{role}.yaml', '%{m::tier}.yaml', common.yaml]}\n",
        "data/web.yaml": "m::port: 80\nm::list: [1]\n",
        "data/a.yaml": "\nn::x: 1\n",
        "data/common.yaml": "m::port: 1\nm::list: [2]\nlookup_options: {m::list: {merge: unique}}\nm::name_of: \"%{role}\"\nn::x: 2\n",
    });
    write(folder.path(), &files);
    let settings = Settings { environment_dir: Some(folder.path().to_owned()), positions: true, ..Settings::default() };
    let environment = Environment::open(&settings).unwrap();
    let options = hieratic::puppet_eval::Options { data_places: true, ..environment.language() };
    let catalog = Compiler::new(&environment, options)
        .compile(Facts::named("web01.example.com"), &Classification::default())
        .catalog
        .unwrap();
    let place = |class: &str, parameter: &str| {
        let resource = catalog.resources.iter().find(|one| one.reference() == class).unwrap();
        let text = hieratic::catalog::origin_text(&resource.parameter(parameter).unwrap().origin);
        text.replace(&format!("{}/", folder.path().canonicalize().unwrap().display()), "")
            .replace(&format!("{}/", folder.path().display()), "")
    };
    assert_eq!(place("Class[M]", "port"), "data, key m::port, data/web.yaml:1");
    // A value that is merged has several places: this is the first.
    assert_eq!(place("Class[M]", "list"), "data, key m::list, data/web.yaml:2");
    assert_eq!(place("Class[M]", "name_of"), "data, key m::name_of, data/common.yaml:4");
    assert_eq!(place("Class[N]", "x"), "data, key n::x, data/a.yaml:2");
}

fn text(value: &serde_json::Value) -> &str {
    value.as_str().unwrap()
}

#[test]
fn catalogs_are_compared() {
    let catalog = |code: &str| compiled(&serde_json::json!({ "manifests/site.pp": code })).unwrap();
    let before = catalog("notify { 'a': message => 'x' } notify { 'gone': } file { '/f': mode => '0644' }");
    let after =
        catalog("notify { 'a': message => 'y', loglevel => 'err' } notify { 'new': } file { '/f': mode => '0644' }");
    let found = catalog_difference(&before, &after);
    assert_eq!((found.added, found.removed), (vec!["Notify[new]".to_owned()], vec!["Notify[gone]".to_owned()]));
    let changed: Vec<String> = found.changed.iter().map(|one| one.reference.clone()).collect();
    assert_eq!(changed, ["Notify[a]"]);
    let names: Vec<&str> = found.changed[0].parameters.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["message", "loglevel"]);
    assert_eq!(found.added_edges, [CatalogEdge { from: "Class[main]".to_owned(), to: "Notify[new]".to_owned() }]);
    assert!(catalog_difference(&before, &before).is_empty());
}
