//! [`Attribute`] and [`Function`]: the members that an object type defines.

use hieratic_value::{Str, Value};

use crate::types::Type;

/// The source of an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttributeKind {
    /// All objects share its value.
    Constant,
    /// It is computed from other attributes. Puppet has no syntax for the computation.
    Derived,
    /// It is an optional argument of `new`, which is computed if it is missing.
    GivenOrDerived,
    /// It refers to an object that is not part of this one.
    Reference,
}

impl AttributeKind {
    pub(super) const ALL: [AttributeKind; 4] =
        [AttributeKind::Constant, AttributeKind::Derived, AttributeKind::GivenOrDerived, AttributeKind::Reference];

    /// Returns the kind as the language writes it.
    pub fn name(self) -> &'static str {
        match self {
            AttributeKind::Constant => "constant",
            AttributeKind::Derived => "derived",
            AttributeKind::GivenOrDerived => "given_or_derived",
            AttributeKind::Reference => "reference",
        }
    }
}

/// An attribute of objects, or a parameter of their type.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The name.
    pub name: Str,
    /// The name of the defining type in messages.
    pub(crate) container: Str,
    /// The type of its values.
    pub value_type: Type,
    /// The source of its value; `None` if it is an argument of `new`.
    pub kind: Option<AttributeKind>,
    /// The default value.
    pub value: Option<Value>,
    pub(crate) is_override: bool,
    pub(crate) is_final: bool,
    pub(crate) annotations: Option<Value>,
    /// Whether the attribute is a parameter of the type.
    pub(crate) is_type_parameter: bool,
}

impl Attribute {
    /// Returns whether the value is an argument of `new`.
    pub(crate) fn is_given(&self) -> bool {
        !matches!(self.kind, Some(AttributeKind::Constant | AttributeKind::Derived))
    }

    /// Returns whether the value is a required argument of `new`.
    pub(crate) fn is_required(&self) -> bool {
        self.value.is_none()
    }

    pub(crate) fn label(&self) -> String {
        let feature = if self.is_type_parameter { "type_parameter" } else { "attribute" };
        format!("{feature} {}[{}]", self.container, self.name)
    }
}

/// A function of objects. Puppet has no syntax for its body.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The name.
    pub name: Str,
    /// The name of the defining type in messages.
    pub(crate) container: Str,
    /// The type of its calls.
    pub callable: Type,
    pub(crate) is_override: bool,
    pub(crate) is_final: bool,
    pub(crate) annotations: Option<Value>,
}

impl Function {
    pub(crate) fn label(&self) -> String {
        format!("function {}[{}]", self.container, self.name)
    }
}
