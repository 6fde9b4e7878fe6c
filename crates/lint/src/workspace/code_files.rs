//! The code files of a [`Workspace`]: those of its modules, its own, and those in its settings.

use std::path::{Path, PathBuf};

use hieratic::sandbox::{FileKind, Files};
use hieratic::value::ErasedSort as _;
use hieratic::value::collections::HashSet;
use rayon::prelude::*;

use super::{Workspace, code, unlisted};
use crate::finding::Finding;
use crate::tests_of_modules::TestFolders;
use crate::tree::Skipped;

impl Workspace {
    /// The folders of its modules and its own, which have code, and those of modules that the checkout has outside of
    /// the module path, where something else puts them when it is deployed.
    pub(crate) fn code_roots(&self) -> Vec<PathBuf> {
        let layers = self.environment.layers();
        let modules = layers.modules.values().map(|module| module.root.clone());
        let mut roots: Vec<PathBuf> = modules.chain([layers.environment.root.clone()]).collect();
        roots.extend(self.unlisted_modules());
        roots
    }

    /// The files of its code, sorted, with whether each is a manifest; and findings about unreadable folders.
    pub(crate) fn code_files(&self) -> (Vec<(PathBuf, bool)>, Vec<Finding>) {
        let below: Vec<_> = self.code_roots().par_iter().map(|root| code::files(root, self.readable())).collect();
        let (mut files, mut unreadable) = (Vec::new(), Vec::new());
        for (of_root, skipped) in below.into_iter().chain([self.main_manifests()]) {
            files.extend(of_root);
            unreadable.extend(skipped.iter().filter_map(unlisted));
        }
        files.sort_erased();
        files.dedup();
        (files, unreadable)
    }

    /// The manifests that `environment.conf` names. If it names a path on a server, those in the checkout whose path
    /// has the same end.
    fn main_manifests(&self) -> (Vec<(PathBuf, bool)>, Vec<Skipped>) {
        let (named, files) = (self.environment.manifest(), self.readable());
        let here = if files.exists(named) { Some(named.to_owned()) } else { self.deployed_from(named) };
        match here {
            Some(folder) if files.is_folder(&folder) => code::manifests_below(&folder, files),
            Some(file) => (vec![(file, true)], Vec::new()),
            None => Default::default(),
        }
    }

    /// The path in the checkout whose end is that of a path on a server.
    fn deployed_from(&self, path: &Path) -> Option<PathBuf> {
        let root = self.root();
        let parts: Vec<_> = path.components().collect();
        let outer = root.ancestors().take_while(|folder| self.readable().holds(folder));
        let ends: Vec<PathBuf> = (1..parts.len()).map(|start| parts[start..].iter().collect()).collect();
        outer.flat_map(|folder| ends.iter().map(move |end| folder.join(end))).find(|path| self.readable().exists(path))
    }

    /// The folders of the modules that the checkout has outside of the module path.
    fn unlisted_modules(&self) -> Vec<PathBuf> {
        let layers = self.environment.layers();
        let known: HashSet<&Path> = layers.modules.values().map(|module| module.root.as_path()).collect();
        let is_new = |path: &Path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            !known.contains(path) && path != layers.environment.root && !layers.modules.contains_key(name)
        };
        modules_below(&layers.environment.root, self.readable(), &is_new)
    }

    /// The names of these modules: they can have data, which is not checked.
    pub(crate) fn unlisted_module_names(&self) -> HashSet<String> {
        let name = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
        self.unlisted_modules().iter().filter_map(name).collect()
    }
}

/// The deepest nesting of folders in which modules are sought.
const DEEPEST_MODULE: usize = 3;

/// The folders in the folder of an environment that have the layout of a module, as far as `accepts` selects them.
/// Modules for tests do not count.
fn modules_below(root: &Path, files: &Files, accepts: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![(root.to_owned(), 0)];
    let mut tests = TestFolders::new(files, root);
    while let Some((folder, depth)) = open.pop() {
        // The walk through all code reports folders that cannot be listed.
        for entry in files.list(&folder).unwrap_or_default() {
            let path = folder.join(&entry.name);
            if entry.kind != FileKind::Folder || entry.name.starts_with('.') || tests.hold(&path.join("manifests")) {
                continue;
            }
            if !files.is_folder(&path.join("manifests")) {
                if depth + 1 < DEEPEST_MODULE {
                    open.push((path, depth + 1));
                }
            } else if accepts(&path) {
                found.push(path);
            }
        }
    }
    found
}
