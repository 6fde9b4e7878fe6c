//! A large document with merge directives: how fast it is expanded and restored.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use hieratic::directives::{Document, Options, RestoreOptions, expand, restore};
use hieratic::documents::IncludedFiles;
use hieratic::{Hash, Permissions, Value};

/// How many directives a document has for each of its megabytes.
const DIRECTIVES_PER_MEGABYTE: usize = 500;

/// Writes a document of about so many megabytes into a folder, and the files that it includes.
pub(crate) fn generate(folder: &Path, megabytes: usize) -> std::io::Result<()> {
    std::fs::create_dir_all(folder.join("shared"))?;
    for file in 0..10 {
        let text =
            format!("labels:\n  team: team-{file}\n  cost: {}\nlimits: {{cpu: {}, memory: 512}}\n", file * 7, file + 1);
        std::fs::write(folder.join(format!("shared/file{file}.yaml")), text)?;
    }
    let mut out = String::from("# generated: one service after the other\ndefaults:\n");
    for profile in 0..50 {
        let _ = write!(
            out,
            "  profile{profile}: &p{profile}\n    image: registry.example.com/base:1.{profile}\n    replicas: {}\n    env:\n      LEVEL: warn\n      ZONE: zone-{profile}\n    ports:\n    - 80\n    - {}\n    probes: {{live: /healthz, ready: /ready, delay: {profile}}}\n",
            profile % 5 + 1,
            8000 + profile
        );
    }
    out.push_str("common: [audit, metrics]\nservices:\n");
    let services = megabytes * DIRECTIVES_PER_MEGABYTE / 4;
    for service in 0..services {
        let profile = service % 50;
        let _ = write!(
            out,
            "  service{service}: # number {service}\n    +/defaults/profile{profile}:\n    name: service-{service}\n    replicas: {}\n    env:\n      NAME: 'service {service}'\n",
            service % 7 + 1
        );
        let _ =
            write!(out, "    meta:\n      +include: shared/file{}.yaml\n      owner: user{service}\n", service % 10);
        let _ = write!(out, "    features:\n    - {{+/common: }}\n    - feature-{service}\n");
        out.push_str("    sidecar:\n      +.../service0/log:\n      port: 9000\n");
        if service == 0 {
            out.push_str("    log:\n      format: json\n      level: info\n");
        }
        out.push_str("    settings:\n");
        for setting in 0..200 {
            let _ = writeln!(out, "      option{setting}: value {} of service {service}", setting * 31 % 97);
        }
    }
    std::fs::write(folder.join("main.yaml"), out)
}

/// Prints the seconds that each step takes, the least of three runs.
pub(crate) fn measure(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(folder.join("main.yaml"))?;
    let files = || IncludedFiles::new(folder, Permissions::default());
    let parse = || Document::parse(&text, "main.yaml", folder);
    let document = parse()?;
    let expanded = expand(&document, &mut files(), &Options::default())?;
    let unchanged = expanded.to_value();
    let changed = changed(&unchanged);
    let options = RestoreOptions::default();
    time("read", || Ok(parse()?.text().len()))?;
    time("expand", || Ok(expand(&document, &mut files(), &Options::default())?.root().size() as usize))?;
    time("restore-unchanged", || Ok(restore(&document, &unchanged, &mut files(), &options)?.text.len()))?;
    time("restore-changed", || Ok(restore(&document, &changed, &mut files(), &options)?.text.len()))
}

fn time(
    name: &str,
    mut run: impl FnMut() -> Result<usize, Box<dyn std::error::Error>>,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        std::hint::black_box(run()?);
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name} {best:.4}");
    Ok(())
}

/// One key of every tenth service gets another value.
fn changed(document: &Value) -> Value {
    let mut root = document.as_hash().cloned().unwrap_or_default().into_map();
    if let Some(services) = root.get_mut(&Value::from("services")) {
        let mut all = services.as_hash().cloned().unwrap_or_default().into_map();
        for (_, service) in all.iter_mut().step_by(10) {
            let mut keys = service.as_hash().cloned().unwrap_or_default().into_map();
            keys.insert("image".into(), "registry.example.com/other:2".into());
            *service = Value::Hash(Hash::from(keys));
        }
        *services = Value::Hash(Hash::from(all));
    }
    Value::Hash(Hash::from(root))
}
