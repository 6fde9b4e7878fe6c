//! Reads Ruby source into the [tree](crate::ast), by way of prism's. => Parses Ruby source to the [tree](crate::ast)
//! with prism.

mod calls;
mod definitions;
mod jumps;
mod literals;
mod lower;
mod outline;
mod parameters;
mod patterns;
mod targets;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use hieratic_value::collections::HashMap;
use outline::Outline;
use ruby_prism::{Node, Options, Version};

use crate::ast::{self, Def, Program};
use crate::interpreter::RubyError;
use crate::symbol::Symbols;

/// The longest source, in bytes.
const MAX_SOURCE: usize = 8 << 20;

/// Stack for the parser, which recurses as deep as its limit of 10,000 levels.
const STACK: usize = 64 << 20;

/// Parses source.
///
/// # Errors
/// The first syntax error.
pub fn parse(source: &str, file: &str, symbols: &mut Symbols) -> Result<Program, RubyError> {
    parse_with(source, file, symbols, HashMap::default())
}

fn parse_with(
    source: &str,
    file: &str,
    symbols: &mut Symbols,
    unread: HashMap<u32, &'static str>,
) -> Result<Program, RubyError> {
    let file: Arc<str> = file.into();
    parsed(source, &file, 1, |node| {
        let mut hasher = DefaultHasher::new();
        (&file, source).hash(&mut hasher);
        let number = hasher.finish();
        let mut lowering = lower::Lowering::new(symbols, file.clone(), number);
        lowering.unread = unread;
        let body = lowering.program(node).map_err(|error| *error)?;
        Ok(Program { file: file.clone(), number, body, internal: false })
    })
}

/// Reads source of the prelude without the bodies of its methods, which [`read_method`] reads later.
pub(crate) fn parse_outline(source: &'static str, file: &str, symbols: &mut Symbols) -> Result<Program, RubyError> {
    let outline = Outline::new(source);
    let mut program = parse_with(&outline.source, file, symbols, outline.methods)?;
    program.internal = true;
    Ok(program)
}

/// Reads a method of the prelude with its body.
pub(crate) fn read_method(method: &Def, source: &str, symbols: &mut Symbols) -> Result<Arc<Def>, RubyError> {
    let line = i32::try_from(method.line).unwrap_or(1);
    parsed(source, &method.file, line, |node| {
        let lowering = lower::Lowering::new(symbols, method.file.clone(), method.number.0);
        let body = lowering.nested_in(method).program(node).map_err(|error| *error)?;
        match body.expr.node {
            ast::Node::Def(mut read) => {
                // Nothing else has it yet.
                if let Some(read) = Arc::get_mut(&mut read) {
                    read.number = method.number;
                }
                Ok(read)
            }
            _ => Err(RubyError::syntax("a method was expected", &method.file, method.line)),
        }
    })
}

/// Reads all methods of the prelude whose bodies [`parse_outline`] leaves out.
#[cfg(test)]
pub(crate) fn methods_of(source: &'static str, file: &str, symbols: &mut Symbols) -> Vec<Arc<Def>> {
    let blank = |line| Def {
        name: crate::symbol::known::NEW,
        singleton: None,
        parameters: Default::default(),
        body: ast::Body { locals: Box::default(), expr: ast::Expr { line, node: ast::Node::Nil } },
        line,
        file: file.into(),
        number: (0, 0),
        unread: None,
    };
    let methods = Outline::new(source).methods;
    methods.into_iter().map(|(line, source)| read_method(&blank(line), source, symbols).unwrap()).collect()
}

/// Checks the syntax of source.
pub(crate) fn check(source: &str, file: &str) -> Result<(), RubyError> {
    parsed(source, &file.into(), 1, |_| Ok(()))
}

/// Parses source with prism, and passes the tree to a function.
fn parsed<T>(
    source: &str,
    file: &Arc<str>,
    first_line: i32,
    then: impl FnOnce(&Node<'_>) -> Result<T, RubyError>,
) -> Result<T, RubyError> {
    if source.len() > MAX_SOURCE {
        return Err(RubyError::syntax(format!("the source has more than {MAX_SOURCE} bytes"), file, 1));
    }
    stacker::grow(STACK, || {
        let options = Options::default().version(Version::CRuby3_3).line(first_line).build();
        let result = ruby_prism::parse_with_options(source.as_bytes(), &options);
        if let Some(error) = result.errors().next() {
            let line = u32::try_from(error.location().start_line()).unwrap_or(1);
            return Err(RubyError::syntax(String::from_utf8_lossy(error.message()), file, line));
        }
        then(&result.node())
    })
}
