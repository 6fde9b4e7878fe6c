//! `concat`, `token`, `urljoin`, `sensitive`.

use hieratic_python_values as python;
use hieratic_value::Value;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::arguments::{list, option, text};
use crate::ExpressionError;
use crate::datum::{Datum, Plain};
use crate::host::Host;
use crate::scope::Scope;

/// `{concat: [VALUE...], sep: TEXT}`: the values as strings, joined. A value that is not a list is returned unchanged.
///
/// <https://docs.unfurl.run/expressions.html#concat>
pub(super) fn concat(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    let mapped = host.map_value(argument, scope)?;
    if !mapped.is_list() {
        return Ok(mapped);
    }
    let separator = match option(host, scope, "sep")? {
        Some(separator) => text(&separator, "'sep'")?,
        None => "".into(),
    };
    let mut secret = false;
    let mut texts = Vec::new();
    for element in host.elements(&mapped)? {
        let (text, is_secret) = host.text(&element)?;
        secret |= is_secret;
        host.shared().bytes(text.len() + separator.len())?;
        texts.push(text);
    }
    let joined = Value::from(texts.join(&separator));
    // The parts keep their meaning: a template among them is a template in the result, as in the reference.
    Ok(if secret { Datum::done(Value::sensitive(joined)) } else { Datum::raw(joined) })
}

/// `{token: [TEXT, SEPARATOR, INDEX]}`: one of the parts between separators.
///
/// <https://docs.unfurl.run/expressions.html#token>
pub(super) fn token(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    let elements = list(host, &host.map_value(argument, scope)?, "token")?;
    let [whole, separator, index] = &elements[..] else {
        return Err(ExpressionError::new(format!("the argument of 'token' has {} elements, not 3", elements.len()))
            .help("write token: [string, separator, index]"));
    };
    let (whole, separator) = (text(whole, "the string of 'token'")?, text(separator, "the separator of 'token'")?);
    if separator.is_empty() {
        return Err(ExpressionError::new("empty separator").help("the second argument of 'token' is the separator"));
    }
    let Datum::Plain(Plain { value: Value::Integer(index), .. }) = index else {
        return Err(ExpressionError::new(format!("the index of 'token' is {}, not a number", index.kind())));
    };
    host.shared().bytes(whole.len())?;
    let parts: Vec<&str> = whole.split(&*separator).collect();
    let at = match usize::try_from(*index) {
        Ok(at) => Some(at),
        Err(_) => usize::try_from(index.unsigned_abs()).ok().and_then(|back| parts.len().checked_sub(back)),
    };
    let part = at.and_then(|at| parts.get(at)).ok_or_else(|| {
        ExpressionError::new(format!("list index out of range: 'token' is asked for part {index} of {}", parts.len()))
            .help("the first part has the index 0")
    })?;
    host.shared().report(&[Value::String(whole.clone())], &Value::from(*part));
    Ok(Datum::raw(*part))
}

/// The characters that `urllib.parse.quote` does not escape.
const QUOTED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'_').remove(b'.').remove(b'-').remove(b'~').remove(b'/');
/// The characters that `urllib.parse.quote_plus` does not escape; a blank becomes a plus sign.
const QUOTED_QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'_').remove(b'.').remove(b'-').remove(b'~').remove(b' ');

/// `{urljoin: [SCHEME, HOST, PORT?, PATH?, QUERY?, FRAGMENT?]}`: an address; null if all of it is empty.
///
/// The argument is taken as written.
pub(super) fn urljoin(host: &dyn Host, argument: &Datum, _: &mut Scope) -> Result<Datum, ExpressionError> {
    let parts = list(host, argument, "urljoin")?;
    if !(2..=6).contains(&parts.len()) {
        return Err(ExpressionError::new(format!(
            "the argument of 'urljoin' has {} elements, not 2 to 6",
            parts.len()
        ))
        .help("write urljoin: [scheme, host, port, path, query, fragment]"));
    }
    let part = |at: usize, name: &str| -> Result<String, ExpressionError> {
        match parts.get(at) {
            None => Ok(String::new()),
            Some(null) if null.is_null() => Ok(String::new()),
            Some(Datum::Plain(Plain { value: Value::Integer(number), .. })) => Ok(number.to_string()),
            Some(part) => Ok(text(part, &format!("the {name} of 'urljoin'"))?.to_string()),
        }
    };
    let (scheme, host, port) = (part(0, "scheme")?, part(1, "host")?, part(2, "port")?);
    let (path, query, fragment) = (part(3, "path")?, part(4, "query")?, part(5, "fragment")?);
    if [&scheme, &host, &path, &query, &fragment].iter().all(|part| part.is_empty()) {
        return Ok(Datum::NULL);
    }
    let port = match port.as_str() {
        "" | "0" => None,
        port => Some(
            python::parse_int(port, 10)
                .ok_or_else(|| ExpressionError::new(format!("the port '{port}' is not a number")))?,
        ),
    };
    let default = match scheme.as_str() {
        "http" => Some(80.into()),
        "https" => Some(443.into()),
        _ => None,
    };
    let place = match port {
        Some(port) if Some(&port) != default.as_ref() => format!("{host}:{port}"),
        _ => host,
    };
    let mut out = String::new();
    if !scheme.is_empty() {
        out += &scheme;
        out.push(':');
    }
    if !place.is_empty() {
        out += "//";
        out += &place;
    }
    if !path.is_empty() {
        if !place.is_empty() && !path.starts_with('/') {
            out.push('/');
        }
        out.extend(utf8_percent_encode(&path, QUOTED));
    }
    if !query.is_empty() {
        out.push('?');
        out += &utf8_percent_encode(&query, QUOTED_QUERY).to_string().replace(' ', "+");
    }
    if !fragment.is_empty() {
        out.push('#');
        out.extend(utf8_percent_encode(&fragment, QUOTED));
    }
    Ok(Datum::done(out))
}

/// `{sensitive: VALUE}`: the value as a secret.
///
/// <https://docs.unfurl.run/expressions.html#sensitive>
pub(super) fn sensitive(host: &dyn Host, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
    host.secret(&host.map_value(argument, scope)?)
}
