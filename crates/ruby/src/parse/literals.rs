//! Literals, variables and constants.

use std::sync::Arc;

use hieratic_ruby_regexp::{Options, Regexp};
use num_bigint::{BigInt, Sign};
use ruby_prism::{Integer, Node as Prism, NodeList};

use super::lower::{Lowered, Lowering, kinds};
use crate::ast::{Expr, Node, Pair};
use crate::symbol::known;

fn big(integer: &Integer<'_>) -> BigInt {
    let (negative, digits) = integer.to_u32_digits();
    BigInt::from_slice(if negative { Sign::Minus } else { Sign::Plus }, digits)
}

fn text(bytes: &[u8]) -> Node {
    match std::str::from_utf8(bytes) {
        Ok(text) => Node::Str(text.into()),
        Err(_) => Node::Bytes(bytes.into()),
    }
}

impl Lowering<'_> {
    pub(super) fn literal(&mut self, node: &Prism<'_>, line: u32) -> Lowered<Option<Node>> {
        Ok(Some(kinds!(node,
            NilNode as_nil_node _ => Node::Nil,
            TrueNode as_true_node _ => Node::True,
            FalseNode as_false_node _ => Node::False,
            SelfNode as_self_node _ => Node::SelfRef,
            IntegerNode as_integer_node n => {
                let value = big(&n.value());
                i64::try_from(&value).map_or_else(|_| Node::Big(value), Node::Int)
            },
            FloatNode as_float_node n => Node::Float(n.value()),
            RationalNode as_rational_node n => Node::Rational(big(&n.numerator()), big(&n.denominator())),
            ImaginaryNode as_imaginary_node _ => Node::Unsupported("a complex number".into()),
            StringNode as_string_node n => text(n.unescaped()),
            InterpolatedStringNode as_interpolated_string_node n => match self.parts(&n.parts())? {
                Ok(whole) => Node::Str(whole),
                Err(parts) => Node::DStr(parts),
            },
            XStringNode as_x_string_node _ => Node::Unsupported("a program in backquotes".into()),
            InterpolatedXStringNode as_interpolated_x_string_node _ => Node::Unsupported("a program in backquotes".into()),
            SymbolNode as_symbol_node n => Node::Sym(self.name(n.unescaped())),
            InterpolatedSymbolNode as_interpolated_symbol_node n => match self.parts(&n.parts())? {
                Ok(whole) => Node::Sym(self.symbols.intern(&whole)),
                Err(parts) => Node::DSym(parts),
            },
            RegularExpressionNode as_regular_expression_node n => {
                let options = Options {
                    ignore_case: n.is_ignore_case(), extended: n.is_extended(), multiline: n.is_multi_line(),
                };
                self.regexp(n.unescaped(), options, line)?
            },
            InterpolatedRegularExpressionNode as_interpolated_regular_expression_node n => {
                let options = Options {
                    ignore_case: n.is_ignore_case(), extended: n.is_extended(), multiline: n.is_multi_line(),
                };
                match self.parts(&n.parts())? {
                    Ok(whole) => self.regexp(whole.as_bytes(), options, line)?,
                    Err(parts) => Node::DRegex(parts, options),
                }
            },
            ArrayNode as_array_node n => {
                let mut list = Vec::new();
                for element in &n.elements() {
                    if let Some(keywords) = element.as_keyword_hash_node() {
                        list.push(Expr { line, node: Node::Hash(self.pairs(&keywords.elements())?) });
                    } else {
                        list.push(self.expr(&element)?);
                    }
                }
                Node::Array(list.into())
            },
            HashNode as_hash_node n => Node::Hash(self.pairs(&n.elements())?),
            KeywordHashNode as_keyword_hash_node n => Node::Hash(self.pairs(&n.elements())?),
            RangeNode as_range_node n => {
                let left = n.left().map(|node| self.boxed(&node)).transpose()?;
                let right = n.right().map(|node| self.boxed(&node)).transpose()?;
                Node::Range(left, right, n.is_exclude_end())
            },
            LocalVariableReadNode as_local_variable_read_node n =>
                Node::Local(self.local(n.name().as_slice(), n.depth())),
            ItLocalVariableReadNode as_it_local_variable_read_node _ => {
                let name = known::IT;
                match self.visible(name) {
                    Some(local) => Node::Local(local),
                    None => Node::Nil,
                }
            },
            InstanceVariableReadNode as_instance_variable_read_node n => Node::IVar(self.name(n.name().as_slice())),
            GlobalVariableReadNode as_global_variable_read_node n => Node::GVar(self.name(n.name().as_slice())),
            ClassVariableReadNode as_class_variable_read_node n => Node::CVar(self.name(n.name().as_slice())),
            ConstantReadNode as_constant_read_node n => Node::Const(self.name(n.name().as_slice())),
            ConstantPathNode as_constant_path_node n => {
                let parent = n.parent().map(|node| self.boxed(&node)).transpose()?;
                let name = n.name().map(|name| self.name(name.as_slice()));
                Node::ConstPath(parent, name.ok_or_else(|| self.error("a constant was expected", line))?)
            },
            NumberedReferenceReadNode as_numbered_reference_read_node n => Node::NthRef(n.number()),
            BackReferenceReadNode as_back_reference_read_node n =>
                Node::BackRef(char::from(n.name().as_slice().get(1).copied().unwrap_or(b'~'))),
            SourceFileNode as_source_file_node _ => Node::File,
            SourceLineNode as_source_line_node _ => Node::Int(line.into()),
            SourceEncodingNode as_source_encoding_node _ => Node::Unsupported("__ENCODING__".into()),
            EmbeddedStatementsNode as_embedded_statements_node n => self.statements(n.statements(), line)?.node,
            EmbeddedVariableNode as_embedded_variable_node n => self.expr(&n.variable())?.node,
            _ => return Ok(None)
        )))
    }

    /// The parts of a string; the whole of it, if it has no interpolation.
    pub(super) fn parts(&mut self, list: &NodeList<'_>) -> Lowered<Result<Arc<str>, Box<[Expr]>>> {
        let mut parts: Vec<Expr> = Vec::new();
        for part in list {
            let expr = self.expr(&part)?;
            match expr.node {
                // Adjacent literals, `"a" "b"`, nest.
                Node::DStr(inner) => parts.extend(inner),
                Node::Str(ref added) => match parts.last_mut().map(|last| &mut last.node) {
                    Some(Node::Str(before)) => *before = format!("{before}{added}").into(),
                    _ => parts.push(expr),
                },
                _ => parts.push(expr),
            }
        }
        if parts.is_empty() {
            return Ok(Ok("".into()));
        }
        if let [Expr { node: Node::Str(whole), .. }] = &parts[..] {
            return Ok(Ok(whole.clone()));
        }
        Ok(Err(parts.into()))
    }

    fn regexp(&mut self, source: &[u8], options: Options, line: u32) -> Lowered<Node> {
        let source = std::str::from_utf8(source)
            .map_err(|_| self.error("a regular expression of bytes is not supported", line))?;
        // A slash may be written with a backslash, which Ruby drops.
        let source = source.replace("\\/", "/");
        Regexp::with_options(&source, options).map(Node::Regex).map_err(|error| self.error(error.to_string(), line))
    }

    pub(super) fn pairs(&mut self, list: &NodeList<'_>) -> Lowered<Box<[Pair]>> {
        let mut pairs = Vec::new();
        for element in list {
            if let Some(assoc) = element.as_assoc_node() {
                pairs.push(Pair::Pair(self.expr(&assoc.key())?, self.expr(&assoc.value())?));
            } else if let Some(splat) = element.as_assoc_splat_node() {
                let line = self.line(&element);
                pairs.push(Pair::Splat(match splat.value() {
                    Some(value) => self.expr(&value)?,
                    None => self.anonymous("**", line)?,
                }));
            }
        }
        Ok(pairs.into())
    }

    /// Lowers an anonymous parameter that is passed on.
    pub(super) fn anonymous(&mut self, name: &str, line: u32) -> Lowered {
        let symbol = self.symbols.intern(name);
        match self.visible(symbol) {
            Some(local) => Ok(Expr { line, node: Node::Local(local) }),
            None => Err(self.error(format!("no anonymous parameter '{name}'"), line)),
        }
    }
}
