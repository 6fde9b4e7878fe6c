//! [`Contents`]: the files of a repository, for tools that edit them.

use std::path::{Path, PathBuf};

use hieratic::{Settings, Value};
use hieratic_diagnostics::{Source, Span};

use hieratic_puppet_syntax::Options;

use super::data::Reader;
use super::{Workspace, lookup_calls};
use crate::texts::manifest::is_plan;

/// The files of a repository.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The folder of the environment.
    pub root: PathBuf,
    /// The data files, including those of modules.
    pub data: Vec<Data>,
    /// The unreadable data files, whose keys are unknown.
    pub unread: Vec<PathBuf>,
    /// The code files, each with `true` for a manifest.
    pub code: Vec<(PathBuf, bool)>,
    /// The levels of the environment, the most specific first.
    pub levels: Vec<LevelContents>,
    /// Whether levels may have keys that are not in these files: functions, executables, and missing data.
    pub has_hidden_keys: bool,
}

/// A data file.
#[derive(Clone, Debug)]
pub struct Data {
    /// The absolute path of the file.
    pub path: PathBuf,
    /// The module of the file. `None` for the environment's.
    pub module: Option<String>,
    /// The keys in it.
    pub keys: Vec<String>,
    /// The keys and patterns with `lookup_options` in the file.
    pub options: Vec<String>,
    /// The backend that reads it.
    pub reader: Reader,
    /// Its size in bytes.
    pub bytes: usize,
    /// Whether it is YAML or JSON, which can be edited.
    pub is_editable: bool,
}

/// A level.
#[derive(Clone, Debug)]
pub struct LevelContents {
    /// Its name.
    pub name: String,
    /// The absolute paths of the files that it can read.
    pub files: Vec<PathBuf>,
    /// Its absolute paths with uninterpolated variables. It is empty for a level with globs.
    pub paths: Vec<String>,
    /// The only file of the level, if every node reads it.
    pub fixed: Option<PathBuf>,
}

/// Reads the contents of a repository.
///
/// # Errors
/// The repository cannot be read.
pub fn contents(settings: &Settings) -> Result<Contents, String> {
    Workspace::open(settings, &())
        .map(|workspace| read_contents(&workspace))
        .map_err(|finding| finding.diagnostic.message.clone())
}

/// Reads the contents of a repository that concern some names. A file that cannot contain them is not parsed: its keys
/// and options are empty, and it may be unreadable.
///
/// # Errors
/// The repository cannot be read.
pub fn contents_about(settings: &Settings, names: &[&str]) -> Result<Contents, String> {
    let workspace = Workspace::open_for(settings, names);
    workspace.map(|workspace| read_contents(&workspace)).map_err(|finding| finding.diagnostic.message.clone())
}

fn read_contents(workspace: &Workspace) -> Contents {
    let names = |value: Option<&Value>| -> Vec<String> {
        let hash = value.and_then(Value::as_hash);
        hash.into_iter().flat_map(|hash| hash.keys()).filter_map(|key| key.as_str().map(str::to_owned)).collect()
    };
    let data = workspace
        .files
        .iter()
        .map(|file| Data {
            path: file.path.clone(),
            module: workspace.module_of(file).map(str::to_owned),
            keys: file.entries().map(|(key, _)| key.to_owned()).collect(),
            options: names(file.options()),
            reader: file.reader,
            bytes: file.source.text().len(),
            is_editable: file.is_plain() && file.reader != Reader::Hocon,
        })
        .collect();
    let (code, unlisted) = workspace.code_files();
    let unlisted = unlisted.iter().map(|finding| PathBuf::from(finding.file()));
    let mut levels = Vec::new();
    for (index, config) in workspace.configs.iter().enumerate().filter(|(_, config)| config.module.is_none()) {
        for (number, level) in config.levels.iter().enumerate() {
            let reads = |file: &&std::sync::Arc<super::DataFile>| file.is_of_level(index, number);
            let fixed = match level.patterns.as_slice() {
                [only] if !only.varies() && !only.is_search() => level.level.sources.first(),
                _ => None,
            };
            let searches = level.patterns.iter().any(|pattern| pattern.is_search());
            let paths = level.level.sources.iter().filter(|_| !searches).map(|source| source.text.clone());
            levels.push(LevelContents {
                name: level.level.name.to_string(),
                files: workspace.files.iter().filter(reads).map(|file| file.path.clone()).collect(),
                paths: paths.collect(),
                fixed: fixed.map(|source| PathBuf::from(&source.text)),
            });
        }
    }
    let broken = workspace.files.iter().filter(|file| !file.is_readable).map(|file| file.path.clone());
    let unread = workspace.unreadable.iter().cloned().chain(broken).chain(unlisted).collect();
    let has_hidden_keys = workspace.has_hidden_keys() || workspace.has_unread_levels();
    Contents { root: workspace.root(), data, unread, code, levels, has_hidden_keys }
}

/// Returns the literal keys that a code file looks up, each with its span. In a manifest, the span includes the quotes.
pub fn names_looked_up(path: &Path, source: &Source) -> Vec<(String, Span)> {
    let is_manifest = path.extension().is_some_and(|extension| extension == "pp");
    let requests = if is_manifest {
        hieratic_puppet_syntax::parse(source, &Options { tasks: is_plan(path), ..Options::default() })
            .program
            .map(|program| lookup_calls::of_program(&program))
            .unwrap_or_default()
    } else {
        lookup_calls::of_text(source.text())
    };
    requests.into_iter().filter_map(|request| request.written).collect()
}
