//! [`Options`]: what is checked, and what is known of the nodes.

use std::path::PathBuf;
use std::sync::Arc;

use hieratic::{Classification, Compiler, Database, DatabaseAnswers, Exported, Facts, Limits, Settings, Strict};
use hieratic_hash::HashMap;

use crate::job_values::JobValues;
use crate::rules::{self, Rule};

/// What is checked, and what is known of the nodes.
#[derive(Clone, Debug)]
pub struct Options {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// What becomes of questionable code.
    pub strict: Strict,
    /// Whether manifests may hold plans.
    pub tasks: bool,
    /// The main manifest, or the folder of them, which may define anything.
    pub manifest: Option<PathBuf>,
    /// Where configuration, environments and modules lie, as far as that is not found around the paths, and what they may do.
    pub settings: Settings,
    /// The nodes that are known.
    pub nodes: Vec<Facts>,
    /// Whether these are all nodes there are: files that none of them reads are findings then.
    pub all_nodes: bool,
    /// What compiling the catalog of a node may cost; none if catalogs are not compiled.
    pub catalogs: Option<Limits>,
    /// What others say of the nodes whose catalogs are compiled.
    pub inputs: CatalogInputs,
    /// Whether data that can go, and what else makes data hard to keep, is a finding.
    pub hygiene: bool,
    /// Whether keys that nobody looks up are findings.
    pub unused: bool,
    /// Whether files are checked that `.gitignore` names.
    pub no_ignore: bool,
    /// What gives the variables of jobs their values.
    pub job_values: JobValues,
    /// The names of levels that may have any key, although no file of theirs is here.
    pub private_levels: Vec<String>,
    /// What is left out: patterns of files as `.gitignore` has them, each with the folder that it starts from.
    pub exclude: Vec<(PathBuf, String)>,
    /// The folder from which fingerprints name files, so that they are the same wherever the check is run; none for the current folder.
    pub root: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        let settings = Settings::default();
        Options {
            paths: Vec::new(),
            strict: settings.puppet_version.strict(),
            tasks: false,
            manifest: None,
            settings,
            nodes: Vec::new(),
            all_nodes: false,
            catalogs: None,
            inputs: CatalogInputs::default(),
            hygiene: false,
            unused: false,
            no_ignore: false,
            job_values: JobValues::default(),
            private_levels: Vec::new(),
            exclude: Vec::new(),
            root: None,
        }
    }
}

impl Options {
    /// Whether the findings of a rule are asked for, and what it needs to find something is given.
    pub fn runs(&self, rule: &Rule) -> bool {
        let is = |other: &Rule| rule.id() == other.id();
        if is(&rules::UNUSED_KEY) {
            return self.unused || self.hygiene;
        }
        if is(&rules::UNREACHED_FILE) {
            return self.all_nodes;
        }
        if is(&rules::CATALOG) || is(&rules::DEPENDENCY_CYCLE) {
            return self.catalogs.is_some();
        }
        self.hygiene || !rules::HYGIENE.iter().any(|of_hygiene| is(of_hygiene))
    }

    /// Everything about some files and folders that can be known without nodes.
    pub fn of<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Options {
        let mut options = Options { paths: paths.into_iter().map(Into::into).collect(), ..Options::default() };
        options.settings.permissions.confined = true;
        options
    }
}

/// What catalogs are compiled with besides facts and code: what classifiers, other nodes and PuppetDB say.
#[derive(Clone, Debug, Default)]
pub struct CatalogInputs {
    /// What the classifier says of nodes, by their names.
    pub classifications: HashMap<String, Classification>,
    /// What it says of all others.
    pub of_others: Classification,
    /// The resources that other nodes export.
    pub exported: Option<Exported>,
    /// Recorded answers for `puppetdb_query`.
    pub answers: Option<DatabaseAnswers>,
    /// What knows both where neither is given.
    pub database: Option<Arc<dyn Database>>,
}

impl CatalogInputs {
    /// What the classifier says of a node.
    pub fn classification(&self, node: &str) -> &Classification {
        self.classifications.get(node).unwrap_or(&self.of_others)
    }

    /// A compiler that knows what other nodes and PuppetDB say.
    pub fn given_to<'e>(&self, mut compiler: Compiler<'e>) -> Compiler<'e> {
        if let Some(exported) = &self.exported {
            compiler = compiler.with_exported(exported.clone());
        }
        if let Some(answers) = &self.answers {
            compiler = compiler.with_answers(answers.clone());
        }
        if let Some(database) = &self.database {
            compiler = compiler.with_database(database.clone());
        }
        compiler
    }
}
