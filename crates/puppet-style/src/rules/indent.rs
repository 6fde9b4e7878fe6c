//! The indentation of lines, by the depth of brackets.

use std::collections::{BTreeMap, BTreeSet};

use super::Context;
use super::alignment::spaces;
use crate::failure::Failure;
use crate::fix::{Edit, NoFix};
use crate::kind::Kind;
use crate::manifest::Manifest;
use crate::problem::Data;
use crate::token::Id;

/// The brackets that belong together, in both directions.
fn pairs(manifest: &Manifest<'_>) -> BTreeMap<Id, Id> {
    let mut open: BTreeMap<u8, Vec<Id>> = BTreeMap::new();
    let mut pairs = BTreeMap::new();
    for id in manifest.ids() {
        match manifest.kind(id) {
            Kind::Lbrace => open.entry(0).or_default().push(id),
            Kind::Lbrack => open.entry(1).or_default().push(id),
            Kind::Lparen => open.entry(2).or_default().push(id),
            kind @ (Kind::Rbrace | Kind::Rbrack | Kind::Rparen) => {
                let number = match kind {
                    Kind::Rbrace => 0,
                    Kind::Rbrack => 1,
                    _ => 2,
                };
                if let Some(start) = open.get_mut(&number).and_then(Vec::pop) {
                    pairs.insert(id, start);
                    pairs.insert(start, id);
                }
            }
            _ => {}
        }
    }
    pairs
}

/// The depth at the beginning of a line.
struct Depth<'m, 's> {
    manifest: &'m Manifest<'s>,
    pairs: BTreeMap<Id, Id>,
    indent: i64,
    /// The line of the colon that indents the attributes of a resource.
    colon_line: Option<i64>,
}

pub(super) fn check(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    let mut depth = Depth { manifest, pairs: pairs(manifest), indent: 0, colon_line: None };
    for newline in manifest.of_kind(|kind| kind == Kind::Newline) {
        let Some(first) = manifest.next(newline) else { continue };
        let opened = depth.end_line(newline);
        let closed = depth.begin_line(newline);
        if depth.indent < 0 {
            let message = "Error calculating indent. Please file an issue at https://github.com/relud/puppet-lint-indent-check/issues";
            cx.error(first, message, Data::None);
            break;
        }
        let expected = (depth.indent + opened + closed) * 2;
        let actual = actual(manifest, first);
        if actual != expected && !matches!(manifest.kind(first), Kind::Comment | Kind::Newline) {
            let message = format!("indent should be {expected} chars and is {actual}");
            cx.warn(first, message, Data::Indent { token: first, expected, actual });
        }
    }
    Ok(())
}

impl Depth<'_, '_> {
    fn other_line(&self, id: Id) -> Option<i64> {
        self.pairs.get(&id).map(|other| self.manifest.line(*other))
    }

    /// Takes the line that ends. Returns by how much only the next line is deeper.
    fn end_line(&mut self, newline: Id) -> i64 {
        let manifest = self.manifest;
        let (mut only_next, mut opened, mut lines) = (0, 0, BTreeSet::new());
        let mut at = manifest.prev(newline);
        while let Some(id) = at.filter(|id| manifest.kind(*id) != Kind::Newline) {
            match manifest.kind(id) {
                Kind::HeredocOpen => only_next += 1,
                Kind::Lbrace | Kind::Lbrack | Kind::Lparen => {
                    let counts = match self.other_line(id) {
                        None => true,
                        Some(line) => line > manifest.line(id) && lines.insert(line),
                    };
                    opened += i64::from(counts);
                }
                _ => {}
            }
            at = manifest.prev(id);
        }
        self.indent += opened;
        let mut last = manifest.prev(newline);
        while let Some(id) = last.filter(|id| matches!(manifest.kind(*id), Kind::Whitespace | Kind::Comment)) {
            last = manifest.prev(id);
        }
        let Some(last) = last else { return only_next };
        match manifest.kind(last) {
            Kind::Colon if opened == 0 && self.colon_line.is_none() => {
                self.colon_line = Some(manifest.line(last));
                self.indent += 1;
            }
            Kind::Semic if self.colon_line.take().is_some() => self.indent -= 1,
            Kind::Equals | Kind::Farrow => only_next += 1,
            _ => {}
        }
        only_next
    }

    /// Takes the line that begins. Returns by how much only this line is deeper.
    fn begin_line(&mut self, newline: Id) -> i64 {
        let manifest = self.manifest;
        let (mut only_this, mut lines) = (0, BTreeSet::new());
        let mut at = manifest.next(newline);
        while let Some(id) = at.filter(|id| manifest.kind(*id) != Kind::Newline) {
            match manifest.kind(id) {
                kind @ (Kind::Rbrace | Kind::Rbrack | Kind::Rparen) => {
                    let opening = self.other_line(id);
                    if let Some(line) = opening
                        && line < manifest.line(id)
                        && lines.insert(line)
                    {
                        self.indent -= 1;
                    }
                    let ends = self.colon_line.is_some_and(|colon| opening.is_some_and(|line| line < colon));
                    if kind == Kind::Rbrace && ends {
                        self.indent -= 1;
                        self.colon_line = None;
                    }
                }
                Kind::Semic if self.colon_line.is_some() => {
                    let is_first = matches!(manifest.prev_kind(id), Some(Kind::Indent | Kind::Newline));
                    let is_last = manifest.next_kind(id).is_none_or(|next| next == Kind::Newline);
                    only_this -= i64::from(is_first && is_last);
                }
                _ => {}
            }
            at = manifest.next(id);
        }
        only_this
    }
}

/// The indentation of a line, given its first token.
fn actual(manifest: &Manifest<'_>, first: Id) -> i64 {
    let count = |text: &str| i64::try_from(text.chars().count()).unwrap_or(0);
    // Lines that are empty at the end do not count.
    let last_line = |text: &str| count(text.trim_end_matches('\n').rsplit('\n').next().unwrap_or_default());
    let value = manifest.value(first);
    match manifest.kind(first) {
        Kind::Indent => count(value),
        Kind::Heredoc if value.ends_with('\n') => 0,
        Kind::Heredoc => last_line(value),
        Kind::HeredocPre => {
            let tokens = std::iter::successors(manifest.next(first), |id| manifest.next(*id));
            let mut tokens = tokens.take_while(|id| manifest.kind(*id) != Kind::Newline);
            let end = tokens.find(|id| manifest.kind(*id) == Kind::HeredocPost);
            end.map_or(0, |end| last_line(manifest.value(end)))
        }
        _ => 0,
    }
}

pub(super) fn indent(edit: &mut Edit<'_, '_>) -> Result<(), NoFix> {
    let Data::Indent { token, expected, actual } = *edit.data else { return Err(NoFix) };
    let manifest = &mut *edit.manifest;
    match manifest.kind(token) {
        Kind::Indent | Kind::Whitespace => manifest.set_value(token, spaces(expected)?),
        Kind::Heredoc => {
            let raw = manifest.token(token).raw.as_deref().ok_or(NoFix)?;
            let moved = moved(raw, expected - actual, false)?;
            manifest.token_mut(token).raw = Some(moved.into());
        }
        Kind::HeredocPre => indent_parts(manifest, token, expected - actual)?,
        _ => {
            let place = manifest.place(token).ok_or(NoFix)?;
            let indent = manifest.create(Kind::Indent, spaces(expected)?);
            manifest.insert_plain(place, indent);
        }
    }
    Ok(())
}

/// Moves the lines of a heredoc with interpolations.
fn indent_parts(manifest: &mut Manifest<'_>, first: Id, change: i64) -> Result<(), NoFix> {
    let text = moved(manifest.value(first), change, false)?;
    manifest.set_value(first, text);
    let mut at = manifest.next(first);
    while let Some(id) = at {
        match manifest.kind(id) {
            Kind::HeredocMid => {
                let text = moved(manifest.value(id), change, true)?;
                manifest.set_value(id, text);
            }
            Kind::HeredocPost => {
                let raw = manifest.token(id).raw.as_deref().ok_or(NoFix)?;
                let text = moved(raw, change, true)?;
                manifest.token_mut(id).raw = Some(text.into());
                return Ok(());
            }
            _ => {}
        }
        at = manifest.next(id);
    }
    Ok(())
}

/// Moves the lines of a string to the right, or to the left.
fn moved(text: &str, change: i64, skips_first: bool) -> Result<String, NoFix> {
    let more = spaces(change.max(0))?;
    let less = usize::try_from(change.min(0).unsigned_abs()).map_err(|_| NoFix)?;
    let mut lines: Vec<String> = Vec::new();
    for (number, line) in text.trim_end_matches('\n').split('\n').enumerate() {
        lines.push(match line {
            _ if line.is_empty() || number == 0 && skips_first => line.to_owned(),
            _ if less > 0 => line.chars().skip(less).collect(),
            _ => format!("{more}{line}"),
        });
    }
    Ok(lines.join("\n"))
}
