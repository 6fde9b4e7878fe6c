//! Changes of the hierarchy itself: [`split`] and [`merge_levels`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hieratic::yaml_edit::tree::{self, Node};
use hieratic::yaml_edit::{self as edit, Added, Change, MapChange, Slot};
use hieratic::{Settings, Value};
use hieratic_lint::{LevelContents, Readers};

use crate::plan::{Plan, PlanError};
use crate::relocate::{keys_of, put, take};
use hieratic::sandbox::SlashPath as _;

/// Moves the keys of a file that begin with a prefix to a new file next to it, which the same level reads directly
/// after the old one.
///
/// # Errors
/// No level reads the file by a path, no key has the prefix, or the hierarchy cannot be changed.
pub fn split(settings: &Settings, file: &Path, prefix: &str) -> Result<Plan, PlanError> {
    let mut plan = Plan::about(settings, &[])?;
    let file = hieratic::sandbox::plain(file);
    let prefix = prefix.trim_end_matches(':');
    let is_selected =
        |key: &String| key.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    let keys: Vec<String> = keys_of(&plan, &file)?.into_iter().filter(is_selected).collect();
    if prefix.is_empty() || keys.is_empty() {
        let message = format!("no key in {} begins with '{prefix}'", plan.shown(&file));
        return Err(PlanError::new(message, "name the first words of keys: --by profile::web"));
    }
    let (at, level) = level_of(&plan, &file)?;
    let word = prefix.replace("::", "_");
    let target = renamed(&file, &word);
    if plan.text(&target)?.is_some() {
        let message = format!("{} is there already", plan.shown(&target));
        return Err(PlanError::new(message, "move the keys to it with `move`"));
    }
    let Some(index) = source_of(&level, &file) else {
        let message = format!("the level '{}' finds {} by a pattern", level.name, plan.shown(&file));
        return Err(PlanError::new(message, "split files of levels with `path` or `paths`"));
    };
    in_hierarchy(&mut plan, at, |entry| with_path(entry, index, &word))?;
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    put(&mut plan, &keys, &file, &target)?;
    take(&mut plan, &keys, &file)?;
    Ok(plan)
}

/// Moves the keys of a level into the files of the level above it that the same nodes read, and removes the level. For
/// keys in both, the value of the upper level stays. Files that become empty are removed, except for those with
/// comments, which get a note.
///
/// # Errors
/// The levels are not next to each other, or a file of one has no counterpart.
pub fn merge_levels(settings: &Settings, upper: &str, lower: &str) -> Result<Plan, PlanError> {
    let mut plan = Plan::about(settings, &[])?;
    let position = |name: &str| plan.contents.levels.iter().position(|level| level.name == name);
    let (Some(above), Some(below)) = (position(upper), position(lower)) else {
        let names: Vec<&str> = plan.contents.levels.iter().map(|level| level.name.as_str()).collect();
        return Err(PlanError::new("there is no such level", format!("the levels are {}", names.join(", "))));
    };
    if below != above + 1 {
        let message = format!("'{lower}' is not right below '{upper}'");
        return Err(PlanError::new(message, "only levels that are next to each other can become one"));
    }
    let levels = [plan.contents.levels[above].clone(), plan.contents.levels[below].clone()];
    let readers =
        Readers::from_settings(settings).map_err(|message| PlanError::new(message, "fix the environment first"))?;
    let mut counterparts: BTreeMap<String, PathBuf> = BTreeMap::new();
    for file in &levels[0].files {
        counterparts.insert(bindings(&readers, file, upper), file.clone());
    }
    let files = levels[1].files.clone();
    for file in &files {
        let Some(target) = counterparts.get(&bindings(&readers, file, lower)).cloned() else {
            let message = format!("{} has no counterpart in the level '{upper}'", plan.shown(file));
            return Err(PlanError::new(message, "not every node that reads it reads exactly one file of that level"));
        };
        let known = keys_of(&plan, &target)?;
        let own = keys_of(&plan, file)?;
        let all: Vec<&str> = own.iter().map(String::as_str).collect();
        let new: Vec<&str> = own.iter().filter(|key| !known.contains(key)).map(String::as_str).collect();
        put(&mut plan, &new, file, &target)?;
        take(&mut plan, &all, file)?;
        let is_read_elsewhere =
            plan.contents.levels.iter().enumerate().any(|(at, level)| at != below && level.files.contains(file));
        if !is_read_elsewhere && !plan.remove(file)? {
            plan.notes.push(format!("no level reads {} any more: move its comments, and remove it", plan.shown(file)));
        }
    }
    in_hierarchy(&mut plan, below, |_| Ok(None))?;
    Ok(plan)
}

/// The facts that a node needs for a level to read a file, as a comparable string.
fn bindings(readers: &Readers, file: &Path, level: &str) -> String {
    let reading = readers.of_file(file).into_iter().find(|reading| reading.module.is_none() && reading.level == level);
    reading.map(|reading| format!("{:?}", reading.bindings)).unwrap_or_default()
}

/// The level that reads a file, and its number in the hierarchy.
fn level_of(plan: &Plan, file: &Path) -> Result<(usize, LevelContents), PlanError> {
    let reads = |(_, level): &(usize, &LevelContents)| level.files.iter().any(|own| own == file);
    match plan.contents.levels.iter().enumerate().find(reads) {
        Some((at, level)) => Ok((at, level.clone())),
        None => {
            Err(PlanError::new(format!("no level reads {}", plan.shown(file)), "name a data file of the environment"))
        }
    }
}

/// The index of the path of a level that leads to a file; `None` if a glob does.
fn source_of(level: &LevelContents, file: &Path) -> Option<usize> {
    let of_file = file.to_slashes();
    let fits = |path: &String| {
        // The literals around the variables.
        let parts: Vec<&str> =
            path.split("%{").map(|part| part.split_once('}').map_or(part, |(_, rest)| rest)).collect();
        let (first, last) = (parts.first().copied().unwrap_or_default(), parts.last().copied().unwrap_or_default());
        of_file.starts_with(first) && of_file.ends_with(last)
    };
    level.paths.iter().position(fits)
}

/// A path with a word in front of its extension.
fn renamed(path: &Path, word: &str) -> PathBuf {
    PathBuf::from(with_word(&path.to_slashes(), word))
}

fn with_word(path: &str, word: &str) -> String {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    match path[name..].rfind('.') {
        // A dot inside a variable does not begin an extension.
        Some(dot) if !path[name + dot..].contains('}') => {
            format!("{}.{word}{}", &path[..name + dot], &path[name + dot..])
        }
        _ => format!("{path}.{word}"),
    }
}

/// Changes a level in the `hiera.yaml` of the environment. `change` returns the new entry, or `None` to remove it.
fn in_hierarchy(
    plan: &mut Plan,
    level: usize,
    change: impl Fn(&Node) -> Result<Option<Change>, String>,
) -> Result<(), PlanError> {
    let file = plan.contents.root.join("hiera.yaml");
    let refused = |message: &str| PlanError::new(format!("hiera.yaml: {message}"), "change the hierarchy by hand");
    let text = plan.text(&file)?.ok_or_else(|| refused("it does not exist"))?;
    let root = tree::parse(&text, 0, "").map_err(|error| refused(error.message()))?;
    let map = root.as_map().ok_or_else(|| refused("it is not a hash"))?;
    let at = map.position(&Value::from("hierarchy")).ok_or_else(|| refused("it has no hierarchy"))?;
    let levels = map.entries()[at].node().as_list().ok_or_else(|| refused("its hierarchy is not a list"))?;
    if levels.len() != plan.contents.levels.len() {
        return Err(refused("other hierarchies have levels, too"));
    }
    let item = levels.get(level).ok_or_else(|| refused("it has no such level"))?;
    let changed = change(item.node()).map_err(|message| refused(&message))?;
    let mut slots = Vec::new();
    for index in 0..levels.len() {
        match (index == level, &changed) {
            (false, _) => slots.push(Slot::Old(index, None)),
            (true, Some(change)) => slots.push(Slot::Old(index, Some(change.clone()))),
            (true, None) => {}
        }
    }
    let values = vec![(at, Change::List(slots))];
    let written = edit::apply(&text, &root, &Change::Map(MapChange { values, ..MapChange::default() }));
    plan.set(&file, written)
}

/// A level with one more path, after one that it has.
fn with_path(entry: &Node, index: usize, word: &str) -> Result<Option<Change>, String> {
    let map = entry.as_map().ok_or("the level is not a hash")?;
    if let Some(at) = map.position(&Value::from("path")) {
        let old = map.entries()[at].node().as_str().ok_or("its path is not a string")?;
        let both: Value = vec![Value::from(old), Value::from(with_word(old, word))].into();
        let added = vec![Added { after: Some(at), key: "paths".into(), value: both }];
        return Ok(Some(Change::Map(MapChange { removed: vec![at], added, ..MapChange::default() })));
    }
    let at = map.position(&Value::from("paths")).ok_or("the level has neither path nor paths")?;
    let paths = map.entries()[at].node().as_list().ok_or("its paths are not a list")?;
    let old = paths.get(index).and_then(|item| item.node().as_str()).ok_or("its path is not a string")?;
    let mut slots: Vec<Slot> = Vec::new();
    for position in 0..paths.len() {
        slots.push(Slot::Old(position, None));
        if position == index {
            slots.push(Slot::New(Value::from(with_word(old, word))));
        }
    }
    Ok(Some(Change::Map(MapChange { values: vec![(at, Change::List(slots))], ..MapChange::default() })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_goes_before_the_extension() {
        for (path, expected) in [
            ("common.yaml", "common.web.yaml"),
            ("a.b/common", "a.b/common.web"),
            ("roles/%{facts.role}.yaml", "roles/%{facts.role}.web.yaml"),
            ("roles/%{facts.role}", "roles/%{facts.role}.web"),
        ] {
            assert_eq!(with_word(path, "web"), expected);
        }
    }
}
