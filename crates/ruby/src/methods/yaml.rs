//! YAML.

use super::Natives;
use crate::value::Value;

pub(super) const FUNCTIONS: Natives = &[
    ("self.yaml", 1, 1, |vm, _, a| {
        let value = vm.export(&a.at(0))?;
        match hieratic_render::yaml(&value) {
            Ok(text) => {
                vm.build(text.len())?;
                Ok(Value::string(text))
            }
            Err(error) => Err(vm.argument_error(error.to_string())),
        }
    }),
    ("self.parse_yaml", 1, 2, |vm, _, a| {
        let text = vm.to_str(&a.at(0))?;
        vm.steps(text.len() / 16)?;
        vm.build(text.len())?;
        let mut options = hieratic_document::yaml::Options::new("<unknown>");
        options.regexps = a.at(1).truthy();
        match hieratic_document::yaml::parse(text.as_bytes(), &options) {
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
