//! [`Config`]: a validated `hiera.yaml` that is not yet resolved for a node.
//!
//! Version 5 is the current one; version 4 is accepted in environments and modules and version 3 in the global layer,
//! each with the reference's deprecation warning. All become the same list of levels. See
//! <https://www.puppet.com/docs/puppet/8/hiera_config_yaml_5.html>.

mod context;
mod datadir_map;
mod hierarchy;
mod schema;
mod source;
mod v3;
mod v4;
mod v5;

use std::path::Path;

use hieratic_sandbox::Files;

pub(crate) use context::{Context, Owner};
pub(crate) use datadir_map::DatadirMap;
pub use hierarchy::FunctionKind;
pub(crate) use hierarchy::{Config, Datadir, Level, Locations, check_names};

use crate::codes;
use crate::{Error, Strict, Warning};
use source::Source;

impl Config {
    /// Reads the configuration at a path, or the default if there is no file: `data/common.yaml` next to it.
    ///
    /// `None` means that a file of version 3 is ignored in this layer. Warnings for the user are added to `warnings`,
    /// even if the file is invalid.
    pub(crate) fn load(
        path: &Path,
        files: &Files,
        context: &Context<'_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<Config>, Error> {
        let bytes = match files.read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Some(v5::default(path)));
            }
            Err(error) => return Err(Error::of_file(&error, path)),
        };
        let mut source = Source::read(&bytes, path, warnings)?;
        source.product = context.version.product();
        let version = source.version()?;
        if let (3 | 4, false) = (version, context.strict == Strict::Off) {
            let message = format!(
                "{}: Use of 'hiera.yaml' version {version} is deprecated. It should be converted to version 5",
                source.path.display()
            );
            warnings.push(Warning::at_file(message, &source.path));
        }
        match version {
            5 => v5::read(&source, context).map(|config| Some(context.deployed.map_datadirs(config))),
            4 if context.owner == Owner::Global => {
                v4::validate(&source)?;
                Err(source
                    .fail(
                        codes::CONFIG_VERSION,
                        "hiera.yaml version 4 cannot be used in the global layer",
                        &["version"],
                    )
                    .help("convert the file to version 5"))
            }
            4 => v4::read(&source).map(Some),
            3 => {
                let config = v3::read(&source, context)?.map(|config| context.deployed.map_datadirs(config));
                if config.is_none() {
                    warnings.push(v3::ignored(&source, context));
                }
                Ok(config)
            }
            other => {
                let message = format!("This runtime does not support hiera.yaml version {other}");
                Err(source.fail(codes::CONFIG_VERSION, message, &["version"]).help("write `version: 5`"))
            }
        }
    }
}

#[cfg(test)]
mod tests;
