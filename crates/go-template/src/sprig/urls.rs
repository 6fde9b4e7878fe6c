//! Addresses. Those with escapes, or with characters that need them, are not evaluated.

use std::collections::BTreeMap;

use super::{exactly, text_of, wrong_type};
use crate::eval::{Fault, Value};

pub(super) fn call(name: &str, arguments: &[Value]) -> Option<Result<Value, Fault>> {
    Some(match name {
        "urlParse" => exactly::<1>(arguments).and_then(|[text]| parsed(text_of(text)?)),
        "urlJoin" => exactly::<1>(arguments).and_then(|[parts]| match parts {
            Value::Map(parts) => joined(parts),
            other => Err(wrong_type("map[string]interface {}", other)),
        }),
        _ => return None,
    })
}

fn is_plain(text: &str, others: &str) -> bool {
    text.chars().all(|letter| letter.is_ascii_alphanumeric() || others.contains(letter))
}

fn with_escapes() -> Fault {
    Fault::NotHere("an address with escapes or rare characters".to_owned())
}

/// The parts of an address.
fn parsed(text: &str) -> Result<Value, Fault> {
    let invalid = |reason: &str| Fault::error(format!("unable to parse url: parse {text:?}: {reason}"));
    if !is_plain(text, "-._~:/?#@$&+,;=") {
        return Err(with_escapes());
    }
    let (address, fragment) = text.split_once('#').unwrap_or((text, ""));
    let colon = address.find(|letter: char| !letter.is_ascii_alphanumeric() && !"+-.".contains(letter));
    let is_scheme = address.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let (scheme, rest) = match colon.and_then(|at| address.split_at_checked(at)) {
        Some(("", rest)) if rest.starts_with(':') => return Err(invalid("missing protocol scheme")),
        Some((scheme, rest)) if is_scheme && rest.starts_with(':') => (scheme.to_ascii_lowercase(), &rest[1..]),
        _ => (String::new(), address),
    };
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (mut opaque, mut authority, mut path) = ("", "", rest);
    if !rest.starts_with('/') && !scheme.is_empty() {
        (opaque, path) = (rest, "");
    } else if !rest.starts_with('/') && rest.split('/').next().is_some_and(|first| first.contains(':')) {
        return Err(invalid("first path segment in URL cannot contain colon"));
    } else if let Some(behind) = rest.strip_prefix("//")
        && (!scheme.is_empty() || !behind.starts_with('/'))
    {
        let end = behind.find('/').unwrap_or(behind.len());
        (authority, path) = behind.split_at(end);
    }
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    if user.contains('@') || user.matches(':').count() > 1 {
        return Err(with_escapes());
    }
    let (host_name, port) = host.rsplit_once(':').unwrap_or((host, ""));
    if !port.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(invalid(&format!("invalid port \":{port}\" after host")));
    }
    let entries = [
        ("scheme", scheme.as_str()),
        ("host", host),
        ("hostname", host_name),
        ("path", path),
        ("query", query),
        ("opaque", opaque),
        ("fragment", fragment),
        ("userinfo", user),
    ];
    Ok(Value::map(entries.map(|(name, part)| (name.to_owned(), part.into()))))
}

/// The address that has some parts.
fn joined(parts: &BTreeMap<String, Value>) -> Result<Value, Fault> {
    let part = |name: &str| match parts.get(name) {
        None => Ok(""),
        Some(Value::String(text)) => Ok(&**text),
        Some(other) => {
            let kind = other.kind_name();
            Err(Fault::error(format!("unable to parse {name} key, must be of type string, but {kind} found")))
        }
    };
    let (scheme, host, path) = (part("scheme")?, part("host")?, part("path")?);
    let (query, opaque, fragment, user) = (part("query")?, part("opaque")?, part("fragment")?, part("userinfo")?);
    let is_written = is_plain(scheme, "+-.")
        && is_plain(host, "-._~:")
        && is_plain(path, "-._~$&+,/:;=@")
        && is_plain(fragment, "-._~")
        && is_plain(user, "-._~:$&+,;=")
        && user.matches(':').count() < 2;
    if !is_written {
        return Err(with_escapes());
    }
    let mut out = String::new();
    if !scheme.is_empty() {
        out.push_str(scheme);
        out.push(':');
    }
    if opaque.is_empty() {
        let has_authority = !host.is_empty() || !user.is_empty();
        if has_authority || !scheme.is_empty() && !path.is_empty() {
            out.push_str("//");
        }
        if !user.is_empty() {
            out.push_str(user);
            out.push('@');
        }
        out.push_str(host);
        if !path.is_empty() && !path.starts_with('/') && !host.is_empty() {
            out.push('/');
        }
        if out.is_empty() && path.split('/').next().is_some_and(|first| first.contains(':')) {
            out.push_str("./");
        }
        out.push_str(path);
    } else {
        out.push_str(opaque);
    }
    for (mark, part) in [('?', query), ('#', fragment)] {
        if !part.is_empty() {
            out.push(mark);
            out.push_str(part);
        }
    }
    Ok(out.into())
}
