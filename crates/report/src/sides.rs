//! [`Sides`]: the base and the head of a comparison: revisions, the working tree, or folders.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hieratic::sandbox::{DirEntry, Disk, FileKind, Files, Memory, Mounted, Patched, Tree, TreeEntry, is_absence};
use hieratic::{Environment, Error, ErrorKind, Facts, Limits, SearchPath, Settings};
use hieratic_git::{Changed, Commit, Repository};
use hieratic_impact::{Diff, Side, Trees, environments_of_data};
use hieratic_lint::{Finding, KnownSides, new_findings};

use crate::Nodes;
use hieratic::sandbox::SlashPath as _;

/// The base and the head of a comparison.
#[derive(Clone)]
pub struct Sides {
    settings: Settings,
    /// The root of both.
    root: PathBuf,
    /// The tree of the base. It also serves as the working tree if the head is a revision.
    base: Mounted,
    head: Option<Mounted>,
    /// The side whose tree is a patch of the other one. It shares all files with the other side
    /// but the patched ones.
    patched: Side,
    /// Both states as trees.
    trees: Trees,
    changed: Changed,
    /// The state of earlier comparisons, if the sides are compared several times while the head is edited.
    known: Option<Arc<EarlierSides>>,
    /// The files of the head, from the root, that have changed since its environments were first opened.
    touched: BTreeSet<PathBuf>,
    /// The commits of the sides that are revisions.
    pub commits: Diff<Option<Commit>>,
    /// The names of the sides, as reports print them.
    pub names: Diff<String>,
}

/// The most nodes that `check` gets the facts of. For larger fleets it makes up nodes itself.
const MOST_KNOWN: usize = 200;
/// The most unread paths that a note names.
const MOST_REFUSED: usize = 5;
/// After so many files have changed, the working tree is compared as a whole.
const MOST_TOUCHED: usize = 500;
/// The deepest nesting of folders that is compared.
const DEEPEST: usize = 64;

/// The name of an environment, and its folder if that is given.
type EnvironmentKey = (String, Option<PathBuf>);

/// The state of earlier comparisons of the same base.
#[derive(Default)]
struct EarlierSides {
    findings: KnownSides,
    /// The environments of the head, as they were first opened. Later states of both sides are patches of them.
    opened: Mutex<BTreeMap<EnvironmentKey, Environment>>,
}

/// The head of a comparison.
#[derive(Clone, Copy, Debug)]
pub enum Head<'h> {
    /// The working tree.
    WorkingTree,
    /// A revision.
    Revision(&'h str),
}

/// The commits of two states.
struct Commits {
    base: Commit,
    /// The commit of the head, or `None` if the head is the working tree.
    head: Option<Commit>,
    names: Diff<String>,
}

impl Commits {
    fn resolve(
        repository: &Repository,
        base: &str,
        head: Head<'_>,
        from_merge_base: bool,
    ) -> Result<Commits, hieratic_git::Error> {
        let mut base_commit = repository.commit(base)?;
        let head_commit = match head {
            Head::Revision(name) => Some(repository.commit(name)?),
            Head::WorkingTree => None,
        };
        if from_merge_base {
            let with = head_commit.map_or_else(|| repository.commit("HEAD"), Ok)?;
            base_commit = repository.merge_base(base_commit, with)?;
        }
        let names = Diff {
            base: named(base, base_commit),
            head: match (head, head_commit) {
                (Head::Revision(name), Some(commit)) => named(name, commit),
                _ => "the working tree".to_owned(),
            },
        };
        Ok(Commits { base: base_commit, head: head_commit, names })
    }
}

impl Sides {
    /// Returns the names of the sides of [`from_revisions`](Self::from_revisions) without reading files. If the head is
    /// a revision, equal names mean equal states.
    ///
    /// # Errors
    /// As [`from_revisions`](Self::from_revisions).
    pub fn resolve_names(
        repository: &Repository,
        base: &str,
        head: Head<'_>,
        from_merge_base: bool,
    ) -> Result<Diff<String>, hieratic_git::Error> {
        Commits::resolve(repository, base, head, from_merge_base).map(|commits| commits.names)
    }

    /// Creates the sides of two states of a repository. With `from_merge_base`, the base is the merge base of both.
    ///
    /// # Errors
    /// A revision does not exist or cannot be read.
    pub fn from_revisions(
        settings: Settings,
        repository: &Repository,
        base: &str,
        head: Head<'_>,
        from_merge_base: bool,
    ) -> Result<Sides, hieratic_git::Error> {
        let root = repository.root().to_owned();
        let Commits { base: base_commit, head: head_commit, names } =
            Commits::resolve(repository, base, head, from_merge_base)?;
        let changed = match head_commit {
            Some(head) => repository.changed(base_commit, head)?,
            None => repository.changed_in_worktree(base_commit)?,
        };
        let old: Arc<dyn Tree> = Arc::new(repository.tree(base_commit)?);
        let head_tree: Option<Arc<dyn Tree>> = match head_commit {
            Some(head) => Some(Arc::new(repository.tree(head)?)),
            None => None,
        };
        let under = head_tree.clone().unwrap_or_else(|| Arc::new(Disk::new(&root)));
        let changed = changed.without_pointers(&*old, &*under);
        let base_tree = Mounted::new(&root, Patched::new(under.clone(), old, changed.paths.iter().cloned()));
        let head_tree = head_tree.map(|tree| Mounted::shared(&root, tree));
        let head_or_disk = head_tree.as_ref().map_or(under, |head| head.tree().clone());
        let trees = Trees { root: root.clone(), base: base_tree.tree().clone(), head: head_or_disk };
        let (base, head, patched, touched) = (base_tree, head_tree, Side::Base, BTreeSet::new());
        let commits = Diff { base: Some(base_commit), head: head_commit };
        Ok(Sides { settings, root, base, head, patched, trees, changed, known: None, touched, commits, names })
    }

    /// Keeps what was read of the working tree for [`update`](Self::update).
    #[must_use]
    pub fn caching(self) -> Sides {
        Sides { known: self.known.or_else(|| Some(Arc::default())), ..self }
    }

    /// Creates the sides of the same commit and the working tree again, after only these files have changed. Returns
    /// `None` if another file may differ.
    ///
    /// # Errors
    /// The commit cannot be read.
    pub fn update(
        &self,
        settings: Settings,
        repository: &Repository,
        touched: &[PathBuf],
    ) -> Result<Option<Sides>, hieratic_git::Error> {
        let Diff { base: Some(base), head: None } = self.commits else { return Ok(None) };
        if touched.len() > MOST_TOUCHED {
            return Ok(None);
        }
        let old: Arc<dyn Tree> = Arc::new(repository.tree(base)?);
        let under: Arc<dyn Tree> = Arc::new(Disk::new(&self.root));
        // An edit may be undone.
        let is_same = |path: &Path| match (old.read(path), under.read(path)) {
            (Ok(base), Ok(head)) => base == head,
            (Err(base), Err(head)) => is_absence(&base) && is_absence(&head),
            _ => false,
        };
        let mut changed = self.changed.clone();
        let mut all_touched = self.touched.clone();
        for file in touched {
            let Ok(path) = file.strip_prefix(&self.root) else { return Ok(None) };
            // What git ignores may be another part of the repository now.
            let is_of_git = |part: &std::ffi::OsStr| part.as_encoded_bytes().starts_with(b".git");
            if path.iter().any(is_of_git) {
                return Ok(None);
            }
            // A new file may be one that git ignores.
            let is_known = || matches!(old.entry(path), Ok(TreeEntry::Stat(stat)) if stat.is_file());
            if !changed.paths.contains(path) && !is_known() {
                return Ok(None);
            }
            if is_same(path) {
                changed.paths.remove(path);
            } else {
                changed.paths.insert(path.to_owned());
            }
            all_touched.insert(path.to_owned());
        }
        let undone: BTreeSet<PathBuf> = all_touched.difference(&changed.paths).cloned().collect();
        let mut changed = changed.without_pointers(&*old, &*under);
        let mut seen = BTreeSet::new();
        changed.notes.retain(|note| seen.insert(note.clone()));
        // The environment that was opened first may have read another state of a file whose edit was undone.
        let patched: BTreeSet<PathBuf> = changed.paths.union(&undone).cloned().collect();
        let base = Mounted::new(&self.root, Patched::new(under.clone(), old, patched));
        let trees = Trees { root: self.root.clone(), base: base.tree().clone(), head: under.clone() };
        self.known.iter().for_each(|known| known.findings.keep_below(&self.root, touched));
        // A patch of the same files: it names those that differ from the ones of the environment that was opened first.
        let head = Mounted::new(&self.root, Patched::new(under.clone(), under, all_touched.iter().cloned()));
        let head = self.known.as_ref().map(|_| head);
        Ok(Some(Sides { settings, base, head, trees, changed, touched: all_touched, ..self.clone() }))
    }

    /// Creates the sides of two folders without git: `against` is the base, `folder` the head.
    pub fn from_folders(settings: Settings, folder: PathBuf, against: &Path) -> Sides {
        let is_inside = folder.file_name().is_some_and(|name| name == "environments");
        let root = if is_inside && !against.ends_with("environments") {
            folder.parent().unwrap_or(&folder).to_owned()
        } else {
            folder
        };
        let (old, new) = (Disk::new(against), Disk::new(&root));
        let mut changed = Changed::default();
        differing(&old, &new, Path::new(""), 0, &mut changed);
        let head: Arc<dyn Tree> = Arc::new(new);
        let base = Patched::new(head.clone(), Arc::new(old), changed.paths.iter().cloned());
        let base = Mounted::new(&root, base);
        let trees = Trees { root: root.clone(), base: base.tree().clone(), head };
        let names = Diff { base: against.to_slashes(), head: root.to_slashes() };
        let (known, commits, touched) = (None, Diff::default(), BTreeSet::new());
        Sides { settings, root, base, head: None, patched: Side::Base, trees, changed, known, touched, commits, names }
    }

    /// Creates the sides of a change that is not yet saved: the head has other content for some files. `changed` are
    /// the paths of these files, relative to the root. A tree that is mounted at the root is the base of the change.
    pub fn from_edits(
        settings: Settings,
        root: &Path,
        edits: Memory,
        changed: impl IntoIterator<Item = PathBuf>,
    ) -> Sides {
        let under: Arc<dyn Tree> = match &settings.tree {
            Some(mounted) if mounted.root() == root => mounted.tree().clone(),
            _ => Arc::new(Disk::new(root)),
        };
        let changed = Changed { paths: changed.into_iter().collect(), ..Changed::default() };
        let head = Mounted::new(root, Patched::new(under.clone(), Arc::new(edits), changed.paths.iter().cloned()));
        // Both sides resolve links out of the repository equally.
        let base = Mounted::shared(root, under);
        let trees = Trees { root: root.to_owned(), base: base.tree().clone(), head: head.tree().clone() };
        let names = Diff { base: "the working tree".to_owned(), head: "the change".to_owned() };
        let (root, head, patched) = (root.to_owned(), Some(head), Side::Head);
        let (known, commits, touched) = (None, Diff::default(), BTreeSet::new());
        Sides { settings, root, base, head, patched, trees, changed, known, touched, commits, names }
    }

    /// Checks that every file of both sides could be read. Call it after the comparison: an unreadable file makes the
    /// differences unknown.
    ///
    /// # Errors
    /// A file exists but could not be read.
    pub fn check_complete(&self) -> Result<(), Error> {
        for side in [Side::Base, Side::Head] {
            if let Some(problem) = self.tree(side).and_then(Mounted::fault) {
                let error = Error::new(ErrorKind::Fatal, hieratic::codes::hiera::FILE_UNREADABLE, problem);
                return Err(self.on(side, error));
            }
        }
        Ok(())
    }

    /// Returns the names of the environments of both sides, each with the sides that have it. The result is empty if
    /// the settings name a single environment.
    ///
    /// A folder that is itself an environment can be deployed under any name. Its environments are its default name and
    /// those with data under their names.
    pub fn environments(&self) -> BTreeMap<String, Diff<bool>> {
        let mut found: BTreeMap<String, Diff<bool>> = BTreeMap::new();
        if self.settings.environmentpath.is_none() {
            let names: BTreeSet<String> = self.named_by_data().into_keys().collect();
            let usual = self.settings.environment_name().to_owned();
            if names.iter().any(|name| *name != usual) {
                found.extend(names.into_iter().chain([usual]).map(|name| (name, Diff { base: true, head: true })));
            }
            return found;
        }
        let several = Settings { environment: None, environment_dir: None, ..self.settings.clone() };
        let folders: Vec<PathBuf> =
            several.environmentpath.iter().flat_map(SearchPath::folders).map(Path::to_owned).collect();
        for side in [Side::Base, Side::Head] {
            let settings = Settings { tree: self.tree(side).cloned(), ..several.clone() };
            let files = settings.mounted(settings.permissions.files_below(&self.root));
            for name in settings.environments() {
                // A checkout may keep folders in which git has no file, and so may the tree under the base.
                if folders.iter().any(|folder| has_files(&files, &folder.join(&name), 0)) {
                    *found.entry(name).or_default().as_mut().side(side) = true;
                }
            }
        }
        found
    }

    /// Returns the environments that have data under their names on either side, with the files and folders. A side
    /// that cannot be opened has none: the comparison reports the error.
    pub fn named_by_data(&self) -> BTreeMap<String, BTreeSet<PathBuf>> {
        let mut found: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
        let mut add = |environment: &Environment| {
            for (name, paths) in environments_of_data(environment) {
                found.entry(name).or_default().extend(paths);
            }
        };
        if let Some(known) = &self.known
            && let Ok(open) = self.open_beside_first(&self.both_settings(self.settings.limits), known)
        {
            open.environments.as_ref().into_iter().for_each(add);
            return found;
        }
        for side in [Side::Base, Side::Head] {
            if let Ok(environment) = Environment::open(&self.settings(side, self.settings.limits)) {
                add(&environment);
            }
        }
        found
    }

    /// Returns the same sides for another environment of the repository.
    pub fn for_environment(&self, settings: Settings) -> Sides {
        Sides { settings, ..self.clone() }
    }

    /// Returns the settings of a side.
    pub fn settings(&self, side: Side, limits: Limits) -> Settings {
        Settings { limits, tree: self.tree(side).cloned(), ..self.settings.clone() }
    }

    /// Returns the settings of both sides.
    pub fn both_settings(&self, limits: Limits) -> Diff<Settings> {
        Diff { base: Side::Base, head: Side::Head }.map(|side| self.settings(side, limits))
    }

    /// The tree of a side; `None` for the working tree.
    fn tree(&self, side: Side) -> Option<&Mounted> {
        match side {
            Side::Base => Some(&self.base),
            Side::Head => self.head.as_ref(),
        }
    }

    /// Opens the environment on both sides. Common files are read once.
    ///
    /// # Errors
    /// A side cannot be opened.
    pub fn open(&self, limits: Limits) -> Result<OpenSides<'_>, OpenError> {
        let settings = self.both_settings(limits);
        if let Some(known) = &self.known {
            return self.open_beside_first(&settings, known);
        }
        let open_after = |settings: &Settings, other: &Result<Environment, Error>| match other {
            Ok(other) => Environment::open_beside(settings, other),
            // Its error is reported with that of the other side.
            Err(_) => Environment::open(settings),
        };
        let (base, head) = match self.patched {
            Side::Base => {
                let head = Environment::open(&settings.head);
                (open_after(&settings.base, &head), head)
            }
            Side::Head => {
                let base = Environment::open(&settings.base);
                let head = open_after(&settings.head, &base);
                (base, head)
            }
        };
        match (base, head) {
            (Ok(base), Ok(head)) => Ok(OpenSides { sides: self, environments: Diff { base, head } }),
            (base, Err(head)) => Err(OpenError { side: Side::Head, error: head, other: base.err() }),
            (Err(base), Ok(_)) => Err(OpenError { side: Side::Base, error: base, other: None }),
        }
    }

    /// Opens the environment on both sides beside the state of the head that was opened first: what has not changed since is not read
    /// again.
    fn open_beside_first(&self, settings: &Diff<Settings>, known: &EarlierSides) -> Result<OpenSides<'_>, OpenError> {
        let key = (settings.head.environment_name().to_owned(), settings.head.environment_dir.clone());
        let first = known.opened.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let head = match &first {
            Some(first) => Environment::open_beside(&settings.head, first),
            None => Environment::open(&settings.head),
        };
        let head = head.map_err(|error| OpenError { side: Side::Head, error, other: None })?;
        let first = first.unwrap_or_else(|| head.clone());
        let base = Environment::open_beside(&settings.base, &first);
        let base = base.map_err(|error| OpenError { side: Side::Base, error, other: None })?;
        // A later state has other files, which may change again.
        if self.touched.is_empty() {
            known.opened.lock().unwrap_or_else(PoisonError::into_inner).insert(key, first);
        }
        Ok(OpenSides { sides: self, environments: Diff { base, head } })
    }

    /// The files below the root, of base and head.
    pub(crate) fn files(&self) -> Diff<Files> {
        let settings = self.both_settings(self.settings.limits);
        settings.map(|settings| settings.mounted(settings.permissions.files_below(&self.root)))
    }

    /// Returns both sides as trees. The base is a patch of the head.
    pub fn trees(&self) -> &Trees {
        &self.trees
    }

    /// Returns the root of both sides.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the absolute paths of the changed files.
    pub fn changed(&self) -> BTreeSet<PathBuf> {
        self.changed.paths.iter().map(|path| self.root.join(path)).collect()
    }

    /// Returns the findings of `check` that are new in the head, whose sides are already open.
    pub fn new_findings(&self, opened: Diff<&Environment>, nodes: &Nodes, limits: Limits) -> Vec<Finding> {
        if self.changed.paths.is_empty() {
            return Vec::new();
        }
        self.compare_findings(opened, nodes, limits)
    }

    /// Reads what the comparisons after later changes need, if no file differs yet.
    pub fn prepare(&self, nodes: &Nodes, limits: Limits) {
        if self.known.is_none() || !self.changed.paths.is_empty() {
            return;
        }
        // An environment that cannot be opened was reported.
        if let Ok(open) = self.open(limits) {
            self.compare_findings(open.environments.as_ref(), nodes, limits);
        }
    }

    fn compare_findings(&self, opened: Diff<&Environment>, nodes: &Nodes, limits: Limits) -> Vec<Finding> {
        let changed: Vec<PathBuf> = self.changed().into_iter().collect();
        let facts: Vec<Facts> = if nodes.are_synthetic || nodes.subjects.len() > MOST_KNOWN {
            Vec::new()
        } else {
            nodes.subjects.iter().map(|subject| subject.head_facts().clone()).collect()
        };
        let Diff { base, head: of_head } = self.both_settings(limits);
        let unknown = KnownSides::default();
        let known = self.known.as_deref().map_or(&unknown, |known| &known.findings);
        new_findings([&base, &of_head], [opened.base, opened.head], &changed, &facts, known)
    }

    /// Returns the paths that could not be compared or were not read, as notes.
    pub fn notes(&self) -> Vec<String> {
        // A path below a refused folder is refused with it.
        let mut refused = self.settings.refused.paths();
        let folders = refused.clone();
        refused.retain(|path| !path.ancestors().skip(1).any(|folder| folders.contains(folder)));
        let (shown, more) = (refused.iter().take(MOST_REFUSED), refused.len().saturating_sub(MOST_REFUSED));
        let shown = shown.map(|path| {
            // A key has no level.
            let is_key = path.extension().is_some_and(|extension| extension == "pem");
            let other = if is_key { "" } else { ", or leave out its level with --without-level" };
            format!("{}, outside of the repository: allow it with --allow-outside{other}", self.shown(path))
        });
        let more = (more > 0).then(|| format!("{more} more paths outside of the repository"));
        self.changed.notes.iter().cloned().chain(shown).chain(more).collect()
    }

    /// A string with the files in it as seen from the root.
    pub(crate) fn without_root(&self, text: &str) -> String {
        text.replace(&format!("{}/", self.root.display()), "")
    }

    /// Returns the path of a file relative to the root.
    pub fn shown(&self, file: &Path) -> String {
        self.relative_to_root(file).to_slashes()
    }

    /// The path of a file from the root.
    pub(crate) fn relative_to_root<'f>(&self, file: &'f Path) -> &'f Path {
        file.strip_prefix(&self.root).unwrap_or(file)
    }

    /// Adds the name of the side to an error.
    pub fn on(&self, side: Side, error: Error) -> Error {
        let name = self.names.as_ref().side(side);
        let named = Error::new(ErrorKind::Fatal, error.code(), format!("{name}: {error}"));
        match error.help_text() {
            Some(help) => named.help(help),
            None => named,
        }
    }
}

/// An environment on both sides.
pub struct OpenSides<'s> {
    /// The sides.
    pub sides: &'s Sides,
    /// The environment on each side.
    pub environments: Diff<Environment>,
}

/// The error for a side that cannot be opened.
#[derive(Debug)]
pub struct OpenError {
    /// The side. It is the head if both cannot be opened.
    pub side: Side,
    /// The error.
    pub error: Error,
    /// The error of the base if both cannot be opened.
    pub other: Option<Error>,
}

/// The shortest part of a commit's name that people write.
const MIN_COMMIT_LENGTH: usize = 7;

/// Returns a revision by its name, with its commit if the name is another.
fn named(name: &str, commit: Commit) -> String {
    let is_commit = name.len() >= MIN_COMMIT_LENGTH && commit.to_string().starts_with(name);
    if is_commit { commit.short() } else { format!("{name} ({})", commit.short()) }
}

/// Returns whether a folder contains a file, at any depth.
fn has_files(files: &Files, folder: &Path, depth: usize) -> bool {
    let entries = match files.list(folder) {
        Ok(entries) => entries,
        // A folder that cannot be listed, or that a link leads out of, counts as not empty: opening the environment
        // reports the error.
        Err(error) => return !is_absence(&error),
    };
    let is_file = |entry: &DirEntry| entry.kind != FileKind::Folder && files.exists(&folder.join(&entry.name));
    entries.iter().any(is_file)
        || depth < DEEPEST
            && entries
                .iter()
                .filter(|entry| entry.kind == FileKind::Folder)
                .any(|entry| has_files(files, &folder.join(&entry.name), depth + 1))
}

/// Adds the names that differ between two folders.
fn differing(base: &Disk, head: &Disk, folder: &Path, depth: usize, changed: &mut Changed) {
    if depth > DEEPEST {
        changed.notes.push(format!("{} is nested too deeply and was skipped", folder.display()));
        return;
    }
    let mut names: BTreeMap<String, Diff<Option<FileKind>>> = BTreeMap::new();
    for (side, disk) in (Diff { base, head }).sides() {
        let entries = match disk.list(folder) {
            Ok(entries) => entries,
            // The other side has it, or it has gone meanwhile.
            Err(error) if is_absence(&error) => Vec::new(),
            Err(error) => {
                changed.notes.push(unreadable(disk, folder, &error));
                Vec::new()
            }
        };
        // A missing folder has no such names. A folder that cannot be listed was reported above.
        for name in disk.unnamed(folder).unwrap_or_default() {
            let note = format!("{} is not Unicode and was skipped", folder.join(name).display());
            if !changed.notes.contains(&note) {
                changed.notes.push(note);
            }
        }
        for DirEntry { name, kind } in entries {
            if name != ".git" {
                *names.entry(name).or_default().as_mut().side(side) = Some(kind);
            }
        }
    }
    for (name, kinds) in names {
        let path = folder.join(&name);
        if kinds.into_iter().flatten().any(|kind| kind == FileKind::Folder) {
            differing(base, head, &path, depth + 1, changed);
        }
        let mut notes = Vec::new();
        let mut content = |side: &Disk| match side.entry(&path) {
            Ok(TreeEntry::Stat(stat)) if stat.is_file() => Some(Ok(stat.len)),
            Ok(TreeEntry::Link(target)) => Some(Err(target)),
            Ok(TreeEntry::Stat(_)) => None,
            Err(error) if is_absence(&error) => None,
            Err(error) => {
                notes.push(unreadable(side, &path, &error));
                None
            }
        };
        let (old, new) = (content(base), content(head));
        let is_same = match (&old, &new) {
            (Some(Ok(_)), Some(Ok(_))) if old == new => match (base.read(&path), head.read(&path)) {
                (Ok(old), Ok(new)) => old == new,
                (old, new) => {
                    notes.extend(old.err().map(|error| unreadable(base, &path, &error)));
                    notes.extend(new.err().map(|error| unreadable(head, &path, &error)));
                    false
                }
            },
            _ => old == new,
        };
        changed.notes.extend(notes);
        if !is_same {
            changed.paths.insert(path);
        }
    }
}

fn unreadable(side: &Disk, path: &Path, error: &std::io::Error) -> String {
    format!("{} cannot be read and was skipped: {error}", side.root().join(path).display())
}
