//! Puppet's type system: parsing, comparing and printing types, inferring the type of a value, checking and converting
//! values, and object types with their instances.
//!
//! ```
//! use hieratic_puppet_types::{assert_instance, new_instance, parse};
//! use hieratic_value::Value;
//!
//! let port = parse("Integer[1, 65535]").unwrap();
//! let value = new_instance(&port, &Value::from("8080"), &[]).unwrap();
//! assert!(port.is_instance(&value));
//!
//! let wrong = assert_instance("Found value", &port, &Value::from("http")).unwrap_err();
//! assert_eq!(wrong.to_string(), "Found value has wrong type, expects an Integer value, got String");
//! ```
//!
//! The central type is [`Type`]. Behavior and messages equal the reference's; where the reference crashes, an error
//! describes the cause. Readers of data bound the depth and size of values; this crate bounds the strings of types.

mod alias;
mod assignable;
mod build;
mod check;
mod common;
mod construct;
mod creation;
mod display;
mod error;
mod generalize;
mod infer;
mod init;
mod instance;
pub mod label;
mod mismatch;
mod names;
mod new;
mod normalize;
mod object;
mod parameterize;
mod parse;
mod pattern;
pub mod quantities;
mod quote;
mod range;
mod size;
mod text;
mod times;
mod type_set;
mod types;
mod uri_type;
mod values;
mod version;

pub use alias::{Alias, Resolver};
pub use build::capitalize_segments;
pub use error::Error;
pub use infer::{infer, infer_set};
pub use instance::is_rich_data;
pub use mismatch::signature::{Parameter, Signature, describe_call, describe_call_of_types};
pub use mismatch::{Mismatch, assert_assignable, assert_instance, assert_instance_within, describe_mismatch};
pub use names::TYPE_NAMES;
pub use new::{instantiate, new_instance};
pub use object::{
    Attribute, AttributeKind, Function, ObjectExtension, ObjectType, ObjectValue, attribute, error_value,
    is_lookup_context, lookup_context, object_type,
};
pub use parameterize::{Blame, ParameterizeError, Parameterized, parameterize, parameterize_named};
pub use parse::{parse, parse_with};
pub use pattern::Pattern;
pub use quote::quote;
pub use range::{FloatRange, Int, IntegerRange, TimeRange};
pub use text::{
    ContainerFormat, FormatSpec, StringFormats, convert_call_to_string, convert_to_string, convert_to_string_with,
};
pub use type_set::{TypeSetType, type_set};
pub use types::{
    ArrayType, CallableType, EnumType, HashType, InitType, Key, Patterns, ResourceType, RuntimeType, StringType,
    StructElement, StructType, TupleType, Type, Variants, VersionRanges,
};
pub use uri_type::UriType;
pub use values::{
    Opaque, OpaqueContent, Range, RegexpValue, SemVerRangeValue, SemVerValue, TimespanValue, TimestampValue, TypeValue,
    UriValue, bytes_include, bytes_of, bytes_value, concatenate, given_to_parameter, index_object,
};
pub use version::{PuppetVersion, Strict, UnknownWord};
