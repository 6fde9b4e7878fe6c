//! [`CodeFolders`]: where environments look for code.

use std::path::{Path, PathBuf};

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
}

/// The folders of a module in which a server looks for what has a name.
const OF_DEFINITIONS: [&str; 4] = ["manifests", "functions", "types", "plans"];

impl CodeFolders {
    /// Collects the given folders and those of environments, in order.
    pub(crate) fn new<'e>(environments: impl Iterator<Item = &'e Environment>, given: &Options) -> CodeFolders {
        let mut folders = CodeFolders {
            modulepath: given.settings.modulepath.iter().flat_map(SearchPath::folders).map(absolute).collect(),
            manifests: given.manifest.iter().map(|manifest| absolute(manifest)).collect(),
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
