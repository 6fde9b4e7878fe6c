//! [`StyleOptions`]: the rules of puppet-lint to check.

use std::path::PathBuf;

use hieratic_diagnostics::{Source, Span};
pub use hieratic_puppet_style::RuleSet;
use hieratic_puppet_style::Settings;

use crate::finding::Finding;
use crate::rules;

/// The rules of puppet-lint to check, and the file of their options.
#[derive(Clone, Debug)]
pub struct StyleOptions {
    /// The rules, with the options of `.puppet-lint.rc`.
    pub(crate) settings: Settings,
    /// The folder that patterns of ignored files start from.
    pub(crate) folder: PathBuf,
    /// Options that have no effect here.
    pub(crate) faults: Vec<Finding>,
    /// Whether it is found out which findings can be fixed.
    pub(crate) fixes: bool,
}

impl StyleOptions {
    /// Creates the options for a set of rules in a folder. `options` are the name and the content of its
    /// `.puppet-lint.rc`.
    pub fn new(set: RuleSet, folder: PathBuf, options: Option<(&str, &str)>) -> StyleOptions {
        let mut settings = Settings::new(set);
        let mut faults = Vec::new();
        if let Some((name, text)) = options {
            let source = Source::new(name, text);
            for unknown in settings.read_options(text) {
                let line = source.line(unknown.line);
                let message = format!("the option {} has no effect here", unknown.option);
                faults.push(
                    Finding::new(&rules::STYLE, message)
                        .at(&source, Span::new(line.range().start, line.range().end), "")
                        .help("docs/style-rules.md lists the rules and options that are known"),
                );
            }
        }
        StyleOptions { settings, folder, faults, fixes: false }
    }

    /// Sets whether to determine the findings that [`restyle`](crate::restyle) can fix.
    pub fn with_fixes(self, fixes: bool) -> StyleOptions {
        StyleOptions { fixes, ..self }
    }

    /// Returns whether `.puppet-lint.rc` makes a check fail on warnings.
    pub fn fails_on_warnings(&self) -> bool {
        self.settings.fail_on_warnings
    }
}
