//! [`Keys`]: the tree of keys and values of a data file with their spans. It tolerates errors.
//!
//! A file is invalid most of the time while it is being typed. The tree keeps everything before the error. If that is
//! not enough, the [keys around an offset](path_at_line) are derived from the indentation of the lines.

mod braced;
mod hcl;

use hieratic::yaml::events::{Events, Kind};
use hieratic_diagnostics::Span;

pub(crate) use braced::{PartialInput, typed};

/// A value, and its name in its parent.
#[derive(Clone, Debug)]
pub(crate) struct KeyNode {
    /// The value that it is in; none for a document.
    pub(crate) parent: Option<usize>,
    /// The name in the parent.
    pub(crate) name: Name,
    /// The value.
    pub(crate) value: Value,
    /// The span of the value.
    pub(crate) span: Span,
    /// The name by which aliases call it.
    pub(crate) anchor: Option<String>,
}

/// The name of a value in its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// It is a document.
    Root,
    /// A key and its span.
    Key(String, Span),
    /// An element of a list.
    Element(usize),
    /// A key that is not a string.
    Other,
}

/// The kind of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Text, and whether it is in quotes or a block.
    Scalar(String, bool),
    /// Keys and values, in braces or not.
    Map(bool),
    /// A list, in brackets or not.
    List(bool),
    /// Another value once more.
    Alias(String),
}

/// The keys and values of a file, in document order: each comes after its parent.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    nodes: Vec<KeyNode>,
    /// Whether the file was read without an error.
    pub(crate) is_whole: bool,
}

/// The maximum number of values; larger files are not written by hand.
const MAX_VALUES: usize = 2_000_000;

/// The maximum nesting depth of collections: the scanner of YAML visits all open ones for each token.
const MAX_DEPTH: usize = 1_000;

/// A map or list that is open.
struct Open {
    node: usize,
    is_map: bool,
    /// The key whose value comes next.
    key: Option<Name>,
    elements: usize,
    /// Whether the collection is itself a key.
    is_key: bool,
}

impl Keys {
    /// Reads HOCON as far as it goes.
    pub(crate) fn parse_hocon(text: &str) -> Keys {
        braced::hocon(text)
    }

    /// Builds the tree of an HCL file.
    pub(crate) fn from_hcl(body: &hieratic_hcl_syntax::Body, text: &str, is_whole: bool) -> Keys {
        hcl::read(body, text, is_whole)
    }

    /// Reads YAML or JSON as far as it goes.
    pub(crate) fn parse_yaml(text: &str) -> Keys {
        let mut keys = Keys::default();
        let mut open: Vec<Open> = Vec::new();
        let mut events = Events::new(text.as_bytes());
        while keys.nodes.len() < MAX_VALUES && open.len() < MAX_DEPTH {
            let Ok(event) = events.next() else { break };
            let offset = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(text.len());
            let span = Span::new(offset(event.extent.0), offset(event.extent.1));
            let (value, anchor) = match event.kind {
                Kind::StreamEnd => {
                    keys.is_whole = true;
                    break;
                }
                Kind::SequenceEnd | Kind::MappingEnd => {
                    if let Some(closed) = open.pop() {
                        keys.close(closed.node, span.behind(), text);
                        if closed.is_key
                            && let Some(outer) = open.last_mut()
                        {
                            outer.key = Some(Name::Other);
                        }
                    }
                    continue;
                }
                Kind::Scalar(scalar) => {
                    if let Some(outer) = open.last_mut()
                        && outer.is_map
                        && outer.key.is_none()
                    {
                        outer.key = Some(Name::Key(scalar.text.into_owned(), span));
                        continue;
                    }
                    let anchor = scalar.marks.anchor.map(|anchor| anchor.into_owned());
                    (Value::Scalar(scalar.text.into_owned(), !scalar.plain), anchor)
                }
                Kind::Alias(name) => {
                    if let Some(outer) = open.last_mut()
                        && outer.is_map
                        && outer.key.is_none()
                    {
                        outer.key = Some(Name::Other);
                        continue;
                    }
                    (Value::Alias(name.into_owned()), None)
                }
                Kind::MappingStart(marks) => (Value::Map(marks.flow), marks.anchor.map(|anchor| anchor.into_owned())),
                Kind::SequenceStart(marks) => (Value::List(marks.flow), marks.anchor.map(|anchor| anchor.into_owned())),
                Kind::DocumentStart | Kind::DocumentEnd | Kind::Other => continue,
            };
            let is_key = open.last().is_some_and(|outer| outer.is_map && outer.key.is_none());
            let is_open = matches!(value, Value::Map(_) | Value::List(_));
            let is_map = matches!(value, Value::Map(_));
            let node = keys.add(&mut open, value, span, anchor, is_key);
            if is_open {
                open.push(Open { node, is_map, key: None, elements: 0, is_key });
            }
        }
        // At an error, open collections end with their last value.
        while let Some(closed) = open.pop() {
            keys.close(closed.node, 0, text);
        }
        keys
    }

    fn add(&mut self, open: &mut [Open], value: Value, span: Span, anchor: Option<String>, is_key: bool) -> usize {
        let (parent, name) = match open.last_mut() {
            None => (None, Name::Root),
            Some(outer) if is_key => (Some(outer.node), Name::Other),
            Some(outer) if outer.is_map => (Some(outer.node), outer.key.take().unwrap_or(Name::Other)),
            Some(outer) => {
                outer.elements += 1;
                (Some(outer.node), Name::Element(outer.elements - 1))
            }
        };
        self.nodes.push(KeyNode { parent, name, value, span, anchor });
        self.nodes.len() - 1
    }

    /// Closes a map or list: with brackets at the end of the event, otherwise at its last value.
    fn close(&mut self, node: usize, end: usize, text: &str) {
        let is_flow =
            matches!(self.nodes.get(node).map(|node| &node.value), Some(Value::Map(true) | Value::List(true)));
        // Without brackets, every value inside has a line with an indentation as long as its depth: looking at all of them takes no longer than
        // reading them.
        let end = if is_flow && end > 0 {
            Some(end)
        } else {
            self.nodes.get(node + 1..).unwrap_or_default().iter().map(|inner| inner.span.behind()).max()
        };
        let Some(closed) = self.nodes.get_mut(node) else { return };
        closed.span = Span::new(closed.span.first(), end.unwrap_or(closed.span.behind()).min(text.len()));
    }

    /// Returns all values, each after its parent.
    pub(crate) fn nodes(&self) -> &[KeyNode] {
        &self.nodes
    }

    /// A value.
    pub(crate) fn node(&self, index: usize) -> Option<&KeyNode> {
        self.nodes.get(index)
    }

    /// The values directly in another.
    pub(crate) fn children(&self, parent: usize) -> impl Iterator<Item = (usize, &KeyNode)> {
        let after = self.nodes.iter().enumerate().skip(parent + 1);
        // The descendants come directly after a value, up to the first value whose parent comes before it.
        let inside = after.take_while(move |(_, node)| node.parent >= Some(parent));
        inside.filter(move |(_, node)| node.parent == Some(parent))
    }

    /// The keys at the top of all documents, with their values.
    pub(crate) fn top(&self) -> impl Iterator<Item = (usize, &str, Span, &KeyNode)> {
        self.nodes.iter().enumerate().filter_map(|(index, node)| {
            let is_top = self.nodes.get(node.parent?)?.parent.is_none();
            match &node.name {
                Name::Key(key, span) if is_top => Some((index, key.as_str(), *span, node)),
                _ => None,
            }
        })
    }

    /// Returns the path to a value, the outermost name first; elements of lists are named by their indexes.
    pub(crate) fn path(&self, index: usize) -> Vec<String> {
        let mut path = Vec::new();
        let mut at = Some(index);
        while let Some(node) = at.and_then(|at| self.nodes.get(at)) {
            match &node.name {
                Name::Key(key, _) => path.push(key.clone()),
                Name::Element(number) => path.push(number.to_string()),
                Name::Root | Name::Other => {}
            }
            at = node.parent;
        }
        path.reverse();
        path
    }

    /// Returns the innermost value whose key or value contains an offset, and whether the offset is in the key.
    pub(crate) fn at(&self, offset: usize) -> Option<(usize, bool)> {
        let mut best: Option<(usize, bool)> = None;
        for (index, node) in self.nodes.iter().enumerate() {
            if let Name::Key(_, span) = &node.name
                && span.touches(offset)
            {
                best = Some((index, true));
            } else if node.span.touches(offset) && node.span.end > node.span.start {
                best = Some((index, false));
            }
        }
        best
    }

    /// The key of the top that a value is under.
    pub(crate) fn top_of(&self, index: usize) -> Option<usize> {
        let mut at = index;
        loop {
            let parent = self.nodes.get(at)?.parent?;
            if self.nodes.get(parent)?.parent.is_none() {
                return matches!(self.nodes.get(at)?.name, Name::Key(..)).then_some(at);
            }
            at = parent;
        }
    }

    /// From the key of a value to its end.
    pub(crate) fn whole(&self, index: usize) -> Span {
        match self.nodes.get(index) {
            Some(KeyNode { name: Name::Key(_, key), span, .. }) => {
                Span { start: key.start, end: span.end.max(key.end) }
            }
            Some(node) => node.span,
            None => Span::default(),
        }
    }
}

/// Returns the keys around an offset by the indentation of the lines above, the outermost first. It works for files
/// that cannot be parsed.
pub(crate) fn path_at_line(text: &str, offset: usize) -> Vec<String> {
    let before = text.get(..offset).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let rest = text.get(line_start..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default();
    // An empty line is as deep as the cursor.
    let depth = if line.trim().is_empty() { offset - line_start } else { indentation(line) };
    let mut path = Vec::new();
    let mut limit = depth;
    for line in text.get(..line_start).unwrap_or_default().lines().rev() {
        let words = line.trim_start();
        if words.is_empty() || words.starts_with('#') || words.starts_with("---") {
            continue;
        }
        let own = indentation(line);
        if own >= limit {
            continue;
        }
        limit = own;
        if let Some(key) = key_of_line(words) {
            path.push(key);
        }
        if own == 0 {
            break;
        }
    }
    path.reverse();
    path
}

/// Returns the indentation of the content of a line: an element of a list begins after its mark.
fn indentation(line: &str) -> usize {
    let mut rest = line.trim_start_matches(' ');
    while let Some(after) = rest.strip_prefix("- ") {
        rest = after.trim_start_matches(' ');
    }
    line.len() - rest.len()
}

/// The key that a line begins with.
pub(crate) fn key_of_line(line: &str) -> Option<String> {
    let words = line.trim_start().trim_start_matches("- ").trim_start();
    let quote = words.chars().next().filter(|c| matches!(c, '"' | '\''));
    match quote {
        Some(quote) => {
            let rest = &words[1..];
            let end = rest.find(quote)?;
            rest[end + 1..].trim_start().starts_with(':').then(|| rest[..end].to_owned())
        }
        None => {
            let end =
                words.find(": ").or_else(|| words.trim_end().ends_with(':').then(|| words.trim_end().len() - 1))?;
            let key = words[..end].trim_end();
            (!key.is_empty()).then(|| key.to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_collections_are_followed_to_a_limit() {
        for text in ["[", "{\"a\": [", "- "] {
            let keys = Keys::parse_yaml(&text.repeat(100_000));
            assert_eq!((keys.nodes().len(), keys.is_whole), (MAX_DEPTH, false), "{text}");
        }
        let keys = Keys::parse_yaml(&format!("{}1{}", "[".repeat(MAX_DEPTH - 1), "]".repeat(MAX_DEPTH - 1)));
        assert_eq!((keys.nodes().len(), keys.is_whole), (MAX_DEPTH, true));
    }

    #[test]
    fn values_have_paths_and_spans() {
        let text = "# c\na::b: 1\nc:\n  d: [x, {e: f}]\n  'g': &h |\n    i\n";
        let keys = Keys::parse_yaml(text);
        assert!(keys.is_whole);
        let at = |part: &str| keys.at(text.find(part).unwrap()).unwrap();
        let path = |part: &str| keys.path(at(part).0).join("/");
        assert_eq!((path("a::b"), at("a::b").1), ("a::b".to_owned(), true));
        assert_eq!((path("1\n"), at("1\n").1), ("a::b".to_owned(), false));
        assert_eq!(path("x,"), "c/d/0");
        assert_eq!(path("f}"), "c/d/1/e");
        assert_eq!(path("    i"), "c/g");
        assert_eq!(keys.top().map(|(_, key, ..)| key).collect::<Vec<_>>(), ["a::b", "c"]);
        let whole = keys.whole(keys.top().nth(1).unwrap().0);
        assert_eq!(&text[whole.range()].lines().count(), &4);
        assert_eq!(keys.path(keys.top_of(at("f}").0).unwrap()), ["c"]);
    }

    #[test]
    fn keys_before_an_error_are_kept() {
        let keys = Keys::parse_yaml("a: 1\nb:\n  c: 2\n d: [\n");
        assert!(!keys.is_whole);
        assert_eq!(keys.top().next().map(|(_, key, ..)| key), Some("a"));
        assert_eq!(Keys::parse_yaml("{\"a\": {\"b\": 1}}").top().count(), 1);
        for text in ["", "? [a]\n: b\n", "*a", "&a", "[", "a: *b", "? {a: b}\n: c\n"] {
            let keys = Keys::parse_yaml(text);
            for offset in 0..=text.len() {
                let _ = keys.at(offset);
            }
        }
    }

    #[test]
    fn indentation_determines_the_path_in_invalid_files() {
        let text = "a: 1\nb:\n  c:\n    - d: 1\n      \n  \ne\n";
        assert_eq!(path_at_line(text, text.find("      \n").unwrap() + 6), ["b", "c"]);
        assert_eq!(path_at_line(text, text.find("\n  \ne").unwrap() + 3), ["b"]);
        assert_eq!(path_at_line(text, text.find("\ne\n").unwrap() + 2), [] as [&str; 0]);
        assert_eq!(key_of_line("  'a b' : 1"), Some("a b".into()));
        assert_eq!(key_of_line("profile::x:"), Some("profile::x".into()));
        assert_eq!(key_of_line("no key"), None);
    }
}
