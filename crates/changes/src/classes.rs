//! [`Plans`]: nodes whose answers are made of the same things are asked once.

use std::collections::BTreeSet;
use std::hash::BuildHasher as _;
use std::sync::{Arc, Mutex, PoisonError};

use hieratic::{Environment, Error, Footprint, Node, SourceData, fingerprint, numbered};
use hieratic_value::Str;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::affected::converted;
use crate::alike::{Alike, View, alike};
use crate::answers::Answer;
use crate::compare::{Options, Subject};
use crate::reach::{Both, Reach, Sources};
use crate::sight::is_type;

/// What is known of all nodes together.
#[derive(Debug, Default)]
pub(crate) struct Plans {
    /// Which variables the sources of footprints mention.
    mentioned: Mutex<FxHashMap<u128, Arc<BTreeSet<Str>>>>,
    sources: Sources,
    /// Whether a file changed that can define a type of a module.
    types_changed: bool,
}

/// What is to be asked of a node.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The keys; none if nothing can have another answer.
    pub(crate) questions: Vec<Question>,
    /// Keys that nobody has, one for each layer: asking for them fails where `lookup_options` cannot be used.
    pub(crate) probes: Option<Question>,
    /// Why data cannot be read. Each reason is reported once, with its nodes.
    faults: BTreeSet<String>,
    /// Why hierarchies or data cannot be used on either side, if that is not the same on both.
    pub(crate) broken: Option<[Option<String>; 2]>,
}

/// Keys to ask for, once for all nodes that have a question of the same number.
#[derive(Debug)]
pub(crate) struct Question {
    /// Equal for nodes that get the same answers on both sides.
    pub(crate) number: u128,
    /// A number for what data says of the keys on both sides before facts are put in; none where code answers.
    pub(crate) signature: Option<u128>,
    /// The keys.
    pub(crate) keys: Vec<Str>,
}

impl Plan {
    /// A plan that asks nothing.
    pub(crate) fn silent(broken: Option<[Option<String>; 2]>) -> Plan {
        Plan { broken, ..Plan::default() }
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

    /// Whether an answer fails because data cannot be read.
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
        let facts = [&subject.base, subject.head.as_ref().unwrap_or(&subject.base)];
        let [base, head] = [0, 1].map(|side| environments[side].node(facts[side]));
        match (base, head) {
            (Ok(base), Ok(head)) => Ok(Pair { base, head, has_other_facts: subject.head.is_some() }),
            (base, head) => Err([base.err(), head.err()]),
        }
    }
}

impl Plans {
    pub(crate) fn new(options: &Options<'_>) -> Plans {
        Plans { types_changed: options.changed.iter().any(|path| is_type(path)), ..Plans::default() }
    }

    /// What is to be asked of a node; `number` tells it from all other nodes.
    pub(crate) fn of(&self, pair: &Pair, number: usize, options: &Options<'_>) -> Plan {
        let Options { wanted, extra, .. } = *options;
        let has_other_facts = pair.has_other_facts;
        // Code may read any file.
        let code_changed = !options.changed.is_empty();
        let budget = || options.budget();
        let (base, head) = match (pair.base.footprint(&budget()), pair.head.footprint(&budget())) {
            (Ok(base), Ok(head)) => (base, head),
            (base, head) => return Plan::silent(told([base.err(), head.err()])),
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
            return Plan::silent(None);
        }
        let faults = [&base, &head].map(faults);
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
        Plan { questions, probes, faults, broken }
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

/// About how many keys are asked for with one question.
const KEYS_OF_QUESTION: usize = 8;

/// Keys in parts that are the same ones for other nodes, too, if these lack only a few of the keys: the file that only one node has takes
/// some keys out of the many that all nodes answer alike, and the questions for all others remain the same.
fn in_parts(keys: Vec<Str>) -> Vec<Vec<Str>> {
    // How many parts there are does not depend on a few keys more or less.
    let parts = (keys.len() / KEYS_OF_QUESTION).next_power_of_two();
    if keys.len() <= KEYS_OF_QUESTION {
        return vec![keys];
    }
    let mut all = vec![Vec::new(); parts];
    for key in keys {
        // The upper bits are the better ones.
        let part = (FxBuildHasher.hash_one(&key) >> 32) as usize % parts;
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
