//! Filters of `ansible.utils` about addresses and networks:
//! <https://docs.ansible.com/ansible/latest/collections/ansible/utils/index.html#filter-plugins>.

use hieratic_jinja::extend::filters::arguments::given;
use hieratic_jinja::extend::objects::{Dict, List};
use hieratic_jinja::extend::python::kind::{is_sequence, truth};
use hieratic_jinja::extend::python::{Kind, iterate, kind, str, type_name};
use hieratic_jinja::extend::{Args, Host, Result, Value, error, undefined, work};
use num_bigint::{BigInt, Sign};

use super::arguments::{bind, integer, optional_text, text, text_or, texts};
use super::ipaddr::{address_of, bare, ipaddr, network_of, normalized, nth, number};
use super::network::{Network, Version, compressed, merged};

fn no() -> Result<Value> {
    Ok(Value::from(false))
}

/// Returns a value of a type that these filters accept.
fn checked(value: Option<Value>, name: &str, takes_integers: bool) -> Result<Value> {
    let value = given(value);
    match kind(&value)? {
        Kind::Str(_) | Kind::List | Kind::Bool(_) => Ok(value),
        Kind::Int(_) if takes_integers => Ok(value),
        Kind::Missing(missing) => Err(undefined(missing.message())),
        _ => Err(error(format!("Unrecognized type <{}> for {name} filter <value>", type_name(&value)))),
    }
}

pub fn filter_ipaddr(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, query, version, alias] = bind(args, ["value", "query", "version", "alias"], 1)?;
    let version = integer(version, "version")?.map(|version| i64::try_from(version).unwrap_or(i64::MAX));
    let (query, alias) = (text_or(query, "", "query")?, optional_text(alias)?);
    ipaddr(&checked(value, "ipaddr", true)?, &query, version, alias.as_deref().unwrap_or("None"))
}

pub fn filter_ipv4(_: &dyn Host, args: Args) -> Result<Value> {
    of_version(args, 4, "ipv4")
}

pub fn filter_ipv6(_: &dyn Host, args: Args) -> Result<Value> {
    of_version(args, 6, "ipv6")
}

fn of_version(args: Args, version: i64, name: &str) -> Result<Value> {
    let [value, query] = bind(args, ["value", "query"], 1)?;
    let query = text_or(query, "", "query")?;
    ipaddr(&checked(value, name, true)?, &query, Some(version), name)
}

pub fn ipwrap(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, query] = bind(args, ["value", "query"], 1)?;
    let value = checked(value, "ipwrap", false)?;
    let query = query.map_or(Ok(String::new()), |query| str(&query))?;
    let wrapped = |value: &Value| -> Result<Option<Value>> {
        let found = ipaddr(value, &query, None, "ipwrap")?;
        truth(&found)?.then_some(found).map(Ok).transpose()
    };
    // A value that cannot be wrapped is unchanged.
    let result = if is_sequence(&value) {
        iterate(&value)?
            .iter()
            .map(|element| match wrapped(element)? {
                Some(_) => ipaddr(element, "wrap", None, "ipaddr"),
                None => Ok(element.clone()),
            })
            .collect::<Result<Vec<_>>>()
            .map(List::value)
    } else {
        wrapped(&value).and_then(|found| match found {
            Some(found) => ipaddr(&found, "wrap", None, "ipaddr"),
            None => Ok(value.clone()),
        })
    };
    Ok(result.unwrap_or(value))
}

pub fn ip4_hex(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, delimiter] = bind(args, ["arg", "delimiter"], 1)?;
    let (address, delimiter) = (text(value, "arg")?, text_or(delimiter, "", "delimiter")?);
    let network =
        address_of(&address).filter(|network| network.version == Version::V4).ok_or_else(|| bad_address(&address))?;
    let digits = format!("{:08x}", network.value);
    let pairs: Vec<&str> = (0..4).filter_map(|at| digits.get(2 * at..2 * at + 2)).collect();
    Ok(Value::from(pairs.join(&delimiter)))
}

fn bad_address(value: &str) -> hieratic_jinja::extend::Error {
    error(format!("You must pass a valid IP address; {value} is invalid"))
}

fn needed_integer(value: Option<Value>, name: &str) -> Result<BigInt> {
    let refused = || error("You must pass an integer for arithmetic; None is not a valid integer");
    integer(value, name)?.ok_or_else(refused)
}

pub fn ipcut(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, amount] = bind(args, ["value", "amount"], 1)?;
    let value = text(value, "value")?;
    let network = address_of(&value).ok_or_else(|| bad_address(&value))?;
    let amount = needed_integer(amount, "amount")?;
    let bits: String = match network.version {
        Version::V6 => format!("{:0128b}", network.value),
        // The dots between the bytes are not digits, and stay.
        Version::V4 => {
            (0..4).rev().map(|at| format!("{:08b}", network.value >> (8 * at) & 0xff)).collect::<Vec<_>>().join(".")
        }
    };
    let length = bits.len();
    let count = |number: &BigInt| usize::try_from(number.magnitude()).unwrap_or(usize::MAX).min(length);
    let part = match amount.sign() {
        Sign::Minus => bits.get(length - count(&amount)..),
        _ => bits.get(..count(&amount)),
    };
    let part = part.unwrap_or("").as_bytes();
    if part.contains(&b'.') {
        return Err(error(
            "invalid literal for int() with base 2: the bits of an IPv4 address have points between them",
        ));
    }
    let groups = part.chunks(16).map(|group| {
        let value = group.iter().fold(0_u32, |value, bit| value << 1 | u32::from(*bit == b'1'));
        format!("{value:x}")
    });
    Ok(Value::from(groups.collect::<Vec<_>>().join(":")))
}

pub fn ipmath(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, amount] = bind(args, ["value", "amount"], 1)?;
    let value = text(value, "value")?;
    let network = if value.contains('/') { Network::parse(&value) } else { address_of(&value) };
    let network = network.ok_or_else(|| bad_address(&value))?;
    let sum = BigInt::from(network.value) + needed_integer(amount, "amount")?;
    let beyond = || error("result outside valid IP address boundary!");
    let sum = u128::try_from(sum).ok().filter(|sum| *sum <= network.version.highest()).ok_or_else(beyond)?;
    Ok(Value::from(network.address(sum)))
}

pub fn ipsubnet(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, query, index] = bind(args, ["value", "query", "index"], 1)?;
    let value = Value::from(text(value, "value")?);
    let (query, index) = (text_or(query, "", "query")?, integer(index, "index")?);
    let Some(network) = network_of(&value)? else { return no() };
    let network = network.cidr();
    let width = network.version.width();
    // A network without hosts is one that has several addresses.
    let is_address = network.is_single();
    if query.is_empty() {
        return Ok(Value::from(network.to_string()));
    }
    if query.bytes().all(|byte| byte.is_ascii_digit()) {
        let Some(prefix) = query.parse::<u32>().ok().filter(|prefix| *prefix <= width) else { return no() };
        return match (is_address, index) {
            (true, index) => supernet(&network, prefix, index),
            (false, None) => match prefix.checked_sub(network.prefix) {
                Some(bits) => Ok(Value::from(number(&(BigInt::from(1) << bits)).to_string())),
                None => Err(error(format!("Requested subnet size of {prefix} is invalid"))),
            },
            (false, Some(index)) => subnet(&network, prefix, index),
        };
    }
    let refused = || error(format!("You must pass a valid subnet or IP address; {query} is invalid"));
    let outer = network_of(&Value::from(query.as_str()))?.ok_or_else(refused)?;
    let shift = i64::from(width) - i64::from(outer.prefix);
    if shift < 0 {
        return Err(error("negative shift count"));
    }
    let shifted = |value: u128| if shift >= 128 { 0 } else { value >> shift };
    if shifted(network.value) != shifted(outer.value) {
        return Err(error(format!("{network} is not in the subnet {}", outer.cidr())));
    }
    let bits = i64::from(network.prefix) - i64::from(outer.prefix);
    if bits < 0 {
        return Err(error("negative shift count"));
    }
    let after = BigInt::from(network.value) >> (width - network.prefix);
    let mask = (BigInt::from(1) << bits) - 1;
    Ok(Value::from(number(&((after & mask) + 1)).to_string()))
}

/// Returns the network with this prefix length around an address, or one of those between the two.
fn supernet(network: &Network, prefix: u32, index: Option<BigInt>) -> Result<Value> {
    let width = i64::from(network.version.width());
    let count = i64::from(network.prefix) - i64::from(prefix);
    let at = match index {
        None => 0,
        Some(index) => {
            let index = i64::try_from(index).unwrap_or(i64::MAX / 4);
            if index > width + 1 - index || index < i64::from(prefix) - width {
                return no();
            }
            if index < 0 { index + count } else { index }
        }
    };
    let bits = u32::try_from(at).ok().filter(|_| at < count);
    let bits = bits.ok_or_else(|| error("list index out of range"))?;
    Ok(Value::from(Network { prefix: prefix + bits, ..*network }.cidr().to_string()))
}

/// Returns one of the subnets with this prefix length.
fn subnet(network: &Network, prefix: u32, index: BigInt) -> Result<Value> {
    let Some(bits) = prefix.checked_sub(network.prefix) else {
        // The network is a part of a single subnet, whose index is 0.
        return match index.sign() {
            Sign::NoSign => at_address(network.first(), prefix),
            _ => no(),
        };
    };
    let count = BigInt::from(1) << bits;
    let index = if index.sign() == Sign::Minus { index + &count } else { index };
    if index.sign() == Sign::Minus || index >= count {
        return no();
    }
    let offset = index << (network.version.width() - prefix);
    let value = network.first() + u128::try_from(offset).unwrap_or(0);
    at_address(value, prefix)
}

/// Formats a network by the number of its address: small numbers are addresses of version 4.
fn at_address(value: u128, prefix: u32) -> Result<Value> {
    let text = format!("{}/{prefix}", bare(value));
    Network::parse(&text)
        .map(|found| Value::from(found.to_string()))
        .ok_or_else(|| error(format!("invalid IPNetwork {text}")))
}

pub fn ipv6form(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, form] = bind(args, ["value", "format"], 1)?;
    let (value, form) = (text(value, "value")?, optional_text(form)?);
    let Some(form) = form else {
        return Err(error("You must pass valid format; None is not a valid format"));
    };
    if !matches!(form.as_str(), "expand" | "compress" | "x509") {
        return Ok(Value::from(()));
    }
    let network = address_of(&value).ok_or_else(|| bad_address(&value))?;
    let groups = || (0..8).rev().map(|at| network.value >> (16 * at) & 0xffff);
    Ok(Value::from(match (form.as_str(), network.version) {
        ("expand", Version::V6) => groups().map(|group| format!("{group:04x}")).collect::<Vec<_>>().join(":"),
        ("compress", Version::V6) => compressed(network.value),
        (_, Version::V6) => groups().map(|group| format!("{group:x}")).collect::<Vec<_>>().join(":"),
        ("x509", Version::V4) => return Err(bad_address(&value)),
        (_, Version::V4) => value,
    }))
}

/// Returns the first and the last address of a value, as numbers; `usable` leaves out those that are not host
/// addresses.
fn ends(value: &Value, usable: bool) -> Result<Option<(BigInt, BigInt)>> {
    let value = normalized(value);
    let end = |query: &str| -> Result<Option<BigInt>> {
        let found = match ipaddr(&value, query, None, "ipaddr")? {
            found if truth(&found)? => found,
            _ => ipaddr(&value, "address", None, "ipaddr")?,
        };
        match kind(&ipaddr(&found, "int", None, "ipaddr")?)? {
            Kind::Int(number) => Ok(Some(number)),
            // `False` counts as zero.
            Kind::Bool(false) => Ok(Some(BigInt::ZERO)),
            _ => Ok(None),
        }
    };
    let (first, last) = if usable { ("first_usable", "last_usable") } else { ("network", "broadcast") };
    Ok(end(first)?.zip(end(last)?))
}

fn is_between(value: &Value, of: &Value, usable: bool) -> Result<bool> {
    let unordered = || error("'<=' not supported between instances of 'int' and 'str'");
    let (first, last) = ends(of, usable)?.ok_or_else(unordered)?;
    let (own_first, own_last) = ends(value, false)?.ok_or_else(unordered)?;
    let range = first..=last;
    Ok(range.contains(&own_first) && range.contains(&own_last))
}

fn in_network(args: Args, usable: bool) -> Result<Value> {
    let [value, test] = bind(args, ["value", "test"], 1)?;
    let (value, test) =
        (Value::from(text(value, "value")?), Value::from(optional_text(test)?.unwrap_or_else(|| "None".to_owned())));
    is_between(&test, &value, usable).map(Value::from)
}

pub fn network_in_network(_: &dyn Host, args: Args) -> Result<Value> {
    in_network(args, false)
}

pub fn network_in_usable(_: &dyn Host, args: Args) -> Result<Value> {
    in_network(args, true)
}

pub fn reduce_on_network(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, network] = bind(args, ["value", "network"], 1)?;
    let network = Value::from(text(network, "network")?);
    let mut kept = Vec::new();
    for address in texts(value, "value")? {
        work::steps(10)?;
        let address = Value::from(address);
        if is_between(&address, &network, false)? {
            kept.push(address);
        }
    }
    Ok(List::value(kept))
}

fn nth_usable(args: Args, sign: i64) -> Result<Value> {
    let [value, offset] = bind(args, ["value", "offset"], 1)?;
    let value = Value::from(text(value, "value")?);
    let offset = integer(offset, "offset")?;
    // Only an address has a next one.
    let Ok(Some(network)) = network_of(&value) else { return no() };
    let offset = offset.ok_or_else(|| error("Must pass in an integer"))?;
    let Some((first, last)) = network.usable() else { return Ok(Value::from(())) };
    let other = u128::try_from(BigInt::from(network.value) + offset * sign);
    let other = other.map_err(|_| error("there is no such address"))?;
    Ok(if (first..=last).contains(&other) { Value::from(bare(other)) } else { Value::from(()) })
}

pub fn next_nth_usable(_: &dyn Host, args: Args) -> Result<Value> {
    nth_usable(args, 1)
}

pub fn previous_nth_usable(_: &dyn Host, args: Args) -> Result<Value> {
    nth_usable(args, -1)
}

pub fn nthhost(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, query] = bind(args, ["value", "query"], 1)?;
    let (value, query) = (Value::from(text(value, "value")?), optional_text(query)?.unwrap_or_default());
    let Ok(Some(network)) = network_of(&value) else { return no() };
    let Some(at) = hieratic_python_values::parse_int(&query, 10).filter(|at| *at < network.size()) else { return no() };
    let found = nth(&network, &at).ok_or_else(|| error("index out range for address range size!"))?;
    Ok(Value::from(network.address(found)))
}

pub fn cidr_merge(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, action] = bind(args, ["value", "action"], 1)?;
    let values = texts(value, "value")?;
    let action = text_or(action, "merge", "action")?;
    let read = |text: &String| {
        Network::parse(text).ok_or_else(|| error(format!("cidr_merge: error in netaddr:\ninvalid IPNetwork {text}")))
    };
    work::steps(10 * values.len())?;
    match action.as_str() {
        "merge" => {
            let networks = values.iter().map(read).collect::<Result<Vec<_>>>()?;
            Ok(List::value(merged(&networks).iter().map(|network| Value::from(network.to_string())).collect()))
        }
        "span" => match values.as_slice() {
            [] => Ok(Value::from(())),
            [only] => Ok(Value::from(read(only)?.to_string())),
            several => {
                let networks = several.iter().map(read).collect::<Result<Vec<_>>>()?;
                span(&networks).map(|network| Value::from(network.to_string()))
            }
        },
        other => Err(error(format!("cidr_merge: invalid action '{other}'"))),
    }
}

/// Returns the smallest network that contains all of these.
fn span(networks: &[Network]) -> Result<Network> {
    let key = |network: &Network| (network.version, network.first(), network.prefix, network.value);
    let lowest = networks.iter().min_by_key(|network| key(network));
    let (Some(lowest), Some(highest)) = (lowest, networks.iter().max_by_key(|network| key(network))) else {
        return Err(error("cidr_merge: IP sequence must contain at least 2 elements!"));
    };
    if lowest.version != highest.version {
        return Err(error("cidr_merge: error in netaddr:\nIP sequence cannot contain both IPv4 and IPv6!"));
    }
    let (mut prefix, mut last) = (highest.prefix, highest.last());
    while prefix > 0 && last > lowest.first() {
        prefix -= 1;
        last &= Network { prefix, ..*highest }.mask();
    }
    Ok(Network { value: last, prefix, ..*highest })
}

/// The limit of listed addresses.
const MOST_ADDRESSES: u32 = 1 << 20;

pub fn usable_range(_: &dyn Host, args: Args) -> Result<Value> {
    let [ip] = bind(args, ["ip"], 1)?;
    let ip = text(ip, "ip")?;
    let failed = |reason: String| error(format!("Error while using plugin 'usable_range': {reason}"));
    let network = Network::parse(&ip).filter(|network| network.value == network.first());
    let network = network.ok_or_else(|| failed(format!("'{ip}' does not appear to be an IPv4 or IPv6 network")))?;
    let count = u32::try_from(network.size()).ok().filter(|count| *count <= MOST_ADDRESSES);
    let count = count.ok_or_else(|| failed(format!("the network has more than {MOST_ADDRESSES} addresses")))?;
    work::elements(usize::try_from(count).unwrap_or(usize::MAX))?;
    let address = |at: u32| {
        let value = network.first() + u128::from(at);
        Value::from(match network.version {
            Version::V4 => network.address(value),
            Version::V6 => compressed(value),
        })
    };
    let addresses = List::value((0..count).map(address).collect());
    Ok(Dict::value(
        [("usable_ips", addresses), ("number_of_ips", Value::from(count))]
            .map(|(name, value)| (name.into(), value))
            .into_iter()
            .collect(),
    ))
}
