//! The legacy facts that Puppet 8 and OpenVox 8 lack, and the structured facts that replace them.

use std::sync::LazyLock;

use regex::Regex;

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

/// Returns the structured fact with the value of a legacy fact, with dots between its segments.
pub fn modern_fact(legacy: &str) -> Option<String> {
    legacy_fact(legacy, true).filter(|legacy| legacy.is_same).map(|legacy| legacy.modern)
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

/// Names of interfaces: other words after `network_` are the names of other facts.
static INTERFACE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:lo|(?:lo|eth|en|em|bond|br|docker|virbr|wlan|wl|vlan|tun|tap|team|ib|p\d+p)\w*\d\w*)$").ok()
});

/// A legacy fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LegacyFact {
    /// Its name.
    pub(crate) name: String,
    /// The structured fact in its place, with dots between its names.
    pub(crate) modern: String,
    /// Whether the structured fact has the same value.
    pub(crate) is_same: bool,
}

/// The legacy fact of a name. Without `facts` or `::` in front of it, a name that is a common word may be that of any
/// variable.
pub(crate) fn legacy_fact(name: &str, is_fact: bool) -> Option<LegacyFact> {
    let legacy = |modern: String, is_same| Some(LegacyFact { name: name.to_owned(), modern, is_same });
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

/// Converts the name of a structured fact to keys of `$facts`: `os.family` to `['os']['family']`. A number is an index.
pub fn fact_keys(modern: &str) -> String {
    let key = |part: &str| match part.parse::<u16>() {
        Ok(number) => format!("[{number}]"),
        Err(_) => format!("['{part}']"),
    };
    modern.split('.').map(key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(MODERN.is_sorted_by_key(|(legacy, _)| *legacy));
    }

    #[test]
    fn names_of_interfaces_and_disks_are_known() {
        let modern = |name: &str| legacy_fact(name, false).map(|legacy| legacy.modern);
        assert_eq!(modern("ipaddress_eth0").as_deref(), Some("networking.interfaces.eth0.ip"));
        assert_eq!(modern("mtu_lo").as_deref(), Some("networking.interfaces.lo.mtu"));
        assert_eq!(modern("blockdevice_sda_vendor").as_deref(), Some("disks.sda.vendor"));
        assert_eq!(modern("processor0").as_deref(), Some("processors.models.0"));
        for other in ["network_zone", "network_name", "id", "interfaces", "mtu_default", "processor_kind"] {
            assert_eq!(modern(other), None, "{other}");
        }
        assert_eq!(legacy_fact("interfaces", true).map(|legacy| legacy.is_same), Some(false));
    }
}
