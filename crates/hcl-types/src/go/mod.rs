//! Rules of Go's standard library that values of HCL, templates and jobs follow.

pub mod duration;
pub mod path;
