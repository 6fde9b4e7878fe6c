//! [`Capabilities`]: the capabilities of a repository, handed down from the code that opens it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use crate::{Files, Limits};

/// Everything that a repository may do. Without more it may read the files below its own folders, and nothing else.
#[derive(Clone, Debug)]
pub struct Capabilities {
    /// The files for the settings of the machine and its user: the global layer, facts, key files named by flags.
    pub machine: Files,
    /// The files that the configuration of the repository may read as data.
    pub data: Files,
    /// The files that data, code and templates may read: includes, `file()`, modules.
    pub code: Files,
    /// The programs that may run.
    pub programs: Programs,
    /// Whether the network may be used.
    pub network: bool,
    /// The variables of the environment that may be seen.
    pub variables: Variables,
    /// The limits of one answer.
    pub limits: Limits,
}

/// The programs that may run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Programs {
    /// None.
    Never,
    /// Those that a file outside of the repository names: the machine's own configuration.
    #[default]
    OfMachine,
    /// All.
    Always,
}

/// The environment variables that a repository may see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables(Arc<BTreeMap<String, String>>);

impl Capabilities {
    /// The powers of a repository of which nothing is known: its files.
    pub fn below<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) -> Capabilities {
        let files = Files::below(folders);
        Capabilities {
            machine: Files::anywhere(),
            data: files.clone(),
            code: files,
            programs: Programs::default(),
            network: false,
            variables: Variables::default(),
            limits: Limits::default(),
        }
    }

    /// The files that a configuration file may read. A configuration file outside of the repository belongs to the
    /// machine and may name any file.
    pub fn files_of(&self, config: &Path) -> &Files {
        if self.data.holds(config) { &self.data } else { &self.machine }
    }

    /// A command that a file of configuration names, if it may run.
    pub fn command(&self, config: &Path, program: &Path) -> Option<Command> {
        let allowed = match self.programs {
            Programs::Never => false,
            Programs::OfMachine => !self.data.holds(config),
            Programs::Always => true,
        };
        // The one place from which programs of a repository are run.
        allowed.then(|| Command::new(program))
    }
}

impl Programs {
    /// A command that code names, if every program may run.
    pub fn command(self, program: impl AsRef<OsStr>) -> Option<Command> {
        (self == Programs::Always).then(|| Command::new(program))
    }
}

impl Variables {
    /// All variables of this process whose names and values are Unicode.
    pub fn of_process() -> Variables {
        let all = std::env::vars_os();
        all.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))).collect()
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl FromIterator<(String, String)> for Variables {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(variables: I) -> Variables {
        Variables(Arc::new(variables.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_run_for_the_machine_alone() {
        let folder = tempfile::tempdir().unwrap();
        let mut powers = Capabilities::below([folder.path()]);
        let may = |powers: &Capabilities, config: &Path| powers.command(config, "true".as_ref()).is_some();
        let (inside, outside) = (folder.path().join("hieratic.yaml"), Path::new("/etc/puppet/hieratic.yaml"));
        assert_eq!((may(&powers, &inside), may(&powers, outside)), (false, true));
        powers.programs = Programs::Never;
        assert!(!may(&powers, outside));
        powers.programs = Programs::Always;
        assert!(may(&powers, &inside));
    }
}
