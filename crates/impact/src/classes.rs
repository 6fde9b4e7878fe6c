//! [`Plans`]: plans the lookups, so that nodes with equal dependencies are looked up once.

use std::collections::BTreeSet;
use std::hash::BuildHasher as _;
use std::sync::{Arc, Mutex, PoisonError};

use hieratic::dependencies::{NodeDependencies, SourceData, node_fingerprint};
use hieratic::hiera::GenerationalCache;
use hieratic::hiera::inspect::{HierarchyFile, Whose};
use hieratic::value::ErasedSort as _;
use hieratic::value::Str;
use hieratic::value::collections::{FixedState, HashMap};
use hieratic::value::ids::Fingerprint;
use hieratic::{Environment, Error, Node};

use crate::affected::converted;
use crate::answers::Answer;
use crate::compare::{Options, Subject};
use crate::diff::Diff;
use crate::key_classes::{DependencyGraph, KeyClass, partition_keys};
use crate::reach::{FootprintPair, Reach, Sources};
use crate::reachability::is_type;
use crate::shared_impact::{KeyPosition, SharedClass, SharedImpact, SourcePartition};

/// The state that the plans of all nodes share.
#[derive(Debug)]
pub(crate) struct Plans {
    /// The variables that the sources of each footprint mention.
    mentioned: Mutex<HashMap<Fingerprint, Arc<BTreeSet<Str>>>>,
    sources: Sources,
    /// The effect of the change on nodes that read the same large files; `None` where it can be anything.
    shared_impacts: Mutex<GenerationalCache<Fingerprint, Option<Arc<SharedImpact>>>>,
    /// Whether a changed file can define a type of a module.
    types_changed: bool,
    /// Whether every key is searched in all layers. A global configuration can forbid it.
    has_all_layers: bool,
}

/// The most shared impacts that are cached. There is one for each set of shared files.
const MOST_SHARED_IMPACTS: usize = 1024;

/// The keys that are to be looked up on a node.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The keys. Empty if no answer can change.
    pub(crate) questions: Vec<Question>,
    /// The keys that the node answers as others with the same shared files do.
    pub(crate) shared: Vec<SharedKeys>,
    /// Keys that no source has, one for each layer: looking them up fails where `lookup_options` cannot be used.
    pub(crate) probes: Option<Question>,
    /// The reason why data cannot be read. Each reason is reported once, with its nodes.
    faults: BTreeSet<String>,
    /// The reason why hierarchies or data cannot be used on either side, if that is not the same on both.
    pub(crate) broken: Option<Diff<Option<String>>>,
    /// The reason why hierarchies cannot be used on both sides.
    pub(crate) failing: Option<String>,
}

/// Keys to ask for, once for all nodes that have a question of the same number.
#[derive(Debug)]
pub(crate) struct Question {
    /// Equal for nodes that get the same answers on both sides.
    pub(crate) fingerprint: Fingerprint,
    /// A fingerprint of the data of the keys on both sides, facts not interpolated; `None` where code answers.
    pub(crate) data_fingerprint: Option<Fingerprint>,
    /// The keys.
    pub(crate) keys: Vec<Str>,
}

/// Keys that a node answers as others do that read the same shared files.
#[derive(Debug)]
pub(crate) struct SharedKeys {
    /// Equal for nodes that get the same answers on both sides.
    pub(crate) fingerprint: Fingerprint,
    pub(crate) group: Arc<SharedClass>,
    /// The indexes of the keys that the node answers differently, sorted.
    pub(crate) excepted: Vec<KeyPosition>,
    /// Whether no value of a variable contains another interpolation, so that lookups cannot fail.
    pub(crate) is_plain: bool,
}

impl Plan {
    /// A plan without lookups.
    pub(crate) fn without_lookups(reasons: Reasons) -> Plan {
        let Reasons { broken, failing } = reasons;
        Plan { broken, failing, ..Plan::default() }
    }

    /// The reason why the options of keys cannot be used for a node, if that is not the same on both sides.
    pub(crate) fn broken_options(&self, pair: &NodePair, options: &Options<'_>) -> Option<Diff<Option<String>>> {
        let error = |node: &Node| {
            let probes = self.probes.iter().flat_map(|question| &question.keys);
            probes.map(|probe| Answer::look_up(node, probe, options.budget())).find_map(|answer| match answer {
                Answer::Error(message) if !self.faults.contains(&message) => Some(message),
                _ => None,
            })
        };
        Some(pair.nodes.as_ref().map(error)).filter(|reasons| !reasons.is_same())
    }

    /// Returns whether an answer fails because data cannot be read.
    pub(crate) fn is_data_error(&self, answer: &Answer) -> bool {
        matches!(answer, Answer::Error(message) if self.faults.contains(message))
    }
}

/// A node on both sides.
pub(crate) struct NodePair {
    pub(crate) nodes: Diff<Node>,
    pub(crate) has_other_facts: bool,
}

impl NodePair {
    /// Opens a node on both sides.
    pub(crate) fn open(environments: Diff<&Environment>, subject: &Subject) -> Result<NodePair, Diff<Option<Error>>> {
        NodePair::with(environments, subject, None)
    }

    /// Opens a node on both sides, given the node of the head if it is open already.
    pub(crate) fn with(
        environments: Diff<&Environment>,
        subject: &Subject,
        head: Option<Node>,
    ) -> Result<NodePair, Diff<Option<Error>>> {
        let base = environments.base.node(&subject.base);
        let head = match head {
            Some(head) => Ok(head),
            None => environments.head.node(subject.head_facts()),
        };
        match (base, head) {
            (Ok(base), Ok(head)) => {
                Ok(NodePair { nodes: Diff { base, head }, has_other_facts: subject.head.is_some() })
            }
            (base, head) => Err(Diff { base: base.err(), head: head.err() }),
        }
    }
}

impl NodePair {
    /// The values of a variable that data mentions.
    fn mentioned(&self, name: &str) -> Diff<String> {
        self.nodes.as_ref().map(|node| node.mentioned(name))
    }
}

impl Plans {
    pub(crate) fn new(environments: Diff<&Environment>, options: &Options<'_>) -> Plans {
        // Hiera 3 data is only found in the global layer.
        let has_all_layers = |environment: &Environment| {
            let (layers, capabilities) = (environment.layers(), environment.capabilities());
            let global = HierarchyFile::read(layers, capabilities, Whose::Global, &mut Vec::new());
            global.is_ok_and(|blueprint| blueprint.is_none_or(|blueprint| blueprint.version > 3))
        };
        Plans {
            mentioned: Mutex::default(),
            sources: Sources::default(),
            shared_impacts: Mutex::new(GenerationalCache::new(MOST_SHARED_IMPACTS)),
            types_changed: options.changed.iter().any(|path| is_type(path)),
            has_all_layers: environments.into_iter().all(has_all_layers),
        }
    }

    /// Plans the lookups of a node. `index` is the index of the node.
    pub(crate) fn plan(&self, pair: &NodePair, index: usize, options: &Options<'_>) -> Plan {
        let Options { selects_key: expected, .. } = *options;
        let has_other_facts = pair.has_other_facts;
        // Code may read any file.
        let code_changed = !options.changed.is_empty();
        let budget = || options.budget();
        let dependencies = pair.nodes.as_ref().map(|node| node.dependencies(&budget()));
        let (base, head) = match (dependencies.base, dependencies.head) {
            (Ok(base), Ok(head)) => (base, head),
            (base, head) => {
                return Plan::without_lookups(Reasons::from_errors(Diff { base: base.err(), head: head.err() }));
            }
        };
        let faults = Diff { base: &base, head: &head }.map(faults);
        if let Some(fault) = fault_of_all_lookups(&head).filter(|_| faults.is_same()) {
            return Plan { failing: Some(fault.to_string()), ..Plan::default() };
        }
        let both = FootprintPair { base: &base, head: &head, sources: &self.sources };
        let asks_code = base.asks_code || head.asks_code;
        let code_matters = asks_code && (code_changed || has_other_facts);
        // Values may be converted to types of modules.
        let conversions: Vec<Str> = if self.types_changed {
            converted(&base).into_iter().chain(converted(&head)).collect()
        } else {
            Vec::new()
        };
        if !has_other_facts && !code_matters && conversions.is_empty() && both.are_same() {
            return Plan::without_lookups(Reasons::default());
        }
        let is_simple = !has_other_facts
            && !asks_code
            && conversions.is_empty()
            && faults.as_ref().into_iter().all(BTreeSet::is_empty);
        if is_simple && let Some(plan) = self.plan_shared(pair, &both, options) {
            return plan;
        }
        let broken = (!faults.is_same()).then(|| faults.as_ref().map(|all| all.iter().next().map(ToString::to_string)));
        // Only facts that data mentions can be compared.
        let other: BTreeSet<Str> = if has_other_facts {
            let mentioned = self.mentioned(&both);
            mentioned.iter().filter(|name| !pair.mentioned(name).is_same()).cloned().collect()
        } else {
            BTreeSet::new()
        };
        let seeds = both.seeds();
        let has_other_options = seeds.as_ref().is_none_or(|seeds| seeds.contains(Node::OPTIONS_KEY));
        let reach = both.reach(seeds, &other, &conversions);
        // Functions may look anything up.
        let is_everything = reach == Reach::Everything || code_matters || asks_code && !matches!(reach, Reach::Nothing);
        let mut keys: BTreeSet<Str> = match reach {
            _ if is_everything => {
                let data = base.places.iter().chain(&head.places).filter_map(|dependency| dependency.data.as_ref());
                data.flat_map(SourceData::keys).cloned().collect()
            }
            Reach::Keys(keys) => keys,
            Reach::Nothing | Reach::Everything => BTreeSet::new(),
        };
        keys.retain(|key| expected(key) && &**key != Node::OPTIONS_KEY);
        let probes = if is_everything || has_other_options { probes(pair) } else { Vec::new() };
        let to_questions = |KeyClass { fingerprint, variables, keys }: KeyClass| -> Vec<Question> {
            let values: Vec<Diff<String>> = variables.iter().map(|name| pair.mentioned(name)).collect();
            let of_code = asks_code.then_some(index);
            let dependencies = Fingerprint::new(&(fingerprint, &other, values, of_code));
            let data_fingerprint = (!asks_code).then(|| Fingerprint::new(&(fingerprint, &other)));
            let question = |keys: Vec<Str>| Question {
                fingerprint: Fingerprint::new(&(dependencies, &keys)),
                data_fingerprint,
                keys,
            };
            split_keys(keys).into_iter().map(question).collect()
        };
        let graph = DependencyGraph::new(&both);
        let questions = |keys: &mut dyn Iterator<Item = &Str>| -> Vec<Question> {
            partition_keys(&graph, keys).into_iter().flat_map(to_questions).collect()
        };
        let (questions, probes) = (questions(&mut keys.iter()), merge_questions(questions(&mut probes.iter())));
        let faults = faults.as_ref().into_iter().flatten().map(ToString::to_string).collect();
        Plan { questions, shared: Vec::new(), probes, faults, broken, failing: None }
    }

    /// Plans the lookups of a node that shares files with others; `None` if this node needs its own plan.
    fn plan_shared(&self, pair: &NodePair, both: &FootprintPair<'_>, options: &Options<'_>) -> Option<Plan> {
        let partition = SourcePartition::new(both)?;
        let impact = self.shared_impact(&partition, options)?;
        let touched = impact.private_impact(&partition, both, options.selects_key)?;
        let mut values: HashMap<&Str, String> = HashMap::default();
        let mut shared = Vec::with_capacity(impact.groups.len());
        for (group, excepted) in impact.groups.iter().zip(touched.excepted) {
            if excepted.len() == group.keys.len() {
                continue;
            }
            for name in &group.variables {
                if !values.contains_key(name) {
                    let both = pair.mentioned(name);
                    if !both.is_same() {
                        return None;
                    }
                    values.insert(name, both.head);
                }
            }
            let of_group: Vec<&str> =
                group.variables.iter().filter_map(|name| values.get(name)).map(String::as_str).collect();
            let is_plain = of_group.iter().all(|value| !value.is_empty() && !value.contains("%{"));
            let fingerprint = Fingerprint::new(&(group.fingerprint, of_group));
            shared.push(SharedKeys { fingerprint, group: group.clone(), excepted, is_plain });
        }
        let mut questions = Vec::with_capacity(touched.keys.len());
        if !touched.keys.is_empty() {
            let graph = DependencyGraph::new(both);
            let is_own = |data: &SourceData| partition.is_private(data);
            for key in &touched.keys {
                let KeyClass { fingerprint, variables, keys } = graph.class_of(key, &is_own);
                let values: Vec<Diff<String>> = variables.iter().map(|name| pair.mentioned(name)).collect();
                questions.push(Question {
                    fingerprint: Fingerprint::new(&(fingerprint, values)),
                    data_fingerprint: Some(fingerprint),
                    keys,
                });
            }
        }
        Some(Plan { questions, shared, ..Plan::default() })
    }

    /// Returns the effect of the change on all nodes with these shared sources.
    fn shared_impact(&self, partition: &SourcePartition<'_>, options: &Options<'_>) -> Option<Arc<SharedImpact>> {
        let known = || self.shared_impacts.lock().unwrap_or_else(PoisonError::into_inner);
        let fingerprint = partition.fingerprint();
        if let Some(known) = known().get(&fingerprint) {
            return known;
        }
        let impact =
            SharedImpact::compute(partition, &self.sources, options.selects_key, self.has_all_layers).map(Arc::new);
        known().get_or_insert_with(fingerprint, || impact)
    }

    /// The variables that the data of a node mentions.
    fn mentioned(&self, both: &FootprintPair<'_>) -> Arc<BTreeSet<Str>> {
        let content = node_fingerprint(&[both.base, both.head]);
        if let Some(known) = self.mentioned.lock().unwrap_or_else(PoisonError::into_inner).get(&content) {
            return known.clone();
        }
        let variables = Arc::new(both.variables());
        self.mentioned.lock().unwrap_or_else(PoisonError::into_inner).insert(content, variables.clone());
        variables
    }
}

/// The approximate number of keys of a question.
const KEYS_OF_QUESTION: usize = 8;

/// Splits keys into parts that other nodes have in common, even if these nodes lack a few of the keys. The data file of
/// a single node removes some keys from those that all nodes answer equally; the questions for the other keys stay the
/// same.
fn split_keys(keys: Vec<Str>) -> Vec<Vec<Str>> {
    // The number of parts does not depend on a few keys more or less.
    let parts = (keys.len() / KEYS_OF_QUESTION).next_power_of_two();
    if keys.len() <= KEYS_OF_QUESTION {
        return vec![keys];
    }
    let mut all = vec![Vec::new(); parts];
    for key in keys {
        // The upper bits are the better ones.
        let part = (FixedState.hash_one(&key) >> 32) as usize % parts;
        all[part].push(key);
    }
    all.retain(|part| !part.is_empty());
    all
}

/// Merges questions into one.
fn merge_questions(mut questions: Vec<Question>) -> Option<Question> {
    questions.sort_erased_by_key(|question| question.fingerprint);
    let fingerprint = Fingerprint::new(&questions.iter().map(|question| question.fingerprint).collect::<Vec<_>>());
    let keys: Vec<Str> = questions.into_iter().flat_map(|question| question.keys).collect();
    (!keys.is_empty()).then_some(Question { fingerprint, data_fingerprint: None, keys })
}

/// One key that no source has, for each layer with separate options.
fn probes(pair: &NodePair) -> Vec<Str> {
    const NOBODY: &str = "no_key_has_this_name_0f5a";
    let modules: BTreeSet<Str> = pair.nodes.as_ref().into_iter().flat_map(|node| node.modules_with_data()).collect();
    std::iter::once(NOBODY.into()).chain(modules.iter().map(|module| format!("{module}::{NOBODY}").into())).collect()
}

/// The fault that fails every lookup of a node: each asks all levels of the global layer and of the environment for
/// `lookup_options` first.
pub(crate) fn fault_of_all_lookups(dependencies: &NodeDependencies) -> Option<&Str> {
    dependencies.places.iter().filter(|dependency| dependency.module.is_none()).find_map(|place| place.fault.as_ref())
}

/// The reason why data cannot be read.
fn faults(dependencies: &NodeDependencies) -> BTreeSet<Str> {
    dependencies.places.iter().filter_map(|dependency| dependency.fault.clone()).collect()
}

/// The reason why a node cannot be looked up.
#[derive(Default)]
pub(crate) struct Reasons {
    /// The reasons on both sides, if they are not the same.
    pub(crate) broken: Option<Diff<Option<String>>>,
    /// The reason, if it is the same on both.
    pub(crate) failing: Option<String>,
}

impl Reasons {
    pub(crate) fn from_errors(errors: Diff<Option<Error>>) -> Reasons {
        let reasons = errors.map(|error| Some(error?.to_string()));
        if reasons.is_same() {
            Reasons { broken: None, failing: reasons.head }
        } else {
            Reasons { broken: Some(reasons), failing: None }
        }
    }
}
