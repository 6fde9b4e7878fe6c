//! What is mutated: the examples, and the recorded cases of every reference.

use std::path::Path;

use serde_json::Value as Json;

use crate::random::Random;
use crate::repository::{File, Repository};

/// Repositories, and files that can be put into any.
pub(crate) struct Seeds {
    repositories: Vec<Repository>,
    files: Vec<File>,
}

/// The longest file that is taken: what is long is made here.
const LONGEST: usize = 20_000;

impl Seeds {
    pub(crate) fn load() -> Seeds {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut seeds = Seeds { repositories: Vec::new(), files: Vec::new() };
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
