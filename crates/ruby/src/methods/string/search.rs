//! Searching and replacing.

use std::rc::Rc;
use std::sync::Arc;

use hieratic_ruby_regexp::Regexp;

use super::{changing, new_string, own};
use crate::value::{MatchData, Value};
use crate::vm::{Args, Outcome, Vm};

/// A pattern as a regular expression; a string is one that matches itself.
pub(in crate::methods) fn pattern_regexp(vm: &mut Vm<'_>, value: &Value, literal: bool) -> Outcome<Rc<Regexp>> {
    match value {
        Value::Regexp(regexp) => Ok(regexp.clone()),
        other => {
            let text = match other {
                Value::Str(text) => text.to_arc(),
                other => {
                    let class = vm.class_name(other);
                    return Err(vm.type_error(format!("wrong argument type {class} (expected Regexp)")));
                }
            };
            let source = if literal { crate::methods::regexp::escape(&text) } else { text.to_string() };
            match vm.new_regexp(&source, Default::default())? {
                Value::Regexp(regexp) => Ok(regexp),
                _ => Err(vm.type_error("no regular expression")),
            }
        }
    }
}

/// The byte of a character, counted from the end if negative.
fn byte_of(text: &str, at: i64) -> Option<usize> {
    let at = if at < 0 { at + text.chars().count() as i64 } else { at };
    let at = usize::try_from(at).ok()?;
    if text.is_ascii() {
        return (at <= text.len()).then_some(at);
    }
    match text.char_indices().nth(at) {
        Some((byte, _)) => Some(byte),
        None => (text.chars().count() == at).then_some(text.len()),
    }
}

fn char_of(text: &str, byte: usize) -> Value {
    Value::count(if text.is_ascii() { byte } else { text[..byte].chars().count() })
}

pub(super) fn start_with(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = own(me).to_arc();
    for one in &a.list {
        if let Value::Regexp(regexp) = one {
            if let Some(found) = vm.search(regexp, &text, 0)?
                && found.captures.whole().start == 0
            {
                return Ok(true.into());
            }
            continue;
        }
        let other = vm.to_str(one)?;
        if text.starts_with(&*other) {
            return Ok(true.into());
        }
    }
    Ok(false.into())
}

pub(super) fn index(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = own(me).to_arc();
    let start = a.get(1).map_or(Ok(0), |start| vm.to_int(start))?;
    vm.steps(text.len() / 64)?;
    let Some(start) = byte_of(&text, start) else { return Ok(Value::Nil) };
    let found = match a.at(0) {
        Value::Regexp(regexp) => vm.search(&regexp, &text, start)?.map(|found| found.captures.whole().start),
        other => {
            let target = vm.to_str(&other)?;
            text[start..].find(&*target).map(|at| at + start)
        }
    };
    Ok(found.map(|byte| char_of(&text, byte)).into())
}

pub(super) fn rindex(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = own(me).to_arc();
    vm.steps(text.len() / 64)?;
    let end = match a.get(1) {
        Some(end) => {
            let end = vm.to_int(end)?;
            let count = text.chars().count() as i64;
            if end < -count {
                return Ok(Value::Nil);
            }
            byte_of(&text, end.min(count)).unwrap_or(text.len())
        }
        None => text.len(),
    };
    let found = match a.at(0) {
        Value::Regexp(regexp) => {
            let mut at = end;
            loop {
                vm.step()?;
                if text.is_char_boundary(at)
                    && let Some(found) = vm.search_quietly(&regexp, &text, at)?
                    && found.captures.whole().start == at
                {
                    vm.set_match(Value::Match(found));
                    break Some(at);
                }
                match at.checked_sub(1) {
                    Some(before) => at = before,
                    None => break None,
                }
            }
        }
        other => {
            let target = vm.to_str(&other)?;
            let limit = (end + target.len()).min(text.len());
            let limit = (limit..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
            text[..limit].rfind(&*target)
        }
    };
    Ok(found.map(|byte| char_of(&text, byte)).into())
}

pub(super) fn find(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let regexp = pattern_regexp(vm, &a.at(0), false)?;
    let text = own(me).to_arc();
    let start = a.get(1).map_or(Ok(0), |start| vm.to_int(start))?;
    let Some(start) = byte_of(&text, start) else { return Ok(Value::Nil) };
    let found: Value = vm.search(&regexp, &text, start)?.map(Value::Match).into();
    match (&a.block, &found) {
        (Some(block), Value::Match(_)) => vm.yield1(block, found),
        _ => Ok(found),
    }
}

pub(super) fn is_match(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let regexp = pattern_regexp(vm, &a.at(0), false)?;
    let text = own(me).to_arc();
    let start = a.get(1).map_or(Ok(0), |start| vm.to_int(start))?;
    let Some(start) = byte_of(&text, start) else { return Ok(false.into()) };
    Ok(vm.search_quietly(&regexp, &text, start)?.is_some().into())
}

/// Returns the start of the next search: after the match, and one character further if the match is empty.
fn next_start(text: &str, found: &MatchData) -> usize {
    let whole = found.captures.whole();
    if whole.is_empty() { whole.end + text[whole.end..].chars().next().map_or(1, char::len_utf8) } else { whole.end }
}

/// The matches of a pattern, in order.
fn next_match(
    vm: &mut Vm<'_>,
    pattern: &Value,
    regexp: &mut Option<Rc<Regexp>>,
    text: &Arc<str>,
    start: usize,
) -> Outcome<Option<Rc<MatchData>>> {
    if start > text.len() {
        return Ok(None);
    }
    vm.step()?;
    let regexp = match regexp {
        Some(regexp) => regexp.clone(),
        None => {
            let result = pattern_regexp(vm, pattern, true)?;
            *regexp = Some(result.clone());
            result
        }
    };
    vm.search_quietly(&regexp, text, start)
}

pub(super) fn scan(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = own(me).to_arc();
    let mut regexp = None;
    let mut start = 0;
    let mut all = Vec::new();
    let mut last = Value::Nil;
    while let Some(found) = next_match(vm, &a.at(0), &mut regexp, &text, start)? {
        start = next_start(&text, &found);
        let groups = found.captures.iter().count();
        let one = if groups == 1 {
            found.group(0)
        } else {
            Value::array((1..groups).map(|group| found.group(group)).collect())
        };
        vm.build(64)?;
        vm.steps(2)?;
        last = Value::Match(found);
        match &a.block {
            Some(block) => {
                vm.set_match(last.clone());
                vm.yield1(block, one)?;
            }
            None => all.push(one),
        }
    }
    vm.set_match(last);
    Ok(if a.block.is_some() { me.clone() } else { Value::array(all) })
}

/// A replacement with `\1`, `\k<name>`, `\0`, `\&`, `` \` ``, `\'`, `\\`.
pub(in crate::methods) fn gsub_template(out: &mut String, template: &str, found: &MatchData) {
    let mut rest = template;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let mut letters = rest.chars();
        let group = |range: Option<std::ops::Range<usize>>| range.map_or("", |range| &found.text[range]);
        let whole = found.captures.whole();
        match letters.next() {
            Some(digit @ '0'..='9') => {
                // Groups with names have no numbers here.
                let numbered = digit == '0' || found.regexp.names().next().is_none();
                if numbered {
                    out.push_str(group(found.captures.get(digit as usize - '0' as usize)));
                }
                rest = letters.as_str();
            }
            Some('&') => {
                out.push_str(group(Some(whole)));
                rest = letters.as_str();
            }
            Some('`') => {
                out.push_str(&found.text[..whole.start]);
                rest = letters.as_str();
            }
            Some('\'') => {
                out.push_str(&found.text[whole.end..]);
                rest = letters.as_str();
            }
            Some('\\') => {
                out.push('\\');
                rest = letters.as_str();
            }
            Some('k') if letters.as_str().starts_with('<') => match letters.as_str().find('>') {
                Some(end) => {
                    let name = &letters.as_str()[1..end];
                    let range = match name.parse::<usize>() {
                        Ok(number) => found.captures.get(number),
                        Err(_) => found.captures.name(name),
                    };
                    out.push_str(group(range));
                    rest = &letters.as_str()[end + 1..];
                }
                None => {
                    out.push_str("\\k");
                    rest = letters.as_str();
                }
            },
            _ => out.push('\\'),
        }
    }
    out.push_str(rest);
}

/// `sub` and `gsub`; `None` if nothing matches.
pub(super) fn substitute(vm: &mut Vm<'_>, me: &Value, a: &Args, all: bool) -> Outcome<Option<Value>> {
    let text = own(me).to_arc();
    let replacement = a.get(1).cloned();
    if replacement.is_none() && a.block.is_none() {
        if all {
            return vm.enumerator(me, "gsub", a).map(Some);
        }
        return Err(vm.arity_error(1, "2"));
    }
    let template = match &replacement {
        Some(Value::Hash(_)) | None => None,
        Some(text) => Some(vm.to_str(text)?),
    };
    let pattern = a.at(0);
    if !matches!(pattern, Value::Regexp(_) | Value::Str(_)) {
        let class = vm.class_name(&pattern);
        return Err(vm.type_error(format!("wrong argument type {class} (expected Regexp)")));
    }
    let mut regexp = None;
    let (mut out, mut copied, mut start) = (String::new(), 0, 0);
    let mut last = Value::Nil;
    let mut count = 0;
    while let Some(found) = next_match(vm, &pattern, &mut regexp, &text, start)? {
        count += 1;
        let whole = found.captures.whole();
        out.push_str(&text[copied..whole.start]);
        start = next_start(&text, &found);
        copied = whole.end;
        let before = out.len();
        match (&template, &replacement) {
            (Some(template), _) => gsub_template(&mut out, template, &found),
            (None, Some(hash)) => {
                let value = vm.send(hash, "[]", &[found.group(0)])?;
                out.push_str(&vm.to_s(&value)?);
            }
            (None, None) => {
                vm.set_match(Value::Match(found.clone()));
                if let Some(block) = &a.block {
                    let value = vm.yield1(block, found.group(0))?;
                    out.push_str(&vm.to_s(&value)?);
                }
            }
        }
        vm.build(out.len() - before + whole.len())?;
        last = Value::Match(found);
        if !all {
            break;
        }
    }
    vm.set_match(last);
    if count == 0 {
        return Ok(None);
    }
    out.push_str(&text[copied..]);
    vm.build(out.len())?;
    Ok(Some(Value::string(out)))
}

pub(super) fn substitute_in_place(vm: &mut Vm<'_>, me: &Value, a: &Args, all: bool) -> Outcome {
    let text = changing(vm, me)?;
    match substitute(vm, me, a, all)? {
        Some(Value::Str(changed)) => {
            let changed = changed.with(str::to_owned);
            text.set(changed);
            Ok(me.clone())
        }
        Some(other) => Ok(other),
        None => Ok(Value::Nil),
    }
}

fn three(vm: &mut Vm<'_>, a: &str, b: &str, c: &str) -> Outcome {
    let parts = [a, b, c].map(|part| new_string(vm, part.to_owned()));
    let [a, b, c] = parts;
    Ok(Value::array(vec![a?, b?, c?]))
}

pub(super) fn partition(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = own(me).to_arc();
    let range = match a.at(0) {
        Value::Regexp(regexp) => vm.search(&regexp, &text, 0)?.map(|found| found.captures.whole()),
        other => {
            let target = vm.to_str(&other)?;
            text.find(&*target).map(|at| at..at + target.len())
        }
    };
    match range {
        Some(range) => three(vm, &text[..range.start], &text[range.clone()], &text[range.end..]),
        None => three(vm, &text, "", ""),
    }
}

pub(super) fn rpartition(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = own(me).to_arc();
    let range = match a.at(0) {
        Value::Regexp(_) => match rindex(vm, me, &Args::one(a.at(0)))? {
            Value::Nil => None,
            _ => match vm.last_match() {
                Value::Match(found) => Some(found.captures.whole()),
                _ => None,
            },
        },
        other => {
            let target = vm.to_str(&other)?;
            text.rfind(&*target).map(|at| at..at + target.len())
        }
    };
    match range {
        Some(range) => three(vm, &text[..range.start], &text[range.clone()], &text[range.end..]),
        None => three(vm, "", "", &text),
    }
}
