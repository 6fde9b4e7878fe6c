//! Reads Ruby source into the [tree](crate::ast), by way of prism's.

mod calls;
mod definitions;
mod jumps;
mod literals;
mod lower;
mod parameters;
mod patterns;
mod targets;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use ruby_prism::{Node, Options, Version};

use crate::ast::Program;
use crate::interpreter::RubyError;
use crate::symbol::Symbols;

/// The longest source, in bytes.
const MAX_SOURCE: usize = 8 << 20;

/// Stack for the parser, which recurses as deep as its limit of 10,000 levels.
const STACK: usize = 64 << 20;

/// Reads source.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn parse(source: &str, file: &str, symbols: &mut Symbols) -> Result<Program, RubyError> {
    let file: Arc<str> = file.into();
    parsed(source, &file, |node| {
        let mut hasher = DefaultHasher::new();
        (&file, source).hash(&mut hasher);
        let number = hasher.finish();
        let body = lower::Lowering::new(symbols, file.clone(), number).program(node).map_err(|error| *error)?;
        Ok(Program { file: file.clone(), number, body, internal: false })
    })
}

/// Checks the syntax of source.
pub(crate) fn check(source: &str, file: &str) -> Result<(), RubyError> {
    parsed(source, &file.into(), |_| Ok(()))
}

/// Parses source with prism, and passes the tree to a function.
fn parsed<T>(
    source: &str,
    file: &Arc<str>,
    then: impl FnOnce(&Node<'_>) -> Result<T, RubyError>,
) -> Result<T, RubyError> {
    if source.len() > MAX_SOURCE {
        return Err(RubyError::syntax(format!("the source has more than {MAX_SOURCE} bytes"), file, 1));
    }
    stacker::grow(STACK, || {
        let options = Options::default().version(Version::CRuby3_3).build();
        let result = ruby_prism::parse_with_options(source.as_bytes(), &options);
        if let Some(error) = result.errors().next() {
            let line = u32::try_from(error.location().start_line()).unwrap_or(1);
            return Err(RubyError::syntax(String::from_utf8_lossy(error.message()), file, line));
        }
        then(&result.node())
    })
}
