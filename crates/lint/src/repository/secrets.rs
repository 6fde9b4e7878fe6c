//! Secrets: whether the keys that levels name open them.

use std::path::Path;

use hieratic::Value;
use hieratic::eyaml::{Decryptor, KeySource, is_encrypted};
use rayon::prelude::*;

use super::data::{DataFile, Reader, any_text, has_interpolation};
use super::hierarchy::Level;
use super::nodes::SampleNodes;
use super::{Code, Repository, named};
use crate::finding::Finding;
use crate::options::Options;
use crate::rules;
use crate::texts::written_at;

/// Secrets that cannot be opened, that nothing opens, and those of which that is not known.
pub(super) fn check(repository: &Repository, _: &Code, _: &SampleNodes<'_>, _: &Options) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        repository.files.par_iter().flat_map_iter(|file| in_file(repository, file)).collect();
    findings.extend(unchecked(repository));
    findings
}

fn in_file(repository: &Repository, file: &DataFile) -> Vec<Finding> {
    if !file.source.text().contains("ENC[") {
        return Vec::new();
    }
    let levels = || file.reached.iter().map(|reach| &repository.config(file).levels[reach.level]);
    let opening: Vec<&Level> = levels().filter(|level| level.reader == Reader::Eyaml).collect();
    if opening.is_empty() {
        if !matches!(file.reader, Reader::Yaml | Reader::Json | Reader::Hocon) {
            return Vec::new();
        }
        let encrypted = file.texts().into_iter().filter(|text| is_token(text.text));
        return encrypted.map(|text| not_decrypted(file, text.start, levels().next())).collect();
    }
    let source = key_source(repository);
    let here = opening.iter().find(|level| keys_of(level, &source) == Keys::Here);
    let decryptor = here.map(|level| Decryptor::new(&level.level.options, &source));
    let mut findings = Vec::new();
    for text in file.texts() {
        let message = if is_encrypted(text.text) {
            match decryptor.as_ref().map(|decryptor| decryptor.decrypt_text(text.text)) {
                // Without the keys, whether they fit is not known.
                None | Some(Ok(_)) => continue,
                Some(Err(error)) => format!("The secret cannot be decrypted: {error}"),
            }
        } else if text.text.contains("ENC[PKCS7,") {
            "The secret is truncated: the closing ']' is missing".to_owned()
        } else {
            continue;
        };
        let place = file.source.position(text.start);
        findings.push(
            Finding::new(&rules::UNDECRYPTABLE_SECRET, message)
                .at(&file.source, written_at(&file.source, place.line, place.column), "")
                .help("encrypt the value again with the public key of the level, or fix the private key of the level"),
        );
    }
    findings
}

/// Reports whether a string is a secret, as opposed to a string about secrets.
fn is_token(text: &str) -> bool {
    text.contains("ENC[PKCS7,") && is_encrypted(text)
}

fn not_decrypted(file: &DataFile, start: usize, level: Option<&Level>) -> Finding {
    let place = file.source.position(start);
    let function = level.map_or("yaml_data", |level| &*level.level.function);
    let name = level.map_or("", |level| &*level.level.name);
    let message = format!("The value is encrypted, but '{function}' of the level '{name}' does not decrypt");
    Finding::new(&rules::SECRET_NOT_DECRYPTED, message)
        .at(&file.source, written_at(&file.source, place.line, place.column), "")
        .help("add `lookup_key: eyaml_lookup_key` with the keys in `options` to the level")
}

/// The files and variables that keys may be read from.
pub(super) fn key_source(repository: &Repository) -> KeySource {
    let powers = repository.environment.powers();
    KeySource { files: powers.data.clone(), variables: powers.variables.clone() }
}

/// Reports whether the keys of a level are available.
pub(super) fn has_keys(level: &Level, source: &KeySource) -> bool {
    keys_of(level, source) == Keys::Here
}

/// The availability of the keys of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keys {
    Here,
    Absent,
    /// The keys are outside of the repository, where they may not be read.
    Outside,
    /// Their paths depend on the node.
    Unknown,
}

fn keys_of(level: &Level, source: &KeySource) -> Keys {
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

/// The levels whose secrets could not be checked, because their private keys are elsewhere.
fn unchecked(repository: &Repository) -> Vec<Finding> {
    let source = key_source(repository);
    let mut findings = Vec::new();
    for (config_index, config) in repository.configs.iter().enumerate() {
        for (index, level) in config.levels.iter().enumerate() {
            let keys = keys_of(level, &source);
            if level.reader != Reader::Eyaml || keys == Keys::Here {
                continue;
            }
            let reads =
                |file: &&DataFile| file.config == config_index && file.reached.iter().any(|reach| reach.level == index);
            let has_decrypted = |file: &&DataFile| file.hash.iter().any(|(_, value)| any_text(value, &is_encrypted));
            let files = repository.files.iter().map(|file| &**file).filter(reads).filter(has_decrypted).count();
            if files == 0 {
                continue;
            }
            let private = level.level.options.get("pkcs7_private_key").and_then(Value::as_str);
            let why = match (keys, private) {
                (Keys::Absent, Some(private)) => format!("the key {} does not exist", named(Path::new(private))),
                (Keys::Outside, Some(private)) => {
                    format!("the key {} is outside of the repository", named(Path::new(private)))
                }
                (Keys::Outside, None) => "its keys are outside of the repository".to_owned(),
                (Keys::Absent, None) => "its keys do not exist".to_owned(),
                _ => "the location of its keys depends on the node".to_owned(),
            };
            let message = format!(
                "The secrets of the level '{}' were not checked ({files} {}): {why}",
                level.level.name,
                if files == 1 { "file" } else { "files" }
            );
            let help = match keys {
                Keys::Outside => "pass --allow-outside where you trust the change: the check then decrypts the secrets",
                _ => "run the check on a machine that has the private key",
            };
            let finding = Finding::new(&rules::SECRET_UNCHECKED, message).help(help);
            let place = level.level.place.as_ref();
            findings.push(match (&config.source, place.and_then(|place| place.line)) {
                (Some(source), Some(line)) => {
                    let column = place.and_then(|place| place.column).unwrap_or(1);
                    finding.at(source, written_at(source, line, column), "")
                }
                _ => finding.in_file(named(&config.root.join("hiera.yaml"))),
            });
        }
    }
    findings
}
