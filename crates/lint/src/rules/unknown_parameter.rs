//! # unknown-parameter
//!
//! A key names a parameter that its class does not have. (warning)
//!
//! ## What is found
//!
//! A key consists of the name of a class in the module path, `::`, and a name that is not one of its parameters, and no
//! manifest, template or function mentions the key. Classes that inherit are not checked.
//!
//! Or its class does not exist, and another one of the same module with nearly the same name has such a parameter.
//!
//! ## Why it matters
//!
//! The value has no effect. Usually the parameter is misspelled or was renamed.
//!
//! ## How to fix it
//!
//! Use the parameter that the help line suggests.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! ntp::sevrers: [a]   # class ntp(Array $servers)
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! ntp::servers: [a]   # class ntp(Array $servers)
//! ```
//!
//! A comment `# hieratic: ignore unknown-parameter` on the same line or the line before accepts the finding.

use hieratic::value::collections::HashMap;

use crate::finding::Finding;
use crate::rules;
use crate::workspace::Code;
use crate::workspace::code::ClassInfo;
use crate::workspace::data::DataFile;
use crate::workspace::suggestions::Suggestions;

/// A key whose class has no such parameter, unless some code names the key.
pub(crate) fn unknown(
    file: &DataFile,
    key: &str,
    class: &str,
    info: &ClassInfo,
    name: &str,
    code: &Code,
) -> Option<Finding> {
    // A class that inherits may read what belongs to its parent, and a deeper class may have the name of the key.
    if info.inherits || code.names.contains(key) || code.classes.contains_key(key) {
        return None;
    }
    let message = format!("The class '{class}' has no parameter '{name}', and no code looks the key up");
    let finding = Finding::new(&rules::UNKNOWN_PARAMETER, message).at(&file.source, file.key_span(key), "");
    let names = info.parameters.iter().map(|parameter| parameter.name.as_str());
    Some(match hieratic_diagnostics::nearest(name, names) {
        Some(near) => finding.help(format!("did you mean '{class}::{near}'?")),
        None => finding.help("remove the key, or add the parameter to the class"),
    })
}

/// A key of a class that does not exist, where one of nearly the same name in the same module has such a parameter.
pub(crate) fn misspelled_class(
    file: &DataFile,
    key: &str,
    code: &Code,
    takers: &HashMap<&str, Vec<&str>>,
    suggestions: &mut Suggestions,
) -> Option<Finding> {
    let (class, name) = key.rsplit_once("::")?;
    let (module, _) = class.split_once("::")?;
    // Its class may be one that a call looks up by pieces.
    if code.lookup_calls.for_key(key).any(|request| !request.key.is_anything()) {
        return None;
    }
    let of_module = |known: &&str| known.split("::").next() == Some(module);
    let near = suggestions.nearest(class, takers.get(name)?.iter().copied().filter(of_module))?;
    let message = format!("There is no class '{class}' with a parameter '{name}', and no code looks the key up");
    let finding = Finding::new(&rules::UNKNOWN_PARAMETER, message).at(&file.source, file.key_span(key), "");
    Some(finding.help(format!("did you mean '{near}::{name}'?")))
}
