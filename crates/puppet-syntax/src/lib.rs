//! The syntax of the Puppet language.
//!
//! [`parse`] parses a manifest or a template into an [`ast::Program`], or returns its [`Problem`]s. Language and
//! messages are those of Puppet 7 and 8. The first error is the one of the reference; after it the parser recovers and
//! reports further ones. [`pn::dump`] writes a tree in the notation of `puppet parser dump`, [`visit`] walks over one,
//! and [`label`] names its parts in messages.
//!
//! ```
//! use hieratic_diagnostics::Source;
//! use hieratic_puppet_syntax::{Options, parse};
//!
//! let parsed = parse(&Source::new("site.pp", "notice $a + 1"), &Options::default());
//! assert!(parsed.program.is_some());
//!
//! let source = Source::new("site.pp", "$a = [1, 2\n}\n");
//! let parsed = parse(&source, &Options::default());
//! assert_eq!(parsed.problems[0].message, "Syntax error at '}'");
//! assert_eq!(parsed.problems[0].position(&source), (2, 1));
//! ```

pub mod ast;
pub mod codes;
pub mod documentation;
pub mod label;
mod lexer;
mod parser;
pub mod pn;
mod problem;
mod token;
mod tokens;
pub mod visit;

use hieratic_diagnostics::{Severity, Source};

pub use problem::{Problem, ProgramError, ValidationResult};
pub use tokens::{Token, TokenKind, tokens};

/// The options of the parser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether the source is a template (EPP).
    pub epp: bool,
    /// Whether `plan` and `apply` are keywords.
    pub tasks: bool,
}

/// The result of [`parse`].
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree; `None` if there are errors.
    pub program: Option<ast::Program>,
    /// The statements without errors, for editors. `None` if a brace or a quote is missing.
    pub recovered: Option<ast::Program>,
    /// The problems, in the order of the reference. It stops at the first error; the errors after that are additional.
    pub problems: Vec<Problem>,
}

/// Parses a manifest or a template.
pub fn parse(source: &Source, options: &Options) -> Parsed {
    let (body, problems) = parser::parse(source.text(), options);
    let failed = problems.iter().any(|problem| problem.severity == Severity::Error);
    let read = body.map(|body| ast::Program { source: source.clone(), body });
    let (program, recovered) = if failed { (None, read) } else { (read, None) };
    Parsed { program, recovered, problems }
}
