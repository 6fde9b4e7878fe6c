//! [`Session`]: checks files and folders repeatedly while they are edited.
//!
//! A session caches everything that a change does not affect: the findings of each file, parsed data files, the
//! definitions and names of manifests, the list of files, and configurations. The checks across files run again. A
//! single check is the first check of a new session, so both use the same code and give the same findings.

mod buffer_check;
mod open_environment;
mod targets;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::budget::Progress;
use hieratic::layers::MissingHierarchy;
use hieratic::sandbox::{Disk, Files, Memory, Mounted, Patched, Tree};
use hieratic::value::collections::{HashMap, HashSet};
use rayon::prelude::*;

use crate::code_folders::CodeFolders;
use crate::coverage::{Omission, Reason, Subject};
use crate::environments::{EnvironmentFindings, merge_environments};
use crate::finding::{self, Finding};
use crate::hygiene::Needed;
use crate::ignored::{self, Commented};
use crate::job_values::JobRuns;
use crate::kind::Kind;
use crate::options::Options;
use crate::paths::absolute;
use crate::rules::{self, outside_repository, unreadable};
use crate::run::{FileCheck, FileToCheck, Report, Watch, check, code_part, is_inside};
use crate::walk::walk;
use crate::workspace::{
    Code, CodePart, DataFile, Environments, ExternalReads, ReadFile, Reader, View, Workspace, environments,
};
pub use buffer_check::BufferCheck;
use open_environment::OpenEnvironment;
use targets::CheckTargets;

/// The number of changed files from which on it is cheaper to begin again.
const MOST_CHANGED: usize = 500;

/// The code of a file, or why it cannot be read.
type ReadPart = Result<Arc<CodePart>, Box<Finding>>;

/// Checks files and folders repeatedly, with caches between the checks.
///
/// ```
/// use hieratic_lint::{Options, Session};
///
/// let folder = tempfile::tempdir().unwrap();
/// std::fs::write(folder.path().join("a.pp"), "$a = 1\n").unwrap();
/// let mut session = Session::new(Options::for_paths([folder.path()]));
/// assert!(session.check(&()).findings.is_empty());
/// session.set_text(&folder.path().join("a.pp"), Some("$a = [\n"));
/// assert_eq!(session.check(&()).findings.len(), 1);
/// ```
pub struct Session {
    options: Options,
    /// The folder in which strings replace files; `None` without any.
    root: Option<PathBuf>,
    disk: Option<Arc<dyn Tree>>,
    /// Unsaved contents, by their names below the root.
    texts: Memory,
    open: BTreeSet<PathBuf>,
    /// The files that have changed since the environments were opened.
    touched: BTreeSet<PathBuf>,
    /// The files that have changed since the last check.
    changed: HashSet<PathBuf>,
    checked: HashMap<PathBuf, CachedCheck>,
    /// Files of code outside of the paths, or the reason why they cannot be read.
    beside: HashMap<PathBuf, ReadPart>,
    /// Files of data that were read before everything was looked for again.
    read: HashMap<PathBuf, ReadFile>,
    targets: Option<CheckTargets>,
    watch: Option<Arc<Watch<'static>>>,
}

/// The cached result of checking a single file.
struct CachedCheck {
    checked: FileCheck,
    /// Whether it was checked as a file of an environment.
    inside: bool,
}

impl Session {
    /// Creates a session. Nothing is read until the first check.
    pub fn new(options: Options) -> Session {
        Session {
            options,
            root: None,
            disk: None,
            texts: Memory::default(),
            open: BTreeSet::new(),
            touched: BTreeSet::new(),
            changed: HashSet::default(),
            checked: HashMap::default(),
            beside: HashMap::default(),
            read: HashMap::default(),
            targets: None,
            watch: None,
        }
    }

    /// Sets a function that is called with every parsed manifest.
    pub fn watching(mut self, watch: Arc<Watch<'static>>) -> Session {
        self.watch = Some(watch);
        self
    }

    /// Allows [`set_text`](Self::set_text) to replace files below a folder.
    pub fn over(mut self, root: &Path) -> Session {
        self.root = Some(root.to_owned());
        self.disk = Some(Arc::new(Disk::new(root)));
        self
    }

    /// Replaces a file by a string or, with `None`, restores it.
    pub fn set_text(&mut self, path: &Path, text: Option<&str>) {
        if self.root.is_none() {
            let root = self.options.paths.first().map(|path| absolute(path)).unwrap_or_default();
            self.root = Some(root.clone());
            self.disk = Some(Arc::new(Disk::new(&root)));
        }
        let Some(name) = self.root.as_ref().and_then(|root| path.strip_prefix(root).ok()).map(Path::to_path_buf) else {
            return;
        };
        match text {
            Some(text) => {
                self.texts.insert(&name, text.as_bytes());
                self.open.insert(name.clone());
            }
            None => {
                self.texts.remove(&name);
                self.open.remove(&name);
            }
        }
        self.touched.insert(name);
        self.changed.insert(path.to_owned());
        self.mount();
    }

    /// Records that a file on the disk was changed, added or removed.
    pub fn touch(&mut self, path: &Path) {
        let name = self.root.as_ref().and_then(|root| path.strip_prefix(root).ok());
        self.touched.extend(name.map(Path::to_path_buf));
        self.changed.insert(path.to_owned());
        self.mount();
    }

    /// Drops all caches.
    pub fn forget(&mut self) {
        self.checked.clear();
        self.beside.clear();
        self.read.clear();
        self.targets = None;
    }

    fn mount(&mut self) {
        let (Some(root), Some(disk)) = (&self.root, &self.disk) else { return };
        let over = Patched::new(disk.clone(), Arc::new(self.texts.clone()), self.open.iter().cloned());
        let changed = self.open.iter().chain(&self.touched).cloned();
        self.options.settings.tree = Some(Mounted::new(root, Patched::new(disk.clone(), Arc::new(over), changed)));
    }

    /// Returns the options, with the strings that replace files.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Drops the parts of the cache that the changes reach.
    fn drop_outdated(&mut self) {
        let changed = std::mem::take(&mut self.changed);
        if changed.is_empty() {
            return;
        }
        for path in &changed {
            self.checked.remove(path);
            self.beside.remove(path);
            self.read.remove(path);
        }
        // Few files read others, and which they read is not known.
        self.checked.retain(|_, cached| !cached.checked.reads_more);
        let Some(mut targets) = self.targets.take() else { return };
        let files = self.options.settings.mounted(Files::below(&self.root));
        let is_known = |path: &PathBuf| {
            let of_code = || targets.opened.iter().any(|opened| opened.is_code(path));
            let is_unread = targets.opened.iter().any(|opened| opened.workspace.is_unreadable(path));
            let is_configuration = path.file_name().and_then(|name| name.to_str()).is_some_and(is_configuration_name);
            !is_configuration && !is_unread && (targets.has(path) || of_code()) && files.is_file(path)
        };
        if self.touched.len() > MOST_CHANGED || !changed.iter().all(is_known) {
            return self.drop_targets(targets, &changed);
        }
        let Some(mounted) = self.options.settings.tree.clone() else { return };
        let reads_more =
            |file: &DataFile| file.reader() == Reader::Directives && file.source().text().contains("include");
        let is_changed = |file: &DataFile| changed.contains(file.path()) || reads_more(file);
        let mut is_whole = true;
        for opened in &mut targets.opened {
            is_whole &= opened.update(&mounted, &is_changed);
            if changed.iter().any(|path| opened.is_code(path)) {
                opened.code = None;
            }
        }
        if is_whole {
            self.targets = Some(targets);
        } else {
            self.drop_targets(targets, &changed);
        }
    }

    /// Drops the list of files. Parsed data files stay cached.
    fn drop_targets(&mut self, targets: CheckTargets, changed: &HashSet<PathBuf>) {
        self.touched.clear();
        self.mount();
        for opened in targets.opened {
            self.read.extend(opened.workspace.into_files().filter(|(path, _)| !changed.contains(path)));
        }
    }

    /// Looks which files there are, opens the environments and reads their data.
    fn find(&mut self, progress: &dyn Progress) -> CheckTargets {
        let options = &self.options;
        let mut walked = walk(&options.paths, options.no_ignore, &options.settings);
        let faults = walked.exclude(&options.exclude);
        let mut findings: Vec<Finding> = faults;
        findings.extend(walked.missing.iter().map(|path| unreadable::missing(path)));
        findings.extend(options.job_values.faults());
        findings.extend(options.style.iter().flat_map(|style| style.faults.clone()));
        findings.extend(walked.outside.iter().map(|path| outside_repository::link(path)));
        findings.extend(walked.unreadable.iter().map(|(path, reason)| unreadable::of_path(path, reason)));
        let named: HashSet<PathBuf> = options.paths.iter().map(|path| absolute(path)).collect();
        let Environments { checked: settings, beside } = environments(&walked.folders, &named, &options.settings);
        let mut workspaces = Vec::new();
        for settings in settings {
            match Workspace::open_with(&settings, &self.read, progress) {
                Ok(workspace) => workspaces.push(workspace),
                Err(finding) => findings.push(*finding),
            }
        }
        self.read.clear();
        let data = workspaces.iter().flat_map(|workspace| workspace.data().map(Path::to_owned)).collect();
        let external_reads = ExternalReads::new(&workspaces, &beside);
        workspaces.iter_mut().for_each(|workspace| workspace.remove_read_elsewhere(&external_reads));
        let roots: Vec<PathBuf> = workspaces.iter().map(Workspace::root).collect();
        let is_apart = |folder: &&PathBuf| {
            !roots.iter().any(|root: &PathBuf| folder.starts_with(root) || root.starts_with(folder))
        };
        let without_hierarchy = walked.folders.iter().filter(is_apart).filter_map(|folder| {
            let files = options.settings.mounted(options.settings.permissions.files_below(folder));
            Some(Omission::without_hierarchy(folder, MissingHierarchy::of_folder(folder, &files)?.to_string()))
        });
        let without_hierarchy: Vec<Omission> = without_hierarchy.collect();
        walked.omissions.extend(without_hierarchy);
        let code = CodeFolders::new(workspaces.iter().map(Workspace::environment), options);
        let opened: Vec<OpenEnvironment> = workspaces.into_iter().map(OpenEnvironment::new).collect();
        CheckTargets { walked, named, roots, code, data, findings, opened }
    }

    /// Checks everything that may have changed since the last check.
    ///
    /// Only findings in the given paths are reported, but everything around them is read: a value may be wrong because
    /// of a class elsewhere.
    pub fn check(&mut self, progress: &dyn Progress) -> Report {
        self.drop_outdated();
        let mut targets = match self.targets.take() {
            Some(targets) => targets,
            None => self.find(progress),
        };
        self.check_files(&targets, progress);
        let mut findings = targets.findings.clone();
        let to_check = targets.files_to_check();
        let is_of_hcl = |kind: Kind| matches!(kind, Kind::Hcl | Kind::Json);
        let of_hcl: Vec<&Path> =
            to_check.iter().filter(|(_, kind)| is_of_hcl(*kind)).map(|(path, _)| path.as_path()).collect();
        let reasons = |path: &PathBuf| -> &[Reason] {
            self.checked.get(path).map(|cached| cached.checked.not_judged.as_slice()).unwrap_or_default()
        };
        let is_judged = |path: &PathBuf| !reasons(path).iter().any(Reason::is_of_whole_file);
        let files = to_check.iter().filter(|(path, _)| is_judged(path)).count()
            + targets.data.iter().filter(|path| is_inside(path, &targets.named)).count();
        findings.extend(
            to_check
                .iter()
                .filter_map(|(path, _)| self.checked.get(path))
                .flat_map(|cached| cached.checked.findings.clone()),
        );
        let is_delayed = |cached: &CachedCheck| cached.checked.has_shutdown_delay;
        let some_are_delayed = to_check.iter().filter_map(|(path, _)| self.checked.get(path)).any(is_delayed);
        let environments = targets.roots.clone();
        let unseen = targets.opened.iter().filter_map(|opened| opened.workspace.note()).collect();
        let mut not_judged = targets.walked.omissions.clone();
        // Data is read whatever its name is, and whether git ignores it.
        not_judged.retain(|omission| !targets.data.contains(&omission.path));
        let tests: HashSet<PathBuf> = not_judged
            .iter()
            .filter(|omission| omission.reason == Reason::Tests)
            .map(|omission| omission.path.clone())
            .collect();
        for (path, kind) in to_check {
            let omission = |reason: &Reason| Omission {
                path: path.clone(),
                subject: match reason {
                    Reason::UnknownHcl | Reason::Encrypted if *kind == Kind::Hcl => Subject::Hcl,
                    _ => Subject::from_kind(Some(*kind)),
                },
                reason: reason.clone(),
            };
            not_judged.extend(reasons(path).iter().map(omission));
        }
        if !self.options.job_values.are_none() {
            let all = self.checked.values().flat_map(|cached| cached.checked.variables.iter().cloned());
            let is_checked = |folder: &Path| is_inside(&absolute(folder), &targets.named);
            findings.extend(self.options.job_values.undeclared(&all.collect(), is_checked, &self.options));
            findings.extend(self.options.job_values.unmatched(&of_hcl, is_checked));
        }
        let mut codes = Vec::new();
        for opened in &mut targets.opened {
            codes.push(self.code_of(opened));
            findings.extend(self.unreadable_code(opened, &targets.named));
            not_judged.extend(opened.omissions(self.code_parts(opened)));
        }
        if self.options.hygiene {
            let all: Vec<(&Workspace, &Code)> =
                targets.opened.iter().zip(&codes).map(|(opened, code)| (&opened.workspace, &**code)).collect();
            let needed = Needed::by(&all, &self.options);
            targets.opened.iter_mut().for_each(|opened| opened.needed = needed.clone());
        }
        // Findings are only merged across environments that share files.
        let has_several = targets.opened.len() > 1;
        let mut judged = Vec::new();
        let mut keys = BTreeSet::new();
        for (opened, code) in targets.opened.iter().zip(&codes) {
            let workspace = &opened.workspace;
            let (findings, not_judged) = opened.check(code, &self.options, progress);
            keys.extend(not_judged);
            judged.push(EnvironmentFindings {
                name: workspace.environment().name().to_owned(),
                root: workspace.root(),
                reads: workspace.data().filter(|_| has_several).map(Path::to_owned).collect(),
                findings,
            });
        }
        let keys = keys.into_iter().filter(|(path, _)| is_inside(path, &targets.named));
        not_judged.extend(keys.map(|(path, _)| Omission { path, subject: Subject::Key, reason: Reason::UnknownFacts }));
        // Files around the paths were only read for the sake of the paths. A named manifest is elsewhere, and catalogs
        // fail there.
        let manifest = self.options.manifest.as_deref().map(absolute);
        let is_here = |finding: &Finding| {
            let file = absolute(Path::new(finding.file()));
            let is_named = manifest.as_ref().is_some_and(|manifest| file.starts_with(manifest));
            (is_inside(&file, &targets.named) || is_named)
                && !targets.walked.excluded.has(&file)
                && !tests.contains(&file)
        };
        findings.extend(merge_environments(judged).into_iter().filter(is_here));
        let ignored = ignored::apply(&mut findings, &self.commented(&targets), &self.options);
        findings.sort_by_cached_key(Finding::order);
        if !some_are_delayed {
            merge_advice(&mut findings);
        }
        finding::mark(&mut findings, self.options.root.as_deref());
        // Comments and selections cannot hide this: an unread file may contain anything.
        if let Some(tree) = &self.options.settings.tree
            && let Some(error) = tree.fault()
        {
            findings.push(unreadable::tree(tree.root(), error));
        }
        let report =
            Report { ignored, findings, unseen, files, nodes: self.options.nodes.len(), not_judged, environments };
        self.targets = Some(targets);
        report
    }

    /// The files in the paths with comments that ignore findings.
    fn commented(&self, targets: &CheckTargets) -> Vec<Commented> {
        let is_complete = !targets.opened.iter().any(|opened| opened.workspace.misses_something());
        let of_texts = targets.files_to_check().into_iter().filter_map(|(path, _)| {
            let checked = &self.checked.get(path)?.checked;
            let source = checked.commented.clone()?;
            // Outside of an environment, only findings in the file itself are made.
            let is_inside = targets.roots.iter().any(|root| path.starts_with(root));
            Some(Commented { source, is_whole: is_complete && is_inside && checked.not_judged.is_empty() })
        });
        let mut all: Vec<Commented> = of_texts.collect();
        let mut seen = HashSet::default();
        for opened in &targets.opened {
            for source in opened.workspace.commented() {
                if is_inside(&absolute(Path::new(source.name())), &targets.named)
                    && seen.insert(source.name().to_owned())
                {
                    all.push(Commented { source, is_whole: is_complete });
                }
            }
        }
        all
    }

    /// Checks the files without a cached result, each separately.
    fn check_files(&mut self, targets: &CheckTargets, progress: &dyn Progress) {
        let is_known = |path: &PathBuf, kind: Kind| {
            let is_inside = || targets.roots.iter().any(|root| path.starts_with(root));
            let matters = matches!(kind, Kind::Yaml | Kind::Json);
            self.checked.get(path).is_some_and(|cached| !matters || cached.inside == is_inside())
        };
        let to_check = targets.files_to_check();
        let to_check: Vec<_> = to_check.into_iter().filter(|(path, kind)| !is_known(path, *kind)).collect();
        progress.begin("files", to_check.len());
        let runs = JobRuns::new(&self.options);
        let checked: Vec<(PathBuf, CachedCheck)> = to_check
            .into_par_iter()
            .map(|(path, kind)| {
                let settings = &self.options.settings;
                let files = settings.mounted(settings.permissions.files_named(path));
                let named = targets.named.contains(path);
                let unread = FileToCheck {
                    path,
                    kind: *kind,
                    is_named: named,
                    roots: &targets.roots,
                    runs: &runs,
                    code: &targets.code,
                };
                let checked = check(&unread, &files, &self.options, self.watch.as_deref());
                progress.step();
                let inside = targets.roots.iter().any(|root| path.starts_with(root));
                (path.clone(), CachedCheck { checked, inside })
            })
            .collect();
        self.checked.extend(checked);
    }

    /// The code of an environment: of files that were checked, and of others.
    fn code_of(&mut self, opened: &mut OpenEnvironment) -> Arc<Code> {
        if let Some(code) = &opened.code {
            return code.clone();
        }
        let is_unread = |path: &PathBuf| {
            let checked = self.checked.get(path).is_some_and(|cached| cached.checked.part.is_some());
            !checked && !self.beside.contains_key(path)
        };
        let unread: Vec<&(PathBuf, bool)> = opened.code_files.iter().filter(|(path, _)| is_unread(path)).collect();
        let watch = self.watch.as_deref();
        let read: Vec<(PathBuf, ReadPart)> = unread
            .into_par_iter()
            .map(|(path, is_manifest)| {
                let part = code_part(path, *is_manifest, opened.workspace.readable(), watch);
                (path.clone(), part.map(Arc::new))
            })
            .collect();
        self.beside.extend(read);
        let code: Arc<Code> =
            Arc::new(self.code_parts(opened).map(|(path, part)| (path.to_owned(), part.clone())).collect());
        opened.code = Some(code.clone());
        code
    }

    /// The files of an environment's code that were read.
    fn code_parts<'s>(&'s self, opened: &'s OpenEnvironment) -> impl Iterator<Item = (&'s Path, &'s Arc<CodePart>)> {
        opened.code_files.iter().filter_map(|(path, _)| {
            let checked = self.checked.get(path).and_then(|cached| cached.checked.part.as_ref());
            // The reason why a file cannot be read is reported separately.
            let part = checked.or_else(|| self.beside.get(path)?.as_ref().ok())?;
            Some((path.as_path(), part))
        })
    }

    /// The findings about unreadable code of an environment outside of the paths: without it, other findings can be
    /// wrong. Unreadable files in the paths have findings already.
    fn unreadable_code(&self, opened: &OpenEnvironment, named: &HashSet<PathBuf>) -> Vec<Finding> {
        let of_file =
            |(path, _): &(PathBuf, bool)| self.beside.get(path)?.as_ref().err().map(|finding| (**finding).clone());
        let all = opened.code_files.iter().filter_map(of_file).chain(opened.unlisted.iter().cloned());
        all.filter(|finding| !is_inside(&absolute(Path::new(finding.file())), named)).collect()
    }

    /// Returns snapshots of the environments. Call it after a [check](Self::check).
    pub fn views(&self) -> Vec<View> {
        let opened = self.targets.iter().flat_map(|targets| &targets.opened);
        opened.filter_map(|opened| Some(opened.workspace.view(opened.code.as_ref()?, &opened.analyzed))).collect()
    }

    /// Returns a check of single files. Call it after a [check](Self::check) of everything.
    pub fn buffer_check(&self) -> BufferCheck {
        let targets = self.targets.as_ref();
        let files = targets.iter().flat_map(|targets| &targets.opened).flat_map(|opened| opened.workspace.readers());
        BufferCheck {
            options: Arc::new(self.options.clone()),
            roots: targets.map(|targets| targets.roots.clone()).unwrap_or_default().into(),
            code: Arc::new(targets.map(|targets| targets.code.clone()).unwrap_or_default()),
            readers: Arc::new(files.collect()),
        }
    }
}

/// Keeps a single finding with the advice about stopped services if no job follows it, because one for each job would
/// be noise.
fn merge_advice(findings: &mut Vec<Finding>) {
    let is_advice = |finding: &Finding| finding.rule.id() == rules::JOB_SHUTDOWN_DELAY.id();
    let jobs = findings.iter().filter(|finding| is_advice(finding)).count();
    if jobs <= MOST_ADVICE {
        return;
    }
    let mut is_first = true;
    findings.retain_mut(|finding| {
        if !is_advice(finding) {
            return true;
        }
        if is_first {
            let others = format!("the same applies to {} other jobs: no job has a shutdown_delay", jobs - 1);
            Arc::make_mut(&mut finding.diagnostic).notes.push(others);
        }
        std::mem::take(&mut is_first)
    });
}

/// So many jobs are advised each.
const MOST_ADVICE: usize = 2;

/// Returns whether files of this name determine which files exist, and which levels read them.
fn is_configuration_name(name: &str) -> bool {
    matches!(
        name,
        "hiera.yaml"
            | "hieratic.yaml"
            | "environment.conf"
            | "puppet.conf"
            | "metadata.json"
            | "Puppetfile"
            | ".fixtures.yml"
    ) || name.starts_with(".git")
        || name == ".ignore"
}
