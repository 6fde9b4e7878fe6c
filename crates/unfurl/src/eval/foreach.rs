//! `foreach` and `select`: an expression for each match.

use hieratic_python_values as python;
use hieratic_value::{Hash, Value};

use crate::ExpressionError;
use crate::datum::{Datum, Plain, Signal};
use crate::host::Host;
use crate::lazy::{LazyList, LazyMap};
use crate::scope::{Scope, Variable};
use crate::session::Session;

/// The operation for each item.
enum Each {
    /// Evaluates an expression, or a map that is not one.
    Value(Datum),
    /// A key and a value of a map.
    Entry { key: Datum, value: Option<Datum> },
}

impl Session {
    /// Evaluates an expression for each match; a single match that is a list is iterated over.
    pub(super) fn for_each_match(
        &self,
        each: &Datum,
        matches: Vec<Datum>,
        scope: &Scope,
    ) -> Result<Vec<Datum>, ExpressionError> {
        if each.text().as_deref() == Some("$true") {
            return Ok(matches);
        }
        let items = match &matches[..] {
            [list] if list.is_list() => self.elements(list)?,
            _ => matches,
        };
        self.for_each(each, numbered(items), scope)
    }

    /// Evaluates an expression for each of these keys and items, which it sees as `$key` and `$item`.
    fn for_each(&self, each: &Datum, items: Vec<(Datum, Datum)>, scope: &Scope) -> Result<Vec<Datum>, ExpressionError> {
        let each = read(each)?;
        let collection = LazyList::known(items.iter().map(|(_, item)| item.clone()).collect());
        let mut turn = scope.inner();
        let mut results = Vec::new();
        let mut entries = Vec::new();
        for (at, (key, item)) in items.into_iter().enumerate() {
            self.shared.step()?;
            // Lazy values see the variables of the iteration that created them.
            let at = i64::try_from(at).unwrap_or(i64::MAX);
            let vars = [
                ("collection", collection.clone()),
                ("index", Datum::done(at)),
                ("key", key),
                ("item", item.clone()),
                ("break", Datum::Signal(Signal::Break)),
                ("continue", Datum::Signal(Signal::Continue)),
            ];
            let vars = vars.into_iter().map(|(name, value)| (name.into(), Variable::Known(value)));
            turn.vars = self.keep(scope.vars.with(vars));
            turn.current = item;
            let (own_key, value) = match &each {
                Each::Value(value) => (None, Some(value)),
                Each::Entry { key, value } => match self.argument(key, &mut turn)? {
                    Datum::Signal(Signal::Break) => break,
                    Datum::Signal(Signal::Continue) => continue,
                    key => (Some(key), value.as_ref()),
                },
            };
            let Some(value) = value else {
                return Err(
                    ExpressionError::new("'foreach' has a key but no value").help("write {key: ..., value: ...}")
                );
            };
            let mut found = match value {
                Datum::Plain(Plain { value: Value::String(_), .. }) => self.expression(value, &mut turn)?,
                value => self.matches(value, &mut turn)?,
            };
            let value = match found.len() {
                0 => continue,
                1 => found.remove(0),
                _ => LazyList::known(found),
            };
            match (value, own_key) {
                (Datum::Signal(Signal::Break), _) => break,
                (Datum::Signal(Signal::Continue), _) => {}
                (value, Some(key)) => entries.push((self.hash_key(&key)?, value)),
                (value, None) => results.push(value),
            }
        }
        match each {
            Each::Value(_) => Ok(results),
            Each::Entry { .. } => Ok(vec![LazyMap::known(entries)]),
        }
    }

    /// An expression for each part of a value: of a map, of a list, or the one thing that it is.
    pub(crate) fn for_each_part(&self, each: &Datum, of: &Datum, scope: &Scope) -> Result<Vec<Datum>, ExpressionError> {
        self.for_each(each, self.items(of)?, scope)
    }

    /// The parts of a value, with keys.
    fn items(&self, of: &Datum) -> Result<Vec<(Datum, Datum)>, ExpressionError> {
        let keys = |hash: &Hash| hash.keys().cloned().map(Datum::done).collect::<Vec<_>>();
        match of {
            list if list.is_list() => Ok(numbered(self.elements(list)?)),
            map if map.is_map() => {
                let keys = match map.keys() {
                    Some(hash) => keys(hash),
                    None => {
                        let all = self.tree().descendants(0);
                        all.iter().map(|id| Datum::done(Value::String(self.tree().node(*id).name.clone()))).collect()
                    }
                };
                Ok(keys.into_iter().zip(self.elements(map)?).collect())
            }
            other => Ok(numbered(vec![other.clone()])),
        }
    }

    /// Converts a value to the key of a map.
    fn hash_key(&self, key: &Datum) -> Result<Value, ExpressionError> {
        match key {
            Datum::Plain(Plain { value, .. }) if !matches!(value, Value::Array(_) | Value::Hash(_)) => {
                Ok(value.clone())
            }
            Datum::File(file) => Ok(Value::String(file.path.clone())),
            other => {
                Err(ExpressionError::new(format!("the key of 'foreach' is {}, which cannot be a key", other.kind()))
                    .help("the keys of a map are strings or numbers"))
            }
        }
    }
}

fn numbered(items: Vec<Datum>) -> Vec<(Datum, Datum)> {
    let number = |at: usize| Datum::done(i64::try_from(at).unwrap_or(i64::MAX));
    items.into_iter().enumerate().map(|(at, item)| (number(at), item)).collect()
}

fn read(each: &Datum) -> Result<Each, ExpressionError> {
    match each {
        Datum::Plain(Plain { value: Value::String(_), .. }) => Ok(Each::Value(each.clone())),
        map if map.keys().is_some() => {
            let given = |name: &str| {
                let value = map.keys().and_then(|keys| keys.get(name)).cloned();
                value.filter(python::truthy).map(|value| map.part(value))
            };
            Ok(match (given("key"), given("value")) {
                (Some(key), value) => Each::Entry { key, value },
                (None, Some(value)) => Each::Value(value),
                (None, None) => Each::Value(map.clone()),
            })
        }
        other => Err(ExpressionError::new(format!("'foreach' is {}", other.kind()))
            .help("'foreach' is an expression or a map {key, value} of expressions")),
    }
}
