//! Puppet's type system, as far as data needs it.
#![allow(missing_docs)]
mod alias;
mod assignable;
mod common;
mod display;
mod generalize;
mod infer;
mod instance;
mod mismatch;
mod new;
mod normalize;
mod parse;
mod pattern;
mod quote;
mod range;
mod text;
mod types;

pub use alias::Alias;
pub use infer::{infer, infer_set};
pub use instance::is_rich_data;
pub use mismatch::{Mismatch, assert_assignable, assert_instance, describe_mismatch};
pub use new::{ConversionError, new_instance};
pub use parse::{ParseError, parse, parse_with};
pub use pattern::{Pattern, PatternError};
pub use quote::quote;
pub use range::{FloatRange, Int, IntegerRange};
pub use text::{
    ContainerFormat, FormatError, FormatSpec, StringFormats, convert_call_to_string, convert_to_string,
    convert_to_string_with,
};
pub use types::{
    ArrayType, CallableType, EnumType, HashType, Key, Patterns, ResourceType, RuntimeType, StringType, StructElement,
    StructType, TupleType, Type, Variants,
};
