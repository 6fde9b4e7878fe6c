//! [`JobValues`]: the sources of the values of job variables.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use hieratic::hcl_eval::syntax::{Source as HclSource, parse_config};
use hieratic::nomad_job::VariableFile;
use hieratic::nomad_lint::NomadVersion;
use hieratic::sandbox::Files;
use hieratic::value::collections::HashSet;
use hieratic_diagnostics::{Source, nearest};

use crate::excluded::Excluded;
use crate::finding::Finding;
use crate::options::Options;
use crate::paths::shown;
use crate::rules;

/// The sources of the values of job variables.
#[derive(Clone, Debug, Default)]
pub struct JobValues {
    /// Values by name: `name=value`.
    pub arguments: Vec<String>,
    /// The variable files of the user, in order.
    pub files: Vec<PathBuf>,
    /// The environment variables that begin with `NOMAD_VAR_`.
    pub environment: Vec<(String, String)>,
    /// The variable files of the repository. A job is checked once for each of its sets.
    pub sets: Vec<JobSet>,
    /// The version of Nomad that jobs are for, unless their set names another one.
    pub nomad_version: NomadVersion,
    /// Whether jobs may use features of Terraform that Nomad rejects.
    pub extensions: bool,
}

/// A set of jobs, and their variable files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobSet {
    /// The folder of the variable files. The patterns are relative to it.
    pub folder: PathBuf,
    /// The patterns of job files, in the syntax of `.gitignore`.
    pub files: Vec<String>,
    /// The variable files, in order.
    pub var_files: Vec<PathBuf>,
    /// The name of the set, if it has one.
    pub name: Option<String>,
    /// Values of variables, which override those of the files: `name=value`.
    pub arguments: Vec<String>,
    /// The default region of the jobs.
    pub region: Option<String>,
    /// The default namespace of the jobs.
    pub namespace: Option<String>,
    /// The version of Nomad that runs the jobs.
    pub nomad_version: Option<NomadVersion>,
}

/// The values of one run of a job.
#[derive(Default)]
pub(crate) struct Run {
    pub(crate) files: Vec<VariableFile>,
    /// The set, as people know it.
    pub(crate) name: String,
    /// The values that the set gives to variables.
    pub(crate) arguments: Vec<String>,
    pub(crate) region: Option<String>,
    pub(crate) namespace: Option<String>,
    pub(crate) nomad_version: Option<NomadVersion>,
}

impl JobValues {
    /// Returns whether any file gives values.
    pub(crate) fn have_files(&self) -> bool {
        !self.files.is_empty() || !self.sets.is_empty()
    }

    /// The variable files of the user and of all sets.
    pub(crate) fn variable_files(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().chain(self.sets.iter().flat_map(|set| &set.var_files))
    }

    /// Returns whether there are no values for variables, except those of the environment.
    pub(crate) fn are_none(&self) -> bool {
        self.arguments.is_empty() && !self.have_files()
    }

    /// The values for variables that no job declares: a name is probably misspelled. Values that the environment has
    /// may be for others, and so may the files of a set, of which only a part is checked.
    pub(crate) fn undeclared(
        &self,
        variables: &HashSet<String>,
        is_checked: impl Fn(&Path) -> bool,
        options: &Options,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        let finding = |name: &str| {
            let message = format!("No job that was checked declares the variable '{name}'");
            let finding = Finding::new(&rules::JOB, message).softened();
            match nearest(name, variables.iter().map(String::as_str)) {
                Some(near) => finding.help(format!("did you mean '{near}'?")),
                None => finding.help("remove the value, or declare the variable: Nomad refuses it"),
            }
        };
        let of_sets = self.sets.iter().filter(|set| is_checked(&set.folder)).flat_map(|set| &set.arguments);
        let names = self.arguments.iter().chain(of_sets).filter_map(|argument| Some(argument.split_once('=')?.0));
        findings.extend(names.filter(|name| !variables.contains(*name)).map(finding));
        let of_user = self.files.iter().map(|path| {
            let settings = &options.settings;
            (path, settings.mounted(settings.permissions.files_named(path)))
        });
        let sets = self.sets.iter().filter(|set| is_checked(&set.folder));
        let of_sets = sets.flat_map(|set| {
            let files = options.settings.mounted(Files::below([&set.folder]));
            set.var_files.iter().map(move |path| (path, files.clone()))
        });
        let mut seen = HashSet::default();
        for (path, files) in of_user.chain(of_sets).filter(|(path, _)| seen.insert((*path).clone())) {
            // The check of each job reports why a variable file cannot be read.
            let Ok(text) = files.read_text(path) else { continue };
            let source = Source::new(shown(path), text);
            if let Ok(serde_json::Value::Object(values)) = serde_json::from_str(source.text()) {
                let others = values.keys().filter(|name| !variables.contains(*name));
                findings.extend(others.map(|name| finding(name).in_file(source.name())));
                continue;
            }
            let parsed = parse_config(HclSource::from(source.clone()));
            for attribute in parsed.tree.attributes() {
                if !variables.contains(&*attribute.name) {
                    findings.push(finding(&attribute.name).at(&source, attribute.name_span, ""));
                }
            }
        }
        findings
    }

    /// The patterns of sets that match none of the files. A set of whose folder only a part is checked may have others.
    pub(crate) fn unmatched(&self, files: &[&Path], is_checked: impl Fn(&Path) -> bool) -> Vec<Finding> {
        let mut findings = Vec::new();
        for set in self.sets.iter().filter(|set| is_checked(&set.folder)) {
            // A pattern with an exclamation mark leaves files out.
            for pattern in set.files.iter().filter(|pattern| !pattern.starts_with('!')) {
                let (jobs, faults) = Excluded::new(&[(set.folder.clone(), pattern.clone())]);
                if !faults.is_empty() || files.iter().any(|file| jobs.has(file)) {
                    continue;
                }
                let of_set = match set.shown_name() {
                    name if name.is_empty() => String::new(),
                    name => format!(" of the entry '{name}'"),
                };
                let message = format!("The pattern '{pattern}'{of_set} in [[jobs]] matches no file that is checked");
                let help = "correct the pattern, which is relative to the folder of the settings, or remove it";
                findings.push(Finding::new(&rules::JOB, message).softened().help(help));
            }
        }
        findings
    }

    /// The findings about the patterns.
    pub(crate) fn faults(&self) -> Vec<Finding> {
        self.sets.iter().flat_map(|set| set.jobs().1).collect()
    }
}

impl JobSet {
    /// Returns the name of the set for messages: its name, or its variable files and values.
    pub fn shown_name(&self) -> String {
        let files = self.var_files.iter().map(|path| shown(path));
        let parts = || files.chain(self.arguments.iter().cloned()).collect::<Vec<_>>().join(", ");
        self.name.clone().unwrap_or_else(parts)
    }

    /// Returns whether the patterns of the set match a job.
    pub fn has(&self, job: &Path) -> bool {
        self.jobs().0.has(job)
    }

    /// The jobs that the patterns match, and the findings about the patterns.
    fn jobs(&self) -> (Excluded, Vec<Finding>) {
        let patterns: Vec<(PathBuf, String)> =
            self.files.iter().map(|pattern| (self.folder.clone(), pattern.clone())).collect();
        Excluded::new(&patterns)
    }
}

/// The runs of jobs in one check: variable files are read once, for the first job.
pub(crate) struct JobRuns<'o> {
    options: &'o Options,
    read: OnceLock<VariableFiles>,
}

/// The variable files that were read.
struct VariableFiles {
    /// The variable files of the user.
    of_user: Vec<VariableFile>,
    of_sets: Vec<SetFiles>,
}

/// The variable files of a set, with its jobs and the names of the files for messages.
struct SetFiles {
    jobs: Excluded,
    files: Vec<VariableFile>,
    set: JobSet,
}

impl<'o> JobRuns<'o> {
    pub(crate) fn new(options: &'o Options) -> JobRuns<'o> {
        JobRuns { options, read: OnceLock::new() }
    }

    fn files(&self) -> &VariableFiles {
        self.read.get_or_init(|| VariableFiles::read(self.options))
    }

    /// The variable files of the sets that a job is in.
    pub(crate) fn variable_files(&self, job: &Path) -> impl Iterator<Item = &PathBuf> {
        let sets = self.files().of_sets.iter().filter(move |set| set.jobs.has(job));
        sets.flat_map(|set| &set.set.var_files)
    }

    /// The runs of a job: one for each set that it is in, or the one without a set.
    pub(crate) fn for_job(&self, job: &Path) -> Vec<Run> {
        let VariableFiles { of_user, of_sets } = self.files();
        let sets = of_sets.iter().filter(|set| set.jobs.has(job));
        let mut runs: Vec<Run> = sets
            .map(|SetFiles { files, set, .. }| Run {
                files: files.iter().chain(of_user).cloned().collect(),
                name: set.shown_name(),
                arguments: set.arguments.clone(),
                region: set.region.clone(),
                namespace: set.namespace.clone(),
                nomad_version: set.nomad_version,
            })
            .collect();
        if runs.is_empty() {
            runs.push(Run { files: of_user.clone(), ..Run::default() });
        }
        runs
    }
}

impl VariableFiles {
    fn read(options: &Options) -> VariableFiles {
        let settings = &options.settings;
        let mine = |path: &PathBuf| read(path, &settings.mounted(settings.permissions.files_named(path)));
        let of_set = |set: &JobSet| {
            // A repository names no files outside of it.
            let files = settings.mounted(Files::below([&set.folder]));
            SetFiles {
                jobs: set.jobs().0,
                files: set.var_files.iter().map(|path| read(path, &files)).collect(),
                set: set.clone(),
            }
        };
        let values = &options.job_values;
        VariableFiles {
            of_user: values.files.iter().map(mine).collect(),
            of_sets: values.sets.iter().map(of_set).collect(),
        }
    }
}

fn read(path: &Path, files: &Files) -> VariableFile {
    let name = shown(path);
    let content = files.read(path).map_err(|error| format!("{name}: {error}"));
    VariableFile { path: name, content }
}
