//! [`ChangeScope`] decides which nodes a change can affect, without reading any data.
//!
//! Most commits touch no data: they change manifests, documentation, or files outside the hierarchy. And most nodes do
//! not read the changed data file. If the hierarchies are equal on both sides, their paths determine which files nodes
//! can read: before interpolation for all nodes at once, and after interpolation for each node.

mod path_patterns;

use std::path::{Path, PathBuf};

use hieratic::hiera::inspect::Whose;
use hieratic::layers::Layers;
use hieratic::{Environment, Node};

use crate::compare::{Options, Subject};
use crate::diff::Diff;
use path_patterns::PathPatterns;

/// The nodes that a change can affect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeScope {
    /// The change affects no node.
    NoNode,
    /// The change affects the nodes that read a changed data file: the hierarchies are the same on both sides.
    DataFiles,
    /// The change can affect every node, because hierarchies or types changed.
    Everything,
}

impl ChangeScope {
    /// Determines the nodes that the changed files can affect.
    pub(crate) fn new(environments: Diff<&Environment>, nodes: &[Subject], options: &Options<'_>) -> ChangeScope {
        if options.changed.iter().any(|path| is_type(path)) || !have_same_hierarchies(environments) {
            return ChangeScope::Everything;
        }
        let head = environments.head;
        let patterns = layers(head.layers()).map(|whose| PathPatterns::read(head, whose)).collect::<Option<Vec<_>>>();
        match patterns.map(PathPatterns::merge) {
            Some(patterns) if !patterns.can_match(options.changed, environments, nodes) => ChangeScope::NoNode,
            _ => ChangeScope::DataFiles,
        }
    }

    /// Determines whether the change can affect a node. Reads no data.
    pub(crate) fn for_node(
        self,
        subject: &Subject,
        environments: Diff<&Environment>,
        options: &Options<'_>,
    ) -> NodeScope {
        let is_other = |path: &Path| environments.into_iter().any(|side| side.capabilities().data.is_patched(path));
        match self {
            _ if subject.head.is_some() => NodeScope::Affected(None),
            ChangeScope::NoNode => NodeScope::Unaffected,
            ChangeScope::DataFiles => match environments.head.node(&subject.base) {
                Ok(node) => match node.may_read(&is_other, &options.budget()) {
                    Ok(false) => NodeScope::Unaffected,
                    _ => NodeScope::Affected(Some(Box::new(node))),
                },
                // The hierarchies are the same on both sides, and so are their errors.
                Err(error) => NodeScope::Failing(error.to_string()),
            },
            ChangeScope::Everything => NodeScope::Affected(None),
        }
    }
}

/// The effect of a change on a node.
pub(crate) enum NodeScope {
    /// The change does not affect the node.
    Unaffected,
    /// It cannot be looked up on either side, for this reason.
    Failing(String),
    /// The change may affect the node. Holds the node of the head if it was opened to find out.
    Affected(Option<Box<Node>>),
}

/// The file that names the programs and functions that answer for levels.
const BACKENDS: &str = "hieratic.yaml";

/// Returns whether a file can define a type of a module, to which values may be converted.
pub(crate) fn is_type(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pp")
        && path.components().any(|part| part.as_os_str() == "types")
}

/// All layers of an environment.
fn layers(layers: &Layers) -> impl Iterator<Item = Whose<'_>> {
    let modules = layers.modules.keys().map(|name| Whose::Module(name));
    [Whose::Global, Whose::Environment].into_iter().chain(modules)
}

/// Returns whether both sides have the same modules, and the same configurations in all layers.
pub(crate) fn have_same_hierarchies(environments: Diff<&Environment>) -> bool {
    let is_other =
        |path: &Path| environments.into_iter().any(|side| side.capabilities().files_of(path).is_patched(path));
    have_same_layers(environments)
        && !layers(environments.head.layers()).any(|whose| {
            let path = configuration(environments.head.layers(), whose);
            is_other(&path) || is_other(&path.with_file_name(BACKENDS))
        })
}

/// The path of the configuration of a layer.
fn configuration(layers: &Layers, whose: Whose<'_>) -> PathBuf {
    let folder = match whose {
        Whose::Global => return layers.global_config.clone(),
        Whose::Environment => Some(&layers.environment.root),
        Whose::Module(name) => layers.modules.get(name).map(|module| &module.root),
    };
    folder.map(|folder| folder.join("hiera.yaml")).unwrap_or_default()
}

/// Returns whether both sides have the same modules in the same folders, and no settings that replace a configuration.
fn have_same_layers(environments: Diff<&Environment>) -> bool {
    let Diff { base, head } = environments;
    let is_plain = |environment: &Environment| {
        let (layers, files) = (environment.layers(), &environment.capabilities().data);
        layers.environment.data_provider.is_none()
            && layers.modules.values().all(|module| module.data_provider(files).is_none())
    };
    let modules = |layers: &Layers| -> Vec<_> {
        layers.modules.iter().map(|(name, module)| (name.clone(), module.root.clone())).collect()
    };
    let (one, other) = (base.layers(), head.layers());
    is_plain(base)
        && is_plain(head)
        && one.global_config == other.global_config
        && one.environment.root == other.environment.root
        && one.environment.datadirs == other.environment.datadirs
        && base.modulepath().eq(head.modulepath())
        && modules(one) == modules(other)
}
