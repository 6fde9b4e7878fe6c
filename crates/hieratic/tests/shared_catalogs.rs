//! Nodes share a catalog if compiling theirs would read the same: each has the bytes and the messages of its own compilation.

use std::path::Path;

use hieratic::catalog::{Classification, Compilation, SharedCompilation};
use hieratic::{Compiler, Environment, Facts, Settings};
use proptest::prelude::*;
use serde_json::{Value, json};

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn open(folder: &Path) -> Environment {
    let settings = Settings {
        environment_dir: Some(folder.to_owned()),
        puppet_version: "7".parse().unwrap(),
        ..Settings::default()
    };
    Environment::open(&settings).unwrap()
}

/// A node: its name, and what it has in common with others.
#[derive(Clone, Debug)]
struct Subject {
    number: u8,
    family: u8,
    tier: u8,
    flag: bool,
    has_extra: bool,
}

impl Subject {
    fn name(&self) -> String {
        format!("web{}.example.com", self.number)
    }

    fn facts(&self) -> Facts {
        let (name, number) = (self.name(), self.number);
        let family = ["Debian", "RedHat"][usize::from(self.family % 2)];
        let tier = ["a", "b"][usize::from(self.tier % 2)];
        let mut facts = json!({
            "hostname": format!("web{number}"), "fqdn": name, "ipaddress": format!("10.0.0.{number}"),
            "networking": { "ip": format!("10.0.0.{number}"), "fqdn": name, "hostname": format!("web{number}"), "mtu": 1500 },
            "os": { "family": family, "release": { "major": "12" } },
            "tier": tier, "flag": self.flag, "list": [1, self.tier % 2, 3], "load": 0.0,
        });
        if self.has_extra {
            facts["extra"] = json!("more");
        }
        Facts::new(Some(&name), Facts::read(facts.to_string().as_bytes(), "facts.json".as_ref()).unwrap())
    }
}

fn subjects() -> impl Strategy<Value = Vec<Subject>> {
    let one = (0..12u8, 0..2u8, 0..2u8, any::<bool>(), prop::bool::weighted(0.3))
        .prop_map(|(number, family, tier, flag, has_extra)| Subject { number, family, tier, flag, has_extra });
    prop::collection::vec(one, 4..10)
}

/// Expressions, most of which read the node.
const EXPRESSIONS: &[&str] = &[
    "$facts['os']['family']",
    "$facts['os']['release']['major']",
    "$facts['os']",
    "$facts['tier']",
    "$facts['list'][1]",
    "$facts['list'][0, 2]",
    "$facts['flag']",
    "$facts['load']",
    "$facts['extra']",
    "$facts['networking']['mtu']",
    "$facts['networking']['ip']",
    "$facts['networking'][$facts['nothing'] ? { undef => 'mtu', default => 'ip' }]",
    "$facts['networking'][\"m${facts['tier']}u\"]",
    "$facts['os', 'tier']",
    "$facts['nothing']",
    "$facts.dig('os', 'family')",
    "$facts.keys.length",
    "getvar('facts.tier')",
    "$tier",
    "$::tier",
    "$hostname",
    "$::networking['hostname']",
    "$trusted['extensions']",
    "$trusted['certname']",
    "$server_facts['environment']",
    "$extra",
    "defined('$extra')",
    "$top",
    "$c1::v",
    "$c2::v",
    "$c2::list",
    "$name",
    "$v",
    "fqdn_rand(5)",
    "lookup('by_tier')",
    "lookup('by_node')",
    "lookup('by_scope')",
    "lookup('by_class')",
    "lookup('from_fact')",
    "lookup('missing', undef, undef, 'none')",
    "inline_template('<%= @tier %>')",
    "inline_template('<%= @networking[\"mtu\"] %>')",
    "inline_template('<%= scope[\"::tier\"] %> <%= @v %>')",
    "inline_template('<%= scope.to_hash[\"tier\"] %>')",
    "inline_template('<%= scope.function_fqdn_rand([4]) %>')",
    "inline_epp('<%= $facts[\"os\"][\"family\"] %>')",
    "defined(Notify['n1'])",
    "Class['c2']['list']",
    "$facts['tier'] ? { 'a' => $facts['list'], default => $hostname }",
    "[1, 2].map |$i| { $i + $facts['list'][$i] }",
    "own($facts['tier'])",
    "m::far('x')",
    "$0",
    "$1",
    "7",
];

fn expression() -> impl Strategy<Value = &'static str> {
    prop::sample::select(EXPRESSIONS)
}

/// Statements. Their titles have numbers, so that few of them are duplicates.
fn statement() -> impl Strategy<Value = String> {
    let simple = (expression(), 0..200u16).prop_map(|(read, at)| format!("notify {{ 'n{at}': message => {read} }}"));
    let titled = expression().prop_map(|read| format!("notify {{ \"t${{{}}}\": }}", &format!("String({read})")));
    let condition = (expression(), expression(), 0..200u16)
        .prop_map(|(read, other, at)| format!("if {read} == 'a' {{ notify {{ 'c{at}': message => {other} }} }}"));
    prop_oneof![
        6 => simple,
        1 => titled,
        3 => condition,
        1 => expression().prop_map(|read| format!("notice({read})")),
        1 => expression().prop_map(|read| format!("if {read} =~ /^(we?)b/ {{ notice($1) }}")),
        1 => Just("include c1".to_owned()),
        1 => Just("include c2".to_owned()),
        1 => (expression(), 0..50u8).prop_map(|(read, at)| format!("m::d {{ 'd{at}': p => {read} }}")),
        1 => expression().prop_map(|read| format!("Notify {{ withpath => {read} == 'a' }}")),
        1 => expression().prop_map(|read| format!("Notify <| message == {read} |> {{ loglevel => 'err' }}")),
        1 => expression().prop_map(|read| format!("@notify {{ 'virtual': message => {read} }} realize(Notify['virtual'])")),
        1 => expression().prop_map(|read| format!("if $facts['networking']['ip'] == '10.0.0.3' {{ fail(String({read})) }}")),
        1 => expression().prop_map(|read| format!("tag(\"t${{{read}}}\")")),
        1 => (0..3u8).prop_map(|at| format!("$z{at} = $facts['tier'] notify {{ \"z{at}${{z{at}}}\": }}")),
    ]
}

/// A repository: its manifest, and the files of its module and data.
fn repository() -> impl Strategy<Value = Vec<(String, String)>> {
    let body = || prop::collection::vec(statement(), 0..4).prop_map(|all| all.join("\n  "));
    let nodes = prop::sample::select(
        &[
            "",
            "node default { include c1 }",
            "node 'web1.example.com' { include c1 }\nnode default { include c2 }",
            "node /^(web)(\\d)\\./ { include c1 notify { \"node $1\": } }\nnode default { }",
            "node /^(web)(\\d)\\./ { notify { \"node $2\": } }\nnode default { }",
            "node /^web/ { if 'x' =~ /(x)/ { notify { $1: } } include c2 }\nnode default { }",
        ][..],
    );
    let top = prop::sample::select(&["", "$top = 1", "$top = $facts['tier']", "$extra = 1", "$top = $hostname"][..]);
    (top, nodes, body(), body(), body(), body(), expression(), expression(), prop::collection::vec(any::<bool>(), 4)).prop_map(
        |(top, nodes, main, one, two, defined, value, default, has)| {
            let mut files = vec![
                (
                    "manifests/site.pp".to_owned(),
                    format!(
                        "{top}\nfunction own($x) {{ \"own $x ${{facts['tier']}}\" }}\n{nodes}\n{main}\n\
                         class c1($p = {default}) {{\n  $v = {value}\n  {one}\n}}\n\
                         class c2($list = [1], $data = 'none') inherits c1 {{\n  {two}\n}}\n"
                    ),
                ),
                ("modules/m/manifests/d.pp".to_owned(), format!("define m::d($p, $q = $p) {{\n  {defined}\n}}\n")),
                (
                    "modules/m/lib/puppet/functions/m/far.rb".to_owned(),
                    "Puppet::Functions.create_function(:'m::far') do\n  def far(x)\n    closure_scope['tier'].to_s + x\n  end\nend\n"
                        .to_owned(),
                ),
                (
                    "hiera.yaml".to_owned(),
                    "version: 5\nhierarchy:\n  - name: all\n    paths: ['nodes/%{trusted.certname}.yaml', \
                     'tier/%{facts.tier}.yaml', 'scope/%{v}.yaml', 'class/%{c1::v}.yaml', common.yaml]\n"
                        .to_owned(),
                ),
                ("data/tier/a.yaml".to_owned(), "by_tier: of a\nc2::data: tier a\n".to_owned()),
                ("data/scope/a.yaml".to_owned(), "by_scope: scope a\n".to_owned()),
                ("data/class/a.yaml".to_owned(), "by_class: class a\n".to_owned()),
                (
                    "data/common.yaml".to_owned(),
                    "by_tier: common\nby_node: common\nby_scope: common\nby_class: common\nfrom_fact: 'is %{facts.tier} %{c1::v}'\n"
                        .to_owned(),
                ),
            ];
            if has[0] {
                files.push(("data/nodes/web2.example.com.yaml".to_owned(), "by_node: of web2\nc2::list: [2]\n".to_owned()));
            }
            if has[1] {
                files.push(("data/nodes/web3.example.com.yaml".to_owned(), "from_fact: 'at %{networking.ip}'\n".to_owned()));
            }
            files
        },
    )
}

/// All that a user sees of a compilation.
fn shown(compilation: &Compilation, node: &str) -> String {
    let logs: Vec<String> =
        compilation.logs.iter().map(|log| format!("{}: {}", log.level.name(), log.text())).collect();
    let catalog = match &compilation.catalog {
        Ok(catalog) => {
            let mut catalog = catalog.clone();
            catalog.name = node.to_owned();
            let (document, lossy) = catalog.document(false);
            format!("{}\n{lossy:?}\n{:?}", hieratic_output::json(document.tree()).unwrap(), catalog)
        }
        Err(failure) => failure.to_string(),
    };
    format!("{catalog}\n{}", logs.join("\n"))
}

/// Compiles the nodes alone and together. Returns the number of nodes that share the catalog of an earlier one.
fn compare(folder: &Path, nodes: &[(Facts, String)]) -> usize {
    let (alone, together) = (open(folder), open(folder));
    let compiler = Compiler::new(&together, together.language());
    let classification = Classification::default();
    let mut groups = Vec::new();
    for (facts, name) in nodes {
        let own = Compiler::new(&alone, alone.language()).compile(facts.clone(), &classification);
        let SharedCompilation { compilation, group } = compiler.compile_shared(facts.clone(), &classification);
        assert_eq!(shown(&compilation, name), shown(&own, name), "{name}");
        groups.extend(group);
    }
    let count = groups.len();
    groups.sort_unstable();
    groups.dedup();
    count - groups.len()
}

#[test]
fn nodes_that_share_a_catalog_have_their_own() {
    let shared = std::cell::Cell::new((0, 0));
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(
        ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() },
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let result = runner.run(&(repository(), subjects()), |(files, subjects)| {
        let folder = tempfile::tempdir().unwrap();
        files.iter().for_each(|(path, text)| write(folder.path(), path, text));
        let nodes: Vec<(Facts, String)> = subjects.iter().map(|one| (one.facts(), one.name())).collect();
        let (some, all) = shared.get();
        shared.set((some + compare(folder.path(), &nodes), all + nodes.len()));
        Ok(())
    });
    result.unwrap();
    let (some, all) = shared.get();
    assert!(some * 10 > all && some * 10 < all * 9, "{some} of {all} nodes share a catalog");
}

#[test]
fn recorded_catalogs_are_the_same_for_nodes_that_share_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/catalog");
    let (mut some, mut all) = (0, 0);
    for file in ["random.jsonl", "written.jsonl", "ruby.jsonl", "faults.jsonl"] {
        for line in std::fs::read_to_string(folder.join(file)).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let Some(files) = case["files"].as_object() else { continue };
            let scratch = tempfile::tempdir().unwrap();
            files.iter().for_each(|(path, text)| write(scratch.path(), path, text.as_str().unwrap()));
            let nodes = ["web01.example.com", "web02.example.com", "db1.example.com"];
            let nodes: Vec<(Facts, String)> =
                nodes.iter().map(|name| (Facts::named(name), (*name).to_owned())).collect();
            some += compare(scratch.path(), &nodes);
            all += nodes.len();
        }
    }
    assert!(all > 1_000 && some > 500, "{some} of {all} nodes share a catalog");
}

/// Returns whether the second of two nodes that differ in name and address shares the catalog of a manifest.
fn is_shared(manifest: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "manifests/site.pp", manifest);
    let subject = |number| Subject { number, family: 0, tier: 0, flag: true, has_extra: false };
    let nodes: Vec<(Facts, String)> = [1, 2].map(|at| (subject(at).facts(), subject(at).name())).to_vec();
    let environment = open(folder.path());
    let compiler = Compiler::new(&environment, environment.language());
    let compile = |facts: &Facts| compiler.compile_shared(facts.clone(), &Classification::default());
    let [first, second] = [compile(&nodes[0].0), compile(&nodes[1].0)];
    assert!(first.compilation.catalog.is_ok(), "{manifest}: {:?}", first.compilation.catalog);
    first.group.is_some() && first.group == second.group
}

#[test]
fn a_catalog_is_shared_by_nodes_that_differ_in_facts_without_readers() {
    assert!(is_shared("notify { $facts['os']['family']: message => $facts['networking']['mtu'] }"));
    assert!(is_shared("node /^web/ { notify { inline_template('<%= @tier %>'): } }"));
    assert!(!is_shared("notify { $facts['networking']['ip']: }"));
    assert!(!is_shared("notify { 'a': message => $facts }"));
    assert!(!is_shared("notify { 'a': message => $trusted['certname'] }"));
    assert!(!is_shared("notify { 'a': message => inline_template('<%= scope.to_hash[\"hostname\"] %>') }"));
    assert!(!is_shared("node /^web(.)/ { notify { $1: } }"));
}

#[test]
fn a_catalog_that_depends_on_the_time_is_not_shared() {
    for time in ["String(Timestamp())", "strftime('%s')", "String(Timestamp.new)", "stdlib::time()"] {
        let manifest = format!("notify {{ 'a': message => {time} }}");
        assert!(!is_shared(&manifest), "{time}");
    }
}

#[test]
fn reads_without_an_end_are_not_recorded() {
    let reads = "range(1, 60000).each |$i| { $x = $facts[\"a$i\"] $y = $facts[\"b$i\"] }\nnotify { 'a': }";
    assert!(!is_shared(reads));
}

#[test]
fn roles_that_alternate_are_shared() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "manifests/site.pp", "notify { $facts['role']: }");
    let environment = open(folder.path());
    let compiler = Compiler::new(&environment, environment.language());
    // Not all of their catalogs find room at first.
    let roles = 80;
    let mut shared = 0;
    let mut known = std::collections::HashSet::new();
    for number in 0..10 * roles {
        let facts = format!("{{\"role\": \"r{}\", \"number\": {number}}}", number % roles);
        let facts = Facts::read(facts.as_bytes(), "facts.json".as_ref()).unwrap();
        let facts = Facts::new(Some(&format!("node{number}.example.com")), facts);
        let group = compiler.compile_shared(facts, &Classification::default()).group;
        shared += usize::from(!known.insert(group.unwrap()));
    }
    assert!(shared > 4 * roles, "{shared} of {} nodes share a catalog", 10 * roles);
}
