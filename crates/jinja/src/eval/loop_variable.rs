//! [`Loop`]: the variable `loop`.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::value::{Object, ObjectRepr};
use minijinja::{Error, State, Value};

use super::frame::CapturedContext;
use super::items::Items;
use crate::error::error;
use crate::python::compare::equal;
use crate::syntax::ast::For;

/// The variable `loop`: <https://jinja.palletsprojects.com/en/3.1.x/templates/#for>.
#[derive(Debug)]
pub struct Loop {
    /// The items of the loop.
    pub items: Items,
    /// The index of the current item.
    pub at: AtomicUsize,
    /// The number of enclosing recursive loops.
    pub depth: usize,
    /// The loop and its captured context, if it is recursive.
    pub recursive: Option<(Arc<For>, Arc<CapturedContext>)>,
    /// The last arguments of `loop.changed`.
    pub changed: Mutex<Option<Vec<Value>>>,
}

impl Loop {
    /// Returns an attribute.
    pub fn attribute(&self, name: &str) -> Option<Value> {
        let (at, length) = (self.at(), self.items.len());
        Some(match name {
            "index" => Value::from(at + 1),
            "index0" => Value::from(at),
            "revindex" => Value::from(length - at),
            "revindex0" => Value::from((length - at).saturating_sub(1)),
            "first" => Value::from(at == 0),
            "last" => Value::from(at + 1 == length),
            "length" => Value::from(length),
            "depth" => Value::from(self.depth + 1),
            "depth0" => Value::from(self.depth),
            "previtem" => self.items.get(at.checked_sub(1)?)?,
            "nextitem" => self.items.get(at + 1)?,
            _ => return None,
        })
    }

    fn at(&self) -> usize {
        self.at.load(Ordering::Relaxed)
    }
}

impl Object for Loop {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.attribute(key.as_str()?)
    }

    fn call_method(self: &Arc<Self>, _: &mut State<'_, '_>, method: &str, args: &[Value]) -> Result<Value, Error> {
        match method {
            "cycle" if args.is_empty() => Err(error("no items for cycling given")),
            "cycle" => Ok(args.get(self.at() % args.len()).cloned().unwrap_or_default()),
            "changed" => {
                let mut last = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
                let same = match &*last {
                    Some(last) if last.len() == args.len() => last
                        .iter()
                        .zip(args)
                        .map(|(one, other)| equal(one, other))
                        .collect::<Result<Vec<bool>, Error>>()?
                        .into_iter()
                        .all(|same| same),
                    _ => false,
                };
                if !same {
                    *last = Some(args.to_vec());
                }
                Ok(Value::from(!same))
            }
            _ => Err(Error::from(minijinja::ErrorKind::UnknownMethod)),
        }
    }

    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "<LoopContext {}/{}>", self.at() + 1, self.items.len())
    }
}
