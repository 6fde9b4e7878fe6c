//! [`Tags`]: the words by which resources are found; see [tags](https://www.puppet.com/docs/puppet/8/lang_tags.html).
//!
//! A resource has the tags of all its containers, so thousands of resources have the same few words. [`TagInterner`]
//! stores each word once, and a resource stores ids.

use std::borrow::Cow;

use hieratic_value::Str;
use hieratic_value::collections::FixedState;
use indexmap::IndexSet;

/// The number of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tag(u32);

/// An interner of words that are frequent in a catalog, such as its tags.
#[derive(Debug, Default)]
pub(crate) struct TagInterner(IndexSet<Str, FixedState>);

/// Tags in their original order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tags(IndexSet<Tag, FixedState>);

impl TagInterner {
    /// Adds a tag and, for a name with several segments, its segments. # Errors
    ///
    /// The tag is invalid. The error is the tag in lower case.
    pub fn add(&mut self, tag: &str, tags: &mut Tags) -> Result<(), String> {
        let tag = lower_case(tag);
        if !is_tag(&tag) {
            return Err(tag.into_owned());
        }
        if tags.0.insert(self.number(&tag)) && tag.contains("::") {
            tags.0.extend(segments(&tag).map(|segment| self.number(segment)));
        }
        Ok(())
    }

    /// Adds a name to the tags if it is a valid tag.
    pub fn add_if_valid(&mut self, tag: &str, tags: &mut Tags) {
        // Invalid tags are ignored on purpose.
        let _ = self.add(tag, tags);
    }

    /// Returns the id of a word in lower case, and adds it if it is new.
    pub fn number(&mut self, word: &str) -> Tag {
        let number = match self.0.get_index_of(word) {
            Some(number) => number,
            None => self.0.insert_full(word.into()).0,
        };
        // The memory limit is reached long before this number of words.
        Tag(u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// Returns the word as a shared string.
    pub fn shared(&mut self, word: &str) -> Str {
        match self.0.get(word) {
            Some(text) => text.clone(),
            None => {
                let text: Str = word.into();
                self.0.insert(text.clone());
                text
            }
        }
    }

    /// Returns the id of a word in lower case, if it is known.
    pub fn find(&self, word: &str) -> Option<Tag> {
        self.0.get_index_of(word).and_then(|number| u32::try_from(number).ok()).map(Tag)
    }

    /// Returns the tags as strings.
    pub fn to_strings(&self, tags: &Tags) -> Vec<Str> {
        let mut words = Vec::with_capacity(tags.len());
        words.extend(tags.0.iter().filter_map(|tag| self.0.get_index(tag.0 as usize)).cloned());
        words
    }
}

impl Tags {
    /// Removes a tag.
    pub fn remove(&mut self, tag: Tag) {
        self.0.shift_remove(&tag);
    }

    /// Adds all tags of another resource.
    pub fn merge(&mut self, others: &Tags) {
        self.0.extend(others.0.iter().copied());
    }

    /// Returns whether the tag is in the set.
    pub fn has(&self, tag: Tag) -> bool {
        self.0.contains(&tag)
    }

    /// Returns the tags in their order.
    pub fn iter(&self) -> impl Iterator<Item = Tag> {
        self.0.iter().copied()
    }

    /// Returns the number of tags.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// Converts a string to lower case; most strings already are.
fn lower_case(text: &str) -> Cow<'_, str> {
    let is_lower = text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(text) } else { Cow::Owned(text.to_lowercase()) }
}

/// Returns the parts between `::`. Like Ruby's `split`, it drops trailing empty parts.
fn segments(tag: &str) -> impl Iterator<Item = &str> {
    let end = tag.trim_end_matches("::").len();
    tag.get(..end).unwrap_or_default().split("::")
}

/// Returns whether a string is a valid tag: it consists of letters, digits, `_`, `:`, `.` and `-`, and begins with a
/// letter, a digit or `_`; see [tags](https://www.puppet.com/docs/puppet/8/lang_tags.html).
///
/// ```
/// use hieratic_puppet_eval::is_tag;
///
/// assert!(["ok", "A", "a::b", "a.b", "_a", "1a", "ä", "a-b"].into_iter().all(is_tag));
/// assert!(!["", "a b", "-a", "a/b", "a@b", "a,b", ":a"].into_iter().any(is_tag));
/// ```
pub fn is_tag(text: &str) -> bool {
    // Ruby's pattern allows a trailing line end.
    let text = text.strip_suffix('\n').unwrap_or(text);
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_alphanumeric() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '.' | '-'))
}
