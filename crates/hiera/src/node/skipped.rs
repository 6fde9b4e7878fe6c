//! Skipped levels: their data is in another system, or the user excluded them.
//!
//! A server requests the data of such a level from Vault, a database or a service. Without it, every lookup of the
//! repository would fail, because every key is searched in every level. So the other levels answer, and outputs list
//! the skipped levels.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use hieratic_value::Str;
use indexmap::IndexSet;

/// Functions of modules that hold their data in another system.
///
/// They are called nowhere here, even if their code is in the module path: it needs gems and the network.
const REMOTE_FUNCTIONS: &[&str] = &[
    "azure_key_vault::lookup",
    // The console of Puppet Enterprise has it, in the database of the classifier.
    "classifier_data",
    "hiera_aws",
    "hiera_aws_secretsmanager",
    "hiera_aws_sm",
    "hiera_consul",
    "hiera_etcd",
    "hiera_http",
    "hiera_jenkins",
    "hiera_ldap",
    "hiera_mysql",
    "hiera_redis",
    "hiera_ssm",
    "hiera_storedsafe::lookup_key",
    "hiera_vault",
    "redis_lookup_key",
    "trocla_lookup_key",
    "vault_hiera_hash",
];

/// The customary prefix of functions that call another system.
const PREFIX: &str = "hiera_";

/// The reason why a level is not called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SkipReason {
    /// The user excluded the level by name.
    Named,
    /// Its function calls another system.
    Remote,
}

/// A level that was skipped for a key, although it may define it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SkippedLevel {
    /// The name of the level.
    pub level: Str,
    /// The function of the level.
    pub function: Str,
    /// The configuration of the level.
    pub config: Option<Arc<Path>>,
    /// Whether the user excluded it. Otherwise, its function calls another system.
    pub is_named: bool,
}

impl SkippedLevel {
    /// Returns the reason why it was skipped.
    pub fn reason(&self) -> String {
        if self.is_named {
            "it was left out by --without-level or the settings".to_owned()
        } else {
            format!("{} reads the data of another system", self.function)
        }
    }
}

/// A record of skipped levels, shared by all nodes of some environments.
#[derive(Clone, Debug, Default)]
pub struct SkippedLevels(Arc<Mutex<IndexSet<SkippedLevel>>>);

impl SkippedLevels {
    /// Returns the distinct levels.
    pub fn levels(&self) -> Vec<SkippedLevel> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    pub(crate) fn add(&self, level: SkippedLevel) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(level);
    }
}

/// Returns whether a function is known to call another system.
pub(super) fn is_remote(function: &str) -> bool {
    REMOTE_FUNCTIONS.binary_search(&function).is_ok()
}

/// Returns whether a missing function is one that calls another system, judging by its name.
pub(crate) fn looks_remote(function: &str) -> bool {
    function.starts_with(PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_in_order_and_found() {
        assert!(REMOTE_FUNCTIONS.is_sorted());
        assert!(is_remote("hiera_vault") && !is_remote("hiera_file") && looks_remote("hiera_file"));
    }
}
