//! Checks the encrypted values of data: whether the keys of their levels decrypt them.

use hieratic::eyaml::{Decryptor, is_encrypted};
use rayon::prelude::*;

use crate::finding::Finding;
use crate::rules::{RuleContext, secret_not_decrypted, undecryptable_secret};
use crate::workspace::Workspace;
use crate::workspace::data::{DataFile, Reader};
use crate::workspace::hierarchy::Level;
use crate::workspace::secret_keys::{Keys, key_source, keys_of};

/// Finds secrets that cannot be opened, and those that nothing opens.
pub(super) fn check(cx: &RuleContext<'_>) {
    let workspace = cx.workspace;
    let found: Vec<Finding> = workspace.files.par_iter().flat_map_iter(|file| in_file(workspace, file)).collect();
    cx.report_all(found);
}

fn in_file(workspace: &Workspace, file: &DataFile) -> Vec<Finding> {
    if !file.source.text().contains("ENC[") {
        return Vec::new();
    }
    let levels = || file.reached.iter().map(|reach| &workspace.config(file).levels[reach.level]);
    let opening: Vec<&Level> = levels().filter(|level| level.reader == Reader::Eyaml).collect();
    if opening.is_empty() {
        if !matches!(file.reader, Reader::Yaml | Reader::Json | Reader::Hocon) {
            return Vec::new();
        }
        let encrypted = file.texts().into_iter().filter(|text| is_token(text.text));
        return encrypted.map(|text| secret_not_decrypted::of_text(file, text.start, levels().next())).collect();
    }
    let source = key_source(workspace);
    let here = opening.iter().find(|level| keys_of(level, &source) == Keys::Here);
    let decryptor = here.map(|level| Decryptor::new(&level.level.options, &source));
    let mut findings = Vec::new();
    for text in file.texts() {
        findings.extend(undecryptable_secret::of_text(file, &text, decryptor.as_ref()));
    }
    findings
}

/// Returns whether a string is a secret, as opposed to a string about secrets.
fn is_token(text: &str) -> bool {
    text.contains("ENC[PKCS7,") && is_encrypted(text)
}
