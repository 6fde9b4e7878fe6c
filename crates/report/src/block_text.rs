//! [`BlockText`]: the content of a data file, for comparing its revisions without parsing each completely.
//!
//! The common prefix and the common suffix of two revisions are skipped, and only the entries around the difference are
//! parsed. This equals parsing everything if the root of the file is a mapping in block style, if the difference is
//! cut at the beginnings of its keys, and if no anchor or alias is between the cuts: those elsewhere mean the same in both
//! revisions.

use std::collections::HashSet;

use hieratic::json::Document;
use hieratic::yaml::{self, parse_with_positions};
use hieratic::{Hash, Value};
use hieratic_git::{common_end, common_start};
use memchr::{memchr_iter, memchr2_iter, memmem};

/// A string whose root is a mapping in block style.
#[derive(Debug)]
pub(crate) struct BlockText<T> {
    text: T,
    /// The offsets of the keys of the mapping, each at the beginning of a line. Empty if it has no parts.
    starts: Vec<usize>,
}

impl<T: AsRef<[u8]>> BlockText<T> {
    /// Parses a string as a whole: its keys and values if they are a hash, and its parts if it can be compared. A
    /// string with anchors is kept without parts, too.
    pub(crate) fn parse(text: T) -> (Option<BlockText<T>>, Option<Hash>) {
        let bytes = text.as_ref();
        let Some(document) = parse(bytes) else { return (None, None) };
        let values = hash_of(&document.value);
        let starts = starts_of(&document, bytes).filter(|starts| begins_with_key(bytes, starts));
        let starts = starts.or_else(|| (values.is_some() && has_anchors(bytes)).then(Vec::new));
        (starts.map(|starts| BlockText { text, starts }), values)
    }

    /// The text.
    pub(crate) fn text(&self) -> &[u8] {
        self.text.as_ref()
    }

    /// Returns another version of the text, and the keys of both versions that are around the difference. The text is
    /// given back if it has to be parsed as a whole.
    pub(crate) fn changed<U: AsRef<[u8]>>(&self, text: U) -> Result<(BlockText<U>, HashSet<String>), U> {
        match self.entries_that_differ(text.as_ref()) {
            Some((starts, keys)) => Ok((BlockText { text, starts }, keys)),
            None => Err(text),
        }
    }

    fn entries_that_differ(&self, other: &[u8]) -> Option<(Vec<usize>, HashSet<String>)> {
        let own = self.text();
        let front = common_start(own, other);
        let back = common_end(&own[front..], &other[front..]);
        // The last key that begins in the common start, and the first one in the common end, after a common line end.
        let first = self.starts.partition_point(|start| *start < front).checked_sub(1)?;
        let next = self.starts.partition_point(|start| *start <= own.len() - back);
        let start = self.starts[first];
        let moved = |offset: usize| offset + other.len() - own.len();
        let (own_end, other_end) = match self.starts.get(next) {
            Some(end) => (*end, moved(*end)),
            None => (own.len(), other.len()),
        };
        let (mut keys, _) = entries(own.get(start..own_end)?)?;
        let (other_keys, inner) = entries(other.get(start..other_end)?)?;
        keys.extend(other_keys);
        let before = self.starts[..first].iter().copied();
        let after = self.starts[next..].iter().map(|start| moved(*start));
        Some((before.chain(inner.into_iter().map(|offset| start + offset)).chain(after).collect(), keys))
    }
}

/// The keys of entries of a mapping in block style, which is a part of a string, and their offsets. `None` if the part may
/// mean something else than it does by itself.
fn entries(text: &[u8]) -> Option<(HashSet<String>, Vec<usize>)> {
    let is_mark = |line: &[u8]| matches!(line, [b'-', b'-', b'-', ..] | [b'.', b'.', b'.', ..] | [b'%', ..]);
    let starts = std::iter::once(0).chain(memchr_iter(b'\n', text).map(|at| at + 1));
    // Anchors, aliases and merges lead out of the part.
    if has_anchors(text) || contains(text, b"<<") || starts.into_iter().any(|start| is_mark(&text[start..])) {
        return None;
    }
    let document = parse(text)?;
    let starts = starts_of(&document, text).filter(|starts| starts.first() == Some(&0))?;
    let keys = hash_of(&document.value)?.keys().map(|key| key.as_str().map(str::to_owned)).collect::<Option<_>>()?;
    Some((keys, starts))
}

/// Returns whether anchors or aliases may be in a string: the character begins a word, outside of quotes at least.
fn has_anchors(text: &[u8]) -> bool {
    let begins = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        before.is_none_or(|before| {
            before.is_ascii_whitespace() || matches!(before, b',' | b'[' | b'{' | b':' | b'-' | b'?' | b'!')
        })
    };
    let has_name = |at: usize| text.get(at + 1).is_some_and(|next| !next.is_ascii_whitespace());
    memchr2_iter(b'&', b'*', text).any(|at| begins(at) && has_name(at))
}

/// Parses a string as Hiera parses a data file. `None` for a string with errors, which a lookup reports.
fn parse(text: &[u8]) -> Option<Document> {
    parse_with_positions(text, &yaml::Options::new("")).ok()
}

/// The root of a document, if its keys are strings. Hiera makes strings of symbols.
fn hash_of(root: &Value) -> Option<Hash> {
    let hash = root.as_hash()?;
    hash.keys().all(|key| matches!(key, Value::String(_))).then(|| hash.clone())
}

/// The offsets of the keys of the root, if each is at the beginning of a line, in the order of lines.
fn starts_of(document: &Document, text: &[u8]) -> Option<Vec<usize>> {
    // Other line ends of YAML would be counted as lines.
    let line_ends = [&b"\xc2\x85"[..], b"\xe2\x80\xa8", b"\xe2\x80\xa9"];
    let has_other_line_ends = || line_ends.iter().any(|line_end| contains(text, line_end));
    if text.contains(&b'\r') || !text.is_ascii() && has_other_line_ends() {
        return None;
    }
    let ends = memchr_iter(b'\n', text).map(|at| at + 1);
    let lines: Vec<usize> = std::iter::once(0).chain(ends).collect();
    let count = document.value.as_hash()?.len();
    let start = |index: usize| {
        let (at, _) = document.positions.entry(index).filter(|(at, _)| at.column == 1)?;
        lines.get(usize::try_from(at.line).ok()?.checked_sub(1)?).copied()
    };
    let starts: Vec<usize> = (0..count).map(start).collect::<Option<_>>()?;
    starts.is_sorted_by(|one, next| one < next).then_some(starts)
}

/// Returns whether nothing but comments and the mark of a document is before the first key, so that the root is a
/// mapping in block style.
fn begins_with_key(text: &[u8], starts: &[usize]) -> bool {
    let Some(before) = starts.first().and_then(|first| text.get(..*first)) else { return false };
    let is_nothing = |line: &[u8]| {
        let line = line.strip_prefix(b"---").unwrap_or(line).trim_ascii();
        line.is_empty() || line.starts_with(b"#")
    };
    before.split(|byte| *byte == b'\n').all(is_nothing)
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    memmem::find(text, part).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys around the difference, sorted, if the second text need not be parsed as a whole. Then no other key has
    /// another value, and the parts of the second text are those that parsing it as a whole gives.
    fn differing(one: &str, other: &str) -> Option<Vec<String>> {
        let (block, one_hash) = BlockText::parse(one.as_bytes());
        let (other_block, keys) = block?.changed(other.as_bytes()).ok()?;
        let (whole, other_hash) = BlockText::parse(other.as_bytes());
        let shown = format!("{one:?}\n{other:?}");
        // A key that is there twice has one position when the whole is parsed.
        let starts = whole.map(|whole| whole.starts).unwrap_or_default();
        assert!(starts.iter().all(|start| other_block.starts.contains(start)), "{shown}");
        let (one_hash, other_hash) = (one_hash.unwrap(), other_hash.unwrap());
        for key in one_hash.keys().chain(other_hash.keys()).filter_map(Value::as_str) {
            let is_same = one_hash.get(key) == other_hash.get(key);
            assert!(is_same || keys.contains(key), "{key}\n{shown}");
        }
        let mut keys: Vec<String> = keys.into_iter().collect();
        keys.sort();
        Some(keys)
    }

    #[test]
    fn only_entries_around_the_difference_are_parsed() {
        let text = "---\n# head\na: 1\nb:\n  - x\n  - y\n\n# of c\nc: |+\n  text\n\nd: {e: 1}\n";
        let changed = |from: &str, to: &str| differing(text, &text.replacen(from, to, 1)).map(|keys| keys.join(" "));
        for (from, to, keys) in [
            ("- x", "- z", Some("b")),
            ("a: 1", "a: 2", Some("a")),
            ("# of c", "# about c", Some("b")),
            ("d: {e: 1}\n", "", Some("c d")),
            ("d: {e: 1}\n", "d: {e: 1}\nf: 1\n", Some("d f")),
            ("b:\n", "new: 1\nb:\n", Some("a b new")),
            ("# head", "# other", None),
            ("- y", "- &y y", None),
            ("- y", "- '*.y & z'", Some("b")),
            ("- y", "- !x &y y", None),
            ("- y", "- 'y", None),
            ("- y", "- y\n---", None),
            ("- y", "- y\nword", None),
            ("  text", "text", None),
            ("d: {e: 1}", "d: {e: 1", None),
        ] {
            assert_eq!(changed(from, to).as_deref(), keys, "{from:?} {to:?}");
        }
        // Anchors and aliases in other entries mean the same before and after.
        let anchored = "a: &x 1\nb: [*x]\nc: 2\nd: {<<: &y {e: 1}}\nf: *y\n";
        let changed =
            |from: &str, to: &str| differing(anchored, &anchored.replacen(from, to, 1)).map(|keys| keys.join(" "));
        for (from, to, keys) in [
            ("c: 2", "c: 3", Some("c")),
            ("c: 2\n", "c: 2\nnew: 1\n", None),
            ("&x 1", "&x 2", None),
            ("[*x]", "[*x, 1]", None),
            ("c: 2", "c: &x 2", None),
            ("e: 1", "e: 2", None),
        ] {
            assert_eq!(changed(from, to).as_deref(), keys, "{from:?} {to:?}");
        }
        assert_eq!(differing("a: &x {b: 1}\n<<: *x\nc: 1\n", "a: &x {b: 1}\n<<: *x\nc: 2\n"), None);
        assert_eq!(differing("{\na: 1,\nb: 2\n}\n", "{\na: 1,\nb: 3\n}\n"), None);
        assert_eq!(differing("a: 1\r\nb: 2\r\n", "a: 1\r\nb: 3\r\n"), None);
        assert_eq!(differing("? a\n: 1\nb: 2\n", "? a\n: 1\nb: 3\n"), None);
    }

    #[test]
    fn random_changes_of_random_texts_are_never_judged_wrongly() {
        const LINES: [&str; 30] = [
            "a: 1",
            "b: 'x'",
            "\"c\": 2",
            "a: 3",
            "d:",
            "  - one",
            "  - two",
            "  e: 1",
            "f: |",
            "  text",
            "   more",
            "",
            "# comment",
            "g: 'long",
            "  text'",
            "h: [1,",
            "  2]",
            "i: {j: 1,",
            "k: 2}",
            "l: &m 5",
            "n: *m",
            "---",
            "...",
            "<<: {z: 1}",
            "word",
            "? o",
            ": p",
            "q: >-",
            "'r': \"s\\",
            "m: !ruby/sym x",
        ];
        let mut state = 88_172_645_463_325_252_u64;
        let mut next = |most: usize| {
            // Xorshift: the same numbers in each run.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % most as u64).unwrap()
        };
        let mut judged = 0;
        for _ in 0..30_000 {
            let count = 1 + next(9);
            let mut lines: Vec<&str> = (0..count).map(|_| LINES[next(LINES.len())]).collect();
            let one = lines.join("\n") + if next(4) == 0 { "" } else { "\n" };
            let at = next(lines.len());
            match next(3) {
                0 => lines[at] = LINES[next(LINES.len())],
                1 => lines.insert(at, LINES[next(LINES.len())]),
                _ => drop(lines.remove(at)),
            }
            let other = lines.join("\n") + if next(4) == 0 { "" } else { "\n" };
            judged += usize::from(differing(&one, &other).is_some());
        }
        // Most random strings are not YAML.
        assert!(judged > 300, "{judged}");
    }
}
