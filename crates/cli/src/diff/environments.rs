//! The compared environments.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use hieratic::value::Str;
use hieratic_impact::{Presence, Side};
use hieratic_report::{LoneEnvironment, Sides};

use super::DiffArguments;
use crate::revisions;

/// The environments of a repository.
pub(super) struct Environments {
    /// The environments that exist on both sides, each with its sides. An environment that was selected by flags has no
    /// name here.
    pub(super) both: Vec<(Str, Sides)>,
    /// The environments that only one side has.
    pub(super) lone: Vec<LoneEnvironment>,
    /// Sentences about changes that were left out: of data for environments that do not exist here.
    pub(super) left_out: Vec<String>,
}

/// The environments that the flags select; by default all of the repository.
pub(super) fn select(arguments: &DiffArguments, sides: Sides) -> Environments {
    let several = revisions::of_all_environments(&arguments.place);
    let names = several.as_ref().map(|_| sides.environments()).unwrap_or_default();
    let Some(place) = several.filter(|_| !names.is_empty()) else {
        return Environments { both: vec![(Str::default(), sides)], lone: Vec::new(), left_out: Vec::new() };
    };
    let mut found = Environments { both: Vec::new(), lone: Vec::new(), left_out: Vec::new() };
    let known: BTreeSet<String> = names.keys().cloned().collect();
    for (name, is_in) in names {
        let side = match Presence::new(is_in) {
            Presence::Both => {
                let (settings, _) = revisions::environment(&revisions::of_environment(&place, &name));
                found.both.push((name.into(), sides.for_environment(settings)));
                continue;
            }
            Presence::Base => Side::Base,
            Presence::Head => Side::Head,
        };
        found.lone.push(LoneEnvironment { name: name.into(), side });
    }
    let changed = sides.changed();
    let mut elsewhere: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for (name, paths) in found.both.iter().flat_map(|(_, own)| own.named_by_data()) {
        let touched = |path: &PathBuf| changed.iter().any(|file| file.starts_with(path));
        if !known.contains(&name) && paths.iter().any(touched) {
            elsewhere.entry(name).or_default().extend(paths.into_iter().filter(touched));
        }
    }
    found.left_out = elsewhere
        .into_iter()
        .map(|(name, paths)| {
            let paths: Vec<String> = paths.iter().map(|path| sides.shown(path)).collect();
            format!("the data of the environment {name}, which has no folder here: {}", paths.join(", "))
        })
        .collect();
    found
}
