//! The interface for crates that extend the language or provide lazy values: arguments, values with Python's semantics,
//! the budget of a rendering. They must use minijinja's types from here. The library `hieratic` does not export this
//! module.

pub use minijinja::{self, Error, ErrorKind, Value};

pub use crate::call::Args;
pub use crate::error::{Result, error, undefined};
pub use crate::escaping::escaped;
pub use crate::eval::foreign;
pub use crate::extension::{Extension, Names, collected};
pub use crate::files::{FileAccess, is_denied};
pub use crate::host::{Definition, Function, Host, Table, define};
pub use crate::settings::Settings;

/// Filters of the language for use in other filters, and the arguments of filters.
pub mod filters {
    pub use crate::filters::{arguments, extreme, groups, json_text, key_of};
}

/// JSON.
pub mod json {
    pub use crate::json::{Layout, parse, write};
}

/// Python's values.
pub mod objects {
    pub use crate::objects::{Big, Datetime, Dict, Encrypted, Entries, List, Markup, Missing, Tuple, UndefinedOrigin};
}

/// The semantics of Python's values.
pub mod python {
    pub use crate::python::{
        Budget, Kind, arithmetic, compare, encoding, format, index, iterate, kind, methods, number, replace, repr, str,
        text, type_name,
    };
}

/// The budget of the rendering.
pub mod work {
    pub use crate::work::{bytes, deeper, elements, exhausted, limit_of, scan, steps, within};
}

/// YAML.
pub mod yaml {
    pub use crate::yaml::{Layout, parse, write};
}
