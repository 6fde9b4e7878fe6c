//! [`Uri`]: a URI of [RFC 3986](https://www.rfc-editor.org/rfc/rfc3986), parsed as Ruby's `URI` does.

use std::fmt;

/// A parsed URI.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Uri {
    /// The scheme in lower case: `http`.
    pub scheme: Option<String>,
    /// The user and the password: `user:secret`.
    pub userinfo: Option<String>,
    /// The host: `example.com`.
    pub host: Option<String>,
    /// The explicit port.
    pub port: Option<u16>,
    /// The path, such as `/a/b`. It may be empty. `None` for an opaque URI.
    pub path: Option<String>,
    /// The part after the question mark.
    pub query: Option<String>,
    /// The part after the hash sign.
    pub fragment: Option<String>,
    /// The part after the colon of an opaque URI: `mailto:a@b`.
    pub opaque: Option<String>,
}

impl Uri {
    /// Parses a URI.
    ///
    /// # Errors
    /// The string is not a URI.
    pub fn parse(text: &str) -> Result<Uri, String> {
        let refused = || format!("bad URI(is not URI?): {}", quoted(text));
        let allowed = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c);
        if !text.chars().all(allowed) || text.matches('#').count() > 1 || !percents(text) {
            return Err(refused());
        }
        let (rest, fragment) = split(text, '#');
        let (scheme, rest) = scheme(rest);
        let mut uri =
            Uri { scheme: scheme.map(str::to_ascii_lowercase), fragment: fragment.map(String::from), ..Uri::default() };
        if uri.scheme.is_some() && !rest.starts_with('/') && !rest.is_empty() && !rest.starts_with('?') {
            uri.opaque = Some(rest.to_owned());
            return Ok(uri);
        }
        let (rest, query) = split(rest, '?');
        uri.query = query.map(String::from);
        let path = match rest.strip_prefix("//") {
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                uri.authority(&rest[..end]).ok_or_else(refused)?;
                &rest[end..]
            }
            None => rest,
        };
        if path.contains(['[', ']'])
            || uri.host.is_none() && scheme.is_none() && path.split('/').next().is_some_and(|first| first.contains(':'))
        {
            return Err(refused());
        }
        uri.path = Some(path.to_owned());
        Ok(uri)
    }

    fn authority(&mut self, text: &str) -> Option<()> {
        let (userinfo, rest) = match text.rsplit_once('@') {
            Some((userinfo, rest)) => (Some(userinfo), rest),
            None => (None, text),
        };
        let bracketed = rest.starts_with('[');
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if !bracketed || host.ends_with(']') => (host, Some(port)),
            _ => (rest, None),
        };
        if bracketed != host.ends_with(']') || !bracketed && host.contains(['[', ']', ':', '@']) {
            return None;
        }
        self.userinfo = userinfo.map(String::from);
        self.host = Some(host.to_owned());
        self.port = match port {
            None | Some("") => None,
            Some(port) if port.bytes().all(|byte| byte.is_ascii_digit()) => Some(port.parse().ok()?),
            Some(_) => return None,
        };
        Some(())
    }

    /// Returns the explicit port, or the default port of the scheme.
    pub fn effective_port(&self) -> Option<u16> {
        self.port.or(match self.scheme.as_deref()? {
            "http" | "ws" => Some(80),
            "https" | "wss" => Some(443),
            "ftp" => Some(21),
            "ldap" => Some(389),
            "ldaps" => Some(636),
            _ => None,
        })
    }

    /// Resolves a reference against this URI.
    ///
    /// # Errors
    /// This URI is not absolute.
    pub fn join(&self, reference: &Uri) -> Result<Uri, String> {
        if reference.scheme.is_some() {
            return Ok(reference.clone());
        }
        if self.scheme.is_none() {
            return Err("both URI are relative".into());
        }
        let mut joined = self.clone();
        joined.fragment = reference.fragment.clone();
        let path = reference.path.as_deref().unwrap_or("");
        if reference.host.is_some() {
            joined.userinfo = reference.userinfo.clone();
            joined.host = reference.host.clone();
            joined.port = reference.port;
            joined.path = Some(without_dots(path));
            joined.query = reference.query.clone();
        } else if path.is_empty() {
            if reference.query.is_some() {
                joined.query = reference.query.clone();
            }
        } else {
            let base = self.path.as_deref().unwrap_or("");
            let merged = if path.starts_with('/') {
                path.to_owned()
            } else {
                let folder = base.rfind('/').map_or("/", |at| &base[..=at]);
                format!("{folder}{path}")
            };
            joined.path = Some(without_dots(&merged));
            joined.query = reference.query.clone();
        }
        Ok(joined)
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(scheme) = &self.scheme {
            write!(out, "{scheme}:")?;
        }
        if let Some(opaque) = &self.opaque {
            out.write_str(opaque)?;
        } else {
            if let Some(host) = &self.host {
                out.write_str("//")?;
                if let Some(userinfo) = &self.userinfo {
                    write!(out, "{userinfo}@")?;
                }
                out.write_str(host)?;
                let default = Uri { port: None, ..self.clone() }.effective_port();
                if let Some(port) = self.port.filter(|port| Some(*port) != default) {
                    write!(out, ":{port}")?;
                }
            }
            let path = self.path.as_deref().unwrap_or("");
            if self.host.is_some() && !path.is_empty() && !path.starts_with('/') {
                out.write_str("/")?;
            }
            out.write_str(path)?;
            if let Some(query) = &self.query {
                write!(out, "?{query}")?;
            }
        }
        match &self.fragment {
            Some(fragment) => write!(out, "#{fragment}"),
            None => Ok(()),
        }
    }
}

fn split(text: &str, at: char) -> (&str, Option<&str>) {
    match text.split_once(at) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

fn scheme(text: &str) -> (Option<&str>, &str) {
    let Some((name, rest)) = text.split_once(':') else { return (None, text) };
    let mut letters = name.chars();
    let well_formed = letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && letters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    if well_formed { (Some(name), rest) } else { (None, text) }
}

/// Returns whether every percent sign is followed by two digits.
fn percents(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| rest.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2)
}

fn without_dots(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let absolute = path.starts_with('/');
    let mut slash = path.ends_with('/');
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            "" => {}
            other => parts.push(other),
        }
    }
    slash |= path.ends_with("/.") || path.ends_with("/..");
    let mut out = String::new();
    if absolute {
        out.push('/');
    }
    out.push_str(&parts.join("/"));
    if slash && !out.ends_with('/') {
        out.push('/');
    }
    out
}

/// A string in quotes, as Ruby's messages show it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_parsed() {
        let uri = Uri::parse("http://user@example.com:8080/a/b?c=d#e").unwrap();
        assert_eq!(
            (uri.host.as_deref(), uri.port, uri.path.as_deref()),
            (Some("example.com"), Some(8080), Some("/a/b"))
        );
        assert_eq!(uri.to_string(), "http://user@example.com:8080/a/b?c=d#e");
        assert_eq!(Uri::parse("mailto:a@b.c").unwrap().opaque.as_deref(), Some("a@b.c"));
        assert_eq!(Uri::parse("not a uri").unwrap_err(), "bad URI(is not URI?): \"not a uri\"");
        let base = Uri::parse("http://example.com/a/b").unwrap();
        assert_eq!(base.join(&Uri::parse("../c").unwrap()).unwrap().to_string(), "http://example.com/c");
    }
}
