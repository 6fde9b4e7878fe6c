//! Answers that nodes share, held against those of each node by itself.

use std::fs;
use std::path::Path;

use hieratic::facts::node_of_file;
use hieratic::lookup::{Object, ObjectView};
use hieratic::{Environment, Permissions, Query, Settings};
use hieratic_fleet::{Format, Options, Sources, export};

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Numbers that a seed decides.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }
}

const VALUES: [&str; 18] = [
    "1",
    "x",
    "[a, b]",
    "[b, '%{facts.zone}']",
    "{a: 1, b: {c: 2}}",
    "{a: '%{facts.zone}', d: ['%{facts.site}']}",
    "~",
    "\"%{facts.zone}\"",
    "\"%{facts.role}/%{facts.zone}\"",
    "\"%{trusted.certname}\"",
    "\"%{lookup('k0')} of %{facts.role}\"",
    "\"%{lookup('k1')}\"",
    "\"%{lookup('k2.a')}\"",
    "\"see %{lookup('m::k3')}\"",
    "\"%{alias('k1')}\"",
    "\"%{alias('k4')}\"",
    "\"%{lookup('nosuch')}\"",
    "\"%{literal('%')}{x}\"",
];

const OPTIONS: [&str; 7] = [
    "k3: {merge: deep}",
    "'^k[12]$': {merge: unique}",
    "k0: {merge: hash}",
    "k4: {convert_to: Sensitive}",
    "k5: {merge: {strategy: deep, knockout_prefix: '--'}}",
    "'m::k3': {merge: unique}",
    "'%{facts.zone}': {merge: unique}",
];

/// A repository whose nodes have most of their answers in common: by role, by site, by facts that data mentions, and by files of their own.
/// Its values refer to each other, in circles, too, and options of lookups are spread over its levels.
fn fleet(root: &Path, random: &mut Random, nodes: usize) {
    let twice = random.one(&["", "  - {name: Again, path: 'roles/%{facts.role}.yaml'}\n"]);
    let hiera = format!(
        "version: 5\nhierarchy:\n  - {{name: Node, path: 'nodes/%{{trusted.certname}}.yaml'}}\n  - {{name: Role, paths: \
         ['roles/%{{facts.role}}.yaml', 'zones/%{{facts.zone}}.yaml']}}\n  - {{name: Site, path: 'sites/%{{facts.site}}.yaml'}}\n{twice}  - \
         {{name: Common, path: common.yaml}}\n"
    );
    write(root, "hiera.yaml", &hiera);
    write(root, "modules/m/hiera.yaml", "version: 5\nhierarchy: [{name: Module, path: '%{facts.role}.yaml'}]\n");
    let data = |random: &mut Random, prefixes: &[&str]| {
        let mut text = String::from("---\n{}\n");
        for key in 0..8 {
            if random.below(5) < 2 {
                text = text.replace("{}\n", "") + &format!("{}k{key}: {}\n", random.one(prefixes), random.one(&VALUES));
            }
        }
        if random.below(3) == 0 {
            let options: Vec<&str> = OPTIONS.into_iter().filter(|_| random.below(3) == 0).collect();
            text = text.replace("{}\n", "") + &format!("lookup_options: {{{}}}\n", options.join(", "));
        }
        text
    };
    write(root, "data/common.yaml", &data(random, &["", "", "m::"]));
    for number in 0..2 {
        for folder in ["data/roles/r", "data/sites/s", "data/zones/z"] {
            write(root, &format!("{folder}{number}.yaml"), &data(random, &["", "", "m::"]));
        }
        write(root, &format!("modules/m/data/r{number}.yaml"), &data(random, &["m::", "m::", ""]));
    }
    for node in 0..nodes {
        let [role, site, zone] = [3, 3, 2].map(|most| random.below(most));
        write(root, &format!("facts/n{node}.yaml"), &format!("role: r{role}\nsite: s{site}\nzone: z{zone}\n"));
        if random.below(3) == 0 {
            write(root, &format!("data/nodes/n{node}.yaml"), &data(random, &["", "m::"]));
        }
    }
}

/// What a node gets for all keys that the data may have, again and again.
fn answers(environment: &Environment, root: &Path, node: &str, times: usize) -> Vec<String> {
    let file = root.join("facts").join(node);
    let facts = node_of_file(&file, &Permissions::default().files_named(&file)).unwrap();
    let node = environment.node(&facts).unwrap();
    let keys = ["", "m::"].into_iter().flat_map(|prefix| (0..8).map(move |key| format!("{prefix}k{key}")));
    let keys: Vec<String> = keys.collect();
    let all = || {
        keys.iter().map(|key| match node.lookup(&Query::new(key)) {
            Ok(value) => format!("{key}: {}", value.inspect()),
            Err(error) => format!("{key}: {error}"),
        })
    };
    let mut last = Vec::new();
    for _ in 0..times {
        last = all().collect();
    }
    last
}

#[test]
fn files_that_nodes_have_in_common_answer_as_each_does_by_itself() {
    const NODES: usize = 20;
    let mut random = Random(11);
    for round in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fleet(root, &mut random, NODES);
        let opened = || {
            let settings = Settings { environment_dir: Some(root.to_owned()), once: true, ..Settings::default() };
            Environment::open(&settings).unwrap()
        };
        let shared = opened();
        for node in 0..NODES {
            let name = format!("n{node}.yaml");
            // So many lookups are worth a table of common files, and one is not.
            assert_eq!(answers(&shared, root, &name, 8), answers(&opened(), root, &name, 1), "round {round}, {name}");
        }
    }
}

/// Every part of a value with where it comes from.
fn origins(object: &Object, out: &mut Vec<String>) {
    let origin = object.origin().map_or_else(|| "nowhere".to_owned(), ToString::to_string);
    match object.view() {
        ObjectView::Scalar(value) => out.push(format!("{} from {origin}", value.inspect())),
        ObjectView::Array(elements) => {
            out.push(format!("array from {origin}"));
            elements.iter().for_each(|element| origins(element, out));
        }
        ObjectView::Hash(pairs) => {
            out.push(format!("hash from {origin}"));
            pairs.iter().for_each(|(key, value)| {
                out.push(key.inspect());
                origins(value, out);
            });
        }
    }
}

#[test]
fn the_short_way_to_a_value_knows_where_it_comes_from() {
    const NODES: usize = 10;
    let mut random = Random(3);
    let mut seen = 0;
    for round in 0..40 {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fleet(root, &mut random, NODES);
        let settings =
            Settings { environment_dir: Some(root.to_owned()), positions: true, once: true, ..Settings::default() };
        let environment = Environment::open(&settings).unwrap();
        for node in 0..NODES {
            let file = root.join(format!("facts/n{node}.yaml"));
            let facts = node_of_file(&file, &Permissions::default().files_named(&file)).unwrap();
            let node = environment.node(&facts).unwrap();
            for key in environment.keys(&node).unwrap() {
                // What is concealed goes the long way, and is the same unless something is secret.
                let found = |conceal| match node.lookup_traced(&Query { conceal, ..Query::new(&key) }) {
                    Ok(answer) if answer.value.has_hidden() => vec!["secret".to_owned()],
                    Ok(answer) => {
                        let mut out = Vec::new();
                        origins(&answer.value, &mut out);
                        out
                    }
                    Err(error) => vec![format!("error: {error}")],
                };
                let (short, long) = (found(false), found(true));
                seen += usize::from(short[0].contains(".yaml:"));
                // What is said of a secret is concealed, and another error may come behind one that is.
                let is_hidden = long[0] == "secret" || short[0].contains("Sensitive");
                assert!(is_hidden || short == long, "round {round}, {file:?}, {key}: {short:?}, {long:?}");
            }
        }
    }
    assert!(seen > 1000, "only {seen} values come from a file");
}

/// The rows of some facts, from an environment that nothing was asked of before.
fn rows(root: &Path, facts: &Path, origins: bool) -> String {
    let settings =
        Settings { environment_dir: Some(root.to_owned()), positions: true, once: true, ..Settings::default() };
    let environment = Environment::open(&settings).unwrap();
    let sources = Sources::of(vec![facts.to_owned()], Permissions::default());
    let options = Options { root: root.to_owned(), origins, ..Options::default() };
    let mut out = Vec::new();
    export(&environment, sources, &options, Format::Ndjson, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn rows_of_many_nodes_are_those_of_each_by_itself() {
    const NODES: usize = 12;
    let rounds = std::env::var("HIERATIC_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(40);
    let mut random = Random(7);
    for round in 0..rounds {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fleet(root, &mut random, NODES);
        let mut names: Vec<String> = (0..NODES).map(|node| format!("n{node}.yaml")).collect();
        names.sort();
        let origins = round % 4 != 0;
        let expected: String = names.iter().map(|name| rows(root, &root.join("facts").join(name), origins)).collect();
        let found = rows(root, &root.join("facts"), origins);
        let different = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
        assert_eq!(different, None, "round {round}");
        assert_eq!(found.lines().count(), expected.lines().count(), "round {round}");
        assert!(found.lines().count() > NODES, "round {round} says nothing");
    }
}
