//! [`restore`]: applies changes of an expanded document to its source with directives.
//!
//! Unchanged parts stay byte for byte. Changes are written to the smallest place: an own value of a map is edited, an
//! inherited one becomes a key next to the directive, and a removed inherited key gets `+%: whiteout`. The invariant is
//! that the restored document expands to the changed one: every result is expanded again before it is returned, and is
//! corrected until this is so.
//!
//! Two changes cannot be expressed next to a directive, because merging only makes lists longer, and because a target
//! may have been removed:
//!
//! - An inherited list loses items or changes their order: the directive moves into a map `hidden/base` inside the map,
//!   which `+%: whiteout` keeps out of the result and which leaves the list out, and the map includes that.
//! - The target of a directive was removed: the directive is removed, and the map gets the keys of the target.

mod align;
mod base;
mod comparison;
mod differing;
mod hidden;
mod includes;
mod lists;
mod overrides;
mod plan;

use std::path::PathBuf;

use hieratic_value::Value;
use hieratic_value::collections::{HashMap, HashSet};
use hieratic_yaml_edit::tree::Node;
use hieratic_yaml_edit::{self as edit, Added, Change, MapChange};

use crate::codes;
use crate::expand::{Expanded, Options, Record, ResolvedTarget};
use crate::{Document, Failure, Files, expand};
use comparison::same;
use plan::Planner;

/// A restored document.
#[derive(Clone, Debug)]
pub struct Restored {
    /// The source of the document.
    pub text: String,
    /// The changed included files with their new content. It is empty without [`RestoreOptions::into_includes`].
    pub files: Vec<(PathBuf, String)>,
}

/// The options of [`restore`].
#[derive(Clone, Debug, Default)]
pub struct RestoreOptions {
    /// The options of the expansion.
    pub expand: Options,
    /// Whether changes of included values are written to the included files, if all their includes need the same
    /// change.
    pub into_includes: bool,
}

/// The number of corrections before the document is written out without directives.
const MAX_CORRECTIONS: usize = 8;

/// Returns the document that expands to `changed`, with the directives of `original`.
///
/// `changed` is plain data: keys that look like directives are not expanded again. The order of keys in maps is
/// ignored: a key keeps its position when others change.
///
/// ```
/// use hieratic_directives::{Document, LocalFiles, RestoreOptions, restore};
/// use hieratic_yaml as yaml;
///
/// let text = "defaults: {cpu: 2, mem: 4}\nweb:\n  +/defaults:\n  cpu: 8 # more\n";
/// let original = Document::parse(text, "main.yaml", ".".as_ref())?;
/// let changed = "{defaults: {cpu: 2, mem: 4}, web: {cpu: 16, mem: 5}}";
/// let changed = yaml::parse(changed.as_bytes(), &yaml::Options::new("changed.yaml"))?;
/// let mut files = LocalFiles::below(".".as_ref());
/// let restored = restore(&original, &changed, &mut files, &RestoreOptions::default())?;
/// assert_eq!(restored.text, "defaults: {cpu: 2, mem: 4}\nweb:\n  +/defaults:\n  cpu: 16 # more\n  mem: 5\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The original cannot be expanded, `changed` is not a map, or it has new keys that would be parsed as directives.
pub fn restore(
    original: &Document,
    changed: &Value,
    files: &mut dyn Files,
    options: &RestoreOptions,
) -> Result<Restored, Failure> {
    if !matches!(changed, Value::Hash(_)) {
        return Err(Failure::plain(
            codes::NO_MAP,
            "the changed document is not a map",
            "only maps can have directives",
        ));
    }
    let expand_options = Options { record: Record::Written, is_final: false, ..options.expand.clone() };
    if options.into_includes {
        let changes = includes::changes(original, changed, files, &expand_options)?;
        if !changes.is_empty() {
            // The changed files are the new base; the remaining differences are written into the document.
            let mut files = includes::OverlayFiles { files, texts: &changes };
            let options = RestoreOptions { into_includes: false, ..options.clone() };
            let restored = restore(original, changed, &mut files, &options)?;
            let files = changes.into_iter().map(|change| (change.path, change.text)).collect();
            return Ok(Restored { files, ..restored });
        }
    }
    let mut document = original.clone();
    let mut expanded = expand(&document, files, &expand_options)?;
    if same(expanded.root(), changed) {
        return Ok(Restored { text: document.text().to_owned(), files: Vec::new() });
    }
    overrides::check_keys(changed, expanded.root())?;
    // The paths of the maps whose directives must be removed.
    let mut inline: HashSet<Vec<Value>> = HashSet::default();
    let mut first = true;
    let first_expanded = expanded.root().clone();
    let depends = dependent(&document, &expanded, changed);
    for _ in 0..MAX_CORRECTIONS {
        let targets = targets(&expanded);
        let planner = Planner::new(&document, &expanded, &targets, changed, first, &inline);
        let Some(change) = planner.plan() else { break };
        let text = edit::apply(document.text(), document.root(), &change);
        let next = document
            .with_text(&text)
            .and_then(|next| expand(&next, files, &expand_options).map(|expanded| (next, expanded)));
        match next {
            Ok((next, again)) if same(again.root(), changed) => {
                return Ok(Restored { text: next.text().to_owned(), files: Vec::new() });
            }
            // The remaining differences are corrected against the new targets.
            Ok((next, again)) if first => (document, expanded, first) = (next, again, false),
            Ok((next, again)) => {
                let before = inline.len();
                differing::differing(next.root(), again.root(), changed, &mut inline);
                (document, expanded) = (next, again);
                if inline.len() == before && next_is_same(&text, &document) {
                    differing::all_changed(document.root(), expanded.root(), changed, &depends, &mut inline);
                }
            }
            Err(_) => {
                // A required part is gone: the changed maps are written without directives.
                let before = inline.len();
                differing::all_changed(document.root(), expanded.root(), changed, &depends, &mut inline);
                if inline.len() == before {
                    break;
                }
            }
        }
    }
    for keeps in [true, false] {
        let change = written_out(original, &first_expanded, changed, &depends, keeps);
        let text = edit::apply(original.text(), original.root(), &change);
        let next = original.with_text(&text).and_then(|next| expand(&next, files, &expand_options));
        if next.is_ok_and(|next| same(next.root(), changed)) {
            return Ok(Restored { text, files: Vec::new() });
        }
    }
    plainly(original, changed, files, &expand_options)
}

/// The change of a document that writes out all entries at its top that depend on the change, or all that have directives.
fn written_out(
    document: &Document,
    expanded: &Node,
    changed: &Value,
    depends: &HashSet<Vec<Value>>,
    keeps: bool,
) -> Change {
    let (Some(map), Value::Hash(target)) = (document.root().as_map(), changed) else {
        return Change::Replace(changed.clone());
    };
    let mut change = MapChange::default();
    let mut written = HashSet::default();
    for (at, entry) in map.entries().iter().enumerate().filter(|(_, entry)| !entry.merged) {
        let is_data = entry.name().is_none_or(|name| !overrides::is_special(name));
        let Some(expected) = comparison::target_value(target, &entry.key).filter(|_| is_data) else {
            change.removed.push(at);
            continue;
        };
        written.insert(&entry.key);
        let was = expanded.as_map().and_then(|map| map.entry(&entry.key));
        let is_kept = !entry.node().has_plus_keys() || keeps && !depends.contains(std::slice::from_ref(&entry.key));
        if !(is_kept && was.is_some_and(|was| same(was.node(), expected))) {
            change.values.push((at, Change::Replace(expected.clone())));
        }
    }
    let keys = comparison::KeyLookup::new(map);
    let new = target.iter().filter(|(key, _)| keys.entry(key).is_none_or(|entry| !written.contains(&entry.key)));
    let after = Some(map.len());
    change.added = new.map(|(key, value)| Added { after, key: key.clone(), value: value.clone() }).collect();
    Change::Map(change)
}

/// Returns the paths of the maps with a directive whose expansion changes, or whose target changes.
fn dependent(document: &Document, expanded: &Expanded, changed: &Value) -> HashSet<Vec<Value>> {
    let (targets, inline) = (targets(expanded), HashSet::default());
    let mut all = Planner::new(document, expanded, &targets, changed, true, &inline).into_affected();
    differing::differing(document.root(), expanded.root(), changed, &mut all);
    all
}

fn next_is_same(text: &str, document: &Document) -> bool {
    text == document.text()
}

/// Writes the document without directives: the last resort.
fn plainly(
    original: &Document,
    changed: &Value,
    files: &mut dyn Files,
    options: &Options,
) -> Result<Restored, Failure> {
    let text = edit::apply(original.text(), original.root(), &edit::Change::Replace(changed.clone()));
    let document = original.with_text(&text)?;
    let expanded = expand(&document, files, options)?;
    if same(expanded.root(), changed) {
        return Ok(Restored { text, files: Vec::new() });
    }
    Err(Failure::plain(
        codes::NOT_RESTORABLE,
        "the changed document cannot be represented: no directives expand to it",
        "it has keys that are directives",
    ))
}

/// The targets of the directives of the main document, by the path of their map and their key.
type Targets = HashMap<(Vec<Value>, String), Option<Node>>;

fn targets(expanded: &Expanded) -> Targets {
    let each = expanded.applied().iter().map(|applied| {
        let found = match &applied.found {
            ResolvedTarget::Target(node, _) => Some(node.clone()),
            ResolvedTarget::Nothing(_) | ResolvedTarget::Missing => None,
        };
        ((applied.path.clone(), applied.key.clone()), found)
    });
    each.collect()
}
