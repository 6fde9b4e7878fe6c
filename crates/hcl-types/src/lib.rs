//! The types and values of HCL.
//!
//! A [`Value`] is a bool, a [`Number`], a string, a list, a set, a map, a tuple or an object. It can also be null or
//! unknown, each with a [`Type`]. An expression with an error is unknown, so that one error does not cause others.
//! [`convert`] converts values to other types, [`unify`] finds the common type of several types.
//!
//! ```
//! use hieratic_hcl_types::{convert, Type, Value};
//!
//! let tuple = Value::tuple(vec![Value::from(1), Value::string("a")]);
//! let list = convert(&tuple, &Type::list(Type::String)).unwrap();
//! assert_eq!(list.ty().friendly_name(), "list of string");
//! assert_eq!(list.to_json().unwrap().to_string(), r#"["1","a"]"#);
//! ```
//!
//! Source of the rules: <https://github.com/zclconf/go-cty/tree/main/docs>.

mod compound;
mod conversion;
mod equality;
mod function;
pub mod go;
mod json;
mod number;
mod operators;
mod quote;
mod set_order;
mod types;
mod unification;
mod value;

use std::sync::Arc;

/// A string, shared by reference count.
pub type Text = Arc<str>;

pub use compound::{ListValue, MapValue, ObjectValue, SetValue};
pub use conversion::{Conversion, ConversionError, PathStep, conversion, convert, mismatch, safe_conversion};
pub use function::{CallError, Function, Parameter};
pub use number::{Number, Precision};
pub use operators::IndexError;
pub use quote::{hcl_literal, hcl_template, quoted};
pub use types::{AttributeType, ObjectType, Type};
pub use unification::{Unified, unify, unify_safe};
pub use value::Value;
