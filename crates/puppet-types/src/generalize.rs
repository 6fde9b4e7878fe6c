//! [`Type::generalize`]: the type without sizes, ranges and single values.

use crate::types::{CallableType, StringType, Type};

impl Type {
    /// Returns the type without the details of a single value: ranges, sizes, strings.
    ///
    /// ```
    /// use hieratic_puppet_types::parse;
    /// let general = |text| parse(text).unwrap().generalize().to_string();
    /// assert_eq!(general("Array[Integer[1, 2], 5, 5]"), "Array[Integer]");
    /// assert_eq!(general("Enum['a', 'bcd']"), "String[1, 3]");
    /// ```
    pub fn generalize(&self) -> Type {
        match self {
            Type::Integer(_) => Type::INTEGER,
            Type::Float(_) => Type::FLOAT,
            Type::String(_) => Type::STRING,
            Type::Boolean(_) => Type::BOOLEAN,
            Type::Timestamp(_) => Type::TIMESTAMP,
            Type::Timespan(_) => Type::TIMESPAN,
            Type::UriOf(_) => Type::Uri,
            Type::ObjectOf(extension) => Type::Object(Some(extension.base().clone())),
            Type::Collection(_) => Type::Collection(None),
            Type::Enum(listed) => match listed.sizes() {
                Some(sizes) => Type::String(StringType::Size(sizes)),
                None => Type::STRING,
            },
            Type::Array(array) => Type::array(array.element.generalize()),
            Type::Hash(hash) if hash.is_empty_hash() => self.clone(),
            Type::Hash(hash) => Type::hash(hash.key.generalize(), hash.value.generalize()),
            Type::Tuple(tuple) => Type::tuple_of_size(tuple.types.iter().map(Type::generalize), tuple.size.clone()),
            Type::Struct(structure) => Type::structure(
                structure.elements.iter().map(|element| (element.key.clone(), element.value.generalize())),
            ),
            Type::Variant(variants) => Type::variant(variants.as_slice().iter().map(Type::generalize)),
            Type::Optional(Some(inner)) => Type::optional(inner.generalize()),
            Type::NotUndef(Some(inner)) => Type::not_undef(inner.generalize()),
            Type::Sensitive(inner) => Type::sensitive(inner.generalize()),
            Type::Type(Some(inner)) => Type::of_type(inner.generalize()),
            Type::Iterable(Some(inner)) => Type::iterable(inner.generalize()),
            Type::Iterator(Some(inner)) => Type::Iterator(Some(inner.generalize().into())),
            Type::Callable(callable) => Type::Callable(
                CallableType {
                    parameters: callable.parameters.as_ref().map(|tuple| {
                        let types = tuple.types.iter().map(Type::generalize).collect();
                        crate::types::TupleType { types, size: tuple.size.clone() }
                    }),
                    block: callable.block.as_ref().map(Type::generalize),
                    returns: callable.returns.as_ref().map(Type::generalize),
                }
                .into(),
            ),
            other => other.clone(),
        }
    }
}
