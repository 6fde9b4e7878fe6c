//! [`Environment`]: an environment of a control repository, opened once.

use std::ffi::c_char;
use std::path::Path;
use std::sync::Arc;

use engine::{Error, Limits, Permissions, Redactor};
use hieratic_bindings_core::BindingError;

use crate::failure::Failure;
use crate::ffi::{free_handle, into_handle, run_storing_error, text, text_or_null};
use crate::settings::settings;

/// An environment: its layers of data, opened once. Threads may use it at the same time.
#[derive(Debug)]
pub struct Environment(pub(crate) Arc<OpenEnvironment>);

/// The state that nodes share with their environment, and keep alive.
#[derive(Debug)]
pub(crate) struct OpenEnvironment {
    pub(crate) environment: engine::Environment,
    pub(crate) permissions: Permissions,
    /// The limits of a call without the options.
    pub(crate) limits: Limits,
    redacting: Redactor,
    revealing: Redactor,
}

impl OpenEnvironment {
    /// Redacts the secrets of the environment, or reveals them.
    pub(crate) fn redactor(&self, reveal: bool) -> &Redactor {
        if reveal { &self.revealing } else { &self.redacting }
    }

    pub(crate) fn failure(&self, error: &Error) -> Failure {
        BindingError::from_error(error, &self.redacting).into()
    }
}

/// Opens an environment of the control repository that a folder is in.
///
/// `options` is NULL or a JSON object: environment (its name), environment_dir, environmentpath, codedir, confdir,
/// hiera_config, modulepath, datadirs (an object: folders in hiera.yaml, each with the local folder), puppet_version
/// ("7" or "8"), strict ("off", "warning" or "error"), the permissions allow_programs, allow_outside, allow_network
/// (false by default) and confined, and the defaults of each call: limits (an object: steps, bytes, depth,
/// file, each with a number) and timeout (in seconds).
///
/// Free the result with hieratic_environment_free. NULL means failure: then `*error` is an error to free, unless
/// `error` is NULL.
///
/// # Safety
/// Strings are NULL or end with NUL; `error` is NULL or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_environment_open(
    folder: *const c_char,
    options: *const c_char,
    error: *mut *mut Failure,
) -> *mut Environment {
    let work = || {
        // SAFETY: the contract of this function requires the same.
        let (folder, options) = unsafe { (text("folder", folder)?, text_or_null("options", options)?) };
        let path = Path::new(folder);
        let settings = settings(path, options)?;
        if !settings.permissions.files_named(path).exists(path) {
            return Err(BindingError::absent(path).into());
        }
        let environment = engine::Environment::open(&settings)
            .map_err(|error| Failure::from(BindingError::from_error(&error, &Redactor::default())))?;
        let secrets = || environment.secrets();
        let (redacting, revealing) = (Redactor::new(secrets(), false), Redactor::new(secrets(), true));
        let (permissions, limits) = (settings.permissions, settings.limits);
        let opened = OpenEnvironment { environment, permissions, limits, redacting, revealing };
        Ok(into_handle(Environment(Arc::new(opened))))
    };
    // SAFETY: the contract of this function requires the same.
    unsafe { run_storing_error(error, std::ptr::null_mut(), work) }
}

/// Frees an environment. Its nodes stay usable. NULL is allowed.
///
/// # Safety
/// `environment` is NULL, or an environment that was not freed and that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hieratic_environment_free(environment: *mut Environment) {
    // SAFETY: the contract of this function requires the same.
    unsafe { free_handle(environment) }
}
