//! [`Options`]: the files to check, and the known nodes.

use std::path::PathBuf;
use std::sync::Arc;

use hieratic::catalog::{Classification, Database, DatabaseAnswers, Exported};
use hieratic::value::collections::HashMap;
use hieratic::{Compiler, Facts, Limits, Settings, Strict};

use crate::job_values::JobValues;
use crate::rules::{self, Rule};
use crate::style_options::StyleOptions;

/// The files to check, and the known nodes.
#[derive(Clone, Debug)]
pub struct Options {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// The severity of questionable code.
    pub strict: Strict,
    /// Whether manifests may contain plans.
    pub tasks: bool,
    /// The main manifest, or the folder of main manifests.
    pub manifest: Option<PathBuf>,
    /// The folders of configuration, environments and modules, unless they are found around the paths, and the
    /// permissions.
    pub settings: Settings,
    /// The known nodes.
    pub nodes: Vec<Facts>,
    /// Whether these are all nodes, so that files that no node reads are findings.
    pub all_nodes: bool,
    /// The limits of compiling the catalog of a node. `None` if catalogs are not compiled.
    pub catalogs: Option<Limits>,
    /// The external data that catalogs are compiled with.
    pub inputs: CatalogInputs,
    /// Whether removable data, and other obstacles to maintaining data, are findings.
    pub hygiene: bool,
    /// The rules of puppet-lint to check. `None` if style is not checked.
    pub style: Option<StyleOptions>,
    /// Whether the check prepares an upgrade to the version of the settings, and reports code that it breaks.
    pub upgrade: bool,
    /// Whether keys without a lookup are findings.
    pub unused: bool,
    /// Whether files are checked that `.gitignore` excludes.
    pub no_ignore: bool,
    /// The sources of the values of job variables.
    pub job_values: JobValues,
    /// The names of levels whose files are not here. They may define any key.
    pub private_levels: Vec<String>,
    /// The patterns of excluded files, in the syntax of `.gitignore`, each with the folder that it is relative to.
    pub exclude: Vec<(PathBuf, String)>,
    /// The folder to which the paths in fingerprints are relative, so that fingerprints do not depend on the current
    /// folder. `None` means the current folder.
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
            style: None,
            upgrade: false,
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
    /// Returns whether a rule is enabled and has its inputs.
    pub fn runs(&self, rule: &Rule) -> bool {
        let is = |other: &Rule| rule.id() == other.id();
        if is(&rules::UNUSED_KEY) {
            return self.unused || self.hygiene;
        }
        let of_upgrade =
            [&rules::REMOVED_FUNCTION, &rules::REGSUBST_ENCODING, &rules::STRING_ARITHMETIC, &rules::REMOVED_RUBY];
        if of_upgrade.into_iter().any(is) {
            return self.upgrade;
        }
        if is(&rules::STYLE) {
            return self.style.is_some();
        }
        if is(&rules::UNREACHED_FILE) {
            return self.all_nodes;
        }
        if is(&rules::CATALOG) || is(&rules::DEPENDENCY_CYCLE) {
            return self.catalogs.is_some();
        }
        self.hygiene || !rule.is_hygiene()
    }

    /// Creates the default options for some files and folders, without nodes.
    pub fn for_paths<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Options {
        let mut options = Options { paths: paths.into_iter().map(Into::into).collect(), ..Options::default() };
        options.settings.permissions.confined = true;
        options
    }
}

/// The data that catalogs are compiled with in addition to facts and code: from classifiers, other nodes and PuppetDB.
#[derive(Clone, Debug, Default)]
pub struct CatalogInputs {
    /// The classification of nodes, by name.
    pub classifications: HashMap<String, Classification>,
    /// The classification of all other nodes.
    pub of_others: Classification,
    /// The resources that other nodes export.
    pub exported: Option<Exported>,
    /// Recorded answers for `puppetdb_query`.
    pub answers: Option<DatabaseAnswers>,
    /// The source of exported resources and answers that are not set.
    pub database: Option<Arc<dyn Database>>,
}

impl CatalogInputs {
    /// Returns the classification of a node.
    pub fn classification(&self, node: &str) -> &Classification {
        self.classifications.get(node).unwrap_or(&self.of_others)
    }

    /// Configures a compiler with the data of other nodes and of PuppetDB.
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
