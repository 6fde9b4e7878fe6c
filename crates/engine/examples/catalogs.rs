//! Compiles the catalogs of a folder of facts one after the other, for profiles and for comparing what two builds make of them.
//!
//! ```text
//! cargo run --release -p hieratic --example catalogs -- ENVIRONMENTS FACTS [FOLDER]
//! ```
//!
//! FACTS has a file NODE.json for each node. Prints the milliseconds of the processor that each node took, programs that it ran left out,
//! and how many resources it has; in FOLDER, writes the catalogs, or why there is none.

#![allow(clippy::disallowed_methods, reason = "a person names the folders")]

use std::error::Error;
use std::path::PathBuf;

use hieratic::powers::{Budget, Programs};
use hieratic::puppet::Options;
use hieratic::{CATALOG_LIMITS, Classification, Compiler, Environment, Facts, Permissions, Settings, Value, cycles};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(environments), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("expected a folder of environments and a folder of facts".into());
    };
    let out = arguments.next().map(PathBuf::from);
    let settings = Settings {
        environmentpath: Some(PathBuf::from(environments).canonicalize()?.display().to_string()),
        environment: Some("production".into()),
        puppet_version: "7".parse()?,
        permissions: Permissions { programs: true, ..Permissions::default() },
        once: true,
        ..Settings::default()
    };
    let environment = Environment::open(&settings)?;
    let options = Options {
        files: environment.powers().code.clone(),
        budget: Budget::new(CATALOG_LIMITS),
        programs: Programs::Always,
        ..environment.language()
    };
    let compiler = Compiler::new(&environment, options);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.sort();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let facts = Facts::new(Some(&name), Facts::read(&std::fs::read(&file)?, &file)?);
        let begun = processor();
        let compilation = compiler.compile(facts, &Classification::default());
        let compiled = processor();
        let (text, count) = match &compilation.catalog {
            Ok(catalog) => {
                let cycles = cycles(catalog);
                let (data, _) = catalog.to_data(false);
                (format!("{}\n{cycles:?}\n", json(&data)), catalog.resources.len())
            }
            Err(failure) => (format!("{}\n", failure.message), 0),
        };
        let ended = processor();
        println!("{name}: {count} resources, {:.1} ms, then {:.1} ms", compiled - begun, ended - compiled);
        if let Some(out) = &out {
            std::fs::write(out.join(format!("{name}.txt")), text)?;
        }
    }
    Ok(())
}

/// A catalog, which is data, as JSON.
fn json(value: &Value) -> serde_json::Value {
    match value {
        Value::Undef => serde_json::Value::Null,
        Value::Boolean(one) => (*one).into(),
        Value::Integer(number) => (*number).into(),
        Value::Float(number) => (*number).into(),
        Value::Array(elements) => elements.iter().map(json).collect(),
        Value::Hash(hash) => hash.iter().map(|(key, value)| (key.to_text(), json(value))).collect(),
        other => other.to_text().into(),
    }
}

/// How many milliseconds of a processor this thread has had.
fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|spent| spent.parse::<f64>().ok()).unwrap_or_default() / 1e6
}
