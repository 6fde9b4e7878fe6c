//! Tests of `ansible.utils` about addresses, as Python's module `ipaddress` reads them:
//! <https://docs.ansible.com/ansible/latest/collections/ansible/utils/index.html#test-plugins>.

use hieratic_jinja::extend::filters::arguments::given;
use hieratic_jinja::extend::python::{Kind, kind, type_name};
use hieratic_jinja::extend::{Args, Host, Result, Table, Value, error, undefined, work};

use super::arguments::items;
use super::network::{Network, Version, parse_address, prefix_of_mask};

pub const TABLE: Table = collection!("ansible.utils", [
    "in_any_network", "networks",
        "Tests whether the address is within one of the networks."
        => |_, args| among(args).map(|(found, _)| Value::from(found > 0)),
    "in_network", "network",
        "Tests whether the address is within the network."
        => |_, args| of_two(args, ["ip", "network"], is_subnet),
    "in_one_network", "networks",
        "Tests whether the address is within exactly one of the networks."
        => |_, args| among(args).map(|(found, _)| Value::from(found == 1)),
    "ip", "",
        "Tests whether the string is an address or a network."
        => |_, args| of_network(args, |_| true),
    "ip_address", "",
        "Tests whether the string is an address."
        => |_, args| of_address(args, |_, _| true),
    "ipv4", "",
        "Tests whether the string is an address or a network of IPv4."
        => |_, args| of_network(args, |network| network.version == Version::V4),
    "ipv4_address", "",
        "Tests whether the string is an IPv4 address."
        => |_, args| of_address(args, |version, _| version == Version::V4),
    "ipv4_hostmask", "",
        "Tests whether the string is an IPv4 host mask."
        => |_, args| of_text(args, "ip", |text| is_mask(text, false)),
    "ipv4_netmask", "",
        "Tests whether the string is an IPv4 netmask."
        => |_, args| of_text(args, "mask", |text| is_mask(text, true)),
    "ipv6", "",
        "Tests whether the string is an address or a network of IPv6."
        => |_, args| of_network(args, |network| network.version == Version::V6),
    "ipv6_address", "",
        "Tests whether the string is an IPv6 address."
        => |_, args| of_address(args, |version, _| version == Version::V6),
    "ipv6_ipv4_mapped", "",
        "Tests whether the IPv6 address maps one of IPv4."
        => |_, args| of_address(args, |version, value| version == Version::V6 && value >> 32 == 0xffff),
    "ipv6_sixtofour", "",
        "Tests whether the IPv6 address is one of 6to4."
        => |_, args| of_address(args, |version, value| version == Version::V6 && value >> 112 == 0x2002),
    "ipv6_teredo", "",
        "Tests whether the IPv6 address is one of Teredo."
        => |_, args| of_address(args, |version, value| version == Version::V6 && value >> 96 == 0x2001_0000),
    "loopback", "",
        "Tests whether the address is a loopback address."
        => |_, args| of_address(args, |version, value| is_among(version, value, &["127.0.0.0/8", "::1/128"])),
    "mac", "",
        "Tests whether the string is a MAC address."
        => mac,
    "multicast", "",
        "Tests whether the address is a multicast address."
        => |_, args| of_address(args, |version, value| is_among(version, value, &["224.0.0.0/4", "ff00::/8"])),
    "private", "",
        "Tests whether the address is for private networks."
        => |_, args| of_address(args, is_private),
    "public", "",
        "Tests whether the address is public."
        => |_, args| of_address(args, is_public),
    "reserved", "",
        "Tests whether the address is reserved."
        => |_, args| of_address(args, |version, value| is_among(version, value, RESERVED)),
    "subnet_of", "network_b",
        "Tests whether the network is within the other one."
        => |_, args| of_two(args, ["network_a", "network_b"], is_subnet),
    "supernet_of", "network_b",
        "Tests whether the other network is within this one."
        => |_, args| of_two(args, ["network_a", "network_b"], |one, other| is_subnet(other, one)),
    "unspecified", "",
        "Tests whether the address is `0.0.0.0` or `::`."
        => |_, args| of_address(args, |_, value| value == 0),
]);

const PRIVATE: &[&str] = &[
    "0.0.0.0/8",
    "10.0.0.0/8",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/29",
    "192.0.0.170/31",
    "192.0.2.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "240.0.0.0/4",
    "::1/128",
    "::/128",
    "::ffff:0:0/96",
    "100::/64",
    "2001::/23",
    "2001:db8::/32",
    "fc00::/7",
    "fe80::/10",
];

const RESERVED: &[&str] = &[
    "240.0.0.0/4",
    "::/8",
    "100::/8",
    "200::/7",
    "400::/6",
    "800::/5",
    "1000::/4",
    "4000::/3",
    "6000::/3",
    "8000::/3",
    "a000::/3",
    "c000::/3",
    "e000::/4",
    "f000::/5",
    "f800::/6",
    "fe00::/9",
];

fn is_among(version: Version, value: u128, networks: &[&str]) -> bool {
    let address = Network { version, value, prefix: version.width() };
    networks.iter().filter_map(|network| Network::parse(network)).any(|network| network.contains(&address))
}

/// The old address that one of the new version is, if it is one.
fn mapped(version: Version, value: u128) -> Option<u128> {
    (version == Version::V6 && value >> 32 == 0xffff).then_some(value & 0xffff_ffff)
}

fn is_private(version: Version, value: u128) -> bool {
    match mapped(version, value) {
        Some(old) => is_among(Version::V4, old, PRIVATE),
        None => is_among(version, value, PRIVATE),
    }
}

fn is_public(version: Version, value: u128) -> bool {
    let is_shared = |version, value| is_among(version, value, &["100.64.0.0/10"]);
    match mapped(version, value) {
        Some(_) => !is_private(version, value),
        None => !is_private(version, value) && !is_shared(version, value),
    }
}

/// Returns an argument that is a string; `None` for any other value.
fn text_of(value: Option<Value>) -> Result<Option<String>> {
    let value = given(value);
    match kind(&value)? {
        Kind::Str(text) => Ok(Some(text.to_owned())),
        Kind::Missing(missing) => Err(undefined(missing.message())),
        Kind::None => Err(error("argument of type str is required, but it is None")),
        _ => Ok(None),
    }
}

/// A network as Python's `ip_network` reads it: without bits of a host.
fn network_of(text: &str) -> Option<Network> {
    let (address, after) = match text.split_once('/') {
        Some((address, after)) => (address, Some(after)),
        None => (text, None),
    };
    let (version, value) = parse_address(address)?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let prefix = match after {
        None => version.width(),
        Some(number) if is_number(number) => number.parse().ok()?,
        Some(mask) => match parse_address(mask) {
            Some((Version::V4, mask)) if version == Version::V4 => prefix_of_mask(version, mask)?,
            _ => return None,
        },
    };
    Network::new(version, value, prefix).filter(|network| network.first() == network.value)
}

/// An address as Python's `ip_address` reads it: it may have a zone.
fn address_of(text: &str) -> Option<(Version, u128)> {
    match text.split_once('%') {
        Some((address, zone)) if !zone.is_empty() && !zone.contains('%') => {
            parse_address(address).filter(|(version, _)| *version == Version::V6)
        }
        Some(_) => None,
        None => parse_address(text),
    }
}

fn of_text(args: Args, name: &str, holds: impl Fn(&str) -> bool) -> Result<Value> {
    let [value] = args.bind([name], 1)?;
    Ok(Value::from(text_of(value)?.is_some_and(|text| holds(&text))))
}

fn of_network(args: Args, holds: impl Fn(&Network) -> bool) -> Result<Value> {
    of_text(args, "ip", |text| network_of(text).is_some_and(|network| holds(&network)))
}

fn of_address(args: Args, holds: impl Fn(Version, u128) -> bool) -> Result<Value> {
    of_text(args, "ip", |text| address_of(text).is_some_and(|(version, value)| holds(version, value)))
}

fn is_subnet(network: &Network, of: &Network) -> bool {
    of.contains(network)
}

fn of_two(args: Args, names: [&str; 2], holds: impl Fn(&Network, &Network) -> bool) -> Result<Value> {
    let [one, other] = args.bind(names, 2)?;
    let networks = text_of(one)?.zip(text_of(other)?);
    let networks = networks.and_then(|(one, other)| network_of(&one).zip(network_of(&other)));
    Ok(Value::from(networks.is_some_and(|(one, other)| holds(&one, &other))))
}

/// In how many of several networks a network is, and how many there are.
fn among(args: Args) -> Result<(usize, usize)> {
    let [ip, networks] = args.bind(["ip", "networks"], 2)?;
    let (ip, networks) = (text_of(ip)?, items(networks, "networks")?);
    let ip = ip.as_deref().and_then(network_of);
    let mut found = 0;
    for network in &networks {
        work::steps(1)?;
        found += usize::from(ip.zip(network_of(network)).is_some_and(|(ip, network)| is_subnet(&ip, &network)));
    }
    Ok((found, networks.len()))
}

/// Returns whether a string is a netmask, or a host mask.
fn is_mask(text: &str, of_networks: bool) -> bool {
    let Some(network) = network_of(&format!("10.0.0.0/{text}")) else { return false };
    let mask = if of_networks { network.mask() } else { network.host_mask() };
    network.address(mask) == text
}

fn mac(_: &dyn Host, args: Args) -> Result<Value> {
    let [mac] = args.bind(["mac"], 1)?;
    match text_of(mac.clone())? {
        Some(mac) => Ok(Value::from(is_mac(&mac))),
        None => Err(error(format!("expected string or bytes-like object, got '{}'", type_name(&given(mac))))),
    }
}

/// Returns whether a string is a MAC address, in one of three forms.
fn is_mac(text: &str) -> bool {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let are_hex = |groups: &[&str], length: usize| {
        groups.iter().all(|group| group.len() == length && group.bytes().all(|digit| digit.is_ascii_hexdigit()))
    };
    let bytes: Vec<&str> = text.split([':', '-']).collect();
    let words: Vec<&str> = text.split('.').collect();
    bytes.len() == 6 && are_hex(&bytes, 2) || words.len() == 3 && are_hex(&words, 4) || are_hex(&[text], 12)
}
