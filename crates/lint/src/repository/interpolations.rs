//! Interpolations that are malformed, unknown, or silently empty.

mod nested;
mod unknown;

use hieratic::hiera::inspect::{Interpolated, InterpolationKind, interpolations};
use hieratic::{Key, Node, Query, Value};
use hieratic_diagnostics::Span;
use hieratic_value::collections::{HashMap, HashSet};
use rayon::prelude::*;

use super::data::{DataFile, Reader};
use super::lookup_options::AllOptions;
use super::nodes::{GivenNode, SampleNodes};
use super::suggestions::Suggestions;
use super::{Code, Repository, list};
use crate::finding::Finding;
use crate::options::Options;
use crate::rules;
use unknown::UnknownKey;

/// The members of `trusted`, from the certificate. It has no others.
const TRUSTED: [&str; 6] = ["authenticated", "certname", "domain", "extensions", "external", "hostname"];
/// The members of `server_facts`.
const SERVER_FACTS: [&str; 5] = ["environment", "serverip", "serverip6", "servername", "serverversion"];
/// The variables that every node has.
const ROOTS: [&str; 4] = ["facts", "trusted", "server_facts", "environment"];

/// Everything that is wrong with the interpolations of data and of hierarchies.
pub(super) fn check(repository: &Repository, _: &Code, known: &SampleNodes<'_>, options: &Options) -> Vec<Finding> {
    let view = View {
        repository,
        keys: repository.keys(),
        hidden: repository.has_hidden_keys() || repository.has_private_levels(options),
        has_unread_levels: repository.has_unread_levels(),
        letters: repository.files.iter().map(|file| file.source.text().len()).sum(),
        named: nested::named(&repository.files, &AllOptions::new(&repository.files)),
        knows_nodes: !known.nodes.is_empty(),
    };
    let mut findings: Vec<Finding> = repository
        .files
        .par_iter()
        .filter(|file| file.reader != Reader::Other && file.may_interpolate())
        .flat_map_iter(|file| in_file(file, &view, known))
        .collect();
    findings.extend(in_hierarchies(repository, known));
    findings
}

/// The keys that lookups can find.
struct View<'r> {
    repository: &'r Repository,
    keys: HashSet<&'r str>,
    /// Whether sources exist whose keys cannot be listed.
    hidden: bool,
    /// Whether levels were left out, so that lookups may miss keys.
    has_unread_levels: bool,
    /// The total length of all files.
    letters: usize,
    /// The keys that interpolations look up.
    named: HashMap<&'r str, nested::NamedKey<'r>>,
    /// Whether nodes are given.
    knows_nodes: bool,
}

impl View<'_> {
    /// The share of a file in the suggestions that there may be.
    fn suggestions(&self, file: &DataFile) -> Suggestions {
        Suggestions::among(self.keys.len()).share(file.source.text().len(), self.letters)
    }
}

fn in_file(file: &DataFile, view: &View<'_>, known: &SampleNodes<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut unknown = Vec::new();
    let mut suggestions = view.suggestions(file);
    let readers: Vec<&GivenNode<'_>> = known.with_facts().filter(|node| node.files.contains(&file.path)).collect();
    for text in file.texts().iter().filter(|text| text.text.contains("%{")) {
        let mut from = text.start;
        let mut end = 0;
        for found in interpolations(text.text) {
            let written = &text.text[found.range.clone()];
            let span = file.find(from, written);
            (from, end) = (span.range().end, found.range.end);
            if let InterpolationKind::Alias { key, whole: true } | InterpolationKind::Lookup(key) = &found.kind
                && let Some(one) = unknown_key(key, written, view, &mut suggestions)
            {
                unknown.push(UnknownKey { finding: one.finding.at(&file.source, span, ""), ..one });
                continue;
            }
            let finding = match &found.kind {
                InterpolationKind::Empty | InterpolationKind::Literal(_) => None,
                InterpolationKind::Malformed(_) => Some(malformed(written, "")),
                InterpolationKind::UnknownFunction(name) => Some(unknown_function(name, written)),
                InterpolationKind::Alias { whole: false, .. } => Some(
                    Finding::new(&rules::INTERPOLATION, format!("'{written}' must be the entire string"))
                        .help("alias() returns values of any type: use lookup() inside a longer string"),
                ),
                InterpolationKind::Alias { key, .. } => looked_up(key, written, view, &readers),
                InterpolationKind::Lookup(key) => {
                    looked_up(key, written, view, &readers).or_else(|| nested::as_text(key, written, view, &readers))
                }
                InterpolationKind::Variable(name) => variable(name, written, &readers),
            };
            findings.extend(finding.map(|finding| finding.at(&file.source, span, "")));
        }
        if let Some(open) = text.text[end..].find("%{") {
            let finding = malformed(&text.text[end + open..], "it has no closing '}' and is treated as text");
            findings.push(finding.at(&file.source, file.find(from, "%{"), ""));
        }
    }
    findings.extend(unknown::grouped(unknown));
    findings
}

/// A key that no data has, as far as that can be known.
fn unknown_key(key: &str, written: &str, view: &View<'_>, suggestions: &mut Suggestions) -> Option<UnknownKey> {
    // A malformed key is another finding.
    let parsed = Key::parse(key).ok()?;
    let root = parsed.root();
    if view.keys.contains(&**root) || view.hidden || view.repository.is_of_missing_module(root) {
        return None;
    }
    let message = format!("'{written}' looks up '{key}', which is not defined in any data file");
    let finding = Finding::new(&rules::UNKNOWN_KEY, message);
    let near = suggestions.nearest(root, view.keys.iter().copied());
    let finding = finding.help(match &near {
        Some(near) => format!("did you mean '{near}'?"),
        None => "add the key to the data, or remove the interpolation".to_owned(),
    });
    Some(UnknownKey { key: key.to_owned(), has_near: near.is_some(), finding })
}

fn malformed(written: &str, why: &str) -> Finding {
    let shown: String = written.chars().take(40).collect();
    let why = if why.is_empty() { "it is neither a variable nor a call" } else { why };
    Finding::new(&rules::INTERPOLATION, format!("'{shown}' is malformed: {why}"))
        .help("write `%{variable}`, `%{facts.name}`, or `%{lookup('key')}`; a literal %{ is `%{literal('%')}{`")
}

fn unknown_function(name: &str, written: &str) -> Finding {
    let finding = Finding::new(&rules::UNKNOWN_FUNCTION, format!("'{written}' calls '{name}', which does not exist"));
    finding.help(match hieratic_diagnostics::nearest(name, ["lookup", "hiera", "alias", "literal", "scope"]) {
        Some(near) => format!("did you mean '{near}'?"),
        None => "the functions are lookup, hiera, alias, literal and scope".to_owned(),
    })
}

/// A key that is looked up and that some data has: for which nodes it is empty.
fn looked_up(key: &str, written: &str, view: &View<'_>, readers: &[&GivenNode<'_>]) -> Option<Finding> {
    let Ok(parsed) = Key::parse(key) else { return Some(malformed(written, "its key cannot be read")) };
    if !view.keys.contains(&**parsed.root()) {
        return None;
    }
    if let Some(finding) = nested::no_way(&parsed, written, view, readers) {
        return Some(finding);
    }
    if view.has_unread_levels {
        return None;
    }
    let lacks = |known: &&&GivenNode<'_>| {
        let answer = known.node.lookup(&Query::new(key));
        matches!(answer, Err(error) if error.code() == Node::NOT_FOUND)
    };
    let lacking: Vec<&str> = readers.iter().filter(lacks).map(|known| known.name).collect();
    (!lacking.is_empty()).then(|| {
        let nodes = list(&lacking);
        let message = format!("'{written}' is empty for {nodes}: none of their levels has the key '{key}'");
        Finding::new(&rules::EMPTY_INTERPOLATION, message).help("set the key in a level that all nodes read")
    })
}

/// A variable: whether anything sets it, and for which nodes it is empty.
fn variable(name: &str, written: &str, readers: &[&GivenNode<'_>]) -> Option<Finding> {
    if name.contains(['(', ')']) {
        return Some(malformed(written, "the key of a call must be quoted"));
    }
    let plain = name.strip_prefix("::").unwrap_or(name);
    if let Some(finding) = unknown(plain, written) {
        return Some(finding);
    }
    // Variables of classes are there only while code runs.
    if plain.split('.').next().is_some_and(|root| root.contains("::") && !root.starts_with("settings::")) {
        return None;
    }
    let mut missing = Vec::new();
    let mut empty = Vec::new();
    for known in readers {
        match known.node.interpolated(name) {
            Interpolated::Missing => missing.push(known.name),
            Interpolated::Value(Value::Undef) => empty.push(known.name),
            Interpolated::Value(Value::String(text)) if text.is_empty() => empty.push(known.name),
            Interpolated::Value(_) => {}
        }
    }
    if missing.is_empty() && empty.is_empty() {
        return None;
    }
    if missing.len() == readers.len() {
        let message = format!("'{written}' uses a variable that no node has ({})", list(&missing));
        return Some(Finding::new(&rules::UNKNOWN_VARIABLE, message).help("fix the name, or add the fact"));
    }
    missing.extend(empty);
    let message = format!("'{written}' is empty for {}", list(&missing));
    Some(
        Finding::new(&rules::EMPTY_INTERPOLATION, message)
            .help("set the fact on these nodes, or add a separate level for them"),
    )
}

/// Finds a variable that no node can have.
fn unknown(plain: &str, written: &str) -> Option<Finding> {
    let mut parts = plain.split('.');
    let root = parts.next().unwrap_or_default();
    let members: &[&str] = match root {
        "trusted" => &TRUSTED,
        "server_facts" => &SERVER_FACTS,
        _ => {
            // An unknown structured variable that resembles a known one is misspelled.
            let near = hieratic_diagnostics::nearest(root, ROOTS).filter(|near| *near != root);
            let near = near.filter(|near| parts.next().is_some() && root.len().abs_diff(near.len()) <= 1)?;
            let message = format!("'{written}' uses the variable '{root}', which is never set");
            return Some(Finding::new(&rules::UNKNOWN_VARIABLE, message).help(format!("did you mean '{near}'?")));
        }
    };
    let member = parts.next().filter(|member| !members.contains(&member.trim_matches(['"', '\''])))?;
    let finding =
        Finding::new(&rules::UNKNOWN_VARIABLE, format!("'{written}' is always empty: '{root}' has no '{member}'"));
    Some(finding.help(match hieratic_diagnostics::nearest(member, members.iter().copied()) {
        Some(near) => format!("did you mean '{root}.{near}'?"),
        None => format!("it has {}", members.join(", ")),
    }))
}

/// Variables of paths that nothing sets. One that is missing for some nodes is usual there: the level is not theirs.
fn in_hierarchies(repository: &Repository, known: &SampleNodes<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for config in repository.configs.iter() {
        let Some(source) = &config.source else { continue };
        let mut reported = HashSet::default();
        for path in config.levels.iter().flat_map(|level| &level.level.sources) {
            for found in interpolations(&path.text) {
                let InterpolationKind::Variable(name) = &found.kind else { continue };
                let local = path.mapped.as_ref().is_some_and(|(_, local)| name.split('.').next() == Some(local));
                let written = &path.text[found.range.clone()];
                if local || name.contains(['(', ' ']) || !reported.insert(written.to_owned()) {
                    continue;
                }
                let plain = name.strip_prefix("::").unwrap_or(name);
                let has = |known: &GivenNode<'_>| known.node.interpolated(name) != Interpolated::Missing;
                let finding = unknown(plain, written).or_else(|| {
                    let nobody = known.has_all_facts() && !known.nodes.iter().any(has) && !plain.contains("::");
                    nobody.then(|| {
                        let names: Vec<&str> = known.nodes.iter().map(|known| known.name).collect();
                        let message = format!("'{written}' uses a variable that no node has ({})", list(&names));
                        Finding::new(&rules::UNKNOWN_VARIABLE, message).help("fix the name, or add the fact")
                    })
                });
                let at = source.text().find(written);
                let span = at.map_or(Span::default(), |at| Span::new(at, at + written.len()));
                findings.extend(finding.map(|finding| finding.at(source, span, "")));
            }
        }
    }
    findings
}
