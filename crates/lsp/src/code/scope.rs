//! The variables in scope at an offset.

use crate::code::symbol_at::CodeWords;
use crate::document::Document;
use crate::outline::{Definition, definitions};
use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::TokenKind;

/// A variable of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    /// The name, without the dollar.
    pub(crate) name: String,
    /// The declaration of a parameter, or the line of an assignment.
    pub(crate) declaration: String,
    /// The span of the declaration or assignment.
    pub(crate) span: Span,
    /// Whether the variable is a parameter of the surrounding definition.
    pub(crate) is_parameter: bool,
    /// Whether the variable is a parameter of a block.
    pub(crate) is_of_block: bool,
}

/// Returns the innermost definition around an offset, if the file can be parsed.
pub(crate) fn definition_around(document: &Document, offset: usize) -> Option<Definition> {
    let found = definitions(&document.path, document.program()?);
    let outer = found.into_iter().filter(|one| one.span.touches(offset));
    outer.min_by_key(|one| one.span.end - one.span.start)
}

/// Returns the variables in scope at an offset: the parameters of the definition, the assignments before the offset,
/// and parameters of blocks. Without a syntax tree, it returns those of the whole source before the offset.
pub(crate) fn variables(document: &Document, offset: usize) -> Vec<Variable> {
    let outer = definition_around(document, offset);
    let mut found: Vec<Variable> = Vec::new();
    if let Some(definition) = &outer {
        found.extend(definition.parameters.iter().map(|one| Variable {
            name: one.name.clone(),
            declaration: one.declared(),
            span: one.span,
            is_parameter: true,
            is_of_block: false,
        }));
    }
    let words = CodeWords::new(document);
    let begin = outer.as_ref().map_or(0, |definition| definition.span.first());
    let mut is_in_bars = false;
    for index in words.first_behind(begin)..words.len() {
        let span = words.extent(index);
        if span.first() >= offset {
            break;
        }
        if words.text(index) == "|" {
            is_in_bars = !is_in_bars;
        }
        let is_set = matches!(words.text(index + 1), "=" | "+=") && words.text(index).starts_with('$');
        if words.kind(index) != Some(TokenKind::Variable) || !(is_set || is_in_bars) {
            continue;
        }
        let name = words.text(index).trim_start_matches('$').to_owned();
        if found.iter().any(|known| known.name == name) {
            continue;
        }
        let line = document.lines.line(&document.text, document.lines.line_of(span.first()));
        let declaration = document.slice(line).trim().to_owned();
        found.push(Variable { name, declaration, span, is_parameter: false, is_of_block: !is_set });
    }
    found
}
