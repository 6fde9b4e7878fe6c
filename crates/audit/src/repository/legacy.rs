//! Legacy facts in data, hierarchies and code: Puppet 8 and OpenVox 8 leave them out, and what names one is empty there.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use hieratic_diagnostics::{Source, Span};
use hieratic_syntax::ast::{Expr, Node, Program, Variable};
use hieratic_syntax::visit::each_expression;
use regex::Regex;
use rustc_hash::FxHashMap;

use super::data::Reader;
use super::known::Known;
use super::{Code, Repository};
use crate::finding::{Finding, Fix};
use crate::options::Options;
use crate::rules;

/// Legacy facts, sorted, and the structured ones that have the same value.
///
/// See [core facts](https://www.puppet.com/docs/puppet/8/core_facts.html#legacy-facts).
const MODERN: &[(&str, &str)] = &[
    ("architecture", "os.architecture"),
    ("augeasversion", "augeas.version"),
    ("bios_release_date", "dmi.bios.release_date"),
    ("bios_vendor", "dmi.bios.vendor"),
    ("bios_version", "dmi.bios.version"),
    ("boardassettag", "dmi.board.asset_tag"),
    ("boardmanufacturer", "dmi.board.manufacturer"),
    ("boardproductname", "dmi.board.product"),
    ("boardserialnumber", "dmi.board.serial_number"),
    ("chassisassettag", "dmi.chassis.asset_tag"),
    ("chassistype", "dmi.chassis.type"),
    ("domain", "networking.domain"),
    ("fqdn", "networking.fqdn"),
    ("gid", "identity.group"),
    ("hardwareisa", "processors.isa"),
    ("hardwaremodel", "os.hardware"),
    ("hostname", "networking.hostname"),
    ("ipaddress", "networking.ip"),
    ("ipaddress6", "networking.ip6"),
    ("lsbdistcodename", "os.distro.codename"),
    ("lsbdistdescription", "os.distro.description"),
    ("lsbdistid", "os.distro.id"),
    ("lsbdistrelease", "os.distro.release.full"),
    ("lsbmajdistrelease", "os.distro.release.major"),
    ("lsbminordistrelease", "os.distro.release.minor"),
    ("lsbrelease", "os.distro.specification"),
    ("macaddress", "networking.mac"),
    ("macosx_buildversion", "os.macosx.build"),
    ("macosx_productname", "os.macosx.product"),
    ("macosx_productversion", "os.macosx.version.full"),
    ("macosx_productversion_major", "os.macosx.version.major"),
    ("macosx_productversion_minor", "os.macosx.version.minor"),
    ("manufacturer", "dmi.manufacturer"),
    ("memoryfree", "memory.system.available"),
    ("memorysize", "memory.system.total"),
    ("netmask", "networking.netmask"),
    ("netmask6", "networking.netmask6"),
    ("network", "networking.network"),
    ("network6", "networking.network6"),
    ("operatingsystem", "os.name"),
    ("operatingsystemmajrelease", "os.release.major"),
    ("operatingsystemrelease", "os.release.full"),
    ("osfamily", "os.family"),
    ("physicalprocessorcount", "processors.physicalcount"),
    ("processorcount", "processors.count"),
    ("productname", "dmi.product.name"),
    ("rubyplatform", "ruby.platform"),
    ("rubysitedir", "ruby.sitedir"),
    ("rubyversion", "ruby.version"),
    ("selinux", "os.selinux.enabled"),
    ("selinux_config_mode", "os.selinux.config_mode"),
    ("selinux_config_policy", "os.selinux.config_policy"),
    ("selinux_current_mode", "os.selinux.current_mode"),
    ("selinux_enforced", "os.selinux.enforced"),
    ("selinux_policyversion", "os.selinux.policy_version"),
    ("serialnumber", "dmi.product.serial_number"),
    ("swapencrypted", "memory.swap.encrypted"),
    ("swapfree", "memory.swap.available"),
    ("swapsize", "memory.swap.total"),
    ("system32", "os.windows.system32"),
    ("uptime", "system_uptime.uptime"),
    ("uptime_days", "system_uptime.days"),
    ("uptime_hours", "system_uptime.hours"),
    ("uptime_seconds", "system_uptime.seconds"),
    ("uuid", "dmi.product.uuid"),
    ("xendomains", "xen.domains"),
];

/// The structured fact that has the value of a legacy one, with dots between its names.
pub fn modern_fact(legacy: &str) -> Option<&'static str> {
    known(legacy).map(|(_, modern)| modern)
}

/// A legacy fact with the structured one.
fn known(legacy: &str) -> Option<(&'static str, &'static str)> {
    let at = MODERN.binary_search_by_key(&legacy, |(legacy, _)| legacy).ok()?;
    Some(MODERN[at])
}

/// `%{osfamily}`, `%{::osfamily}`, `%{facts.osfamily}`.
static VARIABLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"%\{\s*(?P<name>(?:::|facts\.)?[a-z0-9_]+)\s*\}"#).ok());

/// Interpolations of legacy facts, one finding for each fact that a file names.
pub(super) fn check(repository: &Repository, _: &Code, _: &Known<'_>, options: &Options) -> Vec<Finding> {
    if options.settings.puppet_version.has_legacy_facts() {
        return Vec::new();
    }
    let hierarchies = repository.configs.iter().filter_map(|config| config.source.as_ref());
    let is_text = |reader| matches!(reader, Reader::Yaml | Reader::Eyaml | Reader::Json | Reader::Hocon);
    let data = repository.files.iter().filter(|file| is_text(file.reader)).map(|file| &file.source);
    hierarchies.chain(data).flat_map(in_text).collect()
}

fn in_text(source: &Source) -> Vec<Finding> {
    let text = source.text();
    let Some(variable) = VARIABLE.as_ref().filter(|_| text.contains("%{")) else { return Vec::new() };
    let mut found: Vec<(&str, &str, Vec<Span>)> = Vec::new();
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    for captures in variable.captures_iter(text) {
        let Some(name) = captures.name("name") else { continue };
        let plain = name.as_str().trim_start_matches("facts.").trim_start_matches("::");
        let Some((legacy, modern)) = known(plain) else { continue };
        if is_comment(text, name.start()) {
            continue;
        }
        let span = Span::new(name.start(), name.end());
        let place = *places.entry(legacy).or_insert(found.len());
        match found.get_mut(place) {
            Some((.., spans)) => spans.push(span),
            None => found.push((legacy, modern, vec![span])),
        }
    }
    let told = |(legacy, modern, spans): (&str, &str, Vec<Span>)| {
        let fixes = spans.iter().map(|span| (*span, format!("facts.{modern}"))).collect();
        finding(source, legacy, &format!("%{{facts.{modern}}}"), fixes)
    };
    found.into_iter().map(told).collect()
}

/// Legacy facts that code reads from `$facts`, one finding for each fact that a file names.
///
/// A name without `$facts` may be that of another variable, which only a catalog tells.
pub(crate) fn in_program(program: &Program) -> Vec<Finding> {
    let source = &program.source;
    let mut places: BTreeMap<&str, Vec<(Span, String)>> = BTreeMap::new();
    each_expression(&program.body, &mut |expr| {
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
        let Some((legacy, modern)) = name.and_then(known) else { return };
        let span = source.clamp(expr.span);
        // The key, with its brackets, is behind the variable.
        let text = source.slice(span);
        let Some(at) = text.find('[').filter(|_| text.ends_with(']')) else { return };
        let span = Span::new(span.range().start + at, span.range().end);
        places.entry(legacy).or_default().push((span, modern.split('.').map(|part| format!("['{part}']")).collect()));
    });
    let told = |(legacy, mut fixes): (&str, Vec<(Span, String)>)| {
        fixes.sort_by_key(|(span, _)| span.start);
        let modern = format!("$facts{}", fixes[0].1);
        finding(source, legacy, &modern, fixes)
    };
    places.into_iter().map(told).collect()
}

/// The finding of a fact at the places where something else is to be written.
fn finding(source: &Source, legacy: &str, modern: &str, fixes: Vec<(Span, String)>) -> Finding {
    let message = format!("'{legacy}' is a legacy fact, which Puppet 8 and OpenVox 8 omit");
    let help = format!("write `{modern}` (--fix does it)");
    let mut finding = Finding::new(&rules::LEGACY_FACT, message).at(source, fixes[0].0, "").help(help);
    let more: Vec<String> = fixes[1..].iter().map(|(span, _)| source.start(*span).line.to_string()).collect();
    if !more.is_empty() {
        let word = if more.len() == 1 { "line" } else { "lines" };
        finding = finding.note(format!("also in {word} {}", more.join(", ")));
    }
    fixes.into_iter().fold(finding, |finding, (span, text)| finding.fix(Fix::new(source, span, text)))
}

/// Whether a place is in a comment, as far as its line tells.
fn is_comment(text: &str, at: usize) -> bool {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let before = &text[line..at];
    before.trim_start().starts_with(['#', '/']) || before.contains(" #")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(MODERN.is_sorted_by_key(|(legacy, _)| *legacy));
    }

    #[test]
    fn facts_of_code_are_read_from_their_variable() {
        let code = "class a($h = $facts['hostname']) {\n  notice(\"${facts['osfamily']} ${facts[osfamily]}\", $::facts['fqdn'])\n  notice($facts['os'], $hostname, $x['hostname'], $facts['hostname', 1], $facts['kernel'])\n}\n";
        let program = hieratic_syntax::parse(&Source::new("a.pp", code), &Default::default()).program.unwrap();
        let findings = in_program(&program);
        let told: Vec<_> = findings.iter().map(|finding| (finding.line(), finding.fixes().len())).collect();
        assert_eq!(told, [(Some(2), 1), (Some(1), 1), (Some(2), 2)]);
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
    fn each_fact_is_found_once_in_a_file() {
        let text = "# %{osfamily}\na: \"%{::osfamily} %{facts.osfamily}\"\nb: '%{facts.os.family} %{kernel} %{fqdn}'\n";
        let findings = in_text(&Source::new("a.yaml", text));
        let told: Vec<_> = findings.iter().map(|finding| (finding.line(), finding.fixes().len())).collect();
        assert_eq!(told, [(Some(2), 2), (Some(3), 1)]);
    }
}
