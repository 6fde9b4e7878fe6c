//! Reads Ruby source into the [tree](crate::ast), by way of prism's.

mod calls;
mod definitions;
mod jumps;
mod literals;
mod lower;
mod parameters;
mod patterns;
mod targets;

use std::sync::Arc;

use ruby_prism::{Node, Options, Version};

use crate::ast::Program;
use crate::symbol::Symbols;

/// The longest source, in bytes.
const LONGEST: usize = 8 << 20;

/// Stack for the parser, which recurses as deep as its limit of 10,000 levels.
const STACK: usize = 64 << 20;

/// Source that is not Ruby.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The parser's sentence.
    pub message: String,
    /// The line, counted from 1.
    pub line: u32,
}

/// Reads source.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn parse(source: &str, file: &str, symbols: &mut Symbols) -> Result<Program, SyntaxError> {
    parsed(source, |node| {
        let mut lowering = lower::Lowering::new(symbols, file.into());
        let body = lowering.program(node).map_err(|fault| SyntaxError { message: fault.message, line: fault.line })?;
        let file: Arc<str> = file.into();
        Ok(Program { file, body, internal: false })
    })
}

/// Whether source is Ruby at all.
pub(crate) fn check(source: &str) -> Result<(), SyntaxError> {
    parsed(source, |_| Ok(()))
}

/// Gives what prism makes of source to something.
fn parsed<T>(source: &str, then: impl FnOnce(&Node<'_>) -> Result<T, SyntaxError>) -> Result<T, SyntaxError> {
    if source.len() > LONGEST {
        return Err(SyntaxError { message: format!("the source has more than {LONGEST} bytes"), line: 1 });
    }
    stacker::grow(STACK, || {
        let options = Options::default().version(Version::CRuby3_3).build();
        let result = ruby_prism::parse_with_options(source.as_bytes(), &options);
        if let Some(error) = result.errors().next() {
            let line = u32::try_from(error.location().start_line()).unwrap_or(1);
            return Err(SyntaxError { message: String::from_utf8_lossy(error.message()).into_owned(), line });
        }
        then(&result.node())
    })
}
