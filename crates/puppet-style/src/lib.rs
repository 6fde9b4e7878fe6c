//! Judges the style of manifests by the rules of puppet-lint and of Vox Pupuli's plugins, and corrects it.
//!
//! The findings are those of puppet-lint 4, with the same names, messages, lines and columns, and a fix gives the same
//! bytes. Where puppet-lint itself fails or damages a manifest, this crate does not: `docs/guides`
//! lists the differences.
//!
//! ```
//! use hieratic_budget::{Budget, Limits};
//! use hieratic_puppet_style::{RuleSet, Settings, judge};
//!
//! let budget = Budget::new(Limits::default());
//! let judged = judge("$a = \"b\"\n", "/m/manifests/a.pp", &Settings::new(RuleSet::PuppetLint), &budget).unwrap();
//! assert_eq!(judged.problems[0].rule, "double_quoted_strings");
//! assert_eq!(judged.fixed.as_deref(), Some("$a = 'b'\n"));
//! ```

mod control;
mod failure;
mod fix;
mod judge;
mod kind;
mod lexer;
mod manifest;
mod problem;
pub mod rules;
mod settings;
mod token;

pub use control::Unpaired;
pub use failure::Failure;
pub use judge::{Judged, find_problems, judge};
pub use problem::{Problem, Severity};
pub use rules::Rule;
pub use settings::{RuleSet, Settings, UnknownOption};
