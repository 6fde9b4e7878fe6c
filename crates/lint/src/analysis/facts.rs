//! The custom facts of modules, and other variables of the top scope that code expects.

use std::path::{Component, Path};
use std::sync::{Arc, LazyLock};

use regex::Regex;

/// `Facter.add(:name)`, `Facter.add('name')`.
// A constant pattern compiles always.
static ADDED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"Facter\.add\s*\(?\s*[:"']+(\w+)"#).ok());

/// `name=value` and `name: value`, also as a part of what a script prints.
static PRINTED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"([A-Za-z_]\w*)["']?\s*[=:]"#).ok());

/// `$::name` in manifests and EPP, `scope['::name']` in ERB.
static OF_TOP_SCOPE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?:\$\{?|\[['"]|lookupvar\s*\(?\s*['"])::([a-z_]\w*)(::)?"#).ok());

/// The facts that a file of a module adds, as far as it writes their names out. An external fact of a script has a name that the
/// script prints.
pub(crate) fn facts_of(path: &Path, text: &str) -> Vec<Arc<str>> {
    let is_below = |folder: &str| path.components().any(|part| part == Component::Normal(folder.as_ref()));
    let written = if is_external(path) {
        &PRINTED
    } else if is_below("facter") {
        &ADDED
    } else {
        return Vec::new();
    };
    let names = written.as_ref().map(|written| written.captures_iter(text));
    names.into_iter().flatten().map(|found| Arc::from(&found[1])).collect()
}

/// Returns whether a file has external facts of a module.
pub(crate) fn is_external(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with("facts.d"))
}

/// The names that code reads as variables of the top scope. A classifier may set them.
pub(crate) fn top_variables_of(text: &str) -> Vec<Arc<str>> {
    let found = OF_TOP_SCOPE.as_ref().map(|top| top.captures_iter(text));
    let names = found.into_iter().flatten().filter(|found| found.get(2).is_none());
    let mut names: Vec<Arc<str>> = names.map(|found| Arc::from(&found[1])).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_facts_are_found() {
        let text = "Facter.add(:one) do\nend\nFacter.add('two') {}\nFacter.add \"three\" do\n";
        assert_eq!(facts_of(Path::new("m/lib/facter/x.rb"), text), ["one", "two", "three"].map(Arc::from));
        assert!(facts_of(Path::new("m/lib/puppet/x.rb"), text).is_empty());
        let script = "#!/bin/bash\necho \"links=${all[*]}\"\nprint('gpu_info={}')\n";
        assert_eq!(facts_of(Path::new("m/facts.d/links"), script), ["links", "gpu_info"].map(Arc::from));
        assert_eq!(facts_of(Path::new("m/facts.d/a.yaml"), "site: x\n"), ["site"].map(Arc::from));
    }

    #[test]
    fn variables_of_the_top_scope_are_found() {
        let text = "$::a \"${::b}\" $::c::d <%= scope['::e'] %> scope.lookupvar('::f') $x::g";
        assert_eq!(top_variables_of(text), ["a", "b", "e", "f"].map(Arc::from));
    }
}
