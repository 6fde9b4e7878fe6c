//! The functions of templates: those of consul-template, and those of sprig under the prefix `sprig_`.
//!
//! Source: <https://github.com/hashicorp/consul-template/blob/main/docs/templating-language.md> and
//! <https://masterminds.github.io/sprig/>.

use crate::nomad_version::NomadVersion;

/// The prefix of sprig's functions.
const SPRIG_PREFIX: &str = "sprig_";

/// Returns whether templates have the function.
pub(super) fn is_known(name: &str) -> bool {
    FUNCTIONS.binary_search(&name).is_ok()
        || name.strip_prefix(SPRIG_PREFIX).is_some_and(|name| SPRIG.binary_search(&name).is_ok())
}

/// All functions, those of sprig with their prefix.
pub(super) fn names() -> impl Iterator<Item = String> {
    let of_sprig = SPRIG.iter().map(|name| format!("{SPRIG_PREFIX}{name}"));
    FUNCTIONS.iter().map(|name| (*name).to_owned()).chain(of_sprig)
}

/// Returns the first version of Nomad whose templates have the function, if it is later than 1.0.
pub(super) fn since(name: &str) -> Option<NomadVersion> {
    let (_, since) = ADDED.iter().find(|(names, _)| names.contains(&name))?;
    Some(*since)
}

/// The functions that versions after 1.0 brought.
const ADDED: &[(&[&str], NomadVersion)] = &[
    (
        &[
            "envOrDefault",
            "md5sum",
            "mergeMap",
            "mergeMapWithOverride",
            "nomadService",
            "nomadServices",
            "pkiCert",
            "spew_dump",
            "spew_printf",
            "spew_sdump",
            "spew_sprintf",
            "toUnescapedJSON",
            "toUnescapedJSONPretty",
            "trim",
            "trimPrefix",
            "trimSuffix",
            "writeToFile",
        ],
        NomadVersion::new(1, 3, 0),
    ),
    (&["mustEnv", "nomadVar", "nomadVarExists", "nomadVarList", "nomadVarListSafe"], NomadVersion::new(1, 4, 0)),
    (&["splitToMap"], NomadVersion::new(1, 4, 13)),
    (&["hmacSHA256Hex"], NomadVersion::new(1, 5, 11)),
    (&["peerings"], NomadVersion::new(1, 5, 16)),
    (&["byPort", "exportedServices", "partitions"], NomadVersion::new(1, 8, 2)),
    (&["importedServices"], NomadVersion::new(1, 11, 2)),
];

/// The functions of consul-template, sorted.
#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    "add", "base64Decode", "base64Encode", "base64URLDecode", "base64URLEncode", "byKey", "byMeta", "byPort",
    "byTag", "caLeaf", "caRoots", "connect", "contains", "containsAll", "containsAny", "containsNone",
    "containsNotAll", "datacenters", "divide", "env", "envOrDefault", "executeTemplate", "explode", "explodeMap",
    "exportedServices", "file", "hmacSHA256Hex", "importedServices", "in", "indent", "join", "key", "keyExists",
    "keyOrDefault", "loop", "ls", "maximum", "md5sum", "mergeMap", "mergeMapWithOverride", "minimum", "modulo",
    "multiply", "mustEnv", "node", "nodes", "nomadService", "nomadServices", "nomadVar", "nomadVarExists",
    "nomadVarList", "nomadVarListSafe", "parseBool", "parseFloat", "parseInt", "parseJSON", "parseUint", "parseYAML",
    "partitions", "peerings", "pkiCert", "plugin", "regexMatch", "regexReplaceAll", "replaceAll", "safeLs",
    "safeTree", "scratch", "secret", "secrets", "service", "services", "sha256Hex", "sockaddr", "spew_dump",
    "spew_printf", "spew_sdump", "spew_sprintf", "split", "splitToMap", "subtract", "timestamp", "toJSON",
    "toJSONPretty", "toLower", "toTOML", "toTitle", "toUnescapedJSON", "toUnescapedJSONPretty", "toUpper", "toYAML",
    "tree", "trim", "trimPrefix", "trimSpace", "trimSuffix", "writeToFile",
];

/// The functions of sprig that depend on nothing but their arguments, without their prefix, sorted.
#[rustfmt::skip]
const SPRIG: &[&str] = &[
    "abbrev", "abbrevboth", "add", "add1", "add1f", "addf", "adler32sum", "ago", "all", "any", "append", "atoi",
    "b32dec", "b32enc", "b64dec", "b64enc", "base", "bcrypt", "biggest", "buildCustomCert", "camelcase", "cat",
    "ceil", "chunk", "clean", "coalesce", "compact", "concat", "contains", "decryptAES", "deepCopy", "deepEqual",
    "default", "derivePassword", "dict", "dig", "dir", "div", "divf", "duration", "durationRound", "empty",
    "encryptAES", "ext", "fail", "first", "float64", "floor", "fromJson", "genCA", "genCAWithKey", "genPrivateKey",
    "genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert", "genSignedCertWithKey", "get", "has", "hasKey",
    "hasPrefix", "hasSuffix", "hello", "htpasswd", "indent", "initial", "initials", "int", "int64", "isAbs", "join",
    "kebabcase", "keys", "kindIs", "kindOf", "last", "list", "lower", "max", "maxf", "merge", "mergeOverwrite",
    "min", "minf", "mod", "mul", "mulf", "mustAppend", "mustChunk", "mustCompact", "mustDateModify", "mustDeepCopy",
    "mustFirst", "mustFromJson", "mustHas", "mustInitial", "mustLast", "mustMerge", "mustMergeOverwrite",
    "mustPrepend", "mustPush", "mustRegexFind", "mustRegexFindAll", "mustRegexMatch", "mustRegexReplaceAll",
    "mustRegexReplaceAllLiteral", "mustRegexSplit", "mustRest", "mustReverse", "mustSlice", "mustToDate",
    "mustToJson", "mustToPrettyJson", "mustToRawJson", "mustUniq", "mustWithout", "must_date_modify", "nindent",
    "nospace", "omit", "osBase", "osClean", "osDir", "osExt", "osIsAbs", "pick", "pluck", "plural", "prepend",
    "push", "quote", "randInt", "regexFind", "regexFindAll", "regexMatch", "regexQuoteMeta", "regexReplaceAll",
    "regexReplaceAllLiteral", "regexSplit", "repeat", "replace", "rest", "reverse", "round", "semver",
    "semverCompare", "seq", "set", "sha1sum", "sha256sum", "sha512sum", "shuffle", "slice", "snakecase", "sortAlpha",
    "split", "splitList", "splitn", "squote", "sub", "subf", "substr", "swapcase", "ternary", "title", "toDate",
    "toDecimal", "toJson", "toPrettyJson", "toRawJson", "toString", "toStrings", "trim", "trimAll", "trimPrefix",
    "trimSuffix", "trimall", "trunc", "tuple", "typeIs", "typeIsLike", "typeOf", "uniq", "unixEpoch", "unset",
    "until", "untilStep", "untitle", "upper", "urlJoin", "urlParse", "values", "without", "wrap", "wrapWith",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_sorted() {
        assert!(FUNCTIONS.is_sorted() && SPRIG.is_sorted());
        assert!(ADDED.iter().flat_map(|(names, _)| *names).all(|name| is_known(name)));
        assert!(is_known("key") && is_known("sprig_upper") && !is_known("upper"));
    }
}
