//! `SemVer.new` and `SemVerRange.new`.

use crate::quantities::{SemVer, SemVerRange};
use hieratic_value::Value;

use super::{ConversionResult, choose, unconvertible_text};
use crate::Error;
use crate::creation::{RANGES, VERSIONS};
use crate::values::{Range, SemVerRangeValue, SemVerValue};

pub(super) fn new_version(arguments: &[Value]) -> ConversionResult {
    if let [Value::String(text)] = arguments
        && !VERSIONS[0].accepts(arguments, None)
    {
        return Err(unconvertible_text("new_Version", text, "a SemVer"));
    }
    let result = match (choose("new_Version", &*VERSIONS, arguments)?, arguments) {
        (0, [Value::String(text)]) => SemVer::parse(text),
        (2, [Value::Hash(hash)]) => {
            from_parts(["major", "minor", "patch", "prerelease", "build"].map(|name| hash.get(name)))
        }
        _ => from_parts([0, 1, 2, 3, 4].map(|index| arguments.get(index))),
    };
    result.map(SemVerValue::value).map_err(Error::new)
}

fn from_parts([major, minor, patch, prerelease, build]: [Option<&Value>; 5]) -> Result<SemVer, String> {
    let number = |value: Option<&Value>| match value {
        Some(Value::Integer(number)) => u64::try_from(*number).map_err(|_| "a version cannot be negative".to_owned()),
        _ => Err("the number of a version is too large".to_owned()),
    };
    let text = |value: Option<&'_ Value>| value.and_then(Value::as_str).map(str::to_owned);
    let (prerelease, build) = (text(prerelease), text(build));
    Ok(SemVer::from_parts(number(major)?, number(minor)?, number(patch)?, prerelease.as_deref(), build.as_deref()))
}

pub(super) fn new_range(arguments: &[Value]) -> ConversionResult {
    let range = match (choose("new_VersionRange", &*RANGES, arguments)?, arguments) {
        (0, [Value::String(text)]) => SemVerRange::parse(text).map_err(Error::new)?.into(),
        (2, [Value::Hash(hash)]) => between(hash.get("min"), hash.get("max"), hash.get("exclude_max")),
        _ => between(arguments.first(), arguments.get(1), arguments.get(2)),
    };
    Ok(SemVerRangeValue::value(range))
}

fn between(min: Option<&Value>, max: Option<&Value>, exclude_max: Option<&Value>) -> Range {
    let version = |value: Option<&Value>, default: fn() -> SemVer| {
        value.and_then(SemVerValue::downcast).cloned().unwrap_or_else(default)
    };
    let (min, max) = (version(min, SemVer::least), version(max, SemVer::endless));
    let exclude_max = exclude_max == Some(&Value::Boolean(true));
    Range::between(&min, &max, exclude_max)
}
