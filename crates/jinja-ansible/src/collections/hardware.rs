//! `hwaddr`, `macaddr` and `slaac` of `ansible.utils`: addresses of hardware, as the library netaddr has them. => The
//! filters `hwaddr`, `macaddr` and `slaac` of `ansible.utils`: MAC addresses, in the formats of Python's netaddr.

use hieratic_jinja::extend::python::kind::truth;
use hieratic_jinja::extend::{Args, Host, Result, Value, error};
use hieratic_python_values::parse_int;

use super::arguments::{bind, optional_text, text, text_or};
use super::ipaddr::{ipaddr, network_of};
use super::network::{Version, address_text};

/// An address of hardware.
#[derive(Clone, Copy)]
struct Hardware {
    value: u64,
    /// True for an address of 64 bits instead of 48.
    is_long: bool,
}

/// A separator, and in how many groups how many digits are at least and at most.
type Form = (&'static str, &'static [(usize, usize, usize)]);

/// The forms of addresses of 48 bits.
const FORMS: &[Form] = &[
    (":", &[(6, 1, 2), (3, 1, 4), (2, 5, 6)]),
    ("-", &[(6, 1, 2), (3, 1, 4), (2, 5, 6)]),
    (".", &[(3, 1, 4)]),
    ("", &[(1, 11, 12)]),
];

/// The forms of addresses of 64 bits.
const LONG_FORMS: &[Form] =
    &[(":", &[(8, 1, 2), (4, 1, 4)]), ("-", &[(8, 1, 2), (4, 1, 4)]), (".", &[(4, 1, 4)]), ("", &[(1, 16, 16)])];

impl Hardware {
    fn parse(text: &str) -> Option<Hardware> {
        let of = |forms, bits| read(text.strip_suffix('\n').unwrap_or(text), forms, bits);
        let number = || parse_int(text, 10).and_then(|number| u64::try_from(number).ok());
        let short = |value: &u64| *value < 1 << 48;
        if let Some(value) = of(FORMS, 48).or_else(|| number().filter(short)) {
            return Some(Hardware { value, is_long: false });
        }
        let value = of(LONG_FORMS, 64).or_else(number)?;
        Some(Hardware { value, is_long: true })
    }

    /// Formats the digits in groups of a number of bits.
    fn written(self, bits: u32, separator: &str, digits: impl Fn(u64) -> String, count: u32) -> Result<Value> {
        if bits * count < 64 && self.value >> (bits * count) != 0 {
            return Err(error(format!("integer out of bounds: {}!", self.value)));
        }
        let group = |at: u32| digits(self.value >> (bits * at) & ((1 << bits) - 1));
        Ok(Value::from((0..count).rev().map(group).collect::<Vec<_>>().join(separator)))
    }
}

/// Parses digits in groups.
fn read(text: &str, forms: &[Form], bits: usize) -> Option<u64> {
    for (separator, forms) in forms {
        let groups: Vec<&str> = if separator.is_empty() { vec![text] } else { text.split(separator).collect() };
        for (count, least, most) in *forms {
            let is_group = |group: &&str| {
                (*least..=*most).contains(&group.len()) && group.bytes().all(|digit| digit.is_ascii_hexdigit())
            };
            if groups.len() == *count && groups.iter().all(is_group) {
                let width = bits / count;
                let value = groups.iter().try_fold(0_u64, |value, group| {
                    Some(
                        value.checked_shl(u32::try_from(width).ok()?).unwrap_or(0)
                            | u64::from_str_radix(group, 16).ok()?,
                    )
                });
                return value;
            }
        }
    }
    None
}

fn answer(value: &str, query: &str, alias: &str) -> Result<Value> {
    let hardware = Hardware::parse(value);
    if hardware.is_none() && !query.is_empty() && query != "bool" {
        return Err(error(format!("{alias}: not a hardware address: {value}")));
    }
    let Some(hardware) = hardware else { return Ok(Value::from(())) };
    match query {
        "" => Ok(Value::from(value)),
        "bool" => Ok(Value::from(true)),
        "int" => Ok(Value::from(hardware.value)),
        "bare" => hardware.written(48, "", |group| format!("{group:012X}"), 1),
        "cisco" => hardware.written(16, ".", |group| format!("{group:04x}"), 3),
        "eui48" | "win" => hardware.written(8, "-", |group| format!("{group:02X}"), 6),
        "linux" => hardware.written(8, ":", |group| format!("{group:02x}"), 6),
        "pgsql" | "postgresql" | "psql" => hardware.written(24, ":", |group| format!("{group:06x}"), 2),
        "unix" => hardware.written(8, ":", |group| format!("{group:x}"), 6),
        other => Err(error(format!("{alias}: unknown filter type: {other}"))),
    }
}

pub fn hwaddr(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, query, alias] = bind(args, ["value", "query", "alias"], 1)?;
    let query = text_or(query, "", "query")?;
    let alias = text_or(alias, "hwaddr", "alias")?;
    answer(&text(value, "value")?, &query, &alias)
}

pub fn macaddr(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, query] = bind(args, ["value", "query"], 1)?;
    let query = text_or(query, "", "query")?;
    answer(&text(value, "value")?, &query, "macaddr")
}

/// Returns the filter `slaac`: the address of a host in a network that is derived from its MAC address.
pub fn slaac(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, query] = bind(args, ["value", "query"], 1)?;
    let (value, query) = (Value::from(text(value, "value")?), optional_text(query)?.unwrap_or_default());
    let no = || Ok(Value::from(false));
    // Only an address has a network.
    let Ok(Some(network)) = network_of(&value) else { return no() };
    if network.version != Version::V6 || query.is_empty() || !truth(&ipaddr(&value, "bool", None, "slaac")?)? {
        return no();
    }
    let Some(hardware) = Hardware::parse(&query) else { return no() };
    let long = if hardware.is_long {
        hardware.value
    } else {
        (hardware.value >> 24 << 40) | 0xff_fe00_0000 | (hardware.value & 0xff_ffff)
    };
    let address = network.first().checked_add(u128::from(long ^ 0x0200_0000_0000_0000));
    let address = address.ok_or_else(|| error("bad address format"))?;
    Ok(Value::from(address_text(Version::V6, address)))
}
