//! The formatter: indentation, blanks between tokens, and the alignment of equals signs and comments.
//!
//! Only blanks change. Line breaks are kept, so the formatted source is equivalent, even if it is not valid HCL. The
//! rules are those of `hclfmt`, `nomad fmt` and `terraform fmt`, byte for byte
//! (<https://github.com/hashicorp/hcl/tree/main/cmd/hclfmt>).

use crate::scanner::{Scanner, TokenKind};
use crate::{Span, grapheme_count};

/// Formats a file like `hclfmt`.
///
/// ```
/// use hieratic_hcl_syntax::format;
///
/// let text = "job \"a\" {\ntype=\"batch\"  # why\npriority = -1\n}\n";
/// assert_eq!(format(text.as_bytes()), b"job \"a\" {\n  type     = \"batch\" # why\n  priority = -1\n}\n");
/// ```
pub fn format(text: &[u8]) -> Vec<u8> {
    let mut tokens = tokens(text);
    let lines = lines(&tokens, text);
    indent(&mut tokens, &lines, text);
    for line in &lines {
        space(&mut tokens, line.lead, text);
        if !line.assignment.is_empty() {
            tokens[line.assignment.start].blanks = 1;
            space(&mut tokens, line.assignment, text);
        }
    }
    // Aligning the equals signs moves the comments, so comments are aligned afterwards.
    align(&mut tokens, &lines, text, |line| (line.assignment, [line.lead, Cell::default()]));
    align(&mut tokens, &lines, text, |line| (line.comment, [line.lead, line.assignment]));
    render(&tokens, text)
}

/// A token, and the number of blanks before it.
#[derive(Clone, Copy)]
struct Token {
    kind: TokenKind,
    start: u32,
    end: u32,
    blanks: u32,
}

impl Token {
    fn text(self, text: &[u8]) -> &[u8] {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// The number of brackets that the token opens; -1 if it closes one.
    fn opens(self) -> i64 {
        match self.kind {
            TokenKind::OpenBrace
            | TokenKind::OpenBracket
            | TokenKind::OpenParen
            | TokenKind::Directive
            | TokenKind::Interpolation => 1,
            TokenKind::CloseBrace | TokenKind::CloseBracket | TokenKind::CloseParen | TokenKind::SequenceEnd => -1,
            _ => 0,
        }
    }

    /// Checks for a comment, with or without its line end. The scanner gives a single line end the same kind.
    fn is_comment(self, text: &[u8]) -> bool {
        match self.kind {
            TokenKind::Comment => true,
            TokenKind::Newline => matches!(self.text(text).first(), Some(b'#' | b'/')),
            _ => false,
        }
    }
}

/// Returns the spans of the comments of a file, in order, without their line ends.
///
/// ```
/// let spans = hieratic_hcl_syntax::comments(b"a = 1 # one\n/* two */ b = \"# no\"\n");
/// let spans: Vec<_> = spans.iter().map(|span| (span.start, span.end)).collect();
/// assert_eq!(spans, [(6, 11), (12, 21)]);
/// ```
pub fn comments(text: &[u8]) -> Vec<Span> {
    let comments = tokens(text).into_iter().filter(|token| token.is_comment(text));
    let spans = comments.map(|token| {
        let ends = token.text(text).iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        Span { start: token.start, end: token.end - ends as u32 }
    });
    spans.collect()
}

fn tokens(text: &[u8]) -> Vec<Token> {
    let mut scanner = Scanner::new(text, false);
    let mut tokens = Vec::new();
    let mut before = 0;
    loop {
        let token = scanner.next();
        tokens.push(Token { kind: token.kind, start: token.start, end: token.end, blanks: token.start - before });
        before = token.end;
        if token.kind == TokenKind::Eof {
            return tokens;
        }
    }
}

/// A range of consecutive tokens.
#[derive(Clone, Copy, Default)]
struct Cell {
    start: usize,
    end: usize,
}

impl Cell {
    fn is_empty(self) -> bool {
        self.start == self.end
    }

    fn tokens(self, tokens: &[Token]) -> &[Token] {
        tokens.get(self.start..self.end).unwrap_or_default()
    }

    /// The width of the cell in columns, including the blanks in it and before it.
    fn columns(self, tokens: &[Token], text: &[u8]) -> u32 {
        self.tokens(tokens).iter().map(|token| token.blanks + grapheme_count(token.text(text))).sum()
    }
}

/// A line in up to three cells.
struct Line {
    /// The tokens before the other cells.
    lead: Cell,
    /// The cell from the equals sign on, if the assigned value ends on the same line.
    assignment: Cell,
    /// A trailing comment.
    comment: Cell,
}

/// Splits the tokens into lines. A token that spans several source lines, such as a heredoc, belongs to one line here.
fn lines(tokens: &[Token], text: &[u8]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Newline => lines.push(line(tokens, Cell { start, end: at + 1 }, text)),
            TokenKind::Eof => lines.push(line(tokens, Cell { start, end: at }, text)),
            _ => continue,
        }
        start = at + 1;
    }
    lines
}

fn line(tokens: &[Token], whole: Cell, text: &[u8]) -> Line {
    let mut line = Line { lead: whole, assignment: Cell::default(), comment: Cell::default() };
    let Some((last, before)) = whole.tokens(tokens).split_last() else { return line };
    if !before.is_empty() && last.is_comment(text) {
        line.comment = Cell { start: whole.end - 1, end: whole.end };
        line.lead.end -= 1;
    }
    let lead = line.lead.tokens(tokens);
    let equals = lead.iter().skip(1).position(|token| token.kind == TokenKind::Equal);
    if let Some(at) = equals.map(|at| at + 1)
        && lead[at..].iter().map(|token| token.opens()).sum::<i64>() == 0
    {
        line.assignment = Cell { start: line.lead.start + at, end: line.lead.end };
        line.lead.end = line.assignment.start;
    }
    line
}

/// Sets the blanks before each line: two for each line around it that opened more brackets than it closed.
fn indent(tokens: &mut [Token], lines: &[Line], text: &[u8]) {
    // The open brackets of each enclosing line.
    let mut open: Vec<i64> = Vec::new();
    for line in lines {
        let Some(first) = line.lead.tokens(tokens).first() else { continue };
        if first.kind == TokenKind::Newline && !first.is_comment(text) {
            tokens[line.lead.start].blanks = 0;
            continue;
        }
        let lead = line.lead.tokens(tokens);
        let heredoc = lead.iter().position(|token| token.kind == TokenKind::OpenHeredoc);
        let lead = &lead[..heredoc.unwrap_or(lead.len())];
        let change: i64 = lead.iter().chain(line.assignment.tokens(tokens)).map(|token| token.opens()).sum();
        let mut closed = -change;
        while closed > 0
            && let Some(innermost) = open.last_mut()
        {
            let here = closed.min(*innermost);
            closed -= here;
            *innermost -= here;
            if *innermost == 0 {
                open.pop();
            }
        }
        tokens[line.lead.start].blanks = 2 * open.len() as u32;
        if change > 0 {
            open.push(change);
        }
    }
}

/// Sets the blanks between the tokens of a cell.
fn space(tokens: &mut [Token], cell: Cell, text: &[u8]) {
    for at in cell.start..cell.end.saturating_sub(1) {
        let before = (at > cell.start).then(|| tokens[at - 1].kind);
        let blank = is_separated(before, tokens[at], tokens[at + 1], text);
        tokens[at + 1].blanks = u32::from(blank);
    }
}

/// Returns whether two tokens are separated by a blank.
fn is_separated(before: Option<TokenKind>, token: Token, next: Token, text: &[u8]) -> bool {
    use TokenKind::*;
    if next.kind == Newline && !next.is_comment(text) {
        return false;
    }
    match (token.kind, next.kind) {
        // Function names, references and arguments are written without blanks.
        (Identifier, OpenParen | DoubleColon) | (DoubleColon, Identifier) | (Dot, _) | (_, Dot | Comma | Ellipsis) => {
            false
        }
        (Comma, _) => true,
        // Literals get no additional blanks.
        (QuotedText | PlainText | OpenQuote | OpenHeredoc, _)
        | (_, QuotedText | PlainText | CloseQuote | CloseHeredoc) => false,
        // `for x in [...]` does not index `in`.
        (Identifier, _) if token.text(text) == b"in" && before == Some(Identifier) => true,
        (Identifier | Number, OpenBracket) => false,
        (_, OpenBracket) if token.opens() < 0 => false,
        (Bang, _) => false,
        (Minus, _) => !is_sign(before),
        (OpenBrace, CloseBrace) => false,
        (OpenBrace, _) | (_, CloseBrace) => true,
        (Interpolation | Directive, OpenBrace) | (CloseBrace, SequenceEnd) => true,
        (SequenceEnd, Interpolation | Directive) => false,
        _ => token.opens() <= 0 && next.opens() >= 0,
    }
}

/// Returns whether a minus after such a token is the sign of a number.
fn is_sign(before: Option<TokenKind>) -> bool {
    use TokenKind::*;
    before.is_none_or(|before| {
        matches!(
            before,
            OpenParen
                | OpenBrace
                | OpenBracket
                | Equal
                | Colon
                | Comma
                | Question
                | Plus
                | Star
                | Slash
                | Percent
                | Minus
                | EqualEqual
                | NotEqual
                | Greater
                | GreaterEqual
                | Less
                | LessEqual
                | And
                | Or
                | Bang
        )
    })
}

/// Aligns one cell of consecutive lines to the same column, one blank after the longest content before it.
fn align(tokens: &mut [Token], lines: &[Line], text: &[u8], of: impl Fn(&Line) -> (Cell, [Cell; 2])) {
    for chain in lines.chunk_by(|one, next| of(one).0.is_empty() == of(next).0.is_empty()) {
        if chain.iter().any(|line| of(line).0.is_empty()) {
            continue;
        }
        let before: Vec<u32> =
            chain.iter().map(|line| of(line).1.iter().map(|cell| cell.columns(tokens, text)).sum()).collect();
        let longest = before.iter().copied().max().unwrap_or_default();
        for (line, columns) in chain.iter().zip(before) {
            tokens[of(line).0.start].blanks = longest - columns + 1;
        }
    }
}

fn render(tokens: &[Token], text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 8);
    for token in tokens {
        out.resize(out.len() + token.blanks as usize, b' ');
        out.extend_from_slice(token.text(text));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn formatted(text: &str) -> String {
        String::from_utf8_lossy(&format(text.as_bytes())).into_owned()
    }

    #[test]
    fn nested_lines_are_indented() {
        assert_eq!(formatted("a {\nb {\nc=1\n}\n}"), "a {\n  b {\n    c = 1\n  }\n}");
        assert_eq!(formatted("a = [\n{\nb=1\n},\n]\n"), "a = [\n  {\n    b = 1\n  },\n]\n");
        assert_eq!(formatted("f(g([\n1\n]))\n"), "f(g([\n  1\n]))\n");
        // An unmatched closing bracket does not change the indentation.
        assert!(formatted("}}\na\n").ends_with("}\na\n"));
    }

    #[test]
    fn consecutive_lines_are_aligned() {
        assert_eq!(formatted("a=1 # x\nlong=22 # y\n\nb=3\n"), "a    = 1  # x\nlong = 22 # y\n\nb = 3\n");
        assert_eq!(formatted("a=1\nb={\n}\nccc=1\n"), "a = 1\nb = {\n}\nccc = 1\n");
        assert_eq!(formatted("é=1\nbb=2\n"), "é  = 1\nbb = 2\n");
    }

    #[test]
    fn literals_are_not_changed() {
        let text = "a = <<E\n  x ${ b }  y\n\tz\nE\nb = \"  ${c}  %{if d}  %{endif}\"\n";
        assert_eq!(formatted(text), text.replace("${ b }", "${b}"));
    }

    proptest! {
        /// Formatting changes only blanks and is idempotent.
        #[test]
        fn only_blanks_change(text in "[a-c{}\\[\\]()=\"#$%<>!.,:?\n /*~+-]{0,60}") {
            let once = formatted(&text);
            let bare = |text: &str| text.replace([' ', '\t'], "");
            prop_assert_eq!(bare(&once), bare(&text));
        }
    }
}
