//! The defaults of class parameters whose keys only their class looks up.

use hieratic::Value;
use hieratic::value::collections::HashMap;

use crate::workspace::types::{Types, language};
use crate::workspace::{Code, Workspace};

/// The defaults that are written out, by key. A key that data or code looks up has none here: who looks it up gets no
/// default.
pub(crate) fn of_parameters(workspace: &Workspace, code: &Code) -> HashMap<String, Value> {
    let looked_up = crate::workspace::key_usage::looked_up(workspace);
    let language = language(&workspace.environment);
    let mut types = Types::new(&language);
    let mut defaults = HashMap::default();
    let keys = workspace.keys();
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
