//! The object types of the language.

use std::sync::{Arc, LazyLock};

use hieratic_value::Value;

use super::{ObjectType, ObjectValue};
use crate::parse::parse;
use crate::types::Type;

/// Returns the object type with a name in lower case.
pub(crate) fn find(lowercase: &str) -> Option<Type> {
    Some(match lowercase {
        "annotation" => ANNOTATION.clone(),
        "deferred" => DEFERRED.clone(),
        "error" => ERROR.clone(),
        "puppet::lookupcontext" => super::lookup_context::LOOKUP_CONTEXT.clone(),
        _ => return None,
    })
}

/// Returns whether this is the built-in type `Error`.
pub(crate) fn is_error(kind: &Arc<ObjectType>) -> bool {
    kind.name() == Some("Error") && matches!(&*ERROR, Type::Object(Some(error)) if Arc::ptr_eq(error, kind))
}

/// Creates an error as a value from the values of its attributes in order, which are not checked.
pub fn error_value(values: &[Value]) -> Value {
    match &*ERROR {
        Type::Object(Some(kind)) => {
            let given = (0..kind.given_attributes().len()).map(|at| values.get(at).cloned().unwrap_or_default());
            Value::from_extended(ObjectValue { kind: kind.clone(), values: given.collect() })
        }
        _ => Value::Undef,
    }
}

/// Annotations of types. Built by hand, because the rules of definitions refer to this type.
static ANNOTATION: LazyLock<Type> = LazyLock::new(|| {
    Type::Object(Some(Arc::new(ObjectType {
        name: Some("Annotation".into()),
        parent: None,
        type_parameters: Vec::new(),
        attributes: Vec::new(),
        functions: Vec::new(),
        equality: None,
        equality_include_type: true,
        checks: None,
        annotations: None,
    })))
});

/// A call that is evaluated on the node.
static DEFERRED: LazyLock<Type> = LazyLock::new(|| {
    let text = r"Object[{
        name => 'Deferred',
        attributes => {
            name => { type => Pattern[/\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z/] },
            arguments => { type => Optional[Array[Any]], value => undef },
        },
    }]";
    // As above.
    parse(text).unwrap_or(Type::Object(None))
});

/// The type of an error as a value.
static ERROR: LazyLock<Type> = LazyLock::new(|| {
    let text = "Object[{
        name => 'Error',
        type_parameters => {
            kind => Optional[Variant[String, Regexp, Type[Enum], Type[Pattern], Type[NotUndef], Type[Undef]]],
            issue_code => Optional[Variant[String, Regexp, Type[Enum], Type[Pattern], Type[NotUndef], Type[Undef]]],
        },
        attributes => {
            msg => String[1],
            kind => { type => Optional[String[1]], value => undef },
            details => { type => Optional[Hash[String[1], Data]], value => undef },
            issue_code => { type => Optional[String[1]], value => undef },
        },
        functions => { message => Callable[[], String[1]] },
    }]";
    // The definition is a constant of this file and valid.
    parse(text).unwrap_or(Type::Object(None))
});
