//! Filters and tests of the collections `ansible.utils`, `community.general` and `ansible.netcommon`, under their full names and, as roles
//! with the keyword `collections` write them, under their short ones.

/// A table of functions, each under its name and its full name.
macro_rules! collection {
    ($collection:literal, [$($name:literal => $function:expr),* $(,)?]) => {
        &[$(($name, $function), (concat!($collection, ".", $name), $function)),*]
    };
}

mod addresses;
mod arguments;
mod general;
mod hardware;
mod ipaddr;
mod keys;
mod network;
mod switches;
mod tests;

use hieratic_jinja::extend::{Args, Host, Result, Table, Value, error};

/// The tables of all filters.
pub const FILTERS: &[Table] = &[UTILS, MOVED, GENERAL, SWITCHES, ABSENT];

/// The tables of all tests.
pub const TESTS: &[Table] = &[tests::TABLE];

const UTILS: Table = collection!("ansible.utils", [
    "cidr_merge" => addresses::cidr_merge,
    "get_path" => keys::get_path,
    "hwaddr" => hardware::hwaddr,
    "index_of" => keys::index_of,
    "ip4_hex" => addresses::ip4_hex,
    "ipaddr" => addresses::filter_ipaddr,
    "ipcut" => addresses::ipcut,
    "ipmath" => addresses::ipmath,
    "ipsubnet" => addresses::ipsubnet,
    "ipv4" => addresses::filter_ipv4,
    "ipv6" => addresses::filter_ipv6,
    "ipv6form" => addresses::ipv6form,
    "ipwrap" => addresses::ipwrap,
    "keep_keys" => keys::keep_keys,
    "macaddr" => hardware::macaddr,
    "network_in_network" => addresses::network_in_network,
    "network_in_usable" => addresses::network_in_usable,
    "next_nth_usable" => addresses::next_nth_usable,
    "nthhost" => addresses::nthhost,
    "param_list_compare" => keys::param_list_compare,
    "previous_nth_usable" => addresses::previous_nth_usable,
    "reduce_on_network" => addresses::reduce_on_network,
    "remove_keys" => keys::remove_keys,
    "replace_keys" => keys::replace_keys,
    "slaac" => hardware::slaac,
    "to_paths" => keys::to_paths,
    "usable_range" => addresses::usable_range,
]);

/// Filters that were in `ansible.netcommon` before.
const MOVED: Table = &[
    ("ansible.netcommon.cidr_merge", addresses::cidr_merge),
    ("ansible.netcommon.hwaddr", hardware::hwaddr),
    ("ansible.netcommon.ip4_hex", addresses::ip4_hex),
    ("ansible.netcommon.ipaddr", addresses::filter_ipaddr),
    ("ansible.netcommon.ipmath", addresses::ipmath),
    ("ansible.netcommon.ipsubnet", addresses::ipsubnet),
    ("ansible.netcommon.ipv4", addresses::filter_ipv4),
    ("ansible.netcommon.ipv6", addresses::filter_ipv6),
    ("ansible.netcommon.ipwrap", addresses::ipwrap),
    ("ansible.netcommon.macaddr", hardware::macaddr),
    ("ansible.netcommon.network_in_network", addresses::network_in_network),
    ("ansible.netcommon.network_in_usable", addresses::network_in_usable),
    ("ansible.netcommon.next_nth_usable", addresses::next_nth_usable),
    ("ansible.netcommon.nthhost", addresses::nthhost),
    ("ansible.netcommon.previous_nth_usable", addresses::previous_nth_usable),
    ("ansible.netcommon.reduce_on_network", addresses::reduce_on_network),
    ("ansible.netcommon.slaac", hardware::slaac),
];

const GENERAL: Table = collection!("community.general", [
    "counter" => general::counter,
    "crc32" => general::crc32,
    "dict" => general::dict,
    "dict_kv" => general::dict_kv,
    "from_csv" => general::from_csv,
    "groupby_as_dict" => general::groupby_as_dict,
    "lists_mergeby" => general::lists_mergeby,
    "random_mac" => general::random_mac,
    "to_days" => general::to_days,
    "to_hours" => general::to_hours,
    "to_milliseconds" => general::to_milliseconds,
    "to_minutes" => general::to_minutes,
    "to_months" => general::to_months,
    "to_seconds" => general::to_seconds,
    "to_time_unit" => general::to_time_unit,
    "to_weeks" => general::to_weeks,
    "to_years" => general::to_years,
    "unicode_normalize" => general::unicode_normalize,
    "version_sort" => general::version_sort,
]);

const SWITCHES: Table = collection!("ansible.netcommon", [
    "hash_salt" => switches::hash_salt,
    "vlan_expander" => switches::vlan_expander,
    "vlan_parser" => switches::vlan_parser,
]);

/// Filters that need MD5 passwords, which are not supported.
const ABSENT: Table = collection!("ansible.netcommon", [
    "comp_type5" => no_md5,
    "type5_pw" => no_md5,
]);

fn no_md5(_: &dyn Host, args: Args) -> Result<Value> {
    let callee = args.callee;
    Err(error(format!("the filter '{callee}' is not supported: it needs passwords as MD5, which are not made")))
}
