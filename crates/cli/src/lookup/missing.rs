//! The diagnostic of a missing key: the sources that were searched, the parts that exist, and similar keys.

use std::cell::{Cell, OnceCell};
use std::path::Path;

use hieratic::lookup::{SearchedLocation, missing_part, nearest_keys, suggest_keys, tried_places, unset_variables};
use hieratic::{Environment, Error, Node, Query};

use hieratic::value::Str;

use crate::report::Reporter;

/// The maximum number of lines of sources, so that the suggestion stays on the screen.
const MAX_SOURCE_LINES: usize = 8;

/// The number of these lines reserved for missing sources.
const MAX_MISSING_SOURCES: usize = 3;

/// The maximum number of missing variables of the hierarchy that are named.
const MAX_VARIABLES: usize = 3;

/// The maximum number of keys with suggestions: comparing a name with all keys takes much longer than a lookup.
const MAX_SUGGESTIONS: usize = 20;

/// Reports missing keys. Information that applies to all of them is printed with the first one.
#[derive(Default)]
pub(super) struct MissingKeyReporter {
    /// The keys of the node, computed at their first use.
    keys: OnceCell<Vec<Str>>,
    reported: Cell<usize>,
}

impl MissingKeyReporter {
    /// Reports a missing key.
    pub(super) fn report(
        &self,
        environment: &Environment,
        node: &Node,
        error: &Error,
        query: &Query<'_>,
        reporter: &Reporter,
    ) {
        let before = self.reported.replace(self.reported.get() + 1);
        let mut help = Vec::new();
        let mut near = Vec::new();
        if before < MAX_SUGGESTIONS {
            for name in &query.names {
                if let Some(missing) = missing_part(node, query, name) {
                    help.extend(missing.parts.of(&missing.found));
                    near.extend(missing.near);
                } else {
                    // Without the list of keys there are no suggestions. Its error is reported elsewhere.
                    let keys = self.keys.get_or_init(|| node.keys().unwrap_or_default());
                    near.extend(suggest_keys(keys, name));
                }
            }
        }
        if before == 0 {
            let places = tried_places(node, &query.names);
            // If all levels were skipped, the hierarchy is not at fault.
            if help.is_empty() && (error.help_text().is_none() || !places.is_empty()) {
                help = searched_sources(environment, node, places);
            }
            help.push("--explain prints every step".into());
        }
        if let Some(unknown) = error.help_text() {
            help.insert(0, unknown.to_owned());
        }
        near.dedup();
        // At the end, where people look first.
        help.extend(hieratic_diagnostics::did_you_mean(&near));
        reporter.plain_error(Node::NOT_FOUND, &error.to_string(), &help);
    }
}

/// An error of a lookup for another program: one about a missing key names those that are like it.
pub(crate) fn with_similar_keys(error: Error, node: &Node, key: &str) -> Error {
    if error.code() != Node::NOT_FOUND || error.help_text().is_some() {
        return error;
    }
    let help = hieratic_diagnostics::did_you_mean(&nearest_keys(node, key).keys);
    error.help(help.unwrap_or_else(|| format!("hieratic lookup '{key}' --explain prints every step")))
}

/// Describes the sources that were searched, and variables that the hierarchy lacks.
fn searched_sources(environment: &Environment, node: &Node, places: Vec<SearchedLocation>) -> Vec<String> {
    if places.is_empty() {
        return vec![match environment.missing_hierarchy() {
            Some(missing) => format!("no hierarchy has a source: {missing}"),
            None => "no hierarchy has a source: does the environment have a hiera.yaml?".into(),
        }];
    }
    let mut help = Vec::new();
    let (mut there, mut missing) = (Vec::new(), Vec::new());
    for SearchedLocation { name: place, is_there } in places {
        let list = if is_there { &mut there } else { &mut missing };
        // Levels may name a file again.
        if !list.contains(&place) {
            list.push(place);
        }
    }
    let lines_of_missing = missing.len().min(MAX_MISSING_SOURCES.max(MAX_SOURCE_LINES.saturating_sub(there.len())));
    help.extend(list("looked in", &there, MAX_SOURCE_LINES - lines_of_missing));
    help.extend(list("not there", &missing, lines_of_missing));
    if there.is_empty() && !missing.iter().any(|place| folder_exists(place, &environment.layers().environment.root)) {
        let message = "none of the folders of the hierarchy exists: does `datadir` name a folder of a server?";
        help.insert(0, message.to_owned());
    }
    if !missing.is_empty() {
        let unset = unset_variables(environment, node);
        help.extend(unset.iter().take(MAX_VARIABLES).map(|variable| how_to_set(variable)));
        if unset.len() > MAX_VARIABLES {
            let more = unset.len() - MAX_VARIABLES;
            help.push(format!("the hierarchy uses {more} more variables that this node does not have"));
        }
    }
    help
}

/// Returns whether the data folder of a file exists: for a file in the environment, a folder below its root; elsewhere,
/// the folder of the file or its parent.
fn folder_exists(place: &str, environment: &Path) -> bool {
    let mut folders = Path::new(place).ancestors().skip(1);
    if Path::new(place).starts_with(environment) {
        folders.take_while(|folder| *folder != environment).any(Path::is_dir)
    } else {
        folders.by_ref().take(2).any(Path::is_dir)
    }
}

/// Places below a heading, in no more lines than are given.
fn list(heading: &str, places: &[String], lines: usize) -> Option<String> {
    let shown = if places.len() > lines { lines.saturating_sub(1) } else { places.len() };
    let name = |place: &String| crate::output::relative_file(place.as_ref());
    let lines: String = places.iter().take(shown).map(|place| format!("\n  {}", name(place))).collect();
    let rest = match places.len() - shown {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    (!places.is_empty()).then(|| format!("{heading}:{lines}{rest}"))
}

/// Describes how to set a variable that the hierarchy uses.
pub(super) fn how_to_set(variable: &str) -> String {
    let name = variable.trim_start_matches("::");
    let given = match name.split_once('.') {
        Some(("facts", fact)) => format!("--fact {fact}=VALUE or --facts FILE"),
        Some(("trusted", _)) => "--trusted-data FILE".to_owned(),
        _ => format!("--fact {name}=VALUE, --facts FILE or --var {name}=VALUE"),
    };
    format!("the hierarchy uses %{{{variable}}}, which this node does not have: set it with {given}")
}
