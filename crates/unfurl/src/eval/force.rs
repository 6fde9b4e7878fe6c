//! Converts values during evaluation to data.

use hieratic_python_values as python;
use std::sync::Arc;

use hieratic_value::{Hash, HashBuilder, Rich, Value};

use crate::ExpressionError;
use crate::datum::{Datum, Signal};
use crate::session::Session;
use crate::stack;
use crate::tree::reference;

/// The state of a conversion to data.
#[derive(Default)]
struct ConversionState {
    /// The enclosing maps and lists, by address.
    places: Vec<usize>,
    /// True if instances are converted to their names rather than to data.
    named: bool,
}

impl Session {
    /// Converts a value to data, evaluating everything in it. An instance is `{"ref": "::name"}`.
    ///
    /// # Errors
    ///
    /// The errors of the evaluation, and a value that contains itself.
    pub(crate) fn force(&self, value: &Datum) -> Result<Value, ExpressionError> {
        self.forced(value, &mut ConversionState::default())
    }

    /// The value as Python's `str` writes it, and whether there is a secret in it.
    pub(crate) fn text(&self, value: &Datum) -> Result<(String, bool), ExpressionError> {
        let value = self.forced(value, &mut ConversionState { named: true, ..ConversionState::default() })?;
        self.shared.weigh(&value)?;
        Ok((python::text(&value), value.contains_sensitive()))
    }

    fn forced(&self, value: &Datum, outer: &mut ConversionState) -> Result<Value, ExpressionError> {
        self.shared.step()?;
        match value {
            Datum::Plain(plain) => Ok(plain.value.clone()),
            Datum::Instance(id) => {
                let name = &self.tree().node(*id).name;
                Ok(if outer.named {
                    // A symbol prints as its bare name.
                    Rich::Symbol(format!("NodeInstance('{name}')").into()).into()
                } else {
                    reference(name)
                })
            }
            Datum::Instances => {
                let entry = |name: &str| (Value::from(name), reference(name));
                let all = self.tree().descendants(0);
                Ok(Value::Hash(all.iter().map(|id| entry(&self.tree().node(*id).name)).collect()))
            }
            Datum::Nodes => {
                let mut all = HashBuilder::default();
                for id in self.tree().descendants(0) {
                    let attributes = self.forced(&self.attributes(id), outer)?;
                    all.insert(Value::String(self.tree().node(id).name.clone()), attributes);
                }
                Ok(Hash::from(all).into())
            }
            Datum::File(file) => Ok(Value::String(file.path.clone())),
            Datum::Signal(signal) => {
                let name = if *signal == Signal::Break { "$break" } else { "$continue" };
                Err(ExpressionError::new(format!("'{name}' is used as a value"))
                    .help("it only ends a loop or an iteration as the whole result of 'foreach'"))
            }
            Datum::Map(map) => self.inside(Arc::as_ptr(map) as usize, outer, |outer| {
                self.shared.bytes(map.len() * 2 * size_of::<Value>())?;
                let mut hash = HashBuilder::default();
                for at in 0..map.len() {
                    let value = self.forced(&map.at(at, self)?, outer)?;
                    hash.insert(map.key(at).cloned().unwrap_or_default(), value);
                }
                Ok(Hash::from(hash).into())
            }),
            Datum::List(list) => self.inside(Arc::as_ptr(list) as usize, outer, |outer| {
                self.shared.bytes(list.len() * size_of::<Value>())?;
                (0..list.len()).map(|at| self.forced(&list.at(at, self)?, outer)).collect()
            }),
        }
    }

    fn inside(
        &self,
        place: usize,
        outer: &mut ConversionState,
        work: impl FnOnce(&mut ConversionState) -> Result<Value, ExpressionError>,
    ) -> Result<Value, ExpressionError> {
        if outer.places.contains(&place) {
            return Err(ExpressionError::new("the value contains itself")
                .help("an expression in it refers to the map or list that contains it"));
        }
        outer.places.push(place);
        let done = stack::grow(|| work(outer));
        outer.places.pop();
        done
    }
}
