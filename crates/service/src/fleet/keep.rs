//! [`IndexProof`]: the dependencies of an index, so that an index of an earlier start is only used if it is current.
//!
//! An index depends on the program, on the settings of the environment, and on files. It is stored if all of these
//! files are known: those of the environment, of its modules and of the facts. The key is a hash of their names and
//! contents, of the settings and of the program. Answers that depend on anything else, such as code, programs,
//! PuppetDB, files elsewhere or settings of the machine, are not stored.

use std::path::Path;
use std::time::{Duration, SystemTime};

use hieratic::budget::Budget;
use hieratic::dependencies::NodeDependencies;
use hieratic::{Node, Settings};
use sha2::{Digest, Sha256};

use super::index::Table;
use super::stored::{StoredKey, bytes_of, table_of};
use crate::Service;
use crate::environments::OpenEnvironment;
use crate::fingerprint::{EnvironmentFiles, EnvironmentFingerprint, FileContents};
use crate::problem::Problem;

/// The time for which files have to be unchanged before their state is kept: a later change may have the same times.
const SETTLED_AFTER: Duration = Duration::from_secs(2);

/// The minimum reading time of an index that is kept.
const MIN_DURATION: Duration = Duration::from_millis(20);

/// The known state of everything that an index depends on.
pub(super) struct IndexProof {
    key: StoredKey,
    contents: FileContents,
}

impl IndexProof {
    /// Returns the current state of an environment, if its files have a fingerprint and nothing else decides answers.
    pub(super) fn new(
        service: &Service,
        opened: &OpenEnvironment,
        fingerprint: &EnvironmentFingerprint,
    ) -> Option<IndexProof> {
        let store = service.index_store.as_ref()?;
        let settings = service.nodes.environments.settings(opened.environment.name());
        let permissions = settings.permissions;
        // Facts without a file can change unseen.
        service.stored.path()?;
        if permissions.programs || permissions.outside || permissions.network || settings.tree.is_some() {
            return None;
        }
        let files = EnvironmentFiles::from_open(service, opened);
        let contents = files.content()?;
        // The contents are those of the fingerprint if that is the same after they were read.
        (files.fingerprint() == *fingerprint).then(|| {
            let mut hash = Sha256::new();
            hash.update(format!("{}\n{:?}\n", store.program(), settings_of(&settings, service, opened)));
            hash.update(contents.digest);
            IndexProof { key: hash.finalize().into(), contents }
        })
    }

    /// The name under which an index is kept.
    fn name(&self) -> String {
        self.key.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the index that an earlier start kept.
    pub(super) fn read(&self, service: &Service) -> Option<Table> {
        let store = service.index_store.as_ref()?;
        let name = self.name();
        let note = |why: &str| {
            service.note(&format!("the index {name} in the cache is not used, and nodes are read: {why}"));
            None
        };
        match store.read(&name) {
            Ok(None) => None,
            Ok(Some(bytes)) => table_of(&bytes, &self.key).map_or_else(note, Some),
            Err(error) => note(&error.to_string()),
        }
    }

    /// Keeps a complete index. Returns whether nothing is left to do for these files.
    pub(super) fn write(&self, service: &Service, table: &Table, begun: SystemTime) -> bool {
        let Some(store) = &service.index_store else { return true };
        // A change within the resolution of times would not show.
        if self.contents.newest.is_some_and(|newest| newest + SETTLED_AFTER >= begun) {
            return false;
        }
        if table.is_full || table.duration < MIN_DURATION {
            return true;
        }
        let name = self.name();
        // An index that is there already is the same. One that cannot be read is replaced.
        let known = store.read(&name).ok().flatten();
        if known.is_some_and(|known| table_of(&known, &self.key).is_ok()) {
            return true;
        }
        let Some(bytes) = bytes_of(table, &self.key) else { return true };
        if let Err(error) = store.write(&name, &bytes) {
            service.note(&format!("the index of all nodes cannot be kept: {error}"));
        }
        true
    }
}

/// The settings that decide answers, apart from files.
fn settings_of(settings: &Settings, service: &Service, opened: &OpenEnvironment) -> impl std::fmt::Debug + use<> {
    let layers = opened.environment.layers();
    let language = settings.language();
    let modules: Vec<_> = opened.environment.modulepath().collect();
    (
        (layers.environment.clone(), layers.global_config.clone(), layers.codedir.clone(), modules),
        (settings.puppet_version, language.strict, language.strict_variables, settings.data_binding_terminus.clone()),
        (settings.without_levels.clone(), settings.sensitive_secrets, settings.permissions, settings.limits),
        (service.limits.work, service.stored.path().map(Path::to_path_buf)),
    )
}

/// The variables that are made of settings of the machine, such as `puppet.conf`.
const OF_THE_MACHINE: [&str; 5] = ["settings::", "server_facts", "servername", "serverip", "serverversion"];

/// Returns whether a variable is made of settings of the machine.
pub(super) fn is_of_machine(variable: &str) -> bool {
    OF_THE_MACHINE.iter().any(|name| variable.trim_start_matches("::").starts_with(name))
}

/// Returns whether the answers of a node depend on files of the environment alone, whose changes show.
///
/// # Errors
/// A configuration is invalid, or the budget is exhausted.
pub(super) fn depends_on_known_files(
    node: &Node,
    dependencies: &NodeDependencies,
    files: &EnvironmentFiles,
    budget: &Budget,
) -> Result<bool, Problem> {
    if dependencies.asks_code || dependencies.reads_more {
        return Ok(false);
    }
    let is_known = |location: &str| files.contain(Path::new(location));
    if !dependencies.places.iter().all(|place| place.location.as_deref().is_none_or(is_known)) {
        return Ok(false);
    }
    for level in node.configurations().iter().flat_map(|(_, levels)| levels) {
        let written = &level.settings;
        if OF_THE_MACHINE.iter().any(|name| written.contains(name)) {
            return Ok(false);
        }
        // A pattern elsewhere may match a file later.
        if written.contains("Globs") && (written.contains("\"/") || written.contains("..")) {
            return Ok(false);
        }
        // The key of encrypted values may be elsewhere.
        if written.contains("eyaml") {
            let is_elsewhere = |path: &Path| !files.contain(path);
            let reads = node.may_read(&is_elsewhere, budget);
            return reads.map(|reads| !reads).map_err(|error| Problem::bad_request(error.to_string()));
        }
    }
    Ok(true)
}
