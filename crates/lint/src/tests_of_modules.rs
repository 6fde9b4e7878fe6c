//! [`TestFolders`]: the folders of the tests of modules, which contain intentional mistakes.
//!
//! See [the layout of a module](https://www.puppet.com/docs/puppet/7/modules_fundamentals.html#module_structure).

use std::path::{Path, PathBuf};

use hieratic::sandbox::Files;
use hieratic::value::collections::HashMap;

/// The folders of a module that hold its tests.
const TESTS: [&str; 2] = ["spec", "tests"];

/// The folders below another one that contain tests of modules. The folder itself was named by the user, so it does not
/// count.
pub(crate) struct TestFolders<'f> {
    files: &'f Files,
    folder: PathBuf,
    known: HashMap<PathBuf, bool>,
}

impl<'f> TestFolders<'f> {
    pub(crate) fn new(files: &'f Files, folder: &Path) -> TestFolders<'f> {
        TestFolders { files, folder: folder.to_owned(), known: HashMap::default() }
    }

    /// Returns whether a path is among the tests of a module.
    pub(crate) fn hold(&mut self, path: &Path) -> bool {
        let inner =
            path.ancestors().skip(1).take_while(|folder| *folder != self.folder && !folder.as_os_str().is_empty());
        let candidates: Vec<&Path> = inner.filter(|folder| TESTS.iter().any(|name| folder.ends_with(name))).collect();
        candidates.into_iter().any(|folder| self.is_of_module(folder))
    }

    /// Returns whether a folder `spec` or `tests` belongs to a module.
    fn is_of_module(&mut self, folder: &Path) -> bool {
        if let Some(known) = self.known.get(folder) {
            return *known;
        }
        let is_of_module = folder.parent().is_some_and(|parent| is_module(self.files, parent))
            || folder.ends_with("spec") && is_of_rspec(self.files, folder);
        self.known.insert(folder.to_owned(), is_of_module);
        is_of_module
    }
}

/// Returns whether a folder is a module: it has the metadata of one, or manifests and nothing that only an environment
/// has.
fn is_module(files: &Files, folder: &Path) -> bool {
    let has = |name: &str| files.exists(&folder.join(name));
    let is_environment = || ["environment.conf", "Puppetfile", "modules", "site-modules"].into_iter().any(has);
    has("metadata.json") || has("manifests") && !is_environment()
}

/// Returns whether RSpec runs the files in a folder: control repositories have such tests, too.
fn is_of_rspec(files: &Files, folder: &Path) -> bool {
    ["spec_helper.rb", "onceover.yaml"].into_iter().any(|name| files.exists(&folder.join(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_modules_have_tests() {
        let root = tempfile::tempdir().unwrap();
        for file in [
            "modules/a/manifests/init.pp",
            "modules/test/manifests/init.pp",
            "modules/b/metadata.json",
            "environments/test/environment.conf",
            "jobs/test/a.nomad",
            "spec/spec_helper.rb",
        ] {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let files = Files::below([root.path()]);
        let mut tests = TestFolders::new(&files, root.path());
        let mut hold = |path: &str| tests.hold(&root.path().join(path));
        assert!(
            hold("modules/a/spec/fixtures/b.pp") && hold("modules/a/tests/init.pp") && hold("modules/b/tests/c.pp")
        );
        assert!(hold("spec/fixtures/hiera.yaml"));
        assert!(!hold("modules/test/manifests/init.pp") && !hold("modules/a/manifests/test/a.pp"));
        assert!(!hold("environments/test/hiera.yaml") && !hold("jobs/test/a.nomad") && !hold("tests/a.pp"));
        let named = root.path().join("modules/a/spec");
        assert!(!TestFolders::new(&files, &named).hold(&named.join("fixtures/b.pp")));
    }
}
