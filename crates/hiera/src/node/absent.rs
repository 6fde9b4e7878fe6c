//! Levels that are not asked here: their data is elsewhere, or somebody wants an answer without them.
//!
//! A server asks Vault, a database or a service for the data of such a level. Without it, each lookup of the repository would fail, because
//! each key is looked for in every level. So the others answer, and whatever shows an answer says which levels were not asked.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use hieratic_value::Str;
use indexmap::IndexSet;

/// Functions of modules that hold their data in another system.
///
/// They are called nowhere here, even if their code is in the module path: it needs gems and the network.
const ELSEWHERE: &[&str] = &[
    "azure_key_vault::lookup",
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

/// What functions are called by custom that ask another system.
const PREFIX: &str = "hiera_";

/// Why a level is not asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence {
    /// Somebody named the level, to have an answer without it.
    Named,
    /// Its function asks another system.
    Elsewhere,
}

/// A level that was not asked for a key, though it may have one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LevelNotAsked {
    /// The name of the level.
    pub level: Str,
    /// The function that would have answered.
    pub function: Str,
    /// The configuration that has the level.
    pub config: Option<Arc<Path>>,
    /// Whether somebody wants the answer without it; if not, its function asks another system.
    pub is_named: bool,
}

impl LevelNotAsked {
    /// Why it was not asked.
    pub fn reason(&self) -> String {
        match self.is_named {
            true => "it was left out by --without-level or the settings".to_owned(),
            false => format!("{} reads the data of another system", self.function),
        }
    }
}

/// The levels that were not asked for keys that they may have, by all nodes of the environments that share the record.
#[derive(Clone, Debug, Default)]
pub struct NotAsked(Arc<Mutex<IndexSet<LevelNotAsked>>>);

impl NotAsked {
    /// The levels, each once.
    pub fn levels(&self) -> Vec<LevelNotAsked> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    pub(crate) fn add(&self, level: LevelNotAsked) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(level);
    }
}

/// Whether a function is known to ask another system.
pub(super) fn is_elsewhere(function: &str) -> bool {
    ELSEWHERE.binary_search(&function).is_ok()
}

/// Whether a function that is not here is one that asks another system, by its name.
pub(crate) fn may_be_elsewhere(function: &str) -> bool {
    function.starts_with(PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_in_order_and_found() {
        assert!(ELSEWHERE.is_sorted());
        assert!(is_elsewhere("hiera_vault") && !is_elsewhere("hiera_file") && may_be_elsewhere("hiera_file"));
    }
}
