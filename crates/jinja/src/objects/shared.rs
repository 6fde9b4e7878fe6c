//! [`Shared`]: copy-on-write content of a list or a dictionary.
//!
//! The input of a rendering is not copied until a template tries to change it. The attempt fails and requests copies
//! ([`crate::work::request_copies`]), and the rendering is repeated with copies of its variables. A copy shares the
//! content of its original: a nested list is copied on its first use, so that the work depends on the template and not
//! on the size of the input.
//!
//! An input begins as a value of the data model ([`Source`]), which is converted on first use, one level at a time.

use std::collections::HashMap;
use std::fmt::Debug;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use minijinja::Value;

use super::{Dict, Entries, List, Source, Tuple};
use crate::error::{Result, error};
use crate::work;

/// A container of values: the items of a list, the entries of a dictionary.
pub trait Collection: Clone + Default + Debug {
    /// Converts the values of a source.
    fn from_source(source: Source) -> Self;

    /// Returns the value at an index.
    fn value(&self, at: usize) -> Option<&Value>;

    /// Returns the number of values.
    fn count(&self) -> usize;

    /// Returns all values, in order.
    fn values(&self) -> impl Iterator<Item = &Value>;

    /// Returns mutable references to all values, in order.
    fn values_mut(&mut self) -> impl Iterator<Item = &mut Value>;
}

impl Collection for Vec<Value> {
    fn from_source(source: Source) -> Self {
        source.items()
    }

    fn value(&self, at: usize) -> Option<&Value> {
        self.get(at)
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn values(&self) -> impl Iterator<Item = &Value> {
        self.iter()
    }

    fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.iter_mut()
    }
}

impl Collection for Entries {
    fn from_source(source: Source) -> Self {
        source.entries()
    }

    fn value(&self, at: usize) -> Option<&Value> {
        self.get_index(at).map(|(_, value)| value)
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn values(&self) -> impl Iterator<Item = &Value> {
        self.values()
    }

    fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.values_mut()
    }
}

/// The content of a list or a dictionary.
#[derive(Debug, Default)]
pub struct Shared<T>(RwLock<Contents<T>>);

#[derive(Debug, Default)]
pub struct Contents<T> {
    content: Arc<T>,
    origin: Ownership,
}

/// The owner of the content.
#[derive(Debug, Default)]
enum Ownership {
    /// It belongs to the template.
    #[default]
    Own,
    /// It is an input of the rendering, and must not be changed.
    Input,
    /// It is a copy that still shares the values of an input. The map has the values that were copied, by index.
    Copied(HashMap<usize, Value>),
    /// It is an input of the rendering that is not converted: nothing is held yet.
    Source(Source),
}

impl<T: Collection> Shared<T> {
    /// Creates content that belongs to the template.
    pub fn new(content: T) -> Shared<T> {
        Shared(RwLock::new(Contents { content: Arc::new(content), origin: Ownership::Own }))
    }

    /// Creates content that is an input of the rendering. All lists and dictionaries in it must be inputs as well.
    pub fn input(content: T) -> Shared<T> {
        Shared(RwLock::new(Contents { content: Arc::new(content), origin: Ownership::Input }))
    }

    /// Creates content that is an input of the rendering, and is converted on first use.
    pub fn source(source: Source) -> Shared<T> {
        Shared(RwLock::new(Contents { content: Arc::default(), origin: Ownership::Source(source) }))
    }

    fn reading(&self) -> RwLockReadGuard<'_, Contents<T>> {
        // No code panics while it holds the lock; the content would be consistent anyway.
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(&self) -> RwLockWriteGuard<'_, Contents<T>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the content for reading.
    #[inline]
    pub fn read(&self) -> ReadGuard<'_, T> {
        let contents = self.reading();
        if !matches!(contents.origin, Ownership::Copied(_) | Ownership::Source(_)) {
            return ReadGuard(contents);
        }
        drop(contents);
        settle(&mut self.writing());
        ReadGuard(self.reading())
    }

    /// Locks the content for reading; a source is converted first.
    fn converted(&self) -> RwLockReadGuard<'_, Contents<T>> {
        let contents = self.reading();
        if !matches!(contents.origin, Ownership::Source(_)) {
            return contents;
        }
        drop(contents);
        settle(&mut self.writing());
        self.reading()
    }

    /// Calls a function with the source, if the content is one. The function returns `None` if it needs to change it.
    pub fn in_source<R>(&self, show: impl FnOnce(&Source) -> R) -> Option<R> {
        match &self.reading().origin {
            Ownership::Source(source) => Some(show(source)),
            _ => None,
        }
    }

    /// Calls a function with the mutable source, if the content is one.
    pub fn change_source<R>(&self, change: impl FnOnce(&mut Source) -> R) -> Option<R> {
        match &mut self.writing().origin {
            Ownership::Source(source) => Some(change(source)),
            _ => None,
        }
    }

    /// Returns the current content, shared.
    pub fn shared(&self) -> Arc<T> {
        self.read().0.content.clone()
    }

    /// Returns whether the content is still this one.
    pub fn holds(&self, other: &Arc<T>) -> bool {
        Arc::ptr_eq(&self.reading().content, other)
    }

    /// Returns the number of values.
    pub fn count(&self) -> usize {
        let contents = self.reading();
        match &contents.origin {
            Ownership::Source(source) => source.count(),
            _ => contents.content.count(),
        }
    }

    /// Returns the value at an index. In a copy, only this value is copied.
    #[inline]
    pub fn at(&self, place: impl FnOnce(&T) -> Option<usize>) -> Option<Value> {
        let contents = self.converted();
        let at = place(&contents.content)?;
        let found = contents.content.value(at)?;
        let Ownership::Copied(seen) = &contents.origin else { return Some(found.clone()) };
        if let Some(seen) = seen.get(&at) {
            return Some(seen.clone());
        }
        let copy = copied(found);
        let Some(copy) = copy else { return Some(found.clone()) };
        drop(contents);
        let mut contents = self.writing();
        match &mut contents.origin {
            // Another thread may have copied it first.
            Ownership::Copied(seen) => Some(seen.entry(at).or_insert(copy).clone()),
            _ => contents.content.value(at).cloned(),
        }
    }

    /// Locks the content for writing.
    ///
    /// # Errors
    ///
    /// The content is an input of the rendering, which is then repeated with copies.
    pub fn write(&self) -> Result<WriteGuard<'_, T>> {
        let mut contents = self.writing();
        match contents.origin {
            Ownership::Own => {}
            Ownership::Copied(_) => settle(&mut contents),
            Ownership::Input | Ownership::Source(_) => {
                work::request_copies();
                return Err(needs_copies());
            }
        }
        Ok(WriteGuard(contents))
    }

    /// Replaces the content. Returns the previous one, unless it is shared.
    pub fn replace(&self, content: T) -> Result<T> {
        let before = std::mem::replace(&mut self.write()?.0.content, Arc::new(content));
        Ok(Arc::into_inner(before).unwrap_or_default())
    }

    /// Takes the content out, unless it is shared.
    pub fn take(&self) -> T {
        Arc::get_mut(&mut self.writing().content).map(std::mem::take).unwrap_or_default()
    }

    /// Takes the content out of an object that has no other owner, unless the content itself is shared.
    pub fn take_mut(&mut self) -> Option<T> {
        let contents = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        Arc::get_mut(&mut contents.content).map(std::mem::take)
    }

    fn is_input(&self) -> bool {
        matches!(self.reading().origin, Ownership::Input | Ownership::Source(_))
    }

    /// Returns a copy of an input; `None` if the content belongs to the template.
    fn copy(&self) -> Option<Shared<T>> {
        let contents = self.converted();
        let is_input = matches!(contents.origin, Ownership::Input);
        let copy = || Contents { content: contents.content.clone(), origin: Ownership::Copied(HashMap::default()) };
        is_input.then(|| Shared(RwLock::new(copy())))
    }

    /// Turns the content into an input of a rendering, and adds its values to `inside`, unless it is an input already.
    fn give(&self, inside: &mut Vec<Value>) -> Result<()> {
        if self.is_input() {
            return Ok(());
        }
        // A copy is separated from its original first.
        drop(self.read());
        let mut contents = self.writing();
        if matches!(contents.origin, Ownership::Own) {
            contents.origin = Ownership::Input;
            work::steps(contents.content.count())?;
            inside.extend(contents.content.values().filter(|value| value.as_object().is_some()).cloned());
        }
        Ok(())
    }
}

/// Separates a copy from its original, and converts a source. Nested values are still shared.
fn settle<T: Collection>(contents: &mut Contents<T>) {
    let mut seen = match std::mem::take(&mut contents.origin) {
        Ownership::Copied(seen) => seen,
        Ownership::Source(source) => {
            *contents = Contents { content: Arc::new(T::from_source(source)), origin: Ownership::Input };
            return;
        }
        // Another thread may have done it first.
        owned @ (Ownership::Own | Ownership::Input) => {
            contents.origin = owned;
            return;
        }
    };
    let holds_collections = contents.content.values().any(|value| copied(value).is_some());
    if !holds_collections {
        return;
    }
    work::owe(contents.content.count().saturating_mul(work::ELEMENT));
    for (at, value) in Arc::make_mut(&mut contents.content).values_mut().enumerate() {
        if let Some(copy) = seen.remove(&at).or_else(|| copied(value)) {
            *value = copy;
        }
    }
}

/// Returns a copy of an input value, if it or a part of it can be changed.
pub fn copied(value: &Value) -> Option<Value> {
    if let Some(List(list)) = value.downcast_object_ref() {
        return list.copy().map(|copy| Value::from_object(List(copy)));
    }
    if let Some(Dict(dict)) = value.downcast_object_ref() {
        return dict.copy().map(|copy| Value::from_object(Dict(copy)));
    }
    let tuple: &Tuple = value.downcast_object_ref()?;
    // A tuple stays the same unless something in it does not.
    tuple.items().iter().any(|item| copied(item).is_some()).then(|| tuple.with_each(copied))
}

/// Returns whether a value is a list, a dictionary or a tuple.
pub fn is_collection(value: &Value) -> bool {
    value.downcast_object_ref::<List>().is_some()
        || value.downcast_object_ref::<Dict>().is_some()
        || value.downcast_object_ref::<Tuple>().is_some()
}

/// Calls a function with the source of a list or a dictionary, if it is not yet converted.
pub fn in_source_of<R>(value: &Value, show: impl FnOnce(&Source) -> R) -> Option<R> {
    if let Some(List(list)) = value.downcast_object_ref() {
        return list.in_source(show);
    }
    let Dict(dict) = value.downcast_object_ref()?;
    dict.in_source(show)
}

/// Returns a deep copy of a value. Inputs of the rendering are only copied with `copies`; otherwise they are never
/// changed.
pub fn detached(value: &Value, copies: bool) -> Result<Value> {
    let each = |value: &Value| work::deeper(|| detached(value, copies));
    if let Some(List(list)) = value.downcast_object_ref() {
        if !list.is_input() {
            let items = list.shared();
            work::elements(items.len())?;
            return items.iter().map(each).collect::<Result<Vec<_>>>().map(List::value);
        }
    } else if let Some(Dict(dict)) = value.downcast_object_ref() {
        if !dict.is_input() {
            let entries = dict.shared();
            work::elements(2 * entries.len())?;
            let entries = entries.iter().map(|(key, value)| Ok((key.clone(), each(value)?)));
            return entries.collect::<Result<Entries>>().map(Dict::value);
        }
    } else if let Some(tuple) = value.downcast_object_ref::<Tuple>() {
        work::elements(tuple.items().len())?;
        return tuple.items().iter().map(each).collect::<Result<_>>().map(|items| Tuple::named(items, tuple.names()));
    }
    Ok(copied(value).filter(|_| copies).unwrap_or_else(|| value.clone()))
}

/// The error that ends a rendering which is repeated with copies of its input.
fn needs_copies() -> minijinja::Error {
    error("input variables are copied before they are changed")
}

/// Ensures that a list or a dictionary that a template compares with itself is one object: an input of the rendering
/// can be several objects, one for each use of its variable.
///
/// # Errors
///
/// The value is an input of the rendering, which is then repeated with copies.
pub fn distinguish(value: &Value) -> Result<()> {
    let is_input = match (value.downcast_object_ref(), value.downcast_object_ref()) {
        (Some(List(list)), _) => list.is_input(),
        (_, Some(Dict(dict))) => dict.is_input(),
        _ => false,
    };
    if is_input && work::request_copies() { Err(needs_copies()) } else { Ok(()) }
}

/// Marks a value and its parts as input of a rendering.
pub fn give(value: &Value) -> Result<()> {
    let mut open = vec![value.clone()];
    while let Some(value) = open.pop() {
        if let Some(List(list)) = value.downcast_object_ref() {
            list.give(&mut open)?;
        } else if let Some(Dict(dict)) = value.downcast_object_ref() {
            dict.give(&mut open)?;
        } else if let Some(tuple) = value.downcast_object_ref::<Tuple>() {
            work::steps(tuple.items().len())?;
            open.extend(tuple.items().iter().filter(|item| item.as_object().is_some()).cloned());
        }
    }
    Ok(())
}

/// The content of a list or a dictionary, locked for reading.
pub struct ReadGuard<'a, T>(RwLockReadGuard<'a, Contents<T>>);

impl<T> Deref for ReadGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.content
    }
}

/// The content of a list or a dictionary, locked for writing.
pub struct WriteGuard<'a, T>(RwLockWriteGuard<'a, Contents<T>>);

impl<T> Deref for WriteGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.content
    }
}

impl<T: Clone> DerefMut for WriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0.content)
    }
}
