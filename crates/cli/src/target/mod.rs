//! [`Target`]: the environment, the node and the settings that the flags of a verb select.

mod facts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hieratic::{Environment, Error, Permissions, SearchPath, Settings};
use hieratic_diagnostics::{Diagnostic, Severity};

use crate::args::{PlaceArguments, datadirs};
use crate::report::Reporter;
use crate::{bare, codes, levels, output, trust};
use hieratic::sandbox::SlashPath as _;

pub(crate) use facts::host_name;

/// The environment, the node and the settings that the flags of a verb select. A verb resolves it once, and hands it
/// down.
pub(crate) struct Target<'p> {
    place: &'p PlaceArguments,
    settings: Settings,
}

impl<'p> Target<'p> {
    /// Resolves the flags: finds the repository around the current folder, and what it may do.
    pub(crate) fn new(place: &'p PlaceArguments) -> Target<'p> {
        Target { place, settings: settings(place) }
    }

    /// The flags.
    pub(crate) fn place(&self) -> &'p PlaceArguments {
        self.place
    }

    /// The settings for finding data and code.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The settings, with the positions of values if they are wanted.
    pub(crate) fn settings_with(&self, positions: bool) -> Settings {
        Settings { positions, ..self.settings.clone() }
    }

    /// The permissions of the repository.
    pub(crate) fn permissions(&self) -> Permissions {
        self.settings.permissions
    }

    /// Opens the environment by settings that are made of the target's. Its secrets are redacted from then on.
    pub(crate) fn open(&self, settings: &Settings, reporter: &Reporter) -> Result<Environment, Error> {
        let environment = Environment::open(settings)?;
        if !self.place.without_level_by_settings {
            levels::check_left_out(&self.place.without_level, std::slice::from_ref(&environment))?;
        }
        reporter.redact_secrets_of(&environment);
        Ok(environment)
    }

    /// Opens the environment of the flags or of the current folder; `None` if there is no environment and no flag names
    /// one.
    pub(crate) fn open_if_any(&self, reporter: &Reporter) -> Result<Option<Environment>, Error> {
        match self.open(&self.settings, reporter) {
            Ok(environment) => {
                self.print_inputs(&environment, reporter);
                Ok(Some(environment))
            }
            Err(error) if error.code() == hieratic::codes::ENVIRONMENT_MISSING && !self.is_named() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns whether a flag names the environment.
    fn is_named(&self) -> bool {
        let place = self.place;
        place.environment.is_some() && !place.environment_by_settings
            || place.environment_dir.is_some()
            || place.environmentpath.is_some()
            || place.codedir.is_some()
            || place.confdir.is_some()
    }

    /// Implements `--verbose`: prints the inputs of the answer.
    pub(crate) fn print_inputs(&self, environment: &Environment, reporter: &Reporter) {
        if !self.place.verbose {
            return;
        }
        let layers = environment.layers();
        let permissions = self.permissions();
        let file = |path: &Path| {
            let name = output::relative_file(path);
            if path.is_file() { name } else { format!("{name} (does not exist)") }
        };
        let facts = self.source_of_facts();
        // Errors of settings were reported when they were read for the answer.
        let settings = crate::config::Config::for_place(self.place).map(|config| config.files()).unwrap_or_default();
        let may = [
            (permissions.programs, "run programs"),
            (permissions.outside, "read files outside"),
            (permissions.network, "use the network"),
        ];
        let may: Vec<&str> = may.iter().filter(|(may, _)| *may).map(|(_, subject)| *subject).collect();
        let or = |list: String, none: &str| if list.is_empty() { none.to_owned() } else { list };
        let note = Diagnostic::new(
            Severity::Note,
            codes::USED,
            format!("environment '{}' in {}", environment.name(), layers.environment.root.display()),
        );
        let lines = [
            format!(
                "hierarchies: {}, {}",
                file(&layers.environment.root.join("hiera.yaml")),
                file(&layers.global_config)
            ),
            format!("modules: {}", layers.modules.len()),
            format!("facts: {facts}"),
            format!("settings: {}", or(settings.join(", "), "none")),
            format!("the repository may: {}", or(may.join(", "), "read its own files")),
        ];
        reporter.diagnostic(&lines.into_iter().fold(note, Diagnostic::note));
    }
}

/// The folder of the environment that settings mean, if it is there.
pub(crate) fn environment_folder(settings: &Settings) -> Option<PathBuf> {
    let name = settings.environment_name();
    let of_path = || environment_folders(settings).map(|path| path.join(name)).find(|path| path.is_dir());
    settings.environment_dir.clone().or_else(of_path)
}

/// Returns the closest existing folder: the folder of environments, or the current folder.
pub(crate) fn nearest_folder(settings: &Settings) -> PathBuf {
    environment_folders(settings).next().unwrap_or_else(|| PathBuf::from("."))
}

fn environment_folders(settings: &Settings) -> impl Iterator<Item = PathBuf> + '_ {
    settings.environmentpath.iter().flat_map(SearchPath::folders).map(Path::to_owned)
}

/// Returns the settings for finding data and code.
fn settings(place: &PlaceArguments) -> Settings {
    let mut settings = Settings {
        environment: place.environment.clone(),
        environmentpath: place.environmentpath.clone(),
        codedir: place.codedir.clone(),
        confdir: place.confdir.clone(),
        hiera_config: place.hiera_config.clone(),
        modulepath: place.modulepath.clone(),
        basemodulepath: place.basemodulepath.clone(),
        puppet_version: place.puppet.version(),
        strict: place.strict,
        strict_variables: match (place.strict_variables, place.lenient_variables) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        },
        data_binding_terminus: place.data_binding_terminus.clone(),
        config: place.config.clone(),
        puppet_settings: puppet_settings(place),
        // As in the reference, the server is this machine.
        server: host_name(),
        environment_dir: place.environment_dir.clone(),
        datadirs: datadirs(&place.datadir),
        without_levels: place.without_level.clone(),
        skipped_levels: place.skipped_levels.clone(),
        sensitive_secrets: place.sensitive_secrets,
        ..Settings::default()
    };
    // A current folder that was removed is in no repository.
    if settings.codedir.is_none()
        && let Ok(here) = std::env::current_dir()
    {
        settings.find_repository(&here);
        if !settings.was_found {
            find_in_bare_repository(&mut settings, &here, place);
        }
    }
    settings.permissions = permissions(place);
    settings.tree = place.revision.clone();
    settings.refused = place.refused.clone();
    settings
}

/// The settings for code.
fn puppet_settings(place: &PlaceArguments) -> BTreeMap<String, String> {
    let vardir = place.vardir.as_ref().map(|folder| ("vardir".to_owned(), folder.to_slashes()));
    let given = place.setting.iter().filter_map(|text| text.split_once('='));
    let given = given.map(|(name, value)| (name.to_owned(), value.to_owned()));
    vardir.into_iter().chain(given).collect()
}

/// Reads environments from the given revision of a bare repository, or from its `HEAD`.
fn find_in_bare_repository(settings: &mut Settings, here: &Path, place: &PlaceArguments) {
    let Some(root) = bare::repository(here) else { return };
    // An unreadable revision is an error of the verb that reads it.
    let of_head = || bare::tree_of_head(&root).ok();
    settings.tree = place.revision.clone().or_else(of_head);
    settings.find_in_tree();
}

/// Returns the capabilities of the repository, from the flags or from earlier trust.
pub(crate) fn permissions(place: &PlaceArguments) -> Permissions {
    // A current folder that was removed is not trusted.
    let folder = place.environment_dir.clone().or_else(|| std::env::current_dir().ok());
    let access = if place.revision.is_some() { place.access.of_revision() } else { place.access };
    trust::permissions(access, place.permissions, folder.as_deref())
}
