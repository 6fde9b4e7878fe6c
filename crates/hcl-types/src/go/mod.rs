//! Rules of Go's standard library for values of HCL, templates and jobs.

pub mod duration;
pub mod integer;
pub mod letters;
pub mod path;
pub mod yaml;
