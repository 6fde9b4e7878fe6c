//! A regular expression as a value.

use std::any::Any;
use std::hash::{Hash, Hasher};

use hieratic_ruby_regexp::Regexp;
use hieratic_value::{Extended, Value};

/// A regular expression, as in `$x = /a.c/`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RegexpValue(pub Regexp);

impl RegexpValue {
    /// Returns the regular expression as a value.
    pub fn value(regexp: Regexp) -> Value {
        Value::from_extended(RegexpValue(regexp))
    }

    /// Returns the regular expression of a value, if it is one.
    pub fn downcast(value: &Value) -> Option<&Regexp> {
        value.extended::<RegexpValue>().map(|value| &value.0)
    }
}

impl Extended for RegexpValue {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Extended) -> bool {
        other.as_any().downcast_ref::<RegexpValue>() == Some(self)
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        self.0.hash(&mut state);
    }

    fn to_text(&self) -> String {
        self.0.to_string()
    }

    fn ruby_class(&self) -> &'static str {
        "Regexp"
    }

    fn clone_box(&self) -> Box<dyn Extended> {
        Box::new(self.clone())
    }
}
