//! [`Options`]: what is checked, and what is known of the nodes.

use std::path::PathBuf;

use hieratic::{Facts, Limits, Settings, Strict};

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
    /// Whether data that can go, and what else makes data hard to keep, is a finding.
    pub hygiene: bool,
    /// Whether keys that nobody looks up are findings.
    pub unused: bool,
    /// Whether files are checked that `.gitignore` names.
    pub no_ignore: bool,
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
            hygiene: false,
            unused: false,
            no_ignore: false,
            private_levels: Vec::new(),
            exclude: Vec::new(),
            root: None,
        }
    }
}

impl Options {
    /// Everything about some files and folders that can be known without nodes.
    pub fn of<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Options {
        let mut options = Options { paths: paths.into_iter().map(Into::into).collect(), ..Options::default() };
        options.settings.permissions.confined = true;
        options
    }
}
