//! [`FastLoop`]: the body of a loop that only prints, compiled so that an iteration only copies.
//!
//! Such a body contains only text, variables, attributes of dictionaries, sums, the most common filters, and loops of
//! these. It has the path of each value, so that no variables are set for an iteration.

use super::ast::{Arguments, BodyLocation, Expr, ExprKind, For, Literal, Name, Node, NodeKind, Separators, Target};
use crate::filters::FastFilter;
use crate::objects::{Key, Side};
use crate::python::arithmetic::Operator;
use minijinja::Value;

/// The compiled body of a loop that only prints.
#[derive(Debug)]
pub struct FastLoop {
    /// The pieces between the literal text at both ends.
    pub pieces: Box<[LoopPiece]>,
    /// The text at both ends, if there is any.
    pub separators: Option<Separators>,
    /// The number of variables into which an item is unpacked, if there are several.
    pub parts: Option<usize>,
    /// The number of steps of an iteration, without those of filters and inner loops.
    pub steps: usize,
}

/// A part of the output.
#[derive(Debug)]
pub enum LoopPiece {
    /// Text.
    Text(Literal),
    /// A value.
    Value(ValuePath),
    /// The result of an operation on small integers.
    Number(Operator, ValuePath, ValuePath),
    /// The result of a filter for a value and an optional argument.
    Filtered {
        /// The value.
        value: ValuePath,
        /// The filter.
        filter: FastFilter,
        /// Its argument.
        argument: Option<ValuePath>,
        /// Whether the filter is `default`: the argument is printed if a dictionary does not have the value.
        is_default: bool,
    },
    /// An inner loop: its iterable, the side of a dictionary, and its compiled body.
    Loop(ValuePath, Option<Side>, Box<FastLoop>),
}

/// The path to a value.
#[derive(Debug)]
pub struct ValuePath {
    /// The start of the path.
    pub base: PathStart,
    /// The names of the attributes after the start.
    pub keys: Box<[Key]>,
}

impl ValuePath {
    /// Returns whether it is the item of the innermost loop itself.
    pub fn is_item(&self) -> bool {
        matches!(self.base, PathStart::Item { up: 0, part: None }) && self.keys.is_empty()
    }
}

/// The starts of a path.
#[derive(Debug)]
pub enum PathStart {
    /// A literal, with its value as a small integer.
    Constant(Value, Option<i64>),
    /// A variable that is set outside of the loops.
    Name(Name),
    /// The item of a loop, or one of its parts. `up` is the number of levels to the loop.
    Item { up: usize, part: Option<usize> },
    /// A counter of the variable `loop`.
    Counter { up: usize, count: LoopCounter },
}

/// The numbers of the variable `loop`.
#[derive(Clone, Copy, Debug)]
pub enum LoopCounter {
    /// `loop.index`
    Index,
    /// `loop.index0`
    Index0,
    /// `loop.revindex`
    Revindex,
    /// `loop.revindex0`
    Revindex0,
    /// `loop.length`
    Length,
}

/// The maximum nesting depth: if an inner loop cannot be printed this way after all, its work is repeated at each
/// level.
const MAX_DEPTH: usize = 3;

impl FastLoop {
    /// Returns the text after each item but the last, and after the last, if the body prints only the item and text.
    pub fn number_texts(&self) -> Option<(&str, &str)> {
        match (&*self.pieces, &self.separators) {
            ([LoopPiece::Value(value)], Some(texts)) if value.is_item() => Some((&texts.both, &texts.last)),
            ([LoopPiece::Value(value), LoopPiece::Text(text)], None) if value.is_item() => Some((text, text)),
            _ => None,
        }
    }

    /// Compiles a loop, if its body only prints.
    pub fn compile(definition: &For) -> Option<FastLoop> {
        compile_loop(&mut Vec::new(), definition)
    }
}

/// Compiles a loop inside of others.
fn compile_loop<'t>(outer: &mut Vec<&'t For>, definition: &'t For) -> Option<FastLoop> {
    let parts = match &definition.target {
        Target::Name(_) => None,
        Target::Several(targets) if targets.iter().all(|target| matches!(target, Target::Name(_))) => {
            Some(targets.len())
        }
        Target::Several(_) | Target::Attribute(..) => return None,
    };
    if definition.recursive || *definition.body.level() == BodyLocation::Scope || outer.len() == MAX_DEPTH {
        return None;
    }
    outer.push(definition);
    let (nodes, separators) = match definition.separators() {
        Some((nodes, _)) => (nodes, Some(Separators::from_nodes(&definition.body.nodes)?)),
        None => (&definition.body.nodes[..], None),
    };
    let pieces: Option<Box<[LoopPiece]>> = nodes.iter().map(|node| compile_piece(outer, node)).collect();
    outer.pop();
    let pieces = pieces?;
    // The steps are those of a scope, the variables of the loop, the item, and each piece with its parts.
    let steps = 4 + pieces.iter().map(LoopPiece::steps).sum::<usize>();
    Some(FastLoop { pieces, separators, parts, steps })
}

impl LoopPiece {
    fn steps(&self) -> usize {
        match self {
            LoopPiece::Text(_) => 1,
            LoopPiece::Value(value) => 2 + value.keys.len(),
            LoopPiece::Number(..) => 4,
            LoopPiece::Filtered { value, argument, .. } => {
                3 + value.keys.len() + argument.as_ref().map_or(0, |argument| 1 + argument.keys.len())
            }
            LoopPiece::Loop(value, ..) => 4 + value.keys.len(),
        }
    }
}

fn compile_piece<'t>(outer: &mut Vec<&'t For>, node: &'t Node) -> Option<LoopPiece> {
    match &node.kind {
        NodeKind::Text(text) => Some(LoopPiece::Text(Literal::from((**text).clone()))),
        NodeKind::Output(expr) => compile_output(outer, expr),
        NodeKind::For(inner) if inner.condition.is_none() && inner.otherwise.nodes.is_empty() => {
            let (value, side) = compile_iterable(outer, &inner.iterable)?;
            Some(LoopPiece::Loop(value, side, Box::new(compile_loop(outer, inner)?)))
        }
        _ => None,
    }
}

fn compile_output(outer: &[&For], expr: &Expr) -> Option<LoopPiece> {
    match &expr.kind {
        ExprKind::Arithmetic(operator, left, right) => {
            let (left, right) = (compile_path(outer, left)?, compile_path(outer, right)?);
            Some(LoopPiece::Number(*operator, left, right))
        }
        ExprKind::Filter(value, filter) => {
            let fast = filter.fast()?;
            let argument = match filter.arguments.positional.first() {
                Some(argument) => Some(compile_path(outer, argument)?),
                None => None,
            };
            let value = compile_path(outer, value)?;
            Some(LoopPiece::Filtered { value, filter: fast, argument, is_default: filter.is_default() })
        }
        _ => compile_path(outer, expr).map(LoopPiece::Value),
    }
}

/// Compiles the iterable of a loop.
fn compile_iterable(outer: &[&For], expr: &Expr) -> Option<(ValuePath, Option<Side>)> {
    if let ExprKind::Call(callee, arguments) = &expr.kind
        && let ExprKind::Attribute(dict, key) = &callee.kind
    {
        let side = Side::from_method(key).filter(|_| Arguments::is_empty(arguments))?;
        return Some((compile_path(outer, dict)?, Some(side)));
    }
    Some((compile_path(outer, expr)?, None))
}

/// Compiles an expression to a path.
fn compile_path(outer: &[&For], expr: &Expr) -> Option<ValuePath> {
    let mut keys = Vec::new();
    let mut base = expr;
    while let ExprKind::Attribute(object, key) = &base.kind {
        keys.push(key);
        base = object;
    }
    keys.reverse();
    let base = match &base.kind {
        ExprKind::Constant(value, number) => PathStart::Constant(value.clone(), *number),
        ExprKind::Name(name) if name.text.as_ref() == "loop" && !outer.is_empty() => {
            let [key] = &keys[..] else { return None };
            let count = match &*key.text {
                "index" => LoopCounter::Index,
                "index0" => LoopCounter::Index0,
                "revindex" => LoopCounter::Revindex,
                "revindex0" => LoopCounter::Revindex0,
                "length" => LoopCounter::Length,
                _ => return None,
            };
            return Some(ValuePath { base: PathStart::Counter { up: 0, count }, keys: Box::default() });
        }
        ExprKind::Name(name) => loop_item(outer, name).unwrap_or_else(|| PathStart::Name(name.clone())),
        _ => return None,
    };
    if keys.iter().any(|key| key.is_method) {
        return None;
    }
    Some(ValuePath { base, keys: keys.into_iter().map(|key| Key::new(key.text.clone(), key.is_method)).collect() })
}

/// Resolves the variable of one of these loops.
fn loop_item(outer: &[&For], name: &Name) -> Option<PathStart> {
    outer.iter().rev().enumerate().find_map(|(up, definition)| {
        let part = match &definition.target {
            Target::Name(target) if target.text == name.text => None,
            Target::Several(targets) => {
                // The last of several targets with the same name counts.
                Some(targets.iter().rposition(|target| target.has(name))?)
            }
            _ => return None,
        };
        Some(PathStart::Item { up, part })
    })
}
