//! [`Ignore`]: the changes of resources that a comparison ignores.

use std::fmt;
use std::str::FromStr;

use hieratic::puppet_eval::CompiledResource;

use crate::catalogs::ResourceDelta;

/// The changes of resources that a comparison of catalogs ignores.
#[derive(Clone, Debug, Default)]
pub struct Ignore {
    /// Resources, or attributes of them.
    pub rules: Vec<Rule>,
    /// Attributes of all resources; `*` matches any string.
    pub attributes: Vec<String>,
    /// Tags: a resource that has one of them on either side is ignored.
    pub tags: Vec<String>,
}

/// A pattern for resources, or for one of their attributes: `File[/etc/motd]`, `Nagios_*[*]`,
/// `Package[puppet*]::ensure`. `*` matches any string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    kind: String,
    title: String,
    attribute: Option<String>,
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Rule, String> {
        let wrong = || "expected a resource, such as 'File[/etc/motd]', 'Nagios_*[*]' or 'File[*]::mode'".to_owned();
        let (kind, rest) = text.trim().split_once('[').ok_or_else(wrong)?;
        // A title can contain brackets and `::`.
        let (title, rest) = rest.rsplit_once(']').ok_or_else(wrong)?;
        let attribute = match rest {
            "" => None,
            rest => Some(rest.strip_prefix("::").filter(|name| !name.is_empty()).ok_or_else(wrong)?.to_owned()),
        };
        let is_kind = |c: char| c.is_ascii_alphanumeric() || "_:*?".contains(c);
        if kind.is_empty() || title.is_empty() || !kind.chars().all(is_kind) {
            return Err(wrong());
        }
        Ok(Rule { kind: kind.to_owned(), title: title.to_owned(), attribute })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}[{}]", self.kind, self.title)?;
        self.attribute.iter().try_for_each(|attribute| write!(out, "::{attribute}"))
    }
}

impl Rule {
    fn is_about(&self, resource: &CompiledResource) -> bool {
        // Types are written with capitals in references and without them elsewhere.
        matches(&resource.kind.to_lowercase(), &self.kind.to_lowercase()) && matches(&resource.title, &self.title)
    }
}

impl Ignore {
    /// Returns the change of a resource without its ignored parts, and whether any part is ignored. `resource` is the
    /// resource of one side, `other` that of the other side.
    pub(crate) fn apply(
        &self,
        mut delta: ResourceDelta,
        resource: &CompiledResource,
        other: Option<&CompiledResource>,
    ) -> (Option<ResourceDelta>, bool) {
        let has_tag = |resource: &CompiledResource| {
            resource.tags.iter().any(|tag| self.tags.iter().any(|expected| matches(tag, expected)))
        };
        let rules = || self.rules.iter().filter(|rule| rule.is_about(resource));
        if rules().any(|rule| rule.attribute.is_none()) || has_tag(resource) || other.is_some_and(has_tag) {
            return (None, true);
        }
        // A resource that is new or gone is more than its attributes.
        if !delta.is_in.base || !delta.is_in.head {
            return (Some(delta), false);
        }
        let attributes: Vec<&String> =
            rules().filter_map(|rule| rule.attribute.as_ref()).chain(&self.attributes).collect();
        let all = delta.parts.len();
        delta.parts.retain(|part| {
            let name = part.path.first().and_then(|name| name.as_str()).unwrap_or_default();
            !attributes.iter().any(|pattern| matches(name, pattern))
        });
        let is_ignored = delta.parts.len() < all;
        (Some(delta).filter(|delta| !delta.parts.is_empty()), is_ignored)
    }
}

/// Returns whether a pattern matches: `*` matches any string, `?` one character.
fn matches(text: &str, pattern: &str) -> bool {
    text == pattern
        || pattern.contains(['*', '?'])
            && hieratic::lookup::matches_patterns(text, std::slice::from_ref(&pattern.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read() {
        for text in ["File[/etc/motd]", "Nagios_*[*]", "File[*]::mode", "My::Define[a[b]::c]", "Class[A::B]::x"] {
            assert_eq!(text.parse::<Rule>().map(|rule| rule.to_string()).as_deref(), Ok(text));
        }
        for text in ["", "File", "File[", "[x]", "File[]", "File[x]::", "File[x]mode", "a b[c]"] {
            assert!(text.parse::<Rule>().is_err(), "{text}");
        }
    }
}
