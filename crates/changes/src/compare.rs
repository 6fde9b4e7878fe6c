//! [`compare`]: two states of an environment, for all nodes that matter.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use hieratic::powers::Budget;
use hieratic::{Environment, Facts, Limits, Mask, Node, Object, Query, quoted_key};
use hieratic_value::Str;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::answers::Answer;
use crate::cause::{Cause, Changed};
use crate::classes::{Class, Pair, Plan, Plans, told};
use crate::parts::{Part, differences};

/// One of the two states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The one that is compared with.
    Base,
    /// The one that is asked about.
    Head,
}

/// A node that matters, with its facts on both sides.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name.
    pub name: String,
    /// Its facts before.
    pub base: Facts,
    /// Its facts now, if they are others.
    pub head: Option<Facts>,
}

/// What is compared, and how.
pub struct Options<'o> {
    /// The files that changed, absolute.
    pub changed: &'o BTreeSet<PathBuf>,
    /// Which keys are meant.
    pub wanted: &'o (dyn Fn(&str) -> bool + Sync),
    /// Keys that no data file need have: class parameters, which functions may answer.
    pub extra: &'o [Str],
    /// What one answer may cost.
    pub limits: Limits,
    /// How many changes get parts and causes; the others are only listed.
    pub most_details: usize,
}

/// What a change does.
#[derive(Debug, Default)]
pub struct Report {
    /// How many nodes were compared.
    pub nodes: usize,
    /// How many of them were asked, since the others are like them or out of reach.
    pub classes: usize,
    /// The changes, by the nodes that they touch: the most nodes first.
    pub groups: Vec<Group>,
    /// The nodes whose hierarchies or data cannot be used any more, or can be used again.
    pub broken: Vec<Broken>,
}

/// The changes that touch the same nodes.
#[derive(Debug)]
pub struct Group {
    /// The nodes, as numbers into the list that was compared; sorted.
    pub nodes: Vec<usize>,
    /// The changes, by key.
    pub changes: Vec<Change>,
}

/// A key with another answer.
#[derive(Debug)]
pub struct Change {
    /// The key.
    pub key: Str,
    /// The answer before and now. What is secret is not covered: show [`parts`](Self::parts) instead.
    pub answers: [Answer; 2],
    /// What differs in them; none if there were too many changes to look at each.
    pub parts: Vec<Part>,
    /// Why.
    pub causes: Vec<Cause>,
}

/// Nodes whose hierarchies or data cannot be used on a side.
#[derive(Debug, PartialEq, Eq)]
pub struct Broken {
    /// The nodes, as numbers into the list that was compared.
    pub nodes: Vec<usize>,
    /// The reason before and now; none where they can be used.
    pub reasons: [Option<String>; 2],
}

/// The changed answers of a class of nodes.
#[derive(Default)]
struct Answered {
    changes: Vec<(Str, [Answer; 2])>,
    broken: Option<[Option<String>; 2]>,
}

/// A key with its answers on both sides, and the nodes that get them.
type Found = BTreeMap<Str, Vec<([Answer; 2], Vec<usize>)>>;

/// Tells which keys of which nodes have other answers in the second environment than in the first.
///
/// The environments are two states of one: the second was [opened beside](Environment::open_beside) the first or the first beside the
/// second, each file being looked at once (`Settings::once`).
pub fn compare(environments: [&Environment; 2], nodes: &[Subject], options: &Options<'_>, mask: &Mask) -> Report {
    if options.changed.is_empty() && nodes.iter().all(|subject| subject.head.is_none()) {
        return Report { nodes: nodes.len(), ..Report::default() };
    }
    let plans = Plans::new(options);
    let open = |subject: &Subject| Pair::open(environments, subject);
    let classes: Vec<Class> = nodes
        .par_iter()
        .enumerate()
        .map(|(index, subject)| match open(subject) {
            Ok(pair) => plans.class_of(&pair, index, options),
            Err(errors) => Class::silent(told(errors)),
        })
        .collect();
    let mut broken: BTreeMap<[Option<String>; 2], Vec<usize>> = BTreeMap::new();
    let mut members: FxHashMap<u128, (Vec<usize>, _)> = FxHashMap::default();
    for (index, class) in classes.into_iter().enumerate() {
        if let Some(reasons) = class.broken {
            broken.entry(reasons).or_default().push(index);
        }
        if let Some((number, plan)) = class.asked {
            members.entry(number).or_insert_with(|| (Vec::new(), plan)).0.push(index);
        }
    }
    let mut members: Vec<(Vec<usize>, Arc<OnceLock<Plan>>)> = members.into_values().collect();
    members.sort_by(|one, other| one.0.cmp(&other.0));
    let count = members.len();
    let answered: Vec<Answered> = members
        .par_iter()
        .map(|(nodes_of, plan)| {
            let Some(plan) = plan.get() else { return Answered::default() };
            // A class has at least one node, which could be opened before.
            let Some(Ok(pair)) = nodes_of.first().and_then(|first| nodes.get(*first)).map(open) else {
                return Answered::default();
            };
            let both = |key: &Str| [&pair.base, &pair.head].map(|node| Answer::of(node, key, options.limits));
            let all = plan.keys.iter().map(|key| (key.clone(), both(key)));
            let is_told = |[base, head]: &[Answer; 2]| base != head && !plan.is_of_data(base) && !plan.is_of_data(head);
            let broken = plan.broken_options(&pair, options.limits);
            let is_of_options = |answer: &Answer| match (answer, &broken) {
                (Answer::Fault(message), Some(reasons)) => reasons.iter().flatten().any(|reason| reason == message),
                _ => false,
            };
            let changes = all.filter(|(_, answers)| is_told(answers) && !answers.iter().any(is_of_options)).collect();
            Answered { changes, broken }
        })
        .collect();
    let mut found: Found = BTreeMap::new();
    let mut known: FxHashMap<(Str, [Answer; 2]), usize> = FxHashMap::default();
    for ((nodes_of, _), answered) in members.iter().zip(answered) {
        if let Some(reasons) = answered.broken {
            broken.entry(reasons).or_default().extend(nodes_of);
        }
        for (key, answers) in answered.changes {
            let of_key = found.entry(key.clone()).or_default();
            let index = *known.entry((key, answers.clone())).or_insert_with(|| {
                of_key.push((answers, Vec::new()));
                of_key.len() - 1
            });
            if let Some((_, touched)) = of_key.get_mut(index) {
                touched.extend(nodes_of);
            }
        }
    }
    let mut all: Vec<(Str, [Answer; 2], Vec<usize>)> = Vec::new();
    for (key, changes) in found {
        for (answers, mut touched) in changes {
            touched.sort_unstable();
            all.push((key.clone(), answers, touched));
        }
    }
    let changes: Vec<(Vec<usize>, Change)> = all
        .into_par_iter()
        .enumerate()
        .map(|(index, (key, answers, touched))| {
            let subject = touched.first().and_then(|first| nodes.get(*first));
            let (parts, causes) = match subject.filter(|_| index < options.most_details) {
                Some(subject) => details(subject, open(subject), &key, options, mask),
                None => Default::default(),
            };
            (touched, Change { key, answers, parts, causes })
        })
        .collect();
    let mut groups: BTreeMap<Vec<usize>, Vec<Change>> = BTreeMap::new();
    for (touched, change) in changes {
        groups.entry(touched).or_default().push(change);
    }
    let mut groups: Vec<Group> = groups.into_iter().map(|(nodes, changes)| Group { nodes, changes }).collect();
    groups.sort_by(|one, other| (other.nodes.len(), &one.nodes).cmp(&(one.nodes.len(), &other.nodes)));
    let sorted = |mut nodes: Vec<usize>| {
        nodes.sort_unstable();
        nodes
    };
    let broken = broken.into_iter().map(|(reasons, nodes)| Broken { nodes: sorted(nodes), reasons }).collect();
    Report { nodes: nodes.len(), classes: count, groups, broken }
}

/// What differs in the answers of one node, and why.
fn details(
    subject: &Subject,
    pair: Result<Pair, [Option<hieratic::Error>; 2]>,
    key: &str,
    options: &Options<'_>,
    mask: &Mask,
) -> (Vec<Part>, Vec<Cause>) {
    let Ok(pair) = pair else { return Default::default() };
    let quoted = quoted_key(key);
    let traced = |node: &Node| -> Option<Result<Object, String>> {
        let query = Query { names: vec![&quoted], budget: Budget::new(options.limits), ..Query::default() };
        match node.lookup_traced(&query) {
            Ok(answer) => Some(Ok(answer.value)),
            Err(error) if error.code() == Node::NOT_FOUND => None,
            Err(error) => Some(Err(mask.message(&error.to_string()).into_owned())),
        }
    };
    let [base, head] = [traced(&pair.base), traced(&pair.head)];
    let parts = differences([base.as_ref(), head.as_ref()], mask);
    let changed = Changed { paths: options.changed, has_other_facts: subject.head.is_some(), limits: options.limits };
    let causes = changed.causes(&pair, key, &parts);
    (parts, causes)
}
