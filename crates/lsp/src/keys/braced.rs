//! The keys of HOCON, and the cursor position in HOCON and JSON. Both are derived from braces, so they also work in
//! incomplete files.

use hieratic::hocon::{Word, WordKind, words};
use hieratic_diagnostics::Span;

use super::{KeyNode, Keys, Name, Value};

/// The maximum nesting depth of braces.
const MAX_DEPTH: usize = 200;

/// Reads HOCON as far as possible.
pub(super) fn hocon(text: &str) -> Keys {
    let mut words = words(text);
    let is_sound = words.iter().all(|word| word.kind != WordKind::Fault);
    words.retain(|word| word.kind != WordKind::Comment);
    let mut reader = Reader { text, words, at: 0, keys: Keys::default(), is_whole: is_sound };
    let root = reader.add(None, Name::Root, Value::Map(true), Span::new(0, text.len()));
    reader.skip_lines();
    // The braces around everything may be left out.
    if reader.kind() == Some(WordKind::OpenMap) {
        reader.at += 1;
        reader.map(root, true, 1);
    } else {
        reader.map(root, false, 1);
    }
    reader.skip_lines();
    reader.is_whole &= reader.kind().is_none();
    reader.keys.is_whole = reader.is_whole;
    reader.keys
}

struct Reader<'t> {
    text: &'t str,
    words: Vec<Word>,
    at: usize,
    keys: Keys,
    is_whole: bool,
}

impl Reader<'_> {
    fn kind(&self) -> Option<WordKind> {
        Some(self.words.get(self.at)?.kind)
    }

    fn add(&mut self, parent: Option<usize>, name: Name, value: Value, span: Span) -> usize {
        self.keys.nodes.push(KeyNode { parent, name, value, span, anchor: None });
        self.keys.nodes.len() - 1
    }

    fn skip_lines(&mut self) {
        while matches!(self.kind(), Some(WordKind::Newline)) {
            self.at += 1;
        }
    }

    /// Returns the end of the previous word.
    fn behind(&self) -> usize {
        let last = self.at.checked_sub(1).and_then(|at| self.words.get(at));
        last.map_or(0, |word| word.span.end)
    }

    /// The fields up to the brace that closes them, or the end.
    fn map(&mut self, parent: usize, has_brace: bool, depth: usize) {
        while let Some(kind) = self.kind() {
            match kind {
                WordKind::CloseMap if has_brace => {
                    self.at += 1;
                    self.end(parent);
                    return;
                }
                WordKind::Newline | WordKind::Comma => self.at += 1,
                WordKind::Text | WordKind::Quoted | WordKind::Number | WordKind::Literal => self.field(parent, depth),
                // A word that belongs nowhere.
                _ => {
                    self.is_whole = false;
                    self.at += 1;
                }
            }
        }
        self.is_whole &= !has_brace;
        self.end(parent);
    }

    fn end(&mut self, node: usize) {
        let end = Span::at(self.behind()).end;
        if let Some(node) = self.keys.nodes.get_mut(node) {
            node.span.end = node.span.end.max(end);
        }
    }

    fn field(&mut self, parent: usize, depth: usize) {
        let first = self.at;
        while matches!(self.kind(), Some(WordKind::Text | WordKind::Quoted | WordKind::Number | WordKind::Literal)) {
            self.at += 1;
        }
        let (start, end) = (self.words[first].span.start, self.behind());
        if self.text.get(start..self.words[first].span.end) == Some("include") {
            // An include has no result, and its file name is not the value of a key.
            return;
        }
        let mut path = path(self.text, start, end);
        let Some((last, last_at)) = path.pop() else { return };
        let mut outer = parent;
        let mut opened = Vec::new();
        for (name, at) in path {
            outer = self.add(Some(outer), Name::Key(name, at), Value::Map(true), Span { start: at.end, end: at.end });
            opened.push(outer);
        }
        let name = Name::Key(last, last_at);
        match self.kind() {
            Some(WordKind::Separator) => {
                self.at += 1;
                // A value may begin on another line. A word that is followed by a separator there is the next key.
                let line = self.at;
                self.skip_lines();
                let after = self.words[self.at..].iter().find(|word| {
                    !matches!(word.kind, WordKind::Text | WordKind::Quoted | WordKind::Number | WordKind::Literal)
                });
                if self.at > line && after.is_some_and(|word| word.kind == WordKind::Separator) {
                    self.at = line;
                }
                self.value(outer, name, depth);
            }
            Some(WordKind::OpenMap) => self.value(outer, name, depth),
            // The value is not written yet.
            _ => {
                self.is_whole = false;
                self.add(Some(outer), name, Value::Scalar(String::new(), false), Span::new(end, end));
            }
        }
        for node in opened {
            self.end(node);
        }
    }

    /// Reads adjacent values up to the end of the line. The first of several maps or lists represents all of them.
    fn value(&mut self, parent: usize, name: Name, depth: usize) {
        let begin = self.words.get(self.at).map_or(self.text.len(), |word| word.span.start);
        let begin_at = self.at;
        let mut node = None;
        while let Some(kind) = self.kind() {
            let is_map = match kind {
                WordKind::OpenMap => true,
                WordKind::OpenList => false,
                WordKind::Newline | WordKind::Comma | WordKind::CloseMap | WordKind::CloseList => break,
                WordKind::Separator => {
                    self.is_whole = false;
                    self.at += 1;
                    continue;
                }
                _ => {
                    self.at += 1;
                    continue;
                }
            };
            self.at += 1;
            let value = if is_map { Value::Map(true) } else { Value::List(true) };
            let is_first = node.is_none();
            let item = match node {
                Some(item) => item,
                None => {
                    let start = self.words[self.at - 1].span.start;
                    let item = self.add(Some(parent), name.clone(), value, Span::new(start, start + 1));
                    node = Some(item);
                    item
                }
            };
            if depth >= MAX_DEPTH {
                self.is_whole = false;
                return;
            }
            if is_map { self.map(item, true, depth + 1) } else { self.list(item, is_first, depth + 1) }
        }
        if let Some(node) = node {
            self.end(node);
            return;
        }
        let span = Span::new(begin, if self.at > begin_at { self.behind() } else { begin });
        let written = self.text.get(span.range()).unwrap_or_default();
        let is_quoted = self.at == begin_at + 1 && self.words[begin_at].kind == WordKind::Quoted;
        let text = if is_quoted { unquoted(written) } else { written.to_owned() };
        self.is_whole &= self.at > begin_at;
        self.add(Some(parent), name, Value::Scalar(text, is_quoted), span);
    }

    fn list(&mut self, parent: usize, counts: bool, depth: usize) {
        let mut number = 0;
        while let Some(kind) = self.kind() {
            match kind {
                WordKind::CloseList => {
                    self.at += 1;
                    self.end(parent);
                    return;
                }
                WordKind::Newline | WordKind::Comma => self.at += 1,
                // The list was never closed: its brace is that of a map around it.
                WordKind::CloseMap => break,
                _ => {
                    let name = if counts { Name::Element(number) } else { Name::Other };
                    number += 1;
                    self.value(parent, name, depth);
                }
            }
        }
        self.is_whole = false;
        self.end(parent);
    }
}

/// Returns the keys of a path with their spans: `a."b.c"` has two.
fn path(text: &str, start: usize, end: usize) -> Vec<(String, Span)> {
    let written = text.get(start..end).unwrap_or_default();
    let mut found = Vec::new();
    let mut from = 0;
    let mut is_quoted = false;
    let mut letters = written.char_indices().peekable();
    let mut push = |from: usize, to: usize| {
        let part = &written[from..to];
        let blank = part.len() - part.trim_start().len();
        let part = part.trim();
        let at = Span::new(start + from + blank, start + from + blank + part.len());
        found.push((if part.starts_with('"') { unquoted(part) } else { part.to_owned() }, at));
    };
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '\\' if is_quoted => drop(letters.next()),
            '.' if !is_quoted => {
                push(from, at);
                from = at + 1;
            }
            _ => {}
        }
    }
    push(from, written.len());
    found
}

/// The content of quoted text.
fn unquoted(written: &str) -> String {
    if let Some(inside) = written.strip_prefix("\"\"\"") {
        return inside.strip_suffix("\"\"\"").unwrap_or(inside).to_owned();
    }
    let inside = written.strip_prefix('"').unwrap_or(written);
    let inside = inside.strip_suffix('"').unwrap_or(inside);
    let mut text = String::with_capacity(inside.len());
    let mut letters = inside.chars();
    while let Some(letter) = letters.next() {
        text.push(match letter {
            '\\' => match letters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('u') => {
                    let digits: String = letters.by_ref().take(4).collect();
                    let code = u32::from_str_radix(&digits, 16).ok();
                    code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
                }
                Some(other) => other,
                None => break,
            },
            letter => letter,
        });
    }
    text
}

/// The word at the cursor between braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartialInput {
    /// The keys of the maps around.
    pub(crate) path: Vec<String>,
    /// The key whose value is being typed; `None` if a key is being typed.
    pub(crate) key: Option<String>,
    /// Whether an element of a list is being typed.
    pub(crate) is_element: bool,
    /// The part of the word before the cursor.
    pub(crate) text: String,
    /// Whether a quote is open.
    pub(crate) is_quoted: bool,
}

/// A brace that is open.
struct Open {
    is_map: bool,
    /// The start and the end of the words of the key.
    key: Option<(usize, usize)>,
    has_separator: bool,
    has_value: bool,
}

impl Open {
    fn new(is_map: bool) -> Open {
        Open { is_map, key: None, has_separator: false, has_value: false }
    }

    fn next(&mut self) {
        *self = Open::new(self.is_map);
    }
}

/// Returns the word at an offset of HOCON or JSON; `None` in a comment.
pub(crate) fn typed(text: &str, offset: usize) -> Option<PartialInput> {
    let before = text.get(..offset)?;
    let mut open = vec![Open::new(true)];
    let mut last: Option<Word> = None;
    let all = words(before);
    for word in &all {
        let enclosing = open.last_mut()?;
        match word.kind {
            WordKind::OpenMap | WordKind::OpenList => {
                enclosing.has_value = true;
                // The braces around everything may be left out; if they are not, nothing is around them.
                if word.kind == WordKind::OpenMap && open.len() == 1 && around_is_empty(&open) {
                    open.clear();
                }
                open.push(Open::new(word.kind == WordKind::OpenMap));
            }
            WordKind::CloseMap | WordKind::CloseList => {
                if open.len() > 1 {
                    open.pop();
                }
                if let Some(enclosing) = open.last_mut() {
                    enclosing.has_value = true;
                }
            }
            WordKind::Newline if enclosing.has_value || !enclosing.has_separator => enclosing.next(),
            WordKind::Comma => enclosing.next(),
            WordKind::Separator => enclosing.has_separator = true,
            WordKind::Newline => {}
            WordKind::Comment if word.span.end == offset => return None,
            WordKind::Comment => {}
            _ if enclosing.is_map && !enclosing.has_separator => {
                enclosing.key = Some((enclosing.key.map_or(word.span.start, |(start, _)| start), word.span.end));
            }
            _ => enclosing.has_value = true,
        }
        last = Some(word.clone());
    }
    let written = match &last {
        Some(word) if word.span.end == offset && !is_sign(word.kind) => &before[word.span.clone()],
        _ => "",
    };
    let is_quoted = written.starts_with('"') && last.as_ref().is_some_and(|word| word.kind == WordKind::Fault);
    let word = if is_quoted { written[1..].to_owned() } else { written.trim_matches('"').to_owned() };
    let name = |open: &Open| open.key.map(|(start, end)| path(before, start, end).into_iter().map(|(name, _)| name));
    let (innermost, outer) = open.split_last()?;
    let names: Vec<String> = outer.iter().filter_map(name).flatten().collect();
    let mut own: Vec<String> = if innermost.is_map && innermost.has_separator {
        name(innermost).into_iter().flatten().collect()
    } else {
        Vec::new()
    };
    let key = own.pop();
    let path = names.into_iter().chain(own).collect();
    Some(PartialInput { path, key, is_element: !innermost.is_map, text: word, is_quoted })
}

fn around_is_empty(open: &[Open]) -> bool {
    open.last().is_none_or(|outer| outer.key.is_none())
}

fn is_sign(kind: WordKind) -> bool {
    use WordKind::{CloseList, CloseMap, Comma, Newline, OpenList, OpenMap, Separator};
    matches!(kind, OpenMap | CloseMap | OpenList | CloseList | Separator | Comma | Newline)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hocon_keys_have_spans() {
        let text = "# c\n\"a::b\" : 1\r\nc.d { e = [x, {f: \u{1f600}}], g += ${c.d} }\nh = \"i\\\"j\" # k\n";
        let keys = hocon(text);
        assert!(keys.is_whole);
        let leaves: Vec<(String, &str)> = keys
            .nodes()
            .iter()
            .enumerate()
            .filter(|(_, node)| matches!(node.value, Value::Scalar(..)))
            .map(|(index, node)| (keys.path(index).join("/"), &text[node.span.range()]))
            .collect();
        let expected =
            [("a::b", "1"), ("c/d/e/0", "x"), ("c/d/e/1/f", "\u{1f600}"), ("c/d/g", "${c.d}"), ("h", "\"i\\\"j\"")];
        assert_eq!(leaves, expected.map(|(path, text)| (path.to_owned(), text)));
        assert_eq!(keys.top().map(|(_, key, ..)| key).collect::<Vec<_>>(), ["a::b", "c", "h"]);
        let (index, _, span, _) = keys.top().nth(1).unwrap();
        assert_eq!(&text[span.range()], "c");
        assert!(text[..keys.whole(index).behind()].ends_with("${c.d} }"));
        assert!(keys.at(text.find("a::b").unwrap()).unwrap().1);
        assert!(hocon("{\"a\": {\"b\": 1}}").is_whole);
    }

    #[test]
    fn incomplete_files_keep_their_valid_keys() {
        for (text, tops) in [
            ("a = 1\nb\nc = 2\n", vec!["a", "b", "c"]),
            ("a { b = \"x\nc = 2\n", vec!["a"]),
            ("a = [1, 2\nb = 3\n", vec!["a"]),
            ("a = 1\n}\nb = 2", vec!["a", "b"]),
            ("a = \nb = 2", vec!["a", "b"]),
        ] {
            let keys = hocon(text);
            assert!(keys.top().map(|(_, key, ..)| key).eq(tops), "{text}: {keys:?}");
        }
        for text in ["", "{", "[", "a.", "\"", "a {{{", "]]]", "${", "a = [[[", &"{a:".repeat(5000), &"[".repeat(5000)]
        {
            let keys = hocon(text);
            for offset in (0..=text.len()).take(20) {
                let _ = (keys.at(offset), typed(text, offset));
            }
        }
    }

    #[test]
    fn braces_determine_the_path_at_the_cursor() {
        let at = |text: &str| typed(text, text.len()).unwrap();
        let to_item = |path: &[&str], key: Option<&str>, is_element, text: &str, is_quoted| PartialInput {
            path: path.iter().map(|part| (*part).to_owned()).collect(),
            key: key.map(str::to_owned),
            is_element,
            text: text.to_owned(),
            is_quoted,
        };
        assert_eq!(at("a = 1\nprof"), to_item(&[], None, false, "prof", false));
        assert_eq!(at("{\"a\": 1, \"prof"), to_item(&[], None, false, "prof", true));
        assert_eq!(at("{\"a\": {\"b\": "), to_item(&["a"], Some("b"), false, "", false));
        assert_eq!(at("a.b { c = fa"), to_item(&["a", "b"], Some("c"), false, "fa", false));
        assert_eq!(at("a { b = 1 }\nc"), to_item(&[], None, false, "c", false));
        assert_eq!(at("a = [x, \"y"), to_item(&["a"], None, true, "y", true));
        assert_eq!(at("{\"a\": [{\"b\": \"x\", \""), to_item(&["a"], None, false, "", true));
        assert_eq!(typed("a = 1 # no", 10), None);
    }
}
