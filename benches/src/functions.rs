//! A back end written in the Puppet language, asked for many nodes in one process.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Instant;

use hieratic::{Environment, Facts, Query, Settings};

/// How many other keys the function knows: its file is as long as such files are in practice.
const CASES: usize = 200;

const HIERA: &str = "version: 5\nhierarchy:\n  - {name: Function, lookup_key: 'site::answer'}\n";

fn function() -> String {
    let mut text = String::from(
        "function site::answer(String $key, Hash $options, Puppet::LookupContext $context) {\n  case $key {\n",
    );
    for case in 0..CASES {
        let _ = writeln!(
            text,
            "    'site::key_{case}': {{ {{ 'port' => {case}, 'name' => \"${{key}}-${{options.length}}\" }} }}"
        );
    }
    text + "    default: { $context.not_found }\n  }\n}\n"
}

/// Writes the repository, looks one key up for each of so many nodes, and prints the lookups and the seconds: as the file of the
/// function stays the same, and as it is written anew before each.
pub(crate) fn run(folder: &Path, nodes: usize) -> Result<(), String> {
    let functions = folder.join("modules/site/functions");
    let write = || {
        fs::create_dir_all(&functions)?;
        fs::write(folder.join("hiera.yaml"), HIERA)?;
        fs::write(functions.join("answer.pp"), function())
    };
    write().map_err(|error| error.to_string())?;
    // Files that were written only just now are not kept.
    std::thread::sleep(std::time::Duration::from_millis(100));
    let settings = Settings {
        environment_dir: Some(folder.to_path_buf()),
        hiera_config: Some(folder.join("no-such-hiera.yaml")),
        ..Settings::default()
    };
    let environment = Environment::open(&settings).map_err(|error| error.to_string())?;
    let kept = seconds(&environment, nodes, &|| Ok(()))?;
    let changed = seconds(&environment, nodes, &|| write().map_err(|error| error.to_string()))?;
    println!("{nodes} {kept:.6} {changed:.6}");
    Ok(())
}

fn seconds(environment: &Environment, nodes: usize, before: &dyn Fn() -> Result<(), String>) -> Result<f64, String> {
    let start = Instant::now();
    for number in 0..nodes {
        before()?;
        let facts = Facts::named(&format!("node{number}.example.com"));
        let node = environment.node(&facts).map_err(|error| error.to_string())?;
        let key = format!("site::key_{}", number % CASES);
        std::hint::black_box(node.lookup(&Query::new(&key)).map_err(|error| error.to_string())?);
    }
    Ok(start.elapsed().as_secs_f64())
}
