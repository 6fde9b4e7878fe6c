//! What stands in the brackets of a type, once it has been read.

use hieratic_value::{Hash, Str, Value};

use crate::infer::infer_set;
use crate::pattern::Pattern;
use crate::range::Int;
use crate::types::Type;

/// A parameter of a type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Parameter {
    Type(Type),
    Text(Str),
    Integer(Int),
    Float(f64),
    Boolean(bool),
    Default,
    Undef,
    Regexp(Pattern),
    List(Vec<Parameter>),
    Hash(Vec<(Parameter, Parameter)>),
}

impl Parameter {
    pub fn as_type(&self) -> Option<&Type> {
        match self {
            Parameter::Type(one) => Some(one),
            _ => None,
        }
    }

    /// Whether this can be an end of a size.
    pub fn is_range_end(&self) -> bool {
        match self {
            Parameter::Integer(_) | Parameter::Default => true,
            Parameter::Text(text) => &**text == "default",
            _ => false,
        }
    }

    /// The end of a size; open if it is `default`.
    pub fn range_end(&self) -> Option<Int> {
        match self {
            Parameter::Integer(number) => Some(number.clone()),
            _ => None,
        }
    }

    /// The type that a parameter stands for where a type should be: text is the name of a class of the runtime, and
    /// any other value is an example of its type.
    pub fn into_type(self) -> Type {
        match self {
            Parameter::Type(one) => one,
            Parameter::Text(name) => Type::ruby(&name),
            example => example.infer().generalize(),
        }
    }

    /// The type of the parameter as a value.
    fn infer(&self) -> Type {
        let common = |parameters: &mut dyn Iterator<Item = &Parameter>| {
            parameters.map(Parameter::infer).reduce(|one, other| one.common_type(&other)).unwrap_or(Type::Unit)
        };
        match self {
            Parameter::Type(one) => Type::of_type(one.clone()),
            Parameter::Text(text) => Type::string_value(text.clone()),
            Parameter::Integer(_) => Type::INTEGER,
            Parameter::Float(_) => Type::FLOAT,
            Parameter::Boolean(_) => Type::BOOLEAN,
            Parameter::Default => Type::Default,
            Parameter::Undef => Type::Undef,
            Parameter::Regexp(pattern) => Type::Regexp(Some(pattern.clone())),
            Parameter::List(elements) => Type::array(common(&mut elements.iter())),
            Parameter::Hash(pairs) if pairs.is_empty() => infer_set(&Value::from(Hash::default())),
            Parameter::Hash(pairs) => Type::hash(
                common(&mut pairs.iter().map(|(key, _)| key)),
                common(&mut pairs.iter().map(|(_, value)| value)),
            ),
        }
    }

    /// The Ruby class that the reference would hold the parameter in, as its messages show it.
    pub fn ruby_class(&self) -> String {
        match self {
            Parameter::Type(one) => format!("Puppet::Pops::Types::P{}Type", one.simple_name()),
            Parameter::Text(_) => "String".into(),
            Parameter::Integer(_) => "Integer".into(),
            Parameter::Float(_) => "Float".into(),
            Parameter::Boolean(true) => "TrueClass".into(),
            Parameter::Boolean(false) => "FalseClass".into(),
            Parameter::Default => "Symbol".into(),
            Parameter::Undef => "NilClass".into(),
            Parameter::Regexp(_) => "Regexp".into(),
            Parameter::List(_) => "Array".into(),
            Parameter::Hash(_) => "Hash".into(),
        }
    }
}
