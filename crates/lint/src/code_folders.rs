//! [`CodeFolders`]: the folders in which environments search for code.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use hieratic::value::collections::HashSet;
use hieratic::{Environment, SearchPath};

use crate::options::Options;
use crate::paths::absolute;

/// The folders in which environments look for code.
#[derive(Clone, Debug, Default)]
pub(crate) struct CodeFolders {
    /// The folders of modules.
    modulepath: Vec<PathBuf>,
    /// The manifests, or folders of manifests, that a server begins with.
    manifests: Vec<PathBuf>,
    /// The functions in Ruby of modules other than stdlib, as soon as a rule asks for them.
    functions: OnceLock<HashSet<String>>,
}

/// The folders of a module in which a server searches definitions by name.
const OF_DEFINITIONS: [&str; 4] = ["manifests", "functions", "types", "plans"];

impl CodeFolders {
    /// Collects the given folders and those of environments, in order.
    pub(crate) fn new<'e>(environments: impl Iterator<Item = &'e Environment>, given: &Options) -> CodeFolders {
        let mut folders = CodeFolders {
            modulepath: given.settings.modulepath.iter().flat_map(SearchPath::folders).map(absolute).collect(),
            manifests: given.manifest.iter().map(|manifest| absolute(manifest)).collect(),
            functions: OnceLock::new(),
        };
        for environment in environments {
            for folder in environment.modulepath().map(|folder| absolute(&folder)) {
                if !folders.modulepath.contains(&folder) {
                    folders.modulepath.push(folder);
                }
            }
            folders.manifests.push(environment.manifest().to_owned());
        }
        folders
    }

    /// Returns whether a module other than stdlib has a function in Ruby without a module in its name.
    pub(crate) fn has_function(&self, name: &str, options: &Options) -> bool {
        self.functions.get_or_init(|| self.functions_in_ruby(options)).contains(name)
    }

    fn functions_in_ruby(&self, options: &Options) -> HashSet<String> {
        let settings = &options.settings;
        let mut found = HashSet::default();
        for folder in &self.modulepath {
            let files = settings.mounted(settings.permissions.files_below(folder));
            // A folder that cannot be listed is reported by the walk through all code.
            let modules = files.list(folder).unwrap_or_default();
            for module in modules.iter().filter(|module| module.name != "stdlib") {
                for place in ["lib/puppet/functions", "lib/puppet/parser/functions"] {
                    let functions = files.list(&folder.join(&module.name).join(place)).unwrap_or_default();
                    found.extend(functions.iter().filter_map(|file| Some(file.name.strip_suffix(".rb")?.to_owned())));
                }
            }
        }
        found
    }

    /// The module path for a file that must define the name that its path implies. Empty for other files, such as
    /// examples, in which no name is looked up.
    pub(crate) fn modulepath_of(&self, file: &Path) -> &[PathBuf] {
        let is_of_definitions = |folder: &PathBuf| {
            let inside = file.strip_prefix(folder).ok().and_then(|inside| inside.iter().nth(1));
            inside.is_some_and(|second| OF_DEFINITIONS.iter().any(|name| second == *name))
        };
        let is_first = self.manifests.iter().any(|manifest| file.starts_with(manifest));
        let inside = self.modulepath.iter().find(|folder| file.starts_with(folder));
        if inside.is_some_and(is_of_definitions) && !is_first { &self.modulepath } else { &[] }
    }
}
