//! [`Text`]: templates for answers that differ between nodes only in the values of variables. Each is stored once.
//!
//! `http://10.0.0.1:80/` of one node and `http://10.0.0.2:80/` of another are the same template with a placeholder, and
//! each node has its value. Whether the data was written with that variable does not matter: a template that is
//! rendered with the node's variables equals the original answer, byte for byte.

use std::borrow::Cow;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};
use hieratic::value::text::REDACTED;

/// The minimum length of a value that becomes a placeholder, in bytes: shorter values occur at random.
const SHORTEST: usize = 3;

/// The maximum number of variables of a node that become placeholders.
const MOST_VARIABLES: usize = 200;

/// A place where the value of a variable belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Hole {
    /// The offset in the literal text, in bytes.
    at: u32,
    /// The variable, by its number.
    variable: u32,
}

/// A string, which may have placeholders.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Text {
    /// The literal text, without the placeholders.
    written: Arc<str>,
    /// Sorted by where they are.
    holes: Box<[Hole]>,
}

/// The values of a node for its variables: pairs of variable id and value id, sorted.
pub(super) type Filling = [(u32, u32)];

impl Text {
    /// Creates a template without placeholders.
    pub(super) fn whole(text: Arc<str>) -> Text {
        Text { written: text, holes: Box::default() }
    }

    pub(super) fn is_whole(&self) -> bool {
        self.holes.is_empty()
    }

    /// Returns the literal text, without the placeholders.
    pub(super) fn written(&self) -> &Arc<str> {
        &self.written
    }

    /// Returns the size of the placeholders, in bytes.
    pub(super) fn bytes_of_holes(&self) -> usize {
        self.holes.len() * size_of::<Hole>()
    }

    /// The variables that are left out, in their order.
    pub(super) fn variables(&self) -> impl Iterator<Item = u32> {
        self.holes.iter().map(|hole| hole.variable)
    }

    /// Returns the literal parts before, between and after the placeholders.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &str> {
        let starts = [0].into_iter().chain(self.holes.iter().map(|hole| hole.at as usize));
        let ends = self.holes.iter().map(|hole| hole.at as usize).chain([self.written.len()]);
        starts.zip(ends).map(|(start, end)| self.written.get(start..end).unwrap_or_default())
    }

    /// The text of a node. `values` has the values by their numbers.
    pub(super) fn filled(&self, filling: &Filling, values: &[Arc<str>]) -> Cow<'_, str> {
        if self.is_whole() {
            return Cow::Borrowed(&self.written);
        }
        let mut text = String::with_capacity(self.written.len() + 16 * self.holes.len());
        self.parts(filling, values).for_each(|part| text.push_str(part));
        Cow::Owned(text)
    }

    /// The pieces of the text of a node and the values between them.
    pub(super) fn parts<'t>(&'t self, filling: &'t Filling, values: &'t [Arc<str>]) -> impl Iterator<Item = &'t str> {
        let value = |variable: u32| {
            let at = filling.partition_point(|(other, _)| *other < variable);
            let number = filling.get(at).map_or(usize::MAX, |(_, number)| *number as usize);
            values.get(number).map_or("", |value| &**value)
        };
        let between = self.variables().map(value).chain([""]);
        self.pieces().zip(between).flat_map(|(piece, value)| [piece, value])
    }
}

/// Replaces the values of the variables of one node by placeholders.
pub(super) struct Leaving {
    search: AhoCorasick,
    /// The variables whose values are searched.
    variables: Vec<u32>,
}

impl Leaving {
    /// Creates an extractor for variables and their values; `None` if no value is suitable.
    pub(super) fn new(variables: Vec<(u32, String)>) -> Option<Leaving> {
        let mut known: Vec<(u32, String)> = Vec::new();
        for (variable, value) in variables {
            // Of variables with the same value, such as two names of a node, the first represents the others.
            if value.len() >= SHORTEST && known.len() < MOST_VARIABLES && known.iter().all(|(_, other)| *other != value)
            {
                known.push((variable, value));
            }
        }
        if known.is_empty() {
            return None;
        }
        let values = known.iter().map(|(_, value)| value);
        let search = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(values).ok()?;
        Some(Leaving { search, variables: known.into_iter().map(|(variable, _)| variable).collect() })
    }

    /// Returns the literal text of a string, and its placeholders: pairs of offset and variable.
    pub(super) fn leave_out(&self, text: &str) -> Option<(String, Vec<(u32, u32)>)> {
        // Redaction is recognized by the literal text. And the lower case of `Σ` depends on its neighbors, which the
        // search in parts does not see.
        if text.contains(REDACTED) || text.contains('Σ') {
            return None;
        }
        let mut written = String::with_capacity(text.len());
        let mut holes = Vec::new();
        let mut last = 0;
        for found in self.search.find_iter(text) {
            written.push_str(text.get(last..found.start())?);
            last = found.end();
            let variable = *self.variables.get(found.pattern().as_usize())?;
            holes.push((u32::try_from(written.len()).ok()?, variable));
        }
        written.push_str(text.get(last..)?);
        (!holes.is_empty()).then_some((written, holes))
    }
}

impl Text {
    /// Creates a template with placeholders: pairs of offset and variable.
    pub(super) fn with_holes(written: Arc<str>, holes: &[(u32, u32)]) -> Text {
        Text { written, holes: holes.iter().map(|(at, variable)| Hole { at: *at, variable: *variable }).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_out(text: &str, variables: &[(u32, &str)]) -> Option<Text> {
        let variables = variables.iter().map(|(number, value)| (*number, value.to_string())).collect();
        let (written, holes) = Leaving::new(variables)?.leave_out(text)?;
        Some(Text::with_holes(written.into(), &holes))
    }

    #[test]
    fn what_is_left_out_can_be_filled_in_again() {
        let values: Vec<Arc<str>> = ["web1.example.com", "web1", "10.0.0.1"].map(Arc::from).to_vec();
        let variables = [(7, "web1.example.com"), (4, "web1"), (9, "10.0.0.1"), (11, "10.0.0.1")];
        let filling = [(4, 1), (7, 0), (9, 2)];
        for (text, written, holes) in [
            ("\"http://10.0.0.1:80/web1\"", "\"http://:80/\"", vec![9, 4]),
            ("web1.example.comweb1", "", vec![7, 4]),
            ("web1.example.org", ".example.org", vec![4]),
        ] {
            let made = left_out(text, &variables).unwrap();
            assert_eq!((&**made.written(), made.variables().collect::<Vec<u32>>()), (written, holes), "{text}");
            assert_eq!(made.filled(&filling, &values), text);
        }
        assert_eq!(left_out("nothing of it", &variables), None);
    }

    #[test]
    fn what_is_covered_or_short_is_kept_whole() {
        assert_eq!(left_out(&format!("{REDACTED} web1"), &[(0, "web1")]), None);
        assert_eq!(left_out("ab", &[(0, "ab")]), None);
        assert_eq!(Text::whole("a".into()).filled(&[], &[]), "a");
    }

    #[test]
    fn pieces_are_around_the_holes() {
        let text = Text::with_holes("ab".into(), &[(0, 1), (1, 2), (1, 3), (2, 1)]);
        assert_eq!(text.pieces().collect::<Vec<&str>>(), ["", "a", "", "b", ""]);
    }
}
