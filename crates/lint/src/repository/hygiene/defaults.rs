//! The defaults of class parameters that only their class looks up.

use hieratic::Value;
use hieratic_value::collections::HashMap;

use crate::repository::types::{Types, language};
use crate::repository::{Code, Repository};

/// The defaults that are written out, by key. A key that data or code looks up has none here: who looks it up gets no
/// default.
pub(super) fn of_parameters(repository: &Repository, code: &Code) -> HashMap<String, Value> {
    let looked_up = crate::repository::unused::looked_up(repository);
    let language = language(&repository.environment);
    let mut types = Types::new(&language);
    let mut defaults = HashMap::default();
    let keys = repository.keys();
    for (class, info) in &code.classes {
        for parameter in &info.parameters {
            let key = format!("{class}::{}", parameter.name);
            let Some((text, _)) = parameter.default.as_ref().filter(|_| keys.contains(key.as_str())) else { continue };
            if looked_up.contains(&key) || code.lookup_calls.for_key(&key).any(|request| !request.key.is_anything()) {
                continue;
            }
            if let Some(value) = types.value(text).filter(|value| !value.is_undef()) {
                defaults.insert(key, value);
            }
        }
    }
    defaults
}
