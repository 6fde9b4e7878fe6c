//! Plans on small repositories: their files, their proofs and their errors; and on random ones, that no answer and no
//! other byte changes.

use std::collections::BTreeMap;
use std::path::Path;

use hieratic::sandbox::{Memory, Mounted};
use hieratic::{Environment, Facts, Hash, Limits, Query, Redactor, Settings, Value};
use hieratic_refactor::{
    Plan, PlanError, Proof, TypePlan, hoist, lower, merge_levels, prune, relocate, rename, split, types,
};
use proptest::prelude::*;

const ROOT: &str = "/repository";
const HIERA: (&str, &str) = (
    "hiera.yaml",
    "version: 5\nhierarchy:\n  - {name: Node, path: 'nodes/%{trusted.certname}.yaml'}\n  - {name: Role, path: 'roles/%{facts.role}.yaml'}\n  - {name: Common, path: common.yaml}\n",
);

type Texts = BTreeMap<String, String>;

fn texts(files: &[(&str, &str)]) -> Texts {
    files.iter().chain([&HIERA]).map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

fn settings(texts: &Texts) -> Settings {
    let mut memory = Memory::default();
    for (path, text) in texts {
        memory.insert(path, text.as_bytes().to_vec());
    }
    Settings {
        environment_dir: Some(ROOT.into()),
        hiera_config: Some("/nowhere/hiera.yaml".into()),
        codedir: Some("/nowhere".into()),
        confdir: Some("/nowhere".into()),
        tree: Some(Mounted::new(ROOT, memory)),
        ..Settings::default()
    }
}

fn nodes() -> Vec<Facts> {
    let node =
        |name: &str, role: &str| Facts::new(Some(name), [("role", Value::from(role))].into_iter().collect::<Hash>());
    vec![node("web01", "web"), node("web02", "web"), node("db01", "db")]
}

/// The files after a plan.
fn applied(texts: &Texts, plan: &Plan) -> Texts {
    let mut after = texts.clone();
    for (path, change) in plan.changes() {
        after.insert(path.strip_prefix(ROOT).unwrap().display().to_string(), change.after.clone());
    }
    after
}

fn proof(texts: &Texts, plan: &Plan) -> Proof {
    plan.proof(&settings(texts), &nodes(), Limits::default(), &Redactor::default(), &()).unwrap()
}

/// The new contents of the files that a plan changes, by name.
fn changed(plan: Result<Plan, PlanError>) -> Vec<(String, String)> {
    let plan = plan.unwrap();
    plan.changes().map(|(path, change)| (plan.shown(path), change.after.clone())).collect()
}

fn pair(path: &str, text: &str) -> (String, String) {
    (path.to_owned(), text.to_owned())
}

#[test]
fn a_key_is_renamed_in_all_lookups() {
    let texts = texts(&[
        (
            "data/common.yaml",
            "# ports\na::port: 80 # a::port\n\"b\": \"%{lookup('a::port')} a::port\"\nlookup_options:\n  a::port: {convert_to: Integer}\n  '^a::': {merge: first}\n",
        ),
        ("data/nodes/web01.yaml", "'a::port': '81'\n"),
        ("data/roles/web.json", "{}\n"),
        (
            "manifests/site.pp",
            "$x = lookup('a::port', Integer) # a::port\n$y = lookup(\"a::port\")\nnotice('a::port')\n",
        ),
        ("modules/b/templates/x.epp", "<%= lookup('a::port') %>\n"),
    ]);
    let plan = rename(&settings(&texts), "a::port", "a::listen").unwrap();
    let all: Texts = changed(Ok(plan.clone())).into_iter().collect();
    assert_eq!(
        all["data/common.yaml"],
        "# ports\na::listen: 80 # a::port\n\"b\": \"%{lookup('a::listen')} a::port\"\nlookup_options:\n  a::listen: {convert_to: Integer}\n  '^a::': {merge: first}\n"
    );
    assert_eq!(all["data/nodes/web01.yaml"], "'a::listen': '81'\n");
    assert_eq!(
        all["manifests/site.pp"],
        "$x = lookup('a::listen', Integer) # a::port\n$y = lookup(\"a::listen\")\nnotice('a::port')\n"
    );
    assert_eq!(all["modules/b/templates/x.epp"], "<%= lookup('a::listen') %>\n");
    assert_eq!(plan.warnings, ["manifests/site.pp:3 still uses 'a::port'"]);
    assert!(proof(&texts, &plan).holds());
}

#[test]
fn a_pattern_that_no_longer_matches_is_a_warning() {
    let texts = texts(&[
        ("data/common.yaml", "a::x: [1]\nlookup_options:\n  '^a::': {merge: unique}\n"),
        ("data/nodes/web01.yaml", "a::x: [2]\n"),
    ]);
    let plan = rename(&settings(&texts), "a::x", "b::x").unwrap();
    let proof = proof(&texts, &plan);
    let surprise = &proof.unexpected[0];
    assert_eq!((surprise.key.as_str(), surprise.nodes.as_slice()), ("b::x", [0].as_slice()));
}

#[test]
fn a_parameter_is_renamed_with_its_variable() {
    let class = "class web (\n  Integer $port = 80,\n  String $url = \"http://x:${port}\",\n) {\n  $portal = 1\n  notice($port, \"$port ${port} ${$port + 1}\", $web::port)\n  [1].each |$i| { notice($port) }\n}\n";
    let texts = texts(&[
        ("data/common.yaml", "web::port: 81\n"),
        ("modules/web/manifests/init.pp", class),
        ("manifests/site.pp", "class { 'web': port => 1 }\nnotice($::web::port, $web::portal)\n"),
        ("modules/web/templates/a.erb", "<%= @port %> <%= scope['web::port'] %>\n"),
    ]);
    let plan = rename(&settings(&texts), "web::port", "web::listen").unwrap();
    let all: Texts = changed(Ok(plan.clone())).into_iter().collect();
    assert_eq!(
        all["modules/web/manifests/init.pp"],
        "class web (\n  Integer $listen = 80,\n  String $url = \"http://x:${listen}\",\n) {\n  $portal = 1\n  notice($listen, \"$listen ${listen} ${$listen + 1}\", $web::listen)\n  [1].each |$i| { notice($listen) }\n}\n"
    );
    assert_eq!(all["manifests/site.pp"], "class { 'web': listen => 1 }\nnotice($::web::listen, $web::portal)\n");
    assert_eq!(all["modules/web/templates/a.erb"], "<%= @port %> <%= scope['web::listen'] %>\n");
    assert_eq!(plan.warnings, ["modules/web/templates/a.erb:1 uses @port"]);
    for (new, expected) in [
        ("b::port", "cannot become"),
        ("web::url", "already has a parameter"),
        ("web::portal", "already has a variable"),
        ("web::Port", "cannot be the name"),
    ] {
        let error = rename(&settings(&texts), "web::port", new).unwrap_err();
        assert!(error.message.contains(expected), "{new}: {}", error.message);
    }
}

#[test]
fn a_parameter_is_renamed_in_its_documentation() {
    let class = "# @param other port\n\n# Serves, at a port.\n# @param port The port.\n# @param [Integer] port\n# @param ports Others.\n# [*port*] again\nclass web ($port, $ports) { }\n";
    let texts = texts(&[("data/common.yaml", "web::port: 81\n"), ("modules/web/manifests/init.pp", class)]);
    let all: Texts = changed(rename(&settings(&texts), "web::port", "web::listen")).into_iter().collect();
    assert_eq!(
        all["modules/web/manifests/init.pp"],
        "# @param other port\n\n# Serves, at a port.\n# @param listen The port.\n# @param [Integer] listen\n# @param ports Others.\n# [*listen*] again\nclass web ($listen, $ports) { }\n"
    );
}

#[test]
fn unsupported_renames_are_errors() {
    let texts = texts(&[("data/common.yaml", "a: 1\nb: 2\n")]);
    for (old, new, expected) in [
        ("x", "y", "nothing has the key 'x'"),
        ("a", "b", "data/common.yaml already has the key 'b'"),
        ("a", "a", "both names are the same"),
        ("a", "%{x}", "cannot be the name"),
        ("lookup_options", "y", "cannot be the name"),
    ] {
        let error = rename(&settings(&texts), old, new).unwrap_err();
        assert!(error.message.contains(expected), "{old}: {}", error.message);
    }
}

#[test]
fn a_key_moves_with_its_comment() {
    let texts = texts(&[
        ("data/common.yaml", "---\n# all of it\n\n# why\n# so\na:\n  - 1 # one\n  - ENC[PKCS7,MIIB==]\n\nb: 2\n"),
        ("data/roles/web.yaml", "c: 3"),
        ("data/roles/db.yaml", "c: 3\r\n"),
    ]);
    let to = |file: &str| format!("{ROOT}/{file}");
    let plan = relocate(&settings(&texts), "a", &to("data/roles/web.yaml"), None).unwrap();
    assert_eq!(
        changed(Ok(plan.clone())),
        [
            pair("data/common.yaml", "---\n# all of it\n\n\nb: 2\n"),
            pair("data/roles/web.yaml", "c: 3\n# why\n# so\na:\n  - 1 # one\n  - ENC[PKCS7,MIIB==]\n"),
        ]
    );
    let unexpected = proof(&texts, &plan).unexpected;
    assert_eq!((unexpected[0].key.as_str(), unexpected[0].nodes.as_slice()), ("a", [2].as_slice()));
    assert_eq!(
        changed(relocate(&settings(&texts), "b", &to("data/new.yaml"), None))[1],
        pair("data/new.yaml", "---\nb: 2\n")
    );
    assert_eq!(
        changed(relocate(&settings(&texts), "b", &to("data/roles/db.yaml"), None))[1],
        pair("data/roles/db.yaml", "c: 3\r\nb: 2\r\n")
    );
    for (key, file, expected) in [
        ("c", "data/common.yaml", "2 files have the key 'c'"),
        ("x", "data/common.yaml", "no data file has the key 'x'"),
        ("a", "data/common.yaml", "is in data/common.yaml already"),
    ] {
        let error = relocate(&settings(&texts), key, &to(file), None).unwrap_err();
        assert!(error.message.contains(expected), "{key}: {}", error.message);
    }
    assert!(relocate(&settings(&texts), "a", "Comon", None).unwrap_err().help.contains("Common"));
}

#[test]
fn keys_move_between_braces_and_lines() {
    let texts = texts(&[
        ("data/common.yaml", "a: 1\n# why\nb: [x, {y: '#'}]\nc: [1, # one\n  2]\nf: [x, {y: '#'}]\n"),
        ("data/roles/web.yaml", "{d: 3, 'e': 'x # y'}\n"),
        ("data/roles/db.yaml", "{\"d\": 3}\n"),
    ]);
    let to = |file: &str| format!("{ROOT}/{file}");
    let moved = |key: &str, from: &str, file: &str| {
        let from = Path::new(ROOT).join(from);
        relocate(&settings(&texts), key, &to(file), Some(&from))
    };
    assert_eq!(
        changed(moved("f", "data/common.yaml", "data/roles/web.yaml")),
        [
            pair("data/common.yaml", "a: 1\n# why\nb: [x, {y: '#'}]\nc: [1, # one\n  2]\n"),
            pair("data/roles/web.yaml", "{d: 3, 'e': 'x # y', f: [x, {y: '#'}]}\n"),
        ]
    );
    assert_eq!(
        changed(moved("e", "data/roles/web.yaml", "data/common.yaml")),
        [
            pair(
                "data/common.yaml",
                "a: 1\n# why\nb: [x, {y: '#'}]\nc: [1, # one\n  2]\nf: [x, {y: '#'}]\ne: 'x # y'\n"
            ),
            pair("data/roles/web.yaml", "{d: 3}\n"),
        ]
    );
    assert_eq!(
        changed(moved("a", "data/common.yaml", "data/roles/db.yaml"))[1],
        pair("data/roles/db.yaml", "{\"d\": 3, \"a\": 1}\n")
    );
    for key in ["b", "c"] {
        let error = moved(key, "data/common.yaml", "data/roles/web.yaml").unwrap_err();
        assert!(error.message.contains("comment"), "{}", error.message);
    }
}

#[test]
fn a_duplicate_key_does_not_block_other_moves() {
    let texts = texts(&[
        ("data/common.yaml", "twice: 1\nx: &x [1]\n# why\na: 1\ny: *x\ntwice: 2\n---\nother: 1\n"),
        ("data/roles/web.yaml", "b: 1\n...\n"),
    ]);
    let to = format!("{ROOT}/data/roles/web.yaml");
    assert_eq!(
        changed(relocate(&settings(&texts), "a", &to, None)),
        [
            pair("data/common.yaml", "twice: 1\nx: &x [1]\ny: *x\ntwice: 2\n---\nother: 1\n"),
            pair("data/roles/web.yaml", "b: 1\n# why\na: 1\n...\n"),
        ]
    );
    assert!(relocate(&settings(&texts), "twice", &to, None).is_err());
    assert!(rename(&settings(&texts), "twice", "once").is_err());
}

#[test]
fn keys_are_indented_as_their_new_file_is() {
    let texts = texts(&[
        ("data/common.yaml", "a: 1\n# why\nb:\n- x\n\n- |\n  y\n   z\n"),
        ("data/roles/web.yaml", "---\n  c:\n    - d\n"),
    ]);
    let to = |file: &str| format!("{ROOT}/{file}");
    assert_eq!(
        changed(relocate(&settings(&texts), "b", &to("data/roles/web.yaml"), None))[1],
        pair("data/roles/web.yaml", "---\n  c:\n    - d\n  # why\n  b:\n  - x\n\n  - |\n    y\n     z\n")
    );
    assert_eq!(
        changed(relocate(&settings(&texts), "c", &to("data/common.yaml"), None))[0],
        pair("data/common.yaml", "a: 1\n# why\nb:\n- x\n\n- |\n  y\n   z\nc:\n  - d\n")
    );
}

#[test]
fn a_value_that_all_roles_have_rises_to_the_common_level() {
    let texts = texts(&[
        ("data/roles/web.yaml", "# from the web\na: 1\n"),
        ("data/roles/db.yaml", "a: 1\nb: 2\n"),
        ("data/common.yaml", "c: 3\n"),
    ]);
    let plans = hoist(&settings(&texts), "a").unwrap();
    assert_eq!(plans.len(), 1);
    assert!(proof(&texts, &plans[0]).holds());
    let after = applied(&texts, &plans[0]);
    assert_eq!(after["data/common.yaml"], "c: 3\na: 1\n");
    assert_eq!(after["data/roles/db.yaml"], "b: 2\n");
    // Web servers alone have it: all others would get it.
    let alone: Texts =
        texts.iter().filter(|(path, _)| !path.ends_with("db.yaml")).map(|(p, t)| (p.clone(), t.clone())).collect();
    let plans = hoist(&settings(&alone), "a").unwrap();
    assert_eq!(proof(&alone, &plans[0]).unexpected[0].nodes, [2]);
    let lowered = lower(&settings(&after), "a", "Role", None, &nodes()).unwrap();
    assert!(proof(&after, &lowered).holds());
    assert_eq!(applied(&after, &lowered)["data/roles/db.yaml"], "b: 2\na: 1\n");
}

#[test]
fn pruning_removes_entries_and_keeps_comments() {
    let texts = texts(&[
        ("data/nodes/web01.yaml", "# mine\na: 1\nb:\n  x: 1\n"),
        ("data/roles/web.yaml", "c: 1\n"),
        ("data/roles/db.yaml", "c: 2\n"),
        ("data/common.yaml", "a: 1\nc: 3 # never\n"),
    ]);
    let pruned = prune(&settings(&texts), &nodes(), false).unwrap();
    assert!(proof(&texts, &pruned.plan).holds());
    assert_eq!(
        changed(Ok(pruned.plan)),
        [pair("data/common.yaml", "a: 1\n"), pair("data/nodes/web01.yaml", "# mine\nb:\n  x: 1\n")]
    );
    let repeated = prune(&settings(&texts), &nodes(), true).unwrap();
    assert_eq!(changed(Ok(repeated.plan)), [pair("data/nodes/web01.yaml", "# mine\nb:\n  x: 1\n")]);
}

#[test]
fn anchored_values_are_copied_with_a_moved_key() {
    let shared = "x: 0\n# ports\na: &ports # ours\n  - 80\n  - 81\nb: *ports # as a\nc:\n  x: *ports\n  y: &name \"it's\" # why\nd: *name\n";
    let texts = texts(&[("data/roles/web.yaml", shared), ("data/common.yaml", "z: &ports [1]\ny: *ports\n")]);
    let moved = |key: &str| -> Vec<(String, String)> {
        let plan = relocate(&settings(&texts), key, "Common", None).unwrap();
        changed(Ok(plan))
    };
    let common = "z: &ports [1]\ny: *ports\n";
    // The first alias that is left becomes the value, with its anchor if others need it.
    assert_eq!(
        moved("a"),
        [
            pair("data/common.yaml", &format!("{common}# ports\na: &ports # ours\n  - 80\n  - 81\n")),
            pair(
                "data/roles/web.yaml",
                "x: 0\nb: &ports [80, 81] # as a\nc:\n  x: *ports\n  y: &name \"it's\" # why\nd: *name\n"
            )
        ]
    );
    // The rest of the file is not touched, and the moved entry has no alias of another file.
    assert_eq!(
        moved("b"),
        [
            pair("data/common.yaml", &format!("{common}b: [80, 81] # as a\n")),
            pair("data/roles/web.yaml", &shared.replace("b: *ports # as a\n", ""))
        ]
    );
    assert_eq!(
        moved("c"),
        [
            pair("data/common.yaml", &format!("{common}c:\n  x: [80, 81]\n  y: &name \"it's\" # why\n")),
            pair("data/roles/web.yaml", "x: 0\n# ports\na: &ports # ours\n  - 80\n  - 81\nb: *ports # as a\nd: it's\n")
        ]
    );
}

#[test]
fn a_file_is_split_and_its_level_reads_both() {
    let texts = texts(&[
        ("data/roles/web.yaml", "a::x: 1\n# of the web\nweb::port: 80\nweb: 1\nwebs: 2\n"),
        ("data/common.yaml", "a::x: 2\nweb::port: 81\n"),
    ]);
    let plan = split(&settings(&texts), Path::new("/repository/data/roles/web.yaml"), "web").unwrap();
    assert!(proof(&texts, &plan).holds());
    let after = applied(&texts, &plan);
    assert_eq!(after["data/roles/web.yaml"], "a::x: 1\nwebs: 2\n");
    assert_eq!(after["data/roles/web.web.yaml"], "---\n# of the web\nweb::port: 80\nweb: 1\n");
    assert!(
        after["hiera.yaml"].contains("paths: ['roles/%{facts.role}.yaml', 'roles/%{facts.role}.web.yaml']"),
        "{}",
        after["hiera.yaml"]
    );
    let again = split(&settings(&after), Path::new("/repository/data/roles/web.yaml"), "a").unwrap();
    assert!(proof(&after, &again).holds());
    assert!(split(&settings(&texts), Path::new("/repository/data/roles/web.yaml"), "we").is_err());
}

#[test]
fn two_levels_become_one() {
    let mut texts = texts(&[
        ("data/base.yaml", "# low\na: 1\nb: 2\n"),
        ("data/common.yaml", "a: 3\n"),
        ("data/roles/web.yaml", "a: 4\n"),
    ]);
    let hiera = format!("{}  - {{name: Base, path: base.yaml}}\n", HIERA.1);
    texts.insert("hiera.yaml".into(), hiera);
    let plan = merge_levels(&settings(&texts), "Common", "Base").unwrap();
    assert!(proof(&texts, &plan).holds());
    let after = applied(&texts, &plan);
    assert_eq!(after["data/common.yaml"], "a: 3\nb: 2\n");
    assert_eq!(after["hiera.yaml"], HIERA.1);
    assert_eq!(plan.notes, ["no level reads data/base.yaml any more: move its comments, and remove it"]);
    assert_eq!(after["data/base.yaml"], "# low\n");
    assert_eq!(plan.removed().count(), 0);
    texts.insert("data/base.yaml".into(), "---\na: 1\nb: 2\n".into());
    let plan = merge_levels(&settings(&texts), "Common", "Base").unwrap();
    assert!(proof(&texts, &plan).holds());
    assert_eq!(plan.removed().collect::<Vec<_>>(), [Path::new("/repository/data/base.yaml")]);
    assert_eq!(applied(&texts, &plan)["data/base.yaml"], "");
    assert!(plan.notes.is_empty());
    assert!(merge_levels(&settings(&texts), "Role", "Common").unwrap_err().message.contains("no counterpart"));
    assert!(merge_levels(&settings(&texts), "Role", "Base").unwrap_err().message.contains("not right below"));
}

#[test]
fn parameters_get_the_types_of_their_values() {
    let class = "class web (\n  $port = 80,\n  $hosts = [],\n  $name_of = undef,\n  $mode = 'a',\n  $other = $facts['x'],\n  $none,\n  $given = true,\n  Integer $typed = 1,\n  $deep = [[]],\n) { }\n";
    let texts = texts(&[
        ("modules/web/manifests/init.pp", class),
        ("manifests/site.pp", "class { 'web': given => 'no' }\n"),
        ("data/common.yaml", "web::hosts: [a, b]\nweb::mode: 5\n"),
        ("data/nodes/web01.yaml", "web::name_of: x\n"),
    ]);
    let TypePlan { plan, parameters, unread } =
        types(&settings(&texts), &nodes(), Limits::default(), &|_| true).unwrap();
    assert!(unread.is_empty());
    assert_eq!(
        changed(Ok(plan)),
        [pair(
            "modules/web/manifests/init.pp",
            "class web (\n  Integer $port = 80,\n  Array[String] $hosts = [],\n  Optional[String] $name_of = undef,\n  Variant[String, Integer] $mode = 'a',\n  $other = $facts['x'],\n  $none,\n  Variant[Boolean, String] $given = true,\n  Integer $typed = 1,\n  Array[Array] $deep = [[]],\n) { }\n",
        )]
    );
    let none: Vec<(&str, &str)> =
        parameters.iter().filter_map(|one| Some((one.key.as_str(), one.kind.as_ref().err()?.as_ref()))).collect();
    assert_eq!(none, [("web::none", "no node has a value for it"), ("web::other", "its default is computed")]);
}

#[test]
fn manifests_that_cannot_be_parsed_and_limits_are_named() {
    let texts = texts(&[
        ("modules/web/manifests/init.pp", "class web ($port) { }\n"),
        ("modules/web/manifests/broken.pp", "class web::broken ($port\n"),
        ("data/common.yaml", "web::port: 80\n"),
    ]);
    let limits = Limits { steps: 0, ..Limits::default() };
    let TypePlan { plan, parameters, unread } = types(&settings(&texts), &nodes(), limits, &|_| true).unwrap();
    assert!(plan.is_empty());
    assert_eq!(unread, ["modules/web/manifests/broken.pp cannot be parsed"]);
    let reasons: Vec<&str> = parameters.iter().filter_map(|one| one.kind.as_ref().err().map(AsRef::as_ref)).collect();
    assert!(matches!(reasons[..], [reason] if reason.contains("more than 0 steps are needed")), "{reasons:?}");
}

/// The values of a file; empty if it cannot be parsed.
fn values(text: &str) -> Hash {
    let options = hieratic::yaml::Options { symbols: true, ..hieratic::yaml::Options::new("") };
    match hieratic::yaml::parse(text.as_bytes(), &options) {
        Ok(Value::Hash(hash)) => hash,
        _ => Hash::default(),
    }
}

/// Every answer of every node, as text.
fn answers(texts: &Texts, keys: &[&str]) -> Vec<String> {
    let environment = Environment::open(&settings(texts)).unwrap();
    let mut all = Vec::new();
    for facts in nodes() {
        let node = environment.node(&facts).unwrap();
        for key in keys {
            all.push(match node.lookup(&Query::new(key)) {
                Ok(value) => value.inspect(),
                Err(error) if error.code() == hieratic::Node::NOT_FOUND => "missing".to_owned(),
                Err(error) => error.to_string(),
            });
        }
    }
    all
}

const FILES: [&str; 5] =
    ["data/common.yaml", "data/roles/web.yaml", "data/roles/db.yaml", "data/nodes/web01.yaml", "data/nodes/db01.yaml"];

fn value() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        " 1",
        " 'x' # old",
        " [1, 2]",
        "\n  - a # one\n  - old",
        " {x: old}",
        " |\n  old text\n\n  more",
        " \"%{lookup('old')}\"",
        " '%{hiera(\"old\")} old'",
        " >-\n  a %{alias('c')} b",
        "\n  old:\n    y: 1",
        " ENC[PKCS7,MIIBeQ==]",
        " ~",
        " &v {x: 1, y: [old, 2]} # both",
        " &v\n  x: 1 # one\n  y: &w\n    - old",
        " *v",
        " *v # as above",
        "\n  - *v\n  - *v # twice",
        " [*v, *w]",
        "\n  <<: *v\n  z: 1",
        " &w\n  - x\n  - y",
        "\n  y: *w\n  # more\n  z: *w",
        " \"%{lookup('old.%{facts.role}')} %{lookup('c')}\"",
        " \"\\x6fld %{lookup('\\x6fld')}\"",
        " !ruby/regexp /old/",
        " >-\n  %{lookup('old')}\n  and %{alias('b')}",
        " !!str 'old'",
        "\n  ? old\n  : 1",
    ])
    .prop_map(str::to_owned)
}

/// A value in which every alias has an anchor before it; the others become plain.
fn anchored(value: &str, maps: &mut BTreeMap<&'static str, bool>) -> String {
    let mut value = value.to_owned();
    for (name, alias) in [("v", "*v"), ("w", "*w")] {
        let merge = format!("<<: {alias}");
        let is_map = maps.get(name).copied();
        if value.contains(&merge) && is_map != Some(true) || value.contains(alias) && is_map.is_none() {
            value = value.replace(&merge, "x: 2").replace(alias, "plain");
        }
    }
    for name in ["v", "w"] {
        if value.contains(&format!("&{name}")) {
            maps.insert(name, name == "v");
        }
    }
    value
}

fn repository() -> impl Strategy<Value = Texts> {
    let entry = (prop::option::weighted(0.4, prop::sample::select(vec!["# old\n", "\n# why\n# so\n", "\n"])), value());
    let keys = prop::collection::btree_map(prop::sample::select(vec!["old", "a", "b", "c"]), entry, 0..4);
    let options = prop::option::weighted(
        0.3,
        prop::sample::select(vec!["old: {merge: unique}", "'^o': {merge: first}", "a: {merge: deep}"]),
    );
    // The form of the file: with a byte order mark, with a second document, with line breaks of DOS.
    let form = (prop::bool::weighted(0.1), prop::bool::weighted(0.1), prop::bool::weighted(0.2));
    let file =
        (keys, options, any::<bool>(), form).prop_map(|(keys, options, has_mark, (has_bom, has_two, is_dos))| {
            let mut text = if has_mark { "---\n# head\n".to_owned() } else { String::new() };
            let mut anchors = BTreeMap::new();
            for (key, (comment, value)) in keys {
                let value = anchored(&value, &mut anchors);
                text.push_str(&format!("{}{key}:{value}\n", comment.unwrap_or_default()));
            }
            if let Some(options) = options {
                text.push_str(&format!("lookup_options:\n  {options}\n"));
            }
            // Without a mark, the second document would be the first once its keys are gone.
            if has_two && has_mark {
                text.push_str("---\nold: 5\nb: 2\n");
            }
            if has_bom {
                text.insert(0, '\u{feff}');
            }
            if is_dos { text.replace('\n', "\r\n") } else { text }
        });
    let json = prop::option::weighted(0.4, prop::sample::select(JSON.to_vec()));
    let files = prop::collection::btree_map(prop::sample::select(FILES.to_vec()).prop_map(str::to_owned), file, 1..5);
    (files, json).prop_map(|(files, json)| {
        let mut all = texts(&[]);
        all.extend(files);
        if let Some(json) = json {
            let hiera = format!("{}  - {{name: Json, path: last.json, data_hash: json_data}}\n", HIERA.1);
            all.extend([("hiera.yaml".to_owned(), hiera), ("data/last.json".to_owned(), json.to_owned())]);
        }
        all
    })
}

/// Files in JSON, some of which spell the name with escapes.
const JSON: [&str; 5] = [
    "{\"old\": 1, \"c\": \"%{lookup('old')}\"}\n",
    "{\n  \"\\u006fld\": {\"x\": [1, 2]},\n  \"a\": \"%{alias(\\\"old.x\\\")}\"\n}\n",
    "{\"b\": \"a\\/b %{lookup('\\u006fld')}\", \"lookup_options\": {\"old\": {\"merge\": \"unique\"}}}",
    "{\"c\": \"older\", \"lookup_options\": {\"^o.d$\": {\"merge\": \"deep\"}}}\n",
    "{}\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_renamed_key_answers_as_before_and_nothing_else_is_touched(repository in repository()) {
        let Ok(plan) = rename(&settings(&repository), "old", "fresh") else { return Ok(()) };
        let after = applied(&repository, &plan);
        let holds = proof(&repository, &plan).holds();
        let same = answers(&repository, &["old", "a", "b", "c"]) == answers(&after, &["fresh", "a", "b", "c"]);
        // Messages of cycles and faults name the key.
        let names_it = answers(&repository, &["old", "a", "b", "c"]).iter().any(|answer| answer.contains("old") && answer.contains("ookup"));
        prop_assert!(names_it || holds == same, "{} {} {:?}", holds, same, after);
        for (path, text) in &repository {
            // The name is as long as the new one is not: what differs is the name alone.
            let undone = after[path].replace("fresh", "old");
            prop_assert_eq!(undone.replace("\\u006f", "o"), text.replace("\\u006f", "o"));
        }
    }

    #[test]
    fn a_moved_key_leaves_every_other_line(repository in repository(), key in prop::sample::select(vec!["a", "b", "old"])) {
        let target = format!("{ROOT}/data/target.yaml");
        for file in FILES {
            let from = Path::new(ROOT).join(file);
            let Ok(plan) = relocate(&settings(&repository), key, &target, Some(&from)) else { continue };
            let after = applied(&repository, &plan);
            // An alias may have become its value.
            let lines = |text: &str| -> Vec<String> {
                let is_shared = |line: &&str| line.contains(['&', '*', '{', '[']);
                let mut lines: Vec<String> = text.lines().filter(|line| !is_shared(line)).map(str::to_owned).collect();
                lines.sort();
                lines
            };
            let both = format!("{}{}", after[file], after["data/target.yaml"].strip_prefix("---\n").unwrap());
            prop_assert_eq!(lines(&both), lines(&repository[file]), "{:?}", after);
            if !repository[file].contains('*') {
                let whole = |text: &str| text.lines().map(str::to_owned).collect::<std::collections::BTreeSet<_>>();
                prop_assert_eq!(whole(&both), whole(&repository[file]), "{:?}", after);
            }
            // Every value is where it belongs.
            let before = values(&repository[file]);
            let [rest, moved] = [file, "data/target.yaml"].map(|file| values(&after[file]));
            prop_assert_eq!(moved.len(), 1);
            prop_assert_eq!(moved.get(key), before.get(key), "{:?}", after);
            let left: Hash = before.iter().filter(|(own, _)| own.as_str() != Some(key)).map(|(k, v)| (k.clone(), v.clone())).collect();
            prop_assert_eq!(Value::from(rest), Value::from(left), "{:?}", after);
        }
    }

    #[test]
    fn values_with_anchors_can_be_moved(repository in repository(), key in prop::sample::select(vec!["a", "b", "c"])) {
        let target = format!("{ROOT}/data/target.yaml");
        for file in FILES {
            let text = repository.get(file).map(String::as_str).unwrap_or_default();
            // After a byte order mark, entries below a key can be hidden by it.
            if values(text).contains(key) && !text.starts_with('\u{feff}') {
                let from = Path::new(ROOT).join(file);
                let plan = relocate(&settings(&repository), key, &target, Some(&from));
                prop_assert!(plan.is_ok(), "{} {} {:?}", key, text, plan);
            }
        }
    }

    #[test]
    fn hoisting_and_pruning_change_no_answer(repository in repository(), key in prop::sample::select(vec!["a", "b", "c"])) {
        let keys = ["old", "a", "b", "c"];
        for plan in hoist(&settings(&repository), key).unwrap_or_default() {
            let same = answers(&repository, &keys) == answers(&applied(&repository, &plan), &keys);
            prop_assert_eq!(proof(&repository, &plan).holds(), same);
        }
        let pruned = prune(&settings(&repository), &nodes(), false).unwrap();
        prop_assert!(proof(&repository, &pruned.plan).holds());
        prop_assert_eq!(answers(&repository, &keys), answers(&applied(&repository, &pruned.plan), &keys));
    }
}

/// The number of cases; an environment variable can raise it.
pub(super) fn cases() -> u32 {
    std::env::var("HIERATIC_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(250)
}
