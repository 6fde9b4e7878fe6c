//! `Puppet::LookupContext`: the context argument of a Hiera backend function.
//!
//! This module only defines the type and a value that knows its module. The evaluator implements its functions.

use std::sync::{Arc, LazyLock};

use hieratic_value::Value;

use super::{ObjectType, ObjectValue};
use crate::parse::parse;
use crate::types::Type;

/// The type, with the signatures of its functions as the reference states them.
pub(super) static LOOKUP_CONTEXT: LazyLock<Type> = LazyLock::new(|| {
    let text = "Object[{
        name => 'Puppet::LookupContext',
        attributes => {
            environment_name => { type => String[1], kind => derived },
            module_name => Variant[String[1], Undef],
        },
        functions => {
            not_found => Callable[[0, 0], Undef],
            explain => Callable[[0, 0, Callable[0, 0]], Undef],
            interpolate => Callable[1, 1],
            cache => Callable[[Optional[Scalar], Any], Any],
            cache_all => Callable[[Hash[Optional[Scalar], Any]], Undef],
            cache_has_key => Callable[[Optional[Scalar]], Boolean],
            cached_value => Callable[[Optional[Scalar]], Any],
            cached_entries => Variant[
                Callable[[0, 0, Callable[1, 1]], Undef],
                Callable[[0, 0, Callable[2, 2]], Undef],
                Callable[[0, 0], Iterable[Tuple[Optional[Scalar], Any]]]],
            cached_file_data => Callable[String, Optional[Callable[1, 1]]],
        },
    }]";
    // The definition is a constant of this file, and a test parses it.
    parse(text).unwrap_or(Type::Object(None))
});

fn kind() -> Option<&'static Arc<ObjectType>> {
    match &*LOOKUP_CONTEXT {
        Type::Object(kind) => kind.as_ref(),
        _ => None,
    }
}

/// Creates the context of a module's data, or of data outside of modules.
pub fn lookup_context(module: Option<&str>) -> Value {
    match kind() {
        Some(kind) => {
            let module = module.map_or(Value::Undef, Value::from);
            Value::from_extended(ObjectValue { kind: kind.clone(), values: vec![module].into() })
        }
        None => Value::Undef,
    }
}

/// Returns whether a value is such a context.
///
/// ```
/// use hieratic_puppet_types::{attribute, is_lookup_context, lookup_context};
/// let context = lookup_context(Some("ntp"));
/// assert!(is_lookup_context(&context));
/// assert_eq!(attribute(&context, "module_name"), Some("ntp".into()));
/// ```
pub fn is_lookup_context(value: &Value) -> bool {
    let object = value.extended::<ObjectValue>();
    object.is_some_and(|object| kind().is_some_and(|kind| Arc::ptr_eq(kind, object.kind())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_is_known_by_its_name() {
        let named = parse("Puppet::LookupContext").unwrap();
        assert!(matches!(named, Type::Object(Some(_))), "{named}");
        assert!(named.is_instance(&lookup_context(None)));
        assert!(!named.is_instance(&Value::from(1)));
    }
}
