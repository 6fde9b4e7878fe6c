//! Strings.

mod case;
mod change;
mod index;
mod normalize;
mod search;
mod split;
mod succ;
mod tr;

use std::rc::Rc;

use super::Natives;
use super::numeric::{charge_digits, parse_float, parse_integer};
use crate::symbol::known;
use crate::value::{Encoding, Str, Text, Value};
use crate::vm::{Args, Outcome, Vm};

pub(crate) use succ::successor;

/// The receiver.
pub(super) fn own(me: &Value) -> Rc<Str> {
    match me {
        Value::Str(text) => text.clone(),
        // Methods of strings are called on strings.
        _ => Rc::new(Str::new(Text::Owned(String::new()))),
    }
}

/// The receiver, if it may change.
pub(super) fn changing(vm: &mut Vm<'_>, me: &Value) -> Outcome<Rc<Str>> {
    let text = own(me);
    vm.note_change(&text.generation);
    if text.frozen.get() { Err(vm.frozen_error(me)) } else { Ok(text) }
}

/// A new string, whose bytes are charged.
pub(super) fn new_string(vm: &mut Vm<'_>, text: String) -> Outcome {
    vm.build(text.len() + 32)?;
    Ok(Value::string(text))
}

/// Returns the number of characters.
pub(super) fn length(text: &Str) -> usize {
    if text.is_bytewise() {
        return text.len_bytes();
    }
    if !text.is_valid() {
        return text.with(|text| text.chars().count());
    }
    text.with(|text| if text.is_ascii() { text.len() } else { text.chars().count() })
}

pub(super) use normalize::METHODS as NORMALIZE;

pub(super) const METHODS: Natives = &[
    ("self.new", 0, -1, |vm, _, a| match a.positional().first() {
        Some(Value::Str(text)) => {
            vm.build(text.len_bytes())?;
            Ok(Value::Str(Rc::new(Str::clone(text))))
        }
        Some(other) => vm.to_str(other).map(|text| Value::str(&text)),
        None => Ok(Value::str("")),
    }),
    ("to_s", 0, 0, |_, me, _| Ok(me.clone())),
    ("to_str", 0, 0, |_, me, _| Ok(me.clone())),
    ("inspect", 0, 0, |vm, me, _| vm.inspect(me).map(Value::string)),
    ("dump", 0, 0, |vm, me, _| {
        let shown = vm.inspect(me)?;
        let mut out = String::with_capacity(shown.len());
        for one in shown.chars() {
            match u32::from(one) {
                code if one.is_ascii() || code == 0 => out.push(one),
                code if code > 0xffff => out.push_str(&format!("\\u{{{code:X}}}")),
                code => out.push_str(&format!("\\u{code:04X}")),
            }
        }
        vm.build(out.len())?;
        Ok(Value::string(out))
    }),
    ("to_sym", 0, 0, |vm, me, _| vm.to_name(me).map(Value::Sym)),
    ("intern", 0, 0, |vm, me, _| vm.to_name(me).map(Value::Sym)),
    ("to_i", 0, 1, |vm, me, a| {
        let base = a.get(0).map_or(Ok(10), |base| vm.to_int(base))?;
        if base < 0 || base == 1 || base > 36 {
            return Err(vm.argument_error(format!("invalid radix {base}")));
        }
        let text = own(me);
        charge_digits(vm, text.len_bytes())?;
        Ok(Value::big(text.with(|text| parse_integer(text, base, false)).unwrap_or_default()))
    }),
    ("to_f", 0, 0, |_, me, _| Ok(Value::Float(own(me).with(|text| parse_float(text, false)).unwrap_or(0.0)))),
    ("hex", 0, 0, |vm, me, _| {
        charge_digits(vm, own(me).len_bytes())?;
        Ok(Value::big(own(me).with(|text| parse_integer(text, 16, false)).unwrap_or_default()))
    }),
    ("oct", 0, 0, |vm, me, _| {
        let text = own(me);
        charge_digits(vm, text.len_bytes())?;
        let prefixed = text.with(|text| text.trim_start_matches(['-', '+']).to_ascii_lowercase());
        let base = if ["0x", "0b", "0d"].iter().any(|prefix| prefixed.starts_with(prefix)) { 0 } else { 8 };
        Ok(Value::big(text.with(|text| parse_integer(text, base, false)).unwrap_or_default()))
    }),
    ("==", 1, 1, equal),
    ("===", 1, 1, equal),
    ("eql?", 1, 1, |_, me, a| Ok(matches!(&a.at(0), Value::Str(other) if *own(me).bytes() == *other.bytes()).into())),
    ("<=>", 1, 1, |vm, me, a| match a.at(0) {
        other @ Value::Str(_) => Ok(vm.compare(me, &other)?.map(|order| Value::Int(order as i64)).into()),
        _ => Ok(Value::Nil),
    }),
    ("casecmp", 1, 1, |vm, me, a| {
        let Value::Str(other) = a.at(0) else {
            vm.to_str(&a.at(0))?;
            return Ok(Value::Nil);
        };
        let (one, other) = (own(me).bytes().to_ascii_lowercase(), other.bytes().to_ascii_lowercase());
        Ok(Value::Int(one.cmp(&other) as i64))
    }),
    ("casecmp?", 1, 1, |vm, me, a| {
        let other = vm.to_str(&a.at(0))?;
        // By way of capital letters, as a sharp s is equal to two letters; an i without a dot is no i.
        let folded = |text: &str| -> String {
            let lower = text.to_lowercase();
            let parts: Vec<String> = lower.split('ı').map(|part| part.to_uppercase().to_lowercase()).collect();
            parts.join("ı")
        };
        Ok((own(me).with(folded) == folded(&other)).into())
    }),
    ("length", 0, 0, |_, me, _| Ok(Value::count(length(&own(me))))),
    ("size", 0, 0, |_, me, _| Ok(Value::count(length(&own(me))))),
    ("bytesize", 0, 0, |_, me, _| Ok(Value::count(own(me).len_bytes()))),
    ("empty?", 0, 0, |_, me, _| Ok((own(me).len_bytes() == 0).into())),
    ("+", 1, 1, |vm, me, a| {
        let other = vm.to_string_object(&a.at(0))?;
        let text = own(me);
        vm.build(text.len_bytes() + other.len_bytes())?;
        let joined = Str::clone(&text);
        joined.push_str(&other);
        Ok(Value::Str(Rc::new(joined)))
    }),
    ("*", 1, 1, |vm, me, a| {
        let count = vm.to_count(&a.at(0), "negative argument")?;
        let text = own(me);
        let size = text.len_bytes().saturating_mul(count);
        if size as u64 > 1 << 40 {
            return Err(vm.argument_error("argument too big"));
        }
        vm.build(size)?;
        let bytes = text.bytes().repeat(count);
        let copy = Value::bytes(bytes);
        if let Value::Str(copy) = &copy {
            copy.encoding.set(text.encoding.get());
        }
        Ok(copy)
    }),
    ("%", 1, 1, |vm, me, a| match a.at(0) {
        Value::Array(list) => {
            let list = list.list.borrow().clone();
            super::format::sprintf(vm, me, &list)
        }
        other => super::format::sprintf(vm, me, &[other]),
    }),
    ("-@", 0, 0, |vm, me, _| {
        let text = own(me);
        if !text.frozen.replace(true) {
            vm.note_change(&text.generation);
        }
        Ok(me.clone())
    }),
    ("+@", 0, 0, |vm, me, _| if own(me).frozen.get() { super::object::copy(vm, me, false) } else { Ok(me.clone()) }),
    ("bytes", 0, 0, |vm, me, _| {
        let text = own(me);
        vm.build(text.len_bytes() * 16)?;
        let bytes = text.bytes().iter().map(|byte| Value::Int((*byte).into())).collect();
        Ok(Value::array(bytes))
    }),
    ("getbyte", 1, 1, |vm, me, a| {
        let at = vm.to_int(&a.at(0))?;
        let text = own(me);
        let at = if at < 0 { at + text.len_bytes() as i64 } else { at };
        let byte = usize::try_from(at).ok().and_then(|at| text.bytes().get(at).copied());
        Ok(byte.map(|byte| Value::Int(byte.into())).into())
    }),
    ("byteslice", 1, 2, |vm, me, a| {
        let text = own(me);
        let bytes = text.bytes();
        let Some(range) = super::array::span(vm, a, bytes.len())? else { return Ok(Value::Nil) };
        let slice = bytes[range].to_vec();
        vm.build(slice.len())?;
        Ok(Value::bytes(slice))
    }),
    ("chars", 0, 0, |vm, me, _| chars(vm, me).map(Value::array)),
    ("codepoints", 0, 0, |vm, me, _| {
        let text = own(me);
        vm.build(text.len_bytes() * 16)?;
        Ok(Value::array(text.with(|text| text.chars().map(|one| Value::Int(u32::from(one).into())).collect())))
    }),
    ("ord", 0, 0, |vm, me, _| match own(me).with(|text| text.chars().next()) {
        Some(letter) => Ok(Value::Int(u32::from(letter).into())),
        None => Err(vm.argument_error("empty string")),
    }),
    ("chr", 0, 0, |_, me, _| Ok(Value::string(own(me).with(|text| text.chars().take(1).collect())))),
    ("sum", 0, 0, |_, me, _| Ok(Value::Int(own(me).bytes().iter().map(|byte| i64::from(*byte)).sum::<i64>() & 0xffff))),
    ("encoding", 0, 0, |vm, me, _| {
        let name = own(me).encoding.get().name();
        let class = vm.constant_path("Encoding")?.unwrap_or(Value::Nil);
        vm.send(&class, "find", &[Value::str(name)])
    }),
    ("hieratic_encoding", 0, 0, |_, me, _| Ok(Value::str(own(me).encoding.get().name()))),
    ("force_encoding", 1, 1, |vm, me, a| {
        let text = changing(vm, me)?;
        let name = vm.to_s(&a.at(0))?;
        match Encoding::find(&name) {
            Some(encoding) => {
                text.encoding.set(encoding);
                Ok(me.clone())
            }
            None => Err(vm.argument_error(format!("unknown encoding name - {name}"))),
        }
    }),
    ("encode", 0, -1, encode),
    ("valid_encoding?", 0, 0, |_, me, _| Ok(own(me).is_valid().into())),
    ("ascii_only?", 0, 0, |_, me, _| Ok(own(me).bytes().is_ascii().into())),
    ("b", 0, 0, |vm, me, _| {
        let text = own(me);
        vm.build(text.len_bytes())?;
        Ok(Value::binary(text.bytes().to_vec()))
    }),
    ("scrub", 0, 1, |vm, me, a| {
        let replacement = match a.get(0) {
            Some(text) => vm.to_str(text)?.to_string(),
            None => "\u{fffd}".into(),
        };
        let text = own(me).with(|text| text.replace('\u{fffd}', &replacement));
        new_string(vm, text)
    }),
    ("crypt", 1, 1, |vm, _, _| Err(vm.unsupported("String#crypt"))),
    ("upcase", 0, -1, case::upcase),
    ("downcase", 0, -1, case::downcase),
    ("capitalize", 0, -1, case::capitalize),
    ("swapcase", 0, -1, case::swapcase),
    ("upcase!", 0, -1, |vm, me, a| case::bang(vm, me, a, case::upcase)),
    ("downcase!", 0, -1, |vm, me, a| case::bang(vm, me, a, case::downcase)),
    ("capitalize!", 0, -1, |vm, me, a| case::bang(vm, me, a, case::capitalize)),
    ("swapcase!", 0, -1, |vm, me, a| case::bang(vm, me, a, case::swapcase)),
    ("strip", 0, 0, |vm, me, _| case::strip(vm, me, true, true)),
    ("lstrip", 0, 0, |vm, me, _| case::strip(vm, me, true, false)),
    ("rstrip", 0, 0, |vm, me, _| case::strip(vm, me, false, true)),
    ("strip!", 0, 0, |vm, me, a| case::bang(vm, me, a, |vm, me, _| case::strip(vm, me, true, true))),
    ("lstrip!", 0, 0, |vm, me, a| case::bang(vm, me, a, |vm, me, _| case::strip(vm, me, true, false))),
    ("rstrip!", 0, 0, |vm, me, a| case::bang(vm, me, a, |vm, me, _| case::strip(vm, me, false, true))),
    ("chomp", 0, 1, case::chomp),
    ("chomp!", 0, 1, |vm, me, a| case::bang(vm, me, a, case::chomp)),
    ("chop", 0, 0, case::chop),
    ("chop!", 0, 0, |vm, me, a| case::bang(vm, me, a, case::chop)),
    ("squeeze", 0, -1, tr::squeeze),
    ("squeeze!", 0, -1, |vm, me, a| case::bang(vm, me, a, tr::squeeze)),
    ("tr", 2, 2, |vm, me, a| tr::translate(vm, me, a, false)),
    ("tr_s", 2, 2, |vm, me, a| tr::translate(vm, me, a, true)),
    ("tr!", 2, 2, |vm, me, a| case::bang(vm, me, a, |vm, me, a| tr::translate(vm, me, a, false))),
    ("delete", 1, -1, tr::delete),
    ("delete!", 1, -1, |vm, me, a| case::bang(vm, me, a, tr::delete)),
    ("count", 1, -1, tr::count),
    ("delete_prefix", 1, 1, case::delete_prefix),
    ("delete_suffix", 1, 1, case::delete_suffix),
    ("delete_prefix!", 1, 1, |vm, me, a| case::bang(vm, me, a, case::delete_prefix)),
    ("delete_suffix!", 1, 1, |vm, me, a| case::bang(vm, me, a, case::delete_suffix)),
    ("reverse", 0, 0, case::reverse),
    ("reverse!", 0, 0, |vm, me, a| {
        let text = changing(vm, me)?;
        let reversed = case::reverse(vm, me, a)?;
        let reversed = vm.to_s(&reversed)?;
        text.set(reversed);
        Ok(me.clone())
    }),
    ("ljust", 1, 2, |vm, me, a| case::justify(vm, me, a, 'l')),
    ("rjust", 1, 2, |vm, me, a| case::justify(vm, me, a, 'r')),
    ("center", 1, 2, |vm, me, a| case::justify(vm, me, a, 'c')),
    ("<<", 1, 1, change::append),
    ("concat", 0, -1, |vm, me, a| {
        for one in &a.list.clone() {
            change::append(vm, me, &Args::one(one.clone()))?;
        }
        Ok(me.clone())
    }),
    ("prepend", 0, -1, change::prepend),
    ("replace", 1, 1, change::replace),
    ("insert", 2, 2, change::insert),
    ("clear", 0, 0, |vm, me, _| {
        changing(vm, me)?.set(String::new());
        Ok(me.clone())
    }),
    ("[]", 1, 2, index::get),
    ("slice", 1, 2, index::get),
    ("[]=", 2, 3, index::set),
    ("slice!", 1, 2, index::slice_away),
    ("include?", 1, 1, |vm, me, a| {
        let other = vm.to_str(&a.at(0))?;
        let text = own(me);
        vm.steps(text.len_bytes() / 64)?;
        Ok(text.with(|text| text.contains(&*other)).into())
    }),
    ("start_with?", 0, -1, search::start_with),
    ("end_with?", 0, -1, |vm, me, a| {
        for one in &a.list {
            let other = vm.to_str(one)?;
            if own(me).with(|text| text.ends_with(&*other)) {
                return Ok(true.into());
            }
        }
        Ok(false.into())
    }),
    ("index", 1, 2, search::index),
    ("rindex", 1, 2, search::rindex),
    ("=~", 1, 1, |vm, me, a| match a.at(0) {
        Value::Str(_) => Err(vm.type_error("type mismatch: String given")),
        other => vm.call(&other, known::MATCH, Args::one(me.clone())),
    }),
    ("match", 1, 2, search::find),
    ("match?", 1, 2, search::is_match),
    ("scan", 1, 1, search::scan),
    ("sub", 1, 2, |vm, me, a| {
        search::substitute(vm, me, a, false)
            .map(|changed| changed.unwrap_or_else(|| Value::Str(Rc::new(Str::clone(&own(me))))))
    }),
    ("gsub", 1, 2, |vm, me, a| {
        search::substitute(vm, me, a, true)
            .map(|changed| changed.unwrap_or_else(|| Value::Str(Rc::new(Str::clone(&own(me))))))
    }),
    ("sub!", 1, 2, |vm, me, a| search::substitute_in_place(vm, me, a, false)),
    ("gsub!", 1, 2, |vm, me, a| search::substitute_in_place(vm, me, a, true)),
    ("partition", 1, 1, search::partition),
    ("rpartition", 1, 1, search::rpartition),
    ("split", 0, 2, split::split),
    ("lines", 0, -1, split::lines),
    ("succ", 0, 0, |_, me, _| Ok(Value::string(own(me).with(successor)))),
    ("next", 0, 0, |_, me, _| Ok(Value::string(own(me).with(successor)))),
];

fn equal(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    match a.at(0) {
        Value::Str(other) => Ok((*own(me).bytes() == *other.bytes()).into()),
        other @ Value::Object(_) if vm.responds(&other, known::TO_STR) => {
            Ok(vm.call(&other, known::EQ, Args::one(me.clone()))?.truthy().into())
        }
        _ => Ok(false.into()),
    }
}

/// The characters as strings.
pub(super) fn chars(vm: &mut Vm<'_>, me: &Value) -> Outcome<Vec<Value>> {
    let text = own(me);
    vm.steps(text.len_bytes() / 2)?;
    let mut all = Vec::new();
    // Each string is charged before the next is allocated.
    if text.is_bytewise() {
        for byte in text.bytes().iter() {
            vm.build(32)?;
            all.push(Value::binary(vec![*byte]));
        }
        return Ok(all);
    }
    let mut buffer = [0_u8; 4];
    for letter in text.to_arc().chars() {
        vm.build(32)?;
        all.push(Value::str(letter.encode_utf8(&mut buffer)));
    }
    Ok(all)
}

fn encode(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = own(me);
    let target = match a.positional().first() {
        Some(name) => {
            let name = vm.to_s(name)?;
            match Encoding::find(&name) {
                Some(encoding) => encoding,
                None => return Err(vm.unsupported(format!("the encoding {name}"))),
            }
        }
        None => Encoding::Utf8,
    };
    vm.build(text.len_bytes() * 2)?;
    let lenient = a.keyword_hash().is_some();
    match (text.encoding.get(), target) {
        (Encoding::Latin1, Encoding::Utf8) => {
            Ok(Value::string(text.bytes().iter().map(|byte| char::from(*byte)).collect()))
        }
        (_, Encoding::Utf8) if text.is_valid() || lenient => {
            Ok(Value::string(text.with(|text| if lenient { text.replace('\u{fffd}', "") } else { text.to_owned() })))
        }
        (_, Encoding::Ascii | Encoding::Latin1) => {
            let mut bytes = Vec::new();
            let limit = if target == Encoding::Ascii { 0x80 } else { 0x100 };
            let source = text.with(str::to_owned);
            for one in source.chars() {
                match u32::from(one) {
                    code if code < limit => bytes.push(code as u8),
                    _ if lenient => bytes.push(b'?'),
                    code => {
                        let message = format!("U+{code:04X} from UTF-8 to {}", target.name());
                        return Err(vm.named_error("Encoding::UndefinedConversionError", message));
                    }
                }
            }
            let encoded = Value::bytes(bytes);
            if let Value::Str(encoded) = &encoded {
                encoded.encoding.set(target);
            }
            Ok(encoded)
        }
        (_, Encoding::Binary) => Ok(Value::binary(text.bytes().to_vec())),
        _ => {
            let error = "Encoding::InvalidByteSequenceError";
            Err(vm.named_error(error, "invalid byte sequence in UTF-8"))
        }
    }
}
