//! [`JobValues`]: what gives the variables of jobs their values.

use std::path::{Path, PathBuf};

use hieratic::nomad::VariableFile;
use hieratic::powers::Files;

use crate::excluded::Excluded;
use crate::finding::Finding;
use crate::options::Options;
use crate::paths::shown;

/// What gives the variables of jobs their values.
#[derive(Clone, Debug, Default)]
pub struct JobValues {
    /// Values by name: `name=value`.
    pub arguments: Vec<String>,
    /// Variable files of the user, in their order.
    pub files: Vec<PathBuf>,
    /// The variables of the environment that begin with `NOMAD_VAR_`.
    pub environment: Vec<(String, String)>,
    /// Variable files of the repository. A job is judged once for each set that it is in.
    pub sets: Vec<JobSet>,
}

/// Jobs, and the variable files that they are run with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobSet {
    /// The folder that the patterns start from, and that the variable files lie below.
    pub folder: PathBuf,
    /// Patterns of job files, as `.gitignore` has them.
    pub files: Vec<String>,
    /// The variable files, in their order.
    pub var_files: Vec<PathBuf>,
}

/// The values of one run of a job.
pub(crate) struct Run {
    pub(crate) files: Vec<VariableFile>,
    /// The variable files of its set, as people know them.
    pub(crate) name: String,
}

impl JobValues {
    /// The runs of a job: one for each set that it is in, or the one without a set.
    pub(crate) fn runs(&self, job: &Path, options: &Options) -> Vec<Run> {
        let mine = |path: &PathBuf| {
            let settings = &options.settings;
            read(path, &settings.mounted(settings.permissions.files_named(path)))
        };
        let of_user: Vec<VariableFile> = self.files.iter().map(mine).collect();
        let sets = self.sets.iter().filter(|set| set.has(job));
        let mut runs: Vec<Run> = sets
            .map(|set| {
                // A repository names no files outside of it.
                let files = options.settings.mounted(Files::below([&set.folder]));
                let of_set = set.var_files.iter().map(|path| read(path, &files));
                let names: Vec<String> = set.var_files.iter().map(|path| shown(path)).collect();
                Run { files: of_set.chain(of_user.iter().cloned()).collect(), name: names.join(", ") }
            })
            .collect();
        if runs.is_empty() {
            runs.push(Run { files: of_user, name: String::new() });
        }
        runs
    }

    /// Whether any file has values.
    pub(crate) fn have_files(&self) -> bool {
        !self.files.is_empty() || !self.sets.is_empty()
    }

    /// What is wrong with the patterns.
    pub(crate) fn faults(&self) -> Vec<Finding> {
        self.sets.iter().flat_map(|set| set.patterns().1).collect()
    }
}

impl JobSet {
    fn patterns(&self) -> (Excluded, Vec<Finding>) {
        let patterns: Vec<(PathBuf, String)> =
            self.files.iter().map(|pattern| (self.folder.clone(), pattern.clone())).collect();
        Excluded::of(&patterns)
    }

    fn has(&self, job: &Path) -> bool {
        self.patterns().0.has(job)
    }
}

fn read(path: &Path, files: &Files) -> VariableFile {
    let name = shown(path);
    let content = files.read(path).map_err(|error| format!("{name}: {error}"));
    VariableFile { path: name, content }
}
