//! `tr`, `delete`, `squeeze`, `count`: sets of characters.

use super::{new_string, own};
use crate::value::Value;
use crate::vm::{Args, Outcome, Vm};

/// The characters of a set, in order, and whether they are excluded.
fn expand(vm: &mut Vm<'_>, set: &str) -> Outcome<(Vec<char>, bool)> {
    let letters: Vec<char> = set.chars().collect();
    let negated = letters.len() > 1 && letters[0] == '^';
    let letters = if negated { &letters[1..] } else { &letters[..] };
    let mut out = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let mut one = letters[at];
        if one == '\\' && at + 1 < letters.len() {
            at += 1;
            one = letters[at];
            out.push(one);
            at += 1;
            continue;
        }
        if at + 2 < letters.len() && letters[at + 1] == '-' {
            let end = letters[at + 2];
            if one > end {
                return Err(vm.argument_error(format!("invalid range \"{one}-{end}\" in string transliteration")));
            }
            vm.build((u32::from(end) - u32::from(one)) as usize * 4)?;
            out.extend(one..=end);
            at += 3;
            continue;
        }
        out.push(one);
        at += 1;
    }
    Ok((out, negated))
}

/// The character sets, each with whether it is negated. A character is selected if it is in all of them.
type Sets = Vec<(hieratic_value::collections::HashSet<char>, bool)>;

fn sets(vm: &mut Vm<'_>, a: &Args) -> Outcome<Sets> {
    let mut sets = Vec::new();
    for one in &a.list {
        let text = vm.to_str(one)?;
        let (letters, negated) = expand(vm, &text)?;
        sets.push((letters.into_iter().collect(), negated));
    }
    Ok(sets)
}

fn within(sets: &Sets, one: char) -> bool {
    sets.iter().all(|(letters, negated)| letters.contains(&one) != *negated)
}

pub(super) fn translate(vm: &mut Vm<'_>, me: &Value, a: &Args, squeeze: bool) -> Outcome {
    let (from, to) = (vm.to_str(&a.at(0))?, vm.to_str(&a.at(1))?);
    let (from, negated) = expand(vm, &from)?;
    let (to, _) = expand(vm, &to)?;
    let text = own(me).to_arc();
    vm.steps(text.len() / 16)?;
    let mut table = hieratic_value::collections::HashMap::default();
    for (at, one) in from.iter().enumerate() {
        // The last occurrence of a repeated character counts.
        table.insert(*one, at);
    }
    let mut out = String::with_capacity(text.len());
    let mut previous = None;
    for one in text.chars() {
        let replaced = match (table.get(&one), negated) {
            (Some(at), false) => Some(to.get(*at).or(to.last()).copied()),
            (None, true) => Some(to.last().copied()),
            _ => None,
        };
        match replaced {
            Some(Some(new)) => {
                if !(squeeze && previous == Some(new)) {
                    out.push(new);
                }
                previous = Some(new);
            }
            Some(None) => {}
            None => {
                out.push(one);
                previous = None;
            }
        }
    }
    new_string(vm, out)
}

pub(super) fn delete(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let sets = sets(vm, a)?;
    let text = own(me).with(|text| text.chars().filter(|one| !within(&sets, *one)).collect());
    new_string(vm, text)
}

pub(super) fn squeeze(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let sets = sets(vm, a)?;
    let text = own(me).with(|text| {
        let mut out = String::with_capacity(text.len());
        let mut previous = None;
        for one in text.chars() {
            if previous != Some(one) || !within(&sets, one) {
                out.push(one);
            }
            previous = Some(one);
        }
        out
    });
    new_string(vm, text)
}

pub(super) fn count(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let sets = sets(vm, a)?;
    Ok(Value::count(own(me).with(|text| text.chars().filter(|one| within(&sets, *one)).count())))
}
