//! The entries of `[[jobs]]` in the settings: the variable files and regions of jobs.

use std::path::{Path, PathBuf};

use hieratic::Error;
use hieratic::nomad_job::{Job, Options, VariableFile};
use hieratic::nomad_lint::NomadVersion;
use hieratic::sandbox::Files;
use hieratic_lint::JobSet;

use super::JobArguments;
use crate::codes;
use crate::report::Reporter;
use crate::usage::usage;
use hieratic::sandbox::SlashPath as _;
use hieratic_diagnostics::{Diagnostic, Severity};

/// The environment that a job is read for.
#[derive(Default)]
pub(super) struct JobRun<'s> {
    /// The entry of the settings, if one names the job.
    set: Option<&'s JobSet>,
    /// The version of Nomad there.
    pub(super) nomad_version: NomadVersion,
    /// The names of the entries whose place the flags take.
    pub(super) replaced: String,
}

/// Divides several jobs into those that the entry of the flag names, and the others. If it names none, or there is no
/// flag, all are read, and an error says what is wrong.
pub(super) fn divide(files: Vec<PathBuf>, arguments: &JobArguments) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let Some(name) = arguments.entry.as_ref().filter(|_| files.len() > 1) else { return (files, Vec::new()) };
    let of_entry = |file: &PathBuf| {
        let named = |full: PathBuf| arguments.sets.iter().any(|set| set.shown_name() == *name && set.has(&full));
        std::path::absolute(file).is_ok_and(named)
    };
    let (chosen, others): (Vec<PathBuf>, Vec<PathBuf>) = files.into_iter().partition(of_entry);
    if chosen.is_empty() { (others, chosen) } else { (chosen, others) }
}

/// Returns the environment of a job: the entry that a flag names, or the only one that names the job.
///
/// # Errors
/// There is no such entry, or several name the job and no flag gives values.
pub(super) fn entry<'s>(file: &Path, arguments: &'s JobArguments) -> Result<JobRun<'s>, Error> {
    let full = std::path::absolute(file).map_err(|error| usage(format!("{}: {error}", file.display())))?;
    let of_job: Vec<&JobSet> = arguments.sets.iter().filter(|set| set.has(&full)).collect();
    let names = || of_job.iter().map(|set| set.shown_name()).collect::<Vec<_>>().join(", ");
    let set = match (&arguments.entry, of_job.as_slice()) {
        (Some(name), all) => match all.iter().find(|set| set.shown_name() == *name) {
            Some(set) => Some(*set),
            None => {
                let help = match all {
                    [] => "no entry of [[jobs]] in the settings names this job".to_owned(),
                    _ => format!("the entries for this job are {}", names()),
                };
                return Err(usage(format!("there is no entry '{name}' for {}", file.display())).help(help));
            }
        },
        (None, []) => None,
        (None, [only]) => Some(*only),
        // Flags take the place of the entries.
        (None, _) if !arguments.var.is_empty() || !arguments.var_file.is_empty() => {
            let nomad_version = arguments.nomad.nomad_version.unwrap_or_default();
            return Ok(JobRun { set: None, nomad_version, replaced: names() });
        }
        (None, _) => {
            let message = format!("several entries of [[jobs]] in the settings name {}", file.display());
            return Err(usage(message).help(format!("choose one with --entry: {}", names())));
        }
    };
    let of_flag = arguments.nomad.nomad_version;
    let nomad_version = set.and_then(|set| set.nomad_version).or(of_flag).unwrap_or_default();
    Ok(JobRun { set, nomad_version, replaced: String::new() })
}

/// Adds the settings of an entry. Flags override them.
pub(super) fn add(run: &JobRun<'_>, options: &mut Options) {
    let Some(set) = run.set else { return };
    // A repository names no files outside of it.
    let files = Files::below([&set.folder]);
    let read = |path: &std::path::PathBuf| VariableFile {
        path: path.to_slashes(),
        content: files.read(path).map_err(|error| format!("open {}: {error}", path.display())),
    };
    let of_flags = std::mem::take(&mut options.files);
    options.files = set.var_files.iter().map(read).chain(of_flags).collect();
    options.set_arguments.clone_from(&set.arguments);
    options.region.clone_from(&set.region);
    options.namespace.clone_from(&set.namespace);
    // The files of an entry are for all of its jobs.
    options.allow_undeclared = true;
}

/// Notes the values of an entry that a job does not declare: an entry is for several jobs.
pub(super) fn note_undeclared(run: &JobRun<'_>, file: &Path, job: &Job, reporter: &Reporter) {
    let Some(set) = run.set else { return };
    let arguments = set.arguments.iter().filter_map(|argument| Some(argument.split_once('=')?.0));
    let arguments = arguments.filter(|name| !job.variables().iter().any(|declared| *declared.name == **name));
    for name in arguments.chain(job.undeclared_values()) {
        let (entry, file) = (set.shown_name(), file.to_slashes());
        let message =
            format!("the value for '{name}' of the entry '{entry}' is not for {file}, which does not declare it");
        reporter.diagnostic(&Diagnostic::new(Severity::Note, codes::USAGE, message));
    }
}
