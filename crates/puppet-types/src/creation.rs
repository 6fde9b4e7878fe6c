//! The signatures of the function `new`, by type.
//!
//! See [`new`](https://www.puppet.com/docs/puppet/8/function.html#new). The functions are in [`crate::new`]. The
//! signatures are separate because they also decide what `Init[T]` accepts ([`crate::init`]).

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::alias::Alias;
use crate::mismatch::signature::Signature;
use crate::object;
use crate::pattern::Pattern;
use crate::range::IntegerRange;
use crate::times::UNITS;
use crate::types::{InitType, Key, Type};
use crate::uri_type::initializer;

/// Returns the signatures of `new` for the type, or `None` if the type has no such function.
pub(crate) fn signatures(kind: &Type) -> Option<Cow<'static, [Signature]>> {
    Some(Cow::Borrowed(match kind {
        Type::Integer(_) => &INTEGER.signatures,
        Type::Float(_) => &*FLOAT,
        Type::Numeric => &*NUMERIC,
        Type::Boolean(_) => &*BOOLEAN,
        Type::String(_) => &*STRING,
        Type::Array(_) | Type::Tuple(_) => &*ARRAY,
        Type::Hash(_) | Type::Struct(_) => &*HASH,
        Type::Sensitive(_) => &*SENSITIVE,
        Type::Binary => &*BINARY,
        Type::Timestamp(_) => &*TIMESTAMP,
        Type::Timespan(_) => &*TIMESPAN,
        Type::SemVer(_) => &*VERSIONS,
        Type::SemVerRange => &*RANGES,
        Type::Uri | Type::UriOf(_) => &*URI,
        Type::Regexp(_) => &*REGEXP,
        Type::Type(_) => &*TYPE,
        Type::NotUndef(None) => &*UNIT,
        Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => return signatures(inner),
        Type::Alias(alias) => return signatures(alias.resolved()),
        Type::Init(Some(init)) => return Some(Cow::Owned(of_init(init))),
        Type::Object(Some(kind)) => return Some(Cow::Owned(object::signatures(kind))),
        Type::ObjectOf(extension) => return Some(Cow::Owned(object::signatures(extension.base()))),
        _ => return None,
    }))
}

/// Returns the signatures of `Init.new`.
pub(crate) fn of_init(init: &InitType) -> Vec<Signature> {
    let any = Signature::new(1, [("value", Type::Any)]);
    if init.arguments.is_empty() {
        vec![Signature::new(1, [("value", Type::array(Type::Any))]), any]
    } else {
        vec![any]
    }
}

pub(crate) static SENSITIVE: LazyLock<[Signature; 2]> = LazyLock::new(|| {
    [Signature::new(1, [("value", Type::sensitive(Type::Any))]), Signature::new(1, [("value", Type::Any)])]
});

pub(crate) static UNIT: LazyLock<[Signature; 1]> = LazyLock::new(|| [Signature::new(1, [("from", Type::Any)])]);

pub(crate) static REGEXP: LazyLock<[Signature; 1]> =
    LazyLock::new(|| [Signature::new(1, [("pattern", Type::STRING), ("escape", Type::BOOLEAN)])]);

pub(crate) static TYPE: LazyLock<[Signature; 1]> =
    LazyLock::new(|| [Signature::new(1, [("type_string", Type::string_of_at_least(1))])]);

/// Decimal digits may begin with zeros: whether they are a number depends on the radix.
const INTEGER_TEXT: &str = r"\A[+-]?\s*(?:(?:\d+)|(?:0[xX][0-9A-Fa-f]+)|(?:0[bB][01]+))\z";

/// The parameter types of `new` for integers.
pub(crate) struct IntegerParameters {
    /// The values that can be converted.
    pub(crate) convertible: Type,
    /// The arguments by name.
    pub(crate) named: Type,
    /// Its signatures.
    pub(crate) signatures: [Signature; 2],
}

pub(crate) static INTEGER: LazyLock<IntegerParameters> = LazyLock::new(|| {
    let convertible = alias("Convertible", convertible(INTEGER_TEXT));
    let radix =
        Type::variant([Type::Default, Type::exactly(2), Type::exactly(8), Type::exactly(10), Type::exactly(16)]);
    let radix = alias("Radix", radix);
    let named = alias(
        "NamedArgs",
        Type::structure([
            (Key::required("from"), convertible.clone()),
            (Key::optional("radix"), radix.clone()),
            (Key::optional("abs"), Type::BOOLEAN),
        ]),
    );
    let arguments = [("from", convertible.clone()), ("radix", radix), ("abs", Type::BOOLEAN)];
    let signatures = [Signature::new(1, arguments), Signature::new(1, [("hash_args", named.clone())])];
    IntegerParameters { convertible, named, signatures }
});

const NUMBER_TEXT: &str =
    r"\A[+-]?\s*(?:(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?)|(?:0[xX][0-9A-Fa-f]+)|(?:0[0-7]+)|(?:0[bB][01]+))\z";

fn of_number(convertible: Type) -> [Signature; 2] {
    let convertible = alias("Convertible", convertible);
    let named = Type::structure([(Key::required("from"), convertible.clone()), (Key::optional("abs"), Type::BOOLEAN)]);
    [
        Signature::new(1, [("from", convertible), ("abs", Type::BOOLEAN)]),
        Signature::new(1, [("hash_args", alias("NamedArgs", named))]),
    ]
}

pub(crate) static FLOAT: LazyLock<[Signature; 2]> = LazyLock::new(|| of_number(convertible(NUMBER_TEXT)));

pub(crate) static NUMERIC: LazyLock<[Signature; 2]> = LazyLock::new(|| {
    // The types are the same as for floats, but written out one by one.
    let Type::Variant(types) = convertible(NUMBER_TEXT) else { return of_number(Type::Numeric) };
    let numbers = [Type::INTEGER, Type::FLOAT];
    of_number(Type::variant(numbers.into_iter().chain(types.as_slice().iter().skip(1).cloned())))
});

pub(crate) static BOOLEAN: LazyLock<[Signature; 1]> = LazyLock::new(|| {
    let words = Type::enumeration_with_case(["false", "true", "yes", "no", "y", "n"], true);
    [Signature::new(1, [("from", Type::variant([Type::INTEGER, Type::FLOAT, Type::BOOLEAN, words]))])]
});

const FORMAT: &str = r"^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$";

pub(crate) static STRING: LazyLock<[Signature; 1]> = LazyLock::new(|| {
    // The expression is a constant and valid.
    let format = alias("Format", Type::pattern(Pattern::new(FORMAT).ok()));
    let container = alias(
        "ContainerFormat",
        Type::structure([
            (Key::optional("format"), format.clone()),
            (Key::optional("separator"), Type::STRING),
            (Key::optional("separator2"), Type::STRING),
            (Key::optional("string_formats"), Type::hash(Type::Type(None), format.clone())),
        ]),
    );
    let map = alias("TypeMap", Type::hash(Type::Type(None), Type::variant([format, container])));
    let formats = alias("Formats", Type::variant([Type::Default, Type::string_of_at_least(1), map]));
    [Signature::new(1, [("from", alias("Convertible", Type::Any)), ("string_formats", formats)])]
});

pub(crate) static ARRAY: LazyLock<[Signature; 2]> = LazyLock::new(|| {
    let iterable =
        Type::variant([Type::array(Type::Any), Type::hash(Type::Any, Type::Any), Type::Binary, Type::Iterable(None)]);
    [
        Signature::new(1, [("from", iterable), ("wrap", Type::Boolean(Some(false)))]),
        Signature::new(2, [("from", Type::Any), ("wrap", Type::Boolean(Some(true)))]),
    ]
});

pub(crate) static HASH: LazyLock<[Signature; 3]> = LazyLock::new(|| {
    let pairs = |key: Type| Type::array_of_size(Type::tuple([key, Type::Any]), Some(IntegerRange::at_least(1i64)));
    let option = alias("NewHashOption", Type::enumeration(["tree", "hash_tree"]));
    let tree = alias("TreeArray", pairs(Type::array(Type::Any)));
    [
        Signature::new(1, [("from", tree), ("build_option", option)]),
        Signature::new(1, [("from", alias("KeyValueArray", pairs(Type::Any)))]),
        Signature::new(1, [("from", Type::Any)]),
    ]
});

pub(crate) static BINARY: LazyLock<[Signature; 3]> = LazyLock::new(|| {
    let byte = alias("ByteInteger", Type::integer(Some(0), Some(255)).unwrap_or(Type::INTEGER));
    let format = alias("Base64Format", Type::enumeration(["%b", "%u", "%B", "%s", "%r"]));
    let text = Type::structure([
        (Key::required("value"), Type::STRING),
        (Key::optional("format"), Type::optional(format.clone())),
    ]);
    let bytes = Type::structure([(Key::required("value"), Type::array(byte.clone()))]);
    let named = Type::variant([alias("StringHash", text), alias("ArrayHash", bytes)]);
    [
        Signature::new(1, [("str", Type::STRING), ("format", format)]),
        Signature::new(1, [("byte_array", Type::array(byte))]),
        Signature::new(1, [("hash_args", alias("BinaryArgsHash", named))]),
    ]
});

fn time_formats() -> Type {
    let format = || Type::string_of_at_least(2);
    let several = Type::array_of_size(format(), Some(IntegerRange::at_least(1i64)));
    alias("Formats", Type::variant([format(), several]))
}

fn time_text() -> Type {
    Type::string_of_at_least(1)
}

fn seconds() -> Type {
    Type::variant([Type::INTEGER, Type::FLOAT])
}

pub(crate) static TIMESTAMP: LazyLock<[Signature; 4]> = LazyLock::new(|| {
    let named = Type::structure([
        (Key::required("string"), time_text()),
        (Key::optional("format"), time_formats()),
        (Key::optional("timezone"), time_text()),
    ]);
    [
        Signature::new(0, []),
        Signature::new(1, [("seconds", seconds())]),
        Signature::new(1, [("string", time_text()), ("format", time_formats()), ("timezone", time_text())]),
        Signature::new(1, [("hash_arg", named)]),
    ]
});

pub(crate) static TIMESPAN: LazyLock<[Signature; 5]> = LazyLock::new(|| {
    let named = Type::structure([(Key::required("string"), time_text()), (Key::optional("format"), time_formats())]);
    let fields = std::iter::once((Key::optional("negative"), Type::BOOLEAN))
        .chain(UNITS.map(|unit| (Key::optional(unit), Type::INTEGER)));
    [
        Signature::new(1, [("seconds", seconds())]),
        Signature::new(1, [("string", time_text()), ("format", time_formats())]),
        Signature::new(4, UNITS.map(|unit| (unit, Type::INTEGER))),
        Signature::new(1, [("hash_arg", named)]),
        Signature::new(1, [("hash_arg", Type::structure(fields))]),
    ]
});

pub(crate) static URI: LazyLock<[Signature; 2]> = LazyLock::new(|| {
    [Signature::new(1, [("uri", Type::string_of_at_least(1))]), Signature::new(1, [("hash", initializer())])]
});

const QUALIFIER: &str = r"\A(?<part>[0-9A-Za-z-]+)(?:\.\g<part>)*\Z";

const VERSION: &str = r"\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?\Z";

pub(crate) static VERSIONS: LazyLock<[Signature; 3]> = LazyLock::new(|| {
    // The expressions are constants of this file and valid.
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

pub(crate) static RANGES: LazyLock<[Signature; 3]> = LazyLock::new(|| {
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

fn alias(name: &str, resolved: Type) -> Type {
    Type::Alias(Alias::new(name, resolved))
}

/// The values that can be converted to a number, given the regular expression that strings have to match.
fn convertible(text: &str) -> Type {
    // The expressions are constants of this crate and valid; no string would match an invalid one.
    let pattern = Type::pattern(Pattern::new(text).ok());
    Type::variant([Type::Numeric, Type::BOOLEAN, pattern, Type::TIMESPAN, Type::TIMESTAMP])
}
