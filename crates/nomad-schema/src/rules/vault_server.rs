//! Rules of the blocks of Vault's server whose label is a type.

use hieratic_hcl1::{File, Item, TokenKind, Value};
use hieratic_source::nearest;

use super::arguments::{argument, blocks, inner, known_text, label, literal, refused};
use crate::finding::Finding;
use crate::types::{is_template, is_truth_text};

const STORAGES: [&str; 25] = [
    "aerospike",
    "alicloudoss",
    "azure",
    "cassandra",
    "cockroachdb",
    "consul",
    "couchdb",
    "dynamodb",
    "etcd",
    "file",
    "filesystem",
    "foundationdb",
    "gcs",
    "inmem",
    "inmem_ha",
    "manta",
    "mssql",
    "mysql",
    "oci",
    "postgresql",
    "raft",
    "s3",
    "spanner",
    "swift",
    "zookeeper",
];

const SEALS: [&str; 7] = ["alicloudkms", "awskms", "azurekeyvault", "gcpckms", "ocikms", "pkcs11", "transit"];

/// The methods that a `user_lockout` can be for.
const METHODS: [&str; 4] = ["all", "approle", "ldap", "userpass"];

pub(super) fn check(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    for listener in blocks(file, &file.items, "listener").filter(|item| is_object(item)) {
        findings.extend(check_listener(file, listener));
    }
    for name in ["storage", "backend", "ha_storage", "ha_backend"] {
        for storage in blocks(file, &file.items, name).filter(|item| is_object(item)) {
            findings.extend(check_type(file, storage, "storage", &STORAGES));
        }
    }
    for seal in blocks(file, &file.items, "seal").filter(|item| is_object(item)) {
        findings.extend(check_type(file, seal, "seal", &SEALS));
        for item in inner(seal).iter().filter(|item| literal(item).is_none()) {
            if let Some(key) = item.keys.first()
                && let Ok(name) = file.name(key)
                && name != "purpose"
            {
                findings.push(refused(file.span(key), format!("\"{name}\" is not a string"), "write a string"));
            }
        }
        for flag in blocks(file, inner(seal), "disabled") {
            if let Some(token) = literal(flag)
                && let Some(text) = known_text(file, token)
                && token.kind == TokenKind::String
                && !is_truth_text(&text)
            {
                let message = format!("\"disabled\" is \"{text}\"");
                findings.push(refused(file.span(token), message, "write true or false"));
            }
        }
    }
    for lockout in blocks(file, &file.items, "user_lockout").filter(|item| is_object(item)) {
        findings.extend(check_lockout(file, lockout));
    }
    findings
}

fn is_object(item: &Item) -> bool {
    matches!(item.value, Value::Object(_))
}

/// The type is the label, or an argument in the block.
fn check_listener(file: &File, item: &Item) -> Option<Finding> {
    let help = "write listener \"tcp\" { or listener \"unix\" {";
    let only_label = label(file, item).filter(|_| item.keys.len() == 2);
    let written = || {
        let token = argument(file, inner(item), "type")?;
        Some((token, known_text(file, token)?))
    };
    match only_label.or_else(written) {
        Some((_, text)) if is_template(&text) => None,
        Some((_, text)) if matches!(text.to_ascii_lowercase().as_str(), "tcp" | "unix") => None,
        Some((token, text)) => {
            Some(refused(file.span(token), format!("there is no listener of type \"{text}\""), help))
        }
        None => {
            let key = item.keys.last()?;
            let message = match item.keys.len() {
                0 | 1 => "the listener has no type".to_owned(),
                _ => "the listener has more than one label".to_owned(),
            };
            Some(refused(file.span(key), message, help))
        }
    }
}

/// An unknown type is refused when the address in a string is read.
fn check_type(file: &File, item: &Item, noun: &str, known: &[&str]) -> Option<Finding> {
    // These are not addresses.
    let is_common = |item: &Item| {
        let name = item.keys.first().map(|key| file.name(key));
        matches!(name, Some(Ok(name)) if ["purpose", "disabled", "name", "priority"].contains(&name.as_str()))
    };
    let is_string = |item: &Item| {
        let token = literal(item).filter(|_| noun != "seal" || !is_common(item));
        token.is_some_and(|token| matches!(token.kind, TokenKind::String | TokenKind::Heredoc))
    };
    if !inner(item).iter().any(is_string) {
        return None;
    }
    match label(file, item) {
        Some((_, text)) if known.contains(&text.as_str()) || is_template(&text) => None,
        // Two of the types have no documentation.
        Some((_, text)) if matches!(text.as_str(), "inmem_transactional" | "inmem_transactional_ha") => None,
        Some((token, text)) => {
            let help = match nearest(&text, known.iter().copied()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("it is one of {}", known.join(", ")),
            };
            Some(refused(file.span(token), format!("there is no {noun} of type \"{text}\""), &help))
        }
        None => {
            let key = item.keys.first()?;
            // A name that cannot be read is reported elsewhere.
            let name = file.name(key).ok()?;
            let help = format!("write {name} \"TYPE\" {{");
            Some(refused(file.span(key), format!("the block \"{name}\" has no type"), &help))
        }
    }
}

fn check_lockout(file: &File, item: &Item) -> Option<Finding> {
    let help = "write user_lockout \"all\" {, or approle, ldap or userpass";
    match label(file, item) {
        Some((_, text)) if METHODS.contains(&text.to_ascii_lowercase().as_str()) => None,
        Some((token, text)) => {
            let message = format!("there is no lockout of users of \"{text}\"");
            Some(refused(file.span(token), message, help))
        }
        None => {
            let message = "the block \"user_lockout\" has no label".to_owned();
            Some(refused(file.span(item.keys.first()?), message, help))
        }
    }
}
