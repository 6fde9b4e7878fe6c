//! [`Tags`]: the words by which resources are found; see [tags](https://www.puppet.com/docs/puppet/8/lang_tags.html).

use hieratic_value::Str;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// Tags in the order in which they were given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tags(IndexSet<Str, FxBuildHasher>);

impl Tags {
    /// Adds a tag and, of a name with several segments, the segments. A text that cannot be a tag comes back, in lower case.
    pub fn add(&mut self, tag: &str) -> Result<(), String> {
        let tag = tag.to_lowercase();
        if !is_tag(&tag) {
            return Err(tag);
        }
        self.insert(&tag);
        Ok(())
    }

    /// Adds a name if it can be a tag.
    pub fn add_if_valid(&mut self, tag: &str) {
        // What is no tag is left out: that is the rule.
        let _ = self.add(tag);
    }

    fn insert(&mut self, tag: &str) {
        if self.0.insert(tag.into()) && tag.contains("::") {
            self.0.extend(segments(tag).map(Str::from));
        }
    }

    /// Takes a tag away.
    pub fn remove(&mut self, tag: &str) {
        self.0.shift_remove(tag);
    }

    /// Adds all tags of another resource.
    pub fn merge(&mut self, others: &Tags) {
        self.0.extend(others.0.iter().cloned());
    }

    /// Whether a tag in lower case is there.
    pub fn has(&self, tag: &str) -> bool {
        self.0.contains(tag)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Str> {
        self.0.iter()
    }
}

/// The parts between `::`; Ruby's `split` leaves out what is empty at the end.
fn segments(tag: &str) -> impl Iterator<Item = &str> {
    let end = tag.trim_end_matches("::").len();
    tag.get(..end).unwrap_or_default().split("::")
}

/// Whether a text in lower case can be a tag.
fn is_tag(text: &str) -> bool {
    // Ruby's pattern lets a line end stand behind it.
    let text = text.strip_suffix('\n').unwrap_or(text);
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_alphanumeric() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '.' | '-'))
}
