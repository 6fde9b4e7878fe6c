//! Values that only their creator can interpret: code, iterators, references to runtime objects.

use std::any::Any;
use std::fmt::Debug;
use std::hash::Hasher;
use std::sync::Arc;

use hieratic_value::{Extended, Value};

use crate::types::Type;

/// A value of a known type with opaque content. Equality is identity.
#[derive(Clone, Debug)]
pub struct Opaque {
    /// Its type.
    pub kind: Type,
    /// Its string form.
    pub text: Arc<str>,
    /// The value itself.
    pub content: Arc<dyn OpaqueContent>,
}

/// The content of an [`Opaque`] value.
pub trait OpaqueContent: Any + Debug + Send + Sync {
    /// Returns the content for a downcast.
    fn as_any(&self) -> &dyn Any;

    /// Returns the elements of an iterable content. `None` if the content is not iterable, or if it would have to run
    /// code.
    fn elements(&self) -> Option<Vec<Value>> {
        None
    }
}

impl Opaque {
    /// Returns the content of a value as a `T`, or `None` if it is not one.
    pub fn content<T: OpaqueContent>(value: &Value) -> Option<&T> {
        value.extended::<Opaque>()?.content.as_any().downcast_ref()
    }
}

impl Extended for Opaque {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Extended) -> bool {
        other.as_any().downcast_ref::<Opaque>().is_some_and(|other| Arc::ptr_eq(&self.content, &other.content))
    }

    fn hash_into(&self, state: &mut dyn Hasher) {
        state.write_usize(Arc::as_ptr(&self.content).cast::<()>() as usize);
    }

    fn to_text(&self) -> String {
        self.text.to_string()
    }

    fn ruby_class(&self) -> &'static str {
        "Object"
    }

    fn clone_box(&self) -> Box<dyn Extended> {
        Box::new(self.clone())
    }
}
