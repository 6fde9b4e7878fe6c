//! YAML.

use hieratic_value::Value as Foreign;

use super::Natives;
use crate::value::Value;

/// Returns a lower bound of the YAML size of a value in bytes at this nesting depth: each line is indented.
fn least_bytes(value: &Foreign, depth: usize) -> usize {
    stacker::maybe_grow(64 << 10, 4 << 20, || match value {
        Foreign::String(text) => text.len(),
        Foreign::Array(list) => {
            list.iter().fold(0, |sum: usize, one| sum.saturating_add(2 * depth + least_bytes(one, depth + 1)))
        }
        Foreign::Hash(hash) => hash.iter().fold(0, |sum: usize, (key, one)| {
            sum.saturating_add(2 * depth + least_bytes(key, depth) + least_bytes(one, depth + 1))
        }),
        _ => 1,
    })
}

pub(super) const FUNCTIONS: Natives = &[
    ("self.yaml", 1, 1, |vm, _, a| {
        let value = vm.export(&a.at(0))?;
        let least = least_bytes(&value, 0);
        vm.build(least)?;
        vm.steps(least / 64)?;
        match hieratic_output::yaml(&value) {
            Ok(text) => {
                vm.build(text.len().saturating_sub(least))?;
                Ok(Value::string(text))
            }
            Err(error) => Err(vm.argument_error(error.to_string())),
        }
    }),
    ("self.parse_yaml", 1, 2, |vm, _, a| {
        let text = vm.to_str(&a.at(0))?;
        vm.steps(text.len() / 16)?;
        vm.build(text.len())?;
        let mut options = hieratic_yaml::Options::new("<unknown>");
        options.regexps = a.at(1).truthy();
        match hieratic_yaml::parse(text.as_bytes(), &options) {
            Ok(value) => vm.import(&value),
            Err(error) => {
                let message = error.to_string();
                match message.find("Tried to load unspecified class") {
                    Some(at) => Err(vm.named_error("Psych::DisallowedClass", &message[at..])),
                    None => Err(vm.named_error("Psych::SyntaxError", message)),
                }
            }
        }
    }),
];
