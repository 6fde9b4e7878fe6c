//! Two nodes, or two environments, side by side.

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use hieratic::Value;
use hieratic::budget::Budget;
use hieratic::explain::path_text;
use hieratic_impact::{Diff, Leaf, differences_of_leaves};
use hieratic_report::pages::{SideText, pair};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;

use super::lists::chosen;
use super::{Head, Page, environment_choice, framed, link, value};
use crate::lookups::LookupOptions;
use crate::nodes::NodeSelector;
use crate::problem::Problem;
use crate::{Service, Shared, json, limits, lookups};

/// The maximum number of keys that are looked up on each side.
const MAX_KEYS: usize = 20_000;

/// The maximum number of differences on the page.
const MAX_ROWS: usize = 500;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct CompareQuery {
    left_environment: String,
    left: String,
    right_environment: String,
    right: String,
    search: String,
    /// The kind of difference to show; all kinds if empty.
    only: String,
}

/// The keys whose values differ.
pub(crate) async fn compare(State(service): State<Shared>, Query(query): Query<CompareQuery>) -> impl IntoResponse {
    let made = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let left_environment = chosen(service, query.left_environment);
        let right_environment =
            if query.right_environment.is_empty() { left_environment.clone() } else { query.right_environment };
        let right = if query.right.is_empty() { query.left.clone() } else { query.right.clone() };
        let differences = if query.left.is_empty() {
            None
        } else {
            let left = everything(service, &left_environment, &query.left, &query.search, budget)?;
            let right = everything(service, &right_environment, &right, &query.search, budget)?;
            Some(Differences::between(left, right))
        };
        let sides = [(left_environment.as_str(), query.left.as_str()), (right_environment.as_str(), right.as_str())];
        let body = html! {
            form action="/compare" {
                (environment_choice("Environment", "left_environment", &environments, &left_environment))
                label { "Node" input name="left" value=(query.left) required; }
                (environment_choice("with environment", "right_environment", &environments, &right_environment))
                label { "Second node (optional)" input name="right" value=(query.right); }
                label { "Keys that contain" input name="search" value=(query.search); }
                button { "Compare" }
            }
            @match &differences {
                Some(differences) => {
                    (differences.counts(sides, &query.search))
                    (differences.shown(sides, DifferenceKind::from_name(&query.only)))
                },
                None => {
                    p.dim { "Compare the values of two nodes, or of one node in two environments." }
                    p { a href="/changes" { "Compare two revisions, or the working tree with a commit" } }
                },
            }
        };
        Ok(framed(&Head { at: "/compare", ..Head::new("Compare") }, &body))
    });
    Page(made.await)
}

/// The redacted value of a key, or the message of the error.
type KeyAnswer = Result<Json, String>;

/// Returns the values of all keys. Redacted values are equal if their redacted forms are.
fn everything(
    service: &Service,
    environment: &str,
    name: &str,
    search: &str,
    budget: &Budget,
) -> Result<BTreeMap<String, KeyAnswer>, Problem> {
    let asked = NodeSelector::Stored(name.to_string());
    let found = service.nodes.ask(environment, &asked, budget, &|node| {
        let (keys, more) = lookups::keys(node, search, None, MAX_KEYS)?;
        let values = keys.into_iter().map(|key| {
            let answer = lookups::lookup(node, &hieratic::lookup::quoted_key(&key), &LookupOptions::default());
            let answer = match answer.error {
                Some(fault) => Err(fault.message),
                None => Ok(answer.value.unwrap_or_default()),
            };
            (key, answer)
        });
        Ok::<_, Problem>((values.collect::<BTreeMap<_, _>>(), more))
    })?;
    let (values, more) = found?;
    if more {
        return Err(Problem::bad_request(format!("there are more than {MAX_KEYS} keys"))
            .help("restrict the keys with a search string"));
    }
    Ok(values)
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
                Some(other) if other == value => differences.same += 1,
                other => differences.rows.push((key, [Some(value), other])),
            }
        }
        differences.rows.extend(right.into_iter().map(|(key, value)| (key, [None, Some(value)])));
        differences.rows.sort_by(|(one, _), (other, _)| one.cmp(other));
        differences
    }

    /// Renders the number of keys with each kind of difference, each as a link to these keys.
    fn counts(&self, sides: [(&str, &str); 2], search: &str) -> Markup {
        let total = self.rows.len();
        let count = |kind: DifferenceKind| {
            self.rows.iter().filter(|(_, values)| DifferenceKind::from_values(values) == kind).count()
        };
        let [(left_environment, left), (right_environment, right)] = sides;
        let address = |only: &str| {
            let pairs = [
                ("left_environment", left_environment),
                ("left", left),
                ("right_environment", right_environment),
                ("right", right),
                ("search", search),
                ("only", only),
            ];
            link("/compare", &pairs)
        };
        let titles = titles(sides);
        html! {
            p { (total) " of " (total + self.same) " keys differ." }
            ul.tools {
                li { a href=(address("")) { "All (" (total) ")" } }
                @for kind in DifferenceKind::ALL {
                    li {
                        a href=(address(kind.name())) {
                            @match kind {
                                DifferenceKind::Changed => "Different values",
                                DifferenceKind::Left => { "Only " (titles[0]) },
                                DifferenceKind::Right => { "Only " (titles[1]) },
                            }
                            " (" (count(kind)) ")"
                        }
                    }
                }
            }
        }
    }

    fn shown(&self, sides: [(&str, &str); 2], only: Option<DifferenceKind>) -> Markup {
        let rows =
            self.rows.iter().filter(|(_, values)| only.is_none_or(|only| DifferenceKind::from_values(values) == only));
        let rows: Vec<_> = rows.collect();
        let address = |side: usize, key: &str| {
            let (environment, node) = sides[side];
            link("/key", &[("environment", environment), ("node", node), ("key", &hieratic::lookup::quoted_key(key))])
        };
        let titles = titles(sides);
        html! {
            @if !rows.is_empty() { div.sides.titles { @for title in &titles { p { (title) } } } }
            @if rows.len() > MAX_ROWS { p.dim { "The first " (MAX_ROWS) " are shown: restrict the keys with a search string." } }
            @for (key, values) in rows.into_iter().take(MAX_ROWS) {
                @let first = usize::from(values[0].is_none());
                section.card {
                    h2 {
                        a href=(address(first, key)) { code { (key) } }
                        @if first == 0 && values[1].is_some() { " " a.small.dim href=(address(1, key)) { "on " (titles[1]) } }
                    }
                    @match values {
                        [Some(Ok(left)), Some(Ok(right))] => (inside(left, right)),
                        [left, right] => {
                            div.sides {
                                @for (side, value) in [left, right].into_iter().enumerate() { (whole(value.as_ref(), side)) }
                            }
                        },
                    }
                }
            }
        }
    }
}

/// Returns titles that distinguish the sides.
fn titles(sides: [(&str, &str); 2]) -> [String; 2] {
    let is_same = [sides[0].0 == sides[1].0, sides[0].1 == sides[1].1];
    sides.map(|(environment, node)| match is_same {
        [true, _] => node.to_string(),
        [false, true] => environment.to_string(),
        [false, false] => format!("{node} in {environment}"),
    })
}

/// A value as a whole, where there is nothing to compare it with part by part.
fn whole(value: Option<&KeyAnswer>, side: usize) -> Markup {
    html! {
        @match (value, side) {
            (None, _) => p.dim.small { "no value" },
            (Some(Err(message)), _) => p.fault { (message) },
            (Some(Ok(value)), 0) => pre { del.lost { (signed("− ", value)) } },
            (Some(Ok(value)), _) => pre { ins.added { (signed("+ ", value)) } },
        }
    }
}

/// A value as YAML, with a sign before each line.
fn signed(sign: &str, value: &Json) -> String {
    let text = value::plain(value);
    text.lines().map(|line| format!("{sign}{line}")).collect::<Vec<_>>().join("\n")
}

/// The maximum number of parts of a value on the page.
const MAX_PARTS: usize = 200;

/// Only what differs inside of two values.
fn inside(left: &Json, right: &Json) -> Markup {
    let leaves = Diff { base: left, head: right }.map(|value| Ok::<_, String>(leaves(value)));
    let parts = differences_of_leaves(leaves.as_ref().map(Some));
    html! {
        @for part in parts.iter().take(MAX_PARTS) {
            @let path = path_text(&part.path);
            @let texts = part.values.as_ref().map(|found| found.as_ref().map(|found| row(&path, &found.value)));
            (pair(texts.as_ref().map(|text| Some(SideText { text: text.as_deref()?, origin: None }))))
        }
        @if parts.len() > MAX_PARTS { p.dim { (parts.len() - MAX_PARTS) " more parts differ." } }
    }
}

fn row(path: &str, value: &Value) -> String {
    let value = value::text(&json::of_value(value, false));
    if path.is_empty() { value } else { format!("{path}: {value}") }
}

/// Returns the scalars and the empty arrays and hashes of a value that is already redacted.
fn leaves(value: &Json) -> Vec<Leaf> {
    fn collect(value: &Json, path: &mut Vec<Value>, leaves: &mut Vec<Leaf>) {
        let mut below = |step: Value, part: &Json, leaves: &mut Vec<Leaf>| {
            path.push(step);
            collect(part, path, leaves);
            path.pop();
        };
        match value {
            Json::Array(elements) if !elements.is_empty() => {
                for (index, element) in elements.iter().enumerate() {
                    below(Value::from(index), element, leaves);
                }
            }
            Json::Object(pairs) if !pairs.is_empty() => {
                for (key, part) in pairs {
                    below(key.as_str().into(), part, leaves);
                }
            }
            scalar => {
                let value = json::to_value(scalar).unwrap_or(Value::Undef);
                leaves.push(Leaf { path: path.clone(), plain: value.clone(), value, origin: None, is_redacted: false });
            }
        }
    }
    let mut all = Vec::new();
    collect(value, &mut Vec::new(), &mut all);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_missing_on_either_side_differs() {
        let side = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| (k.to_string(), Ok((*v).into()))).collect();
        let differences = Differences::between(
            side(&[("a", "1"), ("b", "1"), ("c", "1")]),
            side(&[("a", "1"), ("b", "2"), ("d", "1")]),
        );
        assert_eq!(differences.same, 1);
        let keys: Vec<&str> = differences.rows.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["b", "c", "d"]);
    }

    #[test]
    fn only_differing_parts_of_values_are_shown() {
        let left = serde_json::json!({"a": 1, "b": {"c": [1, 2]}, "gone": "x"});
        let right = serde_json::json!({"a": 1, "b": {"c": [1, 3]}, "new": true});
        let text = inside(&left, &right).into_string();
        for part in ["b.c", "gone: x", "new: true"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("a: 1"), "{text}");
    }
}
