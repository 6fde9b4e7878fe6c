//! [`readers`]: the levels that can read a file, and for which nodes.

use std::collections::BTreeMap;
use std::path::Path;

use hieratic::{Environment, Settings};

use super::hierarchy::{Config, configs};
use crate::missing_parts::MissingParts;

/// A level that can read a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The name of the level.
    pub level: String,
    /// The module of the level. `None` for the environment's and the global hierarchy.
    pub module: Option<String>,
    /// The values that variables must have for the level to read the file.
    pub bindings: BTreeMap<String, String>,
}

/// Finds the levels that can read a file.
pub struct Readers {
    environment: Environment,
    configs: Vec<Config>,
}

impl Readers {
    /// Reads the hierarchies of an environment.
    ///
    /// # Errors
    /// The environment cannot be opened.
    pub fn from_settings(settings: &Settings) -> Result<Readers, String> {
        let environment = Environment::open(settings).map_err(|error| error.to_string())?;
        let configs = configs(&environment, &mut MissingParts::default()).usable;
        Ok(Readers { environment, configs })
    }

    /// Returns the levels that can read a file, which need not exist. `file` must be absolute.
    pub fn of_file(&self, file: &Path) -> Vec<Reading> {
        let Some(text) = file.to_str() else { return Vec::new() };
        let mut found = Vec::new();
        for config in &self.configs {
            for of in &config.levels {
                let name = self.environment.name();
                let mut readings = of.patterns.iter().filter_map(|pattern| pattern.lead_to(text, name));
                let reading =
                    |bindings| Reading { level: of.level.name.to_string(), module: config.module.clone(), bindings };
                found.extend(readings.next().map(reading));
            }
        }
        found
    }
}

/// Returns the levels that can read a file, which need not exist. `file` must be absolute.
///
/// # Errors
/// The environment cannot be opened.
pub fn readers(settings: &Settings, file: &Path) -> Result<Vec<Reading>, String> {
    Ok(Readers::from_settings(settings)?.of_file(file))
}
