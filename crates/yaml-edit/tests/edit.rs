//! Edits of random documents: the text reads back as what the change says, and what was not changed stays as it was.

mod changes;
mod choices;
mod documents;

use choices::Choices;
use documents::{Extras, OnlyJson, Plain};
use hieratic_json as json;
use hieratic_value::{Hash, Value};
use hieratic_yaml_edit::tree::{self, Content, Item, Node};
use hieratic_yaml_edit::{self as edit, Change, MapChange, Slot};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

/// A document, its tree and a change of it; none if what was drawn is no document.
fn drawn(document: &[u8], change: &[u8], extras: &mut dyn Extras) -> Option<(String, Node, Change)> {
    let text = documents::document(&mut Choices::new(document), extras);
    let root = tree::parse(&text, 0, "main.yaml").ok()?;
    let change = changes::change(&mut Choices::new(change), &root);
    Some((text, root, change))
}

/// What is wrong with the text that an edit gives; nothing if all is well.
fn fault(text: &str, root: &Node, change: &Change) -> Option<String> {
    let edited = edit::apply(text, root, change);
    let reported =
        |subject: String| Some(format!("{subject}\n--- before\n{text}\n--- after\n{edited}\n--- {change:?}"));
    let again = match tree::parse(&edited, 0, "edited.yaml") {
        Ok(again) => again,
        Err(error) => return reported(format!("it cannot be read: {}", error.message())),
    };
    let (is, want) = (again.to_value(), changes::data(root, change));
    if is != want {
        return reported(format!("it is {}\ninstead of {}", is.inspect(), want.inspect()));
    }
    if let Some(lost) = lost_comment(text, root, change, &edited) {
        return reported(format!("the comment {lost} is lost"));
    }
    let mut touched = None;
    untouched(&Item::new(root.clone()), Some(change), &Item::new(again), &mut |before, after| {
        // A block scalar that is not the end any more has to say that it has no line break there.
        let is_open_end = before.span().behind() == text.len() && !text.ends_with('\n');
        let (before, after) = (&text[before.span().range()], &edited[after.span().range()]);
        if before.trim_end() != after.trim_end() && !before.contains('*') && !is_open_end {
            touched.get_or_insert_with(|| format!("{before:?} became {after:?}"));
        }
    });
    touched.and_then(reported)
}

/// Shows what was not changed as it stood before and as it stands now.
fn untouched(before: &Item, change: Option<&Change>, after: &Item, show: &mut dyn FnMut(&Item, &Item)) {
    let Some(change) = change else { return show(before, after) };
    match (change, before.node().content(), after.node().content()) {
        (Change::Map(change), Content::Map(map), Content::Map(new)) if !before.is_alias() => {
            for (at, entry) in map.entries().iter().enumerate() {
                if entry.merged || change.removed.contains(&at) {
                    continue;
                }
                let Some(new) = new.entry(&entry.key) else { continue };
                let change = change.values.iter().find(|(index, _)| *index == at).map(|(_, change)| change);
                untouched(&entry.item, change, &new.item, show);
            }
        }
        (Change::List(slots), Content::List(items), Content::List(new)) if !before.is_alias() => {
            for (slot, new) in slots.iter().zip(new) {
                if let Slot::Old(at, change) = slot {
                    untouched(&items[*at], change.as_ref(), new, show);
                }
            }
        }
        _ => {}
    }
}

/// A comment that is not there any more although nothing beside it was taken away.
fn lost_comment<'t>(text: &'t str, root: &Node, change: &Change, edited: &str) -> Option<&'t str> {
    let mut gone = Vec::new();
    removed_lines(text, &Item::new(root.clone()), change, &mut gone);
    text.match_indices("# c").find_map(|(at, _)| {
        let comment = text[at..].split_inclusive('.').next()?;
        let is_gone = gone.iter().any(|(start, end)| (*start..*end).contains(&at));
        (!is_gone && !edited.contains(comment)).then_some(comment)
    })
}

/// Adds the parts of the text that a change takes away.
fn removed_lines(text: &str, item: &Item, change: &Change, gone: &mut Vec<(usize, usize)>) {
    let line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |end| at + end);
    let all = |item: &Item| {
        let (start, end) = (item.span().first(), item.span().behind());
        // Comments before a value, and beside the last line of a block, belong to it.
        let start = text[..start].trim_end_matches(['\n', ' ', '\r']).len();
        let comments = text[..start].rfind(['\n', ':', '-']).unwrap_or(0);
        (if text[comments..start].contains('#') { comments } else { start }, line_end(end))
    };
    match (item.node().content(), change) {
        (Content::Map(map), Change::Map(change)) if !item.is_alias() => {
            let kept =
                map.entries().iter().enumerate().any(|(at, entry)| !entry.merged && !change.removed.contains(&at));
            if !kept && (map.merge_keys().is_empty() || item.node().is_flow()) {
                return gone.push(all(item));
            }
            for at in &change.removed {
                let entry = &map.entries()[*at];
                let end = entry.item.span().end.max(entry.key_span.end) as usize;
                let after = map.entries().get(at + 1).filter(|next| item.node().is_flow() && !next.merged);
                gone.push((entry.key_span.first(), after.map_or(line_end(end), |next| next.key_span.first())));
            }
            for (at, change) in &change.values {
                removed_lines(text, &map.entries()[*at].item, change, gone);
            }
        }
        (Content::List(items), Change::List(slots)) if !item.is_alias() => {
            if !slots.iter().any(|slot| matches!(slot, Slot::Old(..))) {
                return gone.push(all(item));
            }
            for (at, old) in items.iter().enumerate() {
                if slots.iter().any(|slot| matches!(slot, Slot::Old(kept, _) if *kept == at)) {
                    continue;
                }
                let end = old.span().behind();
                let after = items.get(at + 1).filter(|_| item.node().is_flow());
                let start = text[..old.span().first()].rfind('-').unwrap_or(0);
                let start = if item.node().is_flow() { old.span().first() } else { start };
                gone.push((start, after.map_or(line_end(end), |next| next.span().first())));
            }
            for slot in slots {
                if let Slot::Old(at, Some(change)) = slot {
                    removed_lines(text, &items[*at], change, gone);
                }
            }
        }
        _ => gone.push(all(item)),
    }
}

/// The keys and scalars of a document as JSON has them.
fn as_json(value: &Value) -> Value {
    match value {
        Value::Hash(hash) => hash.iter().map(|(key, value)| (key.clone(), as_json(value))).collect::<Hash>().into(),
        Value::Array(items) => items.iter().map(as_json).collect(),
        other => other.clone(),
    }
}

fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..most)
}

/// How many cases are drawn; the variable asks for a thorough run.
fn cases() -> u32 {
    std::env::var("HIERATIC_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(1000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 60_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_edited_document_matches_the_change(document in bytes(160), change in bytes(80)) {
        if let Some((text, root, change)) = drawn(&document, &change, &mut Plain) {
            let fault = fault(&text, &root, &change);
            prop_assert!(fault.is_none(), "{}", fault.unwrap_or_default());
        }
    }

    #[test]
    fn json_stays_json(document in bytes(80), change in bytes(80)) {
        if let Some((text, root, change)) = drawn(&document, &change, &mut OnlyJson) {
            let edited = edit::apply(&text, &root, &change);
            let want = as_json(&changes::data(&root, &change));
            let is = json::parse(edited.as_bytes());
            prop_assert!(is.as_ref().is_ok_and(|is| *is == want), "{text}\n{edited}\n{is:?}");
        }
    }

    #[test]
    fn a_change_of_nothing_changes_no_byte(document in bytes(160)) {
        let text = documents::document(&mut Choices::new(&document), &mut Plain);
        if let Ok(root) = tree::parse(&text, 0, "main.yaml") {
            let nothing = match root.content() {
                Content::Map(_) => Change::Map(MapChange::default()),
                Content::List(items) => Change::List((0..items.len()).map(|at| Slot::Old(at, None)).collect()),
                Content::Scalar(_) => return Ok(()),
            };
            prop_assert_eq!(edit::apply(&text, &root, &nothing), text);
        }
    }
}

/// Nearly everything that is drawn is a document, or else the laws above would say little.
#[test]
fn most_random_documents_are_valid() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut read, mut failures) = (0, Vec::new());
    for _ in 0..500 {
        let drawn = bytes(160).new_tree(&mut runner).unwrap().current();
        let text = documents::document(&mut Choices::new(&drawn), &mut Plain);
        match tree::parse(&text, 0, "main.yaml") {
            Ok(_) => read += 1,
            Err(error) => failures.push(format!("{}\n{text}", error.message())),
        }
    }
    assert!(read > 450, "{read} of 500\n{}", failures.join("\n=====\n"));
}
