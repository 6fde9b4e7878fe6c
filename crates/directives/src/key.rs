//! [`Directive`]: the syntax of keys that begin with `+`.
//!
//! The grammar is `+`, then an optional `?`, an optional `include` with a suffix, an optional `*anchor`, optional dots,
//! then `/segment` repeated (<https://docs.unfurl.run/yaml-merge-directives.html>). A key that does not match is a
//! plain key.

use std::fmt;

/// A parsed key that may begin with `+`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlusKey {
    /// `+%`: the merge strategy of the map.
    Strategy,
    /// `+&`: a name under which the map can be included.
    Anchor,
    /// A merge directive.
    Directive(Directive),
    /// A plain key.
    Plain,
}

/// A merge directive: a reference to data that is merged into the map.
///
/// ```
/// use hieratic_directives::{Directive, PlusKey};
///
/// let PlusKey::Directive(directive) = PlusKey::parse("+?../base/a~1b")? else { panic!("no directive") };
/// assert!(directive.optional);
/// assert_eq!(directive.dots, 2);
/// assert_eq!(directive.pointer, ["base", "a/b"]);
/// # Ok::<(), hieratic_directives::KeyFault>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Directive {
    /// Whether an unresolved reference is ignored (`?`).
    pub optional: bool,
    /// `include` with its suffix: the value of the key names a file.
    pub include: Option<String>,
    /// The name after `*`.
    pub anchor: Option<String>,
    /// The number of dots: one is the map that contains the directive, two its parent.
    pub dots: usize,
    /// The segments of the path, unescaped.
    pub pointer: Vec<String>,
    /// The characters that do not match the grammar. The reference silently ignores them.
    pub ignored: String,
}

/// The error for an unknown escape in a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyFault {
    /// The invalid escape: `~2`, or `~` at the end.
    pub escape: String,
    /// The key without its `+`.
    pub pointer: String,
    /// The byte offset of the escape in the key.
    pub at: usize,
}

impl fmt::Display for KeyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Found invalid escape {} in JSON pointer {}", self.escape, self.pointer)
    }
}

impl std::error::Error for KeyFault {}

impl PlusKey {
    /// Parses a key. A key that does not begin with `+` is plain.
    ///
    /// # Errors
    /// The path of a directive has an escape other than `~0` and `~1`.
    pub fn parse(key: &str) -> Result<PlusKey, KeyFault> {
        let Some(text) = key.strip_prefix('+') else { return Ok(PlusKey::Plain) };
        match text {
            "" => return Ok(PlusKey::Plain),
            "%" => return Ok(PlusKey::Strategy),
            "&" => return Ok(PlusKey::Anchor),
            _ => {}
        }
        let (head, path) = match text.split_once('/') {
            Some((head, path)) => (head, Some(path)),
            None => (text, None),
        };
        let Some(mut directive) = Directive::head(head) else { return Ok(PlusKey::Plain) };
        if directive.is_unparsed() && (!head.is_empty() || path.is_none()) {
            return Ok(PlusKey::Plain);
        }
        check_escapes(text)?;
        directive.pointer = path.map(|path| path.split('/').map(unescape).collect()).unwrap_or_default();
        Ok(PlusKey::Directive(directive))
    }
}

impl Directive {
    /// Parses the part before the first slash, with its escapes.
    fn head(head: &str) -> Option<Directive> {
        let head = unescape(head);
        let mut rest = head.as_str();
        let mut directive = Directive::default();
        if let Some(after) = rest.strip_prefix('?') {
            directive.optional = true;
            rest = after;
        }
        if rest.starts_with("include") {
            let suffix = |c: char| c == '_' || c == '-' || c.is_alphanumeric();
            let end = rest["include".len()..].find(|c| !suffix(c)).map_or(rest.len(), |end| "include".len() + end);
            directive.include = Some(rest[..end].to_owned());
            rest = &rest[end..];
        }
        if let Some(name) = rest.strip_prefix('*') {
            // A name ends at a blank; dots after it are part of it.
            let end = name.find(char::is_whitespace).unwrap_or(name.len());
            if end > 0 {
                directive.anchor = Some(name[..end].to_owned());
                rest = &name[end..];
            }
        }
        if !rest.is_empty() && rest.bytes().all(|byte| byte == b'.') {
            directive.dots = rest.len();
            rest = "";
        }
        directive.ignored = rest.to_owned();
        Some(directive)
    }

    /// Returns true if no part of the grammar before the path matched.
    fn is_unparsed(&self) -> bool {
        !self.optional && self.include.is_none() && self.anchor.is_none() && self.dots == 0
    }

    /// Returns whether the directive has no target: `+?` alone.
    pub fn is_empty(&self) -> bool {
        self.include.is_none() && self.anchor.is_none() && self.dots == 0 && self.pointer.is_empty()
    }
}

/// Undoes the escapes of a segment (<https://www.rfc-editor.org/rfc/rfc6901#section-3>).
pub(crate) fn unescape(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// Writes a segment so that [`unescape`] gives it back.
pub(crate) fn escape(segment: &str) -> String {
    segment.replace('~', "~0").replace('/', "~1")
}

fn check_escapes(text: &str) -> Result<(), KeyFault> {
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if character != '~' {
            continue;
        }
        match characters.peek() {
            Some((_, '0' | '1')) => {}
            next => {
                let escape = next.map_or("~".to_owned(), |(_, next)| format!("~{next}"));
                return Err(KeyFault { escape, pointer: text.to_owned(), at: at + 1 });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directive(key: &str) -> Directive {
        match PlusKey::parse(key) {
            Ok(PlusKey::Directive(directive)) => directive,
            other => panic!("{key}: {other:?}"),
        }
    }

    #[test]
    fn other_keys_are_plain() {
        for key in
            ["+", "+foo", "+foo/bar", "+..a", "+..a/b", "+*", "+*/a", "+ /a", "+Include", "+.*a", "+home~dir", "a"]
        {
            assert_eq!(PlusKey::parse(key), Ok(PlusKey::Plain), "{key}");
        }
    }

    #[test]
    fn all_parts_of_a_directive_combine() {
        let all = directive("+?include-1*a/b~1c/~01");
        assert!(all.optional);
        assert_eq!(all.include.as_deref(), Some("include-1"));
        assert_eq!(all.anchor.as_deref(), Some("a"));
        assert_eq!(all.pointer, ["b/c", "~1"]);
        assert_eq!(directive("+*a..").anchor.as_deref(), Some("a.."));
        assert_eq!(directive("+.../a").dots, 3);
        assert_eq!(directive("+include+x").ignored, "+x");
    }

    #[test]
    fn an_unknown_escape_is_an_error_with_its_offset() {
        let error = PlusKey::parse("+/a~2b").unwrap_err();
        assert_eq!((error.escape.as_str(), error.at), ("~2", 3));
        assert_eq!(PlusKey::parse("+/a~").unwrap_err().to_string(), "Found invalid escape ~ in JSON pointer /a~");
    }
}
