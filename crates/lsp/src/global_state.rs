//! [`GlobalState`]: the state that all threads share: open documents, findings and pending checks.
//!
//! There are three kinds of threads next to the pool that answers requests. The first reads messages, changes documents and never waits. The second checks
//! changed folders and everything that depends on the changes ([`Session`]). The third checks a single document while
//! the user types, in less time than a keystroke, and moves the findings about several files to their new positions
//! until the check of the folder is done.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use hieratic::value::ErasedSort as _;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic_lint::{Finding, JobSet, Options, Session, StyleOptions, is_of_analysis};
use hieratic_puppet_syntax::ast::Program;
use lsp_types::request::{CodeLensRefresh, InlayHintRefreshRequest};

use crate::client::Client;
use crate::client_capabilities::ClientCapabilities;
use crate::code::ruby_index::RubyIndexCache;
use crate::data::mentions::MentionCache;
use crate::document::{Document, Language};
use crate::extensions::Status;
use crate::findings::{is_of_text, move_finding};
use crate::node_choice::NodeChoice;
use crate::node_files::NodeFilesCache;
use crate::outline::{FileOutline, Outline};
use crate::progress::{CheckProgress, RequestProgress};
use crate::publish::Publisher;
use crate::snapshot::{Analysis, Root, Snapshot};
use crate::status;

/// The maximum number of findings of a folder that are stored and shown. Each takes about one kilobyte, which the
/// session shares.
const MAX_FINDINGS: usize = 100_000;

/// The number of checks so far.
static CHECKS: AtomicU64 = AtomicU64::new(0);

/// The state that all threads share.
pub(crate) struct GlobalState {
    pub(crate) client: Client,
    pub(crate) publisher: Arc<Publisher>,
    /// The rules of style that are checked.
    style: Option<Arc<StyleOptions>>,
    /// The entries of `[[jobs]]` in the settings.
    job_sets: Arc<Vec<JobSet>>,
    /// The options of a check, except the paths.
    pub(crate) check: Options,
    /// The features that the client supports.
    pub(crate) capabilities: ClientCapabilities,
    node_files: NodeFilesCache,
    file_mentions: MentionCache,
    ruby: RubyIndexCache,
    state: Mutex<State>,
    work: Condvar,
    typed: Condvar,
}

/// A response that waits until no check is pending.
type IdleResponse = Box<dyn FnOnce() + Send>;

struct State {
    documents: Arc<HashMap<PathBuf, Arc<Document>>>,
    roots: Arc<Vec<Root>>,
    /// The changed files of each folder since its last check.
    changed: HashMap<PathBuf, HashSet<PathBuf>>,
    /// Documents that are to be checked by themselves.
    typed: BTreeSet<PathBuf>,
    chosen: Arc<NodeChoice>,
    variables: Arc<Vec<PathBuf>>,
    generation: u64,
    /// The number of changes of Ruby files so far.
    ruby_changes: u64,
    /// The number of threads that are checking.
    busy: usize,
    ended: bool,
    /// The responses that wait until no check is pending.
    idle_responses: Vec<IdleResponse>,
}

impl State {
    /// Returns whether no check is pending.
    fn is_idle(&self) -> bool {
        self.busy == 0 && self.changed.is_empty() && self.typed.is_empty()
    }

    /// Begins the check of a changed folder, if there is one.
    fn take_folder(&mut self) -> Option<PendingFolder> {
        let roots = self.roots.iter().map(|root| &root.folder);
        let folder = roots.into_iter().find(|folder| self.changed.contains_key(*folder)).cloned()?;
        self.busy += 1;
        Some(PendingFolder {
            changed: self.changed.remove(&folder).unwrap_or_default(),
            roots: self.roots.iter().map(|root| root.folder.clone()).collect(),
            documents: self.documents.clone(),
            generation: self.generation,
            is_first: self.roots.iter().any(|root| root.folder == folder && root.analysis.is_none()),
            folder,
        })
    }

    /// Begins the check of a document by itself, if there is one.
    fn take_typed(&mut self) -> Option<PathBuf> {
        let path = self.typed.pop_first()?;
        self.busy += 1;
        Some(path)
    }
}

/// A folder that is to be checked, with the state at the beginning of the check.
struct PendingFolder {
    folder: PathBuf,
    /// The changed files since the last check.
    changed: HashSet<PathBuf>,
    /// All folders.
    roots: HashSet<PathBuf>,
    documents: Arc<HashMap<PathBuf, Arc<Document>>>,
    generation: u64,
    is_first: bool,
}

/// The sessions in which folders are checked, with the definitions of their manifests.
#[derive(Default)]
pub(crate) struct FolderSessions(HashMap<PathBuf, (Session, Outlines)>);

impl GlobalState {
    pub(crate) fn new(client: Client, check: Options, capabilities: ClientCapabilities) -> GlobalState {
        let publisher = Arc::new(Publisher::new(client.clone(), capabilities.encoding));
        GlobalState {
            client,
            publisher,
            style: check.style.clone().map(Arc::new),
            job_sets: Arc::new(check.job_values.sets.clone()),
            check,
            capabilities,
            node_files: NodeFilesCache::default(),
            file_mentions: MentionCache::default(),
            ruby: RubyIndexCache::default(),
            state: Mutex::new(State {
                documents: Arc::default(),
                roots: Arc::default(),
                changed: HashMap::default(),
                typed: BTreeSet::new(),
                chosen: Arc::default(),
                variables: Arc::default(),
                generation: 1,
                ruby_changes: 0,
                busy: 0,
                ended: false,
                idle_responses: Vec::new(),
            }),
            work: Condvar::new(),
            typed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change of the state is one assignment, so it is consistent after any panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything that is known now.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let state = self.state();
        Snapshot {
            documents: state.documents.clone(),
            roots: state.roots.clone(),
            client: self.client.clone(),
            publisher: self.publisher.clone(),
            capabilities: self.capabilities,
            chosen: state.chosen.clone(),
            variables: state.variables.clone(),
            job_sets: self.job_sets.clone(),
            node_files: self.node_files.clone(),
            file_mentions: self.file_mentions.clone(),
            ruby: self.ruby.clone(),
            ruby_changes: state.ruby_changes,
            generation: state.generation,
            version: self.check.settings.puppet_version,
            limits: self.check.settings.limits,
            style: self.style.clone(),
            cancelled: Arc::new(AtomicBool::new(false)),
            progress: RequestProgress::default(),
        }
    }

    /// Works in a folder from now on.
    pub(crate) fn add_root(&self, folder: PathBuf) {
        let mut state = self.state();
        if state.roots.iter().any(|root| root.folder == folder) {
            return;
        }
        state.changed.insert(folder.clone(), HashSet::default());
        Arc::make_mut(&mut state.roots).push(Root { folder, analysis: None });
        self.work.notify_all();
    }

    /// Works no longer in a folder.
    pub(crate) fn remove_root(&self, folder: &Path) {
        let mut state = self.state();
        Arc::make_mut(&mut state.roots).retain(|root| root.folder != folder);
        state.changed.remove(folder);
        let responses = idle_responses(&mut state);
        drop(state);
        self.publisher.forget_below(folder);
        responses.into_iter().for_each(|respond| respond());
    }

    /// Takes a document as it is now, or no longer.
    pub(crate) fn set_document(&self, path: &Path, document: Option<Document>) {
        let mut state = self.state();
        let is_open = document.is_some();
        let documents = Arc::make_mut(&mut state.documents);
        match document {
            Some(document) => documents.insert(path.to_owned(), Arc::new(document)),
            None => documents.remove(path),
        };
        if is_open {
            state.typed.insert(path.to_owned());
            self.typed.notify_all();
        }
        self.mark_changed(&mut state, path);
    }

    /// A file of the disk changed, came or went.
    pub(crate) fn touch(&self, path: &Path) {
        let mut state = self.state();
        // The editor's version of an open file takes precedence.
        if !state.documents.contains_key(path) {
            self.mark_changed(&mut state, path);
        }
    }

    fn mark_changed(&self, state: &mut State, path: &Path) {
        state.generation += 1;
        if path.extension().is_some_and(|extension| extension == "rb") {
            state.ruby_changes += 1;
        }
        let inside = state.roots.iter().filter(|root| path.starts_with(&root.folder));
        let Some(folder) = inside.max_by_key(|root| root.folder.as_os_str().len()).map(|root| root.folder.clone())
        else {
            return;
        };
        state.changed.entry(folder).or_default().insert(path.to_owned());
        self.work.notify_all();
    }

    /// Shows the answers of another node.
    pub(crate) fn choose(&self, chosen: NodeChoice) {
        let mut state = self.state();
        state.chosen = Arc::new(chosen);
    }

    /// Changes the choice, while other threads may change it, too.
    pub(crate) fn change_chosen(&self, change: impl FnOnce(&NodeChoice, hieratic::PuppetVersion) -> NodeChoice) {
        let mut state = self.state();
        state.chosen = Arc::new(change(&state.chosen, self.check.settings.puppet_version));
    }

    /// Evaluates jobs with other variable files, and updates the hints.
    pub(crate) fn choose_variables(&self, files: Vec<PathBuf>) {
        self.state().variables = Arc::new(files);
    }

    /// Ends all threads.
    pub(crate) fn end(&self) {
        self.state().ended = true;
        self.work.notify_all();
        self.typed.notify_all();
    }

    /// Sends a response as soon as no check is pending, for tests and measurements.
    pub(crate) fn when_idle(&self, respond: IdleResponse) {
        let mut state = self.state();
        state.idle_responses.push(respond);
        let responses = idle_responses(&mut state);
        drop(state);
        responses.into_iter().for_each(|respond| respond());
    }

    /// Ends a check of a folder or a document.
    fn end_check(&self) {
        let mut state = self.state();
        state.busy -= 1;
        let responses = idle_responses(&mut state);
        drop(state);
        responses.into_iter().for_each(|respond| respond());
    }

    /// Checks folders until the end.
    pub(crate) fn check_folders(&self) {
        let mut sessions = FolderSessions::default();
        loop {
            let mut state = self.state();
            let folder = loop {
                if state.ended {
                    return;
                }
                match state.take_folder() {
                    Some(folder) => break folder,
                    None => state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner),
                }
            };
            drop(state);
            self.check_folder(folder, &mut sessions);
        }
    }

    /// Checks everything that is pending, in this thread.
    pub(crate) fn check_pending(&self, sessions: &mut FolderSessions) {
        loop {
            let mut state = self.state();
            if let Some(folder) = state.take_folder() {
                drop(state);
                self.check_folder(folder, sessions);
            } else if let Some(path) = state.take_typed() {
                drop(state);
                self.check_text(&path);
                self.end_check();
            } else {
                return;
            }
        }
    }

    fn check_folder(&self, pending: PendingFolder, FolderSessions(sessions): &mut FolderSessions) {
        let PendingFolder { folder, changed, roots, documents, generation, is_first } = pending;
        sessions.retain(|folder, _| roots.contains(folder));
        let (session, defined) =
            sessions.entry(folder.clone()).or_insert_with(|| self.start_session(&folder, &documents));
        let checked = catch_unwind(AssertUnwindSafe(|| {
            self.run_check(session, defined, &changed, &documents, generation, is_first)
        }));
        match checked {
            Ok(analysis) => self.store_analysis(&folder, analysis, &documents),
            Err(panic) => {
                // The session may be inconsistent, so the next check starts a new one.
                sessions.remove(&folder);
                self.client.show_warning(format!(
                    "hieratic: the check of {} failed: {}. Please report this",
                    folder.display(),
                    crate::pool::panic_text(&*panic),
                ));
            }
        }
        self.end_check();
    }

    fn start_session(&self, folder: &Path, documents: &HashMap<PathBuf, Arc<Document>>) -> (Session, Outlines) {
        let defined = Outlines::default();
        let outline = defined.clone();
        let mut options = self.check.clone();
        options.paths = vec![folder.to_owned()];
        let is_file = hieratic::sandbox::Files::below(folder.parent()).is_file(folder);
        let outer = if is_file { folder.parent().unwrap_or(folder) } else { folder };
        let mut session = Session::new(options)
            .over(outer)
            .watching(Arc::new(move |path: &Path, program: &Program| outline.set(path, program)));
        for (path, document) in documents.iter().filter(|(path, _)| path.starts_with(folder)) {
            session.set_text(path, Some(&document.text));
        }
        (session, defined)
    }

    fn run_check(
        &self,
        session: &mut Session,
        defined: &Outlines,
        changed: &HashSet<PathBuf>,
        documents: &Arc<HashMap<PathBuf, Arc<Document>>>,
        generation: u64,
        is_first: bool,
    ) -> Analysis {
        for path in changed {
            match documents.get(path) {
                Some(document) => session.set_text(path, Some(&document.text)),
                None => {
                    session.set_text(path, None);
                    if !hieratic::sandbox::Files::below(path.parent()).is_file(path) {
                        defined.remove(path);
                    }
                }
            }
        }
        let report = if is_first && self.capabilities.progress {
            session.check(&CheckProgress::new(&self.client))
        } else {
            session.check(&())
        };
        if is_first {
            let counts = format!("checked {} files: {} findings", report.files, report.findings.len());
            self.client.log(format!("hieratic: {counts}"));
            for note in &report.unseen {
                let notes = note.diagnostic.notes.join("; ");
                self.client.log(format!("hieratic: {}: {notes}", note.diagnostic.message));
            }
        }
        let mut findings: HashMap<PathBuf, Vec<Finding>> = HashMap::default();
        if let Some(more) = report.findings.len().checked_sub(MAX_FINDINGS).filter(|more| *more > 0) {
            self.client.log(format!(
                "hieratic: {more} of {} findings are not shown: 'hieratic check' lists all of them",
                report.findings.len()
            ));
        }
        for finding in report.findings.into_iter().take(MAX_FINDINGS) {
            if let Ok(path) = std::path::absolute(finding.file()) {
                findings.entry(path).or_default().push(finding);
            }
        }
        Analysis {
            serial: CHECKS.fetch_add(1, Ordering::Relaxed),
            generation,
            files: report.files,
            omissions: report.not_judged,
            documents: documents.clone(),
            views: session.views(),
            buffer_check: session.buffer_check(),
            outline: Arc::new(defined.outline()),
            findings: findings.into_iter().map(|(path, findings)| (path, findings.into())).collect(),
            edited: Mutex::default(),
            mentions: OnceLock::new(),
        }
    }

    /// Stores the result of a check, and publishes its findings.
    fn store_analysis(&self, folder: &Path, analysis: Analysis, checked: &HashMap<PathBuf, Arc<Document>>) {
        let analysis = Arc::new(analysis);
        let mut state = self.state();
        let roots = Arc::make_mut(&mut state.roots);
        let Some(root) = roots.iter_mut().find(|root| root.folder == folder) else { return };
        let before = root.analysis.replace(analysis.clone());
        let has_news =
            before.is_none_or(|before| before.files != analysis.files || before.omissions != analysis.omissions);
        let documents = state.documents.clone();
        let is_current = |path: &Path| match (checked.get(path), documents.get(path)) {
            (Some(checked), Some(now)) => Arc::ptr_eq(checked, now),
            (None, None) => true,
            _ => false,
        };
        // Documents edited since are combined with the findings of this check about other files.
        let typed: Vec<PathBuf> =
            documents.keys().filter(|path| path.starts_with(folder) && !is_current(path)).cloned().collect();
        state.typed.extend(typed);
        self.typed.notify_all();
        drop(state);
        let shown = self.publisher.shown_below(folder);
        let mut files: Vec<&PathBuf> = analysis.findings.keys().chain(&shown).collect();
        files.sort_erased();
        files.dedup();
        for path in files {
            let document = documents.get(path);
            if is_current(path) {
                let findings = analysis.findings.get(path).cloned().unwrap_or_default();
                self.publisher.publish(path, document, findings);
            }
        }
        if has_news {
            self.client.notify::<Status>(status::status(self));
        }
        self.refresh();
    }

    /// Has the client ask again for what depends on more than one file.
    pub(crate) fn refresh(&self) {
        if self.capabilities.refresh_lenses {
            self.client.request::<CodeLensRefresh>(());
        }
        if self.capabilities.refresh_hints {
            self.client.request::<InlayHintRefreshRequest>(());
        }
    }

    /// Checks documents by themselves until the end.
    pub(crate) fn check_typed(&self) {
        loop {
            let mut state = self.state();
            let path = loop {
                if state.ended {
                    return;
                }
                match state.take_typed() {
                    Some(path) => break path,
                    None => state = self.typed.wait(state).unwrap_or_else(PoisonError::into_inner),
                }
            };
            drop(state);
            self.check_text(&path);
            self.end_check();
        }
    }

    /// Checks a single document, unless the check of its folder included its current version.
    fn check_text(&self, path: &Path) {
        let snapshot = self.snapshot();
        let Some(document) = snapshot.documents.get(path) else { return };
        let Some(analysis) = snapshot.analysis_of(path) else { return };
        if analysis.documents.get(path).is_some_and(|checked| Arc::ptr_eq(checked, document)) {
            return;
        }
        let checked = catch_unwind(AssertUnwindSafe(|| {
            let mut findings = analysis.buffer_check.check(path, &document.text);
            let analyzed = analyze(&snapshot, analysis, document);
            let known = analysis.findings.get(path).into_iter().flat_map(|findings| findings.iter());
            let is_outdated = |finding: &Finding| analyzed.is_some() && is_of_analysis(finding.rule);
            let known = known.filter(|finding| !is_of_text(finding) && !is_outdated(finding));
            findings.extend(known.filter_map(|finding| move_finding(finding, document, path)));
            findings.extend(analyzed.into_iter().flatten());
            findings
        }));
        // After a panic here, the check of the folder reports it.
        let Ok(findings) = checked else { return };
        // While the state is locked no later check of the folder can end, which would say more.
        let state = self.state();
        let is_newer = |root: &Root| root.analysis.as_ref().is_some_and(|now| !Arc::ptr_eq(now, analysis));
        let overtaken = state.roots.iter().any(|root| path.starts_with(&root.folder) && is_newer(root));
        if !overtaken {
            self.publisher.publish(path, Some(document), findings.into());
        }
    }
}

/// Returns the findings of the analysis in a manifest or a template; `None` if it cannot be parsed, so that the last ones are
/// still the best.
fn analyze(snapshot: &Snapshot, analysis: &Analysis, document: &Document) -> Option<Vec<Finding>> {
    if !matches!(document.language, Language::Manifest | Language::Epp | Language::Erb) {
        return None;
    }
    let view = snapshot.view_of(&document.path).filter(|view| document.path.starts_with(view.root()))?;
    let program = view.program().to_owned();
    let check = &analysis.buffer_check;
    Some(match document.language {
        Language::Manifest => check.analyze(&program, &document.path, document.parsed().program.as_ref()?),
        Language::Epp if document.parsed().program.is_none() => return None,
        _ => check.analyze_template(&program, &document.path, &document.text),
    })
}

/// Takes the responses that wait, if no check is pending.
fn idle_responses(state: &mut State) -> Vec<IdleResponse> {
    if state.is_idle() { std::mem::take(&mut state.idle_responses) } else { Vec::new() }
}

/// The definitions of manifests, collected while a session parses them.
#[derive(Clone, Default)]
struct Outlines(Arc<Mutex<HashMap<PathBuf, Arc<FileOutline>>>>);

impl Outlines {
    fn set(&self, path: &Path, program: &Program) {
        let found = FileOutline::new(path, program);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if found.is_empty() {
            all.remove(path);
        } else {
            all.insert(path.to_owned(), Arc::new(found));
        }
    }

    fn remove(&self, path: &Path) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
    }

    fn outline(&self) -> Outline {
        Outline::new(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }
}
