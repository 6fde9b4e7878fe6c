//! [`audit`]: a complete check.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::sandbox::Files;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic_diagnostics::{Severity, Source};
use hieratic_puppet_syntax::ast::Program;
use rayon::prelude::*;

use crate::analysis::is_external;
use crate::code_folders::CodeFolders;
use crate::comments::Ignores;
use crate::coverage::{Omission, Reason};
use crate::finding::Finding;
use crate::job_values::JobRuns;
use crate::kind::Kind;
use crate::kind_by_content::kind_of_text;
use crate::modules::{Metadata, Puppetfile};
use crate::options::Options;
use crate::rules::{conflict_marker, directive, legacy_fact, removed_ruby, template_syntax, unknown_filter};
use crate::session::Session;
use crate::texts;
use crate::workspace::{Code, CodePart, Workspace};
use hieratic::budget::Progress;

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The findings, sorted by file and position, without those that comments ignore.
    pub findings: Vec<Finding>,
    /// A note for each environment that refers to missing parts.
    pub unseen: Vec<Finding>,
    /// The number of files that were checked.
    pub files: usize,
    /// The number of known nodes.
    pub nodes: usize,
    /// The files and keys that were not checked, with the reasons.
    pub not_judged: Vec<Omission>,
    /// The number of findings that comments ignore.
    pub ignored: usize,
    /// The environments that were checked as a whole.
    pub environments: Vec<PathBuf>,
}

impl Report {
    /// Returns the highest severity of the findings.
    pub fn worst(&self) -> Option<Severity> {
        let rank = |severity: &Severity| match severity {
            Severity::Error => 2,
            Severity::Warning => 1,
            Severity::Note => 0,
        };
        self.findings.iter().map(Finding::severity).max_by_key(rank)
    }
}

/// The result of checking a single file.
#[derive(Default)]
pub(crate) struct FileCheck {
    pub(crate) findings: Vec<Finding>,
    /// The definitions and names in its code.
    pub(crate) part: Option<Arc<CodePart>>,
    /// Whether other files were read with it.
    pub(crate) reads_more: bool,
    /// The text, if comments in it ignore something.
    pub(crate) commented: Option<Source>,
    /// The reasons why parts of it were not checked.
    pub(crate) not_judged: Vec<Reason>,
    /// The variables that it declares, if it is a job and values for variables are given.
    pub(crate) variables: HashSet<String>,
    /// Whether it is a job that delays the end of tasks.
    pub(crate) has_shutdown_delay: bool,
}

/// A file that is to be checked separately.
pub(crate) struct FileToCheck<'u> {
    pub(crate) path: &'u Path,
    pub(crate) kind: Kind,
    /// Whether the user named the file itself.
    pub(crate) is_named: bool,
    /// The folders of all environments.
    pub(crate) roots: &'u [PathBuf],
    /// The runs of jobs.
    pub(crate) runs: &'u JobRuns<'u>,
    /// The folders in which the environments look for code.
    pub(crate) code: &'u CodeFolders,
}

/// A function that is called with each parsed manifest and its path.
pub type Watch<'w> = dyn Fn(&Path, &Program) + Send + Sync + 'w;

/// Checks files and folders, and the control repositories around and inside of them: see [`Session::check`].
pub fn audit(options: &Options, progress: &dyn Progress) -> Report {
    Session::new(options.clone()).check(progress)
}

/// Returns whether a file is one of the paths or below one.
pub(crate) fn is_inside(file: &Path, paths: &HashSet<PathBuf>) -> bool {
    file.ancestors().any(|folder| paths.contains(folder))
}

/// Collects the code of an environment. Files that are not in `parts` are read and added to it.
///
/// # Errors
/// The first file or folder of its code that cannot be read.
pub(crate) fn code_of(
    workspace: &Workspace,
    parts: &mut HashMap<PathBuf, Arc<CodePart>>,
) -> Result<Code, Box<Finding>> {
    let (code, unreadable) = readable_code_of(workspace, &workspace.code_files(), parts);
    match unreadable.into_iter().next() {
        Some(finding) => Err(Box::new(finding)),
        None => Ok(code),
    }
}

/// Collects the code of an environment that can be read, with the findings about files and folders that cannot. Files
/// that are not in `parts` are read and added to it.
pub(crate) fn readable_code_of(
    workspace: &Workspace,
    (files, unlisted): &(Vec<(PathBuf, bool)>, Vec<Finding>),
    parts: &mut HashMap<PathBuf, Arc<CodePart>>,
) -> (Code, Vec<Finding>) {
    let mut unreadable = unlisted.clone();
    let unread: Vec<&(PathBuf, bool)> = files.iter().filter(|(path, _)| !parts.contains_key(path)).collect();
    let read: Vec<(PathBuf, Result<CodePart, Box<Finding>>)> = unread
        .into_par_iter()
        .map(|(path, is_manifest)| (path.clone(), code_part(path, *is_manifest, workspace.readable(), None)))
        .collect();
    for (path, part) in read {
        match part {
            Ok(part) => _ = parts.insert(path, Arc::new(part)),
            Err(finding) => unreadable.push(*finding),
        }
    }
    let code = files.iter().filter_map(|(path, _)| Some((path.clone(), parts.get(path)?.clone()))).collect();
    (code, unreadable)
}

/// The code of a file.
///
/// # Errors
/// It cannot be read.
pub(crate) fn code_part(
    path: &Path,
    is_manifest: bool,
    files: &Files,
    watch: Option<&Watch<'_>>,
) -> Result<CodePart, Box<Finding>> {
    if is_external(path) {
        // A program that is no text prints facts whose names are not known.
        let text = texts::read(path, files).map(|source| source.text().to_owned()).unwrap_or_default();
        return Ok(CodePart::default().at(path, &text));
    }
    let source = texts::read(path, files)?;
    if !is_manifest {
        return Ok(CodePart::of_text(source.text()).at(path, source.text()));
    }
    let tasks = texts::manifest::is_plan(path);
    let program =
        hieratic_puppet_syntax::parse(&source, &hieratic_puppet_syntax::Options { tasks, ..Default::default() })
            .program;
    if let (Some(watch), Some(program)) = (watch, &program) {
        watch(path, program);
    }
    Ok(program.as_ref().map_or_else(|| CodePart::of_text(source.text()), CodePart::of_program))
}

/// Returns whether a file is the metadata of a module: files of other programs have the same name.
fn is_metadata(path: &Path, text: &str) -> bool {
    let has = |name: &str| text.contains(&format!("\"{name}\""));
    path.file_name().is_some_and(|name| name == "metadata.json")
        && has("name")
        && has("version")
        && (has("dependencies") || has("author"))
}

/// Checks a file that is not data of a hierarchy.
pub(crate) fn check(file: &FileToCheck<'_>, files: &Files, options: &Options, watch: Option<&Watch<'_>>) -> FileCheck {
    match texts::read(file.path, files) {
        Ok(source) => check_source(file, &source, options, watch),
        Err(finding) => FileCheck { findings: vec![*finding], ..FileCheck::default() },
    }
}

/// Checks the text of a file that is not data of a hierarchy.
pub(crate) fn check_source(
    file: &FileToCheck<'_>,
    source: &Source,
    options: &Options,
    watch: Option<&Watch<'_>>,
) -> FileCheck {
    let FileToCheck { path, kind, is_named, roots, runs, code } = *file;
    let kind = kind_of_text(path, kind, source.text());
    let commented = Ignores::are_in(source.text()).then(|| source.clone());
    if let Some(conflict) = conflict_marker::check(source) {
        return FileCheck { findings: vec![conflict], commented, ..FileCheck::default() };
    }
    let mut part = None;
    let mut reads_more = false;
    let mut not_judged = Vec::new();
    let findings = match kind {
        Kind::Manifest | Kind::Epp => {
            let of_template = kind == Kind::Epp;
            let (mut findings, program) = texts::manifest::check(path, source, of_template, is_named, code, options);
            if let (Some(style), Some(_), Kind::Manifest) = (&options.style, &program, kind) {
                let judged = texts::style::check(path, source, style, &options.settings.limits);
                findings.extend(judged.findings);
                not_judged.extend(judged.not_judged);
            }
            if let (Some(watch), Some(program), Kind::Manifest) = (watch, &program, kind) {
                watch(path, program);
            }
            part = match (&program, kind) {
                (Some(program), Kind::Manifest) => Some(Arc::new(CodePart::of_program(program))),
                _ => Some(Arc::new(CodePart::of_text(source.text()))),
            };
            findings
        }
        Kind::Json if texts::hcl::is_judged_json(path, source.text()) => {
            reads_more = options.job_values.have_files();
            let judged = texts::hcl::check(path, source, options, runs);
            not_judged = judged.not_judged;
            judged.findings
        }
        Kind::Hcl => {
            // `file(...)` and its relatives.
            reads_more = source.text().contains("file") || options.job_values.have_files();
            let judged = texts::hcl::check(path, source, options, runs);
            not_judged = judged.not_judged;
            judged.findings
        }
        Kind::Puppetfile => match Puppetfile::read(source) {
            Ok((_, findings)) => findings,
            Err(finding) => vec![*finding],
        },
        Kind::Jinja => {
            let findings = template_syntax::jinja(source);
            if findings.is_empty() { unknown_filter::check(path, source, options) } else { findings }
        }
        Kind::Erb => {
            part = Some(Arc::new(CodePart::of_text(source.text())));
            let mut findings = template_syntax::erb(source);
            findings.extend(legacy_fact::check_erb(source, options));
            findings.extend(removed_ruby::check(source, options));
            findings
        }
        Kind::Yaml | Kind::Json => {
            let in_repository = roots.iter().any(|root| path.starts_with(root));
            if is_named && !in_repository || texts::directives::has_directives(source.text()) {
                reads_more = source.text().contains("include");
                directive::check(path, source, &options.settings)
            } else {
                let read = if kind == Kind::Yaml { texts::plain::yaml } else { texts::plain::json };
                let mut findings = read(source).unwrap_or_else(|reason| {
                    not_judged = vec![reason];
                    Vec::new()
                });
                if kind == Kind::Json && is_metadata(path, source.text()) {
                    findings.extend(Metadata::read(source).1);
                }
                findings
            }
        }
    };
    let is_job = matches!(kind, Kind::Hcl | Kind::Json) && !options.job_values.are_none();
    let variables = if is_job { texts::hcl::variables(source.text()) } else { HashSet::default() };
    let has_shutdown_delay = kind == Kind::Hcl && source.text().contains("shutdown_delay");
    FileCheck { findings, part, reads_more, commented, not_judged, variables, has_shutdown_delay }
}
