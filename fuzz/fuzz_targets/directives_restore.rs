#![no_main]
//! The law of restoring: a document that is restored after a change expands to the changed one.
//!
//! The first byte says how many bytes the change is drawn from; the document is drawn from the rest, or is the rest if that
//! begins with a line break.

#[path = "../../crates/yaml-edit/tests/edit/choices.rs"]
mod choices;
#[path = "../../crates/directives/tests/restore/documents.rs"]
mod directives;
#[path = "../../crates/yaml-edit/tests/edit/documents.rs"]
mod documents;
#[path = "../../crates/directives/tests/restore/law.rs"]
mod law;
#[path = "../../crates/directives/tests/restore/mutation.rs"]
mod mutation;

use choices::Choices;
use directives::{Directives, TwoFiles};
use hieratic_directives::RestoreOptions;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((length, rest)) = data.split_first() else { return };
    let (change, document) = rest.split_at(rest.len().min(usize::from(*length % 64)));
    let text = match document.strip_prefix(b"\n").map(std::str::from_utf8) {
        Some(Ok(text)) => text.to_owned(),
        Some(Err(_)) => return,
        None => documents::document(&mut Choices::new(document), &mut Directives),
    };
    let told = law::told(&text, &mut TwoFiles, &RestoreOptions::default(), |data| {
        mutation::changed(&mut Choices::new(change), data).0
    });
    if let Some(fault) = told.and_then(|told| told.fault) {
        panic!("{fault}");
    }
});
