//! [`HoconNode`]: values with unresolved substitutions, and the rules for merging and concatenating them.

use std::fmt::Write;
use std::rc::Rc;

use hieratic_json::write::{Escapes, quoted};
use hieratic_value::Value;
use hieratic_value::collections::FixedState;
use hieratic_value::text::float;
use indexmap::IndexMap;

use super::error::{HoconError, HoconResult, Origin};
use super::path::Path;
use super::token::Literal;
use hieratic_source::Position;

/// A shared value. Its identity matters, not only its content.
pub(super) type Shared = Rc<HoconNode>;

/// The entries of an object.
pub(super) type Entries = IndexMap<Rc<str>, HoconField, FixedState>;

/// The value of a key, and the position of the key.
#[derive(Clone, Debug)]
pub(super) struct HoconField {
    pub key_at: Position,
    pub value: Shared,
}

#[derive(Debug)]
pub(super) struct HoconNode {
    pub origin: Origin,
    pub data: HoconData,
}

#[derive(Clone, Debug)]
pub(super) enum HoconData {
    Literal(Literal),
    /// Text without quotes, which disappears after a list or an object.
    Text(Rc<str>),
    List {
        items: Vec<Shared>,
        resolved: bool,
    },
    Object(Object),
    Reference {
        path: Path,
        optional: bool,
    },
    /// Pieces of which at least one is not resolved.
    Concatenation(Vec<Shared>),
    /// Values to merge once they are resolved, the first above the others; `object` if the first is one.
    Merge {
        stack: Vec<Shared>,
        object: bool,
    },
}

#[derive(Clone, Debug)]
pub(super) struct Object {
    pub entries: Entries,
    pub resolved: bool,
    /// Something below is not an object, so nothing further below merges in.
    pub closed: bool,
}

impl Object {
    pub fn new(entries: Entries, closed: bool) -> Self {
        let resolved = entries.values().all(|field| field.value.resolved());
        Object { entries, resolved, closed }
    }
}

/// The limits of parsing, so that it ends for every input.
pub(super) struct ExpansionBudget {
    steps: u64,
    bytes: usize,
}

/// Values that may be touched while a document is merged and resolved: a few seconds at most. Substitutions that stand
/// for substitutions can ask for any number; so can a dozen of `+=` for one key, each of which doubles the work; the gem
/// has no limit and takes half a minute for fourteen.
const MAX_STEPS: u64 = 10_000_000;

/// Bytes of text that concatenation may make, for the same reason.
const MAX_BYTES: usize = 64 << 20;

impl ExpansionBudget {
    pub fn new() -> Self {
        ExpansionBudget { steps: MAX_STEPS, bytes: MAX_BYTES }
    }

    pub fn spend(&mut self, steps: usize, at: Position) -> HoconResult<()> {
        self.steps = self
            .steps
            .checked_sub(steps as u64)
            .ok_or_else(|| HoconError::limit(at, "the substitutions expand to too many values"))?;
        Ok(())
    }

    fn write(&mut self, bytes: usize, at: Position) -> HoconResult<()> {
        self.bytes = self
            .bytes
            .checked_sub(bytes)
            .ok_or_else(|| HoconError::limit(at, "the substitutions expand to too much text"))?;
        Ok(())
    }
}

impl HoconNode {
    pub fn shared(origin: Origin, data: HoconData) -> Shared {
        Rc::new(HoconNode { origin, data })
    }

    pub fn resolved(&self) -> bool {
        match &self.data {
            HoconData::Literal(_) | HoconData::Text(_) => true,
            HoconData::List { resolved, .. } => *resolved,
            HoconData::Object(object) => object.resolved,
            HoconData::Reference { .. } | HoconData::Concatenation(_) | HoconData::Merge { .. } => false,
        }
    }

    /// Returns whether this value hides all values below it.
    pub fn closed(&self) -> bool {
        match &self.data {
            HoconData::Object(object) => object.closed,
            HoconData::Merge { stack, .. } => stack.last().is_some_and(|last| last.closed()),
            _ => self.resolved(),
        }
    }

    /// The number of values that wait to be merged here.
    fn layers(&self) -> usize {
        match &self.data {
            HoconData::Merge { stack, .. } => stack.len(),
            _ => 0,
        }
    }

    /// Returns whether this is an object, or will certainly become one.
    pub fn is_object(&self) -> bool {
        matches!(self.data, HoconData::Object(_) | HoconData::Merge { object: true, .. })
    }

    /// Returns whether this can only be merged after its substitutions are resolved.
    pub fn is_unmergeable(&self) -> bool {
        matches!(self.data, HoconData::Reference { .. } | HoconData::Concatenation(_) | HoconData::Merge { .. })
    }

    /// The contribution of a value to a string. Returns `None` for lists, objects and unresolved values.
    fn text(&self) -> Option<Rc<str>> {
        match &self.data {
            HoconData::Literal(literal) => Some(literal.text()),
            HoconData::Text(text) => Some(text.clone()),
            _ => None,
        }
    }
}

/// Merges `upper` over `lower`: objects merge, any other value hides the ones below.
pub(super) fn with_fallback(upper: &Shared, lower: &Shared, budget: &mut ExpansionBudget) -> HoconResult<Shared> {
    if upper.closed() {
        return Ok(upper.clone());
    }
    budget.spend(1 + upper.layers() + lower.layers(), upper.origin.at)?;
    match (&upper.data, &lower.data) {
        (_, HoconData::Merge { stack, .. }) => Ok(delay(upper, stack)),
        (_, HoconData::Reference { .. } | HoconData::Concatenation(_)) => Ok(delay(upper, std::slice::from_ref(lower))),
        (HoconData::Object(above), HoconData::Object(below)) => merge(upper, above, lower, below, budget),
        (HoconData::Object(above), _) if above.resolved => {
            let object = Object { closed: true, ..above.clone() };
            Ok(HoconNode::shared(upper.origin.clone(), HoconData::Object(object)))
        }
        _ => Ok(delay(upper, std::slice::from_ref(lower))),
    }
}

/// Puts values on a stack, to be merged when they are resolved.
fn delay(upper: &Shared, lower: &[Shared]) -> Shared {
    let (mut stack, object) = match &upper.data {
        HoconData::Merge { stack, object } => (stack.clone(), *object),
        _ => (vec![upper.clone()], upper.is_object()),
    };
    stack.extend_from_slice(lower);
    HoconNode::shared(origin_of_stack(&stack), HoconData::Merge { stack, object })
}

/// Empty objects do not count as places that something comes from.
fn origin_of_stack(stack: &[Shared]) -> Origin {
    let empty = |node: &HoconNode| matches!(&node.data, HoconData::Object(object) if object.entries.is_empty());
    let origins: Vec<Origin> = stack.iter().filter(|node| !empty(node)).map(|node| node.origin.clone()).collect();
    match (origins.is_empty(), stack.first()) {
        (true, Some(first)) => first.origin.clone(),
        _ => Origin::merge_all(origins),
    }
}

/// The keys of the upper object come first.
fn merge(
    upper: &Shared,
    above: &Object,
    lower: &Shared,
    below: &Object,
    budget: &mut ExpansionBudget,
) -> HoconResult<Shared> {
    let at = upper.origin.at;
    budget.spend(above.entries.len() + below.entries.len(), at)?;
    let mut changed = false;
    let mut entries = Entries::with_capacity_and_hasher(above.entries.len() + below.entries.len(), Default::default());
    for (key, field) in &above.entries {
        let kept = match below.entries.get(key) {
            Some(second) => with_fallback(&field.value, &second.value, budget)?,
            None => field.value.clone(),
        };
        changed |= !equal(&field.value, &kept)?;
        entries.insert(key.clone(), HoconField { key_at: field.key_at, value: kept });
    }
    for (key, field) in &below.entries {
        if !entries.contains_key(key) {
            changed = true;
            entries.insert(key.clone(), field.clone());
        }
    }
    let resolved = entries.values().all(|field| field.value.resolved());
    if !changed && resolved == above.resolved && below.closed == above.closed {
        return Ok(upper.clone());
    }
    let (origin, entries) = if changed {
        (origin_of_stack(&[upper.clone(), lower.clone()]), entries)
    } else {
        (upper.origin.clone(), above.entries.clone())
    };
    Ok(HoconNode::shared(origin, HoconData::Object(Object { entries, resolved, closed: below.closed })))
}

/// Ruby's `==` as the gem defines it, for a value and what merging made of it.
///
/// Comparing an object with one that is not resolved is an error of the gem, which users do meet.
fn equal(first: &Shared, second: &Shared) -> HoconResult<bool> {
    if Rc::ptr_eq(first, second) {
        return Ok(true);
    }
    match (&first.data, &second.data) {
        (HoconData::Object(a), HoconData::Object(b)) => {
            if a.entries.len() != b.entries.len() || !a.entries.keys().all(|key| b.entries.contains_key(key)) {
                return Ok(false);
            }
            for (key, field) in &a.entries {
                if let Some(other) = b.entries.get(key)
                    && !equal(&field.value, &other.value)?
                {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (HoconData::Object(_), HoconData::Merge { object: true, .. }) => Err(HoconError::plain(
            first.origin.at,
            "need to Config#resolve() before using this object, see the API docs for Config#resolve()",
        )
        .with_hint("set the keys of an object either one by one or by a substitution")),
        _ => Ok(false),
    }
}

/// Joins adjacent pieces as far as they can be joined.
pub(super) fn consolidate(pieces: Vec<Shared>, budget: &mut ExpansionBudget) -> HoconResult<Vec<Shared>> {
    if pieces.len() < 2 {
        return Ok(pieces);
    }
    let flat = pieces.iter().flat_map(|piece| match &piece.data {
        HoconData::Concatenation(inner) => inner.as_slice(),
        _ => std::slice::from_ref(piece),
    });
    let mut joined: Vec<Shared> = Vec::new();
    let mut tail = Tail::None;
    for piece in flat {
        let Some(left) = joined.pop() else {
            joined.push(piece.clone());
            continue;
        };
        join(&mut joined, &mut tail, left, piece, budget)?;
    }
    tail.finish_tail(&mut joined);
    Ok(joined)
}

/// The last piece while it grows: text and lists grow in place, so that many pieces take linear time.
enum Tail {
    None,
    Text(String, Origin),
    List(Vec<Shared>, Origin),
}

impl Tail {
    fn finish_tail(&mut self, joined: &mut [Shared]) {
        let node = match std::mem::replace(self, Tail::None) {
            Tail::None => return,
            Tail::Text(text, origin) => HoconNode::shared(origin, HoconData::Literal(Literal::String(text.into()))),
            Tail::List(items, origin) => list(origin, items),
        };
        if let Some(last) = joined.last_mut() {
            *last = node;
        }
    }
}

pub(super) fn list(origin: Origin, items: Vec<Shared>) -> Shared {
    let resolved = items.iter().all(|item| item.resolved());
    HoconNode::shared(origin, HoconData::List { items, resolved })
}

fn join(
    joined: &mut Vec<Shared>,
    tail: &mut Tail,
    left: Shared,
    right: &Shared,
    budget: &mut ExpansionBudget,
) -> HoconResult<()> {
    let at = right.origin.at;
    // The node below a growing tail represents its final value.
    joined.push(left);
    match (&mut *tail, &right.data) {
        (Tail::Text(text, origin), _) => {
            if let Some(more) = right.text() {
                budget.write(more.len(), at)?;
                text.push_str(&more);
                *origin = origin.merged(&right.origin);
                return Ok(());
            }
        }
        (Tail::List(items, origin), HoconData::List { items: more, .. }) => {
            budget.spend(more.len(), at)?;
            items.extend_from_slice(more);
            *origin = origin.merged(&right.origin);
            return Ok(());
        }
        (Tail::List(..), HoconData::Text(_)) => return Ok(()),
        _ => {}
    }
    tail.finish_tail(joined);
    let Some(left) = joined.pop() else { return Ok(()) };
    check_numbered(&left, right)?;
    match (&left.data, &right.data) {
        _ if left.is_object() && right.is_object() => joined.push(with_fallback(right, &left, budget)?),
        (HoconData::List { items, .. }, HoconData::List { items: more, .. }) => {
            budget.spend(items.len() + more.len(), at)?;
            *tail = Tail::List([items.as_slice(), more].concat(), left.origin.merged(&right.origin));
            joined.push(left);
        }
        (HoconData::List { .. }, HoconData::Text(_)) => joined.push(left),
        (_, HoconData::Text(_)) if left.is_object() => joined.push(left),
        _ if left.is_unmergeable() || right.is_unmergeable() => joined.extend([left, right.clone()]),
        _ => match (left.text(), right.text()) {
            (Some(first), Some(second)) => {
                budget.write(first.len() + second.len(), at)?;
                *tail = Tail::Text(format!("{first}{second}"), left.origin.merged(&right.origin));
                joined.push(left);
            }
            _ => {
                let message = format!(
                    "Cannot concatenate object or list with a non-object-or-list, {} and {} are not compatible",
                    describe(&left),
                    describe(right)
                );
                let failure = HoconError::at(&left.origin, message);
                return Err(failure.with_hint("quote strings that contain brackets or braces"));
            }
        },
    }
    Ok(())
}

/// The gem means to turn an object with numbers for keys into a list when it meets one, and fails.
fn check_numbered(left: &Shared, right: &Shared) -> HoconResult<()> {
    let ((HoconData::Object(object), HoconData::List { .. }) | (HoconData::List { .. }, HoconData::Object(object))) =
        (&left.data, &right.data)
    else {
        return Ok(());
    };
    let number = |key: &str| {
        let key = key.trim_matches(|c: char| matches!(c, ' ' | '\t'..='\r'));
        let digits = key.strip_prefix('+').unwrap_or(key);
        let mut parts = digits.split('_');
        parts.all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if object.entries.keys().any(|key| number(key)) {
        return Err(HoconError::plain(
            left.origin.at,
            "uninitialized constant Hocon::Impl::DefaultTransformer::SimpleConfigList",
        ));
    }
    Ok(())
}

/// A value as the messages of the gem show it.
pub(super) fn describe(node: &HoconNode) -> String {
    let class = class(node);
    let mut out = format!("{}(", class.rsplit("::").next().unwrap_or(class));
    render(node, None, &mut out);
    // The gem takes back the last comma of a merge only where something follows.
    if matches!(node.data, HoconData::Merge { .. }) {
        out.push(',');
    }
    out.push(')');
    out
}

/// A value and its class, as Ruby's own messages show it.
pub(super) fn describe_with_class(node: &HoconNode) -> String {
    format!("{}:Hocon::Impl::{}", describe(node), class(node))
}

fn class(node: &HoconNode) -> &'static str {
    match &node.data {
        HoconData::Literal(Literal::Null) => "ConfigNull",
        HoconData::Literal(Literal::Boolean(_)) => "ConfigBoolean",
        HoconData::Literal(Literal::Number { float: true, .. }) => "ConfigDouble",
        HoconData::Literal(Literal::Number { .. }) => "ConfigInt",
        HoconData::Literal(Literal::String(_)) => "ConfigString::Quoted",
        HoconData::Text(_) => "ConfigString::Unquoted",
        HoconData::List { .. } => "SimpleConfigList",
        HoconData::Object(_) => "SimpleConfigObject",
        HoconData::Reference { .. } => "ConfigReference",
        HoconData::Concatenation(_) => "ConfigConcatenation",
        HoconData::Merge { object: true, .. } => "ConfigDelayedMergeObject",
        HoconData::Merge { .. } => "ConfigDelayedMerge",
    }
}

/// Writes a value as JSON without spaces, after its key; objects are sorted by key, numbers first.
///
/// A merge is written lowest value first, each with the key.
fn render(node: &HoconNode, key: Option<&str>, out: &mut String) {
    if let HoconData::Merge { stack, .. } = &node.data {
        separated(out, stack.iter().rev(), |out, value| render(value, key, out));
        return;
    }
    if let Some(key) = key {
        out.push_str(&json_string(key));
        out.push(':');
    }
    match &node.data {
        HoconData::Literal(Literal::String(text)) | HoconData::Text(text) => out.push_str(&json_string(text)),
        HoconData::Literal(Literal::Number { value: Value::Float(number), .. }) => out.push_str(&float(*number)),
        HoconData::Literal(Literal::Number { value, .. }) => out.push_str(&value.to_text()),
        HoconData::Literal(literal) => out.push_str(&literal.text()),
        HoconData::List { items, .. } => {
            out.push('[');
            separated(out, items.iter(), |out, item| render(item, None, out));
            out.push(']');
        }
        HoconData::Object(object) => {
            let mut fields: Vec<_> = object.entries.iter().collect();
            fields.sort_by_cached_key(|(key, _)| {
                let number = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit());
                let digits = if number { key.trim_start_matches('0') } else { key };
                (!number, if number { digits.len() } else { 0 }, digits.to_string())
            });
            out.push('{');
            separated(out, fields.into_iter(), |out, (key, field)| render(&field.value, Some(key), out));
            out.push('}');
        }
        HoconData::Reference { path, optional } => {
            // Writing to a string does not fail.
            let _ = write!(out, "{}", Expression(path, *optional));
        }
        HoconData::Concatenation(pieces) => pieces.iter().for_each(|piece| render(piece, None, out)),
        HoconData::Merge { .. } => {}
    }
}

fn separated<T>(out: &mut String, items: impl Iterator<Item = T>, mut write: impl FnMut(&mut String, T)) {
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(out, item);
    }
}

/// A substitution as written.
pub(super) struct Expression<'e>(pub &'e Path, pub bool);

impl std::fmt::Display for Expression<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "${{{}{}}}", if self.1 { "?" } else { "" }, self.0)
    }
}

/// Text in quotes, as the gem writes it into messages.
pub(super) fn json_string(text: &str) -> String {
    quoted(text, Escapes::Controls)
}

/// The number of a literal, or its value if it is not a number.
pub(super) fn literal_value(literal: &Literal) -> Value {
    match literal {
        Literal::Null => Value::Undef,
        Literal::Boolean(value) => Value::Boolean(*value),
        Literal::Number { value, .. } => value.clone(),
        Literal::String(text) => Value::from(&**text),
    }
}
