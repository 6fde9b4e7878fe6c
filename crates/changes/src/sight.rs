//! [`Sight`]: what of a change nodes can see, found out before their data is read.
//!
//! Most changes of a repository are none of data: manifests, documentation, a file that no level names. And most nodes of a fleet do not
//! read the file that a change of data is about. Where the hierarchies are the same on both sides, the paths in them tell which files
//! nodes can read: as they are written, for all nodes at once, and with a node's facts put in, for each.

mod written;

use std::path::{Path, PathBuf};

use hieratic::hiera::inspect::Whose;
use hieratic::{Environment, Layers, Node};

use crate::compare::{Options, Subject};
use written::Written;

/// What of a change nodes can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// No node sees any of it.
    Nothing,
    /// A node sees the files that its levels lead to, if they changed: the hierarchies are the same on both sides.
    Places,
    /// Anything: hierarchies changed.
    Anything,
}

impl Sight {
    /// What nodes can see of the files that changed.
    pub(crate) fn of(environments: [&Environment; 2], nodes: &[Subject], options: &Options<'_>) -> Sight {
        if options.changed.iter().any(|path| is_type(path)) || !have_same_hierarchies(environments) {
            return Sight::Anything;
        }
        let head = environments[1];
        let written = layers(head.layers()).map(|whose| Written::read(head, whose)).collect::<Option<Vec<_>>>();
        match written.map(Written::all) {
            Some(written) if !written.can_lead_to(options.changed, environments, nodes) => Sight::Nothing,
            _ => Sight::Places,
        }
    }

    /// Whether a node reads nothing that changed, if its facts are the same on both sides. Nothing is read to tell.
    pub(crate) fn on(self, subject: &Subject, environments: [&Environment; 2], options: &Options<'_>) -> Seen {
        let is_other = |path: &Path| environments.iter().any(|side| side.powers().data.is_patched(path));
        match self {
            _ if subject.head.is_some() => Seen::Something(None),
            Sight::Nothing => Seen::Nothing,
            Sight::Places => match environments[1].node(&subject.base) {
                Ok(node) => match node.may_read(&is_other, &options.budget()) {
                    Ok(false) => Seen::Nothing,
                    _ => Seen::Something(Some(Box::new(node))),
                },
                // The hierarchies are the same on both sides, and so is what they refuse.
                Err(error) => Seen::Failing(error.to_string()),
            },
            Sight::Anything => Seen::Something(None),
        }
    }
}

/// What a node sees of a change.
pub(crate) enum Seen {
    Nothing,
    /// It cannot be looked up on either side, for this reason.
    Failing(String),
    /// Something, or it cannot be told; the node on the head, if it was opened to tell.
    Something(Option<Box<Node>>),
}

/// The file that names the programs and functions that answer for levels.
const BACKENDS: &str = "hieratic.yaml";

/// Whether a file can define a type of a module, to which values may be converted.
pub(crate) fn is_type(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pp")
        && path.components().any(|part| part.as_os_str() == "types")
}

/// All layers of an environment.
fn layers(layers: &Layers) -> impl Iterator<Item = Whose<'_>> {
    let modules = layers.modules.keys().map(|name| Whose::Module(name));
    [Whose::Global, Whose::Environment].into_iter().chain(modules)
}

/// Whether both sides have the same modules, and the same configurations in all layers.
pub(crate) fn have_same_hierarchies(environments: [&Environment; 2]) -> bool {
    let is_other = |path: &Path| environments.iter().any(|side| side.powers().files_of(path).is_patched(path));
    have_same_layers(environments)
        && !layers(environments[1].layers()).any(|whose| {
            let path = configuration(environments[1].layers(), whose);
            is_other(&path) || is_other(&path.with_file_name(BACKENDS))
        })
}

/// Where the configuration of a layer is.
fn configuration(layers: &Layers, whose: Whose<'_>) -> PathBuf {
    let folder = match whose {
        Whose::Global => return layers.global_config.clone(),
        Whose::Environment => Some(&layers.environment.root),
        Whose::Module(name) => layers.modules.get(name).map(|module| &module.root),
    };
    folder.map(|folder| folder.join("hiera.yaml")).unwrap_or_default()
}

/// Whether both sides have the same modules in the same folders, and none of the settings that stand in for a configuration.
fn have_same_layers(environments: [&Environment; 2]) -> bool {
    let [base, head] = environments;
    let is_plain = |layers: &Layers| {
        let providers = layers.modules.values().map(|module| &module.data_provider);
        providers.chain([&layers.environment.data_provider]).all(Option::is_none)
    };
    let modules = |layers: &Layers| -> Vec<_> {
        layers.modules.iter().map(|(name, module)| (name.clone(), module.root.clone())).collect()
    };
    let (one, other) = (base.layers(), head.layers());
    is_plain(one)
        && is_plain(other)
        && one.global_config == other.global_config
        && one.environment.root == other.environment.root
        && one.environment.datadirs == other.environment.datadirs
        && base.modulepath().eq(head.modulepath())
        && modules(one) == modules(other)
}
