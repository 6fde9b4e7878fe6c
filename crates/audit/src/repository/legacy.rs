//! Legacy facts in data and hierarchies: Puppet 8 and OpenVox 8 leave them out, and what names one is empty there.

use std::sync::LazyLock;

use hieratic_diagnostics::{Source, Span};
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
    let at = MODERN.binary_search_by_key(&legacy, |(legacy, _)| legacy).ok()?;
    Some(MODERN[at].1)
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
        let Ok(at) = MODERN.binary_search_by_key(&plain, |(legacy, _)| legacy) else { continue };
        if is_comment(text, name.start()) {
            continue;
        }
        let span = Span { start: name.start(), end: name.end() };
        let (legacy, modern) = MODERN[at];
        let place = *places.entry(legacy).or_insert(found.len());
        match found.get_mut(place) {
            Some((.., spans)) => spans.push(span),
            None => found.push((legacy, modern, vec![span])),
        }
    }
    found.into_iter().map(|(legacy, modern, spans)| finding(source, legacy, modern, &spans)).collect()
}

fn finding(source: &Source, legacy: &str, modern: &str, spans: &[Span]) -> Finding {
    let message = format!("'{legacy}' is a legacy fact, which Puppet 8 and OpenVox 8 omit");
    let help = format!("write `%{{facts.{modern}}}` (--fix does it)");
    let mut finding = Finding::new(&rules::LEGACY_FACT, message).at(source, spans[0], "").help(help);
    let more: Vec<String> = spans[1..].iter().map(|span| source.place(span.start).line.to_string()).collect();
    if !more.is_empty() {
        let word = if more.len() == 1 { "line" } else { "lines" };
        finding = finding.note(format!("also in {word} {}", more.join(", ")));
    }
    spans.iter().fold(finding, |finding, span| finding.fix(Fix::new(source, *span, format!("facts.{modern}"))))
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
    fn each_fact_is_found_once_in_a_file() {
        let text = "# %{osfamily}\na: \"%{::osfamily} %{facts.osfamily}\"\nb: '%{facts.os.family} %{kernel} %{fqdn}'\n";
        let findings = in_text(&Source::new("a.yaml", text));
        let told: Vec<_> = findings.iter().map(|finding| (finding.line(), finding.fixes().len())).collect();
        assert_eq!(told, [(Some(2), 2), (Some(3), 1)]);
    }
}
