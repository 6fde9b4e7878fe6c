//! [`Plans`]: nodes whose answers are made of the same things are asked once.

use std::collections::BTreeSet;
use std::hash::BuildHasher as _;
use std::sync::{Arc, Mutex, PoisonError};

use hieratic::hiera::Recent;
use hieratic::hiera::inspect::{Blueprint, Whose};
use hieratic::value::Str;
use hieratic::{Environment, Error, Footprint, Node, SourceData, fingerprint, numbered};
use hieratic_hash::{FixedState, HashMap};

use crate::affected::converted;
use crate::alike::{Alike, View, alike};
use crate::answers::Answer;
use crate::compare::{Options, Subject};
use crate::ground::{Asked, Divided, Ground};
use crate::reach::{Both, Reach, Sources};
use crate::sight::is_type;

/// The state that the plans of all nodes share.
#[derive(Debug)]
pub(crate) struct Plans {
    /// Which variables the sources of footprints mention.
    mentioned: Mutex<HashMap<u128, Arc<BTreeSet<Str>>>>,
    sources: Sources,
    /// The effect of the change on nodes that read the same large files; `None` where it can be anything.
    grounds: Mutex<Recent<u128, Option<Arc<Ground>>>>,
    /// Whether a changed file can define a type of a module.
    types_changed: bool,
    /// Whether every key is searched in all layers. A global configuration can forbid it.
    has_all_layers: bool,
}

/// The most shared impacts that are cached. There is one for each set of shared files.
const MOST_GROUNDS: usize = 1024;

/// The keys that are to be looked up on a node.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The keys. Empty if no answer can change.
    pub(crate) questions: Vec<Question>,
    /// The keys that the node answers as others with the same shared files do.
    pub(crate) shared: Vec<Shared>,
    /// Keys that no source has, one for each layer: looking them up fails where `lookup_options` cannot be used.
    pub(crate) probes: Option<Question>,
    /// Why data cannot be read. Each reason is reported once, with its nodes.
    faults: BTreeSet<String>,
    /// Why hierarchies or data cannot be used on either side, if that is not the same on both.
    pub(crate) broken: Option<[Option<String>; 2]>,
    /// Why hierarchies cannot be used on both sides.
    pub(crate) failing: Option<String>,
}

/// Keys to ask for, once for all nodes that have a question of the same number.
#[derive(Debug)]
pub(crate) struct Question {
    /// Equal for nodes that get the same answers on both sides.
    pub(crate) number: u128,
    /// A fingerprint of the data of the keys on both sides, facts not interpolated; `None` where code answers.
    pub(crate) signature: Option<u128>,
    /// The keys.
    pub(crate) keys: Vec<Str>,
}

/// Keys that a node answers as others do that read the same shared files.
#[derive(Debug)]
pub(crate) struct Shared {
    /// Equal for nodes that get the same answers on both sides.
    pub(crate) number: u128,
    pub(crate) group: Arc<Asked>,
    /// The indexes of the keys that the node answers differently, sorted.
    pub(crate) excepted: Vec<u32>,
    /// Whether no value of a variable contains another interpolation, so that lookups cannot fail.
    pub(crate) is_plain: bool,
}

impl Plan {
    /// A plan that asks nothing.
    pub(crate) fn silent(reasons: Reasons) -> Plan {
        let Reasons { broken, failing } = reasons;
        Plan { broken, failing, ..Plan::default() }
    }

    /// Why the options of keys cannot be used for a node, if that is not the same on both sides.
    pub(crate) fn broken_options(&self, pair: &Pair, options: &Options<'_>) -> Option<[Option<String>; 2]> {
        let fault = |node: &Node| {
            let probes = self.probes.iter().flat_map(|question| &question.keys);
            probes.map(|probe| Answer::of(node, probe, options.budget())).find_map(|answer| match answer {
                Answer::Fault(message) if !self.faults.contains(&message) => Some(message),
                _ => None,
            })
        };
        let reasons = [&pair.base, &pair.head].map(fault);
        (reasons[0] != reasons[1]).then_some(reasons)
    }

    /// Reports whether an answer fails because data cannot be read.
    pub(crate) fn is_of_data(&self, answer: &Answer) -> bool {
        matches!(answer, Answer::Fault(message) if self.faults.contains(message))
    }
}

/// A node on both sides.
pub(crate) struct Pair {
    pub(crate) base: Node,
    pub(crate) head: Node,
    pub(crate) has_other_facts: bool,
}

impl Pair {
    /// Opens a node on both sides.
    pub(crate) fn open(environments: [&Environment; 2], subject: &Subject) -> Result<Pair, [Option<Error>; 2]> {
        Pair::with(environments, subject, None)
    }

    /// Opens a node on both sides, given the node of the head if it is open already.
    pub(crate) fn with(
        environments: [&Environment; 2],
        subject: &Subject,
        head: Option<Node>,
    ) -> Result<Pair, [Option<Error>; 2]> {
        let base = environments[0].node(&subject.base);
        let head = match head {
            Some(head) => Ok(head),
            None => environments[1].node(subject.head.as_ref().unwrap_or(&subject.base)),
        };
        match (base, head) {
            (Ok(base), Ok(head)) => Ok(Pair { base, head, has_other_facts: subject.head.is_some() }),
            (base, head) => Err([base.err(), head.err()]),
        }
    }
}

impl Plans {
    pub(crate) fn new(environments: [&Environment; 2], options: &Options<'_>) -> Plans {
        // Hiera 3 data is only found in the global layer.
        let has_all_layers = |environment: &Environment| {
            let (layers, powers) = (environment.layers(), environment.powers());
            let global = Blueprint::read(layers, powers, Whose::Global, &mut Vec::new());
            global.is_ok_and(|blueprint| blueprint.is_none_or(|blueprint| blueprint.version > 3))
        };
        Plans {
            mentioned: Mutex::default(),
            sources: Sources::default(),
            grounds: Mutex::new(Recent::new(MOST_GROUNDS)),
            types_changed: options.changed.iter().any(|path| is_type(path)),
            has_all_layers: environments.into_iter().all(has_all_layers),
        }
    }

    /// Plans the lookups of a node. `number` is the index of the node.
    pub(crate) fn of(&self, pair: &Pair, number: usize, options: &Options<'_>) -> Plan {
        let Options { wanted, extra, .. } = *options;
        let has_other_facts = pair.has_other_facts;
        // Code may read any file.
        let code_changed = !options.changed.is_empty();
        let budget = || options.budget();
        let (base, head) = match (pair.base.footprint(&budget()), pair.head.footprint(&budget())) {
            (Ok(base), Ok(head)) => (base, head),
            (base, head) => return Plan::silent(Reasons::of([base.err(), head.err()])),
        };
        let both = Both { base: &base, head: &head, sources: &self.sources };
        let asks_code = base.asks_code || head.asks_code;
        let code_matters = asks_code && (code_changed || has_other_facts);
        // Values may be converted to types of modules.
        let conversions: Vec<Str> = match self.types_changed {
            true => converted(&base).into_iter().chain(converted(&head)).collect(),
            false => Vec::new(),
        };
        if !has_other_facts && !code_matters && conversions.is_empty() && both.are_same() {
            return Plan::silent(Reasons::default());
        }
        let faults = [&base, &head].map(faults);
        let is_simple =
            !has_other_facts && !asks_code && conversions.is_empty() && faults.iter().all(BTreeSet::is_empty);
        if is_simple && let Some(plan) = self.shared(pair, &both, options) {
            return plan;
        }
        let broken =
            (faults[0] != faults[1]).then(|| faults.clone().map(|all| all.iter().next().map(ToString::to_string)));
        // Which facts matter is known only of those that data mentions.
        let other: BTreeSet<Str> = match has_other_facts {
            false => BTreeSet::new(),
            true => {
                let mentioned = self.mentioned(&both);
                let is_other = |name: &&Str| pair.base.mentioned(name) != pair.head.mentioned(name);
                mentioned.iter().filter(is_other).cloned().collect()
            }
        };
        let seeds = both.seeds();
        let has_other_options = seeds.as_ref().is_none_or(|seeds| seeds.contains(Node::OPTIONS_KEY));
        let reach = both.reach(seeds, &other, &conversions);
        // Functions may look anything up.
        let is_everything = reach == Reach::Everything || code_matters || asks_code && !matches!(reach, Reach::Nothing);
        let mut keys: BTreeSet<Str> = match reach {
            _ if is_everything => {
                let data = base.places.iter().chain(&head.places).filter_map(|footing| footing.data.as_ref());
                data.flat_map(SourceData::keys).chain(extra).cloned().collect()
            }
            Reach::Keys(keys) => keys,
            Reach::Nothing | Reach::Everything => BTreeSet::new(),
        };
        keys.retain(|key| wanted(key) && &**key != Node::OPTIONS_KEY);
        let probes = match is_everything || has_other_options {
            true => probes(pair),
            false => Vec::new(),
        };
        let asked = |Alike { said, variables, keys }: Alike| -> Vec<Question> {
            let values: Vec<[String; 2]> =
                variables.iter().map(|name| [&pair.base, &pair.head].map(|node| node.mentioned(name))).collect();
            let of_code = asks_code.then_some(number);
            let made_of = numbered(&(said, &other, values, of_code));
            let signature = (!asks_code).then(|| numbered(&(said, &other)));
            let question = |keys: Vec<Str>| Question { number: numbered(&(made_of, &keys)), signature, keys };
            in_parts(keys).into_iter().map(question).collect()
        };
        let view = View::of(&both);
        let questions = |keys: &mut dyn Iterator<Item = &Str>| -> Vec<Question> {
            alike(&view, keys).into_iter().flat_map(asked).collect()
        };
        let (questions, probes) = (questions(&mut keys.iter()), as_one(questions(&mut probes.iter())));
        let faults = faults.iter().flatten().map(ToString::to_string).collect();
        Plan { questions, shared: Vec::new(), probes, faults, broken, failing: None }
    }

    /// Plans the lookups of a node that shares files with others; `None` if this node needs its own plan.
    fn shared(&self, pair: &Pair, both: &Both<'_>, options: &Options<'_>) -> Option<Plan> {
        let divided = Divided::of(both)?;
        let ground = self.ground(&divided, options)?;
        let touched = ground.touched(&divided, both, options.wanted)?;
        let mut values: HashMap<&Str, String> = HashMap::default();
        let mut shared = Vec::with_capacity(ground.groups.len());
        for (group, excepted) in ground.groups.iter().zip(touched.excepted) {
            if excepted.len() == group.keys.len() {
                continue;
            }
            for name in &group.variables {
                if !values.contains_key(name) {
                    let value = pair.head.mentioned(name);
                    if pair.base.mentioned(name) != value {
                        return None;
                    }
                    values.insert(name, value);
                }
            }
            let of_group: Vec<&str> =
                group.variables.iter().filter_map(|name| values.get(name)).map(String::as_str).collect();
            let is_plain = of_group.iter().all(|value| !value.is_empty() && !value.contains("%{"));
            let number = numbered(&(group.number, of_group));
            shared.push(Shared { number, group: group.clone(), excepted, is_plain });
        }
        let mut questions = Vec::with_capacity(touched.keys.len());
        if !touched.keys.is_empty() {
            let view = View::of(both);
            let is_own = |data: &SourceData| divided.is_own(data);
            for key in &touched.keys {
                let Alike { said, variables, keys } = view.alone(key, &is_own);
                let values: Vec<[String; 2]> =
                    variables.iter().map(|name| [&pair.base, &pair.head].map(|node| node.mentioned(name))).collect();
                questions.push(Question { number: numbered(&(said, values)), signature: Some(said), keys });
            }
        }
        Some(Plan { questions, shared, ..Plan::default() })
    }

    /// Returns the effect of the change on all nodes with these shared sources.
    fn ground(&self, divided: &Divided<'_>, options: &Options<'_>) -> Option<Arc<Ground>> {
        let known = || self.grounds.lock().unwrap_or_else(PoisonError::into_inner);
        let number = divided.number();
        if let Some(known) = known().get(&number) {
            return known;
        }
        let made = Ground::of(divided, &self.sources, options.wanted, self.has_all_layers).map(Arc::new);
        known().get_or_insert_with(number, || made)
    }

    /// The variables that the data of a node mentions.
    fn mentioned(&self, both: &Both<'_>) -> Arc<BTreeSet<Str>> {
        let content = fingerprint(&[both.base, both.head]);
        if let Some(known) = self.mentioned.lock().unwrap_or_else(PoisonError::into_inner).get(&content) {
            return known.clone();
        }
        let made = Arc::new(both.variables());
        self.mentioned.lock().unwrap_or_else(PoisonError::into_inner).insert(content, made.clone());
        made
    }
}

/// The approximate number of keys of a question.
const KEYS_OF_QUESTION: usize = 8;

/// Splits keys into parts that other nodes have in common, even if these nodes lack a few of the keys. The data file of
/// a single node removes some keys from those that all nodes answer equally; the questions for the other keys stay the
/// same.
fn in_parts(keys: Vec<Str>) -> Vec<Vec<Str>> {
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

/// Questions that are asked together.
fn as_one(mut questions: Vec<Question>) -> Option<Question> {
    questions.sort_by_key(|question| question.number);
    let number = numbered(&questions.iter().map(|question| question.number).collect::<Vec<_>>());
    let keys: Vec<Str> = questions.into_iter().flat_map(|question| question.keys).collect();
    (!keys.is_empty()).then_some(Question { number, signature: None, keys })
}

/// One key that no source has, for each layer with separate options.
fn probes(pair: &Pair) -> Vec<Str> {
    const NOBODY: &str = "no_key_has_this_name_0f5a";
    let modules: BTreeSet<Str> =
        [&pair.base, &pair.head].into_iter().flat_map(|node| node.modules_with_data()).collect();
    std::iter::once(NOBODY.into()).chain(modules.iter().map(|module| format!("{module}::{NOBODY}").into())).collect()
}

/// Why data cannot be read.
fn faults(footprint: &Footprint) -> BTreeSet<Str> {
    footprint.places.iter().filter_map(|footing| footing.fault.clone()).collect()
}

/// Why a node cannot be looked up.
#[derive(Default)]
pub(crate) struct Reasons {
    /// The reasons on both sides, if they are not the same.
    pub(crate) broken: Option<[Option<String>; 2]>,
    /// The reason, if it is the same on both.
    pub(crate) failing: Option<String>,
}

impl Reasons {
    pub(crate) fn of(errors: [Option<Error>; 2]) -> Reasons {
        match errors.map(|error| Some(error?.to_string())) {
            [base, head] if base == head => Reasons { broken: None, failing: head },
            reasons => Reasons { broken: Some(reasons), failing: None },
        }
    }
}
