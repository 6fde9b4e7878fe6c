//! Keys that are never looked up.

use hieratic::hiera::inspect::{InterpolationKind, interpolations};
use hieratic::{Environment, Key};
use hieratic_value::collections::HashSet;

use super::anchors::keys_with_anchors;
use super::hygiene::{Sizes, shorter};
use super::nodes::SampleNodes;
use super::{Code, Repository, is_of_missing_module};
use crate::finding::Finding;
use crate::options::Options;
use crate::rules;
use crate::texts::written_at;

/// The keys that data looks up.
pub(super) fn looked_up(repository: &Repository) -> HashSet<String> {
    let mut named: HashSet<String> = HashSet::default();
    let files = repository.files.iter().filter(|file| file.may_interpolate());
    for text in files.flat_map(|file| file.texts()).filter(|text| text.text.contains("%{")) {
        for found in interpolations(text.text) {
            if let InterpolationKind::Lookup(key) | InterpolationKind::Alias { key, .. } = found.kind
                && let Ok(key) = Key::parse(&key)
            {
                named.insert(key.root().to_string());
            }
        }
    }
    named
}

/// The code that may look keys up.
pub struct KeyUsage<'c> {
    code: &'c Code,
    environment: &'c Environment,
    /// Whether modules are missing that could contain more of it.
    misses_modules: bool,
    /// The modules that have code. The folder of a submodule that was not checked out is there, and has none.
    with_code: HashSet<&'c str>,
}

impl<'c> KeyUsage<'c> {
    pub(super) fn new(code: &'c Code, environment: &'c Environment, misses_modules: bool) -> KeyUsage<'c> {
        let with_code = code.classes.keys().filter_map(|class| class.split("::").next()).collect();
        KeyUsage { code, environment, misses_modules, with_code }
    }

    /// Reports whether a key is that of a parameter, or code or a template names it, or missing code could.
    pub fn may_look_up(&self, key: &str) -> bool {
        let is_parameter = || {
            key.rsplit_once("::").and_then(|(class, name)| Some((self.code.classes.get(class)?, name))).is_some_and(
                |(class, name)| class.inherits || class.parameters.iter().any(|parameter| parameter.name == name),
            )
        };
        // Missing code can look up any key.
        let modules = &self.environment.layers().modules;
        let is_unseen = || {
            let of_missing = self.misses_modules && is_of_missing_module(key, self.environment.layers());
            let module = key.split_once("::").map(|(module, _)| module);
            // A class that code declares has parameters, even if its module is not here.
            of_missing
                || module.is_some_and(|module| match modules.contains_key(module) {
                    true => !self.with_code.contains(module),
                    false => self.code.declared.contains(module),
                })
        };
        let is_asked = || self.code.lookup_calls.for_key(key).any(|request| !request.key.is_anything());
        self.code.names.contains(key) || is_parameter() || is_unseen() || is_asked()
    }

    /// Reports whether there is code, and all of it names the keys that it looks up.
    pub fn is_certain(&self) -> bool {
        let has_code = !self.code.classes.is_empty() || !self.code.names.is_empty();
        has_code && !self.code.computes_names
    }
}

/// Finds keys that are not parameters, and that no code, template or data names.
pub(super) fn check(repository: &Repository, code: &Code, _: &SampleNodes<'_>, options: &Options) -> Vec<Finding> {
    if !options.unused && !options.hygiene {
        return Vec::new();
    }
    if code.classes.is_empty() && code.names.is_empty() {
        // Without any code every key would be unused, which is not helpful.
        let config = repository.configs.iter().find_map(|config| config.source.as_ref());
        let message = "Unused keys were not checked: the module path has no code";
        let finding =
            Finding::new(&rules::UNUSED_KEY, message).help("install the modules, or name them with --modulepath");
        return config.map(|source| finding.at(source, written_at(source, 1, 1), "")).into_iter().collect();
    }
    let named = looked_up(repository);
    let misses_modules = repository.missing_parts.misses_modules();
    let key_usage = KeyUsage::new(code, &repository.environment, misses_modules);
    let mut reported = HashSet::default();
    let mut sizes = Sizes::default();
    let mut findings = Vec::new();
    for file in &repository.files {
        let with_anchors = keys_with_anchors(file);
        for (key, _) in file.entries() {
            if with_anchors.contains(key) || named.contains(key) || key_usage.may_look_up(key) || !reported.insert(key)
            {
                continue;
            }
            let finding = Finding::new(&rules::UNUSED_KEY, format!("The key '{key}' is never looked up"))
                .at(&file.source, file.key_span(key), "")
                .help("remove it, unless something outside of this repository looks it up");
            let finding = match bytes(repository, &mut sizes, key) {
                Some((1, bytes)) => finding.note(shorter(bytes)),
                Some((files, bytes)) => finding.note(format!("without it, {files} files are {bytes} bytes shorter")),
                None => finding,
            };
            findings.push(match code.computes_names {
                true => finding.note("some code computes the keys of its lookups, which cannot be checked"),
                false => finding,
            });
        }
    }
    findings
}

/// The number of files that have a key, and the bytes of its entries; `None` if these are unknown.
fn bytes(repository: &Repository, sizes: &mut Sizes, key: &str) -> Option<(usize, usize)> {
    let holders = repository.files.iter().enumerate().filter(|(_, file)| file.hash.contains(key));
    let all: Option<Vec<usize>> = holders.map(|(index, file)| sizes.entry_size(index, file, key)).collect();
    all.map(|all| (all.len(), all.iter().sum()))
}
