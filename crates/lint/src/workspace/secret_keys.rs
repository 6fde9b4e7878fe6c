//! The decryption keys of levels, and whether they exist.

use std::path::Path;

use hieratic::Value;
use hieratic::eyaml::KeySource;

use super::Workspace;
use super::data::has_interpolation;
use super::hierarchy::Level;

/// The files and variables that keys may be read from.
pub(crate) fn key_source(workspace: &Workspace) -> KeySource {
    let capabilities = workspace.environment.capabilities();
    KeySource { files: capabilities.data.clone(), variables: capabilities.variables.clone() }
}

/// Returns whether the keys of a level are available.
pub(crate) fn has_keys(level: &Level, source: &KeySource) -> bool {
    keys_of(level, source) == Keys::Here
}

/// The availability of the keys of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    /// They can be read.
    Here,
    /// They do not exist.
    Absent,
    /// The keys are outside of the repository, where they may not be read.
    Outside,
    /// Their paths depend on the node.
    Unknown,
}

/// Returns the location of the keys of a level.
pub(crate) fn keys_of(level: &Level, source: &KeySource) -> Keys {
    if has_interpolation(&Value::Hash(level.level.options.clone())) {
        return Keys::Unknown;
    }
    let text = |name: &str| level.level.options.get(name).and_then(Value::as_str);
    let there = |name: &str| {
        let variable =
            text(&format!("{name}_env_var")).is_some_and(|variable| source.variables.get(variable).is_some());
        variable || text(name).is_none_or(|file| source.files.exists(Path::new(file)))
    };
    let is_outside = |name: &str| text(name).is_some_and(|file| source.files.is_refused(Path::new(file)));
    const BOTH: [&str; 2] = ["pkcs7_private_key", "pkcs7_public_key"];
    match (BOTH.into_iter().all(there), BOTH.into_iter().any(is_outside)) {
        (true, _) => Keys::Here,
        (false, true) => Keys::Outside,
        (false, false) => Keys::Absent,
    }
}
