//! # legacy-fact
//!
//! Data, a hierarchy or code names a legacy fact. (warning)
//!
//! ## What is found
//!
//! An interpolation in `hiera.yaml` or in a data file names a legacy fact: `%{osfamily}`, `%{::fqdn}`,
//! `%{facts.ipaddress}`. Each fact is reported once per file, with all its lines. With `--puppet-version 7`, nothing is
//! found.
//!
//! In manifests and EPP templates, a legacy fact is found where `$facts` is indexed, `$facts['osfamily']`, and in the
//! top scope, `$::osfamily`. `$osfamily` can be a variable of the class; otherwise it is an
//! [unset-variable](unset-variable.md). Plans are not checked. In ERB templates, it is found in `scope['::osfamily']`,
//! `scope.lookupvar('::osfamily')` and `@facts['osfamily']`.
//!
//! All legacy facts of Facter 4 are known, with those of interfaces, disks and processors (`ipaddress_eth0`,
//! `blockdevice_sda_size`, `processor0`). Names that are common words, `id` and `interfaces`, count only with `facts`
//! or `::` in front.
//!
//! ## Why it matters
//!
//! Agents of Puppet 8 and OpenVox 8 no longer send legacy facts. The interpolation is then silently empty: a level
//! reads `nodes/.yaml` instead of `nodes/web01.yaml`. In code, `$facts['osfamily']` is undef.
//!
//! ## How to fix it
//!
//! Use the structured fact. `hieratic check --fix` does it if the structured fact has the same value; otherwise the
//! finding says so.
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml
//! hierarchy:
//!   - name: Operating system
//!     path: "os/%{::osfamily}.yaml"
//! ```
//!
//! becomes
//!
//! ```yaml
//! # hiera.yaml
//! hierarchy:
//!   - name: Operating system
//!     path: "os/%{facts.os.family}.yaml"
//! ```
//!
//! A comment `# hieratic: ignore legacy-fact` on the same line or the line before accepts the finding.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use hieratic::value::ErasedSort as _;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic_diagnostics::{Source, Span};
use hieratic_puppet_syntax::ast::{Expr, Node, Program, Variable};
use hieratic_puppet_syntax::visit::each_expression;
use regex::Regex;

use super::removed_ruby::tags;
use super::{ProgramContext, RuleContext};
use crate::finding::{Finding, Fix};
use crate::legacy_facts::{LegacyFact, fact_keys, legacy_fact};
use crate::options::Options;
use crate::rules;
use crate::workspace::data::Reader;

/// `%{osfamily}`, `%{::osfamily}`, `%{facts.osfamily}`. A constant, which a test compiles.
static VARIABLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"%\{\s*(?P<name>(?:::|facts\.)?[a-z0-9_]+)\s*\}"#).ok());

/// Finds interpolations of legacy facts: one finding for each fact that a file names.
pub(super) fn check(cx: &RuleContext<'_>) {
    if cx.options.settings.puppet_version.has_legacy_facts() {
        return;
    }
    let hierarchies = cx.workspace.configs.iter().filter_map(|config| config.source.as_ref());
    let is_text = |reader| matches!(reader, Reader::Yaml | Reader::Eyaml | Reader::Json | Reader::Hocon);
    let data = cx.workspace.files.iter().filter(|file| is_text(file.reader)).map(|file| &file.source);
    cx.report_all(hierarchies.chain(data).flat_map(in_text));
}

fn in_text(source: &Source) -> Vec<Finding> {
    let text = source.text();
    let Some(variable) = VARIABLE.as_ref().filter(|_| text.contains("%{")) else { return Vec::new() };
    let mut found: Vec<(LegacyFact, Vec<Span>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::default();
    for captures in variable.captures_iter(text) {
        let Some(name) = captures.name("name") else { continue };
        let plain = name.as_str().trim_start_matches("facts.").trim_start_matches("::");
        let Some(legacy) = legacy_fact(plain, plain.len() < name.len()) else { continue };
        if is_comment(text, name.start()) {
            continue;
        }
        let span = Span::new(name.start(), name.end());
        let place = *places.entry(legacy.name.clone()).or_insert(found.len());
        match found.get_mut(place) {
            Some((_, spans)) => spans.push(span),
            None => found.push((legacy, vec![span])),
        }
    }
    let to_finding = |(legacy, spans): (LegacyFact, Vec<Span>)| {
        let modern = &legacy.modern;
        let fixes = spans.iter().map(|span| (*span, Some(format!("facts.{modern}")))).collect();
        finding(source, &legacy, &format!("%{{facts.{modern}}}"), fixes)
    };
    found.into_iter().map(to_finding).collect()
}

/// A fact that an ERB template reads from the top scope, or from the hash of facts.
static IN_ERB: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let (of_scope, of_facts) = (
        r#"scope(?:\[|\.lookupvar\()\s*['"]::(?<name>[a-z0-9_]+)['"]\s*[\])]"#,
        r#"(?<hash>@facts|scope\[['"](?:::)?facts['"]\])\[['"](?<key>[a-z0-9_]+)['"]\]"#,
    );
    Regex::new(&format!("{of_scope}|{of_facts}")).ok()
});

/// Finds legacy facts that an ERB template reads: one finding for each fact.
///
/// `@osfamily` can be a variable of the class that renders the template.
pub(crate) fn check_erb(source: &Source, options: &Options) -> Vec<Finding> {
    let text = source.text();
    if options.settings.puppet_version.has_legacy_facts() || !(text.contains("scope") || text.contains("@facts")) {
        return Vec::new();
    }
    let Some(pattern) = IN_ERB.as_ref() else { return Vec::new() };
    let mut places: BTreeMap<String, (LegacyFact, Vec<Place>)> = BTreeMap::new();
    for (start, end) in tags(text) {
        for captures in pattern.captures_iter(&text[start..end]) {
            let (Some(whole), Some(name)) = (captures.get(0), captures.name("name").or(captures.name("key"))) else {
                continue;
            };
            let Some(legacy) = legacy_fact(name.as_str(), true) else { continue };
            let hash = captures.name("hash").map_or("scope['facts']", |hash| hash.as_str());
            let fix = format!("{hash}{}", fact_keys(&legacy.modern));
            let span = Span::new(start + whole.start(), start + whole.end());
            // Text in front of a tag is not a comment of Ruby.
            let line = text[start..span.range().start].rsplit('\n').next().unwrap_or_default();
            if !line.replace("#{", "").contains('#') {
                let entry = places.entry(legacy.name.clone()).or_insert_with(|| (legacy, Vec::new()));
                entry.1.push((span, Some(fix)));
            }
        }
    }
    let to_finding = |(legacy, fixes): (LegacyFact, Vec<Place>)| {
        let modern = format!("scope['facts']{}", fact_keys(&legacy.modern));
        finding(source, &legacy, &modern, fixes)
    };
    places.into_values().map(to_finding).collect()
}

/// The span of a fact, and its replacement.
type Place = (Span, Option<String>);

/// Finds legacy facts that code reads from `$facts` or from the top scope: one finding for each fact in a file.
///
/// A name without `$facts` and `::` may be another variable, which only a catalog can decide. Plans have no facts by
/// themselves.
pub(super) fn check_program(cx: &ProgramContext<'_>) {
    if !cx.is_plan && !cx.options.settings.puppet_version.has_legacy_facts() {
        cx.report_all(in_program(cx.program));
    }
}

fn in_program(program: &Program) -> Vec<Finding> {
    let source = &program.source;
    let mut places: BTreeMap<String, (LegacyFact, Vec<Place>)> = BTreeMap::new();
    let mut add = |legacy: LegacyFact, span: Span, fix: Option<String>| {
        places.entry(legacy.name.clone()).or_insert_with(|| (legacy, Vec::new())).1.push((span, fix));
    };
    let mut in_strings: HashSet<(u32, u32)> = HashSet::default();
    each_expression(&program.body, &mut |expr| {
        if let Node::Text(inner) = &expr.node {
            in_strings.insert((inner.span.start, inner.span.end));
        }
    });
    each_expression(&program.body, &mut |expr| {
        if let Node::Variable(Variable::Qualified(name)) = &expr.node
            && let Some(legacy) = name.strip_prefix("::").and_then(|name| legacy_fact(name, true))
        {
            let span = source.clamp(expr.span);
            let is_in_string = in_strings.contains(&(expr.span.start, expr.span.end));
            let fix = in_the_place_of(source, span, &legacy.modern, is_in_string);
            return add(legacy, span, fix);
        }
        let Node::Access { left, keys } = &expr.node else { return };
        let is_facts = match &left.node {
            Node::Variable(Variable::Local(name)) => &**name == "facts",
            Node::Variable(Variable::Qualified(name)) => &**name == "::facts",
            _ => false,
        };
        let name = match keys.as_slice() {
            [Expr { node: Node::Literal(key), .. }] if is_facts => key.as_str(),
            [Expr { node: Node::Name(key), .. }] if is_facts => Some(&**key),
            _ => None,
        };
        let Some(legacy) = name.and_then(|name| legacy_fact(name, true)) else { return };
        let span = source.clamp(expr.span);
        // The key, with its brackets, is after the variable.
        let text = source.slice(span);
        let Some(at) = text.find('[').filter(|_| text.ends_with(']')) else { return };
        let span = Span::new(span.range().start + at, span.range().end);
        let fix = fact_keys(&legacy.modern);
        add(legacy, span, Some(fix));
    });
    let to_finding = |(legacy, mut fixes): (LegacyFact, Vec<Place>)| {
        fixes.sort_erased_by_key(|(span, _)| span.start);
        let modern = format!("$facts{}", fact_keys(&legacy.modern));
        finding(source, &legacy, &modern, fixes)
    };
    places.into_values().map(to_finding).collect()
}

/// The replacement for `$::osfamily`, which in a string may be `${::osfamily}` or `$::osfamily`.
fn in_the_place_of(source: &Source, span: Span, modern: &str, is_in_string: bool) -> Option<String> {
    let (written, keys) = (source.slice(span), fact_keys(modern));
    let is_in_braces = source.text()[..span.range().start].ends_with('{');
    let name = written.strip_prefix('$');
    if !name.unwrap_or(written).starts_with("::") {
        return None;
    }
    match (is_in_string, is_in_braces, name.is_some()) {
        (false, _, true) | (true, true, true) => Some(format!("$facts{keys}")),
        (true, false, true) => Some(format!("${{facts{keys}}}")),
        (true, true, false) => Some(format!("facts{keys}")),
        (false, _, false) | (true, false, false) => None,
    }
}

/// The finding of a fact at the places where something else is to be written.
fn finding(source: &Source, legacy: &LegacyFact, modern: &str, fixes: Vec<Place>) -> Finding {
    let message = format!("'{}' is a legacy fact, which Puppet 8 and OpenVox 8 omit", legacy.name);
    let is_fixed = legacy.is_same && fixes.iter().all(|(_, fix)| fix.is_some());
    let help = match (legacy.is_same, is_fixed) {
        (true, true) => format!("write `{modern}` (--fix does it)"),
        (true, false) => format!("write `{modern}`"),
        (false, _) => format!("use `{modern}`, which has another value"),
    };
    let mut finding = Finding::new(&rules::LEGACY_FACT, message).at(source, fixes[0].0, "").help(help);
    let more: Vec<String> = fixes[1..].iter().map(|(span, _)| source.start(*span).line.to_string()).collect();
    if !more.is_empty() {
        let word = if more.len() == 1 { "line" } else { "lines" };
        finding = finding.note(format!("also in {word} {}", more.join(", ")));
    }
    let fixes = fixes.into_iter().filter(|_| is_fixed).filter_map(|(span, text)| Some((span, text?)));
    fixes.fold(finding, |finding, (span, text)| finding.fix(Fix::new(source, span, text)))
}

/// Returns whether an offset is in a comment, judging by its line alone.
fn is_comment(text: &str, at: usize) -> bool {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let before = &text[line..at];
    before.trim_start().starts_with(['#', '/']) || before.contains(" #")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_of_code_are_read_from_their_variable() {
        let code = "class a($h = $facts['hostname']) {\n  notice(\"${facts['osfamily']} ${facts[osfamily]}\", $::facts['fqdn'])\n  notice($facts['os'], $hostname, $x['hostname'], $facts['hostname', 1], $facts['kernel'])\n}\n";
        let program = hieratic_puppet_syntax::parse(&Source::new("a.pp", code), &Default::default()).program.unwrap();
        let findings = in_program(&program);
        let lines: Vec<_> = findings.iter().map(|finding| (finding.line(), finding.fixes().len())).collect();
        assert_eq!(lines, [(Some(2), 1), (Some(1), 1), (Some(2), 2)]);
        let mut fixes: Vec<_> = findings.iter().flat_map(Finding::fixes).collect();
        fixes.sort_by_key(|fix| std::cmp::Reverse(fix.span.start));
        let mut fixed = code.to_owned();
        fixes.iter().for_each(|fix| fixed.replace_range(fix.span.range(), &fix.text));
        assert_eq!(
            fixed,
            code.replace("$facts['hostname'])", "$facts['networking']['hostname'])")
                .replace("['osfamily']", "['os']['family']")
                .replace("[osfamily]", "['os']['family']")
                .replace("['fqdn']", "['networking']['fqdn']")
        );
    }

    #[test]
    fn facts_of_the_top_scope_are_known() {
        let code =
            "notice($::osfamily, \"a $::fqdn b ${::domain} ${$::hostname}\", $::memorysize_mb, $::network_zone)\n";
        let program = hieratic_puppet_syntax::parse(&Source::new("a.pp", code), &Default::default()).program.unwrap();
        let findings = in_program(&program);
        let mut fixes: Vec<_> = findings.iter().flat_map(Finding::fixes).collect();
        fixes.sort_by_key(|fix| std::cmp::Reverse(fix.span.start));
        let mut fixed = code.to_owned();
        fixes.iter().for_each(|fix| fixed.replace_range(fix.span.range(), &fix.text));
        let expected = code
            .replace("$::osfamily", "$facts['os']['family']")
            .replace("$::fqdn", "${facts['networking']['fqdn']}")
            .replace("${::domain}", "${facts['networking']['domain']}")
            .replace("$::hostname", "$facts['networking']['hostname']");
        assert_eq!(fixed, expected);
        assert_eq!(findings.len(), 5);
    }

    #[test]
    fn each_fact_is_found_once_in_a_file() {
        let text = "# %{osfamily}\na: \"%{::osfamily} %{facts.osfamily}\"\nb: '%{facts.os.family} %{kernel} %{fqdn}'\n";
        let findings = in_text(&Source::new("a.yaml", text));
        let lines: Vec<_> = findings.iter().map(|finding| (finding.line(), finding.fixes().len())).collect();
        assert_eq!(lines, [(Some(2), 2), (Some(3), 1)]);
    }
}
