//! [`audit`]: the whole work.

use std::path::{Path, PathBuf};

use hieratic::powers::Files;
use hieratic_diagnostics::Severity;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::comments::Ignores;
use crate::finding::{self, Finding};
use crate::options::Options;
use crate::outside;
use crate::progress::Progress;
use crate::repository::{Code, Elsewhere, Environments, Part, Repository, code_files, environments};
use crate::rules;
use crate::texts;
use crate::walk::{Kind, absolute, walk};

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What is wrong, by file and place; what comments ignore is left out.
    pub findings: Vec<Finding>,
    /// What was not there to be looked at: a note for each environment that names something that lies elsewhere.
    pub unseen: Vec<Finding>,
    /// How many files were checked.
    pub files: usize,
    /// How many nodes were given.
    pub nodes: usize,
    /// How many files of tests were left out, because nobody named them.
    pub tests: usize,
    /// How many findings comments ignore.
    pub ignored: usize,
    /// The environments that were checked as a whole.
    pub environments: Vec<PathBuf>,
}

impl Report {
    /// The worst of the findings.
    pub fn worst(&self) -> Option<Severity> {
        let rank = |severity: &Severity| match severity {
            Severity::Error => 2,
            Severity::Warning => 1,
            Severity::Note => 0,
        };
        self.findings.iter().map(Finding::severity).max_by_key(rank)
    }
}

/// A text that was read for its own sake.
pub(crate) struct Checked {
    pub(crate) findings: Vec<Finding>,
    part: Option<Part>,
}

/// Checks files and folders, and the control repositories that they are in or that are in them.
///
/// Only what is wrong in the paths is told, but everything around them is looked at: a value may be wrong because of a class
/// elsewhere.
pub fn audit(options: &Options, progress: &dyn Progress) -> Report {
    let permissions = &options.settings.permissions;
    let walked = walk(&options.paths, options.no_ignore, permissions);
    let mut findings: Vec<Finding> = Vec::new();
    for path in &walked.missing {
        let message = format!("One or more file(s) specified did not exist:\n   {}", path.display());
        let help = "name existing files and folders; by default, the current folder is checked";
        findings.push(Finding::new(&rules::UNREADABLE, message).help(help));
    }
    findings.extend(walked.outside.iter().map(|path| outside::link(path)));
    let mut repositories = Vec::new();
    let named: FxHashSet<PathBuf> = options.paths.iter().map(|path| absolute(path)).collect();
    let Environments { checked: settings, beside } = environments(&walked.folders, &named, &options.settings);
    for settings in settings {
        match Repository::open(&settings, progress) {
            Ok(repository) => repositories.push(repository),
            Err(finding) => findings.push(*finding),
        }
    }
    let data: FxHashSet<PathBuf> =
        repositories.iter().flat_map(|repository| repository.data().map(Path::to_owned)).collect();
    let elsewhere = Elsewhere::of(&repositories, &beside);
    repositories.iter_mut().for_each(|repository| repository.forget_strays(&elsewhere));
    let roots: Vec<PathBuf> = repositories.iter().map(Repository::root).collect();
    let wanted: Vec<&(PathBuf, Kind)> = walked.files.iter().filter(|(path, _)| !data.contains(path)).collect();
    progress.begin("files", wanted.len());
    let checked: Vec<(&Path, Checked)> = wanted
        .into_par_iter()
        .map(|(path, kind)| {
            let files = permissions.files_named(path);
            let checked = check(path, *kind, named.contains(path), &roots, &files, options);
            progress.step();
            (path.as_path(), checked)
        })
        .collect();
    let files = checked.len() + data.iter().filter(|path| is_inside(path, &named)).count();
    let mut parts = rustc_hash::FxHashMap::default();
    for (path, checked) in checked {
        findings.extend(checked.findings);
        parts.extend(checked.part.map(|part| (path.to_owned(), part)));
    }
    let environments = roots.clone();
    let unseen = repositories.iter().filter_map(Repository::note).collect();
    for repository in repositories {
        let code = code_of(&repository, &mut parts);
        let found = repository.check(&code, options, progress);
        // What is around the paths was looked at for their sake only.
        findings.extend(found.into_iter().filter(|finding| is_inside(&absolute(Path::new(finding.file())), &named)));
    }
    findings.sort_by_cached_key(Finding::order);
    finding::mark(&mut findings);
    let before = findings.len();
    findings.retain(|finding| !Ignores::accept(finding));
    Report {
        ignored: before - findings.len(),
        findings,
        unseen,
        files,
        nodes: options.nodes.len(),
        tests: walked.tests,
        environments,
    }
}

/// Whether a file is one of the paths or below one.
fn is_inside(file: &Path, paths: &FxHashSet<PathBuf>) -> bool {
    file.ancestors().any(|folder| paths.contains(folder))
}

/// The code of an environment: what was read already, and the rest.
pub(crate) fn code_of(repository: &Repository, parts: &mut rustc_hash::FxHashMap<PathBuf, Part>) -> Code {
    let mut files: Vec<(PathBuf, bool)> =
        repository.code_roots().iter().flat_map(|root| code_files(root, repository.readable())).collect();
    files.sort();
    files.dedup();
    let (known, unread): (Vec<_>, Vec<_>) = files
        .into_iter()
        .map(|(path, is_manifest)| (parts.remove(&path), path, is_manifest))
        .partition(|(part, ..)| part.is_some());
    let rest: Vec<Part> = unread
        .par_iter()
        .filter_map(|(_, path, is_manifest)| {
            let source = texts::read(path, repository.readable()).ok()?;
            if !is_manifest {
                return Some(Part::of_text(source.text()));
            }
            let tasks = texts::manifest::is_plan(path);
            let program =
                hieratic_syntax::parse(&source, &hieratic_syntax::Options { tasks, ..Default::default() }).program;
            Some(program.as_ref().map_or_else(|| Part::of_text(source.text()), Part::of_program))
        })
        .collect();
    known.into_iter().filter_map(|(part, ..)| part).chain(rest).collect()
}

/// Checks one text that is no data.
pub(crate) fn check(
    path: &Path,
    kind: Kind,
    is_named: bool,
    repositories: &[PathBuf],
    files: &Files,
    options: &Options,
) -> Checked {
    let source = match texts::read(path, files) {
        Ok(source) => source,
        Err(finding) => return Checked { findings: vec![*finding], part: None },
    };
    let mut part = None;
    let findings = match kind {
        Kind::Manifest | Kind::Epp => {
            let (findings, program) = texts::manifest::check(path, &source, kind == Kind::Epp, is_named, options);
            part = match (&program, kind) {
                (Some(program), Kind::Manifest) => Some(Part::of_program(program)),
                _ => Some(Part::of_text(source.text())),
            };
            findings
        }
        Kind::Hcl => texts::hcl::check(path, &source, options),
        Kind::Jinja => texts::jinja::check(&source),
        Kind::Erb => {
            part = Some(Part::of_text(source.text()));
            texts::erb::check(&source)
        }
        Kind::Yaml | Kind::Json => {
            let in_repository = repositories.iter().any(|root| path.starts_with(root));
            if is_named && !in_repository || texts::directives::has_directives(source.text()) {
                texts::directives::check(path, &source, &options.settings)
            } else if kind == Kind::Yaml {
                texts::plain::yaml(&source)
            } else {
                texts::plain::json(&source)
            }
        }
    };
    Checked { findings, part }
}
