//! [`SharedCode`]: the code files that are read once for many nodes, and the cached results of functions on files.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use hieratic_puppet_eval::read::CodeFile;
use hieratic_puppet_eval::{Options, RubyFiles, RubyMemo};
use hieratic_puppet_syntax::ast::Node;
use hieratic_puppet_syntax::visit::each_expression;
use hieratic_sandbox::{Files, Stat};
use hieratic_value::collections::{HashMap, HashSet};
use hieratic_value::{Str, Value};

/// The maximum size of file contents that are cached with their results, in bytes.
const MAX_SIZE: usize = 16 << 20;

/// Files of code that are read once for many nodes of one run: later changes are not seen. Other files are read for
/// each node; the result that a function computed from one is reused while the content is the same.
#[derive(Debug, Default)]
pub(crate) struct SharedCode {
    files: RwLock<HashMap<PathBuf, ReadFile>>,
    results: RwLock<FileResults>,
    ruby: OnceLock<FoundRuby>,
    /// Whether the state of files and folders is recorded, so that [`renewed`](Self::renewed) can compare it.
    watches: bool,
    literals: RwLock<Literals>,
    /// The cached answers of functions in Ruby.
    pub(crate) answers: Arc<RubyMemo>,
}

/// A file that was read, or that does not exist.
#[derive(Clone, Debug)]
struct ReadFile {
    code: Option<Arc<CodeFile>>,
    observed: Option<Observed>,
}

/// The Ruby files of modules, and the folders that were searched for them.
#[derive(Debug)]
struct FoundRuby {
    files: Arc<RubyFiles>,
    folders: Vec<(PathBuf, Observed)>,
}

/// The state of a path, and when it was observed.
#[derive(Clone, Debug)]
struct Observed {
    stat: Option<Stat>,
    at: SystemTime,
}

/// The clocks of file systems tick slowly: two changes within one tick leave the same time.
const TICK: Duration = Duration::from_millis(20);

impl Observed {
    /// Observes a path. Call it before reading the path.
    fn new(path: &Path, files: &Files) -> Observed {
        Observed { at: SystemTime::now(), stat: files.stat(path) }
    }

    /// Returns whether the path is unchanged since then.
    fn is_current(&self, path: &Path, files: &Files) -> bool {
        let is_settled = self.stat.as_ref().and_then(|stat| stat.changed).is_none_or(|changed| {
            // A change in the future counts as long ago: the clock was set.
            self.at.duration_since(changed).map_or(true, |age| age >= TICK)
        });
        is_settled && files.stat(path) == self.stat
    }
}

fn address(text: &Str) -> usize {
    Arc::as_ptr(text).cast::<u8>() as usize
}

/// The results that functions computed from files.
#[derive(Debug, Default)]
struct FileResults {
    /// The values by function and file, with the file's content.
    values: HashMap<(&'static str, PathBuf), (String, Value)>,
    /// The total length of the contents.
    size: usize,
}

/// The literal strings in the code of files, by address: no other string has that address while the files are alive.
#[derive(Debug, Default)]
struct Literals {
    addresses: Arc<HashSet<usize>>,
    /// Of how many files.
    files: usize,
}

impl SharedCode {
    /// Returns the strings that are literals in the code. Files are never dropped, so their addresses are not reused.
    pub(crate) fn literals_among(&self, texts: Vec<Str>) -> Vec<Str> {
        let addresses = self.literals();
        texts.into_iter().filter(|text| addresses.contains(&address(text))).collect()
    }

    fn literals(&self) -> Arc<HashSet<usize>> {
        let files = self.files.read().unwrap_or_else(PoisonError::into_inner);
        let known = self.literals.read().unwrap_or_else(PoisonError::into_inner);
        if known.files == files.len() {
            return known.addresses.clone();
        }
        drop(known);
        let mut addresses = HashSet::default();
        for file in files.values().filter_map(|file| file.code.as_ref()) {
            // Code that was refused is not evaluated.
            let Ok(program) = file.program() else { continue };
            each_expression(&program.body, &mut |expr| {
                if let Node::Literal(Value::String(text)) | Node::Name(text) = &expr.node {
                    addresses.insert(address(text));
                }
            });
        }
        let addresses = Arc::new(addresses);
        *self.literals.write().unwrap_or_else(PoisonError::into_inner) =
            Literals { addresses: addresses.clone(), files: files.len() };
        addresses
    }

    /// Creates a cache for nodes whose functions share answers with others.
    pub(crate) fn with_answers(answers: Arc<RubyMemo>) -> SharedCode {
        SharedCode { answers, ..SharedCode::default() }
    }

    /// Creates a cache for nodes of a long run, between which files may change.
    pub(crate) fn watching() -> SharedCode {
        SharedCode { watches: true, ..SharedCode::default() }
    }

    /// Compares all files with their state when they were read. Returns a new cache with the files that are unchanged,
    /// or `None` if all are.
    pub(crate) fn renewed(&self, files: &Files) -> Option<SharedCode> {
        let read = self.files.read().unwrap_or_else(PoisonError::into_inner);
        let is_current = |path: &PathBuf, file: &ReadFile| {
            file.observed.as_ref().is_some_and(|observed| observed.is_current(path, files))
        };
        let found = self.ruby.get();
        let are_folders_current =
            found.is_none_or(|found| found.folders.iter().all(|(path, observed)| observed.is_current(path, files)));
        let changed: HashSet<&PathBuf> =
            read.iter().filter(|(path, file)| !is_current(path, file)).map(|(path, _)| path).collect();
        if changed.is_empty() && are_folders_current {
            return None;
        }
        let kept = read.iter().filter(|(path, _)| !changed.contains(path));
        let kept = kept.map(|(path, file)| (path.clone(), file.clone())).collect();
        Some(SharedCode { files: RwLock::new(kept), ..SharedCode::watching() })
    }

    /// Returns a file, which is read on first use. `None` if it does not exist.
    pub(crate) fn file(&self, path: &Path, options: &Options) -> Option<Arc<CodeFile>> {
        // A thread that panicked has left the table as good as it was: entries are put in whole.
        let known = self.files.read().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        if let Some(known) = known {
            return known.code;
        }
        let observed = self.watches.then(|| Observed::new(path, &options.files));
        let file = ReadFile { code: crate::reading::code_file(path, options), observed };
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        files.entry(path.to_owned()).or_insert(file).code.clone()
    }

    /// Returns the Ruby files of the modules, which are searched on first use.
    pub(crate) fn ruby_files(&self, files: &Files, find: &dyn Fn() -> Arc<RubyFiles>) -> Arc<RubyFiles> {
        let found = self.ruby.get_or_init(|| {
            let found = find();
            let searched = if self.watches { found.searched() } else { &[] };
            let folders = searched.iter().map(|path| (path.clone(), Observed::new(path, files))).collect();
            FoundRuby { files: found, folders }
        });
        found.files.clone()
    }

    /// Returns the cached result of a function for the content of a file.
    pub(crate) fn cached_result(&self, reader: &'static str, path: &Path, text: &str) -> Option<Value> {
        let result = self.results.read().unwrap_or_else(PoisonError::into_inner);
        let (known, value) = result.values.get(&(reader, path.to_owned()))?;
        (known == text).then(|| value.clone())
    }

    /// Caches the result of a function for the content of a file.
    pub(crate) fn cache_result(&self, reader: &'static str, path: &Path, text: String, value: &Value) {
        let mut result = self.results.write().unwrap_or_else(PoisonError::into_inner);
        let size = text.len();
        let before = result.values.insert((reader, path.to_owned()), (text, value.clone()));
        result.size = result.size + size - before.map_or(0, |(text, _)| text.len());
        if result.size > MAX_SIZE {
            *result = FileResults::default();
        }
    }
}
