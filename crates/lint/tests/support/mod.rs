//! Small control repositories, and their findings.

use std::fs;
use std::path::Path;

use hieratic::Facts;
use hieratic_fleet::nodes_of;
use hieratic_lint::{Options, audit};

/// A hierarchy that most cases share.
#[allow(dead_code, reason = "not every test file needs it")]
pub const HIERA: (&str, &str) = (
    "hiera.yaml",
    "version: 5\nhierarchy:\n  - {name: Node, path: 'nodes/%{trusted.certname}.yaml'}\n  - {name: Role, path: \
     'roles/%{facts.role}.yaml'}\n  - {name: Common, path: common.yaml}\n",
);

/// Writes files below a folder.
pub fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// The findings in a repository, as `code file:line message`.
#[allow(dead_code, reason = "not every test file asks in every way")]
pub fn found(files: &[(&str, &str)]) -> Vec<String> {
    found_with(files, |_| {})
}

/// The findings in a repository with other options.
pub fn found_with(files: &[(&str, &str)], set: impl FnOnce(&mut Options)) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    write(&root, files);
    let mut options = Options::for_paths([&root]);
    options.nodes = nodes_below(&root);
    set(&mut options);
    check_lines(&root, &options)
}

/// The nodes whose facts a repository has in its folder `facts`.
pub fn nodes_below(root: &Path) -> Vec<Facts> {
    if !root.join("facts").is_dir() {
        return Vec::new();
    }
    nodes_of(&[root.join("facts")], &[], Default::default(), &Default::default()).unwrap().unique().unwrap()
}

fn check_lines(root: &Path, options: &Options) -> Vec<String> {
    let root = format!("{}/", root.display());
    let one = |finding: &hieratic_lint::Finding| {
        let line = finding.line().map_or(String::new(), |line| format!(":{line}"));
        format!("{} {}{line} {}", finding.rule.id(), finding.file(), finding.diagnostic.message).replace(&root, "")
    };
    audit(options, &()).findings.iter().map(one).collect()
}
