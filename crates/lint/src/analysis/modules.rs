//! [`ModuleFiles`]: the names of definitions, derived from the paths of files in modules.

use std::path::{Path, PathBuf};

use hieratic::value::collections::{HashMap, HashSet};

/// The modules of an environment, and what their files of Ruby are named for.
#[derive(Debug, Default)]
pub(super) struct ModuleFiles {
    /// The modules, by their folders.
    names: HashMap<PathBuf, String>,
    /// The functions in Ruby, in lower case.
    pub(super) functions: HashSet<String>,
    /// The data types in Ruby, in lower case.
    pub(super) data_types: HashSet<String>,
    /// The resource types in Ruby.
    pub(super) resource_types: HashSet<String>,
    /// The providers in Ruby, by the resource type.
    pub(super) providers: HashMap<String, Vec<String>>,
}

impl ModuleFiles {
    pub(super) fn new<'p>(
        modules: impl Iterator<Item = (&'p str, &'p Path)>,
        files: impl Iterator<Item = &'p Path>,
    ) -> ModuleFiles {
        let names = modules.map(|(name, root)| (root.to_owned(), name.to_owned())).collect();
        let mut found = ModuleFiles { names, ..ModuleFiles::default() };
        for file in files.filter(|file| file.extension().is_some_and(|end| end == "rb")) {
            found.add(file);
        }
        found
    }

    /// Adds a file of Ruby. Folders of a function's file are parts of its name.
    fn add(&mut self, file: &Path) {
        let Some(path) = file.to_str() else { return };
        let after = |folder: &str| {
            let (_, rest) = path.rsplit_once(&format!("/lib/puppet/{folder}/"))?;
            Some(rest.strip_suffix(".rb")?.replace('/', "::").to_lowercase())
        };
        if let Some(name) = after("functions") {
            self.functions.insert(name);
        } else if let Some(name) = after("parser/functions") {
            self.functions.insert(name.rsplit("::").next().unwrap_or(&name).to_owned());
            self.functions.insert(name);
        } else if let Some(name) = after("datatypes") {
            self.data_types.insert(name);
        } else if let Some(name) = after("type")
            && !name.contains("::")
        {
            self.resource_types.insert(name);
        } else if let Some(name) = after("provider")
            && let Some((kind, provider)) = name.split_once("::")
        {
            self.providers.entry(kind.to_owned()).or_default().push(provider.to_owned());
        }
    }

    /// The module that a file is in, with its folder.
    pub(super) fn module_of<'p>(&self, file: &'p Path) -> Option<(&str, &'p Path)> {
        file.ancestors().skip(1).find_map(|folder| Some((self.names.get(folder)?.as_str(), folder)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_give_names() {
        let files = [
            "/e/modules/m/lib/puppet/functions/m/a.rb",
            "/e/modules/m/lib/puppet/parser/functions/b.rb",
            "/e/modules/m/lib/puppet/type/c.rb",
            "/e/modules/m/lib/puppet/type/c/d.rb",
            "/e/modules/m/lib/puppet/provider/c/e.rb",
        ];
        let modules = [("m", Path::new("/e/modules/m"))];
        let found = ModuleFiles::new(modules.into_iter(), files.iter().map(Path::new));
        assert!(found.functions.contains("m::a") && found.functions.contains("b"));
        assert_eq!(found.resource_types.len(), 1);
        assert_eq!(found.providers["c"], ["e"]);
        assert_eq!(found.module_of(Path::new("/e/modules/m/manifests/a/b.pp")).map(|(module, _)| module), Some("m"));
        assert!(found.module_of(Path::new("/e/manifests/site.pp")).is_none());
    }
}
