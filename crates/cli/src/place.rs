//! Which node of which environment the flags mean.

use std::io::IsTerminal;
use std::path::Path;
use std::process::{Command, Stdio};

use hieratic::{Error, ErrorKind, Facts, Hash, Permissions, Settings, Strictness};

use crate::args::{PlaceArguments, Strict};
use crate::streams::MESSAGES;
use crate::trust;

/// Where data and code are looked for.
pub(crate) fn settings(place: &PlaceArguments, positions: bool) -> Settings {
    let mut settings = Settings {
        environment: place.environment.clone(),
        environmentpath: place.environmentpath.clone(),
        codedir: place.codedir.clone(),
        confdir: place.confdir.clone(),
        hiera_config: place.hiera_config.clone(),
        modulepath: place.modulepath.clone(),
        basemodulepath: place.basemodulepath.clone(),
        strict: place.strict.map(|strict| match strict {
            Strict::Off => Strictness::Off,
            Strict::Warning => Strictness::Warning,
            Strict::Error => Strictness::Error,
        }),
        strict_variables: match (place.strict_variables, place.lenient_variables) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        },
        data_binding_terminus: place.data_binding_terminus.clone(),
        config: place.config.clone(),
        environment_dir: place.environment_dir.clone(),
        positions,
        once: false,
        ..Settings::default()
    };
    if settings.codedir.is_none()
        && let Ok(here) = std::env::current_dir()
    {
        settings.find_repository(&here);
    }
    settings.permissions = permissions(place);
    settings
}

/// What the flags, or trust that was given before, let the repository do that is meant.
pub(crate) fn permissions(place: &PlaceArguments) -> Permissions {
    let folder = place.environment_dir.clone().or_else(|| std::env::current_dir().ok());
    trust::permissions(place.permissions, folder.as_deref())
}

/// The facts of the node, without asking the machine for more than its name.
pub(crate) fn known_facts(place: &PlaceArguments) -> Result<Facts, Error> {
    if place.facts.is_empty() && place.node.is_none() {
        return with_flags(Facts::named(host_name().as_deref().unwrap_or("localhost")), place);
    }
    of_node(place)
}

/// The facts of the node: from files and flags, else from its name, else those of this machine.
pub(crate) fn of_node(arguments: &PlaceArguments) -> Result<Facts, Error> {
    let name = arguments.node.as_deref();
    let facts = match (arguments.facts.is_empty(), name) {
        (false, _) => from_files(arguments, name)?,
        (true, Some(name)) => Facts::named(name),
        (true, None) => local(),
    };
    with_flags(facts, arguments)
}

/// The facts with those that flags name.
fn with_flags(mut facts: Facts, arguments: &PlaceArguments) -> Result<Facts, Error> {
    let refused = |error: hieratic::FactsError| {
        Error::new(ErrorKind::Fatal, "usage", error.to_string())
            .help("write --fact role=web, or --fact os.family=Debian")
    };
    for assignment in &arguments.fact {
        facts.set(assignment).map_err(refused)?;
    }
    for assignment in &arguments.var {
        facts.set_variable(assignment).map_err(refused)?;
    }
    if let Some(file) = &arguments.trusted_data {
        facts.set_trusted(Facts::load(file, &permissions(arguments).files_named(file))?);
    }
    Ok(facts)
}

fn from_files(arguments: &PlaceArguments, name: Option<&str>) -> Result<Facts, Error> {
    let mut facts = Facts::new(name, Hash::default());
    for file in &arguments.facts {
        facts.merge(&Facts::load(file, &permissions(arguments).files_named(file))?);
    }
    let last = arguments.facts.last().map_or(Path::new(""), |file| file.as_path());
    facts.check_identity(last)?;
    Ok(facts)
}

/// What people are told while they wait.
const ASKING: &str = "note: asking facter for the facts of this machine; --node or --facts mean another\n";

/// The facts of this machine: from facter where it is installed, else what its name tells.
fn local() -> Facts {
    let from_facter = || {
        let mut facter = Command::new("facter");
        facter.arg("--json").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let facter = facter.spawn().ok()?;
        // It takes a second or two, and another node may have been meant.
        if std::io::stderr().is_terminal() {
            MESSAGES.write(ASKING.as_bytes());
        }
        // One fact that cannot be found out makes it fail, and it prints all others nevertheless.
        let output = facter.wait_with_output().ok()?;
        let value = hieratic::json::parse(&output.stdout).ok()?;
        value.as_hash().filter(|facts| !facts.is_empty()).cloned()
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
