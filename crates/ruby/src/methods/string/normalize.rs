//! Normalization of Unicode: <https://docs.ruby-lang.org/en/3.1/String.html#method-i-unicode_normalize>. => Unicode
//! normalization: <https://docs.ruby-lang.org/en/3.1/String.html#method-i-unicode_normalize>.

use unicode_normalization::{UnicodeNormalization, is_nfc, is_nfd, is_nfkc, is_nfkd};

use super::own;
use crate::methods::Natives;
use crate::value::Value;
use crate::vm::{Args, Outcome, Vm};

/// A form: how it is made, and whether a string has it.
struct Form {
    name: &'static str,
    make: fn(&str) -> String,
    is_in: fn(&str) -> bool,
}

const FORMS: [Form; 4] = [
    Form { name: "nfc", make: |text| text.nfc().collect(), is_in: is_nfc },
    Form { name: "nfd", make: |text| text.nfd().collect(), is_in: is_nfd },
    Form { name: "nfkc", make: |text| text.nfkc().collect(), is_in: is_nfkc },
    Form { name: "nfkd", make: |text| text.nfkd().collect(), is_in: is_nfkd },
];

/// The most bytes that one byte can become: U+FDFA is 3 bytes, and 33 in the form NFKD.
const GROWTH: usize = 11;

fn form(vm: &mut Vm<'_>, a: &Args) -> Outcome<&'static Form> {
    let name = if a.list.is_empty() { "nfc".to_owned() } else { vm.to_s(&a.at(0))? };
    match FORMS.iter().find(|form| form.name == name) {
        Some(form) => Ok(form),
        None => Err(vm.argument_error(format!("Invalid normalization form {name}."))),
    }
}

fn check_encoding(vm: &mut Vm<'_>, me: &Value) -> Outcome<()> {
    if own(me).is_valid() {
        return Ok(());
    }
    Err(vm.argument_error("invalid byte sequence in UTF-8"))
}

fn normalize(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome<String> {
    let form = form(vm, a)?;
    check_encoding(vm, me)?;
    let text = own(me);
    vm.steps(text.len_bytes())?;
    vm.build(text.len_bytes() * GROWTH)?;
    Ok(text.with(|text| (form.make)(text)))
}

pub(crate) const METHODS: Natives = &[
    ("unicode_normalize", 0, 1, |vm, me, a| normalize(vm, me, a).map(Value::string)),
    ("unicode_normalize!", 0, 1, |vm, me, a| {
        let text = normalize(vm, me, a)?;
        vm.send(me, "replace", &[Value::string(text)])
    }),
    ("unicode_normalized?", 0, 1, |vm, me, a| {
        let form = form(vm, a)?;
        check_encoding(vm, me)?;
        let text = own(me);
        vm.steps(text.len_bytes())?;
        Ok(text.with(|text| (form.is_in)(text)).into())
    }),
];
