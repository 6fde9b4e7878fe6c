//! [`RubyObject`]: an object of Ruby as a value of Puppet.

use std::any::Any;
use std::hash::Hasher;

use hieratic_value::Extended;

/// An object of Ruby without a counterpart in Puppet. Code can pass it on and convert it to a string; it equals no
/// other value.
#[derive(Clone, Debug)]
pub struct RubyObject {
    /// The name of the class.
    pub class: String,
    /// The result of its `to_s`.
    pub text: String,
}

impl Extended for RubyObject {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, _: &dyn Extended) -> bool {
        false
    }

    fn hash_into(&self, state: &mut dyn Hasher) {
        state.write(self.class.as_bytes());
    }

    fn to_text(&self) -> String {
        self.text.clone()
    }

    fn ruby_class(&self) -> &'static str {
        "Object"
    }

    fn clone_box(&self) -> Box<dyn Extended> {
        Box::new(self.clone())
    }
}
