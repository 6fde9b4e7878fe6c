//! One small repository for every rule, with what breaks it, and beside it what nearly does.
use crate::support;

use hieratic_lint::{JobSet, OmissionGroup, Options, audit, rules};
use support::{HIERA, found, found_with, write};

/// The findings of a rule alone.
fn of(rule: &str, files: &[(&str, &str)]) -> Vec<String> {
    assert!(rules::find(rule).is_some(), "{rule}");
    let prefix = format!("{rule} ");
    found(files).into_iter().filter_map(|text| text.strip_prefix(&prefix).map(String::from)).collect()
}

fn with_data(data: &str) -> Vec<(&'static str, &str)> {
    vec![HIERA, ("data/common.yaml", data)]
}

const NOTHING: [&str; 0] = [];

#[test]
fn files_that_are_not_utf8() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    support::write(&root, &[HIERA]);
    for (name, bytes) in [
        ("data/common.yaml", b"a: 1\nb: caf\xe9\n".as_slice()),
        ("manifests/site.pp", b"$a = '\xff'\n"),
        ("templates/a.epp", b"\xc3("),
        ("files/logo.png", b"\x89PNG\xff"),
        ("files/a.json", b"{\"a\": \"\xe4\"}"),
    ] {
        std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        std::fs::write(root.join(name), bytes).unwrap();
    }
    let report = hieratic_lint::audit(&hieratic_lint::Options::for_paths([&root]), &());
    let prefix = format!("{}/", root.display());
    let told: Vec<String> = report
        .findings
        .iter()
        .map(|found| format!("{} {}", found.rule.id(), found.diagnostic.message.replace(&prefix, "")))
        .collect();
    assert_eq!(
        told,
        [
            "unreadable data/common.yaml is not valid UTF-8: byte 0xe9 at line 2, column 7",
            "unreadable files/a.json is not valid UTF-8: byte 0xe4 at line 1, column 8",
            "unreadable manifests/site.pp is not valid UTF-8: byte 0xff at line 1, column 7",
            "unreadable templates/a.epp is not valid UTF-8: byte 0xc3 at line 1, column 1",
        ]
    );
    assert!(report.findings.iter().all(|found| found.diagnostic.help == ["save the file as UTF-8"]));
}

#[test]
fn a_node_without_facts_lacks_no_variable() {
    let files = [
        HIERA,
        (
            "data/common.yaml",
            "a: '%{facts.os.family} %{facts.role} %{trusted.extensions.pp_role}'\nb: \"%{lookup('c')}\"\n",
        ),
        ("data/roles/web.yaml", "c: 1\nd: '%{facts.rack}'\n"),
        ("modules/m/manifests/init.pp", "class m(Integer $count) { }\n"),
        ("data/nodes/web01.example.com.yaml", "m::count: '%{facts.processors.count}'\n"),
    ];
    let names = ["web01.example.com".to_owned()];
    let named = |all_nodes: bool| {
        let names = names.clone();
        found_with(&files, move |options| {
            options.nodes = hieratic_fleet::nodes_of(&[], &names, Default::default(), &Default::default()).unwrap();
            options.all_nodes = all_nodes;
        })
    };
    let told: Vec<String> = named(true).into_iter().filter(|text| !text.starts_with("parameter-type")).collect();
    assert_eq!(told, NOTHING);
    assert_eq!(named(false), named(true));
    // Known facts give findings.
    let facts = [("facts/web01.example.com.json", "{\"role\": \"db\"}")];
    let known = found(&[files.as_slice(), &facts].concat());
    assert!(
        known.iter().any(|text| text.starts_with("unknown-variable") && text.contains("facts.os.family")),
        "{known:?}"
    );
}

#[test]
fn files_with_syntax_errors() {
    let files = [
        HIERA,
        ("data/common.yaml", "a: [1\n"),
        ("data/nodes/n.yaml", "released: 2024-02-30x\nday: 2024-02-29\n"),
        (".fixtures.yml", "hidden: ["),
        ("ci/docker.yml", "image: !reference [a]\nday: 2024-02-29\n"),
        ("ci/broken.yml", "a: 'b\n"),
        ("files/a.json", "{\"a\": }"),
        ("files/b.json", "{\"a\": 1}"),
        ("manifests/site.pp", "$a = \n"),
        ("templates/a.epp", "<%= $a + %>"),
        ("templates/a.j2", "{% if a %}"),
        ("templates/b.j2", "{{ a | no_such_filter }}"),
        ("jobs/a.nomad", "job \"a\" {"),
        ("jobs/b.tfvars", "a = "),
        ("jobs/c.hcl", "a = 1\n"),
        ("unfurl/a.yaml", "a: {x: 1}\nb: {+/nope: }\n"),
        ("unfurl/b.yaml", "a: {x: 1}\nb: {+/a: }\n"),
    ];
    let codes: Vec<String> =
        found(&files).iter().map(|text| text.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        codes,
        [
            "data-syntax ci/broken.yml:2",
            "data-syntax data/common.yaml:2",
            "data-syntax data/nodes/n.yaml:2",
            "data-syntax files/a.json:1",
            "hcl-syntax jobs/a.nomad:1",
            "hcl-syntax jobs/b.tfvars:1",
            "manifest manifests/site.pp:2",
            "manifest templates/a.epp:1",
            "template-syntax templates/a.j2:1",
            "directive unfurl/a.yaml:2",
        ]
    );
}

#[test]
fn hierarchies_that_are_not_valid() {
    let hiera = |text: &str| of("hierarchy", &[("hiera.yaml", text), ("data/common.yaml", "a: 1\n")]);
    assert_eq!(hiera("version: 5\nhierarchy:\n  - {name: A, path: a.yaml}\n  - {name: B, path: b.yaml}\n"), NOTHING);
    let found = hiera("version: 5\nhierarchy:\n  - {name: A, path: a.yaml, nope: 1}\n");
    assert!(found[0].starts_with("hiera.yaml:3 ") && found[0].contains("unrecognized key 'nope'"), "{found:?}");
    let found = hiera("version: 5\nhierarchy:\n  - {name: A, path: a.yaml}\n  - {name: A, path: b.yaml}\n");
    assert!(found[0].contains("'A' defined more than once"), "{found:?}");
    let old = of("hierarchy-warning", &[("hiera.yaml", "version: 4\n"), ("data/common.yaml", "a: 1\n")]);
    assert!(old[0].starts_with("hiera.yaml:1 Use of 'hiera.yaml' version 4 is deprecated"), "{old:?}");
}

#[test]
fn functions_and_folders_of_levels() {
    let hiera = |level: &str| {
        let text = format!("version: 5\nhierarchy:\n  - {{name: A, path: common.yaml, {level}}}\n");
        [
            of("data-function", &[("hiera.yaml", &text), ("data/common.yaml", "a: 1\n")]),
            of("missing-datadir", &[("hiera.yaml", &text), ("data/common.yaml", "a: 1\n")]),
        ]
        .concat()
    };
    assert_eq!(hiera("data_hash: yaml_data"), NOTHING);
    assert_eq!(hiera("data_hash: elsewhere::data"), NOTHING);
    assert_eq!(hiera("data_hash: yml_data"), ["hiera.yaml:3 There is no data function 'yml_data'"]);
    assert_eq!(hiera("data_hash: eyaml_lookup_key"), ["hiera.yaml:3 'eyaml_lookup_key' cannot be used as data_hash"]);
    assert_eq!(hiera("datadir: dta"), ["hiera.yaml:3 The folder dta of the level 'A' does not exist"]);
    assert_eq!(hiera("datadir: 'data/%{environment}'"), NOTHING);
}

#[test]
fn data_in_a_module_that_is_not_installed() {
    let hiera = "version: 5\ndefaults:\n  datadir: modules/hieradata/data\n  data_hash: yaml_data\nhierarchy:\n- {name: A, path: a.yaml}\n";
    let of_puppetfile = |puppetfile| {
        of(
            "missing-datadir",
            &[("hiera.yaml", hiera), ("environment.conf", "modulepath = modules\n"), ("Puppetfile", puppetfile)],
        )
    };
    assert_eq!(of_puppetfile("mod 'example-hieradata', '1.0.0'\n"), NOTHING);
    assert_eq!(
        of_puppetfile("mod 'example-other', '1.0.0'\n"),
        ["hiera.yaml:1 The folder modules/hieradata/data of all levels does not exist"]
    );
}

#[test]
fn data_without_keys() {
    assert_eq!(
        of("data-no-hash", &with_data("- a\n")),
        ["data/common.yaml:1 The file contains a list instead of keys and values"]
    );
    assert_eq!(of("data-no-hash", &with_data("# nothing\n")), NOTHING);
}

#[test]
fn duplicate_keys() {
    assert_eq!(
        of("duplicate-key", &with_data("a: 1\nb: {c: 1, c: 2}\na: 2\n")),
        [
            "data/common.yaml:2 The key 'c' is duplicated; only the last value is used",
            "data/common.yaml:3 The key 'a' is duplicated; only the last value is used",
        ]
    );
    assert_eq!(of("duplicate-key", &with_data("a: 1\nb: {a: 1}\n1: x\n'1': y\n")), NOTHING);
}

const MODULE: [(&str, &str); 2] = [
    ("modules/ntp/hiera.yaml", "version: 5\nhierarchy:\n  - {name: Common, path: common.yaml}\n"),
    (
        "modules/ntp/manifests/init.pp",
        "class ntp (\n  Array[String] $servers = [],\n  Integer[1, 65535] $port = 123,\n  Ntp::Mode $mode = 'server',\n) { \
         lookup('ntp::extra') }\n",
    ),
];
const MODE: (&str, &str) = ("modules/ntp/types/mode.pp", "type Ntp::Mode = Enum['server', 'client']\n");

fn with_module<'a>(module: &'a str, environment: &'a str) -> Vec<(&'a str, &'a str)> {
    let data = [("modules/ntp/data/common.yaml", module), ("data/common.yaml", environment)];
    [&[HIERA, MODE][..], &MODULE, &data].concat()
}

#[test]
fn module_data_outside_of_its_namespace() {
    assert_eq!(
        of("foreign-key", &with_module("ntp::port: 1\nservers: []\n", "a: 1\n")),
        ["modules/ntp/data/common.yaml:2 The key 'servers' is in the data of the module 'ntp', which never answers it"]
    );
    assert_eq!(of("foreign-key", &with_module("lookup_options: {}\nntp::port: 1\n", "a: 1\n")), NOTHING);
}

#[test]
fn options_that_cannot_be_used() {
    let options = |text: &str| of("lookup-options", &with_data(&format!("a: 1\nlookup_options:\n{text}")));
    for good in
        ["  a: {merge: unique}\n", "  a: {merge: {strategy: deep}}\n", "  a: {convert_to: Sensitive}\n", "  a:\n"]
    {
        assert_eq!(options(good), NOTHING, "{good}");
    }
    for (bad, message) in [
        ("  a: {merge: uniq}\n", "The merge of 'a' is invalid"),
        ("  a: {convert_to: 'Integer['}\n", "The convert_to type of 'a' is invalid"),
        ("  '^(a': {merge: hash}\n", "The pattern '^(a' cannot be read"),
        ("  a: {mrege: hash}\n", "The lookup option \"mrege\" of 'a' does not exist and is ignored"),
        ("  a: {merge: deep, knockout_prefix: x}\n", "The lookup option \"knockout_prefix\" of 'a' does not exist"),
        ("  a: unique\n", "The options of 'a' are not a hash"),
    ] {
        let found = options(bad);
        assert!(found.len() == 1 && found[0].starts_with(&format!("data/common.yaml:3 {message}")), "{bad}: {found:?}");
    }
    let module = of("lookup-options", &with_module("lookup_options:\n  other::a: {merge: hash}\n", "a: 1\n"));
    assert!(module[0].contains("which cannot set them"), "{module:?}");
}

#[test]
fn options_that_match_nothing() {
    let data = "lookup_options:\n  ntp::servers: {merge: unique}\n  ntp::gone: {merge: unique}\n  '^ntp::s': {merge: hash}\n  \
                '^gone::': {merge: hash}\n";
    assert_eq!(
        of("unmatched-options", &with_module("", data)),
        [
            "data/common.yaml:3 The key 'ntp::gone' of lookup_options matches neither a data key nor a class parameter",
            "data/common.yaml:5 The pattern '^gone::' of lookup_options matches neither a data key nor a class parameter",
        ]
    );
}

#[test]
fn interpolations_that_are_malformed() {
    let wrong = |text: &str| {
        let data = format!("a: \"{text}\"\nb: 1\n");
        let found = found(&with_data(&data));
        found.into_iter().map(|text| text.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for good in ["%{lookup('b')}", "%{facts.os.family}", "%{literal('%')}{x}", "100%", "%{alias('b')}", "%{}", "%{::x}"]
    {
        assert_eq!(wrong(good), NOTHING, "{good}");
    }
    for bad in ["%{lookup(b)}", "x%{alias('b')}", "%{facts..os}", "a %{b", "%{lookup('b.')}"] {
        assert_eq!(wrong(bad), ["interpolation"], "{bad}");
    }
    assert_eq!(wrong("%{lokup('b')}"), ["unknown-interpolation-function"]);
    assert_eq!(wrong("%{lookup('nope')}"), ["unknown-key"]);
    assert_eq!(wrong("%{trusted.certnme}"), ["unknown-variable"]);
    assert_eq!(wrong("%{fact.os}"), ["unknown-variable"]);
    let path =
        "version: 5\nhierarchy:\n  - {name: A, path: \"%{lookup('a')}.yaml\"}\n  - {name: B, path: common.yaml}\n";
    let found = of("interpolation", &[("hiera.yaml", path), ("data/common.yaml", "a: 1\n")]);
    assert!(found.len() == 1 && found[0].starts_with("hiera.yaml:3 "), "{found:?}");
}

const FACTS: [(&str, &str); 2] = [
    ("facts/a.json", r#"{"clientcert": "a.example.com", "role": "web", "site": "x"}"#),
    ("facts/b.json", r#"{"clientcert": "b.example.com", "role": "db", "site": ""}"#),
];

#[test]
fn interpolations_that_are_empty_for_some_nodes() {
    let data = [
        HIERA,
        ("data/common.yaml", "a: '%{facts.site}'\nb: '%{facts.role}'\nc: '%{facts.nope}'\nd: \"%{lookup('e')}\"\n"),
        ("data/roles/web.yaml", "e: 1\n"),
    ];
    let all = [&data[..], &FACTS].concat();
    assert_eq!(
        of("empty-interpolation", &all),
        [
            "data/common.yaml:1 '%{facts.site}' is empty for b.example.com",
            "data/common.yaml:4 '%{lookup('e')}' is empty for b.example.com: none of their levels has the key 'e'",
        ]
    );
    assert_eq!(
        of("unknown-variable", &all),
        ["data/common.yaml:3 '%{facts.nope}' uses a variable that no node has (a.example.com, b.example.com)"]
    );
    assert_eq!(of("empty-interpolation", &data), NOTHING);
}

#[test]
fn circles_of_keys() {
    assert_eq!(
        of("lookup-cycle", &with_data("a: \"%{lookup('b')}\"\nb: \"%{alias('c.x')}\"\nc: {x: \"%{lookup('a')}\"}\n")),
        ["data/common.yaml:1 The keys look each other up in a circle: a -> b -> c -> a"]
    );
    assert_eq!(
        of("lookup-cycle", &with_data("a: \"%{lookup('a')}\"\n")),
        ["data/common.yaml:1 The key 'a' looks itself up"]
    );
    assert_eq!(of("lookup-cycle", &with_data("a: \"%{lookup('b')}\"\nb: 1\n")), NOTHING);
    // No node reads both files; one that reads the role's and the common one closes the circle.
    let apart = [
        HIERA,
        ("data/roles/web.yaml", "a: \"%{lookup('b')}\"\nb: 1\n"),
        ("data/roles/db.yaml", "b: \"%{lookup('a')}\"\na: 1\n"),
        ("data/common.yaml", "a: 2\nb: 2\n"),
    ];
    assert_eq!(of("lookup-cycle", &apart), NOTHING);
    let together =
        [HIERA, ("data/roles/web.yaml", "a: \"%{lookup('b')}\"\n"), ("data/common.yaml", "b: \"%{lookup('a')}\"\n")];
    assert_eq!(of("lookup-cycle", &together).len(), 1);
}

#[test]
fn data_may_nest_deeply() {
    let nested = format!("m::data: {}{}\n", "[".repeat(900), "]".repeat(900));
    let files =
        [HIERA, ("modules/m/manifests/init.pp", "class m (Array[Data] $data) { }\n"), ("data/common.yaml", &nested)];
    assert_eq!(found(&files), NOTHING);
    let wrong = format!("m::data: {}\"%{{lookup('x')}}\"{}\n", "{a: ".repeat(900), "}".repeat(900));
    let files =
        [HIERA, ("modules/m/manifests/init.pp", "class m (Array[Data] $data) { }\n"), ("data/common.yaml", &wrong)];
    assert_eq!(found(&files).len(), 1);
}

#[test]
fn knockouts_that_are_lost() {
    let data = |strict: &str| {
        format!(
            "lookup_options:\n  users: {{merge: {{strategy: deep, knockout_prefix: '--'{strict}}}}}\nusers: [x, z]\n"
        )
    };
    let files = |common: &'static str| {
        [
            HIERA,
            ("data/nodes/n.yaml", "users: ['--x']\n"),
            ("data/roles/web.yaml", "users: [y]\n"),
            ("data/common.yaml", common),
        ]
    };
    let facts = [("facts/n.json", r#"{"clientcert": "n", "role": "web"}"#)];
    let lost: &'static str = data("").leak();
    let strict: &'static str = data(", strict_knockout: true").leak();
    assert_eq!(
        of("lost-knockout", &[&files(lost)[..], &facts].concat()),
        ["data/nodes/n.yaml:1 The knockout '--x' of the key 'users' is lost"]
    );
    assert_eq!(of("lost-knockout", &[&files(strict)[..], &facts].concat()), NOTHING);
}

#[test]
fn values_of_wrong_types() {
    let of_data = |data: &str| of("parameter-type", &with_module("", data));
    for good in
        ["ntp::servers: [a]\n", "ntp::port: 1\n", "ntp::mode: client\n", "ntp::port:\n", "ntp::servers: ['%{x}']\n"]
    {
        assert_eq!(of_data(good), NOTHING, "{good}");
    }
    assert_eq!(
        of_data("ntp::servers: a\n"),
        ["data/common.yaml:1 The value of 'ntp::servers' has wrong type, expects an Array value, got String"]
    );
    for bad in ["ntp::port: '1'\n", "ntp::port: 70000\n", "ntp::mode: other\n", "ntp::port: '%{facts.port}'\n"] {
        assert_eq!(of_data(bad).len(), 1, "{bad}: {:?}", of_data(bad));
    }
    let converted = "lookup_options:\n  ntp::port: {convert_to: Integer}\nntp::port: '1'\n";
    assert_eq!(of_data(converted), NOTHING);
    let merged = "lookup_options:\n  ntp::servers: {merge: unique}\nntp::servers: a\n";
    assert_eq!(of_data(merged), NOTHING);
}

#[test]
fn defaults_of_wrong_types() {
    let class = |parameters: &str| {
        let text = format!("class m ({parameters}) {{ }}\n");
        of("default-type", &[HIERA, MODE, ("modules/m/manifests/init.pp", &text), ("data/common.yaml", "a: 1\n")])
    };
    assert_eq!(class("Integer $a = 1, Ntp::Mode $b = 'client', Gone::Type $c = 1, Integer $d = $a"), NOTHING);
    assert_eq!(
        class("Integer $a = 'x'"),
        [
            "modules/m/manifests/init.pp:1 The default of parameter 'a' of class 'm' has wrong type, expects an Integer value, got \
         String"
        ]
    );
    assert_eq!(class("Ntp::Mode $b = 'other'").len(), 1);
}

#[test]
fn parameters_that_a_class_does_not_have() {
    assert_eq!(
        of(
            "unknown-parameter",
            &with_module(
                "",
                "ntp::sevrers: []\nntp::extra: 1\nother::a: 1\nntp::port: 1\nntp::used: 1\nx: \"%{lookup('ntp::used')}\"\n"
            )
        ),
        ["data/common.yaml:1 The class 'ntp' has no parameter 'sevrers', and no code looks the key up"]
    );
}

#[test]
fn files_that_no_level_reaches() {
    let files = [
        HIERA,
        ("data/common.yaml", "a: 1\n"),
        ("data/nodes/n.example.com.yaml", "a: 1\n"),
        ("data/nodes/n.example.com.yml", "a: 1\n"),
        ("data/notes.txt", "nothing\n"),
        ("data/old/common.yaml", "a: 1\n"),
    ];
    assert_eq!(
        of("unreachable-file", &files),
        [
            "data/nodes/n.example.com.yml:1 No level of the hierarchy can reach data/nodes/n.example.com.yml",
            "data/old/common.yaml:1 No level of the hierarchy can reach data/old/common.yaml",
        ]
    );
}

#[test]
fn files_that_no_node_reads() {
    let files =
        [HIERA, ("data/common.yaml", "a: 1\n"), ("data/roles/web.yaml", "a: 1\n"), ("data/roles/gone.yaml", "a: 1\n")];
    let all = [&files[..], &FACTS].concat();
    let found = found_with(&all, |options| options.all_nodes = true);
    assert_eq!(found, ["unreached-file data/roles/gone.yaml:1 None of the 2 nodes reads data/roles/gone.yaml"]);
    assert_eq!(of("unreached-file", &all), NOTHING);
}

#[test]
fn keys_that_are_never_looked_up() {
    let data = "ntp::servers: [a]\nntp::extra: 1\nold: 1\nused: 1\nuser: \"%{lookup('used')}\"\n";
    let found = found_with(&with_module("", data), |options| options.unused = true);
    assert_eq!(
        found,
        [
            "unused-key data/common.yaml:3 The key 'old' is never looked up",
            "unused-key data/common.yaml:5 The key 'user' is never looked up",
        ]
    );
    assert_eq!(of("unused-key", &with_module("", data)), NOTHING);
}

#[test]
fn comments_accept_findings() {
    let found = |data: &str| of("duplicate-key", &with_data(data));
    assert_eq!(found("a: 1\na: 2 # hieratic: ignore duplicate-key\n"), NOTHING);
    assert_eq!(found("a: 1\n# hieratic: ignore unused-key, duplicate-key\na: 2\n"), NOTHING);
    assert_eq!(found("a: 1\na: 2 # hieratic: ignore unused-key\n").len(), 1);
    // A comment behind a value is about its own line only.
    assert_eq!(found("b: 1 # hieratic: ignore duplicate-key\nb: 2\n").len(), 1);
}

#[test]
fn jobs_are_checked_without_unknown_values() {
    let job = "variable \"token\" {\n  type = string\n}\nvariable \"names\" {\n  type = list(string)\n}\njob \"a\" {\n  type = \"sevice\"\n  \
               group \"g\" {\n    count = -1\n    network {\n      dynamic \"port\" {\n        for_each = var.names\n        \
               labels = [port.value]\n        content {\n          statc = 1\n        }\n      }\n    }\n    service {\n      port = \"http\"\n    \
               }\n    task \"t\" {\n      driver = \"docker\"\n      kill_timeout = var.names\n      config {\n        image = var.token\n        imgae = 1\n      \
               }\n      env {\n        TOKEN = var.token\n      }\n    }\n  }\n}\n";
    let wrong = |job: &str| found(&[("jobs/a.nomad.hcl", job), (".git/HEAD", "")]);
    // Errors that prevent parsing the job come first.
    assert_eq!(
        wrong(job),
        ["job jobs/a.nomad.hcl:16 Unsupported argument", "job jobs/a.nomad.hcl:25 Unsuitable value type",]
    );
    // The ports are not known, so the service may be right.
    assert_eq!(
        wrong(&job.replace("          statc = 1\n", "").replace("      kill_timeout = var.names\n", "")),
        [
            "job jobs/a.nomad.hcl:8 Invalid job type: \"sevice\"",
            "job-shutdown-delay jobs/a.nomad.hcl:9 group \"g\" defines services, but neither the group nor any of its tasks have shutdown_delay set",
            "job jobs/a.nomad.hcl:10 Task group count can't be negative",
            "job-driver-option jobs/a.nomad.hcl:26 the driver docker has no option \"imgae\"; did you mean \"image\"?",
        ]
    );
}

#[test]
fn a_job_is_judged_with_each_of_its_variable_files() {
    let job = "variable \"n\" {\n  type = number\n}\njob \"a\" {\n  group \"g\" {\n    count = var.n\n    task \"t\" {\n      driver = \"dcoker\"\n    \
               }\n  }\n}\n";
    let files = [
        ("jobs/a.nomad.hcl", job),
        ("other/b.nomad.hcl", job),
        ("good.vars", "n = 1\nm = 2\n"),
        ("bad.vars", "n = -1\n"),
        (".git/HEAD", ""),
    ];
    let driver = |file| format!("job-driver {file}:8 there is no driver \"dcoker\"; did you mean \"docker\"?");
    let count = |file| format!("job {file}:6 Task group count can't be negative");
    let sets = |options: &mut Options| {
        let folder = options.paths[0].clone();
        for name in ["good.vars", "bad.vars"] {
            options.job_values.sets.push(JobSet {
                folder: folder.clone(),
                files: vec!["jobs/*.hcl".to_owned()],
                var_files: vec![folder.join(name)],
            });
        }
    };
    let [a, b] = ["jobs/a.nomad.hcl", "other/b.nomad.hcl"];
    let undeclared = |place, name| format!("job {place} No job that was checked declares the variable '{name}'");
    assert_eq!(found_with(&files, sets), [undeclared("good.vars:2", "m"), count(a), driver(a), driver(b)]);
    let flags = |options: &mut Options| {
        options.job_values.files.push(options.paths[0].join("bad.vars"));
        options.job_values.arguments = vec!["n=2".to_owned(), "unknown=1".to_owned()];
    };
    assert_eq!(found_with(&files, flags), [undeclared("", "unknown"), driver(a), driver(b)]);
    let environment = |options: &mut Options| {
        options.job_values.environment.push(("NOMAD_VAR_n".to_owned(), "-2".to_owned()));
    };
    assert_eq!(found_with(&files, environment), [count(a), driver(a), count(b), driver(b)]);
    // A missing file of a set is reported in each of its jobs.
    let lost = |options: &mut Options| {
        let folder = options.paths[0].clone();
        let var_files = vec![folder.join("lost.vars")];
        options.job_values.sets.push(JobSet { folder, files: vec!["jobs/".to_owned()], var_files });
    };
    let found = found_with(&files, lost);
    assert_eq!(found, ["job jobs/a.nomad.hcl Failed to read file".to_owned(), driver(b)]);
}

#[test]
fn jobs_are_jobs_by_their_content() {
    let wrong = "job \"a\" {\n  bogus = 1\n}\n";
    let files = [
        ("x/nomad.job", wrong),
        ("e.nomad2", wrong),
        ("f.jobspec", wrong),
        ("test/web.nomad.hcl", wrong),
        (
            "j.json",
            "{\"job\": {\"a\": {\"group\": {\"g\": {\"cuont\": 3, \"task\": {\"t\": {\"driver\": \"exec\"}}}}}}}\n",
        ),
        ("api.json", "{\"Job\": {\"ID\": \"a\", \"TaskGroups\": []}}\n"),
        ("none.job", "#!/bin/sh\n"),
        ("levant.nomad", "job \"[[ .name ]]\" {\n  bogus = 1\n}\n"),
        ("pack.nomad.tpl", "job [[ template \"job_name\" . ]] {\n  bogus = 1\n}\n"),
        ("terraform.hcl", "job \"a\" {\n  priority = ${priority}\n}\n"),
        ("go.nomad", "job \"{{ .name }}\" {\n  bogus = 1\n}\n"),
        ("volume.hcl", "id = \"v\"\ncapability {\n  a { b { c = \"R1\" } }\n}\n"),
        ("broken.hcl", "a = \n"),
        (".git/HEAD", ""),
    ];
    let codes: Vec<String> =
        found(&files).iter().map(|text| text.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        codes,
        [
            "job api.json",
            "hcl-syntax broken.hcl:1",
            "job e.nomad2:2",
            "job f.jobspec:2",
            "job j.json:1",
            "job test/web.nomad.hcl:2",
            "job x/nomad.job:2",
        ]
    );
}

#[test]
fn unchecked_parts_of_jobs_are_omissions() {
    let folder = tempfile::tempdir().unwrap();
    let job = "variable \"n\" {}\nvariable \"unused\" {}\njob \"a\" {\n  priority = var.n\n}\n";
    let files = [("a.nomad", job), ("b.nomad", "job \"[[ .name ]]\" {\n}\n"), ("c.nomad", "job \"c\" {\n}\n")];
    write(folder.path(), &files);
    let report = audit(&Options::for_paths([folder.path()]), &());
    let groups = OmissionGroup::group(&report.not_judged);
    let words: Vec<String> = groups.iter().map(OmissionGroup::words).collect();
    assert_eq!(words, ["1 job (no value for var.n, var.unused: --var-file)", "1 job (template of Levant)"]);
}

#[test]
fn jobs_are_checked_as_jobs() {
    let task = "task \"t\" {\n      driver = \"exec\"\n    }\n";
    let typo = format!("job \"a\" {{\n  group \"g\" {{\n    cuont = 1\n    {task}  }}\n}}\n");
    let refused = format!("job \"b\" {{\n  group \"g\" {{\n    count = -1\n    {task}  }}\n}}\n");
    let word = "job \"c\" {\n  group \"g\" {\n    task \"t\" {\n      driver = docker\n    }\n  }\n}\n";
    // These variables and data are unknown, so nothing that depends on them is reported.
    let open = format!(
        "variable \"n\" {{\n  type = number\n}}\nvariable \"t\" {{\n  type = object({{ wait = string }})\n}}\njob \"d\" {{\n  priority = var.n\n  \
         group \"g\" {{\n    count = hiera(\"replicas\", 1) + var.n\n    shutdown_delay = var.t.wait\n    meta {{\n      a = file(\"../common/a.txt\")\n      \
         b = file(\"common/a.txt\")\n      c = \"${{var.n}}\"\n    }}\n    constraint {{\n      attribute = \"${{attr.x}}\"\n      value = var.t.wait\n    }}\n    {task}  }}\n}}\n"
    );
    let unknown = open.replace("priority = var.n", "priority = var.m");
    let files = [
        ("jobs/a.nomad.hcl", typo.as_str()),
        ("jobs/b.nomad.hcl", &refused),
        ("jobs/c.nomad.hcl", word),
        ("jobs/d.nomad.hcl", &open),
        ("jobs/e.nomad.hcl", &unknown),
        ("common/a.txt", "a"),
        (".git/HEAD", ""),
    ];
    let codes: Vec<String> =
        found(&files).iter().map(|text| text.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        codes,
        [
            "job jobs/a.nomad.hcl:3",
            "job jobs/b.nomad.hcl:3",
            "job-unquoted-word jobs/c.nomad.hcl:4",
            "job jobs/e.nomad.hcl:8"
        ]
    );
}

#[test]
fn catalogs_that_do_not_compile() {
    let of_catalogs = |files: &[(&str, &str)]| {
        let mut told = found_with(files, |options| options.catalogs = Some(hieratic::CATALOG_LIMITS));
        told.retain(|one| ["catalog", "dependency-cycle", "not-seen"].contains(&one.split(' ').next().unwrap()));
        told
    };
    let site = "node 'bad' { include a }\nnode 'worse' { include a }\nnode default { include b }\n";
    let class = "class a {\n  file { '/x': contents => 'y' }\n}\n";
    let files = [
        HIERA,
        ("facts/bad.yaml", "role: x"),
        ("facts/worse.yaml", "role: x"),
        ("facts/good.yaml", "role: x"),
        ("data/common.yaml", "x: 1"),
        ("manifests/site.pp", site),
        ("modules/a/manifests/init.pp", class),
        ("modules/b/manifests/init.pp", "class b { }\n"),
    ];
    assert_eq!(
        of_catalogs(&files),
        ["catalog modules/a/manifests/init.pp:2 \
             no parameter named 'contents' (file: modules/a/manifests/init.pp, line: 2) on File[/x]"]
    );
    assert!(found_with(&files, |_| {}).iter().all(|one| !one.starts_with("catalog ")));
    // If a module is missing, the server may compile something else.
    let missing = [files.as_slice(), &[("Puppetfile", "mod 'puppetlabs-ntp', '1.0.0'\n")]].concat();
    let told = of_catalogs(&missing);
    assert!(told.len() == 1 && told[0].starts_with("not-seen ") && told[0].contains("is not judged"), "{told:?}");
    // A missing feature of Hieratic is not an error of the code.
    let ruby = "Puppet::Functions.create_function(:'a::f') do\n  def f\n    `id`\n  end\nend\n";
    let ours =
        [HIERA, files[1], files[4], ("manifests/site.pp", "a::f()"), ("modules/a/lib/puppet/functions/a/f.rb", ruby)];
    let told = of_catalogs(&ours);
    assert!(told.len() == 1 && told[0].starts_with("not-seen "), "{told:?}");
    let cycle = [
        HIERA,
        files[1],
        files[4],
        ("manifests/site.pp", "notify { 'a': }\nnotify { 'b': require => Notify['a'], before => Notify['a'] }\n"),
    ];
    assert_eq!(
        of_catalogs(&cycle),
        ["dependency-cycle manifests/site.pp:1 Resources wait for each other: Notify[a] => Notify[b] => Notify[a]"]
    );
}

#[test]
fn failures_without_a_position_and_empty_catalogs() {
    let of_catalogs = |files: &[(&str, &str)]| {
        let facts = [
            HIERA,
            ("data/common.yaml", "x: 1\n"),
            ("facts/n1.json", "{\"role\": \"x\"}"),
            ("facts/n2.json", "{\"role\": \"x\"}"),
        ];
        let mut told =
            found_with(&[&facts, files].concat(), |options| options.catalogs = Some(hieratic::CATALOG_LIMITS));
        told.retain(|one| ["catalog", "not-seen"].contains(&one.split(' ').next().unwrap()));
        told
    };
    for (site, message) in [
        ("class a { $x = lookup('a::nope') }\ninclude a\n", "did not find a value for the name 'a::nope'"),
        ("class a($x = lookup('a::nope')) { }\ninclude a\n", "did not find a value for the name 'a::nope'"),
        ("class a { }\ninclude a\nNotify['nope'] -> notify { 'a': }\n", "Could not find resource 'Notify[nope]'"),
        ("class a { }\ninclude a\nrealize(Notify['nope'])\n", "Failed to realize virtual resources Notify[nope]"),
        (
            "class a { }\ninclude a\nNotify['nope'] { message => 'x' }\n",
            "Could not find resource(s) Notify[nope] for overriding",
        ),
        ("node 'other' { }\n", "Could not find node statement with name 'default' or"),
    ] {
        let told = of_catalogs(&[("manifests/site.pp", site)]);
        let is_one = told.len() == 1 && told[0].starts_with("catalog manifests/site.pp");
        assert!(is_one && told[0].contains(message), "{site}: {told:?}");
    }
    assert_eq!(
        of_catalogs(&[("manifests/site.pp", "notify { 'x': }\n")]),
        [
            "not-seen manifests/site.pp The catalog has no classes: neither the main manifest nor a classifier assigns any"
        ]
    );
    // A class of a module that is here is missing whatever else is.
    let files = [
        ("environment.conf", "modulepath = site\n"),
        ("Puppetfile", "mod 'puppetlabs-apache', '1'\n"),
        ("site/profile/manifests/web.pp", "class profile::web { include apache }\n"),
    ];
    let with = |site: &'static str| of_catalogs(&[&files[..], &[("manifests/site.pp", site)]].concat());
    let told = with("include profile::webb\n");
    assert!(told.len() == 1 && told[0].starts_with("catalog manifests/site.pp:1 "), "{told:?}");
    let unknown = |code: &str| of("unknown-class", &[&files[..], &[HIERA, ("manifests/site.pp", code)]].concat());
    let message = "The class 'profile::webb' does not exist, and its module 'profile' is here";
    assert_eq!(unknown("include profile::web, profile::webb\n"), [format!("manifests/site.pp:1 {message}")]);
    assert_eq!(unknown("class { '::profile::webb': }\n"), [format!("manifests/site.pp:1 {message}")]);
    assert_eq!(unknown("include apache::nope\ninclude \"profile::${x}\"\ncontain profile::web\n"), NOTHING);
    // A manifest that cannot be parsed is a separate finding.
    let broken = [
        &files[..],
        &[HIERA, ("manifests/site.pp", "include profile::b\n"), ("site/profile/manifests/b.pp", "class {")],
    ]
    .concat();
    assert_eq!(of("unknown-class", &broken), NOTHING);
    let told = with("include profile::web\n");
    assert!(told.len() == 1 && told[0].starts_with("not-seen site/profile/manifests/web.pp:1 "), "{told:?}");
}

#[test]
fn templates_of_other_programs_are_neither_yaml_nor_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("prometheus.yml", "global:\n  - server: \"http://{{ env \"attr.ip\" }}:8500\"\n"),
        ("workflow.yml", "a: ${{ x }}\nb: [\n"),
        ("a.hcl", "job \"a\" {\n  datacenters = __DATACENTER__\n  type = var.kind\n}\n"),
        ("b.nomad", "job \"b\" {\n  datacenters = [\"dc1\"]\n}\n"),
    ];
    write(folder.path(), &files);
    let report = audit(&Options::for_paths([folder.path()]), &());
    let rules: Vec<(&str, bool)> =
        report.findings.iter().map(|one| (one.rule.id(), one.file().ends_with("workflow.yml"))).collect();
    assert_eq!(rules, [("job", false), ("data-syntax", true)]);
    let words: Vec<String> = OmissionGroup::group(&report.not_judged).iter().map(OmissionGroup::words).collect();
    assert_eq!(words, ["1 data file (template of Go)", "1 job (template of another program)"]);
    assert_eq!(report.files, 2);
}

#[test]
fn arguments_that_a_server_adds_are_not_missing() {
    let job = |connect: &str, network: &str| {
        format!(
            "job \"mesh\" {{\n  group \"g\" {{\n    shutdown_delay = \"5s\"\n    {network}\n    service {{\n      name = \"gw\"\n      port = \"wan\"\n      \
             {connect}\n      check {{\n        type = \"tcp\"\n        port = \"connect-mesh-gw-lan\"\n        interval = \"9s\"\n        timeout = \"1s\"\n      }}\n    }}\n  }}\n}}\n"
        )
    };
    let network = "network {\n      mode = \"bridge\"\n      port \"wan\" {}\n    }";
    let gateway = "connect {\n        gateway {\n          mesh {}\n        }\n      }";
    assert_eq!(found(&[("a.nomad", &job(gateway, network))]), [] as [&str; 0]);
    assert_eq!(found(&[("a.nomad", &job("", network))]), ["job a.nomad:2 Missing tasks for task group"]);
}

#[test]
fn values_for_variables_that_no_job_declares() {
    let job = "variable \"count\" {\n  default = 1\n}\njob \"a\" {\n  datacenters = [\"dc1\"]\n  group \"g\" {\n    count = var.count\n    task \"t\" {\n      driver = \
               \"raw_exec\"\n      config {\n        command = \"x\"\n      }\n    }\n  }\n}\n";
    let files = [("a.nomad", job), ("b.vars", "count = 2\nregion = \"eu\"\n"), (".git/HEAD", "")];
    let message = |name| format!("No job that was checked declares the variable '{name}'");
    let flags = |options: &mut Options| {
        options.job_values.files.push(options.paths[0].join("b.vars"));
        options.job_values.arguments = vec!["coutn=2".to_owned(), "count=3".to_owned()];
    };
    assert_eq!(
        found_with(&files, flags),
        [format!("job  {}", message("coutn")), format!("job b.vars:2 {}", message("region"))]
    );
    // A part of the jobs gives no findings about the files of all of them.
    let part = |options: &mut Options| {
        let folder = options.paths[0].clone();
        let var_files = vec![folder.join("b.vars")];
        options.job_values.sets.push(JobSet { folder: folder.clone(), files: vec!["*.nomad".to_owned()], var_files });
        options.paths = vec![folder.join("a.nomad")];
    };
    assert_eq!(found_with(&files, part), [] as [&str; 0]);
}

#[test]
fn classes_in_files_of_other_names() {
    let files = [
        HIERA,
        ("data/common.yaml", "{}\n"),
        ("environment.conf", "modulepath = site\n"),
        ("site/profile/manifests/x.pp", "class profile::y {\n}\n"),
        (
            "site/profile/manifests/web/nginx.pp",
            "class profile::web::nginx {\n}\nclass profile::web::nginx::tls {\n}\n",
        ),
        ("site/profile/manifests/init.pp", "class profile {\n}\nclass profile::small {\n}\n"),
        ("site/profile/examples/a.pp", "class profile::other {\n}\n"),
        ("site/profile/tests/b.pp", "include profile::missing\n"),
        ("manifests/site.pp", "class anything {\n}\n"),
    ];
    assert_eq!(
        found(&files),
        [
            "manifest site/profile/manifests/x.pp:1 Unacceptable location. The name 'profile::y' is unacceptable in file \
             'site/profile/manifests/x.pp'"
        ]
    );
}

#[test]
fn an_unknown_parameter_is_reported_once() {
    let files = [
        HIERA,
        ("manifests/site.pp", "include ntp\n"),
        ("modules/ntp/manifests/init.pp", "class ntp (Array $servers = []) {\n}\n"),
        ("data/common.yaml", "ntp::severs: []\nother: 1\n"),
    ];
    assert_eq!(
        found_with(&files, |options| options.unused = true),
        [
            "unknown-parameter data/common.yaml:1 The class 'ntp' has no parameter 'severs', and no code looks the key up",
            "unused-key data/common.yaml:2 The key 'other' is never looked up",
        ]
    );
}

#[test]
fn keys_of_misspelled_classes() {
    let files = [
        HIERA,
        ("modules/web/manifests/init.pp", "class web ($port = 1) {\n}\n"),
        ("modules/web/manifests/proxy.pp", "class web::proxy ($port = 1) {\n}\n"),
        (
            "modules/db/manifests/init.pp",
            "class db ($port = 1) {\n  lookup(\"db::${x}::port\")\n  lookup('web::poxry::port')\n}\n",
        ),
        (
            "data/common.yaml",
            "web::prxoy::port: 1\nweb::other::port: 1\nweb::poxry::port: 1\nwbe::port: 1\ndb::porxy::port: 1\nweb::prxoy::size: 1\n",
        ),
    ];
    assert_eq!(
        of("unknown-parameter", &files),
        ["data/common.yaml:1 There is no class 'web::prxoy' with a parameter 'port', and no code looks the key up"]
    );
}

#[test]
fn advice_that_no_job_follows_is_given_once() {
    let job = |name: &str, more: &str| {
        format!(
            "job \"{name}\" {{\n  datacenters = [\"dc1\"]\n  group \"g\" {{\n    {more}\n    service {{\n      port = \"80\"\n    }}\n    task \"t\" {{\n      driver = \
             \"raw_exec\"\n      config {{\n        command = \"x\"\n      }}\n    }}\n  }}\n}}\n"
        )
    };
    let [a, b, c] = ["a", "b", "c"].map(|name| job(name, ""));
    let files = [("a.nomad", a.as_str()), ("b.nomad", &b), ("c.nomad", &c)];
    let told = |files: &[(&str, &str)]| found(files).len();
    assert_eq!((told(&files), told(&files[..2])), (1, 2));
    // Advice that some jobs follow was forgotten in the others.
    let d = job("d", "shutdown_delay = \"5s\"");
    assert_eq!(told(&[files[0], files[1], files[2], ("d.nomad", &d)]), 3);
}
