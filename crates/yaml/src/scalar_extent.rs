//! [`written`]: the span of a scalar in the source.

use hieratic_source::{Position, Source, Span};

/// Returns the span of the scalar or collection at the position of a key or a value: a scalar with its quotation marks,
/// a flow collection, or the first token of a block, a tag or an anchor. It ends at the end of the line at the latest,
/// and is only empty at the end of a line.
///
/// Positions of YAML and JSON are only the starts of values. The ends follow from the characters
/// (<https://yaml.org/spec/1.1/#plain%20style/syntax>).
///
/// ```
/// use hieratic_json::Position;
/// use hieratic_yaml::written;
/// use hieratic_source::Source;
///
/// let source = Source::new("a.yaml", "web::port: 80 # the port\n\"a b\": [one two, 'x: y']\n");
/// let at = |line, column| source.slice(written(&source, Position { line, column }));
/// assert_eq!((at(1, 1), at(1, 12)), ("web::port", "80"));
/// assert_eq!((at(2, 1), at(2, 9), at(2, 18)), ("\"a b\"", "one two", "'x: y'"));
/// assert_eq!(at(2, 8), "[one two, 'x: y']");
/// ```
pub fn written(source: &Source, at: Position) -> Span {
    let start = source.offset(at.line, at.column);
    let rest = source.text().get(start..).unwrap_or_default();
    let line = rest.split(['\n', '\r']).next().unwrap_or_default();
    let first = line.chars().next().map_or(0, char::len_utf8);
    let length = match line.as_bytes() {
        [quote @ (b'"' | b'\''), ..] => quoted(line, *quote),
        [b'[' | b'{', ..] => collection(line),
        [b']' | b'}' | b',' | b':' | b' ' | b'\t', ..] | [b'-' | b'?', b' ' | b'\t', ..] => first,
        [b'|' | b'>' | b'&' | b'*' | b'!', ..] => line.find([' ', '\t', ',', ']', '}']).unwrap_or(line.len()),
        _ => plain(line),
    };
    Span::new(start, start + length.max(first))
}

/// The length of a scalar in quotes; one that is not closed in its line reaches to the end of that.
fn quoted(line: &str, quote: u8) -> usize {
    let bytes = line.as_bytes();
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if quote == b'"' => at += 1,
            // Two of them are one that belongs to the scalar.
            b'\'' if quote == b'\'' && bytes.get(at + 1) == Some(&b'\'') => at += 1,
            byte if *byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    line.len()
}

/// The length of a flow collection. If it continues on the next line, the length of its bracket.
fn collection(line: &str) -> usize {
    let bytes = line.as_bytes();
    let (mut at, mut open) = (0, 0u32);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' if open == 1 => return at + 1,
            b']' | b'}' => open -= 1,
            // Quotation marks that begin no scalar are part of one.
            quote @ (b'"' | b'\'') if matches!(bytes[at - 1], b' ' | b'[' | b'{' | b',' | b':') => {
                at += quoted(&line[at..], *quote) - 1;
            }
            _ => {}
        }
        at += 1;
    }
    1
}

/// The length of a scalar without quotes: up to a comment, the colon after a key, or what ends an element of a flow collection.
fn plain(line: &str) -> usize {
    let bytes = line.as_bytes();
    let is_blank = |at: usize| bytes.get(at).is_none_or(|byte| matches!(byte, b' ' | b'\t'));
    let ends = |at: usize| match bytes[at] {
        b',' | b'[' | b']' | b'{' | b'}' => true,
        b':' => is_blank(at + 1),
        b'#' => at > 0 && is_blank(at - 1),
        _ => false,
    };
    let end = (0..bytes.len()).find(|at| ends(*at)).unwrap_or(bytes.len());
    line[..end].trim_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_reach_to_their_end() {
        for (line, expected) in [
            ("key: value", "key"),
            ("a b: c", "a b"),
            ("key:", "key"),
            ("a:b", "a:b"),
            ("value # why", "value"),
            ("va#lue", "va#lue"),
            ("one, two]", "one"),
            ("\"a \\\" b\": c", "\"a \\\" b\""),
            ("'it''s': c", "'it''s'"),
            ("'open", "'open"),
            ("- item", "-"),
            ("-1", "-1"),
            ("{a: 1}", "{a: 1}"),
            ("[a, [b, 'c]'], \"]\"], d]", "[a, [b, 'c]'], \"]\"]"),
            ("[it's, b]", "[it's, b]"),
            ("[a,", "["),
            ("['a", "["),
            ("\tb: 2", "\t"),
            ("*alias ", "*alias"),
            ("!tag value", "!tag"),
            ("|-", "|-"),
            ("é", "é"),
            (": x", ":"),
            ("# why", "# why"),
            ("", ""),
            ("\"\\", "\"\\"),
        ] {
            let source = Source::new("f", format!("x\n{line}\r\nnext"));
            assert_eq!(source.slice(written(&source, Position { line: 2, column: 1 })), expected, "{line}");
        }
    }
}
