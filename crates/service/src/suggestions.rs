//! Suggestions for the name of a node that does not exist.

use axum::http::StatusCode;
use hieratic::diagnostics::nearest_many;
use hieratic::value::ErasedSort as _;

use crate::Service;
use crate::problem::Problem;

/// The maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 5;

/// The maximum number of nodes whose names are compared by spelling.
const MAX_COMPARED: usize = 20_000;

/// Adds the nodes with similar names to the problem of a node that does not exist.
pub(crate) fn of_node(service: &Service, environment: &str, name: &str, mut problem: Problem) -> Problem {
    if problem.status != StatusCode::NOT_FOUND.as_u16() {
        return problem;
    }
    problem.selection = Some(Box::new((environment.to_string(), name.to_string())));
    // Without the names, there are no suggestions.
    let Ok(names) = service.names() else { return problem };
    let address = |node: &str| crate::page::node_address(environment, node);
    problem.suggestions = similar(&names, name).into_iter().map(|node| (node.to_string(), address(node))).collect();
    problem
}

/// Returns the names that contain a string, those that begin with it first, or else those that are spelled alike.
fn similar<'n>(names: &'n [String], name: &str) -> Vec<&'n str> {
    let lower = name.to_lowercase();
    if lower.is_empty() {
        return Vec::new();
    }
    let mut containing: Vec<&str> = names.iter().map(String::as_str).filter(|known| known.contains(&lower)).collect();
    if containing.is_empty() {
        containing = nearest_many(&lower, names.iter().take(MAX_COMPARED).map(String::as_str));
    }
    if containing.is_empty() {
        // A mistake in the short name weighs more than a missing domain.
        let short = names.iter().take(MAX_COMPARED).map(|known| known.split('.').next().unwrap_or(known));
        let near = nearest_many(lower.split('.').next().unwrap_or(&lower), short);
        let is_near = |known: &&str| near.contains(&known.split('.').next().unwrap_or(known));
        containing = names.iter().map(String::as_str).filter(is_near).collect();
    }
    containing.sort_erased_by_key(|known| !known.starts_with(&lower));
    containing.truncate(MAX_SUGGESTIONS);
    containing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_misspelled_names_are_found() {
        let names = ["db01.example.com", "web01.example.com", "web02.example.com"].map(String::from);
        assert_eq!(similar(&names, "web01"), ["web01.example.com"]);
        assert_eq!(similar(&names, "wbe01"), ["web01.example.com"]);
        assert_eq!(similar(&names, "WEB"), ["web01.example.com", "web02.example.com"]);
        assert!(similar(&names, "").is_empty() && similar(&names, "mail").is_empty());
    }
}
