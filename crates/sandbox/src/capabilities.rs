//! [`Capabilities`]: the files, programs and variables that a repository may use.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use hieratic_budget::Limits;

use crate::Files;

/// The capabilities of a repository. By default it may read the files below its own folders, and nothing else.
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
    /// Whether the repository may use the network.
    pub network: bool,
    /// The environment variables that may be read.
    pub variables: Variables,
    /// The limits of one answer.
    pub limits: Limits,
}

/// The programs that may run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Programs {
    /// No program.
    Never,
    /// Programs that a configuration file outside of the repository names.
    #[default]
    OfMachine,
    /// Every program.
    Always,
}

/// The environment variables that a repository may read. By default there are no variables, and reading one returns
/// `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    values: Arc<BTreeMap<String, String>>,
    /// Whether the environment has more variables, which the repository may not read.
    hides_others: bool,
}

/// The error about an environment variable that a repository may not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HiddenVariable {
    /// The name of the variable; `None` if all variables were requested.
    pub name: Option<String>,
}

impl Capabilities {
    /// Returns the capabilities of an untrusted repository: the files below its folders.
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

    /// Returns the files that a configuration file may read. A configuration file outside of the repository belongs to
    /// the machine and may name any file.
    pub fn files_of(&self, config: &Path) -> &Files {
        if self.data.holds(config) { &self.data } else { &self.machine }
    }

    /// Returns a command for a program that a configuration file names, or `None` if it may not run.
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
    /// Returns a command for a program that code names, or `None` unless every program may run.
    pub fn command(self, program: impl AsRef<OsStr>) -> Option<Command> {
        (self == Programs::Always).then(|| Command::new(program))
    }
}

impl Variables {
    /// Returns all variables of this process with Unicode names and values.
    pub fn of_process() -> Variables {
        let all = std::env::vars_os();
        all.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))).collect()
    }

    /// Returns hidden variables: reading one is an error, because its value is unknown.
    pub fn hidden() -> Variables {
        Variables { hides_others: true, ..Variables::default() }
    }

    /// Returns these variables and others. The others win for equal names.
    pub fn and(self, others: impl IntoIterator<Item = (String, String)>) -> Variables {
        let mut values = Arc::unwrap_or_clone(self.values);
        values.extend(others);
        Variables { values: Arc::new(values), hides_others: self.hides_others }
    }

    /// Returns these variables without hidden ones: reading any other variable returns `None`.
    pub fn alone(self) -> Variables {
        Variables { hides_others: false, ..self }
    }

    /// Returns the value of a variable. `None` if it does not exist or is hidden; [`read`](Self::read) tells these
    /// apart.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Returns the value of a variable.
    ///
    /// ```
    /// use hieratic_sandbox::Variables;
    ///
    /// assert_eq!(Variables::default().read("HOME"), Ok(None));
    /// let hidden = Variables::hidden().read("HOME").unwrap_err();
    /// assert!(hidden.to_string().contains("'HOME'") && hidden.help().contains("--allow-outside"));
    /// ```
    ///
    /// # Errors
    /// The variable is hidden.
    pub fn read(&self, name: &str) -> Result<Option<&str>, HiddenVariable> {
        match self.get(name) {
            None if self.hides_others => Err(HiddenVariable { name: Some(name.to_owned()) }),
            value => Ok(value),
        }
    }

    /// Returns the variables that are not hidden, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns all variables, sorted by name.
    ///
    /// # Errors
    /// There are hidden variables.
    pub fn read_all(&self) -> Result<impl Iterator<Item = (&str, &str)>, HiddenVariable> {
        if self.hides_others { Err(HiddenVariable { name: None }) } else { Ok(self.iter()) }
    }

    /// Returns whether there is no variable that can be read.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl HiddenVariable {
    /// Returns the help of the diagnostic: the flag that grants the permission.
    pub fn help(&self) -> String {
        "allow the repository to read environment variables with --allow-outside, or trust it with `hieratic trust`"
            .into()
    }
}

impl fmt::Display for HiddenVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "the environment variable '{name}' cannot be read without permission"),
            None => f.write_str("environment variables cannot be read without permission"),
        }
    }
}

impl std::error::Error for HiddenVariable {}

impl FromIterator<(String, String)> for Variables {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(variables: I) -> Variables {
        Variables { values: Arc::new(variables.into_iter().collect()), hides_others: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_run_for_the_machine_alone() {
        let folder = tempfile::tempdir().unwrap();
        let mut capabilities = Capabilities::below([folder.path()]);
        let may = |capabilities: &Capabilities, config: &Path| capabilities.command(config, "true".as_ref()).is_some();
        let (inside, outside) = (folder.path().join("hieratic.yaml"), Path::new("/etc/puppet/hieratic.yaml"));
        assert_eq!((may(&capabilities, &inside), may(&capabilities, outside)), (false, true));
        capabilities.programs = Programs::Never;
        assert!(!may(&capabilities, outside));
        capabilities.programs = Programs::Always;
        assert!(may(&capabilities, &inside));
    }
}
