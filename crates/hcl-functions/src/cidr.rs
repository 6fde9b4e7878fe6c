//! Addresses and networks: `cidrhost`, `cidrnetmask`, `cidrsubnet`, `cidrsubnets`.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions#ip-network-functions>.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use dashu_int::IBig;
use hieratic_hcl_types::{CallError, Function, Type, Value};

use crate::FunctionTable;
use crate::arguments::{CallResult, argument_error, call_error, number, string, text, whole};

pub(crate) fn add(table: &mut FunctionTable) {
    table.fixed(
        "cidrhost",
        "Returns the address with a number within a network: `cidrhost(\"10.0.0.0/8\", 2)` is `10.0.0.2`.",
        [string("prefix"), number("hostnum")],
        Type::String,
        host,
    );
    table.fixed(
        "cidrnetmask",
        "Returns the netmask of an IPv4 network: `255.0.0.0` of `10.0.0.0/8`.",
        [string("prefix")],
        Type::String,
        |arguments| {
            let network = Network::parse(text(arguments, 0)).map_err(CallError::call)?;
            let mask = network.mask(network.prefix);
            Ok(Value::string(Network { address: mask, ..network }.address_text()))
        },
    );
    table.fixed("cidrsubnet", "Returns one network within a network, which has more bits in its prefix: `cidrsubnet(\"10.0.0.0/8\", 8, 2)` is `10.2.0.0/16`.", [string("prefix"), number("newbits"), number("netnum")], Type::String, subnet);
    let subnets = Function::new(vec![string("prefix")], Type::list(Type::String), subnets);
    table.add(
        "cidrsubnets",
        "Returns consecutive networks within a network, one for each number of further bits.",
        subnets.with_variadic(number("newbits")),
    );
}

/// No more bits than this may be added in one step.
const MOST_NEW_BITS: i64 = 32;

/// A network: an address whose bits after the prefix are zero.
#[derive(Clone, Copy)]
struct Network {
    address: u128,
    /// 32 or 128.
    bits: u32,
    prefix: u32,
}

impl Network {
    fn parse(text: &str) -> Result<Self, String> {
        let parsed = || {
            let (address, prefix) = text.split_once('/')?;
            let (address, bits) = match address.parse().ok()? {
                IpAddr::V4(address) => (u128::from(u32::from(address)), 32),
                IpAddr::V6(address) => (u128::from(address), 128),
            };
            if prefix.is_empty() || !prefix.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            let prefix = prefix.parse().ok().filter(|prefix| *prefix <= bits)?;
            let network = Self { address, bits, prefix };
            Some(Self { address: address & network.mask(prefix), ..network })
        };
        parsed().ok_or_else(|| format!("invalid CIDR expression: invalid CIDR address: {text}"))
    }

    /// All bits of an address.
    fn all(self) -> u128 {
        u128::MAX >> (128 - self.bits)
    }

    fn mask(self, prefix: u32) -> u128 {
        let after = self.all().checked_shr(prefix).unwrap_or(0);
        self.all() & !after
    }

    fn last(self) -> u128 {
        self.address | (self.all() & !self.mask(self.prefix))
    }

    /// Returns whether the address is an IPv4 address mapped to IPv6, which is printed as IPv4.
    fn is_mapped(self) -> bool {
        self.bits == 128 && self.address >> 32 == 0xffff
    }

    fn address_text(self) -> String {
        if self.bits == 32 || self.is_mapped() {
            // The lower half is the whole IPv4 address.
            Ipv4Addr::from(self.address as u32).to_string()
        } else {
            Ipv6Addr::from(self.address).to_string()
        }
    }

    fn text(self) -> String {
        let prefix = if self.is_mapped() { self.prefix.saturating_sub(96) } else { self.prefix };
        format!("{}/{prefix}", self.address_text())
    }

    /// The address combined with a number that is shifted to the left. `None` if the result has too many bits.
    fn with(self, number: IBig, shift: u32) -> Option<Self> {
        let combined = IBig::from(self.address) | (number << shift as usize);
        let (_, magnitude) = combined.into_parts();
        let address = u128::try_from(magnitude).ok().filter(|address| *address <= self.all())?;
        Some(Self { address, ..self })
    }
}

/// The error for a number with more bits than an address; the reference panics.
const TOO_LARGE: &str = "the number does not fit into an address";

/// `cidrhost`: negative numbers count from the end.
fn host(arguments: &[Value]) -> CallResult {
    let number = whole(arguments, 1).map_err(CallError::call)?;
    let network = Network::parse(text(arguments, 0)).map_err(CallError::call)?;
    let highest = IBig::from(network.all() & !network.mask(network.prefix));
    let (distance, number) = if number < 0 {
        let distance = -IBig::from(number) - 1;
        let counted = &highest - &distance;
        (distance, counted)
    } else {
        (IBig::from(number), IBig::from(number))
    };
    if distance > highest {
        return call_error(format!("prefix of {} does not accommodate a host numbered {number}", network.prefix));
    }
    // For mapped addresses, the reference takes the number of bits from the printed form, and the address from the
    // stored one.
    let shift = if network.is_mapped() { 96 } else { 0 };
    match network.with(number, shift) {
        Some(host) => Ok(Value::string(host.address_text())),
        None => call_error(TOO_LARGE),
    }
}

fn subnet(arguments: &[Value]) -> CallResult {
    let new_bits = whole(arguments, 1).map_err(CallError::call)?;
    let number = whole(arguments, 2).map_err(CallError::call)?;
    let network = Network::parse(text(arguments, 0)).map_err(CallError::call)?;
    if new_bits > MOST_NEW_BITS {
        return call_error("may not extend prefix by more than 32 bits");
    }
    let prefix = i64::from(network.prefix).saturating_add(new_bits);
    if prefix > i64::from(network.bits) {
        return call_error(format!("insufficient address space to extend prefix of {} by {new_bits}", network.prefix));
    }
    let highest = u32::try_from(new_bits).map_or(u64::MAX, |new_bits| (1u64 << new_bits) - 1);
    if number.unsigned_abs() > highest {
        return call_error(format!("prefix extension of {new_bits} does not accommodate a subnet numbered {number}"));
    }
    let Ok(prefix) = u32::try_from(prefix) else {
        // A prefix of that length does not exist. The reference notices it only after the number was applied.
        return if number == 0 { Ok(Value::string("<nil>")) } else { call_error(TOO_LARGE) };
    };
    match network.with(IBig::from(number), network.bits - prefix) {
        Some(subnet) => Ok(Value::string(Network { prefix, ..subnet }.text())),
        None => call_error(TOO_LARGE),
    }
}

/// `cidrsubnets`: consecutive networks, with these numbers of additional bits.
fn subnets(arguments: &[Value]) -> CallResult {
    let network = Network::parse(text(arguments, 0)).map_err(|message| CallError::argument(0, message))?;
    let mut results = Vec::with_capacity(arguments.len());
    // The previous network. Its end is the start of the next one, and a message names it.
    let mut current: Option<Network> = None;
    for index in 1..arguments.len() {
        let new_bits = whole(arguments, index).map_err(|message| CallError::argument(index, message))?;
        if new_bits < 1 {
            return argument_error(index, "must extend prefix by at least one bit");
        }
        let Some(new_bits) = u32::try_from(new_bits).ok().filter(|_| new_bits <= MOST_NEW_BITS) else {
            return argument_error(index, "may not extend prefix by more than 32 bits");
        };
        let prefix = network.prefix + new_bits;
        if prefix > network.bits {
            let protocol = if network.bits == 32 { "IPv4" } else { "IPv6" };
            return argument_error(
                index,
                format!("would extend prefix to {prefix} bits, which is too long for an {protocol} address"),
            );
        }
        let before = current.unwrap_or_else(|| {
            let address = network.address.wrapping_sub(1) & network.all() & network.mask(prefix);
            Network { address, prefix, ..network }
        });
        let next = next(before, prefix).filter(|next| {
            let mask = network.mask(network.prefix);
            next.address & mask == network.address && !network.is_mapped()
        });
        let Some(next) = next else {
            let before = if network.is_mapped() { "<nil>".into() } else { before.text() };
            return argument_error(
                index,
                format!(
                    "not enough remaining address space for a subnet with a prefix of {prefix} bits after {before}"
                ),
            );
        };
        results.push(Value::string(next.text()));
        current = Some(next);
    }
    Ok(Value::list(Type::String, results))
}

/// The next network of that size; `None` if the address space is exhausted.
fn next(before: Network, prefix: u32) -> Option<Network> {
    let last_of_size = Network { address: before.last() & before.mask(prefix), prefix, ..before }.last();
    let address = last_of_size.wrapping_add(1) & before.all();
    (address != 0).then_some(Network { address: address & before.mask(prefix), prefix, ..before })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn networks_print_without_host_bits() {
        for (text, printed) in [
            ("10.1.2.3/16", "10.1.0.0/16"),
            ("fd00:1::5/32", "fd00:1::/32"),
            ("::ffff:10.0.0.1/104", "10.0.0.0/8"),
            ("0.0.0.0/0", "0.0.0.0/0"),
        ] {
            assert_eq!(Network::parse(text).unwrap().text(), printed);
        }
        for text in ["10.0.0.0", "10.0.0.0/33", "010.0.0.0/8", "::1%eth0/64", "10.0.0.0/-1", "/"] {
            assert!(Network::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn next_returns_none_at_the_end_of_the_address_space() {
        let network = Network::parse("255.255.255.0/24").unwrap();
        assert!(next(network, 24).is_none());
        assert_eq!(next(Network::parse("10.0.0.0/24").unwrap(), 20).unwrap().text(), "10.0.16.0/20");
    }
}
