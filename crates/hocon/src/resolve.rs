//! [`resolve`]: replaces substitutions by their values.
//!
//! A substitution sees the whole final document, except that a self-reference only sees the earlier values of its key
//! (`path = ${path}":/bin"`). For the latter, [`ResolveSource`] tracks the objects from the root to the current value,
//! so that the root can be rebuilt with another value at this path.
//! <https://github.com/lightbend/config/blob/main/HOCON.md#self-referential-substitutions>

use std::rc::Rc;

use super::environment::Environment;
use super::error::{HoconError, HoconResult};
use super::path::Path;
use super::value::{
    self, Entries, ExpansionBudget, Expression, HoconData, HoconField, HoconNode, Object, Shared, describe,
    describe_with_class,
};
use super::{MAX_RESOLVE_DEPTH, too_deep};
use hieratic_source::Position;

/// The document with no substitution left.
pub(super) fn resolve(root: &Shared, environment: &Environment, budget: &mut ExpansionBudget) -> HoconResult<Shared> {
    let mut resolver = Resolver { environment: &environment.object(), budget, stack: Vec::new(), cycle: Vec::new() };
    match resolver.resolve(root, &ResolveSource::new(root.clone()), None) {
        Ok(Some(resolved)) => Ok(resolved),
        Ok(None) => Ok(root.clone()),
        Err(ResolveError::HoconError(failure)) => Err(failure),
        Err(ResolveError::Cycle(trace)) => {
            Err(HoconError::plain(root.origin.at, format!("a cycle that involves {trace}")))
        }
    }
}

/// The reason why a value cannot be resolved.
enum ResolveError {
    /// A cycle. The string names the substitutions on the way.
    Cycle(String),
    HoconError(HoconError),
}

impl From<HoconError> for ResolveError {
    fn from(failure: HoconError) -> Self {
        ResolveError::HoconError(failure)
    }
}

/// The document against which a value is resolved.
#[derive(Clone)]
struct ResolveSource {
    root: Shared,
    /// The containers from the value at work (first) up to the root; unknown after something was taken out.
    path: Option<Rc<Link>>,
}

struct Link {
    value: Shared,
    up: Option<Rc<Link>>,
}

/// The rest of a path to which resolving is restricted.
type Restriction<'p> = Option<&'p [Rc<str>]>;

struct Resolver<'r> {
    environment: &'r Shared,
    budget: &'r mut ExpansionBudget,
    /// The values being resolved, outermost first.
    stack: Vec<Shared>,
    /// The substitutions that are being resolved.
    cycle: Vec<Shared>,
}

impl Resolver<'_> {
    /// Resolves a value. Returns `None` for an optional substitution without a value.
    fn resolve(
        &mut self,
        value: &Shared,
        source: &ResolveSource,
        only: Restriction,
    ) -> Result<Option<Shared>, ResolveError> {
        if value.resolved() {
            return Ok(Some(value.clone()));
        }
        let at = value.origin.at;
        self.budget.spend(1, at)?;
        if self.stack.len() >= MAX_RESOLVE_DEPTH {
            return Err(too_deep(at).into());
        }
        self.stack.push(value.clone());
        if self.cycle.iter().any(|marked| Rc::ptr_eq(marked, value)) {
            self.budget.spend(self.stack.len(), at)?;
            let trace = self.trace();
            self.stack.pop();
            return Err(ResolveError::Cycle(trace));
        }
        let result = self.resolve_inside(value, source, only);
        self.stack.pop();
        if let Ok(Some(resolved)) = &result
            && only.is_none()
            && !resolved.resolved()
        {
            return Err(HoconError::plain(at, "resolve_substitutions did not give us a resolved object").into());
        }
        result
    }

    fn resolve_inside(
        &mut self,
        value: &Shared,
        source: &ResolveSource,
        only: Restriction,
    ) -> Result<Option<Shared>, ResolveError> {
        match &value.data {
            HoconData::Literal(_) | HoconData::Text(_) => Ok(Some(value.clone())),
            HoconData::Object(object) => self.object(value, object, source, only).map(Some),
            // A list has no keys, so nothing in it can be on the path.
            HoconData::List { .. } if only.is_some() => Ok(Some(value.clone())),
            HoconData::List { items, .. } => self.list(value, items, source).map(Some),
            HoconData::Reference { path, optional } => self.reference(value, path, *optional, source, only),
            HoconData::Concatenation(pieces) => self.concatenation(value, pieces, source),
            HoconData::Merge { stack, object } => self.merge(value, stack, *object, source, only),
        }
    }

    /// The substitutions on the way here.
    fn trace(&self) -> String {
        let mut trace = Vec::new();
        for value in &self.stack {
            if let HoconData::Reference { path, optional } = &value.data {
                trace.push(Expression(path, *optional).to_string());
            }
        }
        trace.join(", ")
    }

    fn object(
        &mut self,
        value: &Shared,
        object: &Object,
        source: &ResolveSource,
        only: Restriction,
    ) -> Result<Shared, ResolveError> {
        let source = source.push(value);
        let mut entries: Option<Entries> = None;
        match only {
            None => {
                for (index, field) in object.entries.values().enumerate() {
                    let resolved = self.resolve(&field.value, &source, None)?;
                    if let Some(resolved) = &resolved
                        && Rc::ptr_eq(resolved, &field.value)
                    {
                        if let Some(entries) = &mut entries {
                            put(entries, object, index, resolved.clone());
                        }
                        continue;
                    }
                    let entries =
                        entries.get_or_insert_with(|| object.entries.iter().take(index).map(to_owned_entry).collect());
                    if let Some(resolved) = resolved {
                        put(entries, object, index, resolved);
                    }
                }
            }
            Some([first, below @ ..]) if !below.is_empty() => {
                if let Some(field) = object.entries.get(first) {
                    let resolved = self.resolve(&field.value, &source, Some(below))?;
                    entries = replace_value(object, first, &field.value, resolved, self.budget)?;
                }
            }
            // The caller resolves the value at the end of the path.
            Some(_) => {}
        }
        Ok(match entries {
            None => value.clone(),
            Some(entries) => {
                HoconNode::shared(value.origin.clone(), HoconData::Object(Object::new(entries, object.closed)))
            }
        })
    }

    fn list(&mut self, value: &Shared, items: &[Shared], source: &ResolveSource) -> Result<Shared, ResolveError> {
        let source = source.push(value);
        let mut resolved = Vec::with_capacity(items.len());
        for item in items {
            match self.resolve(item, &source, None) {
                Ok(item) => resolved.extend(item),
                Err(ResolveError::HoconError(failure)) => return Err(failure.inside_list().into()),
                Err(cycle) => return Err(cycle),
            }
        }
        Ok(value::list(value.origin.clone(), resolved))
    }

    fn reference(
        &mut self,
        value: &Shared,
        path: &Path,
        optional: bool,
        source: &ResolveSource,
        only: Restriction,
    ) -> Result<Option<Shared>, ResolveError> {
        let (stack, cycle) = (self.stack.len(), self.cycle.len());
        self.cycle.push(value.clone());
        let result = self.look_up(path, source, only);
        self.stack.truncate(stack);
        self.cycle.truncate(cycle);
        let unresolved = |detail: String| {
            let message = format!("Could not resolve substitution to a value: {detail}");
            let failure = HoconError::at(&value.origin, message);
            ResolveError::HoconError(
                failure.with_hint("write ${?name} for optional values; environment variables require --allow-outside"),
            )
        };
        match result {
            Ok(None) | Err(ResolveError::Cycle(_)) if optional => Ok(None),
            Ok(None) => Err(unresolved(Expression(path, optional).to_string())),
            Err(ResolveError::Cycle(trace)) => Err(unresolved(format!(
                "{} was part of a cycle of substitutions involving {trace}",
                Expression(path, optional)
            ))),
            other => other,
        }
    }

    /// The resolved value at a path of the document, or else of the environment.
    fn look_up(
        &mut self,
        path: &Path,
        source: &ResolveSource,
        only: Restriction,
    ) -> Result<Option<Shared>, ResolveError> {
        let (mut found, mut way) = self.find(&source.root, path)?;
        if found.is_none() {
            let environment = self.environment.clone();
            (found, way) = self.find(&environment, path)?;
        }
        let Some(found) = found else { return Ok(None) };
        let mut top = &way;
        while let Some(up) = &top.up {
            top = up;
        }
        let source = ResolveSource { root: top.value.clone(), path: Some(way.clone()) };
        self.resolve(&found, &source, only)
    }

    /// The value at a path, not resolved itself, and the objects on the way to it.
    fn find(&mut self, root: &Shared, path: &Path) -> Result<(Option<Shared>, Rc<Link>), ResolveError> {
        let resolved = self.resolve(root, &ResolveSource::new(root.clone()), Some(&path.0))?;
        let mut object = resolved.unwrap_or_else(|| root.clone());
        let mut way = Rc::new(Link { value: object.clone(), up: None });
        let mut names = path.0.iter().peekable();
        while let Some(name) = names.next() {
            let value = peek(&object, name, path)?;
            if names.peek().is_none() {
                return Ok((value, way));
            }
            match value {
                Some(value) if value.is_object() => {
                    way = Rc::new(Link { value: value.clone(), up: Some(way) });
                    object = value;
                }
                _ => break,
            }
        }
        Ok((None, way))
    }

    fn concatenation(
        &mut self,
        value: &Shared,
        pieces: &[Shared],
        source: &ResolveSource,
    ) -> Result<Option<Shared>, ResolveError> {
        let mut resolved = Vec::with_capacity(pieces.len());
        for piece in pieces {
            resolved.extend(self.resolve(piece, source, None)?);
        }
        let mut joined = value::consolidate(resolved, self.budget)?;
        if joined.len() > 1 {
            let values: Vec<String> = joined.iter().map(|value| describe(value)).collect();
            let message =
                format!("Bug in the library; resolved list was joined to too many values: [{}]", values.join(", "));
            return Err(HoconError::plain(value.origin.at, message).into());
        }
        Ok(joined.pop())
    }

    fn merge(
        &mut self,
        value: &Shared,
        stack: &[Shared],
        object: bool,
        source: &ResolveSource,
        only: Restriction,
    ) -> Result<Option<Shared>, ResolveError> {
        let at = value.origin.at;
        let mut merged: Option<Shared> = None;
        for (index, layer) in stack.iter().enumerate() {
            let source = if layer.is_unmergeable() {
                // If it leads back here, it only sees the values below it.
                let below = self.below(&stack[index + 1..])?;
                self.budget.spend(source.entries(), at)?;
                source.replace(value, below)?.without_path(at)?
            } else {
                source.push(value)
            };
            if let Some(resolved) = self.resolve(layer, &source, only)? {
                merged = Some(match merged {
                    None => resolved,
                    Some(merged) => value::with_fallback(&merged, &resolved, self.budget)?,
                });
            }
        }
        if object && !merged.as_ref().is_some_and(|merged| merged.is_object()) {
            let value = merged.as_deref().map(describe).unwrap_or_default();
            let message = format!("Expecting a resolve result to be an object, but it was {value}");
            return Err(HoconError::plain(at, message).into());
        }
        Ok(merged)
    }

    fn below(&mut self, stack: &[Shared]) -> HoconResult<Option<Shared>> {
        let Some((first, rest)) = stack.split_first() else { return Ok(None) };
        let mut merged = first.clone();
        for value in rest {
            merged = value::with_fallback(&merged, value, self.budget)?;
        }
        Ok(Some(merged))
    }
}

fn to_owned_entry((key, field): (&Rc<str>, &HoconField)) -> (Rc<str>, HoconField) {
    (key.clone(), field.clone())
}

/// Puts a value under the key that has an index in the original object.
fn put(entries: &mut Entries, object: &Object, index: usize, value: Shared) {
    if let Some((key, field)) = object.entries.get_index(index) {
        entries.insert(key.clone(), HoconField { key_at: field.key_at, value });
    }
}

/// The entries with another value for a key. Returns `None` if it is the same value.
fn replace_value(
    object: &Object,
    key: &Rc<str>,
    old: &Shared,
    new: Option<Shared>,
    budget: &mut ExpansionBudget,
) -> HoconResult<Option<Entries>> {
    if new.as_ref().is_some_and(|new| Rc::ptr_eq(new, old)) {
        return Ok(None);
    }
    budget.spend(object.entries.len(), old.origin.at)?;
    let mut entries = object.entries.clone();
    match new {
        Some(new) => {
            if let Some(field) = entries.get_mut(key) {
                field.value = new;
            }
        }
        None => {
            entries.shift_remove(key);
        }
    }
    Ok(Some(entries))
}

/// The value of a key of an object, as far as it is known before everything is resolved.
fn peek(object: &Shared, key: &str, path: &Path) -> HoconResult<Option<Shared>> {
    let layers = match &object.data {
        HoconData::Object(object) => return Ok(object.entries.get(key).map(|field| field.value.clone())),
        HoconData::Merge { stack, .. } => stack,
        _ => return Ok(None),
    };
    let at = object.origin.at;
    for layer in layers {
        match &layer.data {
            HoconData::Object(object) => match object.entries.get(key) {
                // Nothing below can change this value.
                Some(field) if field.value.closed() => return Ok(Some(field.value.clone())),
                _ => {}
            },
            _ if layer.is_unmergeable() => {
                let message = format!(
                    "{path} has not been resolved, you need to call Config#resolve, see API docs for Config#resolve"
                );
                return Err(HoconError::plain(at, message));
            }
            // The gem intends to report that there is no such key.
            _ => {
                let message = format!("undefined method `resolved_status' for {}", describe_with_class(layer));
                return Err(HoconError::plain(at, message));
            }
        }
    }
    Err(HoconError::plain(at, "Delayed merge stack does not contain any unmergeable values"))
}

fn is_container(value: &Shared) -> bool {
    matches!(
        value.data,
        HoconData::Object(_) | HoconData::List { .. } | HoconData::Concatenation(_) | HoconData::Merge { .. }
    )
}

impl ResolveSource {
    fn new(root: Shared) -> Self {
        ResolveSource { root, path: None }
    }

    /// The source for the content of a container.
    fn push(&self, container: &Shared) -> ResolveSource {
        let up = match &self.path {
            // A container that does not descend from the root has no path.
            None if !Rc::ptr_eq(container, &self.root) => return self.clone(),
            up => up.clone(),
        };
        ResolveSource { root: self.root.clone(), path: Some(Rc::new(Link { value: container.clone(), up })) }
    }

    /// The number of entries that a replacement copies.
    fn entries(&self) -> usize {
        let links = std::iter::successors(self.path.as_ref(), |link| link.up.as_ref());
        links.map(|link| if let HoconData::Object(object) = &link.value.data { object.entries.len() } else { 1 }).sum()
    }

    /// The source with something else in the place of a value.
    fn replace(&self, old: &Shared, new: Option<Shared>) -> HoconResult<ResolveSource> {
        if new.as_ref().is_some_and(|new| Rc::ptr_eq(old, new)) {
            return Ok(self.clone());
        }
        let Some(path) = &self.path else {
            let message = format!(
                "replace in parent not possible {} with {} in ResolveSource(root={}, pathFromRoot=)",
                describe(old),
                new.as_deref().map(describe).unwrap_or_default(),
                describe(&self.root)
            );
            return Err(HoconError::plain(old.origin.at, message));
        };
        let parent = replace_child(&path.value, old, new)?.filter(is_container);
        Ok(match replace_link(path, parent)? {
            Some(path) => {
                let mut top = &path;
                while let Some(up) = &top.up {
                    top = up;
                }
                ResolveSource { root: top.value.clone(), path: Some(path.clone()) }
            }
            None => {
                let empty = HoconData::Object(Object::new(Entries::default(), false));
                ResolveSource::new(HoconNode::shared(old.origin.clone(), empty))
            }
        })
    }

    /// Returns the source with the same root and without a current value.
    fn without_path(self, at: Position) -> HoconResult<ResolveSource> {
        match self.path {
            Some(_) => Ok(ResolveSource::new(self.root)),
            // The gem stumbles over a word of Java here.
            None => {
                Err(HoconError::plain(at, "undefined local variable or method `this' for Hocon::Impl::ResolveSource"))
            }
        }
    }
}

/// The path up to the root with another container at its end. Returns `None` if nothing remains.
fn replace_link(link: &Rc<Link>, new: Option<Shared>) -> HoconResult<Option<Rc<Link>>> {
    if let Some(new) = &new
        && Rc::ptr_eq(new, &link.value)
    {
        return Ok(Some(link.clone()));
    }
    let up = match &link.up {
        None => None,
        Some(up) => replace_link(up, replace_child(&up.value, &link.value, new.clone())?.filter(is_container))?,
    };
    Ok(match new {
        Some(value) => Some(Rc::new(Link { value, up })),
        None => up,
    })
}

/// A container with another child, or none, in the place of one.
fn replace_child(parent: &Shared, old: &Shared, new: Option<Shared>) -> HoconResult<Option<Shared>> {
    match &parent.data {
        HoconData::Object(object) => {
            let Some((index, _, _)) = object
                .entries
                .iter()
                .enumerate()
                .map(|(index, (key, field))| (index, key, field))
                .find(|(_, _, field)| Rc::ptr_eq(&field.value, old))
            else {
                let message =
                    format!("SimpleConfigObject.replaceChild did not find {} in {}", describe(old), describe(parent));
                return Err(HoconError::plain(old.origin.at, message));
            };
            let mut entries = object.entries.clone();
            match new {
                Some(new) => {
                    if let Some((_, field)) = entries.get_index_mut(index) {
                        field.value = new;
                    }
                }
                None => {
                    entries.shift_remove_index(index);
                }
            }
            let data = HoconData::Object(Object::new(entries, object.closed));
            Ok(Some(HoconNode::shared(parent.origin.clone(), data)))
        }
        HoconData::Merge { stack, object: true } => {
            let mut stack = stack.clone();
            // The gem fails to remove a layer, and leaves it.
            if let Some(new) = new
                && let Some(layer) = stack.iter_mut().find(|layer| Rc::ptr_eq(layer, old))
            {
                *layer = new;
            }
            Ok(Some(HoconNode::shared(parent.origin.clone(), HoconData::Merge { stack, object: true })))
        }
        // The gem calls a method that it defines elsewhere.
        _ => {
            let message = format!("undefined method `replace_child_in_list' for {}", describe_with_class(parent));
            Err(HoconError::plain(old.origin.at, message))
        }
    }
}
