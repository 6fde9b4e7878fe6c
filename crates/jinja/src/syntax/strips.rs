//! [`Strip`]: the body of a loop that only prints, prepared so that a turn is nothing but copying.
//!
//! Text, variables, what dictionaries hold under a name, sums, the most common filters and loops of these are all that such a body has.
//! It knows where each value comes from, so that no variable is set for a turn.

use super::ast::{Arguments, Expr, ExprKind, For, Level, Literal, Name, Node, NodeKind, Seam, Target};
use crate::filters::Quick;
use crate::objects::{Key, Side};
use crate::python::arithmetic::Operator;
use minijinja::Value;

/// The compiled body of a loop that only prints.
#[derive(Debug)]
pub struct Strip {
    /// The pieces between the literal text at both ends.
    pub pieces: Box<[Piece]>,
    /// The text at both ends, if there is any.
    pub seam: Option<Seam>,
    /// The number of variables that an item is unpacked into, if there are several.
    pub parts: Option<usize>,
    /// The number of steps of an iteration, without those of filters and inner loops.
    pub steps: usize,
}

/// A part of the output.
#[derive(Debug)]
pub enum Piece {
    /// Text.
    Text(Literal),
    /// A value.
    Value(Found),
    /// The result of an operation on small integers.
    Number(Operator, Found, Found),
    /// The result of a filter for a value and an optional argument.
    Filtered {
        /// The value.
        value: Found,
        /// The filter.
        filter: Quick,
        /// Its argument.
        argument: Option<Found>,
        /// True for `default`: the argument is printed if a dictionary does not have the value.
        is_default: bool,
    },
    /// An inner loop: its iterable, the side of a dictionary, and its compiled body.
    Loop(Found, Option<Side>, Box<Strip>),
}

/// The path to a value.
#[derive(Debug)]
pub struct Found {
    /// The start of the path.
    pub base: Base,
    /// The names of attributes that lead on from there.
    pub keys: Box<[Key]>,
}

/// The starts of a path.
#[derive(Debug)]
pub enum Base {
    /// A literal, and the small integer that it is.
    Constant(Value, Option<i64>),
    /// A variable that is set outside of the loops.
    Name(Name),
    /// The item of a loop, so many loops around: the whole, or one of its parts.
    Item { up: usize, part: Option<usize> },
    /// A number that the variable `loop` knows.
    Count { up: usize, count: Count },
}

/// The numbers that the variable `loop` knows.
#[derive(Clone, Copy, Debug)]
pub enum Count {
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
const DEEPEST: usize = 3;

impl Strip {
    /// The strip of a loop, if its body is one.
    pub fn of(definition: &For) -> Option<Strip> {
        strip(&mut Vec::new(), definition)
    }
}

/// The strip of a loop inside of these.
fn strip<'t>(around: &mut Vec<&'t For>, definition: &'t For) -> Option<Strip> {
    let parts = match &definition.target {
        Target::Name(_) => None,
        Target::Several(targets) if targets.iter().all(|target| matches!(target, Target::Name(_))) => {
            Some(targets.len())
        }
        Target::Several(_) | Target::Attribute(..) => return None,
    };
    if definition.recursive || *definition.body.level() == Level::Scope || around.len() == DEEPEST {
        return None;
    }
    around.push(definition);
    let (nodes, seam) = match definition.seam() {
        Some((nodes, _)) => (nodes, Some(Seam::of(&definition.body.nodes)?)),
        None => (&definition.body.nodes[..], None),
    };
    let pieces: Option<Box<[Piece]>> = nodes.iter().map(|node| piece(around, node)).collect();
    around.pop();
    let pieces = pieces?;
    // The steps are those of a scope, the variables of the loop, the item, and each piece with its parts.
    let steps = 4 + pieces.iter().map(Piece::steps).sum::<usize>();
    Some(Strip { pieces, seam, parts, steps })
}

impl Piece {
    fn steps(&self) -> usize {
        match self {
            Piece::Text(_) => 1,
            Piece::Value(value) => 2 + value.keys.len(),
            Piece::Number(..) => 4,
            Piece::Filtered { value, argument, .. } => {
                3 + value.keys.len() + argument.as_ref().map_or(0, |argument| 1 + argument.keys.len())
            }
            Piece::Loop(value, ..) => 4 + value.keys.len(),
        }
    }
}

fn piece<'t>(around: &mut Vec<&'t For>, node: &'t Node) -> Option<Piece> {
    match &node.kind {
        NodeKind::Text(text) => Some(Piece::Text(Literal::from((**text).clone()))),
        NodeKind::Output(expr) => output(around, expr),
        NodeKind::For(inner) if inner.condition.is_none() && inner.otherwise.nodes.is_empty() => {
            let (value, side) = iterable(around, &inner.iterable)?;
            Some(Piece::Loop(value, side, Box::new(strip(around, inner)?)))
        }
        _ => None,
    }
}

fn output(around: &[&For], expr: &Expr) -> Option<Piece> {
    match &expr.kind {
        ExprKind::Arithmetic(operator, left, right) => {
            let (left, right) = (found(around, left)?, found(around, right)?);
            Some(Piece::Number(*operator, left, right))
        }
        ExprKind::Filter(value, filter) => {
            let quick = filter.quick()?;
            let argument = match filter.arguments.positional.first() {
                Some(argument) => Some(found(around, argument)?),
                None => None,
            };
            let value = found(around, value)?;
            Some(Piece::Filtered { value, filter: quick, argument, is_default: filter.is_default() })
        }
        _ => found(around, expr).map(Piece::Value),
    }
}

/// Compiles the iterable of a loop.
fn iterable(around: &[&For], expr: &Expr) -> Option<(Found, Option<Side>)> {
    if let ExprKind::Call(callee, arguments) = &expr.kind
        && let ExprKind::Attribute(dict, key) = &callee.kind
    {
        let side = Side::of(key).filter(|_| Arguments::is_empty(arguments))?;
        return Some((found(around, dict)?, Some(side)));
    }
    Some((found(around, expr)?, None))
}

/// Compiles an expression to a path.
fn found(around: &[&For], expr: &Expr) -> Option<Found> {
    let mut keys = Vec::new();
    let mut base = expr;
    while let ExprKind::Attribute(holder, key) = &base.kind {
        keys.push(key);
        base = holder;
    }
    keys.reverse();
    let base = match &base.kind {
        ExprKind::Constant(value, number) => Base::Constant(value.clone(), *number),
        ExprKind::Name(name) if name.text.as_ref() == "loop" && !around.is_empty() => {
            let [key] = &keys[..] else { return None };
            let count = match &*key.text {
                "index" => Count::Index,
                "index0" => Count::Index0,
                "revindex" => Count::Revindex,
                "revindex0" => Count::Revindex0,
                "length" => Count::Length,
                _ => return None,
            };
            return Some(Found { base: Base::Count { up: 0, count }, keys: Box::default() });
        }
        ExprKind::Name(name) => item(around, name).unwrap_or_else(|| Base::Name(name.clone())),
        _ => return None,
    };
    if keys.iter().any(|key| key.is_method) {
        return None;
    }
    Some(Found { base, keys: keys.into_iter().map(|key| Key::new(key.text.clone(), key.is_method)).collect() })
}

/// The variable of one of these loops.
fn item(around: &[&For], name: &Name) -> Option<Base> {
    around.iter().rev().enumerate().find_map(|(up, definition)| {
        let part = match &definition.target {
            Target::Name(target) if target.text == name.text => None,
            Target::Several(targets) => {
                // The last one of a name is set last.
                Some(targets.iter().rposition(|target| target.has(name))?)
            }
            _ => return None,
        };
        Some(Base::Item { up, part })
    })
}
