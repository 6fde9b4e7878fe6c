//! Two nodes, or two environments, side by side.

use axum::extract::{Query, State};
use axum::response::IntoResponse;
use hieratic_powers::Budget;
use maud::{Markup, html};
use serde::Deserialize;
use std::collections::BTreeMap;

use super::lists::chosen;
use super::{Page, environment_choice, framed, link, shown};
use crate::nodes::Asked;
use crate::problem::Problem;
use crate::questions::Manner;
use crate::{Service, Shared, limits, questions};

/// How many keys one page looks up on each side.
const MOST_KEYS: usize = 20_000;

/// How many differences one page shows.
const MOST_ROWS: usize = 1000;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct CompareQuery {
    left_environment: String,
    left: String,
    right_environment: String,
    right: String,
    search: String,
}

/// The keys whose values differ.
pub(crate) async fn compare(State(service): State<Shared>, Query(query): Query<CompareQuery>) -> impl IntoResponse {
    let made = limits::work(&service, move |service, budget| {
        let environments = service.nodes.environments.names();
        let left_environment = chosen(service, query.left_environment);
        let right_environment =
            if query.right_environment.is_empty() { left_environment.clone() } else { query.right_environment };
        let right = if query.right.is_empty() { query.left.clone() } else { query.right };
        let differences = if query.left.is_empty() {
            None
        } else {
            let left = everything(service, &left_environment, &query.left, &query.search, budget)?;
            let right = everything(service, &right_environment, &right, &query.search, budget)?;
            Some(Differences::between(left, right))
        };
        let body = html! {
            form action="/compare" {
                label { "Environment" (environment_choice("left_environment", &environments, &left_environment)) }
                label { "Node" input name="left" value=(query.left) required; }
                label { "with environment" (environment_choice("right_environment", &environments, &right_environment)) }
                label { "Node (the same if empty)" input name="right" value=(right); }
                label { "Keys that contain" input name="search" value=(query.search); }
                button { "Compare" }
            }
            @if let Some(differences) = &differences {
                (differences.shown([(&left_environment, &query.left), (&right_environment, &right)]))
            }
        };
        Ok(framed("Compare", &body))
    });
    Page(made.await)
}

/// The values of all keys, as texts. Values that are covered are the same if they are covered alike.
fn everything(
    service: &Service,
    environment: &str,
    name: &str,
    search: &str,
    budget: &Budget,
) -> Result<BTreeMap<String, String>, Problem> {
    let asked = Asked::Stored(name.to_string());
    let found = service.nodes.ask(environment, &asked, budget, &|node| {
        let (keys, more) = questions::keys(node, search, None, MOST_KEYS)?;
        let values = keys.into_iter().map(|key| {
            let answer = questions::lookup(node, &questions::quoted(&key), &Manner::default());
            let text = match (answer.value, answer.error) {
                (Some(value), _) => shown(&value),
                (None, Some(fault)) => format!("Error: {}", fault.message),
                (None, None) => String::new(),
            };
            (key, text)
        });
        Ok::<_, Problem>((values.collect::<BTreeMap<_, _>>(), more))
    })?;
    let (values, more) = found?;
    if more {
        return Err(Problem::bad_request(format!("there are more than {MOST_KEYS} keys"))
            .help("restrict the keys with a search string"));
    }
    Ok(values)
}

/// The keys whose values differ, and how many do not.
struct Differences {
    rows: Vec<(String, [Option<String>; 2])>,
    same: usize,
}

impl Differences {
    fn between(left: BTreeMap<String, String>, mut right: BTreeMap<String, String>) -> Differences {
        let mut differences = Differences { rows: Vec::new(), same: 0 };
        for (key, value) in left {
            match right.remove(&key) {
                Some(other) if other == value => differences.same += 1,
                other => differences.rows.push((key, [Some(value), other])),
            }
        }
        differences.rows.extend(right.into_iter().map(|(key, value)| (key, [None, Some(value)])));
        differences.rows.sort();
        differences
    }

    fn shown(&self, sides: [(&str, &str); 2]) -> Markup {
        let total = self.rows.len();
        html! {
            p { (total) " of " (total + self.same) " keys differ." }
            @if total > MOST_ROWS { p.note { "The first " (MOST_ROWS) " are shown: restrict the keys with a search string." } }
            table {
                tr { th { "Key" } @for (environment, node) in sides { th { (node) " in " (environment) } } }
                @for (key, values) in self.rows.iter().take(MOST_ROWS) {
                    tr {
                        td { code { (key) } }
                        @for (value, (environment, node)) in values.iter().zip(sides) {
                            td {
                                @match value {
                                    Some(value) => {
                                        a href=(link("/key", &[("environment", environment), ("node", node), ("key", &questions::quoted(key))])) {
                                            pre { (value) }
                                        }
                                    },
                                    None => span.note { "—" },
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_on_either_side_differs() {
        let side = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        let differences = Differences::between(
            side(&[("a", "1"), ("b", "1"), ("c", "1")]),
            side(&[("a", "1"), ("b", "2"), ("d", "1")]),
        );
        assert_eq!(differences.same, 1);
        let keys: Vec<&str> = differences.rows.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["b", "c", "d"]);
    }
}
