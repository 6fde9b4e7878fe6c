//! # parameter-type
//!
//! A value does not match the type of its parameter. (error)
//!
//! ## What is found
//!
//! A key is a parameter of a class in the module path, and its value does not match the declared type. Type aliases are
//! resolved in modules. No catalog is compiled. Values that are merged, converted or interpolated are looked up for the
//! given nodes, or for a node derived from the file's path; then only mismatches that no other level can change are
//! reported. Encrypted values are not checked, nor values with a variable that the node does not have
//! ([unknown-variable](unknown-variable.md)).
//!
//! ## Why it matters
//!
//! The catalog of every node with the class fails to compile.
//!
//! ## How to fix it
//!
//! Correct the value, or convert it with `convert_to` in `lookup_options`.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! ntp::port: '123'    # class ntp(Integer $port)
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! ntp::port: 123      # class ntp(Integer $port)
//! ```
//!
//! A comment `# hieratic: ignore parameter-type` on the same line or the line before accepts the finding.

use std::sync::Arc;

use hieratic::hiera::inspect::{Interpolated, Interpolation, InterpolationKind, interpolations};
use hieratic::lookup::Key;
use hieratic::puppet_types::Type;
use hieratic::puppet_types::assert_instance;
use hieratic::{Node, Query, Value};

use crate::finding::Finding;
use crate::rules;
use crate::workspace::code::ClassInfo;
use crate::workspace::data::{DataFile, Reader, any_text, has_envelope, has_interpolation, is_alias};
use crate::workspace::nodes::{SampleNode, SampleNodes};
use crate::workspace::{Answers, Workspace};

/// The place of a value, and the syntax nodes that determine its type.
pub(crate) struct Place<'a> {
    /// The environment.
    pub(crate) workspace: &'a Workspace,
    /// The nodes.
    pub(crate) known: &'a SampleNodes<'a>,
    /// The answers of synthetic nodes that are known.
    pub(crate) cached: &'a Answers,
    /// The file, by its number.
    pub(crate) file: usize,
    /// The key.
    pub(crate) key: &'a str,
}

/// The message about a value that is not an instance of a type, if the value is known.
pub(crate) fn mismatch(place: &Place<'_>, value: &Value, kind: &Type, merged: bool) -> Option<String> {
    let Place { workspace, known, cached, file, key } = *place;
    // A null lets the default apply. A secret must not be in a message. The result of directives is unknown here.
    let secret = has_envelope(value);
    if value.is_undef() || secret || workspace.files[file].reader == Reader::Directives {
        return None;
    }
    let subject = format!("The value of '{key}'");
    if !merged && !has_interpolation(value) {
        return assert_instance(&subject, kind, value).err().map(|wrong| wrong.to_string());
    }
    // No lookup can name a key that is not written as one.
    Key::parse(key).ok()?;
    let whole = known.has_all_facts();
    if !whole && has_interpolation(value) {
        return text_mismatch(&subject, kind, value);
    }
    let ask = || -> Vec<Value> {
        let answer = |sample: &SampleNode<'_>| {
            // Its absence from the facts is a separate finding, and the value is not known without it.
            if lacks_variable(value, sample.node()) {
                return None;
            }
            // A lookup that fails has no value to judge. Rules about lookups report it.
            let answer = sample.node().lookup_traced(&Query::new(key)).ok()?.value;
            // Whether a secret matches the type reveals something about it, such as its length. The same holds for a
            // secret that another level or key contributes.
            (!answer.has_hidden()).then(|| answer.to_value()).filter(|answer| !answer.is_undef())
        };
        known.sample_nodes(workspace, file).iter().filter_map(answer).collect()
    };
    // A key with dots digs into another.
    let answers = if known.nodes.is_empty() && !key.contains(['.', '\'', '"']) {
        cached.get(&workspace.files[file].path, key, ask)
    } else {
        Arc::from(ask())
    };
    answers.iter().find_map(|answer| {
        let message = assert_instance(&subject, kind, answer).err()?.to_string();
        // Other levels may contribute missing parts, and a synthetic node does not read them.
        let lacks = message.contains("expects a value for key") || message.contains("expects size");
        (whole || !lacks).then_some(message)
    })
}

/// Returns whether a value interpolates a variable that the node does not have.
fn lacks_variable(value: &Value, node: &Node) -> bool {
    let is_missing = |found: &Interpolation| match &found.kind {
        InterpolationKind::Variable(name) => node.interpolated(name) == Interpolated::Missing,
        _ => false,
    };
    any_text(value, &|text| interpolations(text).iter().any(is_missing))
}

/// Checks a string with interpolations, whose value is some string: a type without any strings cannot accept it.
fn text_mismatch(subject: &str, kind: &Type, value: &Value) -> Option<String> {
    let Value::String(text) = value else { return None };
    if is_alias(text) {
        return None;
    }
    let takes_text = kind.is_instance(&Value::from("text")) || mentions_text(&kind.to_string());
    (!takes_text).then(|| assert_instance(subject, kind, &Value::from("text")).err().map(|wrong| wrong.to_string()))?
}

/// Returns whether a type may accept some strings, although it rejects one.
fn mentions_text(kind: &str) -> bool {
    ["String", "Enum", "Pattern", "Scalar", "Any", "Data", "Sensitive", "Init", "TypeReference", "::"]
        .iter()
        .any(|name| kind.contains(name))
}

/// The finding about a value of another type than its parameter.
pub(crate) fn wrong_value(file: &DataFile, key: &str, message: String, info: &ClassInfo, name: &str) -> Finding {
    let finding = Finding::new(&rules::PARAMETER_TYPE, message).at(&file.source, file.value_span(key), "");
    let finding = finding.help("write a value of that type, or convert it with `convert_to` in lookup_options");
    match info.parameters.iter().find(|parameter| parameter.name == name) {
        Some(parameter) => finding.related(&info.source, parameter.span, "the parameter is declared here"),
        None => finding,
    }
}
