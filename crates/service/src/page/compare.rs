//! Two nodes, two environments, or two revisions, side by side. Neither side is better, so differences are not marked
//! as losses.

use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use hieratic::Value;
use hieratic::budget::Budget;
use hieratic::dependencies::AccessLog;
use hieratic::value::ErasedSort as _;
use hieratic_impact::{Arrays, Diff, Part, differences_of_leaves};
use hieratic_report::pages::marked;
use hieratic_report::{part_path, yaml_text};
use maud::{Markup, html};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::frame::with_status;
use super::{
    FileLinks, Head, Page, chosen, environment_choice, fault, framed, key_address, link, scrolling, value, visible,
};
use crate::chosen_facts::ChosenFacts;
use crate::lookups::{KeyRow, NodeContext, PartedValue};
use crate::nodes::NodeSelector;
use crate::problem::Problem;
use crate::{Service, Shared, changes, history, limits, lookups, suggestions};

/// The maximum number of keys that are looked up on each side.
const MAX_KEYS: usize = 20_000;

/// The maximum number of differences on the page.
const MAX_ROWS: usize = 500;

/// The maximum number of differing facts that are shown expanded.
const MAX_EXPANDED_FACTS: usize = 8;

/// The maximum number of differing facts on the page.
const MAX_FACTS: usize = 300;

#[derive(Deserialize, Default, Clone)]
#[serde(default)]
pub(crate) struct CompareQuery {
    left_environment: String,
    left: String,
    left_revision: String,
    right_environment: String,
    right: String,
    right_revision: String,
    search: String,
    /// The kind of difference to show; all kinds if empty.
    only: String,
}

/// A side of the comparison. The revision is empty for the files as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ComparedSide {
    environment: String,
    node: String,
    revision: String,
}

/// The keys whose values differ.
pub(crate) async fn compare(State(service): State<Shared>, Query(query): Query<CompareQuery>) -> Response {
    let outcome = limits::work(&service, move |service, budget| {
        let left = ComparedSide {
            environment: chosen(service, query.left_environment.clone()),
            node: query.left.clone(),
            revision: query.left_revision.clone(),
        };
        let or_left = |own: &String, left: &String| if own.is_empty() { left.clone() } else { own.clone() };
        let right = ComparedSide {
            environment: or_left(&query.right_environment, &left.environment),
            node: or_left(&query.right, &left.node),
            revision: query.right_revision.clone(),
        };
        let sides = [left, right];
        let compared =
            if sides[0].node.is_empty() { None } else { Some(Comparison::new(service, &sides, &query.search, budget)) };
        let body = html! {
            (form(service, &query, &sides, budget))
            @match &compared {
                Some(Ok(_)) if sides[0] == sides[1] => p { "Both sides are the same: name another node, environment or revision." },
                Some(Ok(comparison)) => {
                    (comparison.counts(&query.search, DifferenceKind::from_name(&query.only)))
                    (comparison.facts())
                    (comparison.shown(DifferenceKind::from_name(&query.only)))
                },
                Some(Err(problem)) => (fault(problem)),
                None => {
                    p { "The values of two nodes, or of one node in two environments or at two revisions." }
                    p.dim { "Leave the second node empty to compare the same node. " a href="/changes" { "Changes" } " compares revisions for all nodes." }
                },
            }
        };
        let title = match &compared {
            Some(Ok(comparison)) if sides[0] != sides[1] => comparison.titles.join(" and "),
            _ => "Compare".to_string(),
        };
        let description = "Two nodes, environments or revisions side by side.".to_string();
        let page = framed(&Head { at: "/compare", description, ..Head::new(&title) }, &body);
        Ok((page, compared.and_then(Result::err)))
    });
    match outcome.await {
        Ok((page, problem)) => with_status(page, problem.as_ref()),
        Err(problem) => Page(Err(problem)).into_response(),
    }
}

fn form(service: &Service, query: &CompareQuery, sides: &[ComparedSide; 2], budget: &Budget) -> Markup {
    let environments = service.nodes.environments.names();
    // Suggestions help to fill the form: it works without them.
    let names = service.names().unwrap_or_default();
    let revisions = changes::revisions(service, &sides[0].environment, 20, budget).unwrap_or_default();
    let [left, right] = sides;
    html! {
        form.compare action="/compare" {
            fieldset {
                legend { "Left" }
                (environment_choice("Environment", "left_environment", &environments, &left.environment))
                label { "Node" input name="left" value=(query.left) required list="node-names"; }
                label { "Revision" input name="left_revision" value=(query.left_revision) placeholder="the files" list="revisions"; }
            }
            fieldset {
                legend { "Right" }
                (environment_choice("Environment", "right_environment", &environments, &right.environment))
                label { "Node" input name="right" value=(query.right) placeholder="the same" list="node-names"; }
                label { "Revision" input name="right_revision" value=(query.right_revision) placeholder="the files" list="revisions"; }
            }
            label { "Keys that contain" input type="search" name="search" value=(query.search); }
            button { "Compare" }
        }
        datalist #node-names { @for name in names.iter().take(1000) { option value=(name) {} } }
        datalist #revisions {
            @for row in revisions.branches.iter().take(50) { option value=(row.branch.name) {} }
            @for row in &revisions.commits { option value=(row.commit.short()) { (row.author.summary) } }
        }
    }
}

/// The redacted value of a key with the places of its parts, or the message of the error.
type KeyAnswer = Result<PartedValue, String>;

/// Returns the parts in which two answers differ. The arrays that a merge made on both sides are sets.
fn differing_parts(answers: Diff<Option<&KeyAnswer>>) -> Vec<Part> {
    let arrays = answers.map(|answer| answer.and_then(|answer| answer.as_ref().ok()).map(|value| value.arrays));
    let leaves =
        answers.map(|answer| answer.map(|answer| answer.as_ref().map(PartedValue::leaves).map_err(String::clone)));
    differences_of_leaves(leaves.as_ref().map(Option::as_ref), Arrays::of_both(arrays.map(Option::unwrap_or_default)))
}

/// Returns whether a part is an element of a set, which has no place in an order.
fn is_element(part: &Part) -> bool {
    part.moved_from.is_none() && part_path(&part.path) == "[]"
}

/// Returns whether two answers show the same. Redacted values are equal if their redacted forms are. Sets in another order
/// differ, as in the report of a change: their elements have moved.
fn is_same(one: &KeyAnswer, other: &KeyAnswer) -> bool {
    match (one, other) {
        (Ok(one), Ok(other)) => one.value == other.value,
        (Err(one), Err(other)) => one == other,
        _ => false,
    }
}

/// Returns the keys with equal answers on both sides, as far as the nodes remember theirs: the parts of these values need not be
/// known.
fn equal_keys(service: &Service, sides: &[ComparedSide; 2], budget: &Budget) -> Result<HashSet<String>, Problem> {
    if sides.iter().any(|side| !side.revision.is_empty()) {
        return Ok(HashSet::new());
    }
    let rows = |side: &ComparedSide| {
        let selector = NodeSelector::Stored(side.node.clone());
        let ask = |subject: &NodeContext<'_>| lookups::key_rows(subject);
        let found = service.nodes.ask(&side.environment, &selector, budget, &ask);
        found.map_err(|problem| suggestions::of_node(service, &side.environment, &side.node, problem))?
    };
    let (left, right) = (rows(&sides[0])?, rows(&sides[1])?);
    let of_right: HashMap<&str, &KeyRow> = right.rows.iter().map(|row| (row.key.as_str(), row)).collect();
    let is_equal = |row: &&KeyRow| of_right.get(row.key.as_str()).is_some_and(|other| other.answer == row.answer);
    Ok(left.rows.iter().filter(is_equal).map(|row| row.key.clone()).collect())
}

/// Returns the values of all keys of a side but some, of which the number is returned, too.
fn everything(
    service: &Service,
    side: &ComparedSide,
    search: &str,
    left_out: &HashSet<String>,
    budget: &Budget,
) -> Result<(BTreeMap<String, KeyAnswer>, usize), Problem> {
    let selector = NodeSelector::Stored(side.node.clone());
    let found = service.nodes.ask(&side.environment, &selector, budget, &|node| {
        let (keys, more) = lookups::keys(node, search, None, MAX_KEYS)?;
        let all = keys.len();
        let values = keys.into_iter().filter(|key| !left_out.contains(key)).map(|key| {
            let answer = lookups::parted_answer(node, &key);
            (key, answer)
        });
        let values: BTreeMap<_, _> = values.collect();
        let skipped = all - values.len();
        Ok::<_, Problem>((values, skipped, more))
    });
    let found = found.map_err(|problem| suggestions::of_node(service, &side.environment, &side.node, problem));
    let (now, skipped, more) = found??;
    if more {
        return Err(Problem::bad_request(format!("there are more than {MAX_KEYS} keys"))
            .help("restrict the keys with a search string"));
    }
    if side.revision.is_empty() {
        return Ok((now, skipped));
    }
    changes::check_name("revision", &side.revision)?;
    let is_secret = |key: &str| now.get(key).is_some_and(|answer| answer.as_ref().is_ok_and(is_redacted));
    let then = history::answers_at(service, &side.environment, &side.node, &side.revision, search, &is_secret, budget)?;
    Ok((then, skipped))
}

fn is_redacted(value: &PartedValue) -> bool {
    value.value.to_string().contains(hieratic::value::text::REDACTED)
}

/// The kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DifferenceKind {
    Changed,
    Left,
    Right,
}

impl DifferenceKind {
    const ALL: [DifferenceKind; 3] = [DifferenceKind::Changed, DifferenceKind::Left, DifferenceKind::Right];

    fn name(self) -> &'static str {
        match self {
            DifferenceKind::Changed => "changed",
            DifferenceKind::Left => "left",
            DifferenceKind::Right => "right",
        }
    }

    fn from_name(name: &str) -> Option<DifferenceKind> {
        DifferenceKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    fn from_values(values: &[Option<KeyAnswer>; 2]) -> DifferenceKind {
        match values {
            [Some(_), None] => DifferenceKind::Left,
            [None, Some(_)] => DifferenceKind::Right,
            _ => DifferenceKind::Changed,
        }
    }
}

/// The keys whose values differ, and how many do not.
struct Differences {
    rows: Vec<(String, [Option<KeyAnswer>; 2])>,
    same: usize,
}

impl Differences {
    fn between(left: BTreeMap<String, KeyAnswer>, mut right: BTreeMap<String, KeyAnswer>) -> Differences {
        let mut differences = Differences { rows: Vec::new(), same: 0 };
        for (key, value) in left {
            match right.remove(&key) {
                Some(other) if is_same(&other, &value) => differences.same += 1,
                other => differences.rows.push((key, [Some(value), other])),
            }
        }
        differences.rows.extend(right.into_iter().map(|(key, value)| (key, [None, Some(value)])));
        differences.rows.sort_erased_by(|(one, _), (other, _)| one.cmp(other));
        differences
    }
}

/// A fact with its value on both sides.
type FactPair = (String, [Option<String>; 2]);

/// A comparison with all that its page shows.
struct Comparison {
    sides: [ComparedSide; 2],
    titles: [String; 2],
    links: [FileLinks; 2],
    differences: Differences,
    /// The facts that differ, chosen facts first; empty if both sides are the same node.
    facts: Vec<FactPair>,
}

impl Comparison {
    fn new(service: &Service, sides: &[ComparedSide; 2], search: &str, budget: &Budget) -> Result<Comparison, Problem> {
        let equal = equal_keys(service, sides, budget)?;
        let (left, same) = everything(service, &sides[0], search, &equal, budget)?;
        let (right, _) = everything(service, &sides[1], search, &equal, budget)?;
        let mut differences = Differences::between(left, right);
        differences.same += same;
        let links = |side: &ComparedSide| -> Result<FileLinks, Problem> {
            let (opened, _) = service.nodes.environments.get(&side.environment)?;
            let links = FileLinks::new(&opened.environment.layers().environment.root);
            // The lines of a revision may be others in the files as they are.
            Ok(if side.revision.is_empty() { links.with_pages(&side.environment, &side.node) } else { links })
        };
        Ok(Comparison {
            titles: titles(sides),
            links: [links(&sides[0])?, links(&sides[1])?],
            differences,
            facts: differing_facts(service, sides)?,
            sides: sides.clone(),
        })
    }

    fn address(&self, only: &str, search: &str) -> String {
        let [left, right] = &self.sides;
        let pairs = [
            ("left_environment", left.environment.as_str()),
            ("left", &left.node),
            ("left_revision", &left.revision),
            ("right_environment", &right.environment),
            ("right", &right.node),
            ("right_revision", &right.revision),
            ("search", search),
            ("only", only),
        ];
        let pairs: Vec<(&str, &str)> = pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect();
        link("/compare", &pairs)
    }

    /// Renders the number of keys with each kind of difference, each as a link to these keys.
    fn counts(&self, search: &str, only: Option<DifferenceKind>) -> Markup {
        let Differences { rows, same } = &self.differences;
        let count = |kind: DifferenceKind| {
            rows.iter().filter(|(_, values)| DifferenceKind::from_values(values) == kind).count()
        };
        html! {
            p { strong { (rows.len()) } " of " (rows.len() + same) " keys differ." }
            ul.tools {
                li { a href=(self.address("", search)) aria-current=[only.is_none().then_some("true")] { "All (" (rows.len()) ")" } }
                @for kind in DifferenceKind::ALL {
                    li {
                        a href=(self.address(kind.name(), search)) aria-current=[(only == Some(kind)).then_some("true")] {
                            @match kind {
                                DifferenceKind::Changed => "Different values",
                                DifferenceKind::Left => { "Only " (self.titles[0]) },
                                DifferenceKind::Right => { "Only " (self.titles[1]) },
                            }
                            " (" (count(kind)) ")"
                        }
                    }
                }
            }
        }
    }

    /// Renders the facts that differ.
    fn facts(&self) -> Markup {
        if self.facts.is_empty() {
            return html! {};
        }
        let table = |facts: &[FactPair]| {
            scrolling(
                "Facts that differ",
                &html! {
                    table.versus {
                        thead { tr { th scope="col" { "Fact" } @for title in &self.titles { th scope="col" { (title) } } } }
                        tbody {
                            @for (name, values) in facts {
                                tr { th scope="row" { code { (name) } } @for (side, value) in values.iter().enumerate() { td data-title=(self.titles[side]) { @match value { Some(value) => code { (value) }, None => span.dim { "not there" } } } } }
                            }
                        }
                    }
                },
            )
        };
        let (first, rest) = self.facts.split_at(self.facts.len().min(MAX_EXPANDED_FACTS));
        html! {
            h2 { "Facts that differ" }
            (table(first))
            @if !rest.is_empty() { details.fold { summary { (rest.len()) " more" } (table(rest)) } }
            h2 { "Keys that differ" }
        }
    }

    fn shown(&self, only: Option<DifferenceKind>) -> Markup {
        let is_shown =
            |values: &[Option<KeyAnswer>; 2]| only.is_none_or(|only| DifferenceKind::from_values(values) == only);
        let rows: Vec<_> = self.differences.rows.iter().filter(|(_, values)| is_shown(values)).collect();
        html! {
            @if rows.len() > MAX_ROWS { p.dim { "The first " (MAX_ROWS) " are shown: restrict the keys with a search string." } }
            @if !rows.is_empty() {
                (scrolling("Keys that differ", &html! {
                    table.versus {
                        thead { tr { th scope="col" { "Key" } @for title in &self.titles { th scope="col" { (title) } } } }
                        @for (key, values) in rows.iter().take(MAX_ROWS) { (self.key(key, values)) }
                    }
                }))
            }
        }
    }

    fn key_page(&self, side: usize, key: &str) -> Option<String> {
        let side = &self.sides[side];
        // The page of a key shows the files as they are.
        side.revision.is_empty().then(|| key_address(&side.environment, &side.node, key))
    }

    /// The rows of a key: one for each part that differs.
    fn key(&self, key: &str, values: &[Option<KeyAnswer>; 2]) -> Markup {
        let first = usize::from(values[0].is_none());
        let heading = html! {
            @match self.key_page(first, key).or_else(|| self.key_page(1 - first, key)) {
                Some(address) => a href=(address) { code { (visible(key)) } },
                None => code { (visible(key)) },
            }
        };
        let parts = differing_parts(Diff { base: values[0].as_ref(), head: values[1].as_ref() });
        let is_whole = values.iter().any(Option::is_none) || parts.is_empty();
        html! {
            tbody.key-rows {
                @if is_whole {
                    tr { th scope="row" { (heading) } @for (side, value) in values.iter().enumerate() { td data-title=(self.titles[side]) { (self.whole(side, value.as_ref())) } } }
                } @else {
                    @let (elements, others): (Vec<_>, Vec<_>) = parts.iter().take(MAX_PARTS).partition(|part| is_element(part));
                    @if !elements.is_empty() {
                        tr {
                            th scope="row" { (heading) div.part { "elements" } }
                            @for side in 0..2 { td data-title=(self.titles[side]) { (self.elements(side, &elements)) } }
                        }
                    }
                    @for (index, run) in others.chunk_by(|one, other| are_neighbors(one, other)).enumerate() {
                        @let index = index + usize::from(!elements.is_empty());
                        @let part = run[0];
                        @if let [first, .., last] = run {
                            tr {
                                th scope="row" { @if index == 0 { (heading) } div.part { code { (part_path(&first.path)) } " to " code { (part_path(&last.path)) } } }
                                @for side in 0..2 {
                                    td data-title=(self.titles[side]) { (self.run(side, run)) }
                                }
                            }
                        } @else {
                        @let path = match &part.moved_from {
                            Some(from) => format!("{} and {}", part_path(from), part_path(&part.path)),
                            None => part_path(&part.path),
                        };
                        @let texts = part.values.as_ref().map(|found| found.as_ref().map(|found| yaml_text(&found.value)));
                        @let shown = match (&texts.base, &texts.head) {
                            (Some(base), Some(head)) => { let both = marked(Diff { base, head }); [Some(both.base), Some(both.head)] },
                            (base, head) => [base.as_ref().map(|text| html! { (text) }), head.as_ref().map(|text| html! { (text) })],
                        };
                        @let origins = [part.values.base.as_ref().and_then(|found| found.origin.as_ref()), part.values.head.as_ref().and_then(|found| found.origin.as_ref())];
                        tr {
                            th scope="row" { @if index == 0 || path.is_empty() { (heading) } @if !path.is_empty() { div.part { code { (path) } } } }
                            @for side in 0..2 {
                                td data-title=(self.titles[side]) {
                                    @match &shown[side] { Some(text) => code { (text) }, None => span.dim { "not there" } }
                                    @if let Some(origin) = origins[side] { div.small { (self.links[side].origin(origin)) } }
                                }
                            }
                        }
                        }
                    }
                    @if parts.len() > MAX_PARTS { tr { td colspan="3" { span.dim { (parts.len() - MAX_PARTS) " more parts differ." } } } }
                }
            }
        }
    }

    /// The elements of an array without an order that one side alone has, each place once.
    fn elements(&self, side: usize, parts: &[&Part]) -> Markup {
        let found = |part: &&Part| {
            let value = if side == 0 { part.values.base.as_ref() } else { part.values.head.as_ref() }?;
            Some((
                yaml_text(&value.value),
                value.origin.as_ref().map(|origin| self.links[side].origin(origin).into_string()),
            ))
        };
        let found: Vec<(String, Option<String>)> = parts.iter().filter_map(found).collect();
        html! {
            @if found.is_empty() { span.dim { "no other" } }
            @for of_place in found.chunk_by(|one, other| one.1 == other.1) {
                @for (text, _) in of_place { div { code { (text) } } }
                @if let Some((_, Some(place))) = of_place.first() { div.small { (maud::PreEscaped(place)) } }
            }
        }
    }

    /// The elements of a part of a list that one side alone has, with the place of the first.
    fn run(&self, side: usize, run: &[&Part]) -> Markup {
        let found: Vec<_> = run
            .iter()
            .filter_map(|part| if side == 0 { part.values.base.as_ref() } else { part.values.head.as_ref() })
            .collect();
        html! {
            @for one in &found { div { code { (yaml_text(&one.value)) } } }
            @match found.first() {
                Some(first) => @if let Some(origin) = &first.origin { div.small { (self.links[side].origin(origin)) } },
                None => span.dim { "not there" },
            }
        }
    }

    /// A value as a whole, where there is nothing to compare it with part by part.
    fn whole(&self, side: usize, value: Option<&KeyAnswer>) -> Markup {
        html! {
            @match value {
                None => span.dim { "no value" },
                Some(Err(message)) => span.fault title=(message) { (super::prose::without_long_words(message)) },
                Some(Ok(parted)) => {
                    pre { (value::plain(&parted.value)) }
                    @if let Some(origin) = parted.parts.iter().find_map(|(_, origin)| origin.as_ref()) { div.small { (self.links[side].origin(origin)) } }
                },
            }
        }
    }
}

/// Returns whether two parts are elements of the same list that the same side alone has.
fn are_neighbors(one: &Part, other: &Part) -> bool {
    let (Some((last, parent)), Some((other_last, other_parent))) = (one.path.split_last(), other.path.split_last())
    else {
        return false;
    };
    let is_lone = |part: &Part| (part.values.base.is_some(), part.values.head.is_some());
    parent == other_parent
        && matches!((last, other_last), (Value::Integer(_), Value::Integer(_)))
        && is_lone(one) == is_lone(other)
        && is_lone(one) != (true, true)
        && one.moved_from.is_none()
        && other.moved_from.is_none()
}

/// The facts that two nodes have in different values, those that people chose first.
fn differing_facts(service: &Service, sides: &[ComparedSide; 2]) -> Result<Vec<FactPair>, Problem> {
    if sides[0].node == sides[1].node {
        return Ok(Vec::new());
    }
    let rows = |node: &str| -> Result<BTreeMap<String, String>, Problem> {
        let found = service.stored.facts(node, &AccessLog::default())?;
        Ok(lookups::fact_rows(&found.facts, "").into_iter().collect())
    };
    let [left, right] = [rows(&sides[0].node)?, rows(&sides[1].node)?];
    let chosen = ChosenFacts::new(service, &sides[0].environment)?;
    let names: std::collections::BTreeSet<&String> = left.keys().chain(right.keys()).collect();
    let mut facts: Vec<FactPair> = names
        .into_iter()
        .filter(|name| left.get(*name) != right.get(*name))
        .map(|name| (name.clone(), [left.get(name).cloned(), right.get(name).cloned()]))
        .collect();
    facts.sort_erased_by_key(|(name, _)| !chosen.is_chosen(name));
    facts.truncate(MAX_FACTS);
    Ok(facts)
}

/// Returns titles that distinguish the sides.
fn titles(sides: &[ComparedSide; 2]) -> [String; 2] {
    let [left, right] = sides;
    let title = |side: &ComparedSide| {
        let mut words = Vec::new();
        if left.node != right.node {
            words.push(side.node.clone());
        }
        if left.environment != right.environment {
            words.push(if words.is_empty() { side.environment.clone() } else { format!("in {}", side.environment) });
        }
        if left.revision != right.revision {
            let moment = if side.revision.is_empty() { "the files" } else { side.revision.as_str() };
            words.push(if words.is_empty() { moment.to_string() } else { format!("at {moment}") });
        }
        words.join(" ")
    };
    [title(left), title(right)]
}

/// The maximum number of parts of a value on the page.
const MAX_PARTS: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_missing_on_either_side_differs() {
        let side = |pairs: &[(&str, &str)]| {
            let part = |value: &str| PartedValue {
                value: value.into(),
                parts: vec![(Vec::new(), None)],
                arrays: Arrays::default(),
            };
            let answer = |value: &str| Ok(part(value));
            pairs.iter().map(|(key, value)| (key.to_string(), answer(value))).collect()
        };
        let differences = Differences::between(
            side(&[("a", "1"), ("b", "1"), ("c", "1")]),
            side(&[("a", "1"), ("b", "2"), ("d", "1")]),
        );
        assert_eq!(differences.same, 1);
        let keys: Vec<&str> = differences.rows.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["b", "c", "d"]);
    }

    #[test]
    fn merged_arrays_show_added_elements() {
        let list = |elements: &[&str], arrays: Arrays| -> KeyAnswer {
            let parts = (0..elements.len()).map(|index| (vec![index.into()], None)).collect();
            Ok(PartedValue { value: serde_json::json!(elements), parts, arrays })
        };
        let paths = |base: &KeyAnswer, head: &KeyAnswer| -> Vec<String> {
            let parts = differing_parts(Diff { base: Some(base), head: Some(head) });
            parts.iter().map(|part| part_path(&part.path)).collect()
        };
        let set = list(&["a", "b"], Arrays::Sets);
        assert_eq!(paths(&set, &list(&["c", "b", "a"], Arrays::Sets)), ["[]"]);
        // In another order, an element has moved.
        let reversed = list(&["b", "a"], Arrays::Sets);
        assert!(is_same(&set, &set) && !is_same(&set, &reversed));
        assert_eq!(paths(&set, &reversed).len(), 1);
        let sequence = list(&["a", "b"], Arrays::Sequences);
        assert_eq!(paths(&sequence, &list(&["c", "b", "a"], Arrays::Sequences)).len(), 2);
    }

    #[test]
    fn titles_name_the_difference() {
        let side = |environment: &str, node: &str, revision: &str| ComparedSide {
            environment: environment.into(),
            node: node.into(),
            revision: revision.into(),
        };
        let of = |left, right| titles(&[left, right]);
        assert_eq!(of(side("p", "a", ""), side("p", "b", "")), ["a", "b"]);
        assert_eq!(of(side("p", "a", ""), side("q", "a", "")), ["p", "q"]);
        assert_eq!(of(side("p", "a", "v1"), side("p", "a", "")), ["v1", "the files"]);
        assert_eq!(of(side("p", "a", ""), side("q", "b", "v1")), ["a in p at the files", "b in q at v1"]);
    }
}
