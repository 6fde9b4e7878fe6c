//! Lists that shrink: the directives that bring them in move into a map that leaves them out.

use hieratic_document::edit::{Added, Change, MapChange};
use hieratic_document::tree::{Entry, Map, Node};
use hieratic_value::{Hash, Value};
use rustc_hash::FxHashSet;

use super::base::target_path;
use super::overrides::whiteouts;
use super::plan::directive;
use crate::Directive;
use crate::key::escape;

/// Moves the directives of a map that bring in lists into a map in it that leaves these lists out.
pub(super) fn with_lists_left_out(
    map: &Map,
    path: &[Value],
    want: &Hash,
    mut change: MapChange,
    lists: &[Vec<Value>],
    bring: &[(usize, Node)],
    used: &mut FxHashSet<String>,
) -> Option<Change> {
    if lists.is_empty() {
        let nothing = change.values.is_empty() && change.removed.is_empty() && change.added.is_empty();
        return (!nothing).then_some(Change::Map(change));
    }
    // Maps that inherit from this one, or that it inherits from, must have no such key either.
    let taken = |name: &str| used.contains(name) || want.contains(name) || map.get(name).is_some();
    let name = (1..).map(|n| if n == 1 { "hidden".to_owned() } else { format!("hidden-{n}") }).find(|n| !taken(n))?;
    used.insert(name.clone());
    let has_any = |(_, node): &&(usize, Node)| lists.iter().any(|path| has_list(node, path));
    // Those between the first and the last go along, because their order counts.
    let first = bring.iter().find(has_any)?.0;
    let last = bring.iter().rfind(has_any)?.0;
    let mut inner: Vec<(Value, Value)> = Vec::new();
    for (index, _) in bring.iter().filter(|(index, _)| (first..=last).contains(index)) {
        let Some((entry, directive)) = map.entries().get(*index).and_then(|entry| Some((entry, directive(entry)?)))
        else {
            continue;
        };
        inner.push((absolute(entry, &directive, path), entry.node().to_value()));
        change.removed.push(*index);
        change.moved.push(*index);
    }
    inner.extend(whiteouts(lists));
    let inner: Hash = inner.into_iter().collect();
    // A map that has directives itself would lose its `+%` when they are merged.
    let hidden: Hash = [("+%", Value::from("whiteout")), ("base", inner.into())].into_iter().collect();
    let after = Some(first);
    // From here only where no index leads here: whoever inherits the map has to find the same.
    let is_fixed = path.iter().all(|key| key.as_str().is_some());
    let pointer: String = path.iter().map(|key| format!("/{}", escape(&key.to_text()))).collect();
    let reference = if is_fixed { format!("+{pointer}/{name}/base") } else { format!("+./{name}/base") };
    let new = [
        Added { after, key: reference.into(), value: Value::Undef },
        Added { after, key: name.into(), value: hidden.into() },
    ];
    change.added.splice(0..0, new);
    Some(Change::Map(change))
}

/// Whether a map has something at the path of a list.
pub(super) fn has_list(node: &Node, path: &[Value]) -> bool {
    match path.split_first() {
        None => true,
        Some((key, rest)) => {
            node.as_map().and_then(|map| map.entry(key)).is_some_and(|entry| has_list(entry.node(), rest))
        }
    }
}

/// A directive as it reads in any other map.
fn absolute(entry: &Entry, directive: &Directive, path: &[Value]) -> Value {
    if directive.dots == 0 || directive.anchor.is_some() || directive.include.is_some() {
        return entry.key.clone();
    }
    let optional = if directive.optional { "?" } else { "" };
    let segments = target_path(path, directive);
    let pointer: String = segments.iter().map(|segment| format!("/{}", escape(&segment.to_text()))).collect();
    format!("+{optional}{pointer}").into()
}
