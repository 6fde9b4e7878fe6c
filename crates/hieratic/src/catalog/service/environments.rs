//! [`OpenEnvironments`]: the environments that requests share.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hieratic_hiera::{Error, ErrorKind, Freshness};
use hieratic_sandbox::{Memory, Mounted};

use super::super::SharedCode;
use super::request::RequestedEnvironment;
use crate::codes;
use crate::environment::Environment;
use crate::settings::Settings;

/// The maximum number of environments in memory. The one that was used least recently is closed first.
const MAX_ENVIRONMENTS: usize = 16;

/// The folder of an environment for requests that name none. It is empty, and not on the disk.
const NO_FOLDER: &str = "/hieratic-catalog-request";

/// The number of further data files that an environment keeps in memory.
const MAX_DATA_FILES: usize = 4_096;

/// An environment with its code.
#[derive(Debug)]
pub(super) struct OpenEnvironment {
    pub environment: Environment,
    pub code: Arc<SharedCode>,
}

/// The environments that are open, the most recently used one last.
#[derive(Debug, Default)]
pub(super) struct OpenEnvironments(Mutex<Vec<(RequestedEnvironment, Arc<Slot>)>>);

/// The place of an environment. Requests for the same one wait until it is open.
type Slot = Mutex<Option<Arc<OpenEnvironment>>>;

impl OpenEnvironments {
    /// Returns an environment whose settings, list of modules and code are those on the disk now.
    pub fn get(&self, wanted: &RequestedEnvironment, defaults: &Settings) -> Result<Arc<OpenEnvironment>, Error> {
        let slot = self.slot(wanted);
        // An environment is replaced as a whole, so it is sound after a panic.
        let mut open = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*open
            && known.environment.freshness(Duration::ZERO) == Freshness::Current
        {
            let Some(code) = known.code.renewed(&known.environment.powers().code) else { return Ok(known.clone()) };
            let renewed = Arc::new(OpenEnvironment { environment: known.environment.clone(), code: Arc::new(code) });
            *open = Some(renewed.clone());
            return Ok(renewed);
        }
        let environment = Environment::open(&settings_of(wanted, defaults))?;
        if wanted.manifest.is_some() {
            check_manifest(&environment)?;
        }
        environment.keep(MAX_DATA_FILES);
        let opened = Arc::new(OpenEnvironment { environment, code: Arc::new(SharedCode::watching()) });
        *open = Some(opened.clone());
        Ok(opened)
    }

    fn slot(&self, wanted: &RequestedEnvironment) -> Arc<Slot> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.iter().position(|(other, _)| other == wanted);
        let entry = match known {
            Some(at) => all.remove(at),
            None => (wanted.clone(), Arc::default()),
        };
        if all.len() >= MAX_ENVIRONMENTS {
            all.remove(0);
        }
        let slot = entry.1.clone();
        all.push(entry);
        slot
    }
}

/// Checks that the manifest that a request names can be read: without it, the catalog would lack its resources.
fn check_manifest(environment: &Environment) -> Result<(), Error> {
    let (manifest, files) = (environment.manifest(), &environment.powers().code);
    if files.is_file(manifest) || files.is_folder(manifest) {
        return Ok(());
    }
    let message = format!("the manifest {} is not a file or a folder that can be read", manifest.display());
    Err(Error::new(ErrorKind::Fatal, codes::CATALOG_REQUEST, message))
}

/// The settings for opening an environment.
fn settings_of(wanted: &RequestedEnvironment, defaults: &Settings) -> Settings {
    let path = |wanted: &Option<PathBuf>, default: &Option<PathBuf>| wanted.clone().or_else(|| default.clone());
    let mut settings = Settings {
        environment: wanted.environment.clone().or_else(|| defaults.environment.clone()),
        modulepath: wanted.modulepath.clone().or_else(|| defaults.modulepath.clone()),
        basemodulepath: wanted.basemodulepath.clone().or_else(|| defaults.basemodulepath.clone()),
        manifest: path(&wanted.manifest, &defaults.manifest),
        hiera_config: path(&wanted.hiera_config, &defaults.hiera_config),
        confdir: path(&wanted.confdir, &defaults.confdir),
        codedir: path(&wanted.codedir, &defaults.codedir),
        puppet_version: wanted.version.unwrap_or(defaults.puppet_version),
        strict: wanted.strict.or(defaults.strict),
        strict_variables: wanted.strict_variables.or(defaults.strict_variables),
        server: wanted.server.clone().or_else(|| defaults.server.clone()),
        readable: defaults.readable.iter().chain(&wanted.readable).cloned().collect(),
        ..defaults.clone()
    };
    settings.puppet_settings.extend(wanted.settings.clone());
    if wanted.environment_dir.is_some() || wanted.environmentpath.is_some() {
        settings.environment_dir.clone_from(&wanted.environment_dir);
        settings.environmentpath.clone_from(&wanted.environmentpath);
        // Neither is the repository around the current folder.
        (settings.repository, settings.was_found) = (None, false);
    } else if settings.environment_dir.is_none() && settings.environmentpath.is_none() && settings.tree.is_none() {
        settings.tree = Some(Mounted::new(NO_FOLDER, Memory::default()));
        settings.environment_dir = Some(Path::new(NO_FOLDER).to_owned());
    }
    settings
}
