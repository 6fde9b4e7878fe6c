//! Static validation of Puppet syntax trees: errors in code that can be parsed.
//!
//! [`validate`] returns the problems of the reference's validator, in its order and wording. [`summary`] decides which
//! of them are logged, and with which error parsing fails. [`check_syntax`] checks heredocs with a syntax tag.

pub mod codes;
mod heredoc;
mod names;
mod namespace;
mod rules;
mod side_effects;
mod summary;
mod variables;
mod walk;

use std::path::{Path, PathBuf};

use hieratic_puppet_syntax::ast::Program;
use hieratic_puppet_syntax::{Problem, ValidationResult};

pub use heredoc::check_syntax;
pub use hieratic_puppet_types::{PuppetVersion, Strict};
pub use summary::{Limits, Summary, summary};
pub use variables::{Role, Scope, ScopeKind, Use, Variables, variables};

/// The options of validation.
#[derive(Clone, Copy, Debug)]
pub struct Options<'p> {
    /// The version whose rules apply.
    pub version: PuppetVersion,
    /// The treatment of questionable code.
    pub strict: Strict,
    /// Whether the source is a script for tasks, with plans and without a catalog.
    pub tasks: bool,
    /// The path of the file, for the rules about definitions in modules.
    pub file: Option<&'p Path>,
    /// The folders that contain modules.
    pub modulepath: &'p [PathBuf],
    /// The main manifest of the environment, or the folder of main manifests. The rules about modules do not apply to
    /// it.
    pub manifest: Option<&'p Path>,
    /// Whether the source is a template. (The tree has the same information; this is for the caller.)
    pub epp: bool,
}

impl Options<'_> {
    /// Returns the options of a version, with its defaults.
    pub fn for_version(version: PuppetVersion) -> Options<'static> {
        Options {
            version,
            strict: version.strict(),
            tasks: false,
            file: None,
            modulepath: &[],
            manifest: None,
            epp: false,
        }
    }
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options::for_version(PuppetVersion::default())
    }
}

/// Returns all errors and warnings of a tree, in the reference's order.
///
/// An invalid heredoc with a syntax tag is the only problem of its tree: the reference stops there and drops earlier
/// problems.
///
/// ```
/// use hieratic_diagnostics::Source;
/// use hieratic_puppet_syntax::parse;
/// use hieratic_puppet_validator::{Options, validate};
///
/// let program = parse(&Source::new("", "$a += 1"), &Default::default()).program.unwrap();
/// let problems = validate(&program, &Options::default());
/// assert!(problems[0].message.starts_with("The operator '+=' is no longer supported."));
/// ```
pub fn validate(program: &Program, options: &Options<'_>) -> Vec<Problem> {
    walk::check(program, options, 0)
}

/// Returns the problems of a tree, and whether it may run: [`validate`] and [`summary`] in one call, for evaluators.
///
/// ```
/// use hieratic_puppet_validator::{Options, validate_program};
/// use hieratic_diagnostics::Source;
/// use hieratic_puppet_syntax::{ProgramError, parse};
///
/// let program = parse(&Source::new("", "$a += 1"), &Default::default()).program.unwrap();
/// assert!(matches!(validate_program(&program, &Options::default()).error, Some(ProgramError::One(_))));
/// ```
pub fn validate_program(program: &Program, options: &Options<'_>) -> ValidationResult {
    let problems = validate(program, options);
    let error = summary(&problems, &Limits::default()).failure;
    ValidationResult { problems, error }
}
