//! Worlds for tests, and queries of them.

#![allow(dead_code, reason = "no test uses everything")]

use std::fs;
use std::path::{Path, PathBuf};

use hieratic::{Environment, Limits, Permissions, Redactor, Settings};
use hieratic_fleet::{Shard, Sources};
use hieratic_query::{Engine, Fault, FleetContext, Format, NodeObservations, Nodes, Writer};

pub fn examples(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).canonicalize().unwrap()
}

pub fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// What the tests ask: the repository in a folder, and the facts in another.
pub fn open_fleet(root: &Path, facts: &Path, reveal: bool) -> FleetContext {
    let root = root.canonicalize().unwrap();
    let settings = Settings { environment_dir: Some(root.clone()), positions: true, once: true, ..Settings::default() };
    let environment = Environment::open(&settings).unwrap();
    let paths = vec![facts.to_owned()];
    FleetContext {
        nodes: Box::new(move || Ok(Box::new(Sources::of(paths.clone(), Permissions::default())) as Nodes)),
        chosen: Box::new(|_| Ok(true)),
        shard: Shard::default(),
        limits: Limits::default(),
        redactor: Redactor::new(environment.secrets(), reveal),
        check: hieratic_lint::Options::for_paths([root.clone()]),
        root,
        observations: NodeObservations::default(),
        environment,
        settings,
    }
}

pub fn engine(root: &Path, facts: &Path) -> Engine {
    Engine::new(open_fleet(root, facts, false), Limits::default()).unwrap()
}

/// The example repository with its node.
pub fn example() -> Engine {
    engine(&examples("control-repo"), &examples("facts"))
}

/// What a query prints.
pub fn printed(engine: &Engine, sql: &str, format: Format) -> Result<String, Fault> {
    let mut out = Vec::new();
    let mut rows = engine.ask(sql)?;
    let mut writer = Writer::new(format, rows.schema(), &mut out).unwrap();
    while let Some(batch) = rows.next_batch()? {
        writer.write(&batch).unwrap();
    }
    writer.finish().unwrap();
    Ok(String::from_utf8(out).unwrap())
}

/// The same as a table for people.
pub fn table(engine: &Engine, sql: &str) -> String {
    printed(engine, sql, Format::Table).unwrap_or_else(|fault| panic!("{sql}: {fault}"))
}

/// What a step of a plan counted while a query ran: `count(plan, "LookupsExec", "lookups")`.
pub fn count(engine: &Engine, sql: &str, step: &str, feature: &str) -> usize {
    let plan = printed(engine, &format!("explain analyze {sql}"), Format::Csv).unwrap();
    let line = plan.lines().find(|line| line.contains(step)).unwrap_or_else(|| panic!("no {step} in {plan}"));
    let (_, count) = line.split_once(&format!("{feature}=")).unwrap_or_else(|| panic!("no {feature} in {line}"));
    count.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

const HIERA: &str = "version: 5\nhierarchy:\n  - {name: Node, path: 'nodes/%{trusted.certname}.yaml'}\n  - {name: Role, path: 'roles/%{facts.role}.yaml'}\n  - {name: Site, path: 'sites/%{facts.site}.yaml'}\n  - {name: Common, path: common.yaml}\n";

/// A repository and facts, decided by small numbers from a seed: nodes by role, by site, by a fact that data mentions, and with files of
/// their own.
pub fn fleet(root: &Path, seed: u64, nodes: usize) {
    let mut state = seed;
    let mut next = |most: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    write(root, "hiera.yaml", HIERA);
    let values = [
        "1",
        "x",
        "[a, b]",
        "{a: 1, b: {c: 2}}",
        "~",
        "1.5",
        "true",
        "\"%{facts.zone}\"",
        "\"%{lookup('k0')} of %{facts.role}\"",
        "\"%{alias('k1')}\"",
        "\"%{lookup('nosuch')}\"",
    ];
    let data = |next: &mut dyn FnMut(u64) -> u64| {
        let mut text = String::new();
        for key in 0..8 {
            if next(2) == 0 {
                text.push_str(&format!("k{key}: {}\n", values[next(values.len() as u64) as usize]));
            }
        }
        if text.is_empty() { "{}\n".to_owned() } else { text }
    };
    let common = data(&mut next).replace("{}\n", "");
    write(root, "data/common.yaml", &format!("lookup_options: {{k3: {{merge: deep}}}}\n{common}"));
    for role in 0..2 {
        write(root, &format!("data/roles/r{role}.yaml"), &data(&mut next));
        write(root, &format!("data/sites/s{role}.yaml"), &data(&mut next));
    }
    for node in 0..nodes {
        let facts = format!("role: r{}\nsite: s{}\nzone: z{}\n", next(3), next(3), next(2));
        write(root, &format!("facts/n{node}.yaml"), &facts);
        if next(5) == 0 {
            write(root, &format!("data/nodes/n{node}.yaml"), &data(&mut next));
        }
    }
}
