//! Static validation of Puppet syntax trees: what is wrong with a text that can be read.
//!
//! [`validate`] finds what the reference's validator finds, in its order and its words. [`label`] tells how messages name
//! things.

mod checker;
mod idempotent;
pub mod label;
mod names;
mod places;
mod syntax;

use std::path::{Path, PathBuf};

use hieratic_syntax::Problem;
use hieratic_syntax::ast::Program;

pub use syntax::check_syntax;

/// How a tree is validated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'p> {
    /// What becomes of questionable code.
    pub strict: Strict,
    /// Whether plans are allowed.
    pub tasks: bool,
    /// The file, for the rule that definitions in modules lie where their names say.
    pub file: Option<&'p Path>,
    /// The folders that modules lie in.
    pub modulepath: &'p [PathBuf],
    /// Whether the text is a template.
    pub epp: bool,
}

/// What becomes of questionable code, as the setting `strict`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strict {
    /// Nothing.
    Off,
    /// Warnings.
    #[default]
    Warning,
    /// Errors.
    Error,
}

/// Everything that is wrong with a tree, or questionable, in the order of the tree.
///
/// ```
/// use hieratic_diagnostics::Source;
/// use hieratic_syntax::parse;
/// use hieratic_checker::{Options, validate};
///
/// let program = parse(&Source::new("", "$a += 1"), &Default::default()).program.unwrap();
/// let problems = validate(&program, &Options::default());
/// assert!(problems[0].message.starts_with("The operator '+=' is no longer supported."));
/// ```
pub fn validate(program: &Program, options: &Options<'_>) -> Vec<Problem> {
    checker::check(program, options)
}
