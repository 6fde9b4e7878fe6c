//! [`Settings`]: the enabled rules, and the options of `.puppet-lint.rc`.

use std::collections::BTreeSet;

use crate::rules::{self, Rule};

/// A set of rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RuleSet {
    /// The rules of puppet-lint.
    #[default]
    PuppetLint,
    /// The rules of puppet-lint and of the plugins in `voxpupuli-puppet-lint-plugins`.
    VoxPupuli,
}

/// The enabled rules, and their options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    enabled: BTreeSet<&'static str>,
    /// Whether the layout of a module is checked relative to its folder, regardless of the folder's name.
    pub relative: bool,
    /// Variables of the top scope that are not facts.
    pub top_scope_variables: Vec<String>,
    /// Whether warnings fail a check.
    pub fail_on_warnings: bool,
    /// Patterns of files that are not checked.
    pub ignore_paths: Vec<String>,
    /// The only severity to report.
    pub error_level: Option<crate::Severity>,
}

/// A line of `.puppet-lint.rc` that has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownOption {
    /// The line, counted from 1.
    pub line: u32,
    /// The option.
    pub option: String,
}

impl Settings {
    /// Creates the default settings for a set of rules.
    pub fn new(set: RuleSet) -> Settings {
        let is_on = |rule: &&&Rule| rule.is_on && (rule.plugin.is_none() || set == RuleSet::VoxPupuli);
        Settings {
            enabled: rules::ALL.iter().filter(is_on).map(|rule| rule.name).collect(),
            relative: false,
            top_scope_variables: Vec::new(),
            fail_on_warnings: false,
            ignore_paths: vec!["vendor/**/*.pp".to_owned()],
            error_level: None,
        }
    }

    /// Returns whether a rule is enabled.
    pub fn is_enabled(&self, rule: &str) -> bool {
        self.enabled.contains(rule)
    }

    /// Enables or disables a rule. Returns whether the rule exists.
    pub fn set(&mut self, name: &str, is_on: bool) -> bool {
        let Some(rule) = rules::find(name) else { return false };
        if is_on {
            self.enabled.insert(rule.name);
        } else {
            self.enabled.remove(rule.name);
        }
        true
    }

    /// Returns whether a file is ignored. The path is relative to the folder of the options.
    pub fn ignores(&self, path: &str) -> bool {
        self.ignore_paths.iter().any(|pattern| fnmatch(pattern.as_bytes(), path.as_bytes()))
    }

    /// Applies the options of a `.puppet-lint.rc`, one per line. Returns the unknown ones.
    ///
    /// Options about the output of puppet-lint are ignored.
    pub fn read_options(&mut self, text: &str) -> Vec<UnknownOption> {
        let mut unknown = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            // OptionParser reads a file as a list of arguments, one on each line.
            if !line.starts_with('-') {
                continue;
            }
            let (option, value) = match line.split_once(['=', ' ']) {
                Some((option, value)) => (option, value.trim()),
                None => (line, ""),
            };
            if !self.follow(option, value) {
                unknown.push(UnknownOption { line: number, option: option.to_owned() });
            }
        }
        unknown
    }

    fn follow(&mut self, option: &str, value: &str) -> bool {
        let list = || value.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned);
        match option {
            "--relative" => self.relative = true,
            "--no-relative" => self.relative = false,
            "--fail-on-warnings" => self.fail_on_warnings = true,
            "--ignore-paths" => self.ignore_paths = list().collect(),
            "--top-scope-variables" => self.top_scope_variables = list().collect(),
            "--error-level" => {
                self.error_level = match value {
                    "warning" => Some(crate::Severity::Warning),
                    "error" => Some(crate::Severity::Error),
                    "all" => None,
                    _ => return false,
                }
            }
            "--only-checks" => {
                let names: Vec<String> = list().collect();
                self.enabled = rules::ALL
                    .iter()
                    .map(|rule| rule.name)
                    .filter(|name| names.iter().any(|one| one == name))
                    .collect();
                return names.iter().all(|name| rules::find(name).is_some());
            }
            "--fix" | "-f" | "--with-context" | "--with-filename" | "--log-format" | "--json" | "--sarif" => {}
            "--show-ignored" | "--codeclimate-report-file" | "--no-config" | "--version" | "--list-checks" => {}
            _ => return self.follow_check(option),
        }
        true
    }

    /// An option such as `--no-140chars-check`.
    fn follow_check(&mut self, option: &str) -> bool {
        let name = option.strip_prefix("--").and_then(|name| name.strip_suffix("-check"));
        match name.map(|name| (name, name.strip_prefix("no-"))) {
            Some((_, Some(name))) => self.set(name, false),
            Some((name, None)) => self.set(name, true),
            None => false,
        }
    }
}

/// Returns whether a pattern with `*` and `?` matches a path. A star matches slashes, too.
fn fnmatch(pattern: &[u8], path: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    // Behind the last star, and where its match ends.
    let mut star: Option<(usize, usize)> = None;
    while place < path.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at + 1, place));
                at += 1;
                continue;
            }
            Some(b'?') => (at, place) = (at + 1, place + 1),
            Some(byte) if *byte == path[place] => (at, place) = (at + 1, place + 1),
            _ => {
                let Some((after, end)) = star else { return false };
                star = Some((after, end + 1));
                (at, place) = (after, end + 1);
            }
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::fnmatch;

    #[test]
    fn stars_match_slashes() {
        let matches = |pattern: &str, path: &str| fnmatch(pattern.as_bytes(), path.as_bytes());
        assert!(matches("vendor/**/*.pp", "vendor/a/b/c.pp") && matches("*.pp", "a/b.pp") && matches("a?c", "abc"));
        assert!(!matches("vendor/**/*.pp", "a/vendor/b/c.pp") && !matches("*.pp", "a.epp.x") && !matches("a", "ab"));
    }
}
