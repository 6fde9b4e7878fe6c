//! What the flags say of the node.

use std::path::Path;
use std::process::Command;

use hieratic::{Error, ErrorKind, Facts, Hash};

use crate::args::LookupArguments;

/// The facts of the node: from files and flags, else from its name, else those of this machine.
pub(crate) fn of_node(arguments: &LookupArguments) -> Result<Facts, Error> {
    let name = arguments.node.as_deref();
    let mut facts = match (arguments.facts.is_empty(), name) {
        (false, _) => from_files(arguments, name)?,
        (true, Some(name)) => Facts::named(name),
        (true, None) => local(),
    };
    let refused = |error: hieratic::FactsError| Error::new(ErrorKind::Fatal, "usage", error.to_string());
    for assignment in &arguments.fact {
        facts.set(assignment).map_err(refused)?;
    }
    for assignment in &arguments.var {
        facts.set_variable(assignment).map_err(refused)?;
    }
    if let Some(file) = &arguments.trusted_data {
        facts.set_trusted(Facts::load(file)?);
    }
    Ok(facts)
}

fn from_files(arguments: &LookupArguments, name: Option<&str>) -> Result<Facts, Error> {
    let mut facts = Facts::new(name, Hash::default());
    for file in &arguments.facts {
        facts.merge(&Facts::load(file)?);
    }
    let last = arguments.facts.last().map_or(Path::new(""), |file| file.as_path());
    facts.check_identity(last)?;
    Ok(facts)
}

/// The facts of this machine: from facter where it is installed, else what its name tells.
fn local() -> Facts {
    let from_facter = || {
        let output = Command::new("facter").arg("--json").output().ok().filter(|output| output.status.success())?;
        let value = hieratic::json::parse(&output.stdout).ok()?;
        value.as_hash().cloned()
    };
    match from_facter() {
        Some(facts) => Facts::new(host_name().as_deref(), facts),
        None => Facts::named(host_name().as_deref().unwrap_or("localhost")),
    }
}

fn host_name() -> Option<String> {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(name.trim().to_string()).filter(|name| !name.is_empty())
}
