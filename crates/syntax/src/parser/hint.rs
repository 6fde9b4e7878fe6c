//! Help for syntax errors: the source before the error is lexed once more to find the open brackets.

use hieratic_diagnostics::Position;

use crate::Options;
use crate::token::Kind;

/// A token that was read, as far as hints look at it.
#[derive(Clone, Copy)]
struct Seen {
    kind: Kind,
    start: u32,
    end: u32,
}

/// Returns help for a token at a wrong position, if there is a plausible fix.
#[cold]
pub(super) fn hint(text: &str, options: &Options, kind: Kind, start: u32) -> Option<String> {
    let mut lexer = super::lexer(text, options);
    let mut open: Vec<Seen> = Vec::new();
    // The two tokens before the reported one.
    let (mut last, mut before): (Option<Seen>, Option<Seen>) = (None, None);
    loop {
        lexer.next();
        let token = Seen { kind: lexer.token.kind, start: lexer.token.start, end: lexer.token.end };
        if token.kind == kind && token.start == start {
            return advice(text, token, &open, last, before);
        }
        if matches!(token.kind, Kind::End | Kind::Fault) {
            return None;
        }
        if closing(token.kind).is_some() {
            open.push(token);
        } else if open.last().is_some_and(|opened| closing(opened.kind) == Some(token.kind)) {
            open.pop();
        }
        (before, last) = (last, Some(token));
    }
}

/// Returns the closing bracket.
fn closing(kind: Kind) -> Option<Kind> {
    match kind {
        Kind::LeftBracket | Kind::ListStart => Some(Kind::RightBracket),
        Kind::LeftBrace | Kind::SelectorBrace => Some(Kind::RightBrace),
        Kind::LeftParen | Kind::LineParen => Some(Kind::RightParen),
        _ => None,
    }
}

fn advice(text: &str, token: Seen, open: &[Seen], last: Option<Seen>, before: Option<Seen>) -> Option<String> {
    let line = |at: u32| Position::of(text.as_bytes(), at as usize).line;
    let not_closed =
        |opened: &Seen| format!("the '{}' on line {} is not closed", opened.kind.text(), line(opened.start));
    let innermost = open.last();
    match token.kind {
        Kind::End => return innermost.map(not_closed),
        Kind::RightBracket | Kind::RightBrace | Kind::RightParen => {
            return match innermost {
                // It closes the open bracket, so a token before it is missing.
                Some(opened) if closing(opened.kind) == Some(token.kind) => None,
                Some(opened) => Some(not_closed(opened)),
                None => Some(format!("'{}' closes nothing", token.kind.text())),
            };
        }
        Kind::Elsif => return Some("'elsif' can only follow the blocks of 'if'; 'unless' only allows 'else'".into()),
        Kind::Other => {
            let letter = text.get(token.start as usize..)?.chars().next()?;
            let is_quote = matches!(letter, '\u{2018}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '`' | '\u{b4}');
            return is_quote.then(|| "strings require straight quotes, ' or \"".into());
        }
        _ => {}
    }
    let (last, opened) = (last?, innermost?);
    let is_operand = last.kind.is_simple()
        || matches!(last.kind, Kind::RightBracket | Kind::RightBrace | Kind::RightParen | Kind::TextEnd);
    if !is_operand || !token.kind.starts_expression() && !token.kind.is_keyword() {
        return None;
    }
    let is_brace = opened.kind == Kind::LeftBrace;
    if is_brace && before.is_some_and(|before| before.start == opened.start) && token.kind == Kind::Name {
        return Some("add a colon after the title of the resource".into());
    }
    let on_new_line = text.get(last.end as usize..token.start as usize).is_some_and(|between| between.contains('\n'));
    match (is_brace, on_new_line) {
        (true, _) => Some("a comma may be missing before it, or an operator".into()),
        (false, true) => Some(format!("{}, or a comma is missing", not_closed(opened))),
        (false, false) => Some("a comma may be missing before it".into()),
    }
}
