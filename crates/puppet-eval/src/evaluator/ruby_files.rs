//! The Ruby files in the modules of an environment, by what they define.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_puppet_functions::{Flow, Host as _};
use hieratic_sandbox::Files;
use hieratic_value::collections::{HashMap, HashSet};

use super::Evaluator;

/// Ruby files that are searched by a name without a module. The first module with such a file wins.
#[derive(Debug, Default)]
pub struct RubyFiles {
    kinds: HashMap<String, PathBuf>,
    functions: HashMap<String, PathBuf>,
    /// The files of functions of the API of Puppet 3.
    old_functions: HashMap<String, PathBuf>,
    provided: HashSet<String>,
    /// The `lib` folders of modules.
    libraries: Vec<PathBuf>,
    /// The folders that were searched, those that do not exist included.
    searched: Vec<PathBuf>,
}

impl RubyFiles {
    fn find_in_modules(environment: &dyn crate::Environment, files: &Files) -> RubyFiles {
        let mut found = RubyFiles::default();
        let names = |folder: &Path| files.list(folder).unwrap_or_default().into_iter().map(|entry| entry.name);
        for module in environment.modules() {
            let Some(lib) = environment.module(&module).map(|root| root.join("lib")) else { continue };
            found.searched.push(lib.clone());
            if !files.is_folder(&lib) {
                continue;
            }
            let puppet = lib.join("puppet");
            found.libraries.push(lib);
            found.searched.push(puppet.clone());
            if !files.is_folder(&puppet) {
                continue;
            }
            let of_kinds = ["type", "functions", "parser/functions", "provider"];
            found.searched.extend(of_kinds.map(|folder| puppet.join(folder)));
            let add = |folder: &str, tables: &mut [&mut HashMap<String, PathBuf>]| {
                let folder = puppet.join(folder);
                for name in names(&folder) {
                    if let Some(stem) = name.strip_suffix(".rb") {
                        for table in &mut *tables {
                            table.entry(stem.to_owned()).or_insert_with(|| folder.join(&name));
                        }
                    }
                }
            };
            add("type", &mut [&mut found.kinds]);
            add("functions", &mut [&mut found.functions]);
            add("parser/functions", &mut [&mut found.functions, &mut found.old_functions]);
            found.provided.extend(names(&puppet.join("provider")));
        }
        found
    }

    /// Returns the folders that were searched. The result is valid as long as they are unchanged.
    pub fn searched(&self) -> &[PathBuf] {
        &self.searched
    }

    /// The file that defines a resource type.
    pub(super) fn kind(&self, name: &str) -> Option<PathBuf> {
        self.kinds.get(name).cloned()
    }

    /// Returns the file of a function without a module in its name.
    pub(super) fn function(&self, name: &str) -> Option<PathBuf> {
        self.functions.get(name).cloned()
    }

    /// Returns the file of a function of the API of Puppet 3.
    pub(super) fn old_function(&self, name: &str) -> Option<PathBuf> {
        self.old_functions.get(name).cloned()
    }

    /// Returns whether a module has providers for a type.
    pub(super) fn provides(&self, kind: &str) -> bool {
        self.provided.contains(kind)
    }

    /// Returns the folders that `require` searches.
    pub(super) fn libraries(&self) -> &[PathBuf] {
        &self.libraries
    }
}

impl Evaluator<'_> {
    /// Returns the Ruby files of the modules, which are searched once.
    pub(super) fn ruby_files(&mut self) -> Arc<RubyFiles> {
        if let Some(known) = &self.rubies.files {
            return known.clone();
        }
        let (environment, files) = (&*self.environment, &self.options.files);
        let found = environment.ruby_files(&|| Arc::new(RubyFiles::find_in_modules(environment, files)));
        self.rubies.files = Some(found.clone());
        found
    }

    /// Returns whether `puppet generate types` was run.
    pub(super) fn has_written_kinds(&mut self) -> bool {
        if let Some(known) = self.rubies.written_kinds {
            return known;
        }
        let root = self.environment.root().map(|root| root.join(".resource_types"));
        let found = root.is_some_and(|folder| self.options.files.is_folder(&folder));
        self.rubies.written_kinds = Some(found);
        found
    }

    /// Reads a Ruby file. Everything computed from it is valid as long as the file is unchanged.
    pub(super) fn read_code(&mut self, path: &Path) -> Result<Vec<u8>, Flow> {
        if let Some(stat) = self.options.files.stat(path) {
            self.rubies.loaded.push((path.to_owned(), stat));
        }
        self.read_file(path)
    }
}
