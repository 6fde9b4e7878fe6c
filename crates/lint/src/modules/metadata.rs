//! [`Metadata`]: the `metadata.json` of a module.
//!
//! See [its format](https://www.puppet.com/docs/puppet/8/modules_metadata.html).

use hieratic::Value;
use hieratic::json;
use hieratic::puppet_types::quantities::{SemVer, SemVerRange};
use hieratic_diagnostics::{Source, Span, nearest};

use crate::finding::Finding;
use crate::rules::module_metadata;

/// The fields that the Forge requires.
const REQUIRED: [&str; 7] = ["name", "version", "author", "license", "summary", "source", "dependencies"];

/// The other fields that are known.
const KNOWN: [&str; 13] = [
    "project_page",
    "issues_url",
    "operatingsystem_support",
    "tags",
    "requirements",
    "data_provider",
    "description",
    "types",
    "checksums",
    "pdk-version",
    "template-url",
    "template-ref",
    "puppet_version",
];

/// The metadata of a module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Metadata {
    /// The version, if it is one.
    pub(crate) version: Option<SemVer>,
    /// The modules that it needs.
    pub(crate) dependencies: Vec<Dependency>,
}

/// A module that another one needs.
#[derive(Clone, Debug)]
pub(crate) struct Dependency {
    /// Its name, with its author.
    pub(crate) name: String,
    /// The range of versions, as in the source.
    pub(crate) text: String,
    /// The parsed versions; `None` if any version will do.
    pub(crate) range: Option<SemVerRange>,
}

impl Metadata {
    /// Reads metadata, and checks it. A file that is not JSON has none: the check of JSON reports it.
    pub(crate) fn read(source: &Source) -> (Metadata, Vec<Finding>) {
        let Ok(value) = json::parse(source.text().as_bytes()) else { return Default::default() };
        let Some(hash) = value.as_hash() else { return Default::default() };
        let mut reader = Reader { source, findings: Vec::new() };
        let missing: Vec<&str> = REQUIRED.into_iter().filter(|name| hash.get(name).is_none()).collect();
        if !missing.is_empty() {
            let message = format!("The metadata lacks {}", missing.join(", "));
            reader.add("", message, "the Forge and tools that install modules ask for them");
        }
        for name in hash.keys().filter_map(Value::as_str) {
            let known = || REQUIRED.into_iter().chain(KNOWN);
            if let Some(near) = nearest(name, known()).filter(|_| !known().any(|known| known == name)) {
                reader.add(name, format!("'{name}' is not a field of metadata"), &format!("did you mean '{near}'?"));
            }
        }
        let text = |name: &str| hash.get(name).and_then(Value::as_str);
        if let Some(name) = text("name")
            && !name.contains(['-', '/'])
        {
            let finding = reader.at("name", format!("The name '{name}' has no author"), "write AUTHOR-MODULE");
            // Only the Forge requires it, and modules of a control repository are not published there.
            reader.findings.push(finding.lowered_to_note());
        }
        let version = text("version").and_then(|version| match SemVer::parse(version) {
            Ok(version) => Some(version),
            Err(_) => {
                reader.add("version", format!("'{version}' is not a version"), "write three numbers: 1.0.0");
                None
            }
        });
        if let Some(license) = text("license")
            && !is_license(license)
        {
            let message = format!("'{license}' is not an SPDX license");
            let finding = reader.at("license", message, "write its identifier, such as Apache-2.0, or proprietary");
            // People understand it all the same.
            reader.findings.push(finding.lowered_to_note());
        }
        reader.systems(hash.get("operatingsystem_support"));
        reader.requirements(hash.get("requirements"));
        let dependencies = reader.dependencies(hash.get("dependencies"));
        (Metadata { version, dependencies }, reader.findings)
    }
}

/// Returns whether a string can be a license of SPDX or an expression of such: <https://spdx.org/licenses/>.
fn is_license(text: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_matches(['(', ')', '+']);
        let inside = word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '+' | ':'));
        inside && !word.is_empty()
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_operator = |word: &&str| matches!(*word, "AND" | "OR" | "WITH");
    words.iter().all(|word| is_word(word))
        && words.iter().enumerate().all(|(index, word)| (index % 2 == 1) == is_operator(word))
        && words.len() % 2 == 1
}

struct Reader<'s> {
    source: &'s Source,
    findings: Vec<Finding>,
}

impl Reader<'_> {
    /// Adds a finding at a word in quotes, or at the beginning.
    fn add(&mut self, word: &str, message: String, help: &str) {
        let finding = self.at(word, message, help);
        self.findings.push(finding);
    }

    /// A finding at a word in quotes, or at the beginning.
    fn at(&self, word: &str, message: String, help: &str) -> Finding {
        let text = self.source.text();
        let quoted = format!("\"{word}\"");
        let span = match text.find(&quoted).filter(|_| !word.is_empty()) {
            Some(at) => Span::new(at, at + quoted.len()),
            None => Span::new(0, text.find('{').map_or(0, |at| at + 1)),
        };
        module_metadata::of_field(self.source, span, message, help)
    }

    fn systems(&mut self, systems: Option<&Value>) {
        const HELP: &str =
            "write a list such as [{\"operatingsystem\": \"Debian\", \"operatingsystemrelease\": [\"12\"]}]";
        let name = "operatingsystem_support";
        let Some(systems) = systems else { return };
        let Some(list) = systems.as_array() else {
            return self.add(name, format!("'{name}' is not a list"), HELP);
        };
        for system in list.iter() {
            let Some(hash) = system.as_hash() else {
                return self.add(name, format!("'{name}' has an element that is not a hash"), HELP);
            };
            match (hash.get("operatingsystem"), hash.get("operatingsystemrelease")) {
                (Some(Value::String(_)), None) => {}
                (Some(Value::String(_)), Some(Value::Array(releases)))
                    if releases.iter().all(|release| release.as_str().is_some()) => {}
                (Some(Value::String(system)), Some(_)) => {
                    self.add(system, format!("The releases of '{system}' are not a list of strings"), HELP);
                }
                _ => return self.add(name, format!("'{name}' has a system without a name"), HELP),
            }
        }
    }

    /// Parses a range of versions; adds a finding if that fails.
    fn range(&mut self, text: &str) -> Option<SemVerRange> {
        let range = SemVerRange::parse(text).ok();
        if range.is_none() {
            self.add(text, format!("'{text}' is not a range of versions"), "write it as \">= 4.1.0 < 10.0.0\"");
        }
        range
    }

    /// The versions of Puppet that a module is for.
    fn requirements(&mut self, requirements: Option<&Value>) {
        let all = requirements.and_then(Value::as_array).into_iter().flat_map(|list| list.iter());
        let texts = all.filter_map(|one| one.as_hash()?.get("version_requirement")?.as_str());
        let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
        for text in texts {
            self.range(text);
        }
    }

    fn dependencies(&mut self, dependencies: Option<&Value>) -> Vec<Dependency> {
        let mut found: Vec<Dependency> = Vec::new();
        for dependency in dependencies.and_then(Value::as_array).into_iter().flat_map(|list| list.iter()) {
            let Some(name) = dependency.as_hash().and_then(|hash| hash.get("name")?.as_str()) else {
                self.add("dependencies", "A dependency has no name".to_owned(), "write {\"name\": \"AUTHOR/MODULE\"}");
                continue;
            };
            let plain = name.replace('/', "-");
            if found.iter().any(|other| other.name.replace('/', "-") == plain) {
                self.add(name, format!("The dependency '{name}' is listed twice"), "remove one of them");
            }
            let hash = dependency.as_hash();
            let text = hash.and_then(|hash| hash.get("version_requirement")?.as_str()).unwrap_or_default();
            let range = match text {
                "" => None,
                text => self.range(text),
            };
            found.push(Dependency { name: name.to_owned(), text: text.to_owned(), range });
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str) -> Vec<String> {
        let (_, findings) = Metadata::read(&Source::new("metadata.json", text));
        findings.into_iter().map(|finding| finding.diagnostic.message.clone()).collect()
    }

    const GOOD: &str = r#"{"name": "a-b", "version": "1.0.0", "author": "a", "license": "Apache-2.0", "summary": "s", "source": "x",
      "dependencies": [{"name": "puppetlabs/stdlib", "version_requirement": ">= 4.0.0 < 10.0.0"}],
      "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["12"]}, {"operatingsystem": "Gentoo"}]}"#;

    #[test]
    fn complete_metadata_has_no_findings() {
        let (metadata, findings) = Metadata::read(&Source::new("metadata.json", GOOD));
        assert!(findings.is_empty(), "{findings:?}");
        assert!(metadata.version.is_some() && metadata.dependencies[0].range.is_some());
    }

    #[test]
    fn each_mistake_is_a_finding() {
        let wrong = |from: &str, to: &str| messages(&GOOD.replace(from, to));
        assert_eq!(wrong(r#""summary": "s","#, ""), ["The metadata lacks summary"]);
        assert_eq!(wrong("\"1.0.0\"", "\"1.0\""), ["'1.0' is not a version"]);
        assert_eq!(
            wrong("Apache-2.0", "Apache License, Version 2.0"),
            ["'Apache License, Version 2.0' is not an SPDX license"]
        );
        assert!(wrong("Apache-2.0", "GPL-2.0-only OR MIT").is_empty() && wrong("Apache-2.0", "proprietary").is_empty());
        assert_eq!(wrong(">= 4.0.0 < 10.0.0", "newest"), ["'newest' is not a range of versions"]);
        assert_eq!(
            wrong(
                "\"summary\"",
                "\"requirements\": [{\"name\": \"puppet\", \"version_requirement\": \"new\"}], \"summary\""
            ),
            ["'new' is not a range of versions"]
        );
        assert_eq!(wrong("[\"12\"]", "[12]"), ["The releases of 'Debian' are not a list of strings"]);
        assert_eq!(wrong("\"name\": \"a-b\"", "\"name\": \"b\""), ["The name 'b' has no author"]);
    }
}
