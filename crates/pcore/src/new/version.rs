//! `SemVer.new` and `SemVerRange.new`.

use std::sync::LazyLock;

use hieratic_quantities::{SemVer, SemVerRange};
use hieratic_value::Value;

use super::integer::alias;
use super::{Converted, choose, unconvertible_text};
use crate::Error;
use crate::mismatch::signature::Signature;
use crate::pattern::Pattern;
use crate::range::IntegerRange;
use crate::types::{Key, Type};
use crate::values::{Range, SemVerRangeValue, SemVerValue};

const QUALIFIER: &str = r"\A(?<part>[0-9A-Za-z-]+)(?:\.\g<part>)*\Z";
const VERSION: &str = r"\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?\Z";

pub(super) static VERSIONS: LazyLock<[Signature; 3]> = LazyLock::new(|| {
    // The expressions are constants of this file and known to be good.
    let pattern = |name: &str, source: &str| alias(name, Type::pattern(Pattern::new(source).ok()));
    let number = || alias("PositiveInteger", Type::Integer(IntegerRange::at_least(0i64)));
    let qualifier = || pattern("SemVerQualifier", QUALIFIER);
    let named = Type::structure([
        (Key::required("major"), number()),
        (Key::required("minor"), number()),
        (Key::required("patch"), number()),
        (Key::optional("prerelease"), qualifier()),
        (Key::optional("build"), qualifier()),
    ]);
    let parts = [
        ("major", number()),
        ("minor", number()),
        ("patch", number()),
        ("prerelease", qualifier()),
        ("build", qualifier()),
    ];
    [
        Signature::new(1, [("str", pattern("SemVerPattern", VERSION))]),
        Signature::new(3, parts),
        Signature::new(1, [("hash_args", alias("SemVerHash", named))]),
    ]
});

pub(super) static RANGES: LazyLock<[Signature; 3]> = LazyLock::new(|| {
    let version = || Type::variant([Type::Default, Type::SEM_VER]);
    let named = Type::structure([
        (Key::required("min"), version()),
        (Key::optional("max"), version()),
        (Key::optional("exclude_max"), Type::BOOLEAN),
    ]);
    [
        Signature::new(1, [("str", alias("SemVerRangeString", Type::string_of_at_least(1)))]),
        Signature::new(2, [("min", version()), ("max", version()), ("exclude_max", Type::BOOLEAN)]),
        Signature::new(1, [("hash_args", alias("SemVerRangeHash", named))]),
    ]
});

pub(super) fn new_version(arguments: &[Value]) -> Converted {
    if let [Value::String(text)] = arguments
        && !VERSIONS[0].accepts(arguments, None)
    {
        return Err(unconvertible_text("new_Version", text, "a SemVer"));
    }
    let made = match (choose("new_Version", &*VERSIONS, arguments)?, arguments) {
        (0, [Value::String(text)]) => SemVer::parse(text),
        (2, [Value::Hash(hash)]) => {
            from_parts(["major", "minor", "patch", "prerelease", "build"].map(|name| hash.get(name)))
        }
        _ => from_parts([0, 1, 2, 3, 4].map(|index| arguments.get(index))),
    };
    made.map(SemVerValue::value).map_err(Error::new)
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

pub(super) fn new_range(arguments: &[Value]) -> Converted {
    let range = match (choose("new_VersionRange", &*RANGES, arguments)?, arguments) {
        (0, [Value::String(text)]) => SemVerRange::parse(text).map_err(Error::new)?.into(),
        (2, [Value::Hash(hash)]) => between(hash.get("min"), hash.get("max"), hash.get("exclude_max")),
        _ => between(arguments.first(), arguments.get(1), arguments.get(2)),
    };
    Ok(SemVerRangeValue::value(range))
}

fn between(min: Option<&Value>, max: Option<&Value>, exclude_max: Option<&Value>) -> Range {
    let version = |value: Option<&Value>, default: fn() -> SemVer| {
        value.and_then(SemVerValue::of).cloned().unwrap_or_else(default)
    };
    let (min, max) = (version(min, SemVer::least), version(max, SemVer::endless));
    let exclude_max = exclude_max == Some(&Value::Boolean(true));
    Range::between(&min, &max, exclude_max)
}
