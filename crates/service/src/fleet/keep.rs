//! [`IndexProof`]: the dependencies of an index, so that an index of an earlier start is only used if it is current.
//!
//! An index depends on the program, on the settings of the environment, and on files. It is stored if all of these
//! files are known: those of the environment, of its modules and of the facts. The key is a hash of their names and
//! contents, of the settings and of the program. Answers that depend on anything else, such as code, programs,
//! PuppetDB, files elsewhere or settings of the machine, are not stored.

use std::path::Path;
use std::time::{Duration, SystemTime};

use hieratic::dependencies::NodeDependencies;
use hieratic::{Node, Settings};
use sha2::{Digest, Sha256};

use super::index::Table;
use super::stored::{StoredKey, bytes_of, table_of};
use crate::Service;
use crate::environments::OpenEnvironment;
use crate::fingerprint::{EnvironmentFiles, EnvironmentFingerprint, FileContents};

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

/// Returns whether changes of the settings and the existing files of a node show. Nodes of the same class share both;
/// what [single nodes](reads_known_files) would read is checked for each node.
pub(super) fn depends_on_known_files(node: &Node, dependencies: &NodeDependencies, files: &EnvironmentFiles) -> bool {
    let mut levels = node.configurations().into_iter().flat_map(|(_, levels)| levels);
    !dependencies.asks_code
        && !dependencies.reads_more
        && dependencies.places.iter().filter_map(|place| place.path.as_ref()).all(|path| files.contain(path))
        && !levels.any(|level| {
            // Keys of encrypted values may be in a variable.
            let unknown = OF_THE_MACHINE.into_iter().chain(["_env_var"]);
            unknown.into_iter().any(|name| level.settings.contains(name))
        })
}

/// Returns whether the files that a node would read if they existed are among those whose changes show: locations
/// without a file, all that globs can match, and keys of encrypted values. Nodes of the same class can differ in them.
pub(super) fn reads_known_files(dependencies: &NodeDependencies, files: &EnvironmentFiles) -> bool {
    let absent = dependencies.places.iter().filter(|place| place.path.is_none());
    absent.filter_map(|place| place.location.as_deref()).all(|location| files.contain(Path::new(location)))
        && dependencies.patterns.iter().all(|pattern| matches_within(pattern, files))
        && dependencies.key_files.iter().all(|file| files.contain(file))
}

/// Returns whether a pattern can match only files whose changes show. Wildcards match no name that begins with a dot, so
/// they lead neither out of the folder of the literal components in front nor into `.git`.
fn matches_within(pattern: &str, files: &EnvironmentFiles) -> bool {
    let Some(start) = pattern.find(['*', '?', '[', '{', '\\']) else { return files.contain(Path::new(pattern)) };
    // The component with the first wildcard belongs to the rest.
    let (folder, rest) = pattern.split_at(pattern[..start].rfind('/').unwrap_or(0));
    // What may become a dot in front of a name after braces are expanded is rare enough not to be judged.
    let has = |parts: &[&str]| parts.iter().any(|part| rest.contains(part));
    let has_dot = has(&["/.", "{.", ",.", "..", "\\"]) || has(&["}."]) && has(&["{,", ",}", ",,", "{}", "/,", "/}"]);
    !has_dot && files.contain(Path::new(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stay_in_the_folder_of_their_literal_part() {
        let folder = tempfile::tempdir().unwrap();
        let files = EnvironmentFiles::of_folder(folder.path());
        let root = folder.path().display();
        for (pattern, expected) in [
            (format!("{root}/data/site/**/*.yaml"), true),
            (format!("{root}/data/*.yaml"), true),
            (format!("{root}/*"), true),
            (format!("{root}/data/{{a,b/c}}/*.d/x.yaml"), true),
            (format!("{root}/data/{{/etc,b}}/*"), true),
            (format!("{root}/data/{{web,db}}.yaml"), true),
            (format!("{root}/data/common{{,_more}}/a.yaml"), true),
            (format!("{root}/data/plain.yaml"), true),
            (format!("{root}x/*.yaml"), false),
            (format!("{root}*/x.yaml"), false),
            ("/etc/**/*.yaml".into(), false),
            ("*.yaml".into(), false),
            (format!("{root}/../*.yaml"), false),
            (format!("{root}/data/*/../../../*.yaml"), false),
            (format!("{root}/data/{{..,a}}/*.yaml"), false),
            (format!("{root}/data/{{a,..}}/*.yaml"), false),
            (format!("{root}/data/{{.,.}}./*.yaml"), false),
            (format!("{root}/data/{{,x}}./{{,x}}./*.yaml"), false),
            (format!("{root}/data/\\.\\./\\.\\./*.yaml"), false),
            (format!("{root}/data/{{a/,b}}.git/*.yaml"), false),
            (format!("{root}/.git/*.yaml"), false),
            (format!("{root}/*/.git/x.yaml"), false),
            (format!("{root}/{{.git,x}}/x.yaml"), false),
            (format!("{root}/.?it/x.yaml"), false),
        ] {
            assert_eq!(matches_within(&pattern, &files), expected, "{pattern}");
        }
    }
}
