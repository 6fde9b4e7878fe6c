#![no_main]
//! Edits of any text: what is written reads back as what the change says.
//!
//! The first byte says how many bytes the change is drawn from; the rest is the document.

#[path = "../../crates/yaml-edit/tests/edit/changes.rs"]
mod changes;
#[path = "../../crates/yaml-edit/tests/edit/choices.rs"]
mod choices;

use choices::Choices;
use hieratic_yaml_edit as edit;
use hieratic_yaml_edit::tree;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((length, rest)) = data.split_first() else { return };
    let (change, text) = rest.split_at(rest.len().min(usize::from(*length % 64)));
    let Ok(text) = std::str::from_utf8(text) else { return };
    // Lines with nothing but a tab are read behind scalars without quotes, and nowhere else.
    if text.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).any(|line| line.contains('\t') && line.trim().is_empty()) {
        return;
    }
    // A block scalar that is a key, and all there is at the end, gets a line break.
    if !text.ends_with('\n') && text.contains('?') {
        return;
    }
    let Ok(root) = tree::parse(text, 0, "main.yaml") else { return };
    // A few aliases may stand for more than there is time to compare.
    if root.size() > 100_000 {
        return;
    }
    let change = changes::change(&mut Choices::new(change), &root);
    let edited = edit::apply(text, &root, &change);
    let want = changes::data(&root, &change);
    match tree::parse(&edited, 0, "edited.yaml") {
        Ok(again) => assert_eq!(again.to_value(), want, "{change:?}\n--- before\n{text}\n--- after\n{edited}"),
        Err(error) => panic!("{}\n{change:?}\n--- before\n{text}\n--- after\n{edited}", error.message()),
    }
});
