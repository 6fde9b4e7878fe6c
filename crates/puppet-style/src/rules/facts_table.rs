//! The facts that puppet-lint calls legacy, and their replacements.

/// Facts that have a structured one, and how that is written.
pub(super) const EASY: &[(&str, &str)] = &[
    ("architecture", "facts['os']['architecture']"),
    ("augeasversion", "facts['augeas']['version']"),
    ("bios_release_date", "facts['dmi']['bios']['release_date']"),
    ("bios_vendor", "facts['dmi']['bios']['vendor']"),
    ("bios_version", "facts['dmi']['bios']['version']"),
    ("boardassettag", "facts['dmi']['board']['asset_tag']"),
    ("boardmanufacturer", "facts['dmi']['board']['manufacturer']"),
    ("boardproductname", "facts['dmi']['board']['product']"),
    ("boardserialnumber", "facts['dmi']['board']['serial_number']"),
    ("chassisassettag", "facts['dmi']['chassis']['asset_tag']"),
    ("chassistype", "facts['dmi']['chassis']['type']"),
    ("domain", "facts['networking']['domain']"),
    ("fqdn", "facts['networking']['fqdn']"),
    ("gid", "facts['identity']['group']"),
    ("hardwareisa", "facts['processors']['isa']"),
    ("hardwaremodel", "facts['os']['hardware']"),
    ("hostname", "facts['networking']['hostname']"),
    ("id", "facts['identity']['user']"),
    ("ipaddress", "facts['networking']['ip']"),
    ("ipaddress6", "facts['networking']['ip6']"),
    ("lsbdistcodename", "facts['os']['distro']['codename']"),
    ("lsbdistdescription", "facts['os']['distro']['description']"),
    ("lsbdistid", "facts['os']['distro']['id']"),
    ("lsbdistrelease", "facts['os']['distro']['release']['full']"),
    ("lsbmajdistrelease", "facts['os']['distro']['release']['major']"),
    ("lsbminordistrelease", "facts['os']['distro']['release']['minor']"),
    ("lsbrelease", "facts['os']['distro']['release']['specification']"),
    ("macaddress", "facts['networking']['mac']"),
    ("macosx_buildversion", "facts['os']['macosx']['build']"),
    ("macosx_productname", "facts['os']['macosx']['product']"),
    ("macosx_productversion", "facts['os']['macosx']['version']['full']"),
    ("macosx_productversion_major", "facts['os']['macosx']['version']['major']"),
    ("macosx_productversion_minor", "facts['os']['macosx']['version']['minor']"),
    ("manufacturer", "facts['dmi']['manufacturer']"),
    ("memoryfree", "facts['memory']['system']['available']"),
    ("memorysize", "facts['memory']['system']['total']"),
    ("netmask", "facts['networking']['netmask']"),
    ("netmask6", "facts['networking']['netmask6']"),
    ("network", "facts['networking']['network']"),
    ("network6", "facts['networking']['network6']"),
    ("operatingsystem", "facts['os']['name']"),
    ("operatingsystemmajrelease", "facts['os']['release']['major']"),
    ("operatingsystemrelease", "facts['os']['release']['full']"),
    ("osfamily", "facts['os']['family']"),
    ("physicalprocessorcount", "facts['processors']['physicalcount']"),
    ("processorcount", "facts['processors']['count']"),
    ("productname", "facts['dmi']['product']['name']"),
    ("rubyplatform", "facts['ruby']['platform']"),
    ("rubysitedir", "facts['ruby']['sitedir']"),
    ("rubyversion", "facts['ruby']['version']"),
    ("selinux", "facts['os']['selinux']['enabled']"),
    ("selinux_config_mode", "facts['os']['selinux']['config_mode']"),
    ("selinux_config_policy", "facts['os']['selinux']['config_policy']"),
    ("selinux_current_mode", "facts['os']['selinux']['current_mode']"),
    ("selinux_enforced", "facts['os']['selinux']['enforced']"),
    ("selinux_policyversion", "facts['os']['selinux']['policy_version']"),
    ("serialnumber", "facts['dmi']['product']['serial_number']"),
    ("swapencrypted", "facts['memory']['swap']['encrypted']"),
    ("swapfree", "facts['memory']['swap']['available']"),
    ("swapsize", "facts['memory']['swap']['total']"),
    ("system32", "facts['os']['windows']['system32']"),
    ("uptime", "facts['system_uptime']['uptime']"),
    ("uptime_days", "facts['system_uptime']['days']"),
    ("uptime_hours", "facts['system_uptime']['hours']"),
    ("uptime_seconds", "facts['system_uptime']['seconds']"),
    ("uuid", "facts['dmi']['product']['uuid']"),
    ("xendomains", "facts['xen']['domains']"),
    ("zonename", "facts['solaris_zones']['current']"),
];

/// Variables of the top scope that may be read there, in addition to legacy facts.
pub(super) const ALLOWED_ONLY: &[&str] = &["trusted", "facts"];

/// Facts that no structured one has the value of.
const WITHOUT_REPLACEMENT: &[&str] = &[
    "memoryfree_mb",
    "memorysize_mb",
    "swapfree_mb",
    "swapsize_mb",
    "blockdevices",
    "interfaces",
    "zones",
    "sshfp_dsa",
    "sshfp_ecdsa",
    "sshfp_ed25519",
    "sshfp_rsa",
];

const OF_DISK: &[&str] = &["model", "size", "vendor"];
const OF_INTERFACE: &[&str] =
    &["ipaddress", "ipaddress6", "macaddress", "mtu", "netmask", "netmask6", "network", "network6"];
const OF_ZONE: &[&str] = &["brand", "iptype", "name", "uuid", "id", "path", "status"];

/// The current way to write a legacy fact.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Replacement {
    /// As this fact.
    Fact(String),
    /// Not at all.
    None,
}

/// The replacement of a legacy fact; nothing if the name is not that of a legacy fact.
pub(super) fn replacement(name: &str) -> Option<Replacement> {
    if let Some((_, modern)) = EASY.iter().find(|(easy, _)| *easy == name) {
        return Some(Replacement::Fact((*modern).to_owned()));
    }
    if WITHOUT_REPLACEMENT.contains(&name) {
        return Some(Replacement::None);
    }
    by_pattern(name).map(Replacement::Fact)
}

/// The replacement of a fact of a disk, an interface, a processor and others.
fn by_pattern(name: &str) -> Option<String> {
    if let Some((disk, value)) = name.strip_prefix("blockdevice_").and_then(|rest| ends_with(rest, OF_DISK)) {
        return Some(format!("facts['disks']['{disk}']['{value}']"));
    }
    let interface = OF_INTERFACE.iter().find_map(|value| Some((value, name.strip_prefix(value)?.strip_prefix('_')?)));
    if let Some((value, interface)) = interface {
        let value = value.replacen("address", "", 1);
        return Some(format!("facts['networking']['interfaces']['{interface}']['{value}']"));
    }
    let digits = |rest: &&str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(number) = name.strip_prefix("processor").filter(digits) {
        return Some(format!("facts['processors']['models'][{number}]"));
    }
    if let Some(rest) = name.strip_prefix("sp_") {
        return Some(format!("facts['system_profiler']['{rest}']"));
    }
    let algorithm = name.strip_prefix("ssh").and_then(|rest| rest.strip_suffix("key"));
    if let Some(algorithm) = algorithm.filter(|name| ["dsa", "ecdsa", "ed25519", "rsa"].contains(name)) {
        return Some(format!("facts['ssh']['{algorithm}']['key']"));
    }
    if let Some(rest) = name.strip_prefix("ldom_") {
        return Some(format!("facts['ldom']['{rest}']"));
    }
    let (zone, value) = ends_with(name.strip_prefix("zone_")?, OF_ZONE)?;
    Some(format!("facts['solaris_zones']['zones']['{zone}']['{value}']"))
}

/// The parts of a name that ends with an underscore and one of some words.
fn ends_with<'n>(name: &'n str, words: &[&'static str]) -> Option<(&'n str, &'static str)> {
    words.iter().find_map(|word| Some((name.strip_suffix(word)?.strip_suffix('_')?, *word)))
}
