//! [`DerivedNodes`]: nodes without stored facts, known by their data files.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hieratic::facts::is_node_name;
use hieratic::sandbox::RefusedPaths;
use hieratic::{Facts, PuppetVersion, Settings};
use hieratic_lint::named_nodes_of_any_data;

/// The time after which the data files are listed again.
const LIFETIME: Duration = Duration::from_secs(10);

/// The nodes that have a data file, such as `nodes/web01.yaml`. Their facts are those in its path, and those that follow from the name.
pub(crate) struct DerivedNodes {
    settings: Settings,
    listed: Mutex<Option<(Instant, NodesByName)>>,
}

type NodesByName = Arc<BTreeMap<String, Facts>>;

impl DerivedNodes {
    pub(super) fn new(settings: &Settings) -> DerivedNodes {
        DerivedNodes { settings: settings.clone(), listed: Mutex::default() }
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.nodes(LIFETIME).keys().cloned().collect()
    }

    /// Returns the facts of a node. Those of a node without a data file follow from its name.
    pub(super) fn facts(&self, node: &str) -> Facts {
        // The nodes of one list are asked for one after the other, however long that takes.
        let facts = self.nodes(Duration::MAX).get(node).cloned();
        facts.unwrap_or_else(|| Facts::named_for(node, self.version()))
    }

    fn version(&self) -> PuppetVersion {
        self.settings.puppet_version
    }

    fn nodes(&self, lifetime: Duration) -> NodesByName {
        // Requests that need the nodes wait while they are listed.
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, nodes)) = listed.as_ref().filter(|(since, _)| since.elapsed() < lifetime) {
            return nodes.clone();
        }
        let of_name = |name: String| Settings {
            environment: Some(name),
            refused: RefusedPaths::default(),
            ..self.settings.clone()
        };
        let environments: Vec<Settings> = self.settings.environments().into_iter().map(of_name).collect();
        let mut nodes = BTreeMap::new();
        for facts in named_nodes_of_any_data(&environments.iter().collect::<Vec<_>>()) {
            let Some(name) = facts.node().filter(|name| is_node_name(name)).map(str::to_owned) else { continue };
            // Facts that follow from its name are completed by the path of its file, for the version in use.
            let mut all = Facts::named_for(&name, self.version());
            all.merge(facts.facts());
            let mut own = facts;
            own.merge(all.facts());
            nodes.insert(name, own);
        }
        let nodes: NodesByName = Arc::new(nodes);
        *listed = Some((Instant::now(), nodes.clone()));
        nodes
    }
}
