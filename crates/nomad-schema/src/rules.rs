//! Rules that types cannot express: names, paths, and required content.

use hieratic_hcl1::{File, Item, Token, Value};
use hieratic_source::Span;

use crate::finding::Finding;
use crate::kind::Kind;

/// The rules of a kind.
pub(crate) fn check(kind: Kind, file: &File) -> Vec<Finding> {
    match kind {
        Kind::NomadPolicy => nomad_policy(file),
        Kind::VaultPolicy => vault_policy(file),
        _ => Vec::new(),
    }
}

/// The blocks of a name.
fn blocks<'f>(file: &'f File, items: &'f [Item], name: &'f str) -> impl Iterator<Item = &'f Item> {
    let is_named = move |item: &&Item| {
        let key = item.keys.first().map(|key| file.name(key));
        matches!(key, Some(Ok(key)) if key.eq_ignore_ascii_case(name))
    };
    items.iter().filter(is_named)
}

/// The label of a block. One without a value is reported elsewhere.
fn label<'f>(file: &File, item: &'f Item) -> Option<(&'f Token, String)> {
    let token = item.keys.get(1)?;
    Some((token, file.name(token).ok()?))
}

fn inner(item: &Item) -> &[Item] {
    match &item.value {
        Value::Object(object) => &object.items,
        _ => &[],
    }
}

fn refused(span: Span, message: String, help: &str) -> Finding {
    Finding { span, message, help: Some(help.to_owned()), is_refused: true }
}

fn nomad_policy(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, extra) in [("namespace", "-*"), ("node_pool", "-_*"), ("host_volume", "-*")] {
        for item in blocks(file, &file.items, name) {
            let Some((token, label)) = label(file, item) else { continue };
            let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || extra.contains(letter);
            if !(1..=128).contains(&label.len()) || !label.chars().all(is_allowed) {
                let message = format!("\"{label}\" cannot be the name of a {}", name.replace('_', " "));
                let help = if extra.contains('_') {
                    "names have letters, digits, - and _, and * for any; 128 at most"
                } else {
                    "names have letters, digits and -, and * for any; 128 at most"
                };
                findings.push(refused(file.span(token), message, help));
            }
        }
    }
    for namespace in blocks(file, &file.items, "namespace") {
        for variables in blocks(file, inner(namespace), "variables") {
            for path in blocks(file, inner(variables), "path") {
                let Some((token, label)) = label(file, path) else { continue };
                if label.is_empty() || label.starts_with('/') {
                    let message = format!("\"{label}\" cannot be the path of variables");
                    findings.push(refused(file.span(token), message, "write it without a leading /"));
                }
            }
        }
    }
    findings
}

fn vault_policy(file: &File) -> Vec<Finding> {
    let labelled = blocks(file, &file.items, "path").filter_map(|item| label(file, item));
    let wrong = labelled.filter(|(_, path)| path.contains("+*"));
    wrong
        .map(|(token, path)| {
            let message = format!("the path \"{path}\" has a wildcard that Vault refuses");
            refused(file.span(token), message, "+ stands for one segment, and * for the rest at the end: not +*")
        })
        .collect()
}
