//! The argument that a message is about, and the block around it.

/// How many lines before a message are searched for the block around it.
const MAX_LINES: usize = 200;

/// The place of a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place<'s> {
    /// The argument or block, without a comment and without a block around it on the same line.
    pub(super) statement: &'s str,
    /// The type of the block around it, if it is known.
    pub(super) block: Option<&'s str>,
}

/// An open brace.
#[derive(Clone, Copy)]
struct Brace {
    /// Whether it begins a block, and not an expression.
    is_block: bool,
    /// The index behind the brace.
    behind: usize,
}

impl<'s> Place<'s> {
    /// The place in a column of a line that follows other lines.
    pub(super) fn new(before: &'s str, line: &'s str, column: usize) -> Self {
        let mut open: Vec<Brace> = Vec::new();
        // The block around the place on its line, and how many braces are open before it.
        let mut own: Option<Option<(usize, Brace)>> = None;
        let mut end = line.len();
        for (at, byte) in code(line) {
            if at >= column && own.is_none() {
                own = Some(innermost(&open));
            }
            match byte {
                b'{' => open.push(Brace { is_block: begins_block(line, at), behind: at + 1 }),
                b'}' => {
                    open.pop();
                    let is_outside = match own {
                        Some(Some((depth, _))) => open.len() <= depth,
                        Some(None) | None => false,
                    };
                    if is_outside {
                        end = at;
                        break;
                    }
                }
                b'#' => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        match own.unwrap_or_else(|| innermost(&open)) {
            Some((_, brace)) => Self {
                statement: line.get(brace.behind..end).unwrap_or(line).trim(),
                block: block_type(line.get(..brace.behind.saturating_sub(1)).unwrap_or_default()),
            },
            None => Self { statement: line.get(..end).unwrap_or(line).trim(), block: block_around(before) },
        }
    }
}

/// The innermost brace of a block, and how many braces are open before it.
fn innermost(open: &[Brace]) -> Option<(usize, Brace)> {
    let at = open.iter().rposition(|brace| brace.is_block)?;
    Some((at, *open.get(at)?))
}

/// The bytes of a line outside strings. The begin of a comment is `#`, also where it is written as two slashes.
fn code(line: &str) -> impl Iterator<Item = (usize, u8)> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    line.bytes().enumerate().filter_map(move |(at, byte)| {
        let was_escaped = std::mem::take(&mut is_escaped);
        match byte {
            b'\\' if is_quoted => is_escaped = !was_escaped,
            b'"' if !was_escaped => is_quoted = !is_quoted,
            b'/' if !is_quoted && line.as_bytes().get(at + 1) == Some(&b'/') && is_begin(line, at) => {
                return Some((at, b'#'));
            }
            _ => return (!is_quoted).then_some((at, byte)),
        }
        None
    })
}

/// Whether only blanks are before an index, or one is right before it: paths without quotes have slashes, too.
fn is_begin(line: &str, at: usize) -> bool {
    line.get(..at).is_some_and(|before| before.is_empty() || before.ends_with([' ', '\t']))
}

/// Whether a brace follows a word or a label.
fn begins_block(line: &str, brace: usize) -> bool {
    let before = line.get(..brace).unwrap_or_default();
    let has_blank = before.ends_with([' ', '\t']);
    before
        .trim_end()
        .ends_with(|last: char| last == '"' || has_blank && (last.is_alphanumeric() || "_-".contains(last)))
}

/// The type of the block whose labels end a line.
fn block_type(head: &str) -> Option<&str> {
    let from = head.rfind(['{', '}']).map_or(0, |brace| brace + 1);
    head.get(from..)?.split_whitespace().next()
}

/// The type of the block that is open behind these lines.
fn block_around(before: &str) -> Option<&str> {
    // How many blocks are closed between a line and the place.
    let mut closed = 0_usize;
    for line in before.lines().rev().take(MAX_LINES) {
        let (mut open, mut closing) = (Vec::new(), 0_usize);
        for (at, byte) in code(line) {
            match byte {
                b'{' => open.push(at),
                b'}' if open.pop().is_none() => closing += 1,
                b'#' => break,
                _ => {}
            }
        }
        if let Some(last) = open.len().checked_sub(closed + 1) {
            return block_type(line.get(..*open.get(last)?)?);
        }
        closed = closed - open.len() + closing;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_found_in_its_block() {
        for (before, line, column, statement, block) in [
            ("", "job \"a\" {", 0, "job \"a\" {", None),
            ("job \"a\" {\n  env {\n", "    A.B = \"1\"", 4, "A.B = \"1\"", Some("env")),
            ("job \"a\" {\n  env {\n    X = \"}\"\n  }\n", "  a.b = 1 # {", 2, "a.b = 1", Some("job")),
            ("", "config { image = ${var.image} }", 17, "image = ${var.image}", Some("config")),
            ("", "resources { cpu = \"1 # }\" } // x", 18, "cpu = \"1 # }\"", Some("resources")),
            ("", "a { b { c = 1 } d = 2 }", 16, "b { c = 1 } d = 2", Some("a")),
            ("", "a { b { c = 1 } }", 8, "c = 1", Some("b")),
            ("task \"t\" {\n", "  env = { A.B = 1 }", 10, "env = { A.B = 1 }", Some("task")),
            ("x {\n  y = <<E\n", "path = http://a", 7, "path = http://a", Some("x")),
            ("x {\n", "a = \"\\\"{\" // b", 0, "a = \"\\\"{\"", Some("x")),
        ] {
            let expected = Place { statement, block };
            assert_eq!(Place::new(before, line, column), expected, "{line}");
        }
    }
}
