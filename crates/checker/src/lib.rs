//! Static validation of Puppet syntax trees: what is wrong with code that can be parsed.
//!
//! [`validate`] finds what the reference's validator finds, in its order and its words; [`summary`] says what it makes of
//! them: what is logged, and with which error reading fails. [`check_syntax`] checks texts whose language a heredoc tells.

pub mod codes;
mod effect;
mod names;
mod places;
mod rules;
mod summary;
mod syntax;
mod variables;
mod walk;

use std::path::{Path, PathBuf};

use hieratic_syntax::ast::Program;
use hieratic_syntax::{Judgement, Problem};

pub use hieratic_pcore::{PuppetVersion, Strict};
pub use summary::{Limits, Summary, summary};
pub use syntax::check_syntax;
pub use variables::{Role, Scope, ScopeKind, Use, Variables, variables};

/// How a tree is validated.
#[derive(Clone, Copy, Debug)]
pub struct Options<'p> {
    /// Whose rules are followed.
    pub version: PuppetVersion,
    /// What becomes of questionable code.
    pub strict: Strict,
    /// Whether the text is a script for tasks, which knows plans and no catalog.
    pub tasks: bool,
    /// The file, for the rules about what a file of a module may define.
    pub file: Option<&'p Path>,
    /// The folders that modules lie in.
    pub modulepath: &'p [PathBuf],
    /// The main manifest of the environment, or the folder of them: these rules do not hold for it.
    pub manifest: Option<&'p Path>,
    /// Whether the text is a template. (The tree tells as well; this is for the caller's own use.)
    pub epp: bool,
}

impl Options<'_> {
    /// The rules of a version, with its defaults.
    pub fn of(version: PuppetVersion) -> Options<'static> {
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
        Options::of(PuppetVersion::default())
    }
}

/// Everything that is wrong with a tree, or questionable, in the reference's order.
///
/// A heredoc whose text is not in the language that its tag tells is the only problem of a tree: the reference gives up
/// there and forgets what it has found before.
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
    walk::check(program, options, 0)
}

/// What is wrong with a tree, and whether it may be run: [`validate`] and [`summary`] for whoever evaluates the tree next.
///
/// ```
/// use hieratic_checker::{Options, judge};
/// use hieratic_diagnostics::Source;
/// use hieratic_syntax::{Refusal, parse};
///
/// let program = parse(&Source::new("", "$a += 1"), &Default::default()).program.unwrap();
/// assert!(matches!(judge(&program, &Options::default()).refusal, Some(Refusal::One(_))));
/// ```
pub fn judge(program: &Program, options: &Options<'_>) -> Judgement {
    let problems = validate(program, options);
    let refusal = summary(&problems, &Limits::default()).failure;
    Judgement { problems, refusal }
}
