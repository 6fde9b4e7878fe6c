//! [`Shared`]: what a list or a dictionary holds, shared until it is changed.
//!
//! What a rendering is given is not copied as long as nobody changes it. Who tries to is told that copies are needed
//! ([`crate::work::wants_copies`]), and the rendering begins again with copies of its variables. A copy shares what it was made of: a
//! list in it is copied when it is looked at, so that work grows with what the template does, not with what it was given.

use std::collections::HashMap;
use std::fmt::Debug;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use minijinja::Value;

use super::{Dict, Entries, List, Tuple};
use crate::error::{Result, error};
use crate::work;

/// What holds values: the items of a list, the entries of a dictionary.
pub trait Collection: Clone + Default + Debug {
    /// A value by its place.
    fn value(&self, at: usize) -> Option<&Value>;

    /// How many there are.
    fn count(&self) -> usize;

    /// All values, in their order.
    fn values(&self) -> impl Iterator<Item = &Value>;

    /// The same, for changing.
    fn values_mut(&mut self) -> impl Iterator<Item = &mut Value>;
}

impl Collection for Vec<Value> {
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

/// What a list or a dictionary holds.
#[derive(Debug, Default)]
pub struct Shared<T>(RwLock<Contents<T>>);

#[derive(Debug, Default)]
pub struct Contents<T> {
    held: Arc<T>,
    origin: Origin,
}

/// Where it comes from.
#[derive(Debug, Default)]
enum Origin {
    /// The template made it.
    #[default]
    Own,
    /// The rendering was given it: nobody changes it.
    Given,
    /// It is a copy that still shares the values of what was given. Those that were copied, by their places.
    Copied(HashMap<usize, Value>),
}

impl<T: Collection> Shared<T> {
    /// What the template made.
    pub fn new(held: T) -> Shared<T> {
        Shared(RwLock::new(Contents { held: Arc::new(held), origin: Origin::Own }))
    }

    /// What the rendering is given. All lists and dictionaries in it must be given, too.
    pub fn given(held: T) -> Shared<T> {
        Shared(RwLock::new(Contents { held: Arc::new(held), origin: Origin::Given }))
    }

    fn reading(&self) -> RwLockReadGuard<'_, Contents<T>> {
        // Nothing panics while it holds the lock; what is held would be whole all the same.
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(&self) -> RwLockWriteGuard<'_, Contents<T>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is held, for reading.
    #[inline]
    pub fn read(&self) -> Reading<'_, T> {
        let contents = self.reading();
        if !matches!(contents.origin, Origin::Copied(_)) {
            return Reading(contents);
        }
        drop(contents);
        settle(&mut self.writing());
        Reading(self.reading())
    }

    /// What is held now.
    pub fn shared(&self) -> Arc<T> {
        self.read().0.held.clone()
    }

    /// Whether just this is held.
    pub fn holds(&self, held: &Arc<T>) -> bool {
        Arc::ptr_eq(&self.reading().held, held)
    }

    /// How much is held.
    pub fn count(&self) -> usize {
        self.reading().held.count()
    }

    /// The value at a place. Of a copy, only this one is copied.
    #[inline]
    pub fn at(&self, place: impl FnOnce(&T) -> Option<usize>) -> Option<Value> {
        let contents = self.reading();
        let at = place(&contents.held)?;
        let found = contents.held.value(at)?;
        let Origin::Copied(seen) = &contents.origin else { return Some(found.clone()) };
        if let Some(seen) = seen.get(&at) {
            return Some(seen.clone());
        }
        let copy = copied(found);
        let Some(copy) = copy else { return Some(found.clone()) };
        drop(contents);
        let mut contents = self.writing();
        match &mut contents.origin {
            // Somebody else may have been faster.
            Origin::Copied(seen) => Some(seen.entry(at).or_insert(copy).clone()),
            _ => contents.held.value(at).cloned(),
        }
    }

    /// What is held, for changing.
    ///
    /// # Errors
    ///
    /// That it was given. The rendering begins again, and works with copies then.
    pub fn write(&self) -> Result<Writing<'_, T>> {
        let mut contents = self.writing();
        match contents.origin {
            Origin::Own => {}
            Origin::Copied(_) => settle(&mut contents),
            Origin::Given => {
                work::want_copies();
                return Err(error("what the template is given is copied before it is changed"));
            }
        }
        Ok(Writing(contents))
    }

    /// Replaces what is held; that before, unless it is shared.
    pub fn replace(&self, held: T) -> Result<T> {
        let before = std::mem::replace(&mut self.write()?.0.held, Arc::new(held));
        Ok(Arc::into_inner(before).unwrap_or_default())
    }

    /// Takes out what is held, unless it is shared.
    pub fn take(&self) -> T {
        Arc::get_mut(&mut self.writing().held).map(std::mem::take).unwrap_or_default()
    }

    /// The same, where nobody else can reach it.
    pub fn take_mut(&mut self) -> Option<T> {
        let contents = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        Arc::get_mut(&mut contents.held).map(std::mem::take)
    }

    /// A copy of what was given; nothing if the template made it.
    fn copy(&self) -> Option<Shared<T>> {
        let contents = self.reading();
        let is_given = matches!(contents.origin, Origin::Given);
        let copy = || Contents { held: contents.held.clone(), origin: Origin::Copied(HashMap::new()) };
        is_given.then(|| Shared(RwLock::new(copy())))
    }

    /// Says that this is given to a rendering; what is in it, unless that is known already.
    fn give(&self, inside: &mut Vec<Value>) -> Result<()> {
        // What still shares with what was given is taken apart first.
        drop(self.read());
        let mut contents = self.writing();
        if matches!(contents.origin, Origin::Own) {
            contents.origin = Origin::Given;
            work::steps(contents.held.count())?;
            inside.extend(contents.held.values().filter(|value| value.as_object().is_some()).cloned());
        }
        Ok(())
    }
}

/// Makes a copy that shares nothing with what it is a copy of, but for what is inside of the values in it.
fn settle<T: Collection>(contents: &mut Contents<T>) {
    let Origin::Copied(mut seen) = std::mem::take(&mut contents.origin) else { return };
    let holds_collections = contents.held.values().any(|value| copied(value).is_some());
    if !holds_collections {
        return;
    }
    work::owe(contents.held.count().saturating_mul(work::ELEMENT));
    for (at, value) in Arc::make_mut(&mut contents.held).values_mut().enumerate() {
        if let Some(copy) = seen.remove(&at).or_else(|| copied(value)) {
            *value = copy;
        }
    }
}

/// A copy of a value that was given, if it can be changed or holds what can be.
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

/// Says that a value is given to a rendering, with all that it holds.
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

/// What a list or a dictionary holds, for reading.
pub struct Reading<'a, T>(RwLockReadGuard<'a, Contents<T>>);

impl<T> Deref for Reading<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.held
    }
}

/// What a list or a dictionary holds, for changing.
pub struct Writing<'a, T>(RwLockWriteGuard<'a, Contents<T>>);

impl<T> Deref for Writing<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.held
    }
}

impl<T: Clone> DerefMut for Writing<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0.held)
    }
}
