//! `pack` and `unpack`, for the directives that configuration uses.

use super::Natives;
use crate::value::Value;
use crate::vm::{Outcome, Vm};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(bytes: &[u8], out: &mut Vec<u8>) {
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for at in 0..4 {
            out.push(if at <= chunk.len() { ALPHABET[(bits >> (18 - 6 * at) & 63) as usize] } else { b'=' });
        }
    }
}

pub(crate) fn unbase64(text: &[u8], strict: bool) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let (mut bits, mut count, mut padding) = (0_u32, 0, 0);
    for byte in text {
        match ALPHABET.iter().position(|one| one == byte) {
            Some(value) if padding == 0 => {
                bits = bits << 6 | value as u32;
                count += 1;
                if count == 4 {
                    out.extend_from_slice(&bits.to_be_bytes()[1..]);
                    (bits, count) = (0, 0);
                }
            }
            None if *byte == b'=' => {
                padding += 1;
                if !strict && count + padding == 4 {
                    break;
                }
            }
            _ if strict => return None,
            _ => {}
        }
    }
    if strict && (count + padding) % 4 != 0 || strict && count == 0 && padding > 0 {
        return None;
    }
    match count {
        2 => out.push((bits >> 4) as u8),
        3 => out.extend_from_slice(&[(bits >> 10) as u8, (bits >> 2) as u8]),
        _ => {}
    }
    Some(out)
}

/// A directive: its letter, whether its highest byte comes first, its count (`None` for `*`), and whether the count is
/// explicit.
type Directive = (char, bool, Option<usize>, bool);

/// The directives of a template.
fn directives(vm: &mut Vm<'_>, template: &str) -> Outcome<Vec<Directive>> {
    let mut out = Vec::new();
    let mut letters = template.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter.is_whitespace() {
            continue;
        }
        let mut big = false;
        while let Some(modifier) = letters.next_if(|one| matches!(one, '_' | '!' | '<' | '>')) {
            big |= modifier == '>';
        }
        let mut count = Some(1);
        let mut given = false;
        if letters.next_if_eq(&'*').is_some() {
            count = None;
            given = true;
        } else {
            let mut digits = String::new();
            while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            if !digits.is_empty() {
                let number: usize = digits.parse().unwrap_or(usize::MAX);
                if number > 1 << 26 {
                    return Err(vm.range_error("pack length too big"));
                }
                count = Some(number);
                given = true;
            }
        }
        out.push((letter, big, count, given));
    }
    Ok(out)
}

/// The size of an integer, and whether its highest byte comes first.
fn integer(letter: char, big: bool) -> Option<(usize, bool)> {
    Some(match letter {
        'C' | 'c' => (1, big),
        'S' | 's' => (2, big),
        'L' | 'l' | 'I' | 'i' => (4, big),
        'Q' | 'q' | 'J' | 'j' => (8, big),
        'n' => (2, true),
        'N' => (4, true),
        'v' => (2, false),
        'V' => (4, false),
        _ => return None,
    })
}

pub(super) const ARRAY: Natives = &[("pack", 1, 2, |vm, me, a| {
    let Value::Array(array) = me else { return Ok(Value::Nil) };
    let list = array.list.borrow().clone();
    let template = vm.to_str(&a.at(0))?;
    let mut out: Vec<u8> = Vec::new();
    let mut next = list.iter();
    let mut text = false;
    for (letter, big, count, given) in directives(vm, &template)? {
        match letter {
            'm' | 'a' | 'A' | 'Z' | 'H' | 'h' | 'B' | 'b' | 'M' | 'u' => {
                let Some(value) = next.next() else { return Err(vm.argument_error("too few arguments")) };
                let bytes = vm.to_string_object(value)?.bytes().to_vec();
                vm.build(bytes.len() * 2 + count.unwrap_or(0))?;
                match letter {
                    'm' if given && count == Some(0) => base64(&bytes, &mut out),
                    'm' => {
                        let line = count.filter(|_| given).unwrap_or(45).max(3) / 3 * 3;
                        for chunk in bytes.chunks(line) {
                            base64(chunk, &mut out);
                            out.push(b'\n');
                        }
                    }
                    'a' | 'A' | 'Z' => {
                        let width = count.unwrap_or(bytes.len() + usize::from(letter == 'Z'));
                        let fill = if letter == 'A' { b' ' } else { 0 };
                        out.extend(bytes.iter().copied().chain(std::iter::repeat(fill)).take(width));
                    }
                    'H' | 'h' => {
                        let digits: Vec<u8> =
                            bytes.iter().map(|one| char::from(*one).to_digit(16).unwrap_or(0) as u8).collect();
                        for pair in digits.chunks(2) {
                            let (one, other) = (pair[0], pair.get(1).copied().unwrap_or(0));
                            out.push(if letter == 'H' { one << 4 | other } else { other << 4 | one });
                        }
                    }
                    'B' | 'b' => {
                        for chunk in bytes.chunks(8) {
                            let mut byte = 0_u8;
                            for (at, one) in chunk.iter().enumerate() {
                                let shift = if letter == 'B' { 7 - at } else { at };
                                byte |= (one & 1) << shift;
                            }
                            out.push(byte);
                        }
                    }
                    _ => return Err(vm.unsupported(format!("the directive {letter} of pack"))),
                }
            }
            'U' | 'w' => {
                text = true;
                for value in next.by_ref().take(count.unwrap_or(usize::MAX)) {
                    let code = vm.to_int(value)?;
                    match u32::try_from(code).ok().and_then(char::from_u32) {
                        Some(letter) => out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
                        None => return Err(vm.range_error("pack(U): value out of range")),
                    }
                }
            }
            'x' => out.extend(std::iter::repeat_n(0, count.unwrap_or(0))),
            _ => {
                let Some((size, first)) = integer(letter, big) else {
                    return Err(vm.unsupported(format!("the directive {letter} of pack")));
                };
                let value_count = count.unwrap_or(next.len());
                for _ in 0..value_count {
                    let Some(value) = next.next() else { return Err(vm.argument_error("too few arguments")) };
                    let number = match Vm::as_big(value) {
                        Some(number) => number,
                        None => vm.to_int(value)?.into(),
                    };
                    let low: num_bigint::BigInt = number & num_bigint::BigInt::from(u64::MAX);
                    let bytes = u64::try_from(low).unwrap_or(0).to_le_bytes();
                    let mut bytes = bytes[..size].to_vec();
                    if first {
                        bytes.reverse();
                    }
                    out.extend(bytes);
                }
            }
        }
    }
    vm.build(out.len())?;
    let only_ascii = template.starts_with('m') || template.starts_with('M');
    Ok(if text || only_ascii { Value::bytes(out) } else { Value::binary(out) })
})];

fn unpack(vm: &mut Vm<'_>, me: &Value, template: &Value) -> Outcome<Vec<Value>> {
    let Value::Str(text) = me else { return Ok(Vec::new()) };
    let bytes = text.bytes().to_vec();
    vm.build(bytes.len() * 16)?;
    vm.steps(bytes.len() / 8)?;
    let template = vm.to_str(template)?;
    let mut rest: &[u8] = &bytes;
    let mut out = Vec::new();
    for (letter, big, count, given) in directives(vm, &template)? {
        vm.build(32)?;
        match letter {
            'm' => {
                let strict = given && count == Some(0);
                match unbase64(rest, strict) {
                    Some(decoded) => out.push(Value::binary(decoded)),
                    None => return Err(vm.argument_error("invalid base64")),
                }
                rest = &[];
            }
            'a' | 'A' | 'Z' => {
                let width = count.unwrap_or(rest.len()).min(rest.len());
                let (part, left) = rest.split_at(width);
                let part = match letter {
                    'A' => {
                        let end = part.iter().rposition(|one| !matches!(one, b' ' | 0)).map_or(0, |at| at + 1);
                        &part[..end]
                    }
                    'Z' => part.split(|one| *one == 0).next().unwrap_or_default(),
                    _ => part,
                };
                out.push(Value::binary(part.to_vec()));
                rest = left;
            }
            'H' | 'h' => {
                let digits = count.unwrap_or(rest.len() * 2).min(rest.len() * 2);
                let mut text = String::new();
                for at in 0..digits {
                    let byte = rest[at / 2];
                    let high = (at % 2 == 0) == (letter == 'H');
                    text.push(char::from_digit(u32::from(if high { byte >> 4 } else { byte & 15 }), 16).unwrap_or('0'));
                }
                out.push(Value::string(text));
                rest = &rest[digits.div_ceil(2)..];
            }
            'B' | 'b' => {
                let digits = count.unwrap_or(rest.len() * 8).min(rest.len() * 8);
                let bit = |at: usize| rest[at / 8] >> (if letter == 'B' { 7 - at % 8 } else { at % 8 }) & 1;
                out.push(Value::string((0..digits).map(|at| if bit(at) == 1 { '1' } else { '0' }).collect()));
                rest = &rest[digits.div_ceil(8)..];
            }
            'U' => {
                let text = std::str::from_utf8(rest).unwrap_or_default();
                let letters: Vec<char> = text.chars().take(count.unwrap_or(usize::MAX)).collect();
                let used: usize = letters.iter().map(|one| one.len_utf8()).sum();
                out.extend(letters.into_iter().map(|one| Value::Int(u32::from(one).into())));
                rest = &rest[used..];
            }
            'x' => rest = &rest[count.unwrap_or(0).min(rest.len())..],
            _ => {
                let Some((size, first)) = integer(letter, big) else {
                    return Err(vm.unsupported(format!("the directive {letter} of unpack")));
                };
                for _ in 0..count.unwrap_or(rest.len() / size) {
                    if rest.len() < size {
                        out.push(Value::Nil);
                        continue;
                    }
                    let (part, left) = rest.split_at(size);
                    let number = part.iter().enumerate().fold(0_u64, |number, (at, byte)| {
                        let place = if first { size - 1 - at } else { at };
                        number | u64::from(*byte) << (8 * place)
                    });
                    out.push(if letter.is_ascii_lowercase() && !matches!(letter, 'n' | 'v') {
                        let shift = 64 - 8 * size as u32;
                        Value::Int(((number << shift) as i64) >> shift)
                    } else {
                        Value::big(number.into())
                    });
                    rest = left;
                }
            }
        }
    }
    Ok(out)
}

pub(super) const STRING: Natives = &[
    ("unpack", 1, 2, |vm, me, a| unpack(vm, me, &a.at(0)).map(Value::array)),
    ("unpack1", 1, 2, |vm, me, a| Ok(unpack(vm, me, &a.at(0))?.into_iter().next().into())),
];
