//! [`Sequence`]: an iterable value, or an iterator that a function returned.
//!
//! See [iteration](https://www.puppet.com/docs/puppet/8/lang_iteration.html). A sequence has no position: it can be
//! iterated any number of times. Its elements are lazy, so that `Integer[1, 1000000000000]` allocates nothing in
//! advance.

mod range;
mod tree;
mod walk;

use std::any::Any;
use std::sync::Arc;

use hieratic_puppet_types::{Opaque, OpaqueContent, Type, infer_set};
use hieratic_value::{Hash, Str, Value};

use crate::{EvalError, Flow, Host};

use range::Range;
pub(crate) use tree::{Order, Tree};
pub use walk::Walk;

/// The maximum number of elements of an array that is created without a block that could stop it. Only a mistake or an
/// attack exceeds it.
pub(crate) const MAX_ELEMENTS: usize = 1 << 23;

/// An iterable value.
#[derive(Clone, Debug)]
pub struct Sequence {
    kind: SequenceKind,
    /// The type of the elements, once it was requested.
    element: Option<Type>,
}

#[derive(Clone, Debug)]
enum SequenceKind {
    Array(Arc<[Value]>),
    Hash(Hash),
    Text(Str),
    Range(Range),
    Tree(Arc<Tree>),
    /// Every `n`th element of a sequence that is neither a range nor a step.
    Step(Arc<SequenceKind>, usize),
}

impl OpaqueContent for Sequence {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn elements(&self) -> Option<Vec<Value>> {
        self.collect().ok()
    }
}

/// Returns an iterator over the elements of a value, or `None` if the value is not iterable.
///
/// The elements are those of an array or an iterator, the pairs of a hash, the characters of a string, the numbers from
/// zero up to an integer (excluded), the numbers of a finite `Integer` type, and the strings of an `Enum`.
///
/// ```
/// use hieratic_puppet_functions::iterate;
/// use hieratic_value::Value;
/// let endless = hieratic_puppet_types::parse("Integer[1, 1000000000000]").unwrap().into_value();
/// assert_eq!(iterate(&endless).unwrap().nth(2), Some(Value::from(3)));
/// assert!(iterate(&Value::from(1.5)).is_none());
/// ```
pub fn iterate(value: &Value) -> Option<Walk> {
    Sequence::from_value(value).map(|sequence| sequence.walk())
}

/// Returns all elements of an iterator (from `reverse_each`, `step` or `tree_each`), or `None` if the value is not an
/// iterator.
///
/// # Errors
/// The iterator has more elements than an array may have.
pub fn iterator_elements(host: &mut dyn Host, value: &Value) -> Result<Option<Vec<Value>>, Flow> {
    match Opaque::content::<Sequence>(value) {
        Some(sequence) => {
            let elements = sequence.collect()?;
            host.budget().steps(elements.len() as u64)?;
            Ok(Some(elements))
        }
        None => Ok(None),
    }
}

impl Sequence {
    /// Returns the sequence of a value, or `None` if it is not iterable.
    pub fn from_value(value: &Value) -> Option<Sequence> {
        let kind = match value {
            Value::Array(elements) => SequenceKind::Array(elements.clone()),
            Value::Hash(hash) => SequenceKind::Hash(hash.clone()),
            Value::String(text) => SequenceKind::Text(text.clone()),
            Value::Integer(0) => SequenceKind::Array(Arc::new([])),
            Value::Integer(count) if *count > 0 => SequenceKind::Range(Range::up_to(*count)),
            _ => match Type::of_value(value) {
                Some(kind) => return Sequence::of_type(kind),
                None => return Opaque::content::<Sequence>(value).cloned(),
            },
        };
        Some(Sequence { kind, element: None })
    }

    fn of_type(kind: &Type) -> Option<Sequence> {
        match kind {
            Type::Integer(range) => {
                let kind = SequenceKind::Range(Range::from_integer_range(range)?);
                Some(Sequence { kind, element: None })
            }
            Type::Enum(listed) => {
                let values = listed.values().iter().map(Value::from).collect();
                Some(Sequence { kind: SequenceKind::Array(values), element: Some(kind.clone()) })
            }
            Type::Alias(alias) => Sequence::of_type(alias.resolved()),
            _ => None,
        }
    }

    /// Creates the sequence of the values in a tree of arrays and hashes.
    pub(crate) fn of_tree(tree: Tree) -> Sequence {
        Sequence { kind: SequenceKind::Tree(Arc::new(tree)), element: Some(Type::Any) }
    }

    /// Adds the type of the elements. That visits each of them, so it is only done for iterators that become values.
    pub(crate) fn typed(mut self) -> Sequence {
        if self.element.is_none() {
            self.element = Some(self.kind.element());
        }
        self
    }

    /// Returns whether the elements are pairs of key and value that a block may take apart.
    pub(crate) fn is_hash(&self) -> bool {
        matches!(self.kind, SequenceKind::Hash(_))
    }

    /// Returns whether a `break` in the block of a testing function ends only the iteration. The reference lets it end
    /// the surrounding code if the elements are plainly enumerated.
    pub(crate) fn stops_inside(&self) -> bool {
        matches!(self.kind, SequenceKind::Range(_) | SequenceKind::Step(..) | SequenceKind::Tree(_))
    }

    /// Returns an iterator over the elements.
    pub fn walk(&self) -> Walk {
        Walk::new(&self.kind)
    }

    /// Returns all elements.
    ///
    /// # Errors
    /// There are more elements than an array may have.
    pub fn collect(&self) -> Result<Vec<Value>, Flow> {
        let mut elements = Vec::new();
        for element in self.walk() {
            if elements.len() >= MAX_ELEMENTS {
                return Err(
                    EvalError::new(format!("more than {MAX_ELEMENTS} elements cannot be made into an array")).into()
                );
            }
            elements.push(element);
        }
        Ok(elements)
    }

    /// Returns every `n`th element, beginning with the first.
    pub(crate) fn step(self, step: usize) -> Sequence {
        let Sequence { kind, mut element } = self;
        let kind = match kind {
            kind if step <= 1 => kind,
            SequenceKind::Range(range) => {
                let range = range.step(step);
                element = Some(range.element());
                SequenceKind::Range(range)
            }
            // Two steps are combined into one; steps are never nested.
            SequenceKind::Step(inner, first) => SequenceKind::Step(inner, first.saturating_mul(step)),
            kind => SequenceKind::Step(Arc::new(kind), step),
        };
        Sequence { kind, element }
    }

    /// Returns the elements in reverse.
    ///
    /// # Errors
    /// More elements than one array may have.
    pub(crate) fn reversed(self) -> Result<Sequence, Flow> {
        if let SequenceKind::Range(range) = self.kind {
            return Ok(Sequence { kind: SequenceKind::Range(range.reversed()), element: self.element });
        }
        let mut elements = self.collect()?;
        elements.reverse();
        Ok(Sequence { kind: SequenceKind::Array(elements.into()), element: self.element })
    }

    /// Converts the sequence to a value of type `Iterator`.
    pub(crate) fn into_value(self) -> Value {
        let element = self.element.clone().unwrap_or_else(|| self.kind.element());
        let text = format!("Iterator[{}]-Value", element.generalize());
        let kind = Type::Iterator(Some(Arc::new(element)));
        Value::from_extended(Opaque { kind, text: text.into(), content: Arc::new(self) })
    }
}

impl SequenceKind {
    /// The type of the elements.
    fn element(&self) -> Type {
        match self {
            SequenceKind::Array(elements) if elements.is_empty() => Type::Unit,
            SequenceKind::Array(elements) => Type::variant(elements.iter().map(infer_set)),
            SequenceKind::Hash(hash) => {
                let pair =
                    [Type::variant(hash.keys().map(infer_set)), Type::variant(hash.iter().map(|(_, v)| infer_set(v)))];
                let pair = if hash.is_empty() { [Type::Any, Type::Any] } else { pair };
                Type::tuple_of_size(pair, Some(hieratic_puppet_types::IntegerRange::exactly(2)))
            }
            SequenceKind::Text(_) => {
                Type::String(hieratic_puppet_types::StringType::Size(hieratic_puppet_types::IntegerRange::exactly(1)))
            }
            SequenceKind::Range(range) => range.element(),
            SequenceKind::Tree(_) => Type::Any,
            SequenceKind::Step(inner, _) => inner.element(),
        }
    }
}

#[cfg(test)]
mod tests;
