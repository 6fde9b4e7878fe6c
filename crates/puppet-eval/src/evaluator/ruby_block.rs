//! [`BlockInRuby`]: a Ruby block as an argument of a Puppet function.

use std::any::Any;
use std::hash::Hasher;
use std::sync::Arc;

use hieratic_puppet_functions::Code;
use hieratic_puppet_types::{CallableType, Type};
use hieratic_ruby::RubyBlock;
use hieratic_value::Extended;

use super::block::tuple;

/// A block of a call from Ruby code. Its interpreter identifies it by an id.
#[derive(Clone, Debug)]
pub(super) struct BlockInRuby {
    pub number: i64,
    names: Vec<String>,
    callable: Type,
}

impl BlockInRuby {
    /// Creates the argument from a block. Its parameters accept any argument.
    pub fn new(block: &RubyBlock) -> BlockInRuby {
        let parameters = tuple(vec![Type::Any; block.names.len()], block.least, block.most);
        let callable = Type::Callable(Arc::new(CallableType { parameters, block: None, returns: None }));
        BlockInRuby { number: block.number, names: block.names.clone(), callable }
    }
}

impl Extended for BlockInRuby {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Extended) -> bool {
        other.as_any().downcast_ref::<BlockInRuby>().is_some_and(|other| self.number == other.number)
    }

    fn hash_into(&self, state: &mut dyn Hasher) {
        state.write_i64(self.number);
    }

    fn to_text(&self) -> String {
        "Callable".into()
    }

    fn ruby_class(&self) -> &'static str {
        "Proc"
    }

    fn clone_box(&self) -> Box<dyn Extended> {
        Box::new(self.clone())
    }
}

impl Code for BlockInRuby {
    fn callable_type(&self) -> &Type {
        &self.callable
    }

    fn parameter_names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }
}
