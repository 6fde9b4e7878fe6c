//! Renders templates with values.

mod builtins;
mod error;
mod exec;
mod format;
mod print;
mod value;

pub use error::{Fault, RenderError};
pub use exec::{Functions, Rendered, Rendering, Segment, render};
pub(crate) use format::format;
pub(crate) use print::{display, float};
pub use value::{FloatKey, Key, Value};
