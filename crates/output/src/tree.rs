//! [`Tree`]: values that can be written as JSON or YAML.

use hieratic_value::{BigInt, Extended, Hash, Rich, Value};

/// A handle on a node of a value that can be written. Cloning must be cheap.
///
/// `&Value` implements it. Implement it for a graph with shared arrays and hashes, and give them an
/// [`identity`](Tree::identity): [`yaml`](crate::yaml()) then writes the second occurrence as an alias of the first.
/// YAML supports cycles; the other formats do not terminate on them.
pub trait Tree: Clone {
    /// The elements of an array, in order.
    type Elements: Iterator<Item = Self>;
    /// The keys and values of a hash, in order. A key may be any tree.
    type Pairs: Iterator<Item = (Self, Self)>;

    /// Returns the content of the node.
    fn view(&self) -> View<'_, Self>;

    /// Returns a number that is equal for two array, hash or Sensitive nodes if and only if they are the same object,
    /// or `None` if the node is not shared. The result for scalars is ignored.
    fn identity(&self) -> Option<usize> {
        None
    }

    /// Converts the tree to a value.
    fn to_value(&self) -> Value {
        match self.view() {
            View::Scalar(scalar) => scalar.to_value(),
            View::Sensitive(inner) => Value::sensitive(inner.to_value()),
            View::Array(elements) => elements.map(|element| element.to_value()).collect(),
            View::Hash(pairs) => {
                let pairs = pairs.map(|(key, value)| (key.to_value(), value.to_value()));
                Value::from(pairs.collect::<Hash>())
            }
        }
    }
}

/// The content of a node of a [`Tree`].
pub enum View<'a, T: Tree> {
    /// A leaf.
    Scalar(Scalar<'a>),
    /// A secret. Only YAML and rich data write its content.
    Sensitive(T),
    /// An array.
    Array(T::Elements),
    /// A hash.
    Hash(T::Pairs),
}

/// A leaf of a [`Tree`].
#[derive(Clone, Copy, Debug)]
pub enum Scalar<'a> {
    /// Ruby's `nil`.
    Undef,
    /// True or false.
    Boolean(bool),
    /// An integer of 64 bits.
    Integer(i64),
    /// An integer beyond 64 bits.
    BigInteger(&'a BigInt),
    /// A double-precision number.
    Float(f64),
    /// A string.
    String(&'a str),
    /// A Ruby symbol, without its colon. The `default` of the Puppet language is the symbol `default`.
    Symbol(&'a str),
    /// Bytes that are not UTF-8.
    Binary(&'a [u8]),
    /// A value whose type another crate defines. It is written as a string.
    Extended(&'a dyn Extended),
}

impl Scalar<'_> {
    fn to_value(self) -> Value {
        match self {
            Scalar::Undef => Value::Undef,
            Scalar::Boolean(boolean) => boolean.into(),
            Scalar::Integer(integer) => integer.into(),
            Scalar::BigInteger(integer) => Rich::BigInteger(integer.clone()).into(),
            Scalar::Float(float) => float.into(),
            Scalar::String(text) => text.into(),
            Scalar::Symbol("default") => Rich::Default.into(),
            Scalar::Symbol(name) => Rich::Symbol(name.into()).into(),
            Scalar::Binary(bytes) => Rich::Binary(bytes.to_vec()).into(),
            Scalar::Extended(other) => Rich::Extended(other.clone_box()).into(),
        }
    }

    /// The name of the Ruby class of such a leaf.
    pub(crate) fn ruby_class(self) -> &'static str {
        match self {
            Scalar::Undef => "NilClass",
            Scalar::Boolean(true) => "TrueClass",
            Scalar::Boolean(false) => "FalseClass",
            Scalar::Integer(_) | Scalar::BigInteger(_) => "Integer",
            Scalar::Float(_) => "Float",
            Scalar::String(_) | Scalar::Binary(_) => "String",
            Scalar::Symbol(_) => "Symbol",
            Scalar::Extended(other) => other.ruby_class(),
        }
    }
}

impl<'v> Tree for &'v Value {
    type Elements = std::slice::Iter<'v, Value>;
    type Pairs = <&'v Hash as IntoIterator>::IntoIter;

    fn view(&self) -> View<'_, Self> {
        let value: &'v Value = self;
        View::Scalar(match value {
            Value::Undef => Scalar::Undef,
            Value::Boolean(boolean) => Scalar::Boolean(*boolean),
            Value::Integer(integer) => Scalar::Integer(*integer),
            Value::Float(float) => Scalar::Float(*float),
            Value::String(text) => Scalar::String(text),
            Value::Array(elements) => return View::Array(elements.iter()),
            Value::Hash(hash) => return View::Hash(hash.iter()),
            Value::Rich(rich) => match &**rich {
                Rich::Default => Scalar::Symbol("default"),
                Rich::Sensitive(inner) => return View::Sensitive(inner),
                Rich::Symbol(name) => Scalar::Symbol(name),
                Rich::BigInteger(integer) => Scalar::BigInteger(integer),
                Rich::Binary(bytes) => Scalar::Binary(bytes),
                Rich::Extended(other) => Scalar::Extended(&**other),
            },
        })
    }

    fn to_value(&self) -> Value {
        (*self).clone()
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! A tree whose collections have an identity, for tests.

    use std::rc::Rc;

    use super::*;

    /// A node; clones of it are the same object.
    #[derive(Clone)]
    pub(crate) enum Node {
        Leaf(&'static str),
        Array(Rc<Vec<Node>>),
        Hash(Rc<Vec<(Node, Node)>>),
        Sensitive(Rc<Node>),
    }

    impl Tree for Node {
        type Elements = std::vec::IntoIter<Node>;
        type Pairs = std::vec::IntoIter<(Node, Node)>;

        fn view(&self) -> View<'_, Self> {
            match self {
                Node::Leaf(text) => View::Scalar(Scalar::String(text)),
                Node::Array(elements) => View::Array((**elements).clone().into_iter()),
                Node::Hash(pairs) => View::Hash((**pairs).clone().into_iter()),
                Node::Sensitive(inner) => View::Sensitive((**inner).clone()),
            }
        }

        fn identity(&self) -> Option<usize> {
            match self {
                Node::Leaf(_) => None,
                Node::Array(elements) => Some(Rc::as_ptr(elements) as usize),
                Node::Hash(pairs) => Some(Rc::as_ptr(pairs) as usize),
                Node::Sensitive(inner) => Some(Rc::as_ptr(inner) as usize),
            }
        }
    }
}
