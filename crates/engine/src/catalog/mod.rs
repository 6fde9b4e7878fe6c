//! [`Compiler`]: the catalogs of nodes.

mod answers;
mod classification;
mod difference;
mod exported;
mod origins;
mod refreshes;
mod relationships;
mod shared_code;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_powers::{Budget, Files, Kind, Limits};
use hieratic_puppet::{CompiledCatalog, Failure, Log, Options};
use hieratic_value::{Str, Value};

pub use answers::DatabaseAnswers;
pub use classification::Classification;
pub use difference::{CatalogDifference, ParameterChange, ResourceChange, difference};
pub use exported::Exported;
pub use origins::origin_text;
pub use refreshes::Refreshes;
pub use relationships::{Cycle, cycle_message, cycles};
pub(crate) use shared_code::SharedCode;

use crate::code::Code;
use crate::environment::Environment;
use crate::facts::Facts;

/// What a catalog may cost: it is many answers, of data and of code.
pub const CATALOG_LIMITS: Limits = {
    let one = Limits::DEFAULT;
    Limits { steps: 20 * one.steps, bytes: 8 * one.bytes, ..one }
};

/// How deep folders of manifests may be nested.
const DEEPEST: usize = 64;

/// Makes the catalogs of nodes. One compiler serves many nodes, from many threads: each file of code is read once.
///
/// ```
/// use hieratic::{Classification, Compiler, Environment, Facts, Settings};
///
/// let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/catalog");
/// let environment = Environment::open(&Settings::discover(root.as_ref()))?;
/// let compiler = Compiler::new(&environment, environment.language());
/// let compiled = compiler.compile(Facts::named("web01.example.com"), &Classification::default());
/// let catalog = compiled.catalog.unwrap();
/// assert!(catalog.resources.iter().any(|resource| resource.reference() == "Class[Profile::Web]"));
/// # Ok::<(), hieratic::Error>(())
/// ```
#[derive(Debug)]
pub struct Compiler<'e> {
    environment: &'e Environment,
    options: Options,
    code: Arc<SharedCode>,
    exported: Option<Arc<Exported>>,
    answers: Option<Arc<DatabaseAnswers>>,
}

/// What came of compiling a catalog.
#[derive(Debug)]
pub struct Compilation {
    /// The catalog, or why there is none.
    pub catalog: Result<CompiledCatalog, Failure>,
    /// Everything that was said, in order.
    pub logs: Vec<Log>,
    /// The variables of the top scope: facts, and what manifests and classifiers set.
    pub variables: Vec<(Str, Value)>,
}

impl<'e> Compiler<'e> {
    /// A compiler for the nodes of an environment.
    pub fn new(environment: &'e Environment, options: Options) -> Compiler<'e> {
        Compiler { environment, options, code: Arc::default(), exported: None, answers: None }
    }

    /// A compiler for code that nobody trusts: it reads what the environment may read, and each catalog may cost so much.
    pub fn limited(environment: &'e Environment, limits: Limits) -> Compiler<'e> {
        let files = environment.powers().code.clone();
        Compiler::new(environment, Options { files, budget: Budget::new(limits), ..environment.language() })
    }

    /// Collects the resources that nodes export.
    #[must_use]
    pub fn with_exported(mut self, exported: Exported) -> Compiler<'e> {
        self.exported = Some(Arc::new(exported));
        self
    }

    /// Answers `puppetdb_query`.
    #[must_use]
    pub fn with_answers(mut self, answers: DatabaseAnswers) -> Compiler<'e> {
        self.answers = Some(Arc::new(answers));
        self
    }

    /// Compiles the catalog of a node.
    pub fn compile(&self, facts: Facts, classification: &Classification) -> Compilation {
        let code = self.code_of(facts, classification, self.options.renewed());
        code.compile(&self.environment.manifests(), &classification.classes)
    }

    /// Compiles the catalog of a node with code that is read by `files`, which can note what they are asked for. Tells as well whether a
    /// lookup can have read a file of data that `is_other`.
    pub fn compile_noting(
        &self,
        facts: Facts,
        classification: &Classification,
        files: Files,
        is_other: &dyn Fn(&Path) -> bool,
    ) -> (Compilation, bool) {
        let code = self.code_of(facts, classification, self.options.renewed()).noting(files, is_other);
        let compilation = code.compile(&self.environment.manifests(), &classification.classes);
        let has_read_other = code.may_have_read_other();
        (compilation, has_read_other)
    }

    /// The code for a node, which shares with others what was read.
    fn code_of<'c>(&'c self, mut facts: Facts, classification: &Classification, options: Options) -> Code<'c>
    where
        'e: 'c,
    {
        for (name, value) in &classification.parameters {
            facts.set_variable_value(&name.to_text().into(), value.clone());
        }
        // Each node has a budget of its own.
        Code::new(Some(self.environment), facts, options).sharing(
            self.code.clone(),
            self.exported.clone(),
            self.answers.clone(),
        )
    }

    /// The environment.
    pub fn environment(&self) -> &'e Environment {
        self.environment
    }
}

/// The manifests in a file or folder, in the order in which the reference reads them.
pub(crate) fn manifests_in(path: &Path, files: &Files) -> Vec<PathBuf> {
    if !files.is_folder(path) {
        return if files.is_file(path) { vec![path.to_owned()] } else { Vec::new() };
    }
    let mut found = Vec::new();
    let mut folders = vec![(path.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in files.list(&folder).unwrap_or_default() {
            let path = folder.join(&entry.name);
            // Like the reference's pattern, which follows no links to folders and sees nothing hidden.
            if entry.name.starts_with('.') {
                continue;
            }
            if entry.kind == Kind::Folder && depth < DEEPEST {
                folders.push((path, depth + 1));
            } else if entry.name.ends_with(".pp") && entry.kind != Kind::Folder {
                found.push(path);
            }
        }
    }
    // Ruby sorts the texts, not the parts of paths.
    found.sort_by(|one, other| one.as_os_str().cmp(other.as_os_str()));
    found
}
