//! Methods that change a string.

use super::{changing, length, own};
use crate::value::{Encoding, Value};
use crate::vm::{Args, Outcome, Vm};

pub(super) fn append(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = changing(vm, me)?;
    match a.at(0) {
        Value::Int(code) => {
            if text.encoding.get() == Encoding::Binary {
                let (mut bytes, marks) = (text.bytes().to_vec(), text.marks());
                bytes.push(code as u8);
                text.set_bytes(bytes);
                text.set_marks(marks);
            } else {
                match u32::try_from(code).ok().and_then(char::from_u32) {
                    Some(letter) => text.push(letter.encode_utf8(&mut [0; 4])),
                    None => return Err(vm.range_error(format!("{code} out of char range"))),
                }
            }
            vm.build(4)?;
        }
        other => {
            let other = vm.to_string_object(&other)?;
            vm.build(other.len_bytes())?;
            text.push_str(&other);
        }
    }
    Ok(me.clone())
}

pub(super) fn prepend(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = changing(vm, me)?;
    let mut joined = String::new();
    for one in &a.list {
        joined.push_str(&vm.to_str(one)?);
    }
    text.with(|text| joined.push_str(text));
    vm.build(joined.len())?;
    text.set(joined);
    Ok(me.clone())
}

pub(super) fn replace(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = changing(vm, me)?;
    let other = vm.to_string_object(&a.at(0))?;
    let bytes = other.bytes().to_vec();
    vm.build(bytes.len())?;
    text.set_bytes(bytes);
    Ok(me.clone())
}

pub(super) fn insert(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = changing(vm, me)?;
    let at = vm.to_int(&a.at(0))?;
    let added = vm.to_str(&a.at(1))?;
    let count = length(&own(me)) as i64;
    let place = if at < 0 { at + count + 1 } else { at };
    if place < 0 || place > count {
        let shown = if at < 0 { at + 1 } else { at };
        return Err(vm.index_error(format!("index {shown} out of string")));
    }
    let changed = text.with(|text| {
        let byte = text.char_indices().nth(place as usize).map_or(text.len(), |(byte, _)| byte);
        format!("{}{added}{}", &text[..byte], &text[byte..])
    });
    vm.build(changed.len())?;
    text.set(changed);
    Ok(me.clone())
}
