//! [`SharedCode`]: files of code that are read once for many nodes, and what functions make of other files.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use hieratic_hash::{HashMap, HashSet};
use hieratic_puppet::read::CodeFile;
use hieratic_puppet::{Options, RubyAnswers, RubyFiles};
use hieratic_syntax::ast::Node;
use hieratic_syntax::visit::each_expression;
use hieratic_value::{Str, Value};

/// How many bytes of files are kept with what was made of them.
const MOST: usize = 16 << 20;

/// Files of code that are read once for many nodes of one run: what changes meanwhile is not seen. Other files are read for each node, and
/// what a function made of their text is known as long as that is the same.
#[derive(Debug, Default)]
pub(crate) struct SharedCode {
    files: RwLock<HashMap<PathBuf, Option<Arc<CodeFile>>>>,
    made: RwLock<Made>,
    ruby: OnceLock<Arc<RubyFiles>>,
    literals: RwLock<Literals>,
    /// What functions in Ruby have answered.
    pub(crate) answers: Arc<RubyAnswers>,
}

fn address(text: &Str) -> usize {
    Arc::as_ptr(text).cast::<u8>() as usize
}

/// What functions made of files.
#[derive(Debug, Default)]
struct Made {
    /// By the function and the file, with the text.
    values: HashMap<(&'static str, PathBuf), (String, Value)>,
    /// How long all texts are.
    size: usize,
}

/// Texts that stand in the code of files as they are, by their addresses: no other text is there as long as the files are.
#[derive(Debug, Default)]
struct Literals {
    addresses: Arc<HashSet<usize>>,
    /// Of how many files.
    files: usize,
}

impl SharedCode {
    /// Those of texts that stand in the code as they are. Files are never forgotten, so that no other text comes to be where one of them is.
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

    /// What is read for nodes whose functions share answers with others.
    pub(crate) fn with_answers(answers: Arc<RubyAnswers>) -> SharedCode {
        SharedCode { answers, ..SharedCode::default() }
    }

    /// A file, which is read if nobody has asked for it; none if it is not there.
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

    /// The files of Ruby in modules, which are looked for if nobody has.
    pub(crate) fn ruby_files(&self, find: &dyn Fn() -> Arc<RubyFiles>) -> Arc<RubyFiles> {
        self.ruby.get_or_init(find).clone()
    }

    /// What a function has made of the text of a file.
    pub(crate) fn made(&self, reader: &'static str, path: &Path, text: &str) -> Option<Value> {
        let made = self.made.read().unwrap_or_else(PoisonError::into_inner);
        let (known, value) = made.values.get(&(reader, path.to_owned()))?;
        (known == text).then(|| value.clone())
    }

    /// Keeps what a function has made of the text of a file.
    pub(crate) fn keep_made(&self, reader: &'static str, path: &Path, text: String, value: &Value) {
        let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
        let size = text.len();
        let before = made.values.insert((reader, path.to_owned()), (text, value.clone()));
        made.size = made.size + size - before.map_or(0, |(text, _)| text.len());
        if made.size > MOST {
            *made = Made::default();
        }
    }
}
