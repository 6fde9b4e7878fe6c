//! The custom facts of modules.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use regex::Regex;

/// `Facter.add(:name)`, `Facter.add('name')`.
// A constant pattern compiles always.
static ADDED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"Facter\.add\s*\(?\s*[:"']+(\w+)"#).ok());

/// The facts that a file of a module adds, as far as it writes their names out.
pub(crate) fn facts_of(path: &Path, text: &str) -> Vec<Arc<str>> {
    let is_of_facts = path.components().any(|part| part.as_os_str() == "facter");
    let names = ADDED.as_ref().filter(|_| is_of_facts).map(|added| added.captures_iter(text));
    names.into_iter().flatten().map(|found| Arc::from(&found[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_facts_are_found() {
        let text = "Facter.add(:one) do\nend\nFacter.add('two') {}\nFacter.add \"three\" do\n";
        assert_eq!(facts_of(Path::new("m/lib/facter/x.rb"), text), ["one", "two", "three"].map(Arc::from));
        assert!(facts_of(Path::new("m/lib/puppet/x.rb"), text).is_empty());
    }
}
