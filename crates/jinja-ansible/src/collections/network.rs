//! [`Network`]: an address with the length of a prefix, as the library netaddr has it, which the filters of
//! `ansible.utils` are written with. => [`Network`]: an address with a prefix length, like the `IPNetwork` of Python's
//! netaddr, which `ansible.utils` uses.

use std::net::{Ipv4Addr, Ipv6Addr};

use hieratic_python_values::parse_int;
use num_bigint::BigInt;

/// A version of the Internet Protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    V4,
    V6,
}

impl Version {
    /// Returns the number of bits of an address: 32 or 128.
    pub const fn width(self) -> u32 {
        match self {
            Version::V4 => 32,
            Version::V6 => 128,
        }
    }

    /// Returns the number of the version: 4 or 6.
    pub const fn number(self) -> i64 {
        match self {
            Version::V4 => 4,
            Version::V6 => 6,
        }
    }

    /// Returns the highest address.
    pub const fn highest(self) -> u128 {
        match self {
            Version::V4 => u32::MAX as u128,
            Version::V6 => u128::MAX,
        }
    }
}

/// An address and the length of its network prefix. The host bits of the address need not be 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    pub version: Version,
    pub value: u128,
    pub prefix: u32,
}

impl Network {
    /// Creates a network; `None` for an invalid address or prefix.
    pub fn new(version: Version, value: u128, prefix: u32) -> Option<Network> {
        (value <= version.highest() && prefix <= version.width()).then_some(Network { version, value, prefix })
    }

    /// Parses an address with a prefix length, a netmask or a host mask after a slash, as `netaddr.IPNetwork` does.
    pub fn parse(text: &str) -> Option<Network> {
        let (address, after) = match text.split_once('/') {
            Some((address, after)) => (address, Some(after)),
            None => (text, None),
        };
        let (version, value) = parse_address(address)?;
        let prefix = match after {
            None => version.width(),
            Some(after) => match parse_int(after, 10) {
                Some(prefix) => u32::try_from(prefix).ok()?,
                None => {
                    let (of, mask) = parse_address(after)?;
                    (of == version).then(|| prefix_of_mask(version, mask))??
                }
            },
        };
        Network::new(version, value, prefix)
    }

    /// Returns the mask of the host bits.
    pub fn host_mask(&self) -> u128 {
        match self.version.width() - self.prefix {
            128 => u128::MAX,
            bits => (1 << bits) - 1,
        }
    }

    /// Returns the mask of the network bits.
    pub fn mask(&self) -> u128 {
        self.version.highest() ^ self.host_mask()
    }

    /// Returns the first address.
    pub fn first(&self) -> u128 {
        self.value & self.mask()
    }

    /// Returns the last address.
    pub fn last(&self) -> u128 {
        self.value | self.host_mask()
    }

    /// Returns the number of addresses.
    pub fn size(&self) -> BigInt {
        BigInt::from(self.host_mask()) + 1
    }

    /// Returns whether the network has a single address.
    pub fn is_single(&self) -> bool {
        self.prefix == self.version.width()
    }

    /// Returns whether the network has two addresses.
    pub fn is_pair(&self) -> bool {
        self.prefix + 1 == self.version.width()
    }

    /// Returns the broadcast address, which is the last one; `None` for a network of one or two addresses.
    pub fn broadcast(&self) -> Option<u128> {
        (self.version.width() - self.prefix > 1).then(|| self.last())
    }

    /// Returns the network with its host bits cleared.
    pub fn cidr(&self) -> Network {
        Network { value: self.first(), ..*self }
    }

    /// Returns whether this network contains all addresses of another one.
    pub fn contains(&self, other: &Network) -> bool {
        self.version == other.version && self.prefix <= other.prefix && other.value & self.mask() == self.first()
    }

    /// Formats a number as an address of this network's version.
    pub fn address(&self, value: u128) -> String {
        address_text(self.version, value)
    }

    /// Returns the first and the last host address; `None` for a single address.
    pub fn usable(&self) -> Option<(u128, u128)> {
        match (self.is_single(), self.is_pair()) {
            (true, _) => None,
            (_, true) => Some((self.first(), self.last())),
            _ => Some((self.first() + 1, self.last() - 1)),
        }
    }
}

impl std::fmt::Display for Network {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}/{}", self.address(self.value), self.prefix)
    }
}

/// Parses an address, as `inet_pton` does.
pub fn parse_address(text: &str) -> Option<(Version, u128)> {
    if let Ok(address) = text.parse::<Ipv4Addr>() {
        return Some((Version::V4, u128::from(u32::from(address))));
    }
    text.parse::<Ipv6Addr>().ok().map(|address| (Version::V6, u128::from(address)))
}

/// Returns the prefix length of a netmask or a host mask.
pub fn prefix_of_mask(version: Version, mask: u128) -> Option<u32> {
    let is_run = |mask: u128| mask & mask.wrapping_add(1) == 0;
    let inverse = mask ^ version.highest();
    match (is_run(inverse), is_run(mask)) {
        (true, _) => Some(version.width() - inverse.count_ones()),
        (_, true) => Some(version.width() - mask.count_ones()),
        _ => None,
    }
}

/// Formats an address as `inet_ntop` does.
pub fn address_text(version: Version, value: u128) -> String {
    let v4 = |value: u128| Ipv4Addr::from(u32::try_from(value & u128::from(u32::MAX)).unwrap_or(0)).to_string();
    match version {
        Version::V4 => v4(value),
        // Addresses of the old version in the new one end as the old ones do.
        Version::V6 if value >> 32 == 0 && value >> 16 != 0 => format!("::{}", v4(value)),
        Version::V6 if value >> 32 == 0xffff => format!("::ffff:{}", v4(value)),
        Version::V6 => Ipv6Addr::from(value).to_string(),
    }
}

/// Formats an IPv6 address with `::` for its longest run of zeros. No part is written like an IPv4 address.
pub fn compressed(value: u128) -> String {
    match value >> 32 {
        0 if value >> 16 != 0 => format!("::{:x}:{:x}", value >> 16 & 0xffff, value & 0xffff),
        0xffff => format!("::ffff:{:x}:{:x}", value >> 16 & 0xffff, value & 0xffff),
        _ => Ipv6Addr::from(value).to_string(),
    }
}

/// A range of addresses, and the network that it is if it was not joined with others.
struct Range {
    version: Version,
    first: u128,
    last: u128,
    network: Option<Network>,
}

/// Returns the smallest list of networks that covers the same addresses, as `netaddr.cidr_merge` does. A network that
/// cannot be merged is unchanged.
pub fn merged(networks: &[Network]) -> Vec<Network> {
    let range = |network: &Network| Range {
        version: network.version,
        first: network.first(),
        last: network.last(),
        network: Some(*network),
    };
    let mut ranges: Vec<Range> = networks.iter().map(range).collect();
    ranges.sort_by_key(|range| (range.version, range.last, range.first, range.network.map(|network| network.value)));
    let mut joined: Vec<Range> = Vec::new();
    for range in ranges.into_iter().rev() {
        match joined.last_mut() {
            // The next range begins within this one, or directly after it.
            Some(next) if next.version == range.version && next.first.saturating_sub(1) <= range.last => {
                next.first = next.first.min(range.first);
                next.network = None;
            }
            _ => joined.push(range),
        }
    }
    let networks = joined.into_iter().rev().flat_map(|range| match range.network {
        Some(network) => vec![network],
        None => networks_of_range(range.version, range.first, range.last),
    });
    networks.collect()
}

/// The networks that a range of addresses consists of.
fn networks_of_range(version: Version, first: u128, last: u128) -> Vec<Network> {
    let mut networks = Vec::new();
    let mut next = Some(first);
    while let Some(at) = next.filter(|at| *at <= last) {
        // The largest network that begins here and ends within the range.
        let aligned = if at == 0 { version.width() } else { at.trailing_zeros().min(version.width()) };
        let fits = |bits: &u32| bits_mask(*bits).checked_add(at).is_some_and(|end| end <= last);
        let bits = (0..=aligned).rev().find(fits).unwrap_or(0);
        networks.push(Network { version, value: at, prefix: version.width() - bits });
        next = at.checked_add(bits_mask(bits)).and_then(|end| end.checked_add(1));
    }
    networks
}

fn bits_mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}
