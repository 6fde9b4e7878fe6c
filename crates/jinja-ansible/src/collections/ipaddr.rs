//! `ipaddr` of `ansible.utils`: tests addresses and networks, and returns their properties.
//! <https://docs.ansible.com/ansible/latest/collections/ansible/utils/ipaddr_filter.html>.

use hieratic_jinja::extend::objects::{Big, List};
use hieratic_jinja::extend::python::kind::{is_sequence, truth};
use hieratic_jinja::extend::python::{Kind, iterate, kind, str};
use hieratic_jinja::extend::{Result, Value, error};
use hieratic_python_values::{parse_float, parse_int};
use num_bigint::BigInt;
use num_bigint::Sign;

use super::network::{Network, Version, address_text, parse_address};

/// The form of a value: an address alone, or with the length of a prefix.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Address,
    Network,
}

/// Converts an integer of any size to a value.
pub fn number(number: &BigInt) -> Value {
    match i64::try_from(number) {
        Ok(small) => Value::from(small),
        Err(_) => Big::value(number),
    }
}

fn none() -> Result<Value> {
    Ok(Value::from(()))
}

fn no() -> Result<Value> {
    Ok(Value::from(false))
}

fn text_or_none(text: Option<String>) -> Result<Value> {
    text.map_or_else(none, |text| Ok(Value::from(text)))
}

/// The names of all questions.
const QUERIES: &[&str] = &[
    "",
    "6to4",
    "address",
    "address/prefix",
    "bool",
    "broadcast",
    "cidr",
    "cidr_lookup",
    "first_usable",
    "gateway",
    "gw",
    "host",
    "host/prefix",
    "hostmask",
    "hostnet",
    "int",
    "ip",
    "ip/prefix",
    "ip_netmask",
    "ipv4",
    "ipv6",
    "last_usable",
    "link-local",
    "lo",
    "loopback",
    "multicast",
    "net",
    "next_usable",
    "netmask",
    "network",
    "network_id",
    "network/prefix",
    "network_netmask",
    "network_wildcard",
    "peer",
    "prefix",
    "previous_usable",
    "private",
    "public",
    "range_usable",
    "revdns",
    "router",
    "size",
    "size_usable",
    "subnet",
    "type",
    "unicast",
    "v4",
    "v6",
    "version",
    "wildcard",
    "wrap",
];

/// Evaluates the filter `ipaddr` or one of its aliases: the result of a query about an address, or about each address
/// of a list.
pub fn ipaddr(value: &Value, query: &str, version: Option<i64>, alias: &str) -> Result<Value> {
    if is_sequence(value) {
        let mut out = Vec::new();
        for element in iterate(value)? {
            let answer = ipaddr(&element, query, version, "ipaddr")?;
            if truth(&answer)? {
                out.push(answer);
            }
        }
        return Ok(List::value(out));
    }
    if !truth(value)? || matches!(kind(value)?, Kind::Bool(true)) {
        return no();
    }
    let text = str(value)?;
    let Some((network, form, shown)) = read(value, &text, version) else { return no() };
    let mut within = None;
    if (!QUERIES.contains(&query) || query == "cidr_lookup") && !is_digits(query) {
        let is_network = ipaddr(&Value::from(query), "network", None, "ipaddr").and_then(|answer| truth(&answer));
        // A query that is not a network is the name of a property.
        if is_network.unwrap_or(false) {
            within = Network::parse(query);
        }
    }
    if version.is_some_and(|version| version != 0 && version != network.version.number()) {
        return no();
    }
    if let Some(within) = within {
        return if within.cidr().contains(&network) { Ok(shown) } else { none() };
    }
    answer(&network, form, &shown, query, alias)
}

/// Returns whether a string consists of digits.
fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses a value as a network. Returns it with its form, and with the value to return for it.
fn read(value: &Value, text: &str, version: Option<i64>) -> Option<(Network, Form, Value)> {
    if is_digits(text) {
        let number: u128 = text.parse().ok()?;
        let v4 = || Network::new(Version::V4, number, 32).filter(|_| matches!(version, None | Some(0 | 4)));
        let network = v4().or_else(|| match version {
            None | Some(0 | 4 | 6) => Network::new(Version::V6, number, 128),
            Some(_) => None,
        })?;
        return Some((network, Form::Address, Value::from(network.to_string())));
    }
    // Only a string is an address.
    value.as_str()?;
    if let Some(network) = Network::parse(text) {
        let form = if text.matches('/').count() == 1 { Form::Network } else { Form::Address };
        return Some((network, form, Value::from(text)));
    }
    // The address may be an integer.
    let (address, prefix) = text.split_once('/').filter(|(_, prefix)| !prefix.contains('/'))?;
    let address = u128::try_from(parse_int(address, 10)?).ok()?;
    let prefix = u32::try_from(parse_int(prefix, 10)?).ok()?;
    let network = Network::new(Version::V4, address, prefix).or_else(|| Network::new(Version::V6, address, prefix))?;
    Some((network, Form::Network, Value::from(network.to_string())))
}

fn answer(network: &Network, form: Form, shown: &Value, query: &str, alias: &str) -> Result<Value> {
    let ip = network.value;
    let own = || network.address(ip);
    let with_prefix = || format!("{}/{}", own(), network.prefix);
    let (first, is_first) = (network.first(), ip == network.first());
    let if_true = |is_so: bool| if is_so { Ok(shown.clone()) } else { none() };
    let single = Network { prefix: network.version.width(), ..*network };
    let only_network = || match form {
        Form::Address => Err(error("Not a network address")),
        Form::Network => Ok(()),
    };
    match query {
        "" => Ok(Value::from(match form {
            Form::Address => own(),
            Form::Network => network.to_string(),
        })),
        "6to4" => six_to_four(network, form, shown),
        "address" | "ip" => {
            let is_host =
                network.is_single() || !is_first || network.broadcast().is_none() || network.version == Version::V6;
            text_or_none(is_host.then(own))
        }
        "address/prefix" | "gateway" | "gw" | "host/prefix" | "hostnet" | "router" => {
            let is_wide = !network.is_single() && !network.is_pair();
            if is_wide && (is_first || Some(ip) == network.broadcast()) { no() } else { Ok(Value::from(with_prefix())) }
        }
        "bool" => Ok(Value::from(true)),
        "broadcast" => text_or_none(network.broadcast().map(|last| network.address(last))),
        "cidr" => Ok(Value::from(network.to_string())),
        "cidr_lookup" => Err(error("'iplist'")),
        "first_usable" => {
            only_network()?;
            text_or_none(network.usable().map(|(first, _)| bare(first)))
        }
        "last_usable" => {
            only_network()?;
            text_or_none(network.usable().map(|(_, last)| bare(last)))
        }
        "range_usable" => {
            only_network()?;
            let range = |(first, last)| format!("{}-{}", bare(first), bare(last));
            text_or_none(network.usable().map(range))
        }
        "next_usable" | "previous_usable" => {
            only_network()?;
            let Some((first, last)) = network.usable() else { return none() };
            let other = if query == "next_usable" { ip.checked_add(1) } else { ip.checked_sub(1) };
            let other = other.ok_or_else(|| error("there is no such address"))?;
            text_or_none((first..=last).contains(&other).then(|| bare(other)))
        }
        "host" => {
            let is_host = network.is_single() || !is_first || network.broadcast().is_none();
            text_or_none(is_host.then(with_prefix))
        }
        "hostmask" | "wildcard" => Ok(Value::from(network.address(network.host_mask()))),
        "int" => Ok(match form {
            Form::Address => number(&ip.into()),
            Form::Network => Value::from(format!("{ip}/{}", network.prefix)),
        }),
        "ip/prefix" | "ip_netmask" => {
            let is_host = network.is_pair() || !network.is_single() && !is_first;
            text_or_none(is_host.then(|| match query {
                "ip/prefix" => with_prefix(),
                _ => format!("{} {}", own(), network.address(network.mask())),
            }))
        }
        // As in the reference, which passes too few arguments for these queries.
        "v4" | "v6" => Err(error(format!("the question '{query}' is never answered: ask for ip{query}"))),
        "ipv4" => match network.version {
            Version::V4 => Ok(shown.clone()),
            Version::V6 => {
                let v4 = match ip {
                    0..=0xffff_ffff => Some(ip),
                    0xffff_0000_0000..=0xffff_ffff_ffff => Some(ip - 0xffff_0000_0000),
                    _ => None,
                };
                let v4 = v4.and_then(|value| Network::new(Version::V4, value, network.prefix.checked_sub(96)?));
                v4.map_or_else(no, |v4| Ok(Value::from(v4.to_string())))
            }
        },
        "ipv6" => Ok(match network.version {
            Version::V6 => shown.clone(),
            Version::V4 => {
                let v6 = Network { version: Version::V6, value: 0xffff_0000_0000 + ip, prefix: network.prefix + 96 };
                Value::from(v6.to_string())
            }
        }),
        "link-local" => if_true(is_within(&single, &["169.254.0.0/16", "fe80::/10"])),
        "lo" | "loopback" => if_true(is_loopback(&single)),
        "multicast" => if_true(is_multicast(network)),
        "unicast" => if_true(!is_multicast(network)),
        "net" => {
            let is_network = !network.is_single() && is_first;
            text_or_none(is_network.then(|| network.cidr().to_string()))
        }
        "netmask" => Ok(Value::from(network.address(network.mask()))),
        "network" | "network_id" => Ok(Value::from(network.address(first))),
        "network/prefix" | "subnet" => Ok(Value::from(network.cidr().to_string())),
        "network_netmask" => Ok(Value::from(format!("{} {}", network.address(first), network.address(network.mask())))),
        "network_wildcard" => {
            Ok(Value::from(format!("{} {}", network.address(first), network.address(network.host_mask()))))
        }
        "peer" => {
            only_network()?;
            match network.version.width() - network.prefix {
                1 => Ok(Value::from(bare(ip ^ 1))),
                2 => match ip % 4 {
                    0 => Err(error("Network address of /30 has no peer")),
                    3 => Err(error("Broadcast address of /30 has no peer")),
                    _ => Ok(Value::from(bare(ip ^ 3))),
                },
                _ => Err(error("Not a point-to-point network")),
            }
        }
        "prefix" => Ok(Value::from(network.prefix)),
        "private" => if_true(is_private(network)),
        "public" => {
            let is_mask = |mask: u128| mask & mask.wrapping_add(1) == 0;
            let is_masking = is_mask(ip) || is_mask(ip ^ network.version.highest());
            if_true(!is_multicast(&single) && !is_private(&single) && !is_loopback(&single) && !is_masking)
        }
        "revdns" => Ok(Value::from(reverse_name(network.version, ip))),
        "size" => Ok(number(&network.size())),
        "size_usable" => Ok(match (network.is_single(), network.is_pair()) {
            (true, _) => Value::from(0),
            (_, true) => Value::from(2),
            _ => number(&(network.size() - 2)),
        }),
        "type" => {
            let is_address = network.is_single() || !is_first;
            Ok(Value::from(if is_address { "address" } else { "network" }))
        }
        "version" => Ok(Value::from(network.version.number())),
        "wrap" => Ok(match (network.version, form) {
            (Version::V6, Form::Address) => Value::from(format!("[{}]", own())),
            (Version::V6, Form::Network) => Value::from(format!("[{}]/{}", own(), network.prefix)),
            (Version::V4, _) => shown.clone(),
        }),
        other => {
            if parse_float(other).is_none() {
                return Err(error(format!("{alias}: unknown filter type: {other}")));
            }
            if network.is_single() {
                return Ok(Value::from(if form == Form::Address { own() } else { network.to_string() }));
            }
            let at = parse_int(other, 10).and_then(|at| nth(network, &at));
            at.map_or_else(no, |at| Ok(Value::from(format!("{}/{}", network.address(at), network.prefix))))
        }
    }
}

/// Returns the address at an index of the network. Negative indexes count from the end.
pub fn nth(network: &Network, at: &BigInt) -> Option<u128> {
    let index = if at.sign() == Sign::Minus { at + network.size() } else { at.clone() };
    let index = u128::try_from(index).ok().filter(|index| *index <= network.host_mask())?;
    Some(network.first() + index)
}

/// Formats a number as an IPv4 address or, if it is too large for one, as an IPv6 address.
pub fn bare(value: u128) -> String {
    match u32::try_from(value) {
        Ok(_) => address_text(Version::V4, value),
        Err(_) => address_text(Version::V6, value),
    }
}

fn is_loopback(network: &Network) -> bool {
    is_within(network, &["127.0.0.0/8", "::1/128"])
}

fn is_multicast(network: &Network) -> bool {
    is_within(network, &["224.0.0.0/4", "ff00::/8"])
}

fn is_private(network: &Network) -> bool {
    const PRIVATE: &[&str] = &[
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "100.64.0.0/10",
        "192.0.0.0/24",
        "198.18.0.0/15",
        "239.0.0.0/8",
        "169.254.0.0/16",
        "fc00::/7",
        "fec0::/10",
        "fe80::/10",
    ];
    is_within(network, PRIVATE)
}

fn is_within(network: &Network, known: &[&str]) -> bool {
    known.iter().filter_map(|known| Network::parse(known)).any(|known| known.contains(network))
}

/// The name of an address in the reverse tree of the domain name system.
fn reverse_name(version: Version, value: u128) -> String {
    let (digits, suffix) = match version {
        Version::V4 => ((0..4).map(|at| (value >> (8 * at) & 0xff).to_string()).collect::<Vec<_>>(), "in-addr.arpa."),
        Version::V6 => ((0..32).map(|at| format!("{:x}", value >> (4 * at) & 0xf)).collect(), "ip6.arpa."),
    };
    format!("{}.{suffix}", digits.join("."))
}

fn six_to_four(network: &Network, form: Form, shown: &Value) -> Result<Value> {
    let is_first = network.value == network.first();
    match network.version {
        Version::V4 => {
            if !network.is_single() && is_first {
                return no();
            }
            let single = Network { prefix: 32, ..*network };
            let address = Value::from(single.address(single.value));
            let is_either =
                truth(&answer(&single, Form::Address, &address, "public", "ipaddr")?)? || is_private(&single);
            if is_either {
                Ok(Value::from(format!("2002:{:04x}:{:04x}::1/48", network.value >> 16, network.value & 0xffff)))
            } else {
                no()
            }
        }
        Version::V6 => {
            let is_meant = form == Form::Address || !is_first;
            if is_meant && is_within(&Network { prefix: 128, ..*network }, &["2002::/16"]) {
                Ok(shown.clone())
            } else {
                no()
            }
        }
    }
}

/// Normalizes an address for other filters, as the reference's `_address_normalizer` does.
pub fn normalized(value: &Value) -> Value {
    // A value that cannot be parsed is not an address.
    let kind = ipaddr(value, "type", None, "ipaddr").ok();
    match kind.as_ref().and_then(|kind| kind.as_str()) {
        Some("address" | "network") => ipaddr(value, "subnet", None, "ipaddr").unwrap_or_else(|_| Value::from(false)),
        _ => Value::from(false),
    }
}

/// Returns the network of a value for other filters. Its host bits are kept.
pub fn network_of(value: &Value) -> Result<Option<Network>> {
    let kind = ipaddr(value, "type", None, "ipaddr")?;
    let query = match kind.as_str() {
        Some("address") => "cidr",
        Some("network") => "subnet",
        _ => return Ok(None),
    };
    Ok(ipaddr(value, query, None, "ipaddr")?.as_str().and_then(Network::parse))
}

/// Parses a single address, as `netaddr.IPAddress` does.
pub fn address_of(text: &str) -> Option<Network> {
    parse_address(text).map(|(version, value)| Network { version, value, prefix: version.width() })
}
