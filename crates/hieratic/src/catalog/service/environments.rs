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
    /// Returns an environment that is current: its settings, list of modules and code are those on the disk.
    ///
    /// # Errors
    /// The environment cannot be opened.
    pub fn get(&self, request: &RequestedEnvironment, defaults: &Settings) -> Result<Arc<OpenEnvironment>, Error> {
        let slot = self.slot(request);
        // An environment is replaced as a whole, so it is sound after a panic.
        let mut open = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = &*open
            && known.environment.freshness(Duration::ZERO) == Freshness::Current
        {
            let Some(code) = known.code.renewed(&known.environment.capabilities().code) else {
                return Ok(known.clone());
            };
            let renewed = Arc::new(OpenEnvironment { environment: known.environment.clone(), code: Arc::new(code) });
            *open = Some(renewed.clone());
            return Ok(renewed);
        }
        let environment = Environment::open(&settings_of(request, defaults))?;
        if request.manifest.is_some() {
            check_manifest(&environment)?;
        }
        environment.keep(MAX_DATA_FILES);
        let opened = Arc::new(OpenEnvironment { environment, code: Arc::new(SharedCode::watching()) });
        *open = Some(opened.clone());
        Ok(opened)
    }

    fn slot(&self, request: &RequestedEnvironment) -> Arc<Slot> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.iter().position(|(other, _)| other == request);
        let entry = match known {
            Some(at) => all.remove(at),
            None => (request.clone(), Arc::default()),
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
    let (manifest, files) = (environment.manifest(), &environment.capabilities().code);
    if files.is_file(manifest) || files.is_folder(manifest) {
        return Ok(());
    }
    let message = format!("the manifest {} is not a file or a folder that can be read", manifest.display());
    Err(Error::new(ErrorKind::Fatal, codes::CATALOG_REQUEST, message))
}

/// The settings for opening an environment.
fn settings_of(request: &RequestedEnvironment, defaults: &Settings) -> Settings {
    let path = |request: &Option<PathBuf>, default: &Option<PathBuf>| request.clone().or_else(|| default.clone());
    let mut settings = Settings {
        environment: request.environment.clone().or_else(|| defaults.environment.clone()),
        modulepath: request.modulepath.clone().or_else(|| defaults.modulepath.clone()),
        basemodulepath: request.basemodulepath.clone().or_else(|| defaults.basemodulepath.clone()),
        manifest: path(&request.manifest, &defaults.manifest),
        hiera_config: path(&request.hiera_config, &defaults.hiera_config),
        confdir: path(&request.confdir, &defaults.confdir),
        codedir: path(&request.codedir, &defaults.codedir),
        puppet_version: request.version.unwrap_or(defaults.puppet_version),
        strict: request.strict.or(defaults.strict),
        strict_variables: request.strict_variables.or(defaults.strict_variables),
        server: request.server.clone().or_else(|| defaults.server.clone()),
        readable: defaults.readable.iter().chain(&request.readable).cloned().collect(),
        ..defaults.clone()
    };
    settings.puppet_settings.extend(request.settings.clone());
    if request.environment_dir.is_some() || request.environmentpath.is_some() {
        settings.environment_dir.clone_from(&request.environment_dir);
        settings.environmentpath.clone_from(&request.environmentpath);
        // Neither is the repository around the current folder.
        (settings.repository, settings.was_found) = (None, false);
    } else if settings.environment_dir.is_none() && settings.environmentpath.is_none() && settings.tree.is_none() {
        settings.tree = Some(Mounted::new(NO_FOLDER, Memory::default()));
        settings.environment_dir = Some(Path::new(NO_FOLDER).to_owned());
    }
    settings
}
