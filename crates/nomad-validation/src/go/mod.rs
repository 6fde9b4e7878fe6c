//! What Go's standard library accepts, and what it says about the rest: the reference passes these texts on.

pub(crate) mod address;
pub(crate) mod duration;
pub(crate) mod hexadecimal;
pub(crate) mod number;
pub(crate) mod path;
pub(crate) mod text;
pub(crate) mod url;
