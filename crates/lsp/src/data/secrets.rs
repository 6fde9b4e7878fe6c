//! Encrypted values: encrypts values in place. A decrypted value is shown to the user who requests it, and is never
//! written to a file.

use hieratic::eyaml::{Decryptor, Encryptor, is_encrypted};
use hieratic::{Hash, Value, yaml};
use hieratic_lint::{LOOKUP_OPTIONS, View};
use lsp_server::ResponseError;
use lsp_types::{CodeAction, CodeActionKind, Command};
use serde_json::json;

use super::actions::action;
use crate::client::failed;
use crate::document::Document;
use crate::keys::{KeyNode, Keys, Name, Value as Read};
use crate::server_capabilities::DECRYPT;
use crate::snapshot::Snapshot;

/// The maximum length of a value that is encrypted, in bytes.
const MAX_BYTES: usize = 64 << 10;

/// Returns the code action for a value of a file whose values are decrypted.
pub(super) fn actions(snapshot: &Snapshot, document: &Document, index: usize) -> Option<CodeAction> {
    let (view, options) = decrypting_level(snapshot, document)?;
    let keys = document.keys();
    let node = keys.node(index)?;
    let Read::Scalar(text, _) = &node.value else { return None };
    let name = keys.path(index).join(".");
    if is_encrypted(text) {
        let position = document.range(node.span).start;
        let command = Command {
            title: format!("Show the decrypted value of '{name}'"),
            command: DECRYPT.to_owned(),
            arguments: Some(vec![json!(document.uri), json!(position)]),
        };
        return Some(CodeAction { title: command.title.clone(), command: Some(command), ..CodeAction::default() });
    }
    if text.is_empty() || text.len() > MAX_BYTES || name.split('.').next() == Some(LOOKUP_OPTIONS) {
        return None;
    }
    let encrypted = Encryptor::new(options, &view.key_source()).ok()?.encrypt(text.as_bytes()).ok()?;
    let written = format_encrypted(document, keys, node, &encrypted);
    check_replacement(document, index, text, &encrypted, &written)?;
    let range = document.range(node.span);
    let title = format!("Encrypt the value of '{name}'");
    Some(action(title, CodeActionKind::REFACTOR, document.uri.clone(), range, written))
}

/// Returns the plain text of the encrypted value at an offset.
pub(crate) fn decrypted(snapshot: &Snapshot, document: &Document, offset: usize) -> Result<String, ResponseError> {
    let (view, options) = decrypting_level(snapshot, document)
        .ok_or_else(|| failed("no level with eyaml reads the file with keys that do not depend on the node"))?;
    let node = document.keys().at(offset).and_then(|(index, _)| document.keys().node(index));
    match node.map(|node| &node.value) {
        Some(Read::Scalar(text, _)) if is_encrypted(text) => {
            let plain = Decryptor::new(options, &view.key_source()).decrypt_text(text);
            plain.map_err(|error| failed(format!("the value cannot be decrypted: {error}")))
        }
        _ => Err(failed("the value at this place is not encrypted")),
    }
}

/// The environment of a file, and the options of the level that decrypts its values.
fn decrypting_level<'w>(snapshot: &'w Snapshot, document: &Document) -> Option<(&'w View, &'w Hash)> {
    let (view, file) = snapshot.data_of(&document.path)?;
    Some((view, view.secret_options(file)?))
}

/// Formats an encrypted value so that it can replace a scalar.
fn format_encrypted(document: &Document, keys: &Keys, node: &KeyNode, encrypted: &str) -> String {
    let mut enclosing = node.parent;
    let mut is_flow = false;
    while let Some(outer) = enclosing.and_then(|at| keys.node(at)) {
        is_flow |= matches!(outer.value, Read::Map(true) | Read::List(true));
        enclosing = outer.parent;
    }
    // In brackets a bracket has to be quoted.
    let quoted = if is_flow { format!("\"{encrypted}\"") } else { encrypted.to_owned() };
    let end = if document.slice(node.span).ends_with('\n') { "\n" } else { "" };
    quoted + end
}

/// Checks that a replacement changes one value and no other, and that the value is a string.
fn check_replacement(document: &Document, index: usize, plain: &str, encrypted: &str, written: &str) -> Option<()> {
    let keys = document.keys();
    let node = keys.node(index)?;
    let before = read_yaml(&document.text)?;
    let after = read_yaml(&format!(
        "{}{written}{}",
        document.slice(0..node.span.first()),
        document.slice(node.span.behind()..document.text.len())
    ))?;
    let expected = replace_string(&before, &path_to(keys, index), plain, encrypted)?;
    (after == expected).then_some(())
}

/// Reads YAML as Hiera does; `None` if it has errors.
fn read_yaml(text: &str) -> Option<Value> {
    yaml::parse(text.as_bytes(), &yaml::Options { symbols: true, regexps: false, file: "" }).ok()
}

/// The names on the way to a value, the outermost first.
fn path_to(keys: &Keys, index: usize) -> Vec<&Name> {
    let mut way = Vec::new();
    let mut at = keys.node(index);
    while let Some(node) = at {
        way.push(&node.name);
        at = node.parent.and_then(|parent| keys.node(parent));
    }
    way.reverse();
    way
}

/// Replaces one string in a value.
fn replace_string(value: &Value, way: &[&Name], plain: &str, encrypted: &str) -> Option<Value> {
    let Some((first, rest)) = way.split_first() else {
        return (value.as_str() == Some(plain)).then(|| Value::from(encrypted));
    };
    match (first, value) {
        (Name::Root, _) => replace_string(value, rest, plain, encrypted),
        (Name::Key(key, _), Value::Hash(hash)) => {
            let changed = replace_string(hash.get(key.as_str())?, rest, plain, encrypted)?;
            let mut map = hash.clone().into_map();
            map.insert(Value::from(key.as_str()), changed);
            Some(Hash::from(map).into())
        }
        (Name::Element(number), Value::Array(elements)) => {
            let changed = replace_string(elements.get(*number)?, rest, plain, encrypted)?;
            let other = |(at, element): (usize, &Value)| if at == *number { changed.clone() } else { element.clone() };
            Some(elements.iter().enumerate().map(other).collect())
        }
        _ => None,
    }
}
