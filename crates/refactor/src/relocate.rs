//! Moves keys to other files: [`relocate`], [`hoist`], [`lower`].

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hieratic::{Facts, Settings};
use hieratic_lint::contents;

use crate::data::{self, DataFile};
use crate::plan::{Plan, PlanError};

/// Moves a key to another file, with its comment. `to` is a file, or the name of a level with one file for all nodes.
/// `from` is required if several files have the key.
///
/// # Errors
/// No file or several files have the key, the other file already has it, or a file cannot be changed.
pub fn relocate(settings: &Settings, key: &str, to: &str, from: Option<&Path>) -> Result<Plan, PlanError> {
    let mut plan = Plan::about(settings, &[key])?;
    let target = target(&plan, to)?;
    let holders = defining_files(settings, &plan, key)?;
    let source = match (from, holders.as_slice()) {
        (Some(from), _) => {
            let from = hieratic::sandbox::plain(from);
            holders.iter().find(|path| **path == from).cloned().ok_or_else(|| {
                PlanError::new(format!("{} has no key '{key}'", plan.shown(&from)), listed(&plan, &holders))
            })?
        }
        (None, [only]) => only.clone(),
        (None, _) => {
            let message = format!("{} files have the key '{key}'", holders.len());
            return Err(PlanError::new(message, format!("name one with --from; {}", listed(&plan, &holders))));
        }
    };
    if source == target {
        return Err(PlanError::new(format!("'{key}' is in {} already", plan.shown(&target)), "name another file"));
    }
    put(&mut plan, &[key], &source, &target)?;
    take(&mut plan, &[key], &source)?;
    Ok(plan)
}

/// Moves a key with the same value in several files to one file that all their nodes read. Returns a plan for each
/// possible file, the lowest level first: use the first one that changes no answer.
///
/// # Errors
/// As [`relocate`].
pub fn hoist(settings: &Settings, key: &str) -> Result<Vec<Plan>, PlanError> {
    let plan = Plan::about(settings, &[key])?;
    let holders = defining_files(settings, &plan, key)?;
    let mut plans = Vec::new();
    let mut error = None;
    for level in plan.contents.levels.iter().rev() {
        let Some(target) = level.fixed.as_ref() else { continue };
        if !plan.contents.data.iter().any(|file| file.path == *target && file.is_editable) {
            continue;
        }
        let mut tried = plan.clone();
        let others: Vec<&PathBuf> = holders.iter().filter(|path| *path != target).collect();
        let Some(first) = others.first() else { continue };
        let value = value(&tried, key, first)?;
        let mut agree = true;
        for path in &holders {
            agree &= self::value(&tried, key, path)? == value;
        }
        if !agree {
            return Err(PlanError::new(
                format!("the files have different values for '{key}'"),
                listed(&plan, &holders),
            ));
        }
        let mut raise = || {
            if !holders.contains(target) {
                put(&mut tried, &[key], first, target)?;
            }
            others.iter().try_for_each(|path| take(&mut tried, &[key], path))
        };
        match raise() {
            Ok(()) => plans.push(tried),
            // A file further up may do.
            Err(refused) => error = error.or(Some(refused)),
        }
    }
    let nowhere = || {
        let message = format!("there is no other file for '{key}' that all nodes read");
        PlanError::new(message, "hoist moves keys to levels whose path has no variables")
    };
    if plans.is_empty() { Err(error.unwrap_or_else(nowhere)) } else { Ok(plans) }
}

/// Moves a key from a file that many nodes read to the files of a level that the nodes read, so that nodes without such
/// a file lose it.
///
/// # Errors
/// As [`relocate`], or no node reads a file of the level.
pub fn lower(
    settings: &Settings,
    key: &str,
    to: &str,
    from: Option<&Path>,
    nodes: &[Facts],
) -> Result<Plan, PlanError> {
    let mut plan = Plan::about(settings, &[key])?;
    let Some(level) = plan.contents.levels.iter().find(|level| level.name == to).cloned() else {
        return Err(unknown_level(&plan, to));
    };
    let holders = defining_files(settings, &plan, key)?;
    let outside: Vec<&PathBuf> = holders.iter().filter(|path| !level.files.contains(path)).collect();
    let source = match (from, outside.as_slice()) {
        (Some(from), _) => hieratic::sandbox::plain(from),
        (None, [only]) => (*only).clone(),
        (None, _) => {
            let message = format!("{} files have the key '{key}'", holders.len());
            return Err(PlanError::new(message, format!("name one with --from; {}", listed(&plan, &holders))));
        }
    };
    let environment = hieratic::Environment::open(settings)
        .map_err(|error| PlanError::new(error.to_string(), "fix the environment first"))?;
    let mut read: BTreeSet<PathBuf> = BTreeSet::new();
    for facts in nodes {
        if let Ok(node) = environment.node(facts) {
            read.extend(node.sources().unwrap_or_default());
        }
    }
    let targets: Vec<&PathBuf> =
        level.files.iter().filter(|path| read.contains(*path) && !holders.contains(path)).collect();
    if targets.is_empty() {
        let message = format!("no node reads a file of the level '{to}' that lacks '{key}'");
        return Err(PlanError::new(message, "name facts of nodes that read a file of that level: --facts FILE"));
    }
    for target in targets {
        put(&mut plan, &[key], &source, target)?;
    }
    take(&mut plan, &[key], &source)?;
    Ok(plan)
}

/// Copies an entry of a data file to another data file, which may be new, in YAML or JSON.
///
/// Between block entries of YAML, an entry keeps its comment and its notation. Otherwise only its value is copied.
///
/// # Errors
/// The key already exists, or the format of the file cannot represent the value.
///
/// ```
/// use hieratic_refactor::with_entry;
///
/// let source = "host: a\n# What we serve.\nport: 0x50\n";
/// assert_eq!(with_entry("port", source, Some("---\na: 1\n"), false)?, "---\na: 1\n# What we serve.\nport: 0x50\n");
/// assert_eq!(with_entry("port", source, None, true)?, "{\"port\": 80}\n");
/// # Ok::<(), String>(())
/// ```
pub fn with_entry(key: &str, from: &str, to: Option<&str>, is_json: bool) -> Result<String, String> {
    let source = DataFile::read(from)?;
    let target = DataFile::read(to.unwrap_or(data::empty(is_json)))?;
    if !is_json && source.is_block() && target.is_block() {
        return target.with(&[key], &source);
    }
    let value = source.value(key)?;
    if !data::is_plain(&value) {
        return Err(format!("the value of '{key}' cannot be written as JSON"));
    }
    target.with_value(key, value)
}

/// The file that a name of a file or of a level means.
fn target(plan: &Plan, to: &str) -> Result<PathBuf, PlanError> {
    if let Some(level) = plan.contents.levels.iter().find(|level| level.name == to) {
        return level.fixed.clone().ok_or_else(|| {
            let message = format!("the level '{to}' has a file for each of several kinds of nodes");
            PlanError::new(message, "name the file, or use `lower`")
        });
    }
    let path = hieratic::sandbox::plain(Path::new(to));
    if plan.contents.data.iter().any(|file| file.path == path && !file.is_editable) {
        let message = format!("{} is neither YAML nor JSON", plan.shown(&path));
        return Err(PlanError::new(message, "move the key by hand"));
    }
    let is_data = plan.contents.data.iter().any(|file| file.path == path);
    let is_read = is_data || plan.contents.levels.iter().any(|level| level.fixed.as_ref() == Some(&path));
    let is_named_like_one =
        matches!(path.extension().and_then(|extension| extension.to_str()), Some("yaml" | "yml" | "eyaml"));
    if is_read || is_named_like_one { Ok(path) } else { Err(unknown_level(plan, to)) }
}

fn unknown_level(plan: &Plan, to: &str) -> PlanError {
    let names: Vec<&str> = plan.contents.levels.iter().map(|level| level.name.as_str()).collect();
    let help = match hieratic_diagnostics::nearest(to, names.iter().copied()) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("the levels are {}", names.join(", ")),
    };
    PlanError::new(format!("'{to}' is neither a data file nor a level"), help)
}

/// The files of the environment that have a key.
fn defining_files(settings: &Settings, plan: &Plan, key: &str) -> Result<Vec<PathBuf>, PlanError> {
    let has = |file: &&hieratic_lint::Data| file.module.is_none() && file.keys.iter().any(|own| own == key);
    let holders: Vec<&hieratic_lint::Data> = plan.contents.data.iter().filter(has).collect();
    if let Some(file) = holders.iter().find(|file| !file.is_editable) {
        let message = format!("{} has '{key}', and is neither YAML nor JSON", plan.shown(&file.path));
        return Err(PlanError::new(message, "move it by hand"));
    }
    if holders.is_empty() {
        let all = contents(settings).map(|contents| contents.data).unwrap_or_default();
        let keys = all.iter().flat_map(|file| &file.keys).map(String::as_str);
        let help = match hieratic_diagnostics::nearest(key, keys) {
            Some(near) => format!("did you mean '{near}'?"),
            None => "name a key of the environment's data".to_owned(),
        };
        Err(PlanError::new(format!("no data file has the key '{key}'"), help))
    } else {
        Ok(holders.into_iter().map(|file| file.path.clone()).collect())
    }
}

fn listed(plan: &Plan, files: &[PathBuf]) -> String {
    let names: Vec<String> = files.iter().map(|path| plan.shown(path)).collect();
    format!("it is in {}", names.join(", "))
}

fn refused(plan: &Plan, path: &Path, message: &str) -> PlanError {
    PlanError::new(format!("{}: {message}", plan.shown(path)), "change the file by hand")
}

fn file(plan: &Plan, path: &Path) -> Result<DataFile, PlanError> {
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    let text = plan.text(path)?.unwrap_or_else(|| data::empty(is_json).to_owned());
    DataFile::read(&text).map_err(|message| refused(plan, path, &message))
}

fn value(plan: &Plan, key: &str, path: &Path) -> Result<hieratic::Value, PlanError> {
    file(plan, path)?.value(key).map_err(|message| refused(plan, path, &message))
}

/// The keys of a file, as it is planned up to now.
pub(crate) fn keys_of(plan: &Plan, path: &Path) -> Result<Vec<String>, PlanError> {
    Ok(file(plan, path)?.keys().map(str::to_owned).collect())
}

/// Writes entries of one file into another.
pub(crate) fn put(plan: &mut Plan, keys: &[&str], source: &Path, target: &Path) -> Result<(), PlanError> {
    let own = file(plan, source)?;
    let both = |message: String| {
        refused(plan, target, &format!("entries of {} cannot be written here: {message}", plan.shown(source)))
    };
    let changed = file(plan, target)?.with(keys, &own).map_err(both)?;
    plan.set(target, changed)
}

/// Takes entries out of a file, with their comments.
pub(crate) fn take(plan: &mut Plan, keys: &[&str], path: &Path) -> Result<(), PlanError> {
    let changed = file(plan, path)?.without(keys, true).map_err(|message| refused(plan, path, &message))?;
    plan.set(path, changed)
}
