//! What can go, as findings.

use rustc_hash::FxHashMap;

use super::removable::{Reason, Removable};
use super::worlds::Worlds;
use crate::finding::Finding;
use crate::repository::data::DataFile;
use crate::repository::{Code, Repository, list, named};
use crate::rules;

/// The findings about entries that can go.
pub(super) fn told(repository: &Repository, code: &Code, worlds: &Worlds, all: &[Removable]) -> Vec<Finding> {
    let mut sizes = Sizes::default();
    let computes = code.asked.computed().iter().any(|request| request.key.is_anything());
    let mut told = |one: &Removable| {
        let finding = finding(repository, worlds, one, &mut sizes);
        match computes {
            true => finding.note("some code computes the keys of its lookups, which cannot be checked"),
            false => finding,
        }
    };
    all.iter().map(&mut told).collect()
}

fn finding(repository: &Repository, worlds: &Worlds, one: &Removable, sizes: &mut Sizes) -> Finding {
    let Removable { file, key, reason, others, nodes } = one;
    let of = &repository.files[*file];
    let names: Vec<String> = others.iter().map(|other| named(&repository.files[*other].path)).collect();
    let names = list(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let (rule, message, help) = match reason {
        Reason::Shadowed => (
            &rules::SHADOWED_VALUE,
            format!("{} uses the value of '{key}': {names} overrides it", worlds.no_node()),
            "remove it",
        ),
        Reason::Redundant => (
            &rules::REDUNDANT_VALUE,
            format!("The value of '{key}' repeats the value in {names}"),
            "remove it: lookups find the same value below",
        ),
        Reason::Merged => (
            &rules::REDUNDANT_VALUE,
            format!("The value of '{key}' adds nothing to what it is merged with from {names}"),
            "remove it: the merged value stays the same",
        ),
        Reason::RepeatsDefault => (
            &rules::REPEATS_DEFAULT,
            format!("The value of '{key}' is the default of the parameter"),
            "remove it: the class uses its default",
        ),
    };
    let mut finding = Finding::new(rule, message).at(&of.source, of.key_span(key), "");
    if let [other] = others.as_slice() {
        let other = &repository.files[*other];
        let said = match reason {
            Reason::Shadowed => "this value is used",
            Reason::Merged => "what it is merged with",
            Reason::Redundant | Reason::RepeatsDefault => "the same value",
        };
        finding = finding.related(&other.source, other.key_span(key), said);
    }
    finding = finding.note(proof(worlds, nodes));
    if let Some(bytes) = sizes.of(*file, of, key) {
        finding = finding.note(format!("without it, the file is {bytes} bytes shorter"));
    }
    finding.help(help)
}

/// For whom something was proved.
pub(super) fn proof(worlds: &Worlds, nodes: &[usize]) -> String {
    if !worlds.are_given() {
        return "proved for every node, whatever its facts".to_owned();
    }
    let names: Vec<&str> = nodes.iter().filter_map(|node| worlds.nodes.get(*node)).map(String::as_str).collect();
    let word = if worlds.nodes.len() == 1 { "node" } else { "nodes" };
    let mut text = format!(
        "proved for the {} {word} given; {} of them read it: {}",
        worlds.nodes.len(),
        names.len(),
        list(&names)
    );
    if !worlds.unseen_nodes.is_empty() {
        let unseen: Vec<&str> = worlds.unseen_nodes.iter().map(String::as_str).collect();
        text.push_str(&format!("; not seen: {}", list(&unseen)));
    }
    if !worlds.unseen_levels.is_empty() {
        let unseen: Vec<&str> = worlds.unseen_levels.iter().map(String::as_str).collect();
        text.push_str(&format!("; levels that could not be seen: {}", list(&unseen)));
    }
    text
}

/// How long the entries of files are, each file read once.
#[derive(Default)]
pub(super) struct Sizes(FxHashMap<usize, Option<FxHashMap<String, usize>>>);

impl Sizes {
    /// How many bytes the entry of a key has, its lines included; none if that cannot be told.
    pub(super) fn of(&mut self, index: usize, file: &DataFile, key: &str) -> Option<usize> {
        self.0.entry(index).or_insert_with(|| entries(file)).as_ref()?.get(key).copied()
    }
}

/// The bytes of all entries of a file in block style.
fn entries(file: &DataFile) -> Option<FxHashMap<String, usize>> {
    let text = file.source.text();
    let root = hieratic_document::tree::parse(text, 0, "").ok()?;
    if root.is_flow() {
        return None;
    }
    let written = root.as_map()?.entries().iter().filter(|entry| !entry.merged);
    let length = |start: usize, end: usize| {
        let start = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
        let inside = text.get(start..end)?.trim_end();
        let end = start + inside.len();
        let rest = text.get(end..)?;
        Some(inside.len() + rest.find('\n').map_or(rest.len(), |at| at + 1))
    };
    let entry = |entry: &hieratic_document::tree::Entry| {
        let end = (entry.item.span().end as usize).max(entry.key_span.end as usize);
        Some((entry.name()?.to_owned(), length(entry.key_span.start as usize, end)?))
    };
    Some(written.filter_map(entry).collect())
}
