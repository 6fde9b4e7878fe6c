//! [`compare_answers`]: compares two states of an environment, for all given nodes.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hieratic::budget::{Budget, Progress};
use hieratic::hiera::GenerationalCache;
use hieratic::lookup::{Object, quoted_key};
use hieratic::value::ErasedSort as _;
use hieratic::value::Str;
use hieratic::value::collections::HashSet;
use hieratic::value::ids::Fingerprint;
use hieratic::{Environment, Facts, Limits, Node, Query, Redactor};
use rayon::prelude::*;

use crate::answers::Answer;
use crate::cause::{Cause, CauseFinder};
use crate::child_budget::child_budget;
use crate::classes::{NodePair, Plans, Question, Reasons, fault_of_all_lookups};
use crate::diff::Diff;
use crate::parts::{Arrays, Part, differences};
use crate::reach::MOST_SOURCES;
use crate::reachability::{ChangeScope, NodeScope};
use crate::variants::{ChangeCollector, TouchedKey};

/// A node to compare, with its facts on both sides.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The name of the node.
    pub name: String,
    /// The facts in the base.
    pub base: Facts,
    /// The facts in the head, if they differ.
    pub head: Option<Facts>,
}

impl Subject {
    /// Creates a node with equal facts on both sides.
    pub fn new(facts: Facts) -> Subject {
        Subject { name: facts.node().unwrap_or_default().to_owned(), base: facts, head: None }
    }

    /// Returns the facts in the head.
    pub fn head_facts(&self) -> &Facts {
        self.head.as_ref().unwrap_or(&self.base)
    }
}

/// The options of [`compare_answers`].
pub struct Options<'o> {
    /// The absolute paths of the changed files.
    pub changed: &'o BTreeSet<PathBuf>,
    /// Selects the keys to compare.
    pub selects_key: &'o (dyn Fn(&str) -> bool + Sync),
    /// The limits of a single lookup.
    pub limits: Limits,
    /// The maximum number of changes with parts and causes. All others are listed without.
    pub most_details: usize,
    /// The maximum number of answers that are listed separately if they differ only in facts. More of them become one
    /// change.
    pub most_variants: usize,
    /// Whether the parts of a change must not reveal a secret, even to clients that can send any request
    /// ([`Query::conceal`]).
    pub conceal: bool,
    /// The budget of the whole request. When it is exhausted, the comparison ends with an incomplete report.
    pub parent_budget: Option<&'o Budget>,
    /// Receives the progress.
    pub progress: &'o dyn Progress,
}

impl Options<'_> {
    /// The budget of one lookup.
    pub(crate) fn budget(&self) -> Budget {
        match self.parent_budget {
            Some(all) => child_budget(self.limits, all),
            None => Budget::new(self.limits),
        }
    }

    /// Returns whether the whole request has ended.
    fn has_ended(&self) -> bool {
        self.parent_budget.is_some_and(|all| all.ended().is_err())
    }
}

/// The effect of a change on the answers of nodes.
#[derive(Debug, Default)]
pub struct AnswerReport {
    /// The number of nodes that were compared.
    pub nodes: usize,
    /// The number of distinct nodes whose keys were looked up. The change cannot affect the others, or they have the
    /// same answers as one of these.
    pub classes: usize,
    /// The changes, grouped by the nodes that they affect. Groups with the most nodes are first.
    pub groups: Vec<Group<KeyDelta>>,
    /// The nodes whose hierarchies or data are invalid on one side only.
    pub broken: Vec<FailingNodes>,
    /// The nodes whose hierarchies are invalid on both sides with the same error. They are not compared.
    pub failing: Vec<FailingNodes>,
    /// The keys that fail on both sides with the same message, on some node. Changes of their values are unknown.
    pub failing_keys: BTreeSet<Str>,
}

/// The changes that affect the same nodes.
#[derive(Debug)]
pub struct Group<C> {
    /// The indexes of the nodes in the compared list, sorted.
    pub nodes: Vec<usize>,
    /// The changes. Keys are sorted; resources have the order of the catalog.
    pub changes: Vec<C>,
}

/// A changed answer of a key.
#[derive(Debug)]
pub struct KeyDelta {
    /// The key.
    pub key: Str,
    /// The answers of both sides. Secrets are not redacted: show [`parts`](Self::parts) instead.
    pub answers: Diff<Answer>,
    /// The parts that differ. Empty if there were too many changes to compute the parts of each.
    pub parts: Vec<Part>,
    /// The causes.
    pub causes: Vec<Cause>,
    /// Whether the answers are those of the first node only: the data is the same for all nodes, but interpolates their
    /// facts.
    pub varies: bool,
}

/// Nodes that fail on a side: their hierarchies or data are invalid, or their catalogs do not compile.
#[derive(Debug, PartialEq, Eq)]
pub struct FailingNodes {
    /// The indexes of the nodes in the compared list.
    pub nodes: Vec<usize>,
    /// The error on each side. `None` for a side without an error.
    pub reasons: Diff<Option<String>>,
}

/// Returns the keys of nodes whose answers differ between two environments.
///
/// The environments are two states of one environment: the files of one side are a patch of the files of the other, and
/// it was [opened beside](Environment::open_beside) the other. Each file is read once (`Settings::once`).
pub fn compare_answers(
    environments: Diff<&Environment>,
    nodes: &[Subject],
    options: &Options<'_>,
    redactor: &Redactor,
) -> AnswerReport {
    if options.changed.is_empty() && nodes.iter().all(|subject| subject.head.is_none()) {
        let failing = failing_on_both(environments, nodes, options);
        return AnswerReport { nodes: nodes.len(), failing, ..AnswerReport::default() };
    }
    let scope = ChangeScope::new(environments, nodes, options);
    // Files that most nodes read stay cached; the file of a single node is not needed again.
    environments.into_iter().for_each(|side| side.keep(MOST_SOURCES));
    let plans = Plans::new(environments, options);
    let open = |subject: &Subject| NodePair::open(environments, subject);
    let found = Mutex::new(ChangeCollector::new(options.most_variants));
    options.progress.begin("comparing nodes", nodes.len());
    let classes: Vec<NodeClasses> = nodes
        .par_iter()
        .enumerate()
        .map(|(index, subject)| {
            options.progress.step();
            if options.has_ended() {
                return NodeClasses::default();
            }
            let head = match scope.for_node(subject, environments, options) {
                NodeScope::Unaffected => return NodeClasses::default(),
                NodeScope::Failing(reason) => return NodeClasses { failing: Some(reason), ..NodeClasses::default() },
                NodeScope::Affected(head) => head,
            };
            match NodePair::with(environments, subject, head.map(|head| *head)) {
                Ok(pair) => classify(&pair, index, &plans, &found, options),
                Err(errors) => NodeClasses::without(Reasons::from_errors(errors)),
            }
        })
        .collect();
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut broken: BTreeMap<Diff<Option<String>>, Vec<usize>> = BTreeMap::new();
    let mut failing: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut kinds: HashSet<Vec<usize>> = HashSet::default();
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); found.classes()];
    for (index, classes_of_node) in classes.into_iter().enumerate() {
        if let Some(reasons) = classes_of_node.broken {
            broken.entry(reasons).or_default().push(index);
        }
        if let Some(reason) = classes_of_node.failing {
            failing.entry(reason).or_default().push(index);
        }
        for class in &classes_of_node.classes {
            members.get_mut(*class).into_iter().for_each(|class| class.push(index));
        }
        if !classes_of_node.classes.is_empty() {
            kinds.insert(classes_of_node.classes);
        }
    }
    for (class, reasons) in &found.broken {
        broken.entry(reasons.clone()).or_default().extend(members.get(*class).into_iter().flatten());
    }
    let failing_keys = found.failing.clone();
    let all = found.changes(&members);
    // Many changes are shown as they are on the same few nodes.
    let shown: Mutex<GenerationalCache<usize, Option<Arc<NodePair>>>> = Mutex::new(GenerationalCache::new(MOST_OPEN));
    let opened = |index: usize, subject: &Subject| {
        let known = || shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(&index) {
            return known;
        }
        let pair = open(subject).ok().map(Arc::new);
        known().get_or_insert_with(index, || pair)
    };
    options.progress.begin("finding causes", all.len());
    let changes: Vec<(Vec<usize>, KeyDelta)> = all
        .into_par_iter()
        .enumerate()
        .map(|(index, TouchedKey { key, answers, touched, varies })| {
            options.progress.step();
            let subject = touched.first().and_then(|first| Some((*first, nodes.get(*first)?)));
            let pair = subject
                .filter(|_| index < options.most_details && !options.has_ended())
                .and_then(|(first, subject)| opened(first, subject));
            let (parts, causes) = pair.map(|pair| details(&pair, &key, options, redactor)).unwrap_or_default();
            (touched, KeyDelta { key, answers, parts, causes, varies })
        })
        .collect();
    environments.into_iter().for_each(|side| side.keep(usize::MAX));
    let groups: Vec<Group<KeyDelta>> =
        group_by_nodes(changes).into_iter().map(|(nodes, changes)| Group { nodes, changes }).collect();
    let failing = if groups.is_empty() && broken.is_empty() && failing.is_empty() {
        failing_on_both(environments, nodes, options)
    } else {
        failing.into_iter().map(|(reason, nodes)| both_fail(nodes, reason)).collect()
    };
    let broken = broken.into_iter().map(|(reasons, mut nodes)| {
        nodes.sort_unstable();
        FailingNodes { nodes, reasons }
    });
    let broken = broken.collect();
    AnswerReport { nodes: nodes.len(), classes: kinds.len(), groups, broken, failing, failing_keys }
}

/// Nodes that fail on both sides for a reason.
fn both_fail(nodes: Vec<usize>, reason: String) -> FailingNodes {
    FailingNodes { nodes, reasons: Diff { base: Some(reason.clone()), head: Some(reason) } }
}

/// The nodes that cannot be looked up on either side for the same reason, where no answer changes. A hierarchy that
/// cannot be used usually fails for all nodes, so the others are only tried if the first one fails.
fn failing_on_both(environments: Diff<&Environment>, nodes: &[Subject], options: &Options<'_>) -> Vec<FailingNodes> {
    let reason = |subject: &Subject| -> Option<String> {
        let problem = |environment: &Environment, facts: &Facts| -> Option<String> {
            let node = environment.node(facts);
            match node.and_then(|node| node.dependencies(&options.budget())) {
                Ok(dependencies) => fault_of_all_lookups(&dependencies).map(ToString::to_string),
                Err(error) => Some(error.to_string()),
            }
        };
        let reason = problem(environments.head, subject.head_facts())?;
        (problem(environments.base, &subject.base)? == reason).then_some(reason)
    };
    let Some((first, others)) = nodes.split_first() else { return Vec::new() };
    let Some(of_first) = reason(first) else { return Vec::new() };
    let mut failing: BTreeMap<String, Vec<usize>> = BTreeMap::from([(of_first, vec![0])]);
    let of_others: Vec<Option<String>> =
        others.par_iter().map(|subject| if options.has_ended() { None } else { reason(subject) }).collect();
    for (index, reason) in of_others.into_iter().enumerate() {
        if let Some(reason) = reason {
            failing.entry(reason).or_default().push(index + 1);
        }
    }
    failing.into_iter().map(|(reason, nodes)| both_fail(nodes, reason)).collect()
}

/// Groups changes by the nodes that they affect. Groups with the most nodes are first.
pub fn group_by_nodes<T>(changes: impl IntoIterator<Item = (Vec<usize>, T)>) -> Vec<(Vec<usize>, Vec<T>)> {
    let mut groups: BTreeMap<Vec<usize>, Vec<T>> = BTreeMap::new();
    for (touched, change) in changes {
        groups.entry(touched).or_default().push(change);
    }
    let mut groups: Vec<(Vec<usize>, Vec<T>)> = groups.into_iter().collect();
    groups.sort_erased_by(|(one, _), (other, _)| (other.len(), one).cmp(&(one.len(), other)));
    groups
}

/// The most nodes that stay open to compute the parts of changes.
const MOST_OPEN: usize = 64;

/// To which classes a node belongs.
#[derive(Default)]
struct NodeClasses {
    /// The ids of the classes, one for each question, sorted. Empty if no answer can change.
    classes: Vec<usize>,
    /// The reason why hierarchies or data cannot be used on either side, if that is not the same on both.
    broken: Option<Diff<Option<String>>>,
    /// The reason why hierarchies cannot be used on both sides.
    failing: Option<String>,
}

impl NodeClasses {
    /// A node without lookups.
    fn without(reasons: Reasons) -> NodeClasses {
        let Reasons { broken, failing } = reasons;
        NodeClasses { classes: Vec::new(), broken, failing }
    }
}

/// Finds the classes of a node. The first node of a class is looked up at once, while it is open.
fn classify(
    pair: &NodePair,
    index: usize,
    plans: &Plans,
    found: &Mutex<ChangeCollector>,
    options: &Options<'_>,
) -> NodeClasses {
    let plan = plans.plan(pair, index, options);
    let locked = || found.lock().unwrap_or_else(PoisonError::into_inner);
    let mut classes = Vec::with_capacity(plan.questions.len() + plan.shared.len() + 1);
    let of_options = OnceCell::new();
    let of_options = || of_options.get_or_init(|| plan.broken_options(pair, options));
    if let Some(question) = &plan.probes {
        let (class, is_new) = locked().class(question.fingerprint);
        classes.push(class);
        if is_new {
            let reasons = of_options().clone();
            locked().broken.extend(reasons.map(|reasons| (class, reasons)));
        }
    }
    let is_reported = |answer: &Answer| match answer {
        Answer::Error(message) => {
            plan.is_data_error(answer)
                || of_options().iter().flat_map(Diff::as_ref).flatten().any(|reason| reason == message)
        }
        _ => false,
    };
    let look_up = |class: usize, data_fingerprint: Option<Fingerprint>, keys: &mut dyn Iterator<Item = &Str>| {
        let both = |key| pair.nodes.as_ref().map(|node| Answer::look_up(node, key, options.budget()));
        let changes = keys.take_while(|_| !options.has_ended()).map(|key| (key, both(key)));
        let (failing, changes): (Vec<_>, Vec<_>) = changes
            .filter(|(_, answers)| !answers.is_same() || matches!(answers.head, Answer::Error(_)))
            .partition(|(_, answers)| answers.is_same());
        let changes: Vec<_> =
            changes.into_iter().filter(|(_, answers)| !answers.as_ref().into_iter().any(is_reported)).collect();
        let mut found = locked();
        found.failing.extend(failing.into_iter().map(|(key, _)| key.clone()));
        for (key, answers) in changes {
            found.add(key, data_fingerprint, answers, class, index);
        }
    };
    for Question { fingerprint, data_fingerprint, keys } in &plan.questions {
        let (class, is_new) = locked().class(*fingerprint);
        classes.push(class);
        if is_new {
            look_up(class, *data_fingerprint, &mut keys.iter());
        }
    }
    let register = |mut found: MutexGuard<'_, ChangeCollector>| -> Vec<_> {
        plan.shared.iter().map(|shared| (shared, found.register(shared, index))).collect()
    };
    for (shared, (class, places)) in register(locked()) {
        classes.push(class);
        if !places.is_empty() {
            let mut keys = places.iter().map(|place| &shared.group.keys[*place]);
            look_up(class, Some(shared.group.data_fingerprint), &mut keys);
        }
    }
    classes.sort_unstable();
    NodeClasses { classes, broken: plan.broken, failing: plan.failing }
}

/// The parts of the answers of a node that differ, and the causes.
fn details(pair: &NodePair, key: &str, options: &Options<'_>, redactor: &Redactor) -> (Vec<Part>, Vec<Cause>) {
    let quoted = quoted_key(key);
    let query =
        || Query { names: vec![&quoted], budget: options.budget(), conceal: options.conceal, ..Query::default() };
    let traced = |node: &Node| -> Option<Result<Object, String>> {
        match node.lookup_traced(&query()) {
            Ok(answer) => Some(Ok(answer.value)),
            Err(error) if error.code() == Node::NOT_FOUND => None,
            Err(error) => Some(Err(redactor.message(&error.to_string()).into_owned())),
        }
    };
    let answers = pair.nodes.as_ref().map(traced);
    // A node whose options cannot be used has no answer whose arrays could be compared.
    let arrays = |node: &Node| Arrays::of_answer(node, &query()).unwrap_or_default();
    let arrays = || Arrays::of_both(pair.nodes.as_ref().map(arrays));
    let parts = differences(answers.as_ref().map(Option::as_ref), arrays, redactor);
    let changed = CauseFinder { has_other_facts: pair.has_other_facts, options };
    let causes = changed.causes(pair, key, &parts);
    (parts, causes)
}
