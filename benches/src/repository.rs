//! The generated repository: strings with and without interpolation, chains of `lookup()`, hashes that are merged deep
//! and arrays that are merged unique, over five levels.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// How many keys there are.
pub(crate) const KEYS: usize = 2000;
/// How many nodes there are.
pub(crate) const NODES: usize = 1000;
const ROLES: usize = 20;
const SITES: usize = 5;
const FAMILIES: [&str; 3] = ["Debian", "RedHat", "Suse"];

const HIERA: &str = "\
version: 5
defaults:
  datadir: data
  data_hash: yaml_data
hierarchy:
  - name: Node
    path: nodes/%{trusted.certname}.yaml
  - name: Role
    path: roles/%{facts.role}.yaml
  - name: Site
    path: sites/%{facts.site}.yaml
  - name: OS
    path: os/%{facts.os.family}.yaml
  - name: Common
    path: common.yaml
";

const OPTIONS: &str = "\
lookup_options:
  '^app::hash_':
    merge: deep
  '^app::list_':
    merge: unique
";

/// What a key's value is like.
#[derive(Clone, Copy)]
enum Kind {
    Plain,
    Variable,
    Chain,
    Hash,
    List,
}

fn kind(key: usize) -> Kind {
    match key % 20 {
        0..6 => Kind::Plain,
        6..10 => Kind::Variable,
        10..13 => Kind::Chain,
        13..17 => Kind::Hash,
        _ => Kind::List,
    }
}

/// The name of a key.
pub(crate) fn name(key: usize) -> String {
    let kind = match kind(key) {
        Kind::Plain => "text",
        Kind::Variable => "var",
        Kind::Chain => "chain",
        Kind::Hash => "hash",
        Kind::List => "list",
    };
    format!("app::{kind}_{key}")
}

/// The name of a node.
pub(crate) fn node(node: usize) -> String {
    format!("node{node:04}.example.com")
}

/// Writes the facts of so many nodes, one on each line. They fall into so many classes, of which each has the facts of a node of the
/// repository; only the names of nodes differ within one.
pub(crate) fn fleet(file: &Path, nodes: usize, classes: usize) -> io::Result<()> {
    let mut out = BufWriter::new(fs::File::create(file)?);
    for index in 0..nodes {
        writeln!(out, "{}", facts_of(&format!("fleet{index:06}.example.com"), index % classes.max(1)))?;
    }
    out.flush()
}

/// The facts of a node, as JSON.
pub(crate) fn facts(index: usize) -> String {
    facts_of(&node(index), index)
}

fn facts_of(certname: &str, index: usize) -> String {
    let (host, domain) = certname.split_once('.').unwrap_or((certname, ""));
    let role = index % ROLES;
    let site = index % SITES;
    let family = FAMILIES[index % FAMILIES.len()];
    format!(
        r#"{{"clientcert":"{certname}","fqdn":"{certname}","hostname":"{host}","domain":"{domain}","role":"role{role}","site":"site{site}","os":{{"family":"{family}","release":{{"major":"12"}}}},"networking":{{"ip":"10.{}.{}.{}"}}}}"#,
        index / 62_500,
        index / 250 % 250,
        index % 250
    )
}

fn entry(out: &mut String, key: usize, level: &str) {
    let name = name(key);
    let _ = match kind(key) {
        Kind::Plain => writeln!(out, "{name}: 'the value of {key} at {level}'"),
        Kind::Variable => writeln!(out, "{name}: 'http://%{{facts.networking.ip}}:{key}/%{{facts.role}}/{level}'"),
        // A chain ends at the variable four keys before.
        Kind::Chain => writeln!(out, "{name}: 'see %{{lookup(\"{}\")}}'", self::name(key - 4)),
        Kind::Hash => writeln!(
            out,
            "{name}:\n  {level}: {key}\n  port: {}\n  users:\n    admin: {{shell: /bin/bash, at: {level}}}\n    list: [{level}, shared]",
            8000 + key
        ),
        Kind::List => writeln!(out, "{name}:\n  - {level}\n  - shared\n  - item{}", key % 7),
    };
}

/// Whether a level says something of a key: the lower the level, the more it says.
fn says(key: usize, salt: usize, share: usize) -> bool {
    // A cheap, fixed mixing: the same repository every time.
    let mixed = (key.wrapping_mul(2_654_435_761) ^ salt.wrapping_mul(40_503)) % 1000;
    mixed < share
}

/// Writes the repository with so many nodes.
pub(crate) fn generate(folder: &Path, nodes: usize) -> io::Result<()> {
    let environment = folder.join("environments/production");
    let data = environment.join("data");
    for name in ["nodes", "roles", "sites", "os"] {
        fs::create_dir_all(data.join(name))?;
    }
    fs::create_dir_all(folder.join("facts"))?;
    fs::write(environment.join("hiera.yaml"), HIERA)?;
    fs::write(folder.join("keys.txt"), (0..KEYS).map(|key| name(key) + "\n").collect::<String>())?;
    let level = |name: &str, salt: usize, share: usize| {
        let mut out = String::new();
        for key in (0..KEYS).filter(|key| says(*key, salt, share)) {
            entry(&mut out, key, name);
        }
        if out.is_empty() { "{}\n".to_string() } else { out }
    };
    fs::write(data.join("common.yaml"), format!("{OPTIONS}{}", level("common", 0, 1000)))?;
    for (index, family) in FAMILIES.iter().enumerate() {
        fs::write(data.join(format!("os/{family}.yaml")), level(&family.to_lowercase(), 10 + index, 300))?;
    }
    for site in 0..SITES {
        fs::write(data.join(format!("sites/site{site}.yaml")), level(&format!("site{site}"), 20 + site, 300))?;
    }
    for role in 0..ROLES {
        fs::write(data.join(format!("roles/role{role}.yaml")), level(&format!("role{role}"), 40 + role, 200))?;
    }
    for index in 0..nodes {
        fs::write(data.join(format!("nodes/{}.yaml", node(index))), level("node", 100 + index, 10))?;
        fs::write(folder.join(format!("facts/{}.json", node(index))), facts(index))?;
    }
    Ok(())
}

/// Writes one large data file.
pub(crate) fn document(file: &Path, bytes: u64) -> io::Result<()> {
    let mut out = BufWriter::new(fs::File::create(file)?);
    let mut written = 0;
    let mut key = 0;
    while written < bytes {
        let mut text = String::new();
        entry(&mut text, key, "common");
        out.write_all(text.as_bytes())?;
        written += text.len() as u64;
        key += 1;
    }
    out.flush()
}
