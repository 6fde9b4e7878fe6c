//! Python's rules for strings and values, for the languages whose references are written in Python.
//!
//! [`repr`] and [`text`] are `repr` and `str` of a [`Value`](hieratic_value::Value), [`truthy`] and [`equal`] are
//! `bool` and `==`, and [`parse_int`] and [`parse_float`] parse numbers. Items that do not depend on the type of values
//! ([`quote`], [`write_float`], [`mod@format`]) are also used by templates, which have another type of values.
//!
//! The rules are those of Python 3.11: <https://docs.python.org/3.11/library/stdtypes.html>.
//!
//! ```
//! use hieratic_python_values::repr;
//! use hieratic_value::Value;
//!
//! let list = Value::from(vec![Value::Undef, true.into(), 1e16.into(), "it's".into()]);
//! assert_eq!(repr(&list), r#"[None, True, 1e+16, "it's"]"#);
//! ```

mod collections;
mod escape;
mod float;
pub mod format;
mod number;
mod value;
mod white;

pub use collections::{write_dict, write_list, write_set, write_tuple};
pub use escape::{decode, is_printable, quote, quote_bytes, quoted};
pub use float::{float, write_float};
pub use number::{compare_with_float, parse_float, parse_int, truncated};
pub use value::{equal, list, repr, text, truthy, tuple};
pub use white::{is_white, strip};
