//! Filters of URLs.

use hieratic_jinja::extend::filters::arguments::{as_text, strict};
use hieratic_jinja::extend::objects::{Dict, Entries};
use hieratic_jinja::extend::{Args, Host, Result, Table, Value, define, error};
use percent_encoding::percent_decode_str;

pub const TABLE: Table = &[
    define("urldecode", "encoding='utf-8', errors='replace'", "Decodes an escaped string of an address.", |_, args| {
        let [text] = args.bind(["string"], 1)?;
        let text = strict(&text, "urldecode")?.replace('+', " ");
        Ok(Value::from(percent_decode_str(&text).decode_utf8_lossy().into_owned()))
    }),
    define(
        "urlsplit",
        "query='', alias='urlsplit'",
        "Splits an address into its parts, or returns one part such as `hostname`.",
        urlsplit,
    ),
];

/// The parts of a URL, or one of them.
fn urlsplit(_: &dyn Host, args: Args) -> Result<Value> {
    // The last one names the filter in messages.
    let [url, query, _] = args.bind(["value", "query", "alias"], 1)?;
    let url = strict(&url, "urlsplit")?;
    // As browsers do, leading blanks and control characters, and all tabs and line ends, are removed.
    let url = url.trim_start_matches(|letter| letter <= ' ').replace(['\t', '\r', '\n'], "");
    let (rest, fragment) = url.split_once('#').unwrap_or((&url, ""));
    let (rest, search) = rest.split_once('?').unwrap_or((rest, ""));
    let is_scheme = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_alphabetic())
            && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
    };
    let (scheme, rest) = match rest.split_once(':') {
        Some((scheme, after)) if is_scheme(scheme) => (scheme.to_ascii_lowercase(), after),
        _ => (String::new(), rest),
    };
    let (netloc, path) = match rest.strip_prefix("//") {
        Some(after) => after.split_at(after.find('/').unwrap_or(after.len())),
        None => ("", rest),
    };
    let (user, host) = netloc.rsplit_once('@').map_or((None, netloc), |(user, host)| (Some(user), host));
    let (name, password) = match user {
        Some(user) => user.split_once(':').map_or((Some(user), None), |(name, word)| (Some(name), Some(word))),
        None => (None, None),
    };
    let (host, port) = match host.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        Some((address, after)) => (address, after.strip_prefix(':')),
        None => host.split_once(':').map_or((host, None), |(host, port)| (host, Some(port))),
    };
    let none = || Value::from(());
    let text = |text: Option<&str>| text.map_or_else(none, Value::from);
    let port = match port.filter(|port| !port.is_empty()) {
        None => none(),
        Some(port) => match port.parse::<u16>() {
            Ok(port) => Value::from(port),
            Err(_) => return Err(error(format!("Port could not be cast to integer value as '{port}'"))),
        },
    };
    let host = host.to_lowercase();
    let parts = [
        ("fragment", Value::from(fragment)),
        ("hostname", text(Some(&*host).filter(|host| !host.is_empty()))),
        ("netloc", Value::from(netloc)),
        ("password", text(password)),
        ("path", Value::from(path)),
        ("port", port),
        ("query", Value::from(search)),
        ("scheme", Value::from(scheme)),
        ("username", text(name)),
    ];
    let component = as_text(&query)?;
    if component.is_empty() {
        return Ok(Dict::value(Entries::from_iter(parts.map(|(name, part)| (Value::from(name), part)))));
    }
    let found = parts.into_iter().find(|(name, _)| *name == component).map(|(_, part)| part);
    found.ok_or_else(|| error(format!("urlsplit: unknown URL component: {component}")))
}
