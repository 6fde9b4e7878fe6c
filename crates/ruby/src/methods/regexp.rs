//! Regular expressions and matches.

use std::rc::Rc;

use hieratic_ruby_regexp::{Options, Regexp};

use super::Natives;
use crate::symbol::known;
use crate::value::{MatchData, Table, Value};
use crate::vm::{Args, Outcome, Vm};

fn own(vm: &mut Vm<'_>, me: &Value) -> Outcome<Rc<Regexp>> {
    match me {
        Value::Regexp(regexp) => Ok(regexp.clone()),
        _ => Err(vm.type_error("no regular expression")),
    }
}

/// Escapes a string, so that the pattern matches it literally.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for one in text.chars() {
        match one {
            '[' | ']' | '{' | '}' | '(' | ')' | '|' | '-' | '*' | '.' | '\\' | '?' | '+' | '^' | '$' | '#' => {
                out.push('\\');
                out.push(one);
            }
            ' ' => out.push_str("\\ "),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{c}' => out.push_str("\\f"),
            '\u{b}' => out.push_str("\\v"),
            _ => out.push(one),
        }
    }
    out
}

fn text_argument(vm: &mut Vm<'_>, value: &Value) -> Outcome<Option<std::sync::Arc<str>>> {
    Ok(match value {
        Value::Nil => None,
        Value::Sym(name) => Some(vm.name(*name)),
        other => Some(vm.to_str(other)?),
    })
}

/// Returns whether a pattern fails to match a string that code has not observed. The mismatch is then the only fact that
/// becomes known of it.
fn is_unmatched(vm: &mut Vm<'_>, regexp: &Rc<Regexp>, value: &Value) -> Outcome<bool> {
    let Value::Str(text) = value else { return Ok(false) };
    if !text.is_unobserved() || vm.search_quietly(regexp, &text.peek(), 0)?.is_some() {
        return Ok(false);
    }
    vm.st.unmatched.push((text.clone(), regexp.clone()));
    Ok(true)
}

fn find(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome<Option<Rc<MatchData>>> {
    let regexp = own(vm, me)?;
    if is_unmatched(vm, &regexp, &a.at(0))? {
        vm.set_match(Value::Nil);
        return Ok(None);
    }
    match text_argument(vm, &a.at(0))? {
        Some(text) => vm.search(&regexp, &text, 0),
        None => {
            vm.set_match(Value::Nil);
            Ok(None)
        }
    }
}

fn new(vm: &mut Vm<'_>, _: &Value, a: &Args) -> Outcome {
    if let Value::Regexp(regexp) = a.at(0) {
        return Ok(Value::Regexp(regexp));
    }
    let given = vm.to_string_object(&a.at(0))?;
    let source = given.to_arc();
    let mut options = Options::default();
    match a.get(1) {
        Some(Value::Int(bits)) => {
            options.ignore_case = bits & 1 != 0;
            options.extended = bits & 2 != 0;
            options.multiline = bits & 4 != 0;
        }
        Some(other) => options.ignore_case = other.truthy(),
        None => {}
    }
    let regexp = vm.new_regexp(&source, options)?;
    vm.note_groups(&regexp, &source, &given.marks())?;
    Ok(regexp)
}

pub(super) const METHODS: Natives = &[
    ("self.new", 1, 3, new),
    ("self.compile", 1, 3, new),
    ("self.escape", 1, 1, |vm, _, a| {
        let text = text_argument(vm, &a.at(0))?.unwrap_or_default();
        Ok(Value::string(escape(&text)))
    }),
    ("self.quote", 1, 1, |vm, _, a| {
        let text = text_argument(vm, &a.at(0))?.unwrap_or_default();
        Ok(Value::string(escape(&text)))
    }),
    ("self.union", 0, -1, |vm, _, a| {
        let list = match a.get(0) {
            Some(Value::Array(list)) => list.list.borrow().clone(),
            _ => a.list.to_vec(),
        };
        if list.is_empty() {
            return vm.new_regexp("(?!)", Options::default());
        }
        if let [Value::Regexp(only)] = &list[..] {
            return Ok(Value::Regexp(only.clone()));
        }
        let mut parts = Vec::new();
        for one in &list {
            parts.push(match one {
                Value::Regexp(regexp) => regexp.embedded(),
                other => escape(&text_argument(vm, other)?.unwrap_or_default()),
            });
        }
        vm.new_regexp(&parts.join("|"), Options::default())
    }),
    ("self.last_match", 0, 1, |vm, _, a| {
        let found = vm.last_match();
        match (found, a.get(0)) {
            (Value::Match(found), Some(_)) => vm.call(&Value::Match(found), known::INDEX, a.clone()),
            (found, _) => Ok(found),
        }
    }),
    ("=~", 1, 1, |vm, me, a| {
        let found = find(vm, me, a)?;
        Ok(found.map(|found| Value::count(found.text[..found.captures.whole().start].chars().count())).into())
    }),
    ("===", 1, 1, |vm, me, a| match a.at(0) {
        Value::Str(_) | Value::Sym(_) => Ok(find(vm, me, a)?.is_some().into()),
        _ => Ok(false.into()),
    }),
    ("match", 1, 2, |vm, me, a| {
        let found: Value = find(vm, me, a)?.map(Value::Match).into();
        match (&a.block, &found) {
            (Some(block), Value::Match(_)) => vm.yield1(block, found),
            _ => Ok(found),
        }
    }),
    ("match?", 1, 2, |vm, me, a| {
        let regexp = own(vm, me)?;
        if is_unmatched(vm, &regexp, &a.at(0))? {
            return Ok(false.into());
        }
        match text_argument(vm, &a.at(0))? {
            Some(text) => Ok(vm.search_quietly(&regexp, &text, 0)?.is_some().into()),
            None => Ok(false.into()),
        }
    }),
    ("source", 0, 0, |vm, me, _| own(vm, me).map(|regexp| Value::str(regexp.source()))),
    ("to_s", 0, 0, |vm, me, _| own(vm, me).map(|regexp| Value::string(regexp.embedded()))),
    ("inspect", 0, 0, |vm, me, _| own(vm, me).map(|regexp| Value::string(regexp.to_string()))),
    ("options", 0, 0, |vm, me, _| {
        let options = own(vm, me)?.options();
        let bits = i64::from(options.ignore_case) + 2 * i64::from(options.extended) + 4 * i64::from(options.multiline);
        Ok(Value::Int(bits))
    }),
    ("casefold?", 0, 0, |vm, me, _| own(vm, me).map(|regexp| regexp.options().ignore_case.into())),
    ("names", 0, 0, |vm, me, _| {
        let regexp = own(vm, me)?;
        Ok(Value::array(regexp.names().map(Value::str).collect()))
    }),
    ("==", 1, 1, |vm, me, a| vm.equal(me, &a.at(0)).map(Value::Bool)),
];

fn match_data(vm: &mut Vm<'_>, me: &Value) -> Outcome<Rc<MatchData>> {
    match me {
        Value::Match(found) => Ok(found.clone()),
        _ => Err(vm.type_error("no match")),
    }
}

/// Returns the bytes of a group, by number or name.
fn group(vm: &mut Vm<'_>, found: &MatchData, which: &Value) -> Outcome<Option<std::ops::Range<usize>>> {
    match which {
        Value::Str(_) | Value::Sym(_) => {
            let name = vm.to_name(which)?;
            let name = vm.name(name);
            if !found.regexp.names().any(|one| *one == *name) {
                return Err(vm.index_error(format!("undefined group name reference: {name}")));
            }
            Ok(found.captures.name(&name))
        }
        other => {
            let at = vm.to_int(other)?;
            let at = if at < 0 { at + found.captures.iter().count() as i64 } else { at };
            Ok(usize::try_from(at).ok().and_then(|at| found.captures.get(at)))
        }
    }
}

fn groups(found: &MatchData, from: usize) -> Vec<Value> {
    (from..found.captures.iter().count()).map(|at| found.group(at)).collect()
}

pub(super) const MATCH: Natives = &[
    ("[]", 1, 2, |vm, me, a| {
        let found = match_data(vm, me)?;
        if a.len() == 2 || matches!(a.list[0], Value::Range(_)) {
            let all = Value::array(groups(&found, 0));
            return vm.call(&all, known::INDEX, a.clone());
        }
        Ok(group(vm, &found, &a.at(0))?.map(|range| found.part(range)).into())
    }),
    ("to_a", 0, 0, |vm, me, _| match_data(vm, me).map(|found| Value::array(groups(&found, 0)))),
    ("captures", 0, 0, |vm, me, _| match_data(vm, me).map(|found| Value::array(groups(&found, 1)))),
    ("deconstruct", 0, 0, |vm, me, _| match_data(vm, me).map(|found| Value::array(groups(&found, 1)))),
    ("named_captures", 0, -1, |vm, me, _| {
        let found = match_data(vm, me)?;
        let mut table = Table::default();
        for name in found.regexp.names() {
            let key = vm.key_to_keep(&Value::str(name))?;
            table.insert(key, found.named(name));
        }
        Ok(Value::hash(table))
    }),
    ("names", 0, 0, |vm, me, _| {
        let found = match_data(vm, me)?;
        Ok(Value::array(found.regexp.names().map(Value::str).collect()))
    }),
    ("pre_match", 0, 0, |vm, me, _| {
        let found = match_data(vm, me)?;
        Ok(found.part(0..found.captures.whole().start))
    }),
    ("post_match", 0, 0, |vm, me, _| {
        let found = match_data(vm, me)?;
        Ok(found.part(found.captures.whole().end..found.text.len()))
    }),
    ("to_s", 0, 0, |vm, me, _| match_data(vm, me).map(|found| found.group(0))),
    ("string", 0, 0, |vm, me, _| match_data(vm, me).map(|found| found.part(0..found.text.len()))),
    ("regexp", 0, 0, |vm, me, _| match_data(vm, me).map(|found| Value::Regexp(found.regexp.clone()))),
    ("size", 0, 0, |vm, me, _| match_data(vm, me).map(|found| Value::count(found.captures.iter().count()))),
    ("length", 0, 0, |vm, me, _| match_data(vm, me).map(|found| Value::count(found.captures.iter().count()))),
    ("begin", 1, 1, |vm, me, a| {
        let found = match_data(vm, me)?;
        let range = group(vm, &found, &a.at(0))?;
        Ok(range.map(|range| Value::count(found.text[..range.start].chars().count())).into())
    }),
    ("end", 1, 1, |vm, me, a| {
        let found = match_data(vm, me)?;
        let range = group(vm, &found, &a.at(0))?;
        Ok(range.map(|range| Value::count(found.text[..range.end].chars().count())).into())
    }),
    ("values_at", 0, -1, |vm, me, a| {
        let found = match_data(vm, me)?;
        let mut out = Vec::new();
        for one in &a.list {
            out.push(group(vm, &found, one)?.map(|range| found.part(range)).into());
        }
        Ok(Value::array(out))
    }),
    ("inspect", 0, 0, |vm, me, _| vm.inspect(me).map(Value::string)),
];
