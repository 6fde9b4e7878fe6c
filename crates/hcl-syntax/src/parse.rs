//! The entry points of the parser.

use std::sync::Arc;

use crate::ast::{Body, Expression, ScopeTraversal};
use crate::columns::ColumnRule;
use crate::parser::{Parser, template};
use crate::scanner::{TokenKind, identifier_length};
use crate::{Problem, Problems, Source, Span};

/// The result of parsing a source.
#[derive(Clone, Debug)]
pub struct Parsed<T> {
    /// The source, to which the spans of the tree refer.
    pub source: Arc<Source>,
    /// The tree. It is incomplete if there are errors.
    pub tree: T,
    /// The errors and warnings of the source.
    pub problems: Problems,
}

/// Parses a configuration file.
///
/// ```
/// use hieratic_hcl_syntax::{Source, parse_config};
///
/// let parsed = parse_config(Source::new("job.hcl", "count = 1 + 2\n"));
/// assert_eq!(parsed.tree.attributes().len(), 1);
/// ```
///
/// Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#structural-elements>
pub fn parse_config(source: Source) -> Parsed<Body> {
    read(source, ColumnRule::Native, |parser| parser.body(TokenKind::Eof), |span| Body::new(span, span))
}

/// Parses an expression. Line ends are ignored.
///
/// ```
/// use hieratic_hcl_syntax::{Expression, Source, parse_expression};
///
/// assert!(matches!(parse_expression(Source::new("a", "1 + 2")).tree, Expression::Binary(_)));
/// let parsed = parse_expression(Source::new("a", "1 +"));
/// assert_eq!(
///     parsed.problems.to_string(),
///     "a:1,4-4: Missing expression; Expected the start of an expression, but found the end of the file."
/// );
/// ```
///
/// Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#expressions>
pub fn parse_expression(source: Source) -> Parsed<Expression> {
    let expression = |parser: &mut Parser<'_>| {
        parser.set_newlines(false);
        let expression = parser.expression();
        let next = parser.peek();
        if next.kind != TokenKind::Eof && !parser.recovery {
            parser.error(
                next.span(),
                "Extra characters after expression",
                "An expression was successfully parsed, but extra characters were found after it.",
            );
        }
        expression
    };
    read(source, ColumnRule::Native, expression, Expression::Error)
}

/// Parses a template without quotes around it.
///
/// ```
/// use hieratic_hcl_syntax::{Expression, Source, parse_template};
///
/// assert!(matches!(parse_template(Source::new("a", "hello ${name}")).tree, Expression::Template(_)));
/// assert!(matches!(parse_template(Source::new("a", "${name}")).tree, Expression::TemplateWrap(_)));
/// ```
///
/// Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#templates>
pub fn parse_template(source: Source) -> Parsed<Expression> {
    let whole = |parser: &mut Parser<'_>| {
        let (parts, wrap, span) = parser.template_parts(TokenKind::Eof, false);
        template(parts, wrap, span)
    };
    read(source, ColumnRule::Template, whole, Expression::Error)
}

/// Parses a reference: a name, and steps with numbers or strings as keys. The tree is `None` if the source does not
/// begin with a name.
///
/// ```
/// use hieratic_hcl_syntax::{Source, parse_traversal_abs};
///
/// let traversal = parse_traversal_abs(Source::new("a", "job.group[0]")).tree.unwrap();
/// assert_eq!((&*traversal.root, traversal.steps.len()), ("job", 2));
/// ```
///
/// Source: <https://pkg.go.dev/github.com/hashicorp/hcl/v2/hclsyntax#ParseTraversalAbs>
pub fn parse_traversal_abs(source: Source) -> Parsed<Option<ScopeTraversal>> {
    let traversal = |parser: &mut Parser<'_>| {
        parser.set_newlines(false);
        parser.absolute()
    };
    read(source, ColumnRule::Native, traversal, |_| None)
}

/// Returns whether a string is a valid name of an attribute or a variable.
///
/// ```
/// use hieratic_hcl_syntax::is_identifier;
///
/// assert!(is_identifier("a-b") && !is_identifier("1a") && !is_identifier("a.b"));
/// ```
///
/// Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#identifiers>
pub fn is_identifier(text: &str) -> bool {
    !text.is_empty() && identifier_length(text.as_bytes()) == text.len()
}

fn read<T>(
    mut source: Source,
    columns: ColumnRule,
    read: impl FnOnce(&mut Parser<'_>) -> T,
    nothing: impl FnOnce(Span) -> T,
) -> Parsed<T> {
    source.columns = columns;
    let source = Arc::new(source);
    if let Some(error) = too_large(&source) {
        let tree = nothing(Span::default());
        return Parsed { source, tree, problems: error.into() };
    }
    let mut parser = Parser::new(&source, columns == ColumnRule::Template);
    let tree = read(&mut parser);
    let problems = parser.finish();
    Parsed { source, tree, problems }
}

/// Returns an error if the offsets of a source do not fit into a span.
pub(crate) fn too_large(source: &Arc<Source>) -> Option<Problem> {
    // The offset after the end must fit, too.
    (source.bytes().len() >= u32::MAX as usize)
        .then(|| Problem::error("Source too large", "A source must be shorter than 4 GiB.").at(source, Span::default()))
}
