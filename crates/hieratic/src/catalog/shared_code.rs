//! [`SharedCode`]: files of code that are read once for many nodes, and cached results of functions on other files.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use hieratic_puppet_eval::read::CodeFile;
use hieratic_puppet_eval::{Options, RubyFiles, RubyMemo};
use hieratic_puppet_syntax::ast::Node;
use hieratic_puppet_syntax::visit::each_expression;
use hieratic_value::collections::{HashMap, HashSet};
use hieratic_value::{Str, Value};

/// The maximum size of file contents that are cached with their results, in bytes.
const MAX_SIZE: usize = 16 << 20;

/// Files of code that are read once for many nodes of one run: later changes are not seen. Other files are read for
/// each node; the result that a function computed from one is reused while the content is the same.
#[derive(Debug, Default)]
pub(crate) struct SharedCode {
    files: RwLock<HashMap<PathBuf, Option<Arc<CodeFile>>>>,
    made: RwLock<FileResults>,
    ruby: OnceLock<Arc<RubyFiles>>,
    literals: RwLock<Literals>,
    /// The cached answers of functions in Ruby.
    pub(crate) answers: Arc<RubyMemo>,
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
        for file in files.values().flatten() {
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

    /// Returns a file, which is read on first use. `None` if it does not exist.
    pub(crate) fn file(&self, path: &Path, options: &Options) -> Option<Arc<CodeFile>> {
        // A thread that panicked has left the table as good as it was: entries are put in whole.
        let known = self.files.read().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        if let Some(known) = known {
            return known;
        }
        let file = crate::reading::code_file(path, options);
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        files.entry(path.to_owned()).or_insert(file).clone()
    }

    /// Returns the Ruby files of the modules, which are searched on first use.
    pub(crate) fn ruby_files(&self, find: &dyn Fn() -> Arc<RubyFiles>) -> Arc<RubyFiles> {
        self.ruby.get_or_init(find).clone()
    }

    /// Returns the cached result of a function for the content of a file.
    pub(crate) fn cached_result(&self, reader: &'static str, path: &Path, text: &str) -> Option<Value> {
        let made = self.made.read().unwrap_or_else(PoisonError::into_inner);
        let (known, value) = made.values.get(&(reader, path.to_owned()))?;
        (known == text).then(|| value.clone())
    }

    /// Caches the result of a function for the content of a file.
    pub(crate) fn cache_result(&self, reader: &'static str, path: &Path, text: String, value: &Value) {
        let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
        let size = text.len();
        let before = made.values.insert((reader, path.to_owned()), (text, value.clone()));
        made.size = made.size + size - before.map_or(0, |(text, _)| text.len());
        if made.size > MAX_SIZE {
            *made = FileResults::default();
        }
    }
}
