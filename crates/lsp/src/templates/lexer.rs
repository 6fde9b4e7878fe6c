//! [`Template`]: the tags of a Jinja2 or ERB template and the words in them. The lexer accepts incomplete templates.

use hieratic_diagnostics::Span;

/// The kind of a word in a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordKind {
    /// A name, or a keyword.
    Name,
    /// A quoted string.
    String,
    /// A number.
    Number,
    /// A comment of Ruby.
    Comment,
    /// An operator or a bracket.
    Sign,
}

/// A word in a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) kind: WordKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Word {
    /// Returns the span of the word.
    pub(crate) fn span(self) -> Span {
        Span::new(self.start, self.end)
    }
}

/// The kind of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TagKind {
    /// Code: `{% %}`, `<% %>`.
    Statement,
    /// A value: `{{ }}`, `<%= %>`.
    Output,
    /// A comment: `{# #}`, `<%# %>`.
    Comment,
}

/// A tag.
#[derive(Clone, Debug)]
pub(crate) struct Tag {
    pub(crate) kind: TagKind,
    /// All of it.
    pub(crate) span: Span,
    /// The span between the delimiters.
    pub(crate) inside: Span,
    /// Whether the tag has an end delimiter.
    pub(crate) is_closed: bool,
    pub(crate) words: Vec<Word>,
}

/// The tags of a template.
#[derive(Debug, Default)]
pub(crate) struct Template {
    pub(crate) tags: Vec<Tag>,
}

/// The maximum number of words of a template.
const MAX_WORDS: usize = 1_000_000;

/// The delimiters of Jinja2's tags.
const JINJA: [(&str, &str, TagKind); 3] =
    [("{%", "%}", TagKind::Statement), ("{{", "}}", TagKind::Output), ("{#", "#}", TagKind::Comment)];

impl Template {
    /// The tags of Jinja2. What `raw` keeps is text.
    pub(crate) fn jinja(text: &str) -> Template {
        let mut tags = Vec::new();
        let (mut at, mut count, mut is_raw) = (0, 0, false);
        while let Some((start, (_, closes, kind))) = next_of(text, at) {
            if count > MAX_WORDS {
                break;
            }
            let begin = start + 2;
            let mut inside = begin;
            if text[inside..].starts_with(['-', '+']) {
                inside += 1;
            }
            let (words, end) = match kind {
                TagKind::Comment => (Vec::new(), text[inside..].find(closes).map(|found| inside + found)),
                _ => words(text, inside, Some(closes), Syntax::Python),
            };
            count += words.len();
            let content = end.unwrap_or_else(|| words.last().map_or(inside, |word| word.end));
            let stop = end.map_or(content, |end| end + 2);
            let trimmed = text[inside..content].strip_suffix(['-', '+']).map_or(content, |_| content - 1).max(inside);
            let first = words.first().map(|word| &text[word.start..word.end]);
            if !is_raw || first == Some("endraw") {
                is_raw = kind == TagKind::Statement && first == Some("raw");
                let inside = Span::new(inside, trimmed);
                tags.push(Tag { kind, span: Span::new(start, stop), inside, is_closed: end.is_some(), words });
            }
            at = stop.max(begin);
        }
        Template { tags }
    }

    /// The tags of ERB.
    pub(crate) fn erb(text: &str) -> Template {
        let mut tags = Vec::new();
        let (mut at, mut count) = (0, 0);
        while let Some(found) = text.get(at..).and_then(|rest| rest.find("<%")) {
            if count > MAX_WORDS {
                break;
            }
            let start = at + found;
            let mark = text.as_bytes().get(start + 2);
            if mark == Some(&b'%') {
                at = start + 3;
                continue;
            }
            let (kind, inside) = match mark {
                Some(b'=') => (TagKind::Output, start + 3),
                Some(b'#') => (TagKind::Comment, start + 3),
                Some(b'-') => (TagKind::Statement, start + 3),
                _ => (TagKind::Statement, start + 2),
            };
            let end = text[inside..].find("%>").map(|found| inside + found);
            let content = end.unwrap_or(text.len());
            let stop = end.map_or(content, |end| end + 2);
            let trimmed = text[inside..content].strip_suffix('-').map_or(content, |_| content - 1);
            let words = match kind {
                TagKind::Comment => Vec::new(),
                _ => words(&text[..trimmed], inside, None, Syntax::Ruby).0,
            };
            count += words.len();
            let inside = Span::new(inside, trimmed);
            tags.push(Tag { kind, span: Span::new(start, stop), inside, is_closed: end.is_some(), words });
            at = stop;
        }
        Template { tags }
    }

    /// Returns the tag around an offset.
    pub(crate) fn tag_at(&self, offset: usize) -> Option<&Tag> {
        let index = self.tags.partition_point(|tag| tag.span.first() < offset);
        let tag = self.tags.get(index.checked_sub(1)?)?;
        (tag.inside.first() <= offset && (offset <= tag.inside.behind() || !tag.is_closed)).then_some(tag)
    }

    /// Returns the word at an offset, with its tag and its index in the tag; of two adjacent words, a name.
    pub(crate) fn word_at(&self, offset: usize) -> Option<(&Tag, usize)> {
        let tag = self.tag_at(offset)?;
        let touching = tag.words.iter().enumerate().filter(|(_, word)| word.start <= offset && offset <= word.end);
        let best = touching.min_by_key(|(_, word)| (word.kind == WordKind::Sign, word.end == offset))?;
        Some((tag, best.0))
    }

    /// All words with their tags.
    pub(crate) fn words(&self) -> impl Iterator<Item = (&Tag, usize, Word)> {
        self.tags.iter().flat_map(|tag| tag.words.iter().enumerate().map(move |(index, word)| (tag, index, *word)))
    }
}

impl Tag {
    /// A word as written.
    pub(crate) fn text<'t>(&self, text: &'t str, index: usize) -> &'t str {
        self.words.get(index).and_then(|word| text.get(word.span().range())).unwrap_or_default()
    }

    /// The word before another.
    pub(crate) fn before<'t>(&self, text: &'t str, index: usize) -> &'t str {
        index.checked_sub(1).map_or("", |index| self.text(text, index))
    }
}

/// Returns the next tag of Jinja2 from an offset on.
fn next_of(text: &str, from: usize) -> Option<(usize, (&'static str, &'static str, TagKind))> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == b'{')?;
        let found = JINJA.iter().find(|(opens, ..)| bytes[at..].starts_with(opens.as_bytes()));
        if let Some(found) = found {
            return Some((at, *found));
        }
        at += 1;
    }
}

/// The language of the words.
#[derive(Clone, Copy, PartialEq)]
enum Syntax {
    Python,
    Ruby,
}

/// Returns the words from an offset up to the end delimiter of the tag, and the offset of the delimiter. Without it, a
/// tag of Jinja2 ends where another one begins.
fn words(text: &str, from: usize, closes: Option<&str>, syntax: Syntax) -> (Vec<Word>, Option<usize>) {
    let mut found = Vec::new();
    let mut at = from;
    let bytes = text.as_bytes();
    // A dictionary may end with the same braces.
    let mut braces = 0_usize;
    while let Some(&byte) = bytes.get(at) {
        let rest = &text[at..];
        if let Some(closes) = closes {
            let dashed = rest.strip_prefix(['-', '+']).is_some_and(|rest| rest.starts_with(closes));
            if rest.starts_with(closes) && (braces == 0 || closes != "}}") {
                return (found, Some(at));
            }
            if dashed && braces == 0 {
                return (found, Some(at + 1));
            }
            if JINJA.iter().any(|(opens, ..)| *opens != "{{" && rest.starts_with(opens)) {
                return (found, None);
            }
        }
        let letter = rest.chars().next().unwrap_or(' ');
        let (kind, length) = if letter.is_whitespace() {
            at += letter.len_utf8();
            continue;
        } else if matches!(byte, b'"' | b'\'') {
            (WordKind::String, string(rest, byte))
        } else if syntax == Syntax::Ruby && byte == b'#' {
            (WordKind::Comment, rest.find('\n').unwrap_or(rest.len()))
        } else if byte.is_ascii_digit() {
            let ends = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_')));
            (WordKind::Number, ends.unwrap_or(rest.len()))
        } else if letter.is_alphabetic()
            || letter == '_'
            || syntax == Syntax::Ruby && matches!(byte, b'@' | b'$' | b':')
        {
            (WordKind::Name, name(rest, syntax))
        } else {
            match byte {
                b'{' => braces += 1,
                b'}' => braces = braces.saturating_sub(1),
                _ => {}
            }
            (WordKind::Sign, letter.len_utf8())
        };
        let length = length.max(letter.len_utf8());
        let kind = if kind == WordKind::Name && length == 1 && byte == b':' { WordKind::Sign } else { kind };
        found.push(Word { kind, start: at, end: at + length });
        at += length;
    }
    (found, None)
}

/// Returns the length of a quoted string; it ends with its line if it is not terminated.
fn string(rest: &str, quote: u8) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            byte if *byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    rest.find('\n').unwrap_or(rest.len())
}

/// Returns the length of a name, including Ruby's prefixes and suffixes.
fn name(rest: &str, syntax: Syntax) -> usize {
    let front = match syntax {
        Syntax::Ruby if rest.starts_with("@@") || rest.starts_with("::") => 2,
        Syntax::Ruby if rest.starts_with(['@', '$', ':']) => 1,
        _ => 0,
    };
    let body = &rest[front..];
    let length = front + body.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(body.len());
    let after = &rest[length..];
    let is_mark = syntax == Syntax::Ruby && after.starts_with(['?', '!']) && !after[1..].starts_with('=');
    if is_mark && length > front { length + 1 } else { length }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of<'t>(template: &Template, text: &'t str) -> Vec<Vec<&'t str>> {
        let tag = |tag: &Tag| (0..tag.words.len()).map(|index| tag.text(text, index)).collect();
        template.tags.iter().map(tag).collect()
    }

    #[test]
    fn tags_of_jinja_have_words() {
        let text = "\u{1f600} {% if a -%}\r\n{{ {'b': c|d(1.5)} }}{# no #}{% raw %}{{ x }}{% endraw %}{{ e";
        let template = Template::jinja(text);
        let expected: [Vec<&str>; 6] = [
            vec!["if", "a"],
            vec!["{", "'b'", ":", "c", "|", "d", "(", "1.5", ")", "}"],
            vec![],
            vec!["raw"],
            vec!["endraw"],
            vec!["e"],
        ];
        assert_eq!(words_of(&template, text), expected);
        let inside = template.tags[0].inside;
        assert_eq!(&text[inside.range()], " if a ");
        let (tag, index) = template.word_at(text.find("c|").unwrap()).unwrap();
        assert_eq!(tag.text(text, index), "c");
        // A tag that is never closed ends where the next statement begins.
        assert_eq!(words_of(&Template::jinja("{{ a {% b %}"), "{{ a {% b %}"), [vec!["a"], vec!["b"]]);
    }

    #[test]
    fn tags_of_erb_have_words() {
        let text = "<%- @a.each do |b| -%>\n<%= scope['x::y'] + \"#{b}\" # c\n%><%# no %><%% text <% d? :e";
        let template = Template::erb(text);
        let expected: [Vec<&str>; 4] = [
            vec!["@a", ".", "each", "do", "|", "b", "|"],
            vec!["scope", "[", "'x::y'", "]", "+", "\"#{b}\"", "# c"],
            vec![],
            vec!["d?", ":e"],
        ];
        assert_eq!(words_of(&template, text), expected);
    }

    #[test]
    fn any_input_is_lexed_without_a_panic() {
        for text in [
            "{%",
            "{{",
            "{#",
            "<%",
            "{{ 'a",
            "{{ \"\\",
            "<%= '\\",
            "{%-",
            "<%-",
            "<%=",
            "{% raw %}{{",
            "<%%",
            "{{ \u{e9}\u{1f600}",
            "{{-}}",
            "{%-%}",
            "<%-%>",
        ] {
            for template in [Template::jinja(text), Template::erb(text)] {
                for offset in 0..=text.len() {
                    let _ = template.word_at(offset);
                }
                for tag in &template.tags {
                    assert!(
                        tag.span.start <= tag.inside.start && tag.inside.start <= tag.inside.end,
                        "{text}: {tag:?}"
                    );
                    assert!(text.get(tag.inside.range()).is_some(), "{text}");
                }
            }
        }
    }
}
