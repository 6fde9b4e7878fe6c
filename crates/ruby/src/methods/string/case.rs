//! Case, whitespace at the ends, and padding.

use super::{changing, length, new_string, own};
use crate::value::{Native, Value};
use crate::vm::{Args, Outcome, Vm};

/// Changes the string as a method would; nil if that changes nothing.
pub(super) fn bang(vm: &mut Vm<'_>, me: &Value, a: &Args, method: Native) -> Outcome {
    let text = changing(vm, me)?;
    let changed = method(vm, me, a)?;
    let Value::Str(changed) = changed else { return Ok(Value::Nil) };
    if *changed.bytes() == *text.bytes() {
        return Ok(Value::Nil);
    }
    let bytes = changed.bytes().to_vec();
    text.set_bytes(bytes);
    Ok(me.clone())
}

pub(super) fn upcase(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Outcome {
    let text = own(me).with(|text| if text.is_ascii() { text.to_ascii_uppercase() } else { text.to_uppercase() });
    new_string(vm, text)
}

pub(super) fn downcase(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Outcome {
    let text = own(me).with(|text| if text.is_ascii() { text.to_ascii_lowercase() } else { text.to_lowercase() });
    new_string(vm, text)
}

pub(super) fn capitalize(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Outcome {
    let text = own(me).with(|text| {
        let mut letters = text.chars();
        match letters.next() {
            Some(first) => first.to_uppercase().collect::<String>() + &letters.as_str().to_lowercase(),
            None => String::new(),
        }
    });
    new_string(vm, text)
}

pub(super) fn swapcase(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Outcome {
    let text = own(me).with(|text| {
        let mut out = String::with_capacity(text.len());
        for one in text.chars() {
            if one.is_uppercase() { out.extend(one.to_lowercase()) } else { out.extend(one.to_uppercase()) }
        }
        out
    });
    new_string(vm, text)
}

fn is_space(one: char) -> bool {
    matches!(one, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r')
}

pub(super) fn strip(vm: &mut Vm<'_>, me: &Value, left: bool, right: bool) -> Outcome {
    let text = own(me).with(|text| {
        let text = if left { text.trim_start_matches(|one| is_space(one) || one == '\0') } else { text };
        (if right { text.trim_end_matches(|one| is_space(one) || one == '\0') } else { text }).to_owned()
    });
    new_string(vm, text)
}

pub(super) fn chomp(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = match a.get(0) {
        None => own(me).with(|text| {
            let cut = text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).or_else(|| text.strip_suffix('\r'));
            cut.unwrap_or(text).to_owned()
        }),
        Some(Value::Nil) => own(me).with(str::to_owned),
        Some(suffix) => {
            let suffix = vm.to_str(suffix)?;
            own(me).with(|text| {
                match &*suffix {
                    "" => {
                        let mut text = text;
                        while let Some(cut) = text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')) {
                            text = cut;
                        }
                        text
                    }
                    "\n" => {
                        let cut = text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n'));
                        cut.or_else(|| text.strip_suffix('\r')).unwrap_or(text)
                    }
                    suffix => text.strip_suffix(suffix).unwrap_or(text),
                }
                .to_owned()
            })
        }
    };
    new_string(vm, text)
}

pub(super) fn chop(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Outcome {
    let text = own(me).with(|text| {
        if let Some(cut) = text.strip_suffix("\r\n") {
            return cut.to_owned();
        }
        let mut letters = text.chars();
        letters.next_back();
        letters.as_str().to_owned()
    });
    new_string(vm, text)
}

pub(super) fn delete_prefix(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let prefix = vm.to_str(&a.at(0))?;
    let text = own(me).with(|text| text.strip_prefix(&*prefix).unwrap_or(text).to_owned());
    new_string(vm, text)
}

pub(super) fn delete_suffix(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let suffix = vm.to_str(&a.at(0))?;
    let text = own(me).with(|text| text.strip_suffix(&*suffix).unwrap_or(text).to_owned());
    new_string(vm, text)
}

pub(super) fn reverse(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Outcome {
    let text = own(me);
    if text.is_bytewise() {
        let bytes: Vec<u8> = text.bytes().iter().rev().copied().collect();
        return Ok(Value::binary(bytes));
    }
    let reversed = text.with(|text| text.chars().rev().collect());
    new_string(vm, reversed)
}

pub(super) fn justify(vm: &mut Vm<'_>, me: &Value, a: &Args, side: char) -> Outcome {
    let width = vm.to_int(&a.at(0))?;
    let pad = match a.get(1) {
        Some(pad) => vm.to_str(pad)?,
        None => " ".into(),
    };
    if pad.is_empty() {
        return Err(vm.argument_error("zero width padding"));
    }
    let text = own(me);
    let missing = usize::try_from(width).unwrap_or(0).saturating_sub(length(&text));
    vm.build(missing.saturating_mul(pad.len()))?;
    let (left, right) = match side {
        'l' => (0, missing),
        'r' => (missing, 0),
        _ => (missing / 2, missing - missing / 2),
    };
    let mut out = String::new();
    out.extend(pad.chars().cycle().take(left));
    text.with(|text| out.push_str(text));
    out.extend(pad.chars().cycle().take(right));
    new_string(vm, out)
}
