//! What is said of a key that is not found: where was looked, which parts there are, and what may have been meant.

use std::cell::{Cell, OnceCell};
use std::path::Path;

use hieratic::{
    Environment, Error, Node, Query, TriedPlace, missing_part, nearest_among, tried_places, unset_variables,
};

use hieratic::value::Str;

use crate::report::Reporter;

/// How many lines of sources are shown, so that what may have been meant stays on the screen.
const MOST_PLACES: usize = 8;

/// How many lines of them are kept for sources that are not there.
const MOST_MISSING: usize = 3;

/// How many variables that the hierarchy lacks are named.
const MOST_VARIABLES: usize = 3;

/// For how many questions what may have been meant is looked for: to compare a name with all keys is much more work than a lookup.
const MOST_SUGGESTIONS: usize = 20;

/// What was said of keys that are not found: what holds for all of them is said with the first.
#[derive(Default)]
pub(super) struct Told {
    /// The keys of the node, once something has asked for them.
    keys: OnceCell<Vec<Str>>,
    questions: Cell<usize>,
}

impl Told {
    /// Says that nothing was found.
    pub(super) fn tell(
        &self,
        environment: &Environment,
        node: &Node,
        error: &Error,
        query: &Query<'_>,
        reporter: &Reporter,
    ) {
        let before = self.questions.replace(self.questions.get() + 1);
        let mut help = Vec::new();
        let mut near = Vec::new();
        if before < MOST_SUGGESTIONS {
            for name in &query.names {
                if let Some(missing) = missing_part(node, query, name) {
                    help.extend(missing.parts.of(&missing.found));
                    near.extend(missing.near);
                } else {
                    // Without the keys nothing is suggested; why they are not known is an error of its own.
                    let keys = self.keys.get_or_init(|| node.keys().unwrap_or_default());
                    near.extend(nearest_among(keys, name));
                }
            }
        }
        if before == 0 {
            let places = tried_places(node, &query.names);
            // Where all levels were left out, nothing is wrong with the hierarchy.
            if help.is_empty() && (error.help_text().is_none() || !places.is_empty()) {
                help = looked_in(environment, node, places);
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

/// The sources, and what the hierarchy may lack.
fn looked_in(environment: &Environment, node: &Node, places: Vec<TriedPlace>) -> Vec<String> {
    if places.is_empty() {
        return vec![match environment.missing_hierarchy() {
            Some(missing) => format!("no hierarchy has a source: {missing}"),
            None => "no hierarchy has a source: does the environment have a hiera.yaml?".into(),
        }];
    }
    let mut help = Vec::new();
    let (mut there, mut missing) = (Vec::new(), Vec::new());
    for TriedPlace { name: place, is_there } in places {
        let list = if is_there { &mut there } else { &mut missing };
        // Levels may name a file again.
        if !list.contains(&place) {
            list.push(place);
        }
    }
    let lines_of_missing = missing.len().min(MOST_MISSING.max(MOST_PLACES.saturating_sub(there.len())));
    help.extend(list("looked in", &there, MOST_PLACES - lines_of_missing));
    help.extend(list("not there", &missing, lines_of_missing));
    if there.is_empty() && !missing.iter().any(|place| folder_is_there(place, &environment.layers().environment.root)) {
        let said = "none of the folders of the hierarchy exists: does `datadir` name a folder of a server?";
        help.insert(0, said.to_owned());
    }
    if !missing.is_empty() {
        let unset = unset_variables(environment, node);
        help.extend(unset.iter().take(MOST_VARIABLES).map(|variable| to_be_set(variable)));
        if unset.len() > MOST_VARIABLES {
            let more = unset.len() - MOST_VARIABLES;
            help.push(format!("the hierarchy uses {more} more variables that this node does not have"));
        }
    }
    help
}

/// Whether a folder of the data that a file would be among is there: one below the environment's own, or, elsewhere, the file's or the
/// one around that.
fn folder_is_there(place: &str, environment: &Path) -> bool {
    let mut folders = Path::new(place).ancestors().skip(1);
    match Path::new(place).starts_with(environment) {
        true => folders.take_while(|folder| *folder != environment).any(Path::is_dir),
        false => folders.by_ref().take(2).any(Path::is_dir),
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

/// How a variable that the hierarchy asks for is given.
pub(super) fn to_be_set(variable: &str) -> String {
    let name = variable.trim_start_matches("::");
    let given = match name.split_once('.') {
        Some(("facts", fact)) => format!("--fact {fact}=VALUE or --facts FILE"),
        Some(("trusted", _)) => "--trusted-data FILE".to_owned(),
        _ => format!("--fact {name}=VALUE, --facts FILE or --var {name}=VALUE"),
    };
    format!("the hierarchy uses %{{{variable}}}, which this node does not have: set it with {given}")
}
