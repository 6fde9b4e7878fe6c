//! [`Plan`] and classes: nodes whose answers are made of the same things are asked once.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hieratic::powers::Budget;
use hieratic::{Environment, Error, Footprint, Limits, Node, SourceData, fingerprint, numbered};
use hieratic_value::Str;
use rustc_hash::FxHashMap;

use crate::affected::converted;
use crate::answers::Answer;
use crate::compare::{Options, Subject};
use crate::reach::{Both, Reach, Sources};

/// What is to be asked of nodes with the same footprints.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The keys, sorted; none if nothing can have another answer. With each, a number for what data says of it on both sides before facts
    /// are put in; none where code answers.
    pub(crate) keys: Vec<(Str, Option<u128>)>,
    /// The variables that the answers depend on.
    variables: BTreeSet<Str>,
    /// Whether code answers, of which nobody knows which variables it reads.
    asks_code: bool,
    /// Why data cannot be read. Each reason is reported once, with its nodes.
    faults: BTreeSet<String>,
    /// Keys that nobody has, one for each layer: asking for them fails where `lookup_options` cannot be used.
    probes: Vec<Str>,
}

impl Plan {
    /// Why the options of keys cannot be used for a node, if that is not the same on both sides.
    pub(crate) fn broken_options(&self, pair: &Pair, limits: Limits) -> Option<[Option<String>; 2]> {
        let fault = |node: &Node| {
            self.probes.iter().find_map(|probe| match Answer::of(node, probe, limits) {
                Answer::Fault(message) if !self.faults.contains(&message) => Some(message),
                _ => None,
            })
        };
        let reasons = [&pair.base, &pair.head].map(fault);
        (reasons[0] != reasons[1]).then_some(reasons)
    }

    /// Whether an answer fails because data cannot be read.
    pub(crate) fn is_of_data(&self, answer: &Answer) -> bool {
        matches!(answer, Answer::Fault(message) if self.faults.contains(message))
    }
}

/// The plans of all footprints that were met.
#[derive(Debug, Default)]
pub(crate) struct Plans {
    known: Mutex<FxHashMap<u128, Arc<OnceLock<Plan>>>>,
    /// Which variables the sources of footprints mention.
    mentioned: Mutex<FxHashMap<u128, Arc<BTreeSet<Str>>>>,
    sources: Sources,
    /// Whether a file changed that can define a type of a module.
    types_changed: bool,
}

impl Plans {
    pub(crate) fn new(options: &Options<'_>) -> Plans {
        Plans { types_changed: options.changed.iter().any(|path| is_type(path)), ..Plans::default() }
    }
}

/// A node on both sides.
pub(crate) struct Pair {
    pub(crate) base: Node,
    pub(crate) head: Node,
    pub(crate) has_other_facts: bool,
}

/// To which class a node belongs, and what is to be asked of it.
pub(crate) struct Class {
    /// Nodes of the same number get the same answers on both sides; none if no answer is another.
    pub(crate) asked: Option<(u128, Arc<OnceLock<Plan>>)>,
    /// Why hierarchies or data cannot be used on either side, if that is not the same on both.
    pub(crate) broken: Option<[Option<String>; 2]>,
}

impl Class {
    /// The class of nodes for which nothing is to be asked.
    pub(crate) fn silent(broken: Option<[Option<String>; 2]>) -> Class {
        Class { asked: None, broken }
    }
}

impl Pair {
    /// Opens a node on both sides.
    pub(crate) fn open(environments: [&Environment; 2], subject: &Subject) -> Result<Pair, [Option<Error>; 2]> {
        let facts = [&subject.base, subject.head.as_ref().unwrap_or(&subject.base)];
        let [base, head] = [0, 1].map(|side| environments[side].node(facts[side]));
        match (base, head) {
            (Ok(base), Ok(head)) => Ok(Pair { base, head, has_other_facts: subject.head.is_some() }),
            (base, head) => Err([base.err(), head.err()]),
        }
    }
}

impl Plans {
    /// The class of a node; `number` tells it from all other nodes.
    pub(crate) fn class_of(&self, pair: &Pair, number: usize, options: &Options<'_>) -> Class {
        let Options { wanted, extra, limits, .. } = *options;
        let has_other_facts = pair.has_other_facts;
        // Code may read any file.
        let code_changed = !options.changed.is_empty();
        let budget = || Budget::new(limits);
        let (base, head) = match (pair.base.footprint(&budget()), pair.head.footprint(&budget())) {
            (Ok(base), Ok(head)) => (base, head),
            (base, head) => return Class::silent(told([base.err(), head.err()])),
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
            return Class::silent(None);
        }
        let faults = [&base, &head].map(faults);
        let broken =
            (faults[0] != faults[1]).then(|| faults.clone().map(|all| all.iter().next().map(ToString::to_string)));
        let content = fingerprint(&[&base, &head]);
        // Which facts matter is known only of those that data mentions.
        let other: BTreeSet<Str> = match has_other_facts {
            false => BTreeSet::new(),
            true => {
                let mentioned = self.mentioned(content, &both);
                mentioned
                    .iter()
                    .filter(|name| pair.base.mentioned(name) != pair.head.mentioned(name))
                    .cloned()
                    .collect()
            }
        };
        let key = numbered(&(content, &other, code_matters, !conversions.is_empty()));
        let plan = self.known.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().clone();
        plan.get_or_init(|| {
            let reach = both.reach(&other, &conversions);
            // Functions may look anything up.
            let is_everything =
                reach == Reach::Everything || code_matters || asks_code && !matches!(reach, Reach::Nothing);
            let keys: BTreeSet<Str> = match reach {
                _ if is_everything => {
                    let data = base.places.iter().chain(&head.places).filter_map(|footing| footing.data.as_ref());
                    data.flat_map(SourceData::keys).chain(extra).cloned().collect()
                }
                Reach::Keys(keys) => keys,
                Reach::Nothing | Reach::Everything => BTreeSet::new(),
            };
            let keys: BTreeSet<Str> =
                keys.into_iter().filter(|key| wanted(key) && &**key != Node::OPTIONS_KEY).collect();
            let variables = both.variables((!is_everything).then_some(&keys));
            let faults = faults.iter().flatten().map(ToString::to_string).collect();
            let probes = match is_everything || both.has_other_options() {
                true => probes(pair),
                false => Vec::new(),
            };
            let signatures: Vec<Option<u128>> = match asks_code {
                true => vec![None; keys.len()],
                false => both.said_of(&keys).into_iter().map(|said| Some(numbered(&(said, &other)))).collect(),
            };
            let keys = keys.into_iter().zip(signatures).collect();
            Plan { keys, variables, asks_code, faults, probes }
        });
        let Some(made) = plan.get().filter(|made| !made.keys.is_empty() || !made.probes.is_empty()) else {
            return Class::silent(broken);
        };
        let values: Vec<[String; 2]> =
            made.variables.iter().map(|name| [&pair.base, &pair.head].map(|node| node.mentioned(name))).collect();
        let number = numbered(&(key, values, made.asks_code.then_some(number)));
        Class { asked: Some((number, plan)), broken }
    }

    fn mentioned(&self, content: u128, both: &Both<'_>) -> Arc<BTreeSet<Str>> {
        if let Some(known) = self.mentioned.lock().unwrap_or_else(PoisonError::into_inner).get(&content) {
            return known.clone();
        }
        let made = Arc::new(both.variables(None));
        self.mentioned.lock().unwrap_or_else(PoisonError::into_inner).insert(content, made.clone());
        made
    }
}

/// Whether a file can define a type of a module.
fn is_type(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pp")
        && path.components().any(|part| part.as_os_str() == "types")
}

/// A key that nobody has for each layer with options of its own.
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

/// The reasons on both sides, if they are not the same.
pub(crate) fn told(errors: [Option<Error>; 2]) -> Option<[Option<String>; 2]> {
    let reasons = errors.map(|error| Some(error?.to_string()));
    (reasons[0] != reasons[1]).then_some(reasons)
}
