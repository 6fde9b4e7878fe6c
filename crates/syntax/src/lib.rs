//! The syntax of the Puppet language: text becomes a tree.
//!
//! [`parse`] reads a manifest or a template and gives the [`ast::Program`], or the [`Problem`]s that keep it from being one.
//! Language and messages are those of Puppet 7 and 8; the first error is the one that the reference gives, others follow
//! as far as the text can be read on. [`pn::dump`] writes a tree in the notation of `puppet parser dump`, [`visit`] walks over one, and
//! [`label`] tells what messages call its parts.
//!
//! ```
//! use hieratic_diagnostics::Source;
//! use hieratic_syntax::{Options, parse};
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

pub use problem::{Judgement, Problem, Refusal};
pub use tokens::{Token, TokenKind, tokens};

/// How a text is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether the text is a template (EPP).
    pub epp: bool,
    /// Whether `plan` and `apply` are keywords.
    pub tasks: bool,
}

/// What came of reading a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree; none if there are errors.
    pub program: Option<ast::Program>,
    /// What could be read in spite of errors: the statements that have none; no tree at all if a brace or a quote is missing.
    pub recovered: Option<ast::Program>,
    /// What was found, in the order in which the reference finds it. It stops at the first error; what follows is more
    /// than it says.
    pub problems: Vec<Problem>,
}

/// Reads a text.
pub fn parse(source: &Source, options: &Options) -> Parsed {
    let (body, problems) = parser::parse(source.text(), options);
    let failed = problems.iter().any(|problem| problem.severity == Severity::Error);
    let read = body.map(|body| ast::Program { source: source.clone(), body });
    let (program, recovered) = if failed { (None, read) } else { (read, None) };
    Parsed { program, recovered, problems }
}
