//! [`Compiler`]: the catalogs of nodes.

mod answers;
mod classification;
mod compilation;
mod difference;
mod exported;
mod origins;
mod others;
mod programs;
mod redaction;
mod refreshes;
mod relationships;
mod service;
mod shared_catalogs;
mod shared_code;

use std::sync::Arc;

use hieratic_budget::{Budget, Limits};
use hieratic_diagnostics::Source;
use hieratic_puppet_eval::{Options, RubyMemo};
use hieratic_value::{Str, Value};

pub use hieratic_puppet_eval::{
    CompiledResource as CatalogResource, Origin as ParameterOrigin, OriginKind as ParameterOriginKind,
    Parameter as CatalogParameter,
};

pub use answers::DatabaseAnswers;
pub use classification::{Classification, ClassifiedClass};
pub use compilation::{Compilation, TrackedCompilation, Tracking};
pub use difference::{
    CatalogDifference, CatalogEdge, ParameterChange, ResourceChange, difference as catalog_difference,
};
pub use exported::Exported;
pub use origins::origin_text;
pub use others::Database;
pub(crate) use others::OtherNodes;
pub use programs::ProgramOutputs;
pub(crate) use programs::Programs;
pub use redaction::redact_catalog;
pub use refreshes::Refreshes;
pub use relationships::{Cycle, cycle_message, cycles};
pub use service::{
    CatalogAnswer, CatalogError, CatalogRequest, CatalogService, InvalidRequest, RequestLimits, RequestedEnvironment,
};
pub(crate) use shared_catalogs::SharedCatalogs;
pub use shared_catalogs::{GroupMemo, SharedCompilation};
pub(crate) use shared_code::SharedCode;

use crate::code::Code;
use crate::environment::Environment;
use crate::facts::Facts;
use crate::redaction::TaintTracker;
use others::DatabaseCache;

/// Collects all strings of a value, keys included.
fn collect_strings(value: &Value, texts: &mut Vec<Str>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(elements) => elements.iter().for_each(|element| collect_strings(element, texts)),
        Value::Hash(hash) => hash.iter().for_each(|(key, value)| {
            collect_strings(key, texts);
            collect_strings(value, texts);
        }),
        _ => {}
    }
}

/// The default limits of a catalog. They are higher than those of one answer.
pub const CATALOG_LIMITS: Limits = {
    let one = Limits::DEFAULT;
    Limits { steps: 20 * one.steps, bytes: 8 * one.bytes, ..one }
};

/// Compiles the catalogs of nodes. One compiler serves many nodes, from many threads: each file of code is read once.
///
/// ```
/// use hieratic::catalog::Classification;
/// use hieratic::{Compiler, Environment, Facts, Settings};
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
    followed: TaintTracker,
    others: OtherNodes,
    programs: Option<Arc<ProgramOutputs>>,
    catalogs: SharedCatalogs,
}

impl<'e> Compiler<'e> {
    /// Creates a compiler for the nodes of an environment.
    pub fn new(environment: &'e Environment, options: Options) -> Compiler<'e> {
        let followed = TaintTracker::new(environment.secrets());
        Compiler {
            environment,
            options,
            code: Arc::default(),
            followed,
            others: OtherNodes::default(),
            programs: None,
            catalogs: SharedCatalogs::default(),
        }
    }

    /// Creates a compiler for untrusted code: it has the permissions of the environment, and each catalog has these
    /// limits.
    pub fn limited(environment: &'e Environment, limits: Limits) -> Compiler<'e> {
        let files = environment.capabilities().code.clone();
        Compiler::new(environment, Options { files, budget: Budget::new(limits), ..environment.language() })
    }

    /// Sets the exported resources that collectors find.
    #[must_use]
    pub fn with_exported(mut self, exported: Exported) -> Compiler<'e> {
        self.others.exported = Some(Arc::new(exported));
        self
    }

    /// Sets the answers to `puppetdb_query`.
    #[must_use]
    pub fn with_answers(mut self, answers: DatabaseAnswers) -> Compiler<'e> {
        self.others.answers = Some(Arc::new(answers));
        self
    }

    /// Sets the database for exported resources and `puppetdb_query`, unless these are set separately.
    #[must_use]
    pub fn with_database(mut self, database: Arc<dyn Database>) -> Compiler<'e> {
        self.others.database = Some(Arc::new(DatabaseCache::new(database)));
        self
    }

    /// Shares the output of programs with other compilers: each program that code names runs once.
    #[must_use]
    pub fn sharing_programs(mut self, outputs: Arc<ProgramOutputs>) -> Compiler<'e> {
        self.programs = Some(outputs);
        self
    }

    /// Shares the memo table of costly Ruby functions with other compilers.
    #[must_use]
    pub fn sharing_answers(mut self, answers: Arc<RubyMemo>) -> Compiler<'e> {
        self.code = Arc::new(SharedCode::with_answers(answers));
        self
    }

    /// Compiles the catalog of a node.
    pub fn compile(&self, facts: Facts, classification: &Classification) -> Compilation {
        let code = self.code_for(facts, classification, self.options.renewed());
        let compilation = code.compile(&self.environment.manifests(), &classification.classes);
        self.mark_literals(&compilation);
        compilation
    }

    /// Compiles the catalog of a node, or returns that of an earlier node of this compiler whose compilation has read the
    /// same. It differs in nothing but its name. A node sees files as they were for the first one of its group.
    ///
    /// A compilation that has read the clock, the output of a program, exported resources, all variables at once, or data
    /// with secrets is not shared.
    pub fn compile_shared(&self, facts: Facts, classification: &Classification) -> SharedCompilation {
        let code = self.code_for(facts, classification, self.options.renewed());
        let tracked = code.compile_shared(&self.environment.manifests(), &classification.classes, &self.catalogs, None);
        self.mark_literals(&tracked.shared.compilation);
        tracked.shared
    }

    /// Compiles the catalog of a node from `manifest` instead of the manifests of the environment.
    pub fn compile_code(&self, facts: Facts, classification: &Classification, manifest: &Source) -> Compilation {
        let code = self.code_for(facts, classification, self.options.renewed());
        let compilation = code.compile_source(manifest, &classification.classes);
        self.mark_literals(&compilation);
        compilation
    }

    /// Like [`compile_shared`](Self::compile_shared), with code that is read through other files. The result includes
    /// whether the compilation may have read a file that has other content in another revision. All nodes of a compiler are
    /// compiled in this way, or none.
    pub fn compile_tracked(
        &self,
        facts: Facts,
        classification: &Classification,
        tracking: &Tracking<'_>,
    ) -> TrackedCompilation {
        let code = self.code_for(facts, classification, self.options.renewed()).reading(tracking.files.clone());
        let (manifests, classes) = (self.environment.manifests(), &classification.classes);
        let tracked = code.compile_shared(&manifests, classes, &self.catalogs, Some(tracking));
        self.mark_literals(&tracked.shared.compilation);
        tracked
    }

    /// Marks the strings of a catalog that are literals in the code, so that they are not redacted where they equal a
    /// secret.
    fn mark_literals(&self, compilation: &Compilation) {
        let secrets = self.environment.secrets();
        let (false, Ok(catalog)) = (secrets.is_empty(), &compilation.catalog) else { return };
        let mut texts = Vec::new();
        for resource in &catalog.resources {
            texts.push(resource.written_title.clone());
            resource.parameters.iter().for_each(|parameter| collect_strings(&parameter.value, &mut texts));
        }
        secrets.open(self.code.literals_among(texts));
    }

    /// Returns the code for a node, which shares parsed files with other nodes.
    fn code_for<'c>(&'c self, mut facts: Facts, classification: &Classification, options: Options) -> Code<'c>
    where
        'e: 'c,
    {
        for (name, value) in &classification.parameters {
            facts.set_variable(&name.to_text(), value.clone());
        }
        // Each node has its own budget.
        Code::new(Some(self.environment), facts, options).sharing(
            self.code.clone(),
            self.followed.for_another_run(),
            self.others.clone(),
            self.programs.clone(),
        )
    }

    /// Returns the environment.
    pub fn environment(&self) -> &'e Environment {
        self.environment
    }
}
