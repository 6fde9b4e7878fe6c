//! [`Text`]: answers that differ between nodes in the values of variables only, kept once.
//!
//! `http://10.0.0.1:80/` of one node and `http://10.0.0.2:80/` of another are the same text with a hole, and each node knows what fills
//! it. Whether the data was written with that variable does not matter: what is filled is what was asked, byte for byte.

use std::borrow::Cow;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};
use hieratic::value::text::REDACTED;

/// How long a value is at least that is left out, in bytes: shorter ones are met by chance.
const SHORTEST: usize = 3;

/// How many variables of a node are left out at most.
const MOST_VARIABLES: usize = 200;

/// A place where the value of a variable belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Hole {
    /// Where in the text, in bytes.
    at: u32,
    /// The variable, by its number.
    variable: u32,
}

/// A text that may have holes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Text {
    /// What is not left out.
    written: Arc<str>,
    /// Sorted by where they are.
    holes: Box<[Hole]>,
}

/// The values of the variables of a node that its texts leave out: pairs of numbers, sorted.
pub(super) type Filling = [(u32, u32)];

impl Text {
    /// A text without holes.
    pub(super) fn whole(text: Arc<str>) -> Text {
        Text { written: text, holes: Box::default() }
    }

    pub(super) fn is_whole(&self) -> bool {
        self.holes.is_empty()
    }

    /// What is not left out, in one piece.
    pub(super) fn written(&self) -> &Arc<str> {
        &self.written
    }

    /// How many bytes the holes take.
    pub(super) fn bytes_of_holes(&self) -> usize {
        self.holes.len() * size_of::<Hole>()
    }

    /// The variables that are left out, in their order.
    pub(super) fn variables(&self) -> impl Iterator<Item = u32> {
        self.holes.iter().map(|hole| hole.variable)
    }

    /// What stands before, between and behind the holes.
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

/// The values of the variables of one node, to be left out of its texts.
pub(super) struct Leaving {
    search: AhoCorasick,
    /// The variables whose values are searched.
    variables: Vec<u32>,
}

impl Leaving {
    /// For variables with their values; nothing if there is none that can be left out.
    pub(super) fn new(variables: Vec<(u32, String)>) -> Option<Leaving> {
        let mut known: Vec<(u32, String)> = Vec::new();
        for (variable, value) in variables {
            // Of variables that are alike, such as the name of a node, the first stands for all.
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

    /// A text without the values, and the variables that it has holes for.
    pub(super) fn leave_out(&self, text: &str) -> Option<(String, Vec<(u32, u32)>)> {
        // Whether a text is covered is asked of what is written. And the lower case of one letter depends on its neighbors.
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
    /// A text with holes: pairs of where each is and its variable.
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
