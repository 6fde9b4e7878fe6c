//! Filters of `ansible.netcommon`:
//! <https://docs.ansible.com/ansible/latest/collections/ansible/netcommon/index.html#filter-plugins>.

use hieratic_jinja::extend::filters::arguments::given;
use hieratic_jinja::extend::objects::List;
use hieratic_jinja::extend::python::number::index;
use hieratic_jinja::extend::python::{Kind, iterate, kind, type_name};
use hieratic_jinja::extend::{Args, Host, Result, Value, error, work};
use hieratic_python_values::parse_int;

use super::arguments::{bind, flag, integer, optional_text, text};
use crate::filters::md5_for_devices;

/// The limit of numbers in a range.
const MAX_NUMBERS: usize = 1_000_000;

/// Returns the filter `vlan_expander`: the numbers of ranges such as `1-3,5`.
pub fn vlan_expander(_: &dyn Host, args: Args) -> Result<Value> {
    let [data] = bind(args, ["data"], 1)?;
    let data = text(data, "data")?;
    let number = |part: &str| {
        let number = parse_int(part, 10).and_then(|number| i64::try_from(number).ok());
        number.ok_or_else(|| error(format!("invalid literal for int() with base 10: '{part}'")))
    };
    let mut numbers = Vec::new();
    for part in data.split(',') {
        match part.split_once('-') {
            Some((first, last)) if !last.contains('-') => {
                let (first, last) = (number(first)?, number(last)?);
                let count = usize::try_from(last.saturating_sub(first).saturating_add(1).max(0)).unwrap_or(usize::MAX);
                if numbers.len().saturating_add(count) > MAX_NUMBERS {
                    return Err(error(format!("the ranges stand for more than {MAX_NUMBERS} numbers")));
                }
                work::elements(count)?;
                numbers.extend(first..=last);
            }
            Some(_) => return Err(error("too many values to unpack (expected 2)")),
            None => numbers.push(number(part)?),
        }
    }
    numbers.sort_unstable();
    Ok(List::value(numbers.into_iter().map(Value::from).collect()))
}

/// Returns the filter `vlan_parser`: the lines of a switch configuration that list VLAN numbers as ranges.
pub fn vlan_parser(_: &dyn Host, args: Args) -> Result<Value> {
    let [data, first, other] = bind(args, ["data", "first_line_len", "other_line_len"], 1)?;
    let data = given(data);
    if !matches!(kind(&data)?, Kind::List) {
        return Err(error(format!("Input is not valid for vlan_parser: it is a {}", type_name(&data))));
    }
    let length = |value: Option<Value>, name: &str, default: i64| -> Result<i64> {
        Ok(integer(value, name)?.map_or(default, |length| i64::try_from(length).unwrap_or(i64::MAX)))
    };
    let lengths = (length(first, "first_line_len", 48)?, length(other, "other_line_len", 44)?);
    let mut numbers = iterate(&data)?.iter().map(index).collect::<Result<Vec<_>>>()?;
    numbers.sort_unstable();
    numbers.dedup();
    let (Some(least), Some(most)) = (numbers.first(), numbers.last()) else {
        return Err(error("list index out of range"));
    };
    if *least < 1 || *most > 4094 {
        return Err(error("Valid VLAN range is 1-4094"));
    }
    let mut parts = Vec::new();
    for run in numbers.chunk_by(|one, other| other - one == 1) {
        match run {
            [first, _, .., last] => parts.push(format!("{first}-{last}")),
            run => parts.extend(run.iter().map(i64::to_string)),
        }
    }
    let mut lines = vec![String::new()];
    for part in parts {
        let limit = if lines.len() == 1 { lengths.0 } else { lengths.1 };
        let line = lines.last().map_or(0, |line| line.len()) + part.len();
        if i64::try_from(line).unwrap_or(i64::MAX) > limit {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(&part);
            line.push(',');
        }
    }
    let mut lines: Vec<&str> = lines.iter().map(|line| line.trim_end_matches(',')).collect();
    if let Some(empty) = lines.iter().position(|line| line.is_empty()) {
        lines.remove(empty);
    }
    Ok(List::value(lines.into_iter().map(Value::from).collect()))
}

/// Returns the filter `hash_salt`: the salt of a password hash in the format of crypt(3).
pub fn hash_salt(_: &dyn Host, args: Args) -> Result<Value> {
    let [password] = bind(args, ["password"], 1)?;
    salt_of(&text(password, "password")?).map(Value::from)
}

fn salt_of(password: &str) -> Result<String> {
    match password.split('$').collect::<Vec<_>>().as_slice() {
        [_, _, salt, _] => Ok((*salt).to_owned()),
        _ => Err(error("Could not parse salt out password correctly")),
    }
}

/// Returns the filter `type5_pw`: the hash of a password by MD5-crypt.
pub fn type5_pw(_: &dyn Host, args: Args) -> Result<Value> {
    let [password, salt] = bind(args, ["password", "salt"], 1)?;
    md5_for_devices(&text(password, "password")?, optional_text(salt)?).map(Value::from)
}

/// Returns the filter `comp_type5`: whether a hash is that of a password.
pub fn comp_type5(_: &dyn Host, args: Args) -> Result<Value> {
    let names = ["unencrypted_password", "encrypted_password", "return_original"];
    let [password, hash, original] = bind(args, names, 2)?;
    let (password, hash) = (text(password, "unencrypted_password")?, text(hash, "encrypted_password")?);
    if md5_for_devices(&password, Some(salt_of(&hash)?))? != hash {
        return Ok(Value::from(false));
    }
    Ok(if flag(original, "return_original")? { Value::from(hash) } else { Value::from(true) })
}
