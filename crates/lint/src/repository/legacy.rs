//! Legacy facts in data, hierarchies and code: Puppet 8 and OpenVox 8 leave them out, and what names one is empty
//! there.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use hieratic_diagnostics::{Source, Span};
use hieratic_puppet_syntax::ast::{Expr, Node, Program, Variable};
use hieratic_puppet_syntax::visit::each_expression;
use hieratic_value::collections::{HashMap, HashSet};
use regex::Regex;

use super::data::Reader;
use super::nodes::SampleNodes;
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
    ("id", "identity.user"),
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
    ("macosx_productversion_patch", "os.macosx.version.patch"),
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
    ("scope6", "networking.scope6"),
    ("selinux", "os.selinux.enabled"),
    ("selinux_config_mode", "os.selinux.config_mode"),
    ("selinux_config_policy", "os.selinux.config_policy"),
    ("selinux_current_mode", "os.selinux.current_mode"),
    ("selinux_enforced", "os.selinux.enforced"),
    ("selinux_policyversion", "os.selinux.policy_version"),
    ("serialnumber", "dmi.product.serial_number"),
    ("sp_boot_mode", "system_profiler.boot_mode"),
    ("sp_boot_rom_version", "system_profiler.boot_rom_version"),
    ("sp_boot_volume", "system_profiler.boot_volume"),
    ("sp_cpu_type", "system_profiler.processor_name"),
    ("sp_current_processor_speed", "system_profiler.processor_speed"),
    ("sp_kernel_version", "system_profiler.kernel_version"),
    ("sp_l2_cache_core", "system_profiler.l2_cache_per_core"),
    ("sp_l3_cache", "system_profiler.l3_cache"),
    ("sp_local_host_name", "system_profiler.computer_name"),
    ("sp_machine_model", "system_profiler.model_identifier"),
    ("sp_machine_name", "system_profiler.model_name"),
    ("sp_number_processors", "system_profiler.cores"),
    ("sp_os_version", "system_profiler.system_version"),
    ("sp_packages", "system_profiler.processors"),
    ("sp_physical_memory", "system_profiler.memory"),
    ("sp_platform_uuid", "system_profiler.hardware_uuid"),
    ("sp_secure_vm", "system_profiler.secure_virtual_memory"),
    ("sp_serial_number", "system_profiler.serial_number"),
    ("sp_smc_version_system", "system_profiler.smc_version"),
    ("sp_uptime", "system_profiler.uptime"),
    ("sp_user_name", "system_profiler.username"),
    ("sshdsakey", "ssh.dsa.key"),
    ("sshecdsakey", "ssh.ecdsa.key"),
    ("sshed25519key", "ssh.ed25519.key"),
    ("sshrsakey", "ssh.rsa.key"),
    ("swapencrypted", "memory.swap.encrypted"),
    ("swapfree", "memory.swap.available"),
    ("swapsize", "memory.swap.total"),
    ("system32", "os.windows.system32"),
    ("uptime", "system_uptime.uptime"),
    ("uptime_days", "system_uptime.days"),
    ("uptime_hours", "system_uptime.hours"),
    ("uptime_seconds", "system_uptime.seconds"),
    ("uuid", "dmi.product.uuid"),
    ("windows_display_version", "os.windows.display_version"),
    ("windows_edition_id", "os.windows.edition_id"),
    ("windows_installation_type", "os.windows.installation_type"),
    ("windows_product_name", "os.windows.product_name"),
    ("windows_release_id", "os.windows.release_id"),
    ("xendomains", "xen.domains"),
    ("zonename", "solaris_zones.current"),
];

/// The structured fact that has the value of a legacy one, with dots between its names.
pub fn modern_fact(legacy: &str) -> Option<String> {
    known(legacy, true).filter(|legacy| legacy.is_same).map(|legacy| legacy.modern)
}

/// Legacy facts whose structured fact has another value: a list instead of a string, bytes instead of megabytes.
const OTHER_VALUE: &[(&str, &str)] = &[
    ("blockdevices", "disks"),
    ("dhcp_servers", "networking.dhcp"),
    ("interfaces", "networking.interfaces"),
    ("memoryfree_mb", "memory.system.available_bytes"),
    ("memorysize_mb", "memory.system.total_bytes"),
    ("sshfp_dsa", "ssh.dsa.fingerprints"),
    ("sshfp_ecdsa", "ssh.ecdsa.fingerprints"),
    ("sshfp_ed25519", "ssh.ed25519.fingerprints"),
    ("sshfp_rsa", "ssh.rsa.fingerprints"),
    ("swapfree_mb", "memory.swap.available_bytes"),
    ("swapsize_mb", "memory.swap.total_bytes"),
    ("zones", "solaris_zones.zones"),
];

/// Legacy facts of interfaces and disks: the beginning or the end of the name, and the name of the value in the
/// structured fact.
const OF_INTERFACE: &[(&str, &str)] = &[
    ("ipaddress6_", "ip6"),
    ("ipaddress_", "ip"),
    ("macaddress_", "mac"),
    ("mtu_", "mtu"),
    ("netmask6_", "netmask6"),
    ("netmask_", "netmask"),
    ("network6_", "network6"),
    ("network_", "network"),
    ("scope6_", "scope6"),
];
const OF_DISK: &[(&str, &str)] = &[("_size", "size_bytes"), ("_model", "model"), ("_vendor", "vendor")];

/// Names of interfaces: other words behind `network_` are the names of other facts.
static INTERFACE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:lo|(?:lo|eth|en|em|bond|br|docker|virbr|wlan|wl|vlan|tun|tap|team|ib|p\d+p)\w*\d\w*)$").ok()
});

/// A legacy fact.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Legacy {
    /// Its name.
    name: String,
    /// The structured fact in its place, with dots between its names.
    modern: String,
    /// Whether the structured fact has the same value.
    is_same: bool,
}

/// The legacy fact of a name. Without `facts` or `::` in front of it, a name that is a common word may be that of any
/// variable.
fn known(name: &str, is_fact: bool) -> Option<Legacy> {
    let legacy = |modern: String, is_same| Some(Legacy { name: name.to_owned(), modern, is_same });
    if let Ok(at) = MODERN.binary_search_by_key(&name, |(legacy, _)| legacy) {
        // `id` is the name of many variables.
        return if is_fact || name != "id" { legacy(MODERN[at].1.to_owned(), true) } else { None };
    }
    if let Some((_, modern)) = OTHER_VALUE.iter().find(|(known, _)| is_fact && *known == name) {
        return legacy((*modern).to_owned(), false);
    }
    if let Some(number) = name.strip_prefix("processor").filter(|number| number.parse::<u16>().is_ok()) {
        return legacy(format!("processors.models.{number}"), true);
    }
    let is_interface = |rest: &str| INTERFACE.as_ref().is_some_and(|interface| interface.is_match(rest));
    for (start, value) in OF_INTERFACE {
        if let Some(interface) = name.strip_prefix(start).filter(|rest| is_interface(rest)) {
            // Characters that a name cannot have are underscores in the legacy one.
            let is_same = !interface.contains('_');
            return legacy(format!("networking.interfaces.{interface}.{value}"), is_same);
        }
    }
    let disk = name.strip_prefix("blockdevice_")?;
    let (disk, value) = OF_DISK.iter().find_map(|(end, value)| Some((disk.strip_suffix(end)?, value)))?;
    legacy(format!("disks.{disk}.{value}"), true)
}

/// `%{osfamily}`, `%{::osfamily}`, `%{facts.osfamily}`.
static VARIABLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"%\{\s*(?P<name>(?:::|facts\.)?[a-z0-9_]+)\s*\}"#).ok());

/// Interpolations of legacy facts, one finding for each fact that a file names.
pub(super) fn check(repository: &Repository, _: &Code, _: &SampleNodes<'_>, options: &Options) -> Vec<Finding> {
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
    let mut found: Vec<(Legacy, Vec<Span>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::default();
    for captures in variable.captures_iter(text) {
        let Some(name) = captures.name("name") else { continue };
        let plain = name.as_str().trim_start_matches("facts.").trim_start_matches("::");
        let Some(legacy) = known(plain, plain.len() < name.len()) else { continue };
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
    let to_finding = |(legacy, spans): (Legacy, Vec<Span>)| {
        let modern = &legacy.modern;
        let fixes = spans.iter().map(|span| (*span, Some(format!("facts.{modern}")))).collect();
        finding(source, &legacy, &format!("%{{facts.{modern}}}"), fixes)
    };
    found.into_iter().map(to_finding).collect()
}

/// The span of a fact, and its replacement.
type Place = (Span, Option<String>);

/// Finds legacy facts that code reads from `$facts` or from the top scope: one finding for each fact in a file.
///
/// A name without `$facts` and `::` may be another variable, which only a catalog can decide.
pub(crate) fn in_program(program: &Program) -> Vec<Finding> {
    let source = &program.source;
    let mut places: BTreeMap<String, (Legacy, Vec<Place>)> = BTreeMap::new();
    let mut add = |legacy: Legacy, span: Span, fix: Option<String>| {
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
            && let Some(legacy) = name.strip_prefix("::").and_then(|name| known(name, true))
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
        let Some(legacy) = name.and_then(|name| known(name, true)) else { return };
        let span = source.clamp(expr.span);
        // The key, with its brackets, is behind the variable.
        let text = source.slice(span);
        let Some(at) = text.find('[').filter(|_| text.ends_with(']')) else { return };
        let span = Span::new(span.range().start + at, span.range().end);
        let fix = fact_keys(&legacy.modern);
        add(legacy, span, Some(fix));
    });
    let to_finding = |(legacy, mut fixes): (Legacy, Vec<Place>)| {
        fixes.sort_by_key(|(span, _)| span.start);
        let modern = format!("$facts{}", fact_keys(&legacy.modern));
        finding(source, &legacy, &modern, fixes)
    };
    places.into_values().map(to_finding).collect()
}

/// The name of a structured fact as keys of `$facts`: `os.family` as `['os']['family']`. A number is the place in a
/// list.
pub fn fact_keys(modern: &str) -> String {
    let key = |part: &str| match part.parse::<u16>() {
        Ok(number) => format!("[{number}]"),
        Err(_) => format!("['{part}']"),
    };
    modern.split('.').map(key).collect()
}

/// The replacement for `$::osfamily`, which in a string may be `${::osfamily}` or `$::osfamily`.
fn in_the_place_of(source: &Source, span: Span, modern: &str, is_in_string: bool) -> Option<String> {
    let (written, keys) = (source.slice(span), fact_keys(modern));
    let is_in_braces = source.text()[..span.range().start].ends_with('{');
    match written.strip_prefix('$').unwrap_or(written).starts_with("::") {
        false => None,
        true if !is_in_string => written.starts_with('$').then(|| format!("$facts{keys}")),
        true if !is_in_braces => written.starts_with('$').then(|| format!("${{facts{keys}}}")),
        true if written.starts_with('$') => Some(format!("$facts{keys}")),
        true => Some(format!("facts{keys}")),
    }
}

/// The finding of a fact at the places where something else is to be written.
fn finding(source: &Source, legacy: &Legacy, modern: &str, fixes: Vec<Place>) -> Finding {
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

/// Reports whether an offset is in a comment, judging by its line alone.
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
    fn names_of_interfaces_and_disks_are_known() {
        let modern = |name: &str| known(name, false).map(|legacy| legacy.modern);
        assert_eq!(modern("ipaddress_eth0").as_deref(), Some("networking.interfaces.eth0.ip"));
        assert_eq!(modern("mtu_lo").as_deref(), Some("networking.interfaces.lo.mtu"));
        assert_eq!(modern("blockdevice_sda_vendor").as_deref(), Some("disks.sda.vendor"));
        assert_eq!(modern("processor0").as_deref(), Some("processors.models.0"));
        for other in ["network_zone", "network_name", "id", "interfaces", "mtu_default", "processor_kind"] {
            assert_eq!(modern(other), None, "{other}");
        }
        assert_eq!(known("interfaces", true).map(|legacy| legacy.is_same), Some(false));
    }

    #[test]
    fn each_fact_is_found_once_in_a_file() {
        let text = "# %{osfamily}\na: \"%{::osfamily} %{facts.osfamily}\"\nb: '%{facts.os.family} %{kernel} %{fqdn}'\n";
        let findings = in_text(&Source::new("a.yaml", text));
        let lines: Vec<_> = findings.iter().map(|finding| (finding.line(), finding.fixes().len())).collect();
        assert_eq!(lines, [(Some(2), 2), (Some(3), 1)]);
    }
}
