//! [`MissingParts`]: the parts of the repository that are not checked out. Rules that depend on missing files are
//! skipped. One note reports the missing parts.
//!
//! A checkout is rarely complete. Private data is on servers, r10k installs modules, packages provide keys and
//! functions. None of this is a mistake, but readers of the findings need to know which parts were skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::sandbox::Files;
use hieratic::value::ErasedSort as _;
use hieratic::{Environment, yaml};
use hieratic_diagnostics::Source;

use crate::coverage::{Omission, Reason, Subject};
use crate::finding::Finding;
use crate::kind::Kind;
use crate::modules::{Metadata, Puppetfile, short_name};
use crate::paths::shown;
use crate::rules::not_seen;
use crate::texts::manifest::is_plan;
use crate::workspace::CodePart;

/// The first parts of the names that the language has, and those of stdlib.
pub(crate) const MODULES_OF_LANGUAGE: [&str; 4] = ["puppet", "pcore", "settings", "stdlib"];

/// The most names that a line lists.
const SHOWN: usize = 5;

/// The missing parts of an environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MissingParts {
    /// The folder of the environment, if no hierarchy reads its data, and what it has instead of a `hiera.yaml`.
    hierarchy: Option<(PathBuf, String)>,
    /// Folders of data, with the levels that read them.
    folders: BTreeMap<String, Vec<String>>,
    /// Functions that answer levels.
    functions: BTreeSet<String>,
    /// Levels that are left out on request.
    left_out: BTreeSet<String>,
    /// Levels whose files something else than git brings.
    private: BTreeSet<String>,
    /// Folders of modules.
    modulepath: Vec<String>,
    /// Modules that are named and not installed, and by which file.
    modules: BTreeMap<String, Vec<String>>,
}

impl MissingParts {
    /// Collects the modules of an environment that are listed but not installed, and the folders of modules outside of
    /// the repository.
    pub(crate) fn new(environment: &Environment, readable: &Files) -> MissingParts {
        let layers = environment.layers();
        let root = &layers.environment.root;
        let hierarchy = environment.missing_hierarchy().map(|missing| (root.clone(), missing.to_string()));
        let mut parts = MissingParts { hierarchy, ..MissingParts::default() };
        for (file, names) in [
            ("Puppetfile", named_by_puppetfile as fn(&str) -> Vec<String>),
            (".fixtures.yml", named_by_fixtures),
            ("metadata.json", named_by_metadata),
        ] {
            let Ok(text) = readable.read_text(&root.join(file)) else { continue };
            let mut missing: Vec<String> =
                names(&text).into_iter().filter(|name| !layers.modules.contains_key(name.as_str())).collect();
            missing.sort_erased();
            missing.dedup();
            if !missing.is_empty() {
                parts.modules.insert(file.to_owned(), missing);
            }
        }
        let elsewhere = environment.modulepath().filter(|folder| !readable.holds(folder));
        parts.modulepath = elsewhere.map(|folder| shown(&folder)).collect();
        parts
    }

    /// A folder that a level would read is not there, or must not be looked at.
    pub(crate) fn folder(&mut self, folder: &Path, level: &str) {
        let levels = self.folders.entry(shown(folder)).or_default();
        if levels.last().is_none_or(|last| last != level) {
            levels.push(level.to_owned());
        }
    }

    /// A function that answers a level is not there.
    pub(crate) fn function(&mut self, name: &str) {
        self.functions.insert(name.to_owned());
    }

    /// Adds a level that is left out on request.
    pub(crate) fn left_out(&mut self, level: &str) {
        self.left_out.insert(level.to_owned());
    }

    /// The files of a level are not in git, and not here.
    pub(crate) fn private_level(&mut self, name: &str) {
        self.private.insert(name.to_owned());
    }

    /// Returns whether there are such levels.
    pub(crate) fn has_private_levels(&self) -> bool {
        !self.private.is_empty()
    }

    /// Returns whether a folder belongs to a module that is listed and not installed: data can be in a separate module.
    pub(crate) fn has_module_around(&self, folder: &Path, environment: &Environment) -> bool {
        let inside = environment.modulepath().find_map(|modules| folder.strip_prefix(modules).ok().map(Path::to_owned));
        let module = inside.as_deref().and_then(|path| path.iter().next()).and_then(|name| name.to_str());
        module.is_some_and(|module| self.modules.values().flatten().any(|missing| missing == module))
    }

    /// Returns whether modules are missing, so that their classes, parameters and data are unknown.
    pub(crate) fn misses_modules(&self) -> bool {
        !self.modules.is_empty() || !self.modulepath.is_empty()
    }

    /// The parts that could not be checked for this reason: levels, folders of modules, and files of code that name
    /// missing modules.
    pub(crate) fn omissions<'c>(
        &self,
        environment: &Environment,
        code: impl Iterator<Item = (&'c Path, &'c Arc<CodePart>)>,
    ) -> Vec<Omission> {
        let of = |path: &str, subject, reason| Omission { path: path.into(), subject, reason };
        let of_environment = |(root, found): &(PathBuf, String)| Omission::without_hierarchy(root, found.clone());
        let mut omissions: Vec<Omission> = self.hierarchy.iter().map(of_environment).collect();
        for (folder, levels) in &self.folders {
            omissions.extend(levels.iter().map(|_| of(folder, Subject::Level, Reason::DataElsewhere)));
        }
        omissions.extend(self.functions.iter().map(|name| of(name, Subject::Level, Reason::MissingFunction)));
        omissions.extend(self.left_out.iter().map(|name| of(name, Subject::Level, Reason::LevelLeftOut)));
        omissions.extend(self.private.iter().map(|name| of(name, Subject::Level, Reason::DataElsewhere)));
        omissions.extend(self.modulepath.iter().map(|path| of(path, Subject::Folder, Reason::ModulesElsewhere)));
        let code: Vec<(&Path, &Arc<CodePart>)> = code.collect();
        let defined: BTreeSet<&str> = code.iter().flat_map(|(_, part)| part.defined_modules()).collect();
        let installed = &environment.layers().modules;
        let is_known = |module: &str| {
            installed.contains_key(module) || defined.contains(module) || MODULES_OF_LANGUAGE.contains(&module)
        };
        // Plans name modules that Bolt installs.
        for (path, part) in code.into_iter().filter(|(path, _)| !is_plan(path)) {
            let named = part.named_modules();
            let mut missing = named.iter().filter(|module| !is_known(module)).peekable();
            if missing.peek().is_none() {
                continue;
            }
            let lists = |module: &&str| {
                self.modules.iter().find(|(_, names)| names.iter().any(|name| name == module)).map(|(file, _)| file)
            };
            let reason = match missing.find_map(lists) {
                Some(file) => Reason::MissingModules(file.clone()),
                None => Reason::UnlistedModules,
            };
            let subject = Subject::from_kind(Kind::from_path(path));
            omissions.push(Omission { path: path.to_owned(), subject, reason });
        }
        omissions
    }

    /// The note on the missing parts, if there are any.
    pub(crate) fn note(&self, root: &Path) -> Option<Finding> {
        let mut lines = Vec::new();
        for (folder, levels) in &self.folders {
            lines.push(format!("the data in {folder} ({})", listed("the level", "the levels", levels)));
        }
        if !self.functions.is_empty() {
            lines.push(format!("the answers of {}", listed("the function", "the functions", &self.functions)));
        }
        if !self.private.is_empty() {
            lines.push(format!("the private data of {}", listed("the level", "the levels", &self.private)));
        }
        lines.extend(self.modulepath.iter().map(|folder| format!("the modules in {folder}")));
        for (file, modules) in &self.modules {
            lines.push(format!("{} of {file}", listed("the module", "the modules", modules)));
        }
        if lines.is_empty() {
            return None;
        }
        Some(not_seen::of_environment(root, lines))
    }
}

/// A few names after a word.
fn listed<'n>(one: &str, many: &str, names: impl IntoIterator<Item = &'n String>) -> String {
    let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
    let shown = &names[..names.len().min(SHOWN)];
    let word = if names.len() == 1 { one } else { many };
    match names.len() - shown.len() {
        0 => format!("{word} {}", shown.join(", ")),
        more => format!("{word} {} and {more} more", shown.join(", ")),
    }
}

/// The modules that r10k installs.
fn named_by_puppetfile(text: &str) -> Vec<String> {
    Puppetfile::names(&Source::new("Puppetfile", text)).iter().map(|name| short_name(name).to_owned()).collect()
}

/// The keys below `repositories`, `forge_modules` and `symlinks`.
fn named_by_fixtures(text: &str) -> Vec<String> {
    let parsed = yaml::parse(text.as_bytes(), &yaml::Options { symbols: false, regexps: false, file: ".fixtures.yml" });
    let parsed = parsed.unwrap_or_default();
    let Some(fixtures) = parsed.as_hash().and_then(|root| root.get("fixtures")?.as_hash()) else { return Vec::new() };
    let kinds = ["repositories", "forge_modules", "symlinks"];
    let hashes = kinds.iter().filter_map(|kind| fixtures.get(kind)?.as_hash());
    hashes.flat_map(|hash| hash.keys()).filter_map(|name| Some(short_name(name.as_str()?).to_owned())).collect()
}

/// The names of the dependencies.
fn named_by_metadata(text: &str) -> Vec<String> {
    let (metadata, _) = Metadata::read(&Source::new("metadata.json", text));
    metadata.dependencies.iter().map(|dependency| short_name(&dependency.name).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_named_in_three_kinds_of_files() {
        let puppetfile = "forge 'x'\nmod 'puppetlabs-stdlib', '9.0.0'\nmod \"puppet/nginx\",\n  :latest\nmod 'profile',\n  git: 'https://x/y.git'\n# mod 'a'\n";
        assert_eq!(named_by_puppetfile(puppetfile), ["stdlib", "nginx", "profile"]);
        // If code is computed, or the file is not Ruby, each line is searched.
        assert_eq!(named_by_puppetfile("if x\n  mod 'a/b'\nend\nmod(\"c/d\")\n"), ["b", "d"]);
        assert_eq!(named_by_puppetfile("mod 'a/b', '1.0.0'\nmod 'c/d', (\n"), ["b", "d"]);
        let fixtures = "fixtures:\n  repositories:\n    stdlib: https://x\n  forge_modules:\n    concat: {repo: puppetlabs/concat}\n";
        assert_eq!(named_by_fixtures(fixtures), ["stdlib", "concat"]);
        assert_eq!(named_by_metadata(r#"{"dependencies": [{"name": "puppetlabs/stdlib"}, {}]}"#), ["stdlib"]);
        assert!(named_by_fixtures(": [").is_empty() && named_by_metadata("[").is_empty());
    }

    #[test]
    fn missing_parts_are_one_note() {
        let mut missing = MissingParts::default();
        assert!(missing.clone().note(Path::new("/r")).is_none());
        missing.folder(Path::new("/srv/private"), "secrets");
        missing.folder(Path::new("/srv/private"), "more");
        missing.function("hiera_vault");
        let note = missing.note(Path::new("/r")).map(|note| note.diagnostic.notes.clone());
        let expected_notes =
            ["the data in /srv/private (the levels secrets, more)", "the answers of the function hiera_vault"];
        assert_eq!(note, Some(expected_notes.map(String::from).to_vec()));
    }
}
