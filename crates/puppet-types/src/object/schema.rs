//! The types of the hash that defines an object type.

use std::sync::LazyLock;

use crate::pattern::Pattern;
use crate::types::{Key, Type};

use super::AttributeKind;

fn pattern(source: &str) -> Type {
    // The expressions are constants of this file and valid.
    Type::pattern(Pattern::new(source).ok())
}

/// The name of an attribute or a function.
fn member_name() -> Type {
    pattern(r"\A[a-z_]\w*\z")
}

/// The qualified name of a type.
pub(crate) fn qualified_name() -> Type {
    pattern(r"\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z")
}

/// The name of a type without `::`.
pub(crate) fn simple_name() -> Type {
    pattern(r"\A[A-Z]\w*\z")
}

/// Annotations: by the type of annotation, the values of its attributes.
pub(crate) fn annotations() -> Type {
    let annotation = super::find_standard("annotation").unwrap_or(Type::Object(None));
    Type::optional(Type::hash(Type::of_type(annotation), Type::hash(member_name(), Type::Any)))
}

fn members(names: Type) -> Type {
    Type::hash(names, Type::not_undef(Type::Any))
}

/// The definition of an object type.
pub(crate) fn object_initializer() -> &'static Type {
    static TYPE: LazyLock<Type> = LazyLock::new(|| {
        let functions = Type::variant([member_name(), Type::string_value("[]")]);
        Type::structure([
            (Key::optional("name"), qualified_name()),
            (Key::optional("parent"), Type::Type(None)),
            (Key::optional("type_parameters"), members(member_name())),
            (Key::optional("attributes"), members(member_name())),
            (Key::optional("constants"), Type::hash(member_name(), Type::Any)),
            (Key::optional("functions"), members(functions)),
            (Key::optional("equality"), Type::variant([member_name(), Type::array(member_name())])),
            (Key::optional("equality_include_type"), Type::BOOLEAN),
            (Key::optional("checks"), Type::Any),
            (Key::optional("annotations"), annotations()),
        ])
    });
    &TYPE
}

/// The definition of an attribute.
pub(super) fn attribute() -> &'static Type {
    static TYPE: LazyLock<Type> = LazyLock::new(|| {
        Type::structure([
            (Key::required("type"), Type::Type(None)),
            (Key::optional("final"), Type::BOOLEAN),
            (Key::optional("override"), Type::BOOLEAN),
            (Key::optional("kind"), Type::enumeration(AttributeKind::ALL.map(AttributeKind::name))),
            (Key::optional("value"), Type::Any),
            (Key::optional("annotations"), annotations()),
        ])
    });
    &TYPE
}

/// The definition of a function.
pub(super) fn function() -> &'static Type {
    static TYPE: LazyLock<Type> = LazyLock::new(|| {
        Type::structure([
            (Key::required("type"), callable()),
            (Key::optional("final"), Type::BOOLEAN),
            (Key::optional("override"), Type::BOOLEAN),
            (Key::optional("annotations"), annotations()),
        ])
    });
    &TYPE
}

/// The types that say how something can be called.
pub(super) fn callable() -> Type {
    Type::of_type(Type::Callable(Default::default()))
}
