//! A type as a value.

use std::any::Any;
use std::hash::{Hash, Hasher};

use hieratic_value::{Extended, Value};

use crate::types::Type;

/// A type that is itself a value, as in `$x = Integer[1]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeValue(pub Type);

impl Type {
    /// The type as a value.
    pub fn into_value(self) -> Value {
        Value::from_extended(TypeValue(self))
    }

    /// The type that a value is.
    pub fn of_value(value: &Value) -> Option<&Type> {
        value.extended::<TypeValue>().map(|value| &value.0)
    }
}

impl Extended for TypeValue {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Extended) -> bool {
        other.as_any().downcast_ref::<TypeValue>() == Some(self)
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        self.0.hash(&mut state);
    }

    fn to_text(&self) -> String {
        self.0.to_string()
    }

    fn ruby_class(&self) -> &'static str {
        match &self.0 {
            Type::Any => "Puppet::Pops::Types::PAnyType",
            Type::Undef => "Puppet::Pops::Types::PUndefType",
            Type::Unit => "Puppet::Pops::Types::PUnitType",
            Type::Default => "Puppet::Pops::Types::PDefaultType",
            Type::Scalar => "Puppet::Pops::Types::PScalarType",
            Type::ScalarData => "Puppet::Pops::Types::PScalarDataType",
            Type::Numeric => "Puppet::Pops::Types::PNumericType",
            Type::Integer(_) => "Puppet::Pops::Types::PIntegerType",
            Type::Float(_) => "Puppet::Pops::Types::PFloatType",
            Type::Boolean(_) => "Puppet::Pops::Types::PBooleanType",
            Type::String(_) => "Puppet::Pops::Types::PStringType",
            Type::Enum(_) => "Puppet::Pops::Types::PEnumType",
            Type::Pattern(_) => "Puppet::Pops::Types::PPatternType",
            Type::Regexp(_) => "Puppet::Pops::Types::PRegexpType",
            Type::Collection(_) => "Puppet::Pops::Types::PCollectionType",
            Type::Array(_) => "Puppet::Pops::Types::PArrayType",
            Type::Hash(_) => "Puppet::Pops::Types::PHashType",
            Type::Tuple(_) => "Puppet::Pops::Types::PTupleType",
            Type::Struct(_) => "Puppet::Pops::Types::PStructType",
            Type::Variant(_) => "Puppet::Pops::Types::PVariantType",
            Type::Optional(_) => "Puppet::Pops::Types::POptionalType",
            Type::NotUndef(_) => "Puppet::Pops::Types::PNotUndefType",
            Type::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType",
            Type::Type(_) => "Puppet::Pops::Types::PTypeType",
            Type::Iterable(_) => "Puppet::Pops::Types::PIterableType",
            Type::Iterator(_) => "Puppet::Pops::Types::PIteratorType",
            Type::Callable(_) => "Puppet::Pops::Types::PCallableType",
            Type::Runtime(_) => "Puppet::Pops::Types::PRuntimeType",
            Type::Binary => "Puppet::Pops::Types::PBinaryType",
            Type::Timestamp(_) => "Puppet::Pops::Types::PTimestampType",
            Type::Timespan(_) => "Puppet::Pops::Types::PTimespanType",
            Type::SemVer(_) => "Puppet::Pops::Types::PSemVerType",
            Type::SemVerRange => "Puppet::Pops::Types::PSemVerRangeType",
            Type::Uri | Type::UriOf(_) => "Puppet::Pops::Types::PURIType",
            Type::Object(_) => "Puppet::Pops::Types::PObjectType",
            Type::ObjectOf(_) => "Puppet::Pops::Types::PObjectTypeExtension",
            Type::TypeSet(_) => "Puppet::Pops::Types::PTypeSetType",
            Type::Init(_) => "Puppet::Pops::Types::PInitType",
            Type::CatalogEntry => "Puppet::Pops::Types::PCatalogEntryType",
            Type::Class(_) => "Puppet::Pops::Types::PClassType",
            Type::Resource(_) => "Puppet::Pops::Types::PResourceType",
            Type::Reference(_) => "Puppet::Pops::Types::PTypeReferenceType",
            Type::Alias(_) => "Puppet::Pops::Types::PTypeAliasType",
        }
    }

    fn clone_box(&self) -> Box<dyn Extended> {
        Box::new(self.clone())
    }
}
