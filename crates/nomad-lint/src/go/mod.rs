//! Parsers of Go's standard library, with their error messages, which the reference passes on.

pub(crate) mod address;
pub(crate) mod hexadecimal;
pub(crate) mod number;
pub(crate) mod path;
pub(crate) mod text;
pub(crate) mod url;
