//! Checks the interpolations of data and hierarchies: malformed, unknown or silently empty ones, and values that are
//! inserted into other values.

use hieratic::Value;
use hieratic::hiera::inspect::{Interpolated, InterpolationKind, interpolations};
use hieratic::lookup::Key;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic_diagnostics::Span;
use rayon::prelude::*;

use crate::finding::Finding;
use crate::rules::{
    RuleContext, empty_interpolation, failing_lookup, interpolation, sensitive_interpolation,
    unknown_interpolation_function, unknown_key, unknown_variable,
};
use crate::workspace::Workspace;
use crate::workspace::data::{DataFile, Reader, is_alias};
use crate::workspace::key_usage;
use crate::workspace::lookup_options::AllOptions;
use crate::workspace::nodes::{GivenNode, SampleNodes};
use crate::workspace::suggestions::Suggestions;
use unknown_key::UnknownKey;

/// Finds everything that is wrong with the interpolations of data and of hierarchies.
pub(super) fn check(cx: &RuleContext<'_>) {
    let (workspace, known) = (cx.workspace, cx.nodes);
    let view = KeyView {
        workspace,
        keys: workspace.keys(),
        hidden: workspace.has_hidden_keys() || workspace.has_private_levels(cx.options),
        has_unread_levels: workspace.has_unread_levels(),
        letters: workspace.files.iter().map(|file| file.source.text().len()).sum(),
        named: named(workspace, &AllOptions::new(&workspace.files)),
        knows_nodes: !known.nodes.is_empty(),
    };
    let found: Vec<Finding> = workspace
        .files
        .par_iter()
        .enumerate()
        .filter(|(_, file)| file.reader != Reader::Other && file.may_interpolate())
        .flat_map_iter(|(number, file)| in_file(number, file, &view, known))
        .collect();
    cx.report_all(found);
    in_hierarchies(cx);
}

/// The keys that lookups can find.
pub(crate) struct KeyView<'r> {
    pub(crate) workspace: &'r Workspace,
    pub(crate) keys: HashSet<&'r str>,
    /// Whether sources exist whose keys cannot be listed.
    pub(crate) hidden: bool,
    /// Whether levels were left out, so that lookups may miss keys.
    pub(crate) has_unread_levels: bool,
    /// The total length of all files.
    letters: usize,
    /// The keys that interpolations look up.
    pub(crate) named: HashMap<&'r str, NamedKey<'r>>,
    /// Whether nodes are given.
    pub(crate) knows_nodes: bool,
}

impl KeyView<'_> {
    /// The share of a file in the suggestions that there may be.
    fn suggestions(&self, file: &DataFile) -> Suggestions {
        Suggestions::among(self.keys.len()).share(file.source.text().len(), self.letters)
    }
}

fn in_file(number: usize, file: &DataFile, view: &KeyView<'_>, known: &SampleNodes<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut unknown = Vec::new();
    let mut suggestions = view.suggestions(file);
    let readers: Vec<&GivenNode<'_>> = known.readers_of(number).filter(|node| node.has_facts).collect();
    for text in file.texts().iter().filter(|text| text.text.contains("%{")) {
        let mut from = text.start;
        let mut end = 0;
        for found in interpolations(text.text) {
            let written = &text.text[found.range.clone()];
            let span = file.find(from, written);
            (from, end) = (span.range().end, found.range.end);
            if let InterpolationKind::Alias { key, whole: true } | InterpolationKind::Lookup(key) = &found.kind
                && let Some(one) = unknown_key::unknown(key, written, view, &mut suggestions)
            {
                unknown.push(UnknownKey { finding: one.finding.at(&file.source, span, ""), ..one });
                continue;
            }
            let finding = match &found.kind {
                InterpolationKind::Empty | InterpolationKind::Literal(_) => None,
                InterpolationKind::Malformed(_) => Some(interpolation::malformed(written, "")),
                InterpolationKind::UnknownFunction(name) => {
                    Some(unknown_interpolation_function::unknown(name, written))
                }
                InterpolationKind::Alias { whole: false, .. } => Some(interpolation::alias_inside(written)),
                InterpolationKind::Alias { key, .. } => looked_up(key, written, view, &readers),
                InterpolationKind::Lookup(key) => {
                    looked_up(key, written, view, &readers).or_else(|| as_text(key, written, view, &readers))
                }
                InterpolationKind::Variable(name) => variable(name, written, &readers),
            };
            findings.extend(finding.map(|finding| finding.at(&file.source, span, "")));
        }
        if let Some(open) = text.text[end..].find("%{") {
            let finding =
                interpolation::malformed(&text.text[end + open..], "it has no closing '}' and is treated as text");
            findings.push(finding.at(&file.source, file.find(from, "%{"), ""));
        }
    }
    findings.extend(unknown_key::grouped(unknown));
    findings
}

/// A key that is looked up and that some data has: for which nodes it is empty.
fn looked_up(key: &str, written: &str, view: &KeyView<'_>, readers: &[&GivenNode<'_>]) -> Option<Finding> {
    let Ok(parsed) = Key::parse(key) else {
        return Some(interpolation::malformed(written, "its key cannot be read"));
    };
    if !view.keys.contains(&**parsed.root()) {
        return None;
    }
    failing_lookup::no_way(&parsed, written, view, readers)
        .or_else(|| empty_interpolation::without_key(key, written, view, readers))
}

/// Finds information that is lost when a value becomes part of a string.
fn as_text(key: &str, written: &str, view: &KeyView<'_>, readers: &[&GivenNode<'_>]) -> Option<Finding> {
    // A malformed key is another finding.
    let key = Key::parse(key).ok()?;
    sensitive_interpolation::redacted(&key, written, view)
        .or_else(|| empty_interpolation::interpolated_twice(&key, written, view, readers))
}

/// A variable: whether anything sets it, and for which nodes it is empty.
fn variable(name: &str, written: &str, readers: &[&GivenNode<'_>]) -> Option<Finding> {
    if name.contains(['(', ')']) {
        return Some(interpolation::malformed(written, "the key of a call must be quoted"));
    }
    let plain = name.strip_prefix("::").unwrap_or(name);
    if let Some(finding) = unknown_variable::unknown(plain, written) {
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
        return Some(unknown_variable::of_no_node(written, &missing));
    }
    missing.extend(empty);
    Some(empty_interpolation::of_variable(written, &missing))
}

/// Finds variables of paths that nothing sets. One that is missing for some nodes is usual there: the level is not theirs.
fn in_hierarchies(cx: &RuleContext<'_>) {
    let known = cx.nodes;
    for config in cx.workspace.configs.iter() {
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
                let finding = unknown_variable::unknown(plain, written).or_else(|| {
                    let no_node_has_it = known.has_all_facts() && !known.nodes.iter().any(has) && !plain.contains("::");
                    let names = || known.nodes.iter().map(|known| known.name).collect::<Vec<_>>();
                    no_node_has_it.then(|| unknown_variable::of_no_node(written, &names()))
                });
                let at = source.text().find(written);
                let span = at.map_or(Span::default(), |at| Span::new(at, at + written.len()));
                cx.report_all(finding.map(|finding| finding.at(source, span, "")));
            }
        }
    }
}

/// The properties of a key that interpolations look up, computed once for all of them.
pub(crate) struct NamedKey<'r> {
    /// The first value with no parts, for a way that begins with a name and for one that begins with a number.
    pub(crate) without_parts: [Option<(&'r DataFile, &'r Value)>; 2],
    /// Whether no value has such parts, and none is converted.
    pub(crate) is_always_so: [bool; 2],
    /// Strings that `literal()` protects, each with the variables that result from it. At most [`MOST_PROTECTED`].
    pub(crate) protected: Vec<(&'r DataFile, Vec<String>)>,
    /// Whether the value becomes Sensitive.
    pub(crate) is_sensitive: bool,
}

/// The most protected strings of a key that are tried.
const MOST_PROTECTED: usize = 8;

/// Collects the keys that interpolations look up.
fn named<'r>(workspace: &'r Workspace, options: &AllOptions<'r>) -> HashMap<&'r str, NamedKey<'r>> {
    let (files, names) = (&workspace.files, key_usage::looked_up(workspace));
    let mut named: HashMap<&str, NamedKey<'_>> = HashMap::default();
    for file in files {
        for (key, value) in file.entries().filter(|(key, _)| names.contains(*key)) {
            let known = named.entry(key).or_insert_with(|| NamedKey::new(key, options));
            for by_number in [false, true] {
                let at = usize::from(by_number);
                if has_nothing_inside(value, by_number) {
                    known.without_parts[at].get_or_insert((file, value));
                } else {
                    known.is_always_so[at] = false;
                }
            }
            if let Some(text) = value.as_str().filter(|text| text.contains("literal("))
                && known.protected.len() < MOST_PROTECTED
            {
                known.protected.push((file, empty_interpolation::protected(text)));
            }
        }
    }
    named
}

impl NamedKey<'_> {
    /// Creates the entry of a key from its options, before any value is added.
    fn new<'r>(key: &str, options: &AllOptions<'_>) -> NamedKey<'r> {
        let all: Vec<&Value> = options.applying(key).collect();
        let converts = |options: &&Value| options.as_hash().is_some_and(|options| options.contains("convert_to"));
        let is_certain = !all.iter().any(converts);
        NamedKey {
            without_parts: [None, None],
            is_always_so: [is_certain, is_certain],
            protected: Vec::new(),
            is_sensitive: !all.is_empty()
                && all.iter().all(|options| sensitive_interpolation::makes_sensitive(options)),
        }
    }
}

/// Returns whether an uninterpolated value has no parts to select by a name, or by a number. An alias may be replaced
/// by any value.
fn has_nothing_inside(value: &Value, by_number: bool) -> bool {
    match value {
        Value::String(text) => !is_alias(text),
        Value::Array(_) => !by_number,
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => true,
        _ => false,
    }
}
