//! Checks the style of manifests by the rules of puppet-lint and of Vox Pupuli's plugins, and fixes it.
//!
//! The findings are those of puppet-lint 4, with the same names, messages, lines and columns, and a fix gives the same
//! bytes. Where puppet-lint itself fails or damages a manifest, this crate does not: `docs/style-rules.md` lists the
//! differences.
//!
//! ```
//! use hieratic_budget::{Budget, Limits};
//! use hieratic_puppet_style::{RuleSet, Settings, check_style};
//!
//! let budget = Budget::new(Limits::default());
//! let report = check_style("$a = \"b\"\n", "/m/manifests/a.pp", &Settings::new(RuleSet::PuppetLint), &budget).unwrap();
//! assert_eq!(report.problems[0].rule, "double_quoted_strings");
//! assert_eq!(report.fixed.as_deref(), Some("$a = 'b'\n"));
//! ```

mod control;
mod failure;
mod fix;
mod kind;
mod lexer;
mod manifest;
mod problem;
pub mod rules;
mod settings;
mod style_report;
mod token;

pub use control::UnpairedComment;
pub use failure::Failure;
pub use problem::{Problem, Severity};
pub use rules::Rule;
pub use settings::{RuleSet, Settings, UnknownOption};
pub use style_report::{StyleReport, check_style, find_problems};
