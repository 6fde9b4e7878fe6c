//! Rules of Go's standard library for values of HCL, templates and jobs.

pub mod duration;
pub mod path;
