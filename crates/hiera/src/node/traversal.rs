//! Checks whether variables lead a path out of its configured folder, for facts that come from untrusted clients.
//!
//! The literal parts of a configuration are trusted, `../shared` included. An inserted value must not climb: it must
//! not make a path absolute, add a `..`, or remove a name that a following `..` depends on. This includes each
//! alternative of braces that the value contains.

use hieratic_budget::Budget;

use crate::Error;
use crate::codes;
use crate::config::Config;
use crate::error::Place;
use crate::glob;
use crate::template::{Expression, Functions, Part, Text};
use crate::variable::Variables;

/// Returns a template in which every variable is a plain name.
fn neutral_path(template: &str) -> String {
    match Text::compile(&template.into(), Functions::Forbidden, &Variables::default()) {
        None => template.into(),
        Some(text) => text
            .parts
            .iter()
            .map(|part| match part {
                Part::Literal(part) => text.literal(part),
                Part::Expression(Expression::Empty) => "",
                Part::Expression(_) => "x",
            })
            .collect(),
    }
}

/// Returns how a path climbs: its number of `..`, and how far it gets above its start.
fn climb(path: &str) -> (usize, usize) {
    let (mut ups, mut depth, mut above) = (0, 0usize, 0);
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => {
                ups += 1;
                match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => above += 1,
                }
            }
            _ => depth += 1,
        }
    }
    (ups, above)
}

fn climbs_more(path: &str, (ups, above): (usize, usize), absolute: bool) -> bool {
    let now = climb(path);
    path.starts_with('/') && !absolute || now.0 > ups || now.1 > above
}

/// Returns whether variables lead a path out of its folder.
pub(super) fn escapes(template: &str, interpolated: &str) -> bool {
    let pattern = neutral_path(template);
    climbs_more(interpolated, climb(&pattern), pattern.starts_with('/'))
}

/// Returns whether variables lead one of the alternatives of a glob out of its folder.
pub(super) fn pattern_escapes(template: &str, interpolated: &str, budget: &Budget) -> Result<bool, Error> {
    let pattern = glob::alternatives(&neutral_path(template), interpolated, budget)?;
    let most = pattern.iter().map(|path| climb(path)).fold((0, 0), |most, one| (most.0.max(one.0), most.1.max(one.1)));
    let absolute = pattern.iter().any(|path| path.starts_with('/'));
    // A wildcard matches names; only literal components can climb.
    Ok(glob::alternatives(interpolated, interpolated, budget)?.iter().any(|path| climbs_more(path, most, absolute)))
}

/// Returns whether a folder would act as a glob in front of another one.
pub(super) fn is_pattern(template: &str, interpolated: &str) -> bool {
    let count = |text: &str| text.matches(['*', '?', '[', ']', '{', '}', ',', '\\']).count();
    count(interpolated) > count(&neutral_path(template))
}

/// The error for a value that climbs.
pub(super) fn traversal_error(template: &str, interpolated: &str, config: &Config) -> Error {
    let message = format!("Variables expand the path '{template}' to '{interpolated}', which is not allowed");
    let error =
        Error::fatal(codes::PATH_ESCAPES, message).help("values in a path must not start with / or contain `..`");
    match &config.path {
        Some(path) => error.at(Place::file(path)),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_from_values_cannot_leave_the_folder() {
        for (template, interpolated, expected) in [
            ("nodes/%{n}.yaml", "nodes/web.yaml", false),
            ("../shared/%{n}.yaml", "../shared/web.yaml", false),
            ("nodes/%{n}.yaml", "nodes/a/b.yaml", false),
            ("nodes/%{n}.yaml", "nodes/../x.yaml", true),
            ("nodes/%{n}", "nodes/..", true),
            ("nodes/.%{n}/x", "nodes/../x", true),
            ("%{n}/x", "/etc/x", true),
            ("a/%{n}/../../x", "a//../../x", true),
            ("a/%{n}/../../x", "a/b/../../x", false),
            ("a%{}.yaml", "a.yaml", false),
        ] {
            assert_eq!(escapes(template, interpolated), expected, "{template} {interpolated}");
        }
    }

    #[test]
    fn no_alternative_of_braces_may_climb() {
        let budget = Budget::default();
        for (template, interpolated, expected) in [
            ("%{n}/*.yaml", "{..,x}/{..,x}/*.yaml", true),
            ("%{n}/*.yaml", "a{b,c}/*.yaml", false),
            ("{%{n},common}/*.yaml", "{a,../..,common}/*.yaml", true),
            ("x/.%{n}/*", "x/.{.,y}/*", true),
            ("{../shared,here}/%{n}/*", "{../shared,here}/web/*", false),
            ("%{n}", "{/etc,x}/*", true),
        ] {
            assert_eq!(
                pattern_escapes(template, interpolated, &budget).unwrap(),
                expected,
                "{template} {interpolated}"
            );
        }
        assert!(is_pattern("data/%{n}", "data/{..") && !is_pattern("data/{a,b}/%{n}", "data/{a,b}/c"));
    }
}
