//! `split` and `lines`.

use super::own;
use crate::value::Value;
use crate::vm::{Args, Outcome, Vm};

pub(super) fn split(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = own(me).to_arc();
    let limit = match a.get(1) {
        Some(limit) => vm.to_int(limit)?,
        None => 0,
    };
    vm.steps(text.len() / 32)?;
    if text.is_empty() {
        return Ok(Value::array(Vec::new()));
    }
    if limit == 1 {
        return Ok(Value::array(vec![Value::str(&text)]));
    }
    let most = usize::try_from(limit).ok().filter(|limit| *limit > 0).unwrap_or(usize::MAX);
    let mut parts: Vec<Value> = Vec::new();
    match a.at(0) {
        Value::Regexp(regexp) => {
            let (mut from, mut search) = (0, 0);
            while parts.len() + 1 < most && search <= text.len() {
                vm.step()?;
                let Some(found) = vm.search_quietly(&regexp, &text, search)? else { break };
                let whole = found.captures.whole();
                if whole.is_empty() {
                    if whole.start >= text.len() {
                        break;
                    }
                    let next = whole.start + text[whole.start..].chars().next().map_or(1, char::len_utf8);
                    if whole.start == from {
                        // An empty match at the start of a part cuts after its first character.
                        search = next;
                        let again = vm.search_quietly(&regexp, &text, search)?;
                        match again {
                            Some(again)
                                if again.captures.whole().start < text.len() || !again.captures.whole().is_empty() =>
                            {
                                let whole = again.captures.whole();
                                parts.push(Value::str(&text[from..whole.start]));
                                for group in 1..again.captures.iter().count() {
                                    if again.captures.get(group).is_some() {
                                        parts.push(again.group(group));
                                    }
                                }
                                from = whole.end;
                                search = from;
                            }
                            _ => break,
                        }
                        continue;
                    }
                }
                parts.push(Value::str(&text[from..whole.start]));
                for group in 1..found.captures.iter().count() {
                    if found.captures.get(group).is_some() {
                        parts.push(found.group(group));
                    }
                }
                from = whole.end;
                search = from;
            }
            parts.push(Value::str(&text[from..]));
        }
        Value::Nil => spaces(vm, &text, most, &mut parts)?,
        other => {
            let separator = vm.to_str(&other)?;
            if &*separator == " " {
                spaces(vm, &text, most, &mut parts)?;
            } else if separator.is_empty() {
                let mut letters = text.char_indices();
                let mut rest = &text[..];
                while parts.len() + 1 < most
                    && let Some((at, letter)) = letters.next()
                {
                    vm.build(4)?;
                    parts.push(Value::str(letter.encode_utf8(&mut [0; 4])));
                    rest = &text[at + letter.len_utf8()..];
                }
                if !rest.is_empty() || limit != 0 {
                    parts.push(Value::str(rest));
                }
            } else {
                for part in text.splitn(most, &*separator) {
                    vm.build(part.len())?;
                    parts.push(Value::str(part));
                }
            }
        }
    }
    if limit == 0 {
        while parts.last().is_some_and(|last| matches!(last, Value::Str(text) if text.len_bytes() == 0)) {
            parts.pop();
        }
    }
    vm.build(text.len() + parts.len() * 64)?;
    match &a.block {
        Some(block) => {
            for part in parts {
                vm.yield1(block, part)?;
            }
            Ok(me.clone())
        }
        None => Ok(Value::array(parts)),
    }
}

fn spaces(vm: &mut Vm<'_>, text: &str, most: usize, parts: &mut Vec<Value>) -> Outcome<()> {
    let space = |one: char| matches!(one, ' ' | '\t'..='\r' | '\0');
    let mut rest = text.trim_start_matches(space);
    while !rest.is_empty() {
        if parts.len() + 1 >= most {
            parts.push(Value::str(rest));
            return Ok(());
        }
        vm.build(32)?;
        match rest.find(space) {
            Some(at) => {
                parts.push(Value::str(&rest[..at]));
                rest = rest[at..].trim_start_matches(space);
                if rest.is_empty() && most != usize::MAX {
                    parts.push(Value::str(""));
                }
            }
            None => {
                parts.push(Value::str(rest));
                return Ok(());
            }
        }
    }
    Ok(())
}

pub(super) fn lines(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = own(me).to_arc();
    let separator = match a.positional().first() {
        Some(separator) => vm.to_str(separator)?,
        None => "\n".into(),
    };
    let chomp = a.keyword_hash().is_some();
    let mut lines = Vec::new();
    let mut rest = &text[..];
    while !rest.is_empty() {
        let end = if separator.is_empty() {
            rest.len()
        } else {
            rest.find(&*separator).map_or(rest.len(), |at| at + separator.len())
        };
        let line = &rest[..end];
        let line = if chomp {
            let cut = line.strip_suffix(&*separator).unwrap_or(line);
            if &*separator == "\n" { cut.strip_suffix('\r').unwrap_or(cut) } else { cut }
        } else {
            line
        };
        vm.build(line.len())?;
        lines.push(Value::str(line));
        rest = &rest[end..];
    }
    vm.steps(lines.len())?;
    Ok(Value::array(lines))
}
