//! The local folders for the datadirs of a server, such as
//! `/etc/puppetlabs/code/environments/%{environment}/hieradata`.
//!
//! The reference runs on servers only, where such a folder exists. In a control repository, it is the corresponding
//! folder of the repository, unless this machine is such a server. For servers with data elsewhere, the user names the
//! local replacement ([`EnvironmentLayer::datadirs`]).

use std::path::Path;

use hieratic_sandbox::Files;
use hieratic_value::Str;

use super::hierarchy::{Config, Datadir};
use crate::layers::EnvironmentLayer;
use hieratic_sandbox::SlashPath as _;

/// The spellings of the environment's name in a folder.
const NAMES: [&str; 3] = ["%{environment}", "%{::environment}", "%{server_facts.environment}"];

/// The environment's location, here and on servers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DatadirMap<'a> {
    pub(crate) environment: &'a EnvironmentLayer,
    /// The files of this machine.
    pub(crate) machine: &'a Files,
}

impl DatadirMap<'_> {
    /// Takes the folders of a configuration that are the environment's own for those here.
    pub(super) fn map_datadirs(&self, mut config: Config) -> Config {
        for level in config.hierarchy.iter_mut().chain(config.default_hierarchy.iter_mut().flatten()) {
            if let Datadir::Interpolated(folder) = &mut level.datadir
                && let Some(here) = self.local_path(folder)
            {
                *folder = here;
            }
        }
        config
    }

    fn local_path(&self, folder: &str) -> Option<Str> {
        self.mapped_by_user(folder).or_else(|| self.of_environment(folder))
    }

    /// Returns the local replacement for a server path, or for its closest mapped ancestor.
    fn mapped_by_user(&self, folder: &str) -> Option<Str> {
        let inside = |there: &str| {
            let rest = folder.strip_prefix(there.trim_end_matches('/'))?;
            (rest.is_empty() || rest.starts_with('/')).then_some(rest.trim_start_matches('/'))
        };
        let matching =
            self.environment.datadirs.iter().filter_map(|folder| Some((inside(&folder.there)?, &folder.here)));
        let (rest, here) = matching.min_by_key(|(rest, _)| rest.len())?;
        Some(if rest.is_empty() { here.clone() } else { here.join(rest) }.to_slashes().into())
    }

    fn of_environment(&self, folder: &str) -> Option<Str> {
        const ENVIRONMENTS: &str = "/environments/";
        let end = folder.find(ENVIRONMENTS)? + ENVIRONMENTS.len();
        let own = self.environment;
        let is_end = |rest: &str| rest.is_empty() || rest.starts_with('/');
        let after = |name: &str| folder[end..].strip_prefix(name).filter(|rest| is_end(rest));
        let rest = NAMES.iter().copied().chain([&*own.name]).find_map(after)?;
        let there = Path::new(&folder[..end]).join(&*own.name);
        if there == own.root || self.machine.exists(&there) {
            return None;
        }
        Some(own.root.join(rest.trim_start_matches('/')).to_slashes().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::DataFolder;

    #[test]
    fn folders_of_the_environment_are_those_here() {
        let environment = EnvironmentLayer {
            name: "production".into(),
            root: "/home/me/control".into(),
            data_provider: None,
            datadirs: Vec::new(),
        };
        let deployed = DatadirMap { environment: &environment, machine: &Files::anywhere() };
        let here = |folder: &str| deployed.local_path(folder).map(|here| here.to_string());
        let hieradata = Some("/home/me/control/hieradata".to_owned());
        for name in ["%{environment}", "%{::environment}", "%{server_facts.environment}", "production"] {
            assert_eq!(here(&format!("/no/such/code/environments/{name}/hieradata")), hieradata, "{name}");
        }
        assert_eq!(here("/no/such/environments/%{environment}").as_deref(), Some("/home/me/control/"));
        for other in ["/no/such/environments/staging/data", "/no/such/hieradata", "/no/such/environments/productions"] {
            assert_eq!(here(other), None, "{other}");
        }
    }

    #[test]
    fn users_may_map_folders() {
        let datadirs = [("/srv/hiera", "/home/me/data"), ("/srv/hiera/%{environment}/", "/home/me/own")];
        let environment = EnvironmentLayer {
            name: "production".into(),
            root: "/home/me/control".into(),
            data_provider: None,
            datadirs: datadirs.map(DataFolder::from).into(),
        };
        let deployed = DatadirMap { environment: &environment, machine: &Files::anywhere() };
        let here = |folder: &str| deployed.local_path(folder).map(|here| here.to_string());
        assert_eq!(here("/srv/hiera").as_deref(), Some("/home/me/data"));
        assert_eq!(here("/srv/hiera/a/b").as_deref(), Some("/home/me/data/a/b"));
        assert_eq!(here("/srv/hiera/%{environment}/b").as_deref(), Some("/home/me/own/b"));
        assert_eq!(here("/srv/hieradata"), None);
    }

    #[test]
    fn a_server_has_its_own() {
        let root = tempfile::tempdir().unwrap();
        let there = root.path().join("environments/production");
        std::fs::create_dir_all(&there).unwrap();
        let environment = EnvironmentLayer {
            name: "production".into(),
            root: "/elsewhere".into(),
            data_provider: None,
            datadirs: Vec::new(),
        };
        let deployed = DatadirMap { environment: &environment, machine: &Files::anywhere() };
        assert_eq!(deployed.local_path(&format!("{}/environments/%{{environment}}/data", root.path().display())), None);
    }
}
