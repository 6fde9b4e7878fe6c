//! Functions for IP addresses.

use std::net::IpAddr;

use hieratic_puppet_functions::{Call, Dispatch, Doc, Flow, Function, Outcome};
use hieratic_value::{Hash, Value};

use crate::arrays::flatten;
use crate::untyped::{arguments, ensure, fail};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function::new("enclose_ipv6", Doc::new("Encloses IPv6 addresses in brackets."), &[Dispatch::untyped(enclose_ipv6)]),
    Function::new(
        "stdlib::ip_in_range",
        Doc::new("Tests whether an address is in one of the networks."),
        &[Dispatch::new(&["String ipaddress", "Variant[String, Array] range"], ip_in_range)],
    ),
];

/// A network: its first address and its prefix length.
struct Network {
    address: IpAddr,
    prefix: u32,
}

impl Network {
    /// Reads an address, alone or with `/24` or `/255.255.255.0`.
    fn read(text: &str) -> Result<Network, Flow> {
        let wrong = || fail(format!("invalid address: {text}"));
        let (address, mask) = match text.split_once('/') {
            Some((address, mask)) => (address, Some(mask)),
            None => (text, None),
        };
        let address = address.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(address);
        let Ok(address) = address.parse::<IpAddr>() else { return wrong() };
        let all = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match mask {
            None => all,
            Some(mask) => match (mask.parse::<u32>(), mask.parse::<IpAddr>()) {
                (Ok(prefix), _) if prefix <= all => prefix,
                (_, Ok(mask)) if mask.is_ipv4() == address.is_ipv4() => bits(mask).leading_ones(),
                _ => return fail(format!("invalid length: {text}")),
            },
        };
        Ok(Network { address, prefix })
    }

    fn contains(&self, address: IpAddr) -> bool {
        let differing = bits(self.address) ^ bits(address);
        self.address.is_ipv4() == address.is_ipv4() && differing.leading_zeros() >= self.prefix
    }
}

/// Returns the bits of an address; those of IPv4 are at the high end.
fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(u32::from(address)) << 96,
        IpAddr::V6(address) => address.into(),
    }
}

/// Returns the distinct addresses, with IPv6 in brackets.
fn enclose_ipv6(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "enclose_ipv6")?;
    let many = given.len();
    ensure(many == 1, || format!("enclose_ipv6(): Wrong number of arguments given {many} for 1"))?;
    let class = given[0].ruby_class();
    ensure(matches!(given[0], Value::String(_) | Value::Array(_)), || {
        format!("enclose_ipv6(): Wrong argument type given {class} expected String or Array")
    })?;
    let mut addresses = Vec::new();
    flatten(&given, &mut addresses);
    let mut result = Hash::default().into_map();
    for address in addresses.iter().filter(|address| !address.is_undef()) {
        let text = address.to_text();
        let enclosed = match Network::read(&text) {
            _ if text == "*" => text,
            Ok(Network { address: IpAddr::V6(address), .. }) => format!("[{address}]"),
            Ok(_) => text,
            Err(_) => return fail(format!("enclose_ipv6(): Wrong argument given {text} is not an ip address.")),
        };
        result.insert(Value::from(enclosed), Value::Undef);
    }
    Ok(result.into_keys().collect())
}

fn ip_in_range(call: &mut Call<'_>) -> Outcome {
    let address = Network::read(&call.arguments[0].to_text())?.address;
    let mut ranges = Vec::new();
    flatten(&call.arguments[1..2], &mut ranges);
    // Every range must be valid, also those after the first match.
    let ranges = ranges.iter().map(|range| Network::read(&range.to_text())).collect::<Result<Vec<_>, _>>()?;
    Ok(Value::Boolean(ranges.iter().any(|range| range.contains(address))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_of_both_versions() {
        for (network, address, inside) in [
            ("10.0.0.0/8", "10.1.2.3", true),
            ("10.0.0.0/255.255.0.0", "10.1.2.3", false),
            ("10.0.0.1", "10.0.0.1", true),
            ("0.0.0.0/0", "::1", false),
            ("2001:db8::/32", "2001:db8::1", true),
            ("::/0", "2001:db8::1", true),
        ] {
            let found = Network::read(network).is_ok_and(|one| address.parse().is_ok_and(|it| one.contains(it)));
            assert_eq!(found, inside, "{address} in {network}");
        }
        assert!(Network::read("10.0.0.0/33").is_err());
        assert!(Network::read("ten").is_err());
    }
}
