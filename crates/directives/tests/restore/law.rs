//! The law of restoring, for one document and one change.

// Each test uses a part of the report.
#![allow(dead_code)]

use hieratic_directives::{
    Applied, Directive, Document, Failure, Files, Options, PlusKey, Record, RestoreOptions, expand, restore,
};
use hieratic_value::Value;
use hieratic_yaml_edit as edit;
use hieratic_yaml_edit::tree::{Content, Item, Node};

pub fn parse(text: &str) -> Result<Document, Failure> {
    Document::parse(text, "main.yaml", "/d".as_ref())
}

fn expanded(text: &str, files: &mut dyn Files, options: &Options) -> Result<Value, Failure> {
    Ok(expand(&parse(text)?, files, options)?.to_value())
}

/// The result of restoring a changed document.
pub struct Report {
    /// The number of directives before the change.
    pub before: usize,
    /// The directives that were removed although their targets and their maps still exist.
    pub lost: Vec<String>,
    /// The violation of an invariant.
    pub fault: Option<String>,
    /// Which comment went although its entry is still there.
    pub comment: Option<String>,
    /// An entry that was rewritten although it does not depend on the change.
    pub moved: Option<String>,
    /// Whether the whole document was rewritten.
    pub plain: bool,
}

/// Restores a document after a change; `None` if the document does not expand.
pub fn check(
    text: &str,
    files: &mut dyn Files,
    options: &RestoreOptions,
    change: impl FnOnce(&Value) -> Value,
) -> Option<Report> {
    let document = parse(text).ok()?;
    let data = expand(&document, files, &options.expand).ok()?.to_value();
    // Data that looks like a directive comes from `raw`, and can be restored only as long as that stays.
    if has_directives(&data) {
        return None;
    }
    let before = directives(document.root()).len();
    let error = |subject: String, changed: &Value, restored: &str| {
        let error = format!(
            "{subject}\n--- document\n{text}\n--- data {}\n--- changed {}\n--- restored\n{restored}",
            data.inspect(),
            changed.inspect()
        );
        Some(Report { before, lost: Vec::new(), fault: Some(error), comment: None, moved: None, plain: false })
    };
    match restore(&document, &data, files, options) {
        Ok(restored) if restored.text == text => {}
        Ok(restored) => return error("what is unchanged does not stay".into(), &data, &restored.text),
        Err(failure) => return error(format!("what is unchanged: {failure}"), &data, ""),
    }
    let changed = change(&data);
    let restored = match restore(&document, &changed, files, options) {
        Ok(restored) => restored.text,
        Err(failure) => return error(failure.to_string(), &changed, ""),
    };
    match expanded(&restored, files, &options.expand) {
        Ok(again) if again == changed => {}
        Ok(again) => return error(format!("it expands to {}", again.inspect()), &changed, &restored),
        Err(failure) => return error(failure.to_string(), &changed, &restored),
    }
    let again = parse(&restored).ok()?;
    match restore(&again, &changed, files, options) {
        Ok(stable) if stable.text == restored => {}
        _ => return error("restoring it again changes it".into(), &changed, &restored),
    }
    let plain = edit::apply(text, document.root(), &edit::Change::Replace(changed.clone())) == restored;
    let comment = lost_comment(text, document.root(), &data, &changed, &restored).filter(|_| !plain);
    let comment = comment.map(|comment| format!("the comment {comment} is lost\n{text}\n--- restored\n{restored}"));
    let comment = comment.or_else(|| gone_comment(text, document.root(), &restored, again.root(), &changed));
    let all = Options { record: Record::All, ..options.expand.clone() };
    let applied = expand(&document, files, &all).ok()?.applied().to_vec();
    let both = Both { text, restored: &restored, data: &data, changed: &changed, applied: &applied };
    // A directive that a merge key brings in can only go with the merge key.
    let is_merged = brings_directives(document.root());
    let moved = both.moved(document.root(), again.root(), &mut Vec::new()).filter(|_| !is_merged);
    let shown = |subject: String| {
        format!("{subject}\n--- document\n{text}\n--- changed {}\n--- restored\n{restored}", changed.inspect())
    };
    let (comment, moved) = (comment.map(shown), moved.map(shown));
    Some(Report { before, lost: lost(&document, &again, &changed), fault: None, comment, moved, plain })
}

/// Returns whether a merge key brings in a directive.
fn brings_directives(node: &Node) -> bool {
    match node.content() {
        Content::Scalar(_) => false,
        Content::List(items) => items.iter().any(|item| brings_directives(item.node())),
        Content::Map(map) => map.entries().iter().any(|entry| {
            let is_special = entry.name().is_some_and(|name| name.starts_with('+'));
            entry.merged && (is_special || entry.node().has_plus_keys()) || brings_directives(entry.node())
        }),
    }
}

/// A document before and after, to be compared where the change has no part in it.
struct Both<'b> {
    text: &'b str,
    restored: &'b str,
    data: &'b Value,
    changed: &'b Value,
    applied: &'b [Applied],
}

impl Both<'_> {
    /// An entry that depends on nothing that changed, and is not written as it was.
    fn moved(&self, before: &Node, after: &Node, path: &mut Vec<Value>) -> Option<String> {
        let (before, after) = (before.as_map()?, after.as_map());
        // All that is in a map depends on the file that is merged under it.
        let mut includes =
            before.entries().iter().filter(|entry| entry.name().is_some_and(|name| name.contains("include")));
        if includes.any(|include| after.is_none_or(|after| after.entry(&include.key).is_none())) {
            return None;
        }
        for entry in before.entries().iter().filter(|entry| !entry.merged && !entry.item.is_alias()) {
            // The values of keys that are not strings are not expanded.
            let Some(name) = entry.name() else { continue };
            let written = &self.text[entry.item.span().range()];
            if name.starts_with('+') || written.contains(['*']) || written.contains("<<") {
                continue;
            }
            let now = after.and_then(|after| after.entry(&entry.key)).filter(|now| !now.merged && !now.item.is_alias());
            // Text cannot be added unchanged after a document that ends within a block scalar.
            let is_last = entry.item.span().behind() == self.text.len();
            if is_last && (written.contains('\n') || written.contains(['|', '>'])) {
                continue;
            }
            path.push(entry.key.clone());
            let is_same =
                now.is_some_and(|now| self.restored[now.item.span().range()].trim_end() == written.trim_end());
            let wrong = match now {
                _ if is_same => None,
                _ if self.is_independent(path) => Some(format!("the entry {path:?} was written anew")),
                Some(now) => self.moved(entry.node(), now.node(), path),
                None => None,
            };
            path.pop();
            if wrong.is_some() {
                return wrong;
            }
        }
        None
    }

    /// Returns whether an entry, and all targets of the directives in it and around it, are unchanged.
    fn is_independent(&self, path: &[Value]) -> bool {
        let is_same = |path: &[Value]| match (at(self.data, path), at(self.changed, path)) {
            (Some(before), Some(after)) => before == after,
            (None, None) => true,
            _ => false,
        };
        let concerns = |applied: &&Applied| applied.path.starts_with(path) || path.starts_with(&applied.path);
        at(self.data, path).is_some()
            && is_same(path)
            && self.applied.iter().filter(concerns).all(|applied| match PlusKey::parse(&applied.key) {
                Ok(PlusKey::Directive(directive)) if directive.anchor.is_some() => false,
                Ok(PlusKey::Directive(directive)) if directive.include.is_some() => true,
                // Items that come to nothing are missing in the data, and others have their numbers there.
                Ok(PlusKey::Directive(directive))
                    if directive.pointer.iter().any(|segment| segment.as_str().parse::<i64>().is_ok()) =>
                {
                    false
                }
                // Targets behind other directives are not checked.
                Ok(PlusKey::Directive(directive)) => {
                    let target = target(&applied.path, &directive);
                    at(self.data, &target).is_some() && is_same(&target)
                }
                _ => false,
            })
    }
}

/// Returns a lost comment of an entry that still exists, before its value or after it.
fn gone_comment(text: &str, before: &Node, restored: &str, after: &Node, changed: &Value) -> Option<String> {
    // In braces, others may stand on the same line.
    let is_flow = before.is_flow();
    let (before, after) = (before.as_map()?, after.as_map()?);
    let hides = |map: &hieratic_yaml_edit::tree::Map| {
        map.entries().iter().filter(|entry| entry.name().is_some_and(|name| name.starts_with("hidden"))).count()
    };
    let is_hidden = hides(after) > hides(before);
    // An alias may be replaced by its value.
    let written = before.entries().iter().filter(|entry| !entry.merged && !entry.item.is_alias());
    written.into_iter().find_map(|entry| {
        let now = after.entry(&entry.key).filter(|now| !now.merged);
        let (key, value) = (entry.key_span.behind(), entry.item.span().range());
        let line_end = |at: usize| text[at..].find(['\n', '\r']).map_or(text.len(), |length| at + length);
        let is_scalar = entry.node().as_scalar().is_some() && !entry.item.is_alias();
        let stands = match () {
            _ if is_flow || entry.node().is_flow() => "",
            // In a block scalar it would be text.
            _ if is_scalar && is_block_scalar(&text[value.clone()]) => &text[key..line_end(value.start)],
            _ if is_scalar && value.start >= key => &text[key..line_end(value.end)],
            _ if value.start > line_end(key) => &text[key..line_end(key)],
            _ => "",
        };
        // A string may contain something that looks like a comment.
        let lost = stands.match_indices("# c").find_map(|(at, _)| {
            let comment = stands[at..].split_inclusive('.').next()?;
            (!restored.contains(comment)).then_some(comment)
        });
        let is_kept = now.is_some() || is_hidden && entry.name().is_some_and(|name| name.starts_with('+'));
        if let Some(comment) = lost.filter(|_| is_kept) {
            return Some(format!("the comment {comment} on {:?} is lost", entry.key));
        }
        let changed = at(changed, std::slice::from_ref(&entry.key)).filter(|value| value.as_hash().is_some())?;
        gone_comment(text, entry.node(), restored, now?.node(), changed)
    })
}

/// Returns whether a scalar is in block style: `|` or `>`.
fn is_block_scalar(written: &str) -> bool {
    let first = written.split([' ', '\t', '\n', '\r']).find(|word| !word.is_empty() && !word.starts_with(['&', '!']));
    first.is_some_and(|word| word.starts_with(['|', '>']))
}

/// Returns the path of the target of a directive without a name.
fn target(path: &[Value], directive: &Directive) -> Vec<Value> {
    let kept = match directive.dots {
        0 => 0,
        dots => path.len().saturating_sub(dots - 1),
    };
    let pointer = directive.pointer.iter().map(|segment| Value::from(segment.as_str()));
    path[..kept].iter().cloned().chain(pointer).collect()
}

/// The directives of a document that went without need.
fn lost(document: &Document, restored: &Document, changed: &Value) -> Vec<String> {
    let (before, kept) = (directives(document.root()), directives(restored.root()));
    if kept.len() >= before.len() {
        return Vec::new();
    }
    let lost = before.into_iter().filter(|one| !kept.contains(one) && is_needed(one, changed));
    lost.map(|(path, key)| format!("{path:?} {key}")).collect()
}

/// Returns whether keys of plain data have a meaning in the expansion.
fn has_directives(data: &Value) -> bool {
    match data {
        Value::Array(items) => items.iter().any(has_directives),
        Value::Hash(hash) => hash.iter().any(|(key, value)| {
            !matches!(PlusKey::parse(key.as_str().unwrap_or_default()), Ok(PlusKey::Plain)) || has_directives(value)
        }),
        _ => false,
    }
}

/// The directives that are written: the keys and indexes that lead to the map, and the key.
fn directives(node: &Node) -> Vec<(Vec<Value>, String)> {
    let mut found = Vec::new();
    let mut open = vec![(Vec::new(), node)];
    while let Some((path, node)) = open.pop() {
        let below = |key: Value, item: &'_ Item| {
            let path: Vec<Value> = path.iter().cloned().chain([key]).collect();
            (!item.is_alias()).then_some(path)
        };
        match node.content() {
            Content::Scalar(_) => {}
            Content::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    if let Some(path) = below(Value::Integer(at as i64), item) {
                        open.push((path, item.node()));
                    }
                }
            }
            Content::Map(map) => {
                for entry in map.entries().iter().filter(|entry| !entry.merged) {
                    let name = entry.name().unwrap_or_default();
                    if let Ok(PlusKey::Directive(_)) = PlusKey::parse(name) {
                        found.push((path.clone(), name.to_owned()));
                    }
                    if let Some(path) = below(entry.key.clone(), &entry.item) {
                        open.push((path, entry.node()));
                    }
                }
            }
        }
    }
    found
}

/// Returns whether a directive still has a map around it, and a target.
fn is_needed((path, key): &(Vec<Value>, String), changed: &Value) -> bool {
    let Ok(PlusKey::Directive(directive)) = PlusKey::parse(key) else { return false };
    let is_in_list = path.iter().any(|key| matches!(key, Value::Integer(_)));
    let target = target(path, &directive);
    // The targets of names and files may depend on the change.
    let is_named = directive.anchor.is_some() || directive.include.is_some();
    let container = at(changed, path).is_some_and(|value| value.as_hash().is_some());
    !is_in_list && container && !is_named && (at(changed, &target).is_some_and(|value| value.as_hash().is_some()))
}

/// Returns the value at a path of plain data.
fn at<'v>(value: &'v Value, path: &[Value]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, key| match value {
        Value::Hash(hash) => hash.get_value(key),
        Value::Array(items) => items.get(key.to_text().parse::<usize>().ok()?),
        _ => None,
    })
}

/// A comment in an entry that is as it was, in maps that are still maps, which is not there any more.
fn lost_comment<'t>(text: &'t str, node: &Node, data: &Value, changed: &Value, restored: &str) -> Option<&'t str> {
    let (Content::Map(map), Value::Hash(was), Value::Hash(is)) = (node.content(), data, changed) else { return None };
    map.entries().iter().filter(|entry| !entry.merged && !entry.item.is_alias()).find_map(|entry| {
        let (was, is) = (was.get_value(&entry.key)?, is.get_value(&entry.key)?);
        // The value of a key that is not a string is not expanded: it is rewritten if it has directives and changes.
        entry.name().or_else(|| (!entry.node().has_plus_keys()).then_some(""))?;
        // The values of directives may have to be written out, and replace the directives.
        if was != is || entry.node().has_plus_keys() {
            return lost_comment(text, entry.node(), was, is, restored);
        }
        let written = &text[entry.item.span().range()];
        written.match_indices("# c").find_map(|(at, _)| {
            let comment = written[at..].split_inclusive('.').next()?;
            (!restored.contains(comment)).then_some(comment)
        })
    })
}
