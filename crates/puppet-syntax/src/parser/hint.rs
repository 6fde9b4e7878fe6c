//! Help for syntax errors: the source before the error is lexed once more to find the open brackets.

use hieratic_diagnostics::Position;

use crate::Options;
use crate::token::SyntaxKind;

/// The kind and span of a token.
#[derive(Clone, Copy)]
struct TokenSpan {
    kind: SyntaxKind,
    start: u32,
    end: u32,
}

/// Returns help for a token at a wrong position, if there is a plausible fix.
#[cold]
pub(super) fn hint(text: &str, options: &Options, kind: SyntaxKind, start: u32) -> Option<String> {
    let mut lexer = super::lexer(text, options);
    let mut open: Vec<TokenSpan> = Vec::new();
    // The two tokens before the reported one.
    let (mut last, mut before): (Option<TokenSpan>, Option<TokenSpan>) = (None, None);
    loop {
        lexer.next();
        let token = TokenSpan { kind: lexer.token.kind, start: lexer.token.start, end: lexer.token.end };
        if token.kind == kind && token.start == start {
            return hint_for_token(text, token, &open, last, before);
        }
        if matches!(token.kind, SyntaxKind::End | SyntaxKind::Error) {
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
fn closing(kind: SyntaxKind) -> Option<SyntaxKind> {
    match kind {
        SyntaxKind::LeftBracket | SyntaxKind::ListStart => Some(SyntaxKind::RightBracket),
        SyntaxKind::LeftBrace | SyntaxKind::SelectorBrace => Some(SyntaxKind::RightBrace),
        SyntaxKind::LeftParen | SyntaxKind::LineParen => Some(SyntaxKind::RightParen),
        _ => None,
    }
}

fn hint_for_token(
    text: &str,
    token: TokenSpan,
    open: &[TokenSpan],
    last: Option<TokenSpan>,
    before: Option<TokenSpan>,
) -> Option<String> {
    let line = |at: u32| Position::at_offset(text.as_bytes(), at as usize).line;
    let not_closed =
        |opened: &TokenSpan| format!("the '{}' on line {} is not closed", opened.kind.text(), line(opened.start));
    let innermost = open.last();
    match token.kind {
        SyntaxKind::End => return innermost.map(not_closed),
        SyntaxKind::RightBracket | SyntaxKind::RightBrace | SyntaxKind::RightParen => {
            return match innermost {
                // It closes the open bracket, so a token before it is missing.
                Some(opened) if closing(opened.kind) == Some(token.kind) => None,
                Some(opened) => Some(not_closed(opened)),
                None => Some(format!("'{}' closes nothing", token.kind.text())),
            };
        }
        SyntaxKind::Elsif => {
            return Some("'elsif' can only follow the blocks of 'if'; 'unless' only allows 'else'".into());
        }
        SyntaxKind::Other => {
            let letter = text.get(token.start as usize..)?.chars().next()?;
            let is_quote = matches!(letter, '\u{2018}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '`' | '\u{b4}');
            return is_quote.then(|| "strings require straight quotes, ' or \"".into());
        }
        _ => {}
    }
    let (last, opened) = (last?, innermost?);
    let is_operand = last.kind.is_simple()
        || matches!(
            last.kind,
            SyntaxKind::RightBracket | SyntaxKind::RightBrace | SyntaxKind::RightParen | SyntaxKind::TextEnd
        );
    if !is_operand || !token.kind.starts_expression() && !token.kind.is_keyword() {
        return None;
    }
    let is_brace = opened.kind == SyntaxKind::LeftBrace;
    if is_brace && before.is_some_and(|before| before.start == opened.start) && token.kind == SyntaxKind::Name {
        return Some("add a colon after the title of the resource".into());
    }
    let on_new_line = text.get(last.end as usize..token.start as usize).is_some_and(|between| between.contains('\n'));
    match (is_brace, on_new_line) {
        (true, _) => Some("a comma may be missing before it, or an operator".into()),
        (false, true) => Some(format!("{}, or a comma is missing", not_closed(opened))),
        (false, false) => Some("a comma may be missing before it".into()),
    }
}
