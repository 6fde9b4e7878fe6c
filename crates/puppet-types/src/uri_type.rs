//! [`UriType`]: URIs whose parts match.

use std::hash::{Hash as StdHash, Hasher};

use crate::quantities::Uri;
use hieratic_value::{Hash, Value};

use crate::build::BuildResult;
use crate::check::Check;
use crate::mismatch::assert_instance;
use crate::types::{Key, Type};
use crate::values::{matches_option_in, uri_part};

/// The constraints on the parts of a URI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UriType {
    parameters: Value,
}

impl StdHash for UriType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parameters.hash(state);
    }
}

const PARTS: [&str; 8] = ["scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque"];

/// The type of the parameters for the parts.
pub(crate) fn parameter_type() -> Type {
    let of = |kind: Type| Type::of_type(kind);
    let others = || [of(Type::NotUndef(None)), of(Type::Undef)];
    let text = || {
        let patterns = [of(Type::pattern([])), of(Type::enumeration::<hieratic_value::Str>([]))];
        let texts = [Type::string_of_at_least(1), Type::Regexp(None)];
        Type::optional(Type::variant(texts.into_iter().chain(patterns).chain(others())))
    };
    let number = || {
        let number = Type::Integer(crate::range::IntegerRange::at_least(0i64));
        Type::optional(Type::variant(std::iter::once(number).chain(others())))
    };
    let parts = PARTS.map(|name| (Key::optional(name), if name == "port" { number() } else { text() }));
    Type::variant([Type::string_of_at_least(1), Type::structure(parts)])
}

/// The type of a hash that a URI can be created from, part by part.
pub(crate) fn initializer() -> Type {
    Type::structure(PARTS.map(|name| {
        let number = Type::Integer(crate::range::IntegerRange::at_least(0i64));
        (Key::optional(name), if name == "port" { number } else { Type::string_of_at_least(1) })
    }))
}

impl UriType {
    /// Returns the constraints on the parts, by name.
    pub fn parameters(&self) -> &Value {
        &self.parameters
    }

    fn pairs(&self) -> impl Iterator<Item = (&str, &Value)> {
        let pairs = self.parameters.as_hash().into_iter().flat_map(Hash::iter);
        pairs.filter_map(|(name, value)| Some((name.as_str()?, value)))
    }

    /// Returns whether the parts of the URI match.
    pub(crate) fn matches_uri(&self, uri: &Uri, check: &Check<'_>) -> bool {
        self.pairs()
            .all(|(name, expected)| uri_part(uri, name).is_some_and(|part| matches_option_in(&part, expected, check)))
    }

    /// Returns whether every URI of the other type matches this one.
    pub(crate) fn includes(&self, other: &UriType, check: &Check<'_>) -> bool {
        let narrow = other.parameters.as_hash();
        self.pairs().all(|(name, expected)| {
            narrow.and_then(|narrow| narrow.get(name)).is_some_and(|actual| {
                matches_option_in(actual, expected, check)
                    || matches!(
                        (Type::of_value(actual), Type::of_value(expected)),
                        (Some(actual), Some(expected)) if expected.is_assignable_in(actual, check)
                    )
            })
        })
    }
}

/// Returns the type of URIs with the parts of this one, or of all URIs if it has no parts.
pub(crate) fn from_uri(uri: &Uri) -> Type {
    let mut parts: Vec<(&str, String)> = Vec::new();
    let mut add = |name, part: Option<String>| parts.extend(part.map(|part| (name, part)));
    let filled = |part: &Option<String>| part.clone().filter(|part| !part.is_empty());
    let scheme = uri.scheme.as_ref().map(|scheme| scheme.to_lowercase());
    add("scheme", scheme.clone());
    add("userinfo", uri.userinfo.clone());
    add("host", filled(&uri.host).map(|host| host.to_lowercase()));
    let usual = |port: u16| matches!((scheme.as_deref(), port), (Some("http"), 80) | (Some("https"), 443));
    add("port", uri.effective_port().filter(|port| !usual(*port)).map(|port| port.to_string()));
    add("path", filled(&uri.path));
    add("query", uri.query.clone());
    add("fragment", uri.fragment.clone());
    add("opaque", uri.opaque.clone());
    let parameters: Hash = parts.into_iter().map(|(name, part)| (name, Value::from(part))).collect();
    of_parameters(parameters)
}

fn of_parameters(parameters: Hash) -> Type {
    if parameters.is_empty() {
        return Type::Uri;
    }
    Type::UriOf(UriType { parameters: Value::from(parameters) }.into())
}

/// Returns the type for a string or for a hash of parameters, which the caller has already checked.
pub(crate) fn from_parameter(parameter: &Value) -> BuildResult<Type> {
    match parameter {
        Value::String(text) => Ok(from_uri(&Uri::parse(text)?)),
        Value::Hash(parameters) => {
            assert_instance("URI-Type parameter", &parameter_type(), parameter)
                .map_err(|mismatch| mismatch.to_string())?;
            Ok(of_parameters(parameters.clone()))
        }
        _ => Ok(Type::Uri),
    }
}
