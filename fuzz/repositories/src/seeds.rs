//! What is mutated: the examples, and the recorded cases of every reference.

use std::path::Path;

use serde_json::Value as Json;

use crate::random::Random;
use crate::repository::{File, Repository};

/// Repositories, and files that can be put into any.
#[derive(Default)]
pub(crate) struct Seeds {
    repositories: Vec<Repository>,
    files: Vec<File>,
    /// Repositories with promises.
    promises: Vec<Repository>,
    /// Templates of Jinja2, each in a repository of its own.
    templates: Vec<Repository>,
}

/// What the data of promises is looked up by, and the facts of nodes.
const AROUND_PROMISES: [(&str, &str); 4] = [
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - {name: Node, path: 'nodes/%{facts.node}.yaml'}\n  - {name: Role, path: 'roles/%{facts.role}.yaml'}\n  - {name: Common, path: common.yaml}\n",
    ),
    ("facts/db01.yaml", "{node: db01, role: db, site: x}\n"),
    ("facts/web01.yaml", "{node: web01, role: web, site: x}\n"),
    ("facts/web02.yaml", "{node: web02, role: web, site: y}\n"),
];

/// The longest file that is taken: what is long is made here.
const LONGEST: usize = 20_000;

impl Seeds {
    pub(crate) fn load() -> Seeds {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut seeds = Seeds::default();
        for folder in ["control-repo", "catalog", "together", "secrets", "nomad", "unfurl"] {
            seeds.repository(&root.join("examples").join(folder));
        }
        for group in ["hiera", "directives/expand", "nomad/jobs"] {
            for folder in folders(&root.join("conformance").join(group)) {
                seeds.repository(&folder);
            }
        }
        seeds.cases(&root.join("conformance"));
        for repository in &mut seeds.repositories {
            repository.files.retain(|file| file.bytes.len() <= LONGEST && !is_record(&file.path));
        }
        seeds.repositories.retain(|repository| !repository.files.is_empty());
        seeds.files.retain(|file| file.bytes.len() <= LONGEST);
        seeds
    }

    fn repository(&mut self, folder: &Path) {
        self.repositories.extend(Repository::read(folder).ok());
    }

    /// The texts of cases that are lines of JSON.
    fn cases(&mut self, conformance: &Path) {
        for (group, field, path) in [
            ("puppet", "code", "manifests/site.pp"),
            ("stdlib", "code", "manifests/site.pp"),
            ("jinja", "template", "templates/page.j2"),
            ("ruby", "template", "templates/page.erb"),
            ("hcl", "template", "templates/page.tftpl"),
            ("hcl", "expr", "data/expression.hcl"),
            ("hcl", "body", "data/body.hcl"),
            ("unfurl", "expr", "expression.unfurl"),
        ] {
            for case in lines(&conformance.join(group)) {
                if let Some(text) = case[field].as_str() {
                    self.files.push(File::new(path, text));
                }
            }
        }
        for case in lines(&conformance.join("promises")) {
            let parts = ["files", "promises"].into_iter().filter_map(|part| case[part].as_object()).flatten();
            let files = parts.filter_map(|(path, text)| Some(File::new(path.as_str(), text.as_str()?)));
            let around = AROUND_PROMISES.iter().map(|(path, text)| File::new(*path, *text));
            self.promises.push(Repository { files: around.chain(files).collect() });
        }
        for group in ["jinja", "ansible"] {
            for case in lines(&conformance.join(group)) {
                if let Some(text) = case["template"].as_str() {
                    self.templates.push(Repository { files: vec![File::new("templates/page.j2", text)] });
                }
            }
        }
        for group in ["catalog", "directives", "unfurl", "nomad"] {
            for case in lines(&conformance.join(group)) {
                let files = case["files"].as_object().into_iter().flatten();
                let files: Vec<File> =
                    files.filter_map(|(path, text)| Some(File::new(path.as_str(), text.as_str()?))).collect();
                if !files.is_empty() {
                    self.repositories.push(Repository { files });
                }
            }
        }
    }

    /// Something to mutate: a repository, with files of other kinds in it.
    pub(crate) fn choose(&self, random: &mut Random) -> Repository {
        // The first are the examples and the scenarios; after them come thousands of small documents.
        let few = if random.once_in(3) { self.repositories.len() } else { self.repositories.len().min(150) };
        let mut repository = self.repositories.get(random.below(few)).cloned().unwrap_or_default();
        for _ in 0..random.below(3) {
            if let Some(file) = random.one(&self.files) {
                repository.put(file.clone());
            }
        }
        repository
    }

    /// A repository with promises.
    pub(crate) fn promises(&self, random: &mut Random) -> Repository {
        random.one(&self.promises).cloned().unwrap_or_default()
    }

    /// A template of Jinja2, with some others beside it.
    pub(crate) fn template(&self, random: &mut Random) -> Repository {
        let mut repository = random.one(&self.templates).cloned().unwrap_or_default();
        for number in 0..random.below(3) {
            let other = random.one(&self.templates).and_then(|other| other.files.first());
            repository.files.extend(other.map(|file| File { path: format!("templates/{number}.j2"), ..file.clone() }));
        }
        repository
    }

    /// Any file.
    pub(crate) fn file(&self, random: &mut Random) -> Option<&File> {
        if random.once_in(2) {
            return random.one(&self.files);
        }
        random.one(&self.repositories)?.files.first()
    }
}

/// Whether a file records answers.
fn is_record(path: &str) -> bool {
    path.ends_with(".jsonl") || path.ends_with("case.json") || path.ends_with("README.md")
}

fn folders(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<_> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// The cases of a folder.
fn lines(folder: &Path) -> Vec<Json> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    paths.sort();
    let texts = paths.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    texts.flat_map(|text| text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect::<Vec<_>>()).collect()
}
