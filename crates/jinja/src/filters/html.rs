//! Filters for HTML and XML.

use minijinja::Value;
use minijinja::value::ValueKind;

use super::arguments::{as_flag, as_text, given, strict_text};
use crate::call::Args;
use crate::error::{Result, error};
use crate::escaping::escaped;
use crate::host::{Host, Table, define};
use crate::objects::Markup;
use crate::python::kind::entries;
use crate::python::{Kind, kind};

pub const TABLE: Table = &[
    define(
        "e",
        "",
        "Escapes the characters `&`, `<`, `>`, `'` and `\"` for HTML, unless the string is escaped already.",
        escape,
    ),
    define(
        "escape",
        "",
        "Escapes the characters `&`, `<`, `>`, `'` and `\"` for HTML, unless the string is escaped already.",
        escape,
    ),
    define(
        "forceescape",
        "",
        "Escapes the characters of HTML, even of a string that is escaped already.",
        |_, args| {
            let [value] = args.bind(["value"], 1)?;
            Ok(Markup::value(escaped(&as_text(&value)?)))
        },
    ),
    define("safe", "", "Marks the string as HTML that is not escaped again.", |_, args| {
        let [value] = args.bind(["value"], 1)?;
        as_text(&value).map(Markup::value)
    }),
    define("striptags", "", "Removes the tags and comments of HTML, and joins whitespace.", striptags),
    define(
        "urlize",
        "trim_url_limit=None, nofollow=False, target=None, rel=None, extra_schemes=None",
        "Replaces addresses in the text by links of HTML.",
        urlize,
    ),
    define(
        "xmlattr",
        "autospace=True",
        "Writes a dictionary as attributes of XML, without undefined and `none` values.",
        xmlattr,
    ),
];

fn escape(_: &dyn Host, args: Args) -> Result<Value> {
    let [value] = args.bind(["s"], 1)?;
    let value = given(value);
    if Markup::is(&value) {
        return Ok(value);
    }
    if let Some(text) = value.as_str().filter(|_| value.kind() == ValueKind::String) {
        return Ok(Markup::value(escaped(text)));
    }
    Ok(Markup::value(escaped(&as_text(&Some(value))?)))
}

/// Returns a string that needs no further escaping.
fn printed(host: &dyn Host, text: String) -> Value {
    if host.escapes() { Markup::value(text) } else { Value::from(text) }
}

/// The filter `striptags`: removes comments and tags, collapses spaces, and resolves entities.
fn striptags(_: &dyn Host, args: Args) -> Result<Value> {
    let [value] = args.bind(["value"], 1)?;
    let mut text = as_text(&value)?;
    for (open, close) in [("<!--", "-->"), ("<", ">")] {
        let mut out = String::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once(open) {
            out.push_str(before);
            match after.split_once(close) {
                Some((_, after)) => rest = after,
                None => {
                    out.push_str(open);
                    rest = after;
                    break;
                }
            }
        }
        out.push_str(rest);
        text = out;
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&#39;", "'"),
        ("&#34;", "\""),
        ("&quot;", "\""),
        ("&nbsp;", "\u{a0}"),
        ("&amp;", "&"),
    ];
    Ok(Value::from(entities.iter().fold(text, |text, (entity, letter)| text.replace(entity, letter))))
}

fn xmlattr(host: &dyn Host, args: Args) -> Result<Value> {
    let [value, space] = args.bind(["d", "autospace"], 1)?;
    let value = given(value);
    if !matches!(kind(&value)?, Kind::Dict) {
        return Err(crate::python::methods::no_method(&value, "items"));
    }
    let mut out = Vec::new();
    for (key, item) in entries(&value)? {
        if item.is_none() || matches!(kind(&item)?, Kind::Missing(_)) {
            continue;
        }
        let key = strict_text(&key, "xmlattr")?;
        if key.contains(|letter: char| letter.is_whitespace() || "/>=".contains(letter)) {
            return Err(error(format!("Invalid character in attribute name: '{key}'")));
        }
        let item = match item.downcast_object_ref::<Markup>() {
            Some(Markup(text)) => text.to_string(),
            None => escaped(&as_text(&Some(item))?),
        };
        out.push(format!("{}=\"{item}\"", escaped(&key)));
    }
    let text = out.join(" ");
    let space = as_flag(space, true)? && !text.is_empty();
    Ok(printed(host, if space { format!(" {text}") } else { text }))
}

/// The filter `urlize`: links and addresses become HTML links, everything else is escaped.
fn urlize(host: &dyn Host, args: Args) -> Result<Value> {
    let names = ["value", "trim_url_limit", "nofollow", "target", "rel", "extra_schemes"];
    let [value, limit, nofollow, target, rel, schemes] = args.bind(names, 1)?;
    let limit = match limit.filter(|limit| !limit.is_none()) {
        Some(limit) => Some(usize::try_from(crate::python::number::index(&limit)?).unwrap_or(0)),
        None => None,
    };
    let text_of = |value: Option<Value>| match value.filter(|value| !value.is_none()) {
        Some(value) => as_text(&Some(value)),
        None => Ok(String::new()),
    };
    // The relations are printed in alphabetical order, without duplicates.
    let rel = text_of(rel)?;
    let mut relations: std::collections::BTreeSet<&str> = rel.split_whitespace().collect();
    if as_flag(nofollow, false)? {
        relations.insert("nofollow");
    }
    relations.insert("noopener");
    let attribute = |name: &str, value: &str| {
        if value.is_empty() { String::new() } else { format!(" {name}=\"{}\"", escaped(value)) }
    };
    let rel = attribute("rel", &relations.into_iter().collect::<Vec<_>>().join(" "));
    let attributes = rel + &attribute("target", &text_of(target)?);
    let schemes = match schemes.filter(|schemes| !schemes.is_none()) {
        Some(schemes) => {
            crate::python::iterate(&schemes)?.iter().map(|scheme| as_text(&Some(scheme.clone()))).collect()
        }
        None => Ok(Vec::new()),
    };
    let links = Links { limit, attributes, schemes: schemes? };
    if let Some(bad) = links.schemes.iter().find(|scheme| !is_scheme(scheme)) {
        return Err(error(format!("'{bad}' is not a valid URI scheme prefix.")));
    }
    let text = escaped(&as_text(&value)?);
    crate::work::steps(text.len() / 8)?;
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, after) = rest.split_at(word);
        links.word(word, &mut out);
        crate::work::bytes(word.len() + links.attributes.len())?;
        let space = after.len() - after.trim_start().len();
        out.push_str(after.get(..space).unwrap_or(""));
        rest = after.get(space..).unwrap_or("");
    }
    Ok(printed(host, out))
}

/// Returns whether a string may be the start of a URI: `name:` or `name://`.
fn is_scheme(scheme: &str) -> bool {
    let name = scheme.trim_end_matches('/').strip_suffix(':').unwrap_or("");
    let slashes = scheme.len() - scheme.trim_end_matches('/').len();
    slashes <= 2 && name.len() > 1 && name.chars().all(|letter| letter.is_alphanumeric() || "_.+-".contains(letter))
}

/// The options of generated links.
struct Links {
    /// The maximum number of characters of a link that are shown.
    limit: Option<usize>,
    attributes: String,
    schemes: Vec<String>,
}

impl Links {
    /// Writes a word, as a link if it is one. Brackets around it and punctuation after it are not part of the link.
    fn word(&self, word: &str, out: &mut String) {
        let mut start = 0;
        while let Some(length) = ["(", "<", "&lt;"]
            .iter()
            .find_map(|sign| word.get(start..).is_some_and(|rest| rest.starts_with(sign)).then_some(sign.len()))
        {
            start += length;
        }
        let (head, inner) = word.split_at(start);
        let mut end = inner.len();
        while let Some(length) = [")", ">", ".", ",", "&gt;"]
            .iter()
            .find_map(|sign| inner.get(..end).is_some_and(|rest| rest.ends_with(sign)).then_some(sign.len()))
        {
            end -= length;
        }
        // A bracket that is opened inside the link is closed inside it.
        for (open, close) in [("(", ")"), ("<", ">"), ("&lt;", "&gt;")] {
            let within = inner.get(..end).unwrap_or("");
            let opened = within.matches(open).count();
            if opened <= within.matches(close).count() {
                continue;
            }
            for _ in 0..opened {
                let Some(at) = inner.get(end..).and_then(|tail| tail.find(close)) else { break };
                end += at + close.len();
            }
        }
        let (middle, tail) = inner.split_at(end);
        out.push_str(head);
        match self.target(middle) {
            Some((target, shown, attributes)) => {
                let shown = match self.limit.filter(|limit| attributes && shown.chars().count() > *limit) {
                    Some(limit) => shown.chars().take(limit).collect::<String>() + "...",
                    None => shown.to_owned(),
                };
                let attributes = if attributes { self.attributes.as_str() } else { "" };
                out.push_str(&format!("<a href=\"{target}\"{attributes}>{shown}</a>"));
            }
            None => out.push_str(middle),
        }
        out.push_str(tail);
    }

    /// Returns the target of a word, its visible text, and whether the link has attributes.
    fn target<'w>(&self, word: &'w str) -> Option<(String, &'w str, bool)> {
        if is_web_address(word) {
            let has_scheme = word.starts_with("http://") || word.starts_with("https://");
            return Some((format!("{}{word}", if has_scheme { "" } else { "https://" }), word, true));
        }
        if let Some(address) = word.strip_prefix("mailto:").filter(|address| is_mail_address(address)) {
            return Some((word.to_owned(), address, false));
        }
        if !word.starts_with("www.") && !word.contains(':') && is_mail_address(word) {
            return Some((format!("mailto:{word}"), word, false));
        }
        let of_scheme = |scheme: &String| word != scheme && word.starts_with(scheme.as_str());
        self.schemes.iter().any(of_scheme).then(|| (word.to_owned(), word, true))
    }
}

fn is_mail_address(word: &str) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    // The name may have the sign in it as well, the host may not.
    let Some((name, host)) = word.rsplit_once('@') else { return false };
    let Some((first, last)) = host.rsplit_once('.') else { return false };
    !name.is_empty()
        && !last.is_empty()
        && last.chars().all(is_word)
        && first.starts_with(is_word)
        && first.chars().all(|letter| is_word(letter) || ".-".contains(letter))
}

/// Returns whether a word is a web address: with a scheme or `www.` and a domain, with one of the original top-level
/// domains, or with a scheme and an IP address.
fn is_web_address(word: &str) -> bool {
    fn without<'w>(word: &'w str, prefix: &str) -> Option<&'w str> {
        word.get(..prefix.len()).filter(|head| head.eq_ignore_ascii_case(prefix)).and_then(|_| word.get(prefix.len()..))
    }
    let behind_scheme = without(word, "https://").or_else(|| without(word, "http://"));
    let rest = behind_scheme.unwrap_or(word);
    let host = if rest.starts_with('[') {
        rest.find(']').map_or(rest.len(), |at| at + 1)
    } else {
        rest.find([':', '/', '?', '#']).unwrap_or(rest.len())
    };
    let (host, after) = rest.split_at(host);
    let after = match after.strip_prefix(':') {
        Some(port) => {
            let digits = port.len() - port.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
            if !(1..=5).contains(&digits) {
                return false;
            }
            port.get(digits..).unwrap_or("")
        }
        None => after,
    };
    if !(after.is_empty() || after.starts_with(['/', '?', '#'])) {
        return false;
    }
    let is_label = |label: &str, least: usize, most: usize| {
        let letters = label.chars().count();
        let known = |letter: char| letter.is_alphanumeric() || "_%-".contains(letter);
        (least..=most).contains(&letters) && label.chars().all(known)
    };
    let is_numbers = || {
        let parts: Vec<&str> = host.split('.').collect();
        parts.len() == 4 && parts.iter().all(|part| (1..=3).contains(&part.len()) && part.chars().all(char::is_numeric))
    };
    let is_six = || {
        let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or("");
        let parts: Vec<&str> = inner.split(':').collect();
        let hex = |part: &&str| part.len() <= 4 && part.chars().all(|digit| digit.is_ascii_hexdigit());
        (3..=9).contains(&parts.len()) && parts.iter().all(hex)
    };
    if behind_scheme.is_some() && (is_numbers() || is_six()) {
        return true;
    }
    let (domain, open) = match (behind_scheme, without(host, "www.")) {
        (Some(_), _) => (host, true),
        (None, Some(host)) => (host, true),
        (None, None) => (host, false),
    };
    let Some((lower, top)) = domain.rsplit_once('.').or(Some(("", domain)).filter(|_| open)) else { return false };
    let top = top.to_lowercase();
    if open {
        let punycode = top.strip_prefix("xn--").is_some_and(|rest| is_label(rest, 2, 59));
        let letters = (2..=63).contains(&top.len()) && top.chars().all(|letter| letter.is_ascii_lowercase());
        let below = lower.is_empty() && domain == top || lower.split('.').all(|label| is_label(label, 1, usize::MAX));
        return (punycode || letters) && below;
    }
    let old = ["com", "net", "int", "edu", "gov", "org", "info", "mil"].contains(&top.as_str());
    old && lower.split('.').all(|label| is_label(label, 2, 63))
}
