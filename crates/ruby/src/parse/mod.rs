//! Reads Ruby source into the [tree](crate::ast), by way of prism's.

mod calls;
mod definitions;
mod literals;
mod lower;
mod parameters;
mod patterns;
mod targets;

use std::sync::Arc;

use ruby_prism::{Options, Version};

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
    let failed = |message: String, line| SyntaxError { message, line };
    if source.len() > LONGEST {
        return Err(failed(format!("the source has more than {LONGEST} bytes"), 1));
    }
    stacker::grow(STACK, || {
        let options = Options::default().version(Version::CRuby3_3).build();
        let result = ruby_prism::parse_with_options(source.as_bytes(), &options);
        if let Some(error) = result.errors().next() {
            let line = u32::try_from(error.location().start_line()).unwrap_or(1);
            return Err(failed(String::from_utf8_lossy(error.message()).into_owned(), line));
        }
        let mut lowering = lower::Lowering::new(symbols, file.into());
        let body = lowering.program(&result.node()).map_err(|fault| failed(fault.message, fault.line))?;
        let file: Arc<str> = file.into();
        Ok(Program { file, body, internal: false })
    })
}
