//! Filters and tests of the collections `ansible.utils`, `community.general` and `ansible.netcommon`, under their full names and, as roles
//! with the keyword `collections` write them, under their short ones.

/// Defines a table of functions. Each has its short name and its full name, or two full names if two collections have
/// it.
macro_rules! collection {
    (
        $collection:literal,
        [$($name:literal, $parameters:literal, $documentation:literal => $function:expr),* $(,)?]
    ) => {
        &[$(
            hieratic_jinja::extend::define($name, $parameters, $documentation, $function),
            hieratic_jinja::extend::define(concat!($collection, ".", $name), $parameters, $documentation, $function),
        )*]
    };
    (
        $collection:literal, $other:literal,
        [$($name:literal, $parameters:literal, $documentation:literal => $function:expr),* $(,)?]
    ) => {
        &[$(
            hieratic_jinja::extend::define($name, $parameters, $documentation, $function),
            hieratic_jinja::extend::define(concat!($collection, ".", $name), $parameters, $documentation, $function),
            hieratic_jinja::extend::define(concat!($other, ".", $name), $parameters, $documentation, $function),
        )*]
    };
}

mod acls;
mod addresses;
mod arguments;
mod facts;
mod general;
mod hardware;
mod ipaddr;
mod keys;
mod network;
mod switches;
mod tests;
mod unified_diff;
pub mod unsupported;
mod xml;

use hieratic_jinja::extend::Table;

pub use keys::{get_path, index_of, to_paths};

/// The tables of all filters.
pub const FILTERS: &[Table] = &[UTILS, MOVED, GENERAL, SWITCHES];

/// The tables of all tests.
pub const TESTS: &[Table] = &[tests::TABLE];

const UTILS: Table = collection!("ansible.utils", [
    "consolidate", "fail_missing_match_key=True, fail_missing_match_value=True, fail_duplicate=True",
        "Joins lists of dictionaries by a key of each: one dictionary for each value of the key." => facts::consolidate,
    "fact_diff", "after, plugin={}",
        "Compares two values: the text of a list with the lines of a unified difference." => facts::fact_diff,
    "from_xml", "engine='xmltodict'",
        "Reads XML as JSON: attributes have keys with `@`, text beside elements the key `#text`." => xml::from_xml,
    "get_path", "path, wantlist=False",
        "Returns the value at a path such as `a.b[0]`." => keys::get_path,
    "index_of", "test, value=None, key=None, fail_on_missing=False, wantlist=False",
        "Returns the indices of the items for which a test holds." => keys::index_of,
    "ipcut", "amount",
        "Returns the first or, for a negative number, the last groups of an IPv6 address." => addresses::ipcut,
    "ipv6form", "format=''",
        "Writes an IPv6 address expanded, compressed or as its `x509` form." => addresses::ipv6form,
    "keep_keys", "target, matching_parameter='equality'",
        "Keeps only these keys of dictionaries, at all depths." => keys::keep_keys,
    "param_list_compare", "**kwargs",
        "Returns the entries of a base list that another list selects, with `all` and `!name`."
        => keys::param_list_compare,
    "remove_keys", "target, matching_parameter='equality'",
        "Removes these keys from dictionaries, at all depths." => keys::remove_keys,
    "replace_keys", "target, matching_parameter='equality'",
        "Renames keys of dictionaries, at all depths." => keys::replace_keys,
    "to_paths", "**kwargs",
        "Converts nested data to one dictionary of paths and values." => keys::to_paths,
    "to_xml", "engine='xmltodict', indent='tabs', indent_width=4, full_document=True",
        "Writes a dictionary as XML." => xml::to_xml,
    "usable_range", "",
        "Returns the usable addresses of a network, and their number." => addresses::usable_range,
]);

/// Filters that moved from `ansible.netcommon`, which still has their names.
const MOVED: Table = collection!("ansible.utils", "ansible.netcommon", [
    "cidr_merge", "action='merge'",
        "Merges networks into as few as possible, or into the smallest one that spans them." => addresses::cidr_merge,
    "hwaddr", "query='', alias='hwaddr'",
        "Checks a hardware address, and writes it in a form such as `linux` or `cisco`." => hardware::hwaddr,
    "ip4_hex", "delimiter=''",
        "Writes an IPv4 address in hexadecimal." => addresses::ip4_hex,
    "ipaddr", "query='', version=False, alias='ipaddr'",
        "Checks addresses and networks, and answers a question such as `network`, `netmask` or an index."
        => addresses::filter_ipaddr,
    "ipmath", "amount",
        "Adds a number to an address." => addresses::ipmath,
    "ipsubnet", "query='', index='x'",
        "Splits a network into subnets, counts them, or returns one by its index." => addresses::ipsubnet,
    "ipv4", "query=''",
        "Returns IPv4 addresses only, and answers the questions of `ipaddr`." => addresses::filter_ipv4,
    "ipv6", "query=''",
        "Returns IPv6 addresses only, and answers the questions of `ipaddr`." => addresses::filter_ipv6,
    "ipwrap", "query=''",
        "Encloses IPv6 addresses in brackets." => addresses::ipwrap,
    "macaddr", "query=''",
        "Checks a MAC address, and writes it in a form such as `linux` or `cisco`." => hardware::macaddr,
    "network_in_network", "test",
        "Checks whether an address or network is within a network." => addresses::network_in_network,
    "network_in_usable", "test",
        "Checks whether an address is one of a network's hosts." => addresses::network_in_usable,
    "next_nth_usable", "offset",
        "Returns the next usable address after this many in the network." => addresses::next_nth_usable,
    "nthhost", "query=''",
        "Returns a host of a network by its index." => addresses::nthhost,
    "previous_nth_usable", "offset",
        "Returns the usable address this many before in the network." => addresses::previous_nth_usable,
    "reduce_on_network", "network",
        "Returns the addresses that are within a network." => addresses::reduce_on_network,
    "slaac", "query=''",
        "Computes the SLAAC address of a network from a hardware address." => hardware::slaac,
]);

const GENERAL: Table = collection!("community.general", [
    "counter", "",
        "Counts the occurrences of each item." => general::counter,
    "crc32", "",
        "Computes the CRC-32 checksum in hexadecimal." => general::crc32,
    "dict", "",
        "Converts a list of pairs to a dictionary." => general::dict,
    "dict_kv", "key",
        "Converts the value to a dictionary with one key." => general::dict_kv,
    "from_csv", "dialect='excel', fieldnames=None, delimiter=None, skipinitialspace=None, strict=None",
        "Reads CSV as a list of dictionaries." => general::from_csv,
    "groupby_as_dict", "attribute",
        "Groups dictionaries by an attribute: a dictionary with a list for each of its values."
        => general::groupby_as_dict,
    "lists_mergeby", "**kwargs",
        "Merges lists of dictionaries by an attribute that identifies the entries." => general::lists_mergeby,
    "random_mac", "seed=None",
        "Completes a prefix to a random MAC address, to the same one for the same seed." => general::random_mac,
    "to_days", "**kwargs",
        "Converts a duration such as `3h 20min` to days." => general::to_days,
    "to_hours", "**kwargs",
        "Converts a duration such as `2d 30min` to hours." => general::to_hours,
    "to_milliseconds", "**kwargs",
        "Converts a duration such as `1.5s` to milliseconds." => general::to_milliseconds,
    "to_minutes", "**kwargs",
        "Converts a duration such as `3h` to minutes." => general::to_minutes,
    "to_months", "**kwargs",
        "Converts a duration such as `3w` to months." => general::to_months,
    "to_seconds", "**kwargs",
        "Converts a duration such as `3h 20min` to seconds." => general::to_seconds,
    "to_time_unit", "unit='ms', **kwargs",
        "Converts a duration such as `3h 20min` to this unit." => general::to_time_unit,
    "to_weeks", "**kwargs",
        "Converts a duration such as `30d` to weeks." => general::to_weeks,
    "to_years", "**kwargs",
        "Converts a duration such as `30mo` to years." => general::to_years,
    "unicode_normalize", "form='NFC'",
        "Converts text to a normal form of Unicode." => general::unicode_normalize,
    "version_sort", "reverse=False",
        "Sorts versions." => general::version_sort,
]);

const SWITCHES: Table = collection!("ansible.netcommon", [
    "comp_type5", "encrypted_password, return_original=False",
        "Compares a password with its hash of type 5." => switches::comp_type5,
    "hash_salt", "",
        "Returns the salt of a hashed password." => switches::hash_salt,
    "pop_ace", "filter_options, match_criteria",
        "Removes the entries of access lists that match, and returns both." => acls::pop_ace,
    "type5_pw", "salt=None",
        "Hashes a password as type 5, by MD5, for network devices." => switches::type5_pw,
    "vlan_expander", "",
        "Expands ranges of VLANs such as `1-3,7` to a list." => switches::vlan_expander,
    "vlan_parser", "first_line_len=48, other_line_len=44",
        "Shortens a list of VLANs to the lines of a configuration." => switches::vlan_parser,
]);
