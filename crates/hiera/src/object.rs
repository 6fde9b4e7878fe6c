//! [`Object`]: a value with an identity, an origin and a mark of secrecy.
//!
//! Answers usually consist of plain, shared [`Value`]s. Three features need more. An explanation shows the reference's
//! objects, which a deep merge changes after they were first shown, and writes an anchor for repeated objects. Origins
//! record the source of every leaf. Secrets must be tracked everywhere. For these, the same code runs on objects
//! instead of values.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use hieratic_value::collections::FixedState;
use indexmap::IndexMap;

use hieratic_value::text::REDACTED;
use hieratic_value::{Str, Value};

/// The origin of a leaf.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A place in a data file.
    File {
        /// The file.
        file: Arc<std::path::Path>,
        /// The line, counted from 1.
        line: u32,
        /// The column in characters, counted from 1.
        column: u32,
    },
    /// A source without lines: a backend, a fact, a default.
    Named(Str),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::File { file, line, .. } => write!(out, "{}:{line}", file.display()),
            Origin::Named(name) => out.write_str(name),
        }
    }
}

/// The properties of an object besides its content.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mark {
    pub(crate) origin: Option<Origin>,
    pub(crate) secret: bool,
    /// Whether a key of the hash is secret. Keys have no marks, so the whole hash is redacted.
    pub(crate) secret_key: bool,
}

/// The table under a hash object.
pub(crate) type ObjectMap = IndexMap<Value, Object, FixedState>;

/// The content of an object.
#[derive(Debug)]
pub(crate) enum Content {
    Scalar(Value),
    /// A string that an explanation prints unquoted: a type that replaced its name.
    Verbatim(Str),
    Array(Vec<Object>),
    Hash(ObjectMap),
}

impl Clone for Content {
    fn clone(&self) -> Content {
        match self {
            Content::Scalar(value) => Content::Scalar(value.clone()),
            Content::Verbatim(text) => Content::Verbatim(text.clone()),
            Content::Array(elements) => {
                work::count(elements.len());
                Content::Array(elements.clone())
            }
            Content::Hash(map) => {
                work::count(map.len());
                Content::Hash(map.clone())
            }
        }
    }
}

/// Counts the copied or visited elements, for tests of how the work grows with the data.
pub(crate) mod work {
    #[cfg(test)]
    thread_local! {
        static DONE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    #[cfg(test)]
    pub(crate) fn count(elements: usize) {
        DONE.with(|done| done.set(done.get() + elements));
    }

    #[cfg(not(test))]
    pub(crate) fn count(_: usize) {}

    /// Runs a computation and returns its result with the number of elements that it copied or visited.
    #[cfg(test)]
    pub(crate) fn measure<T>(compute: impl FnOnce() -> T) -> (T, usize) {
        let before = DONE.with(std::cell::Cell::get);
        let outcome = compute();
        (outcome, DONE.with(std::cell::Cell::get) - before)
    }
}

/// A value with an identity that can be changed in place, like Ruby's arrays and hashes.
#[derive(Clone, Debug)]
pub struct Object(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    content: RefCell<Content>,
    mark: Mark,
}

impl Object {
    pub(crate) fn new(content: Content, mark: Mark) -> Object {
        Object(Rc::new(Inner { content: RefCell::new(content), mark }))
    }

    pub(crate) fn scalar(value: Value, mark: Mark) -> Object {
        Object::new(Content::Scalar(value), mark)
    }

    /// A value as a tree of new objects, all with the same mark.
    pub(crate) fn marked(value: &Value, mark: &Mark) -> Object {
        let content = match value {
            Value::Array(elements) => {
                Content::Array(elements.iter().map(|element| Object::marked(element, mark)).collect())
            }
            Value::Hash(hash) => {
                Content::Hash(hash.iter().map(|(key, value)| (key.clone(), Object::marked(value, mark))).collect())
            }
            scalar => Content::Scalar(scalar.clone()),
        };
        Object::new(content, mark.clone())
    }

    /// Converts the object to a plain value, with secrets.
    pub fn to_value(&self) -> Value {
        match &*self.content() {
            Content::Scalar(value) => value.clone(),
            Content::Verbatim(text) => Value::String(text.clone()),
            Content::Array(elements) => elements.iter().map(Object::to_value).collect(),
            Content::Hash(map) => {
                map.iter().map(|(key, value)| (key.clone(), value.to_value())).collect::<hieratic_value::Hash>().into()
            }
        }
    }

    /// Converts to a plain value with every secret redacted. A part that [is hidden](Self::is_hidden) is redacted as a
    /// whole.
    pub fn masked(&self) -> Value {
        if self.is_hidden() {
            return REDACTED.into();
        }
        match &*self.content() {
            Content::Scalar(value) => value.clone(),
            Content::Verbatim(text) => Value::String(text.clone()),
            Content::Array(elements) => elements.iter().map(Object::masked).collect(),
            Content::Hash(map) => {
                map.iter().map(|(key, value)| (key.clone(), value.masked())).collect::<hieratic_value::Hash>().into()
            }
        }
    }

    pub(crate) fn content(&self) -> std::cell::Ref<'_, Content> {
        self.0.content.borrow()
    }

    /// Replaces the content in place; every holder of the object sees it.
    pub(crate) fn replace(&self, content: Content) {
        *self.0.content.borrow_mut() = content;
    }

    /// Changes the content in place; every holder of the object sees it.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut Content) -> T) -> T {
        change(&mut self.0.content.borrow_mut())
    }

    pub(crate) fn mark(&self) -> &Mark {
        &self.0.mark
    }

    /// Returns the origin of the object, if it is known.
    pub fn origin(&self) -> Option<&Origin> {
        self.0.mark.origin.as_ref()
    }

    /// Returns whether the object is redacted as a whole because of its mark.
    pub fn is_covered(&self) -> bool {
        self.0.mark.secret || self.0.mark.secret_key
    }

    /// Returns whether a key of the object or of a part of it is secret.
    pub(crate) fn has_secret_key(&self) -> bool {
        self.0.mark.secret_key
            || match &*self.content() {
                Content::Scalar(_) | Content::Verbatim(_) => false,
                Content::Array(elements) => elements.iter().any(Object::has_secret_key),
                Content::Hash(map) => map.values().any(Object::has_secret_key),
            }
    }

    /// Returns a copy that is marked as having a secret key.
    pub(crate) fn with_secret_key(&self) -> Object {
        Object::new(self.content().clone(), Mark { secret_key: true, ..self.0.mark.clone() })
    }

    /// Returns whether the object or a part of it was decrypted.
    pub fn has_decrypted(&self) -> bool {
        self.is_covered()
            || match &*self.content() {
                Content::Scalar(_) | Content::Verbatim(_) => false,
                Content::Array(elements) => elements.iter().any(Object::has_decrypted),
                Content::Hash(map) => map.values().any(Object::has_decrypted),
            }
    }

    /// Returns whether the object as a whole is secret: by its mark, because it is Sensitive, or because one of its
    /// keys is. Keys are not redacted one by one, because different keys would become equal.
    pub fn is_hidden(&self) -> bool {
        self.is_covered()
            || match &*self.content() {
                Content::Scalar(value) => value.contains_sensitive(),
                Content::Hash(map) => map.keys().any(Value::contains_sensitive),
                Content::Verbatim(_) | Content::Array(_) => false,
            }
    }

    /// Returns whether the object or a part of it is secret, by a mark or as a Sensitive value.
    pub fn has_hidden(&self) -> bool {
        self.is_hidden()
            || match &*self.content() {
                Content::Scalar(_) | Content::Verbatim(_) => false,
                Content::Array(elements) => elements.iter().any(Object::has_hidden),
                Content::Hash(map) => map.values().any(Object::has_hidden),
            }
    }

    /// Returns a copy that is secret at every depth.
    pub(crate) fn as_secret(&self) -> Object {
        Object::marked(&self.to_value(), &Mark { origin: self.origin().cloned(), secret: true, ..Mark::default() })
    }

    /// Returns a number that is unique to this object.
    pub(crate) fn identity(&self) -> usize {
        Rc::as_ptr(&self.0) as usize
    }

    /// A copy of arrays and hashes at every depth; scalars stay the same objects, as in the reference.
    pub(crate) fn deep_clone(&self) -> Object {
        let content = match &*self.content() {
            Content::Array(elements) => Content::Array(elements.iter().map(Object::deep_clone).collect()),
            Content::Hash(map) => {
                Content::Hash(map.iter().map(|(key, value)| (key.clone(), value.deep_clone())).collect())
            }
            Content::Scalar(_) | Content::Verbatim(_) => return self.clone(),
        };
        Object::new(content, self.0.mark.clone())
    }

    /// Returns a copy that shares nothing.
    pub(crate) fn snapshot(&self) -> Object {
        let content = match &*self.content() {
            Content::Array(elements) => Content::Array(elements.iter().map(Object::snapshot).collect()),
            Content::Hash(map) => {
                Content::Hash(map.iter().map(|(key, value)| (key.clone(), value.snapshot())).collect())
            }
            scalar => scalar.clone(),
        };
        Object::new(content, self.0.mark.clone())
    }

    /// A new array or hash with the same elements; a scalar stays the same object.
    pub(crate) fn shallow_copy(&self) -> Object {
        match &*self.content() {
            content @ (Content::Array(_) | Content::Hash(_)) => Object::new(content.clone(), self.0.mark.clone()),
            Content::Scalar(_) | Content::Verbatim(_) => self.clone(),
        }
    }

    pub(crate) fn is_array(&self) -> bool {
        matches!(&*self.content(), Content::Array(_))
    }

    pub(crate) fn is_hash(&self) -> bool {
        matches!(&*self.content(), Content::Hash(_))
    }

    pub(crate) fn is_undef(&self) -> bool {
        matches!(&*self.content(), Content::Scalar(Value::Undef))
    }

    pub(crate) fn is_truthy(&self) -> bool {
        !matches!(&*self.content(), Content::Scalar(Value::Undef | Value::Boolean(false)))
    }

    /// Returns the string that the plain value is, if it is one.
    pub(crate) fn plain_text(&self) -> Option<Str> {
        match &*self.content() {
            Content::Scalar(Value::String(text)) | Content::Verbatim(text) => Some(text.clone()),
            _ => None,
        }
    }

    pub(crate) fn as_text(&self) -> Option<Str> {
        match &*self.content() {
            Content::Scalar(Value::String(text)) => Some(text.clone()),
            _ => None,
        }
    }
}
