//! # repeated-secret
//!
//! A secret is in several places. (note)
//!
//! ## What is found
//!
//! With `--hygiene`: several encrypted values have the same content. Without the private key, only values with the same
//! ciphertext are found. Names of keys are reported, contents are not.
//!
//! ## Why it matters
//!
//! A secret that is renewed in one place stays valid in another.
//!
//! ## How to fix it
//!
//! Keep the secret under one key, and refer to that key.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.eyaml
//! app::password: ENC[PKCS7,MII...]
//! backup::password: ENC[PKCS7,MII...]
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.eyaml
//! app::password: ENC[PKCS7,MII...]
//! backup::password: "%{lookup('app::password')}"
//! ```
//!
//! A comment `# hieratic: ignore repeated-secret` on the same line or the line before accepts the finding.

use std::collections::BTreeMap;

use hieratic::eyaml::{Decryptor, is_encrypted};
use hieratic::value::ErasedSort as _;
use hieratic_diagnostics::{Source, Span};
use sha2::{Digest, Sha256};

use super::RuleContext;
use crate::finding::Finding;
use crate::rules;
use crate::texts::written_at;
use crate::workspace::data::Reader;
use crate::workspace::list;
use crate::workspace::secret_keys::{has_keys, key_source};

/// The most other positions that a finding shows.
const SHOWN: usize = 5;

/// A place of a secret.
struct SecretPosition<'r> {
    source: &'r Source,
    span: Span,
    key: &'r str,
    text: &'r str,
}

/// Finds secrets that decrypt to the same, or, where the keys are not here, are written in the same way.
pub(super) fn check(cx: &RuleContext<'_>) {
    let workspace = cx.workspace;
    let source = key_source(workspace);
    let mut by_content: BTreeMap<Vec<u8>, Vec<SecretPosition<'_>>> = BTreeMap::new();
    for file in &workspace.files {
        if !file.source.text().contains("ENC[") {
            continue;
        }
        let levels = file.reached.iter().map(|reach| &workspace.config(file).levels[reach.level]);
        let level = levels.filter(|level| level.reader == Reader::Eyaml).find(|level| has_keys(level, &source));
        let decryptor = level.map(|level| Decryptor::new(&level.level.options, &source));
        for text in file.texts() {
            if !is_encrypted(text.text) {
                continue;
            }
            let plain = decryptor.as_ref().and_then(|decryptor| decryptor.decrypt_text(text.text).ok());
            // A hash suffices to compare secrets, so that no plain text is kept.
            let mut hash = Sha256::new();
            match &plain {
                Some(plain) if plain.is_empty() => continue,
                Some(plain) => hash.update(plain.as_bytes()),
                None => {
                    let written: String = text.text.split_whitespace().collect();
                    hash.update(b"ENC ");
                    hash.update(written.as_bytes());
                }
            }
            let place = file.source.position(text.start);
            let span = written_at(&file.source, place.line, place.column);
            let found = SecretPosition { source: &file.source, span, key: text.key, text: text.text };
            by_content.entry(hash.finalize().to_vec()).or_default().push(found);
        }
    }
    cx.report_all(by_content.into_values().filter(|all| all.len() > 1).map(|all| finding(&all)));
}

fn finding(all: &[SecretPosition<'_>]) -> Finding {
    let mut keys: Vec<String> = all.iter().map(|found| format!("'{}'", found.key)).collect();
    keys.sort_erased();
    keys.dedup();
    let keys = list(&keys.iter().map(String::as_str).collect::<Vec<_>>());
    let [first, rest @ ..] = all else { return Finding::new(&rules::REPEATED_SECRET, "") };
    let message = format!("The same secret is in {} places, under {keys}", all.len());
    let mut finding = Finding::new(&rules::REPEATED_SECRET, message).at(first.source, first.span, "");
    for other in rest.iter().take(SHOWN) {
        finding = finding.related(other.source, other.span, "the same");
    }
    let written = |found: &SecretPosition<'_>| found.text.split_whitespace().collect::<String>();
    if all.iter().all(|found| written(found) == written(first)) {
        finding = finding.note("the places have the same ciphertext");
    }
    finding
        .help("keep it under one key, and refer to it with \"%{lookup('key')}\"; then one change renews it everywhere")
}
