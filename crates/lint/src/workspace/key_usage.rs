//! [`KeyUsage`]: the keys that code, templates and data may look up.

use hieratic::Environment;
use hieratic::hiera::inspect::{InterpolationKind, interpolations};
use hieratic::lookup::Key;
use hieratic::value::collections::HashSet;

use super::{Code, Workspace, is_of_missing_module};

/// The keys that data looks up.
pub(crate) fn looked_up(workspace: &Workspace) -> HashSet<String> {
    let mut named: HashSet<String> = HashSet::default();
    let files = workspace.files.iter().filter(|file| file.may_interpolate());
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

/// The keys that code, templates and data may look up.
pub struct KeyUsage<'c> {
    code: &'c Code,
    environment: &'c Environment,
    /// Whether modules are missing that could contain more of it.
    misses_modules: bool,
    /// The modules that have code. The folder of a submodule that was not checked out is there, and has none.
    with_code: HashSet<&'c str>,
}

impl<'c> KeyUsage<'c> {
    pub(crate) fn new(code: &'c Code, environment: &'c Environment, misses_modules: bool) -> KeyUsage<'c> {
        let with_code = code.classes.keys().filter_map(|class| class.split("::").next()).collect();
        KeyUsage { code, environment, misses_modules, with_code }
    }

    /// Returns whether a key may be looked up: it belongs to a parameter, code or a template names it, or missing code
    /// could.
    pub fn may_look_up(&self, key: &str) -> bool {
        let is_parameter = || {
            key.rsplit_once("::").and_then(|(class, name)| Some((self.code.classes.get(class)?, name))).is_some_and(
                |(class, name)| class.inherits || class.parameters.iter().any(|parameter| parameter.name == name),
            )
        };
        // Missing code can look up any key.
        let modules = &self.environment.layers().modules;
        let may_be_unread = || {
            let of_missing = self.misses_modules && is_of_missing_module(key, self.environment.layers());
            let module = key.split_once("::").map(|(module, _)| module);
            // A class that code declares has parameters, even if its module is not here.
            of_missing
                || module.is_some_and(|module| {
                    if modules.contains_key(module) {
                        !self.with_code.contains(module)
                    } else {
                        self.code.declared.contains(module)
                    }
                })
        };
        let is_looked_up = || self.code.lookup_calls.for_key(key).any(|request| !request.key.is_anything());
        self.code.names.contains(key) || is_parameter() || may_be_unread() || is_looked_up()
    }

    /// Returns whether there is code, and all its lookups have literal keys.
    pub fn is_certain(&self) -> bool {
        let has_code = !self.code.classes.is_empty() || !self.code.names.is_empty();
        has_code && !self.code.computes_names
    }
}
