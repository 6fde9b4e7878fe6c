//! The library as a program uses it.

use std::fs;
use std::path::Path;

use hieratic::{Environment, Error, Facts, Hash, Node, Query, Settings, Strategy, Value};

fn repository(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        write(folder.path(), name, text);
    }
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn open(folder: &Path) -> Environment {
    let settings = Settings {
        environment_dir: Some(folder.to_path_buf()),
        hiera_config: Some(folder.join("no-global-hiera.yaml")),
        ..Settings::default()
    };
    Environment::open(&settings).unwrap()
}

fn node(environment: &Environment, name: &str) -> Node {
    environment.node(&Facts::named(name)).unwrap()
}

const HIERA: &str =
    "version: 5\nhierarchy:\n  - {name: N, path: '%{trusted.certname}.yaml'}\n  - {name: C, path: c.yaml}\n";

#[test]
fn the_name_of_an_environment_is_not_a_path() {
    let folder = repository(&[("hiera.yaml", HIERA), ("data/c.yaml", "k: found\n")]);
    let named = |name: &str| {
        let environment_dir = Some(folder.path().to_path_buf());
        Environment::open(&Settings { environment_dir, environment: Some(name.into()), ..Settings::default() })
    };
    for name in ["../../etc", "a/b", "..", "", "Production", "a b", "caf\u{e9}"] {
        let error = named(name).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), format!("an environment cannot have the name '{name}'"));
    }
    assert_eq!(named("feature_12").unwrap().name(), "feature_12");
}

#[test]
fn defaults_stand_in_their_order() {
    let folder = repository(&[("hiera.yaml", HIERA), ("data/c.yaml", "k: found\n")]);
    let environment = open(folder.path());
    let node = node(&environment, "a.example.com");
    let defaults: Hash = [("gone", Value::from("from the hash"))].into_iter().collect();
    let query = Query { default_values: defaults, default: Some("default".into()), ..Query::new("gone") };
    assert_eq!(node.lookup(&query), Ok(Value::from("from the hash")));
    let query = Query { default: Some("default".into()), ..Query::new("gone") };
    assert_eq!(node.lookup(&query), Ok(Value::from("default")));
    let mut requested = Vec::new();
    let answer = node.lookup_or(&query, &mut |names| {
        requested.extend(names.iter().map(ToString::to_string));
        Some("from the block".into())
    });
    assert_eq!((answer, requested), (Ok(Value::from("from the block")), vec!["gone".to_string()]));
    let overrides: Hash = [("k", Value::from("given"))].into_iter().collect();
    assert_eq!(node.lookup(&Query { overrides, ..Query::new("k") }), Ok(Value::from("given")));
    let missing = node.lookup(&Query::new("gone"));
    assert_eq!(missing.as_ref().map_err(Error::code).err(), Some(Node::NOT_FOUND));
}

#[test]
fn the_first_of_several_keys_answers() {
    let folder = repository(&[("hiera.yaml", HIERA), ("data/c.yaml", "b: 2\nc: 3\n")]);
    let environment = open(folder.path());
    let node = node(&environment, "a.example.com");
    let query = Query { names: vec!["a", "b", "c"], ..Query::default() };
    assert_eq!(node.lookup(&query), Ok(Value::from(2)));
    assert_eq!(node.lookup_traced(&query).unwrap().key.as_deref(), Some("b"));
}

#[test]
fn one_environment_serves_many_threads() {
    let mut files = vec![("hiera.yaml".to_string(), HIERA.to_string())];
    files.push(("data/c.yaml".into(), "l: [common]\nt: 'at %{trusted.certname}'\n".into()));
    files.extend((0..8).map(|n| (format!("data/n{n}.example.com.yaml"), format!("l: [n{n}]\n"))));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = repository(&files);
    let environment = open(folder.path());
    std::thread::scope(|scope| {
        for n in 0..8 {
            let environment = &environment;
            scope.spawn(move || {
                let name = format!("n{n}.example.com");
                for _ in 0..50 {
                    let node = node(environment, &name);
                    let unique = Strategy::parse(&"unique".into()).unwrap();
                    let list = node.lookup(&Query { merge: Some(unique), ..Query::new("l") }).unwrap();
                    assert_eq!(list.inspect(), format!("[\"n{n}\", \"common\"]"));
                    assert_eq!(node.lookup(&Query::new("t")), Ok(Value::from(format!("at {name}"))));
                }
            });
        }
    });
}

#[test]
fn a_file_is_read_again_only_when_it_has_changed() {
    let folder = repository(&[("hiera.yaml", HIERA), ("data/c.yaml", "k: one\n")]);
    let environment = open(folder.path());
    let before = node(&environment, "a.example.com");
    assert_eq!(before.lookup(&Query::new("k")), Ok(Value::from("one")));
    write(folder.path(), "data/c.yaml", "k: three\nlookup_options: {k: {convert_to: Array}}\n");
    // A node is a snapshot; the next one sees the change.
    assert_eq!(before.lookup(&Query::new("k")), Ok(Value::from("one")));
    let after = node(&environment, "a.example.com");
    assert_eq!(after.lookup(&Query::new("k")).unwrap().inspect(), r#"["t", "h", "r", "e", "e"]"#);
}

#[test]
fn merges_that_nodes_share_follow_their_sources() {
    let hiera = "version: 5\nhierarchy:\n  - {name: N, path: '%{trusted.certname}.yaml'}\n  - {name: A, path: a.yaml}\n  - {name: B, path: b.yaml}\n";
    let folder = repository(&[
        ("hiera.yaml", hiera),
        ("data/a.yaml", "lookup_options: {h: {merge: deep}}\nh: {x: [1]}\n"),
        ("data/b.yaml", "h: {x: [2], y: 1}\n"),
        ("data/special.example.com.yaml", "h: {z: 9}\n"),
    ]);
    let environment = open(folder.path());
    let ask = |name: &str| node(&environment, name).lookup(&Query::new("h")).unwrap().inspect();
    for _ in 0..2 {
        assert_eq!(ask("a.example.com"), r#"{"x"=>[2, 1], "y"=>1}"#);
        assert_eq!(ask("special.example.com"), r#"{"x"=>[2, 1], "y"=>1, "z"=>9}"#);
    }
    write(folder.path(), "data/b.yaml", "h: {x: [33], y: 1}\n");
    assert_eq!(ask("a.example.com"), r#"{"x"=>[33, 1], "y"=>1}"#);
}

const WITH_DIRECTIVES: &str = "version: 5\nhierarchy:\n  - name: N\n    path: n.yaml\n    data_hash: yaml_data\n    \
                               options: {directives: true}\n  - {name: C, path: c.yaml}\n";

#[test]
fn directives_in_data_are_expanded_before_anything_else() {
    let folder = repository(&[
        ("hiera.yaml", WITH_DIRECTIVES),
        (
            "data/n.yaml",
            "base:\n  mode: 0644\n  host: '%{trusted.certname}'\nweb:\n  +/base:\n  +include: shared/w.yaml\n",
        ),
        ("data/shared/w.yaml", "tls:\n  port: 443\n"),
        ("data/c.yaml", "web: {extra: yes}\n"),
    ]);
    let settings = Settings {
        environment_dir: Some(folder.path().to_path_buf()),
        hiera_config: Some(folder.path().join("no-global-hiera.yaml")),
        positions: true,
        ..Settings::default()
    };
    let environment = Environment::open(&settings).unwrap();
    let merge = Some(Strategy::parse(&"deep".into()).unwrap());
    let query = Query { merge, ..Query::new("web") };
    let first = node(&environment, "a.example.com");
    let value = first.lookup(&query).unwrap();
    assert_eq!(value.inspect(), r#"{"extra"=>true, "tls"=>{"port"=>443}, "mode"=>420, "host"=>"a.example.com"}"#);
    // A file that is included is looked at again like the data file itself.
    write(folder.path(), "data/shared/w.yaml", "tls:\n  port: 8443\n");
    let value = node(&environment, "a.example.com").lookup(&query).unwrap();
    assert!(value.inspect().contains("8443"), "{}", value.inspect());
}

#[test]
fn faults_of_directives_in_data_have_their_place() {
    let folder = repository(&[("hiera.yaml", WITH_DIRECTIVES), ("data/n.yaml", "base: {}\nweb:\n  +/bse:\n")]);
    let environment = open(folder.path());
    let error = node(&environment, "a.example.com").lookup(&Query::new("web")).unwrap_err();
    assert!(error.to_string().contains("missing includes: ['+/bse:']"), "{error}");
    assert_eq!(error.place().and_then(|place| place.line), Some(3));
    assert_eq!(error.help_text(), Some("did you mean 'base'?"));
}

#[test]
fn other_options_are_refused_as_by_the_reference() {
    let config = WITH_DIRECTIVES.replace("directives: true", "other: true");
    let folder = repository(&[("hiera.yaml", &config), ("data/n.yaml", "k: 1\n")]);
    let error = node(&open(folder.path()), "a.example.com").lookup(&Query::new("k")).unwrap_err();
    assert!(error.to_string().contains("must be declared in hiera.yaml"), "{error}");
}

/// A hierarchy whose only level is a function.
const FUNCTION: &str = "version: 5\nhierarchy:\n  - {name: F, lookup_key: 'site::answer', path: words.txt}\n";

#[test]
fn a_changed_function_is_seen_by_the_next_node() {
    let file = "modules/site/functions/answer.pp";
    let function = |answer: &str| {
        format!(
            "function site::answer(String $key, Hash $options, Puppet::LookupContext $context) {{\n  if $key == 'k' {{ \
             {answer} }} else {{ $context.not_found }}\n}}\n"
        )
    };
    let folder = repository(&[("hiera.yaml", FUNCTION), (file, &function("1")), ("data/words.txt", "words")]);
    let environment = open(folder.path());
    let settle = || std::thread::sleep(std::time::Duration::from_millis(40));
    settle();
    let ask = || node(&environment, "a.example.com").lookup(&Query::new("k"));
    assert_eq!((ask(), ask()), (Ok(1.into()), Ok(1.into())));
    write(folder.path(), file, &function("2"));
    settle();
    assert_eq!((ask(), ask()), (Ok(2.into()), Ok(2.into())));
    write(folder.path(), file, &function("3 +"));
    settle();
    // What is wrong with a file is told as often as it is asked.
    assert_eq!(ask().unwrap_err().to_string(), ask().unwrap_err().to_string());
    assert!(ask().unwrap_err().to_string().contains("Syntax error"), "{:?}", ask());
    fs::remove_file(folder.path().join(file)).unwrap();
    settle();
    assert!(ask().unwrap_err().to_string().contains("Unable to find 'lookup_key' function"), "{:?}", ask());
}

#[test]
fn a_result_from_a_file_and_a_secret_is_secret_for_all_nodes() {
    let function = "function site::answer(String $key, Hash $options, Puppet::LookupContext $context) {\n  if $key == \
                    'k' { $context.cached_file_data($options['path']) |$text| { \"${text} ${lookup('s').unwrap}\" } } else { \
                    $context.not_found }\n}\n";
    let hiera = format!("{FUNCTION}  - {{name: C, path: c.yaml}}\n");
    let folder = repository(&[
        ("hiera.yaml", &hiera),
        ("modules/site/functions/answer.pp", function),
        ("data/words.txt", "words"),
        ("data/c.yaml", "s: canary\nlookup_options: {s: {convert_to: Sensitive}}\n"),
    ]);
    let environment = open(folder.path());
    std::thread::sleep(std::time::Duration::from_millis(40));
    for name in ["a.example.com", "b.example.com"] {
        let node = node(&environment, name);
        assert_eq!(node.lookup_redacted(&Query::new("k")), Ok(Value::from("Sensitive [value redacted]")), "{name}");
        assert_eq!(node.lookup(&Query::new("k")), Ok(Value::from("words canary")), "{name}");
    }
}
