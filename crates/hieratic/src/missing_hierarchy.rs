//! [`MissingHierarchy`]: the diagnosis of an environment without a `hiera.yaml`.

use std::fmt;
use std::path::Path;

use hieratic_hiera::{CONFIG_FILE_NAME, Layers};
use hieratic_sandbox::Files;

use crate::Environment;

/// Files that people take for the configuration of an environment. Only `hiera.yaml` is read.
const OTHER_NAMES: [&str; 4] = ["hiera.yml", "hiera3.yaml", "hiera.yaml.erb", "puppet/hiera.yaml"];

/// Common names of data folders in such an environment.
const DATA_FOLDERS: [&str; 3] = ["hieradata", "data", "hiera"];

/// The reason why no lookup finds data of an environment: it has no `hiera.yaml`, and the settings name no global one.
///
/// See [how Hiera is configured](https://www.puppet.com/docs/puppet/8/hiera_config_yaml_5.html).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MissingHierarchy {
    /// There is no configuration and no data.
    Nothing,
    /// A common data folder exists, but no level reads it.
    Data(String),
    /// A file with a similar name, which is not read.
    OtherName(String),
    /// The `environment_data_provider` of `environment.conf`. Puppet since version 4.9 only reads it without a
    /// `hiera.yaml`, and then requires one.
    Provider(String),
}

impl fmt::Display for MissingHierarchy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MissingHierarchy::Nothing => f.write_str("no hiera.yaml"),
            MissingHierarchy::Data(folder) => write!(f, "no hiera.yaml reads {folder}/"),
            MissingHierarchy::OtherName(file) => write!(f, "no hiera.yaml, and {file} is not read"),
            MissingHierarchy::Provider(provider) => {
                write!(f, "no hiera.yaml, only environment_data_provider = {provider}")
            }
        }
    }
}

impl MissingHierarchy {
    /// Checks a folder in which no environment was found. Returns `None` unless it has files that only control
    /// repositories have.
    pub fn of_folder(folder: &Path, files: &Files) -> Option<MissingHierarchy> {
        let signs = ["environment.conf", "Puppetfile", "manifests/site.pp", "hieradata", "hiera.yml"];
        let has = |name: &str| files.exists(&folder.join(name));
        (signs.into_iter().any(has) && !has(CONFIG_FILE_NAME) && !has("metadata.json"))
            .then(|| MissingHierarchy::detect(folder, files))
    }

    /// Returns whether only modules have a configuration.
    fn find(layers: &Layers, environment: &Files) -> Option<MissingHierarchy> {
        let root = &layers.environment.root;
        let file = root.join(CONFIG_FILE_NAME);
        // An invisible file may exist.
        if environment.exists(&file) || environment.is_hidden(&file) {
            return None;
        }
        Some(match &layers.environment.data_provider {
            Some(provider) => MissingHierarchy::Provider(provider.to_string()),
            None => MissingHierarchy::detect(root, environment),
        })
    }

    /// Returns the files that exist in place of a `hiera.yaml`.
    fn detect(root: &Path, files: &Files) -> MissingHierarchy {
        if let Some(name) = OTHER_NAMES.into_iter().find(|name| files.exists(&root.join(name))) {
            return MissingHierarchy::OtherName(name.to_owned());
        }
        let folder = DATA_FOLDERS.into_iter().find(|name| files.is_folder(&root.join(name)));
        folder.map_or(MissingHierarchy::Nothing, |folder| MissingHierarchy::Data(folder.to_owned()))
    }
}

impl Environment {
    /// Returns why no lookup finds data of the environment, or `None` if it has a `hiera.yaml`, or the settings name a
    /// global one. The data of modules, and of the machine's `hiera.yaml`, is found in any case.
    pub fn missing_hierarchy(&self) -> Option<MissingHierarchy> {
        if self.names_global_layer() { None } else { MissingHierarchy::find(self.layers(), &self.capabilities().data) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;

    fn of(files: &[(&str, &str)]) -> Option<String> {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let settings = Settings { environment_dir: Some(root.path().into()), ..Settings::default() };
        Environment::open(&settings).unwrap().missing_hierarchy().map(|missing| missing.to_string())
    }

    #[test]
    fn the_actual_kind_is_named() {
        assert_eq!(of(&[("hiera.yaml", "version: 5\n"), ("hiera.yml", "")]), None);
        assert_eq!(of(&[]).as_deref(), Some("no hiera.yaml"));
        assert_eq!(of(&[("hieradata/a.yaml", "")]).as_deref(), Some("no hiera.yaml reads hieradata/"));
        let other = of(&[("hiera.yml", ""), ("data/a.yaml", "")]);
        assert_eq!(other.as_deref(), Some("no hiera.yaml, and hiera.yml is not read"));
        let provider = of(&[("environment.conf", "environment_data_provider = hiera\n")]);
        assert_eq!(provider.as_deref(), Some("no hiera.yaml, only environment_data_provider = hiera"));
    }
}
