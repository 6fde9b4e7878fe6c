//! Writes values exactly as `puppet lookup` does.
//!
//! [`yaml`], [`json`] and [`s`] are the three documented formats of `--render-as`, [`rich_json`] is Puppet's lossless
//! exchange format, and [`RenderAs`] is the flag itself with every value that it accepts. They take any [`Tree`]: a
//! [`&Value`](hieratic_value::Value), or your own graph with shared nodes (YAML writes them as anchors).
//!
//! The caller must limit the depth of a tree. Only JSON has a limit: the 100 levels of Ruby.
//!
//! ```
//! use hieratic_output::{RenderAs, json, yaml};
//! use hieratic_value::{Hash, Value};
//!
//! let hash: Hash = [("name", Value::from("web: 1")), ("debug", Value::from("no"))].into_iter().collect();
//! let value = Value::from(hash);
//! assert_eq!(yaml(&value)?, "---\nname: 'web: 1'\ndebug: 'no'\n");
//! assert_eq!(json(&value)?, r#"{"name":"web: 1","debug":"no"}"#);
//!
//! let format: RenderAs = "JSON".parse()?;
//! assert_eq!(format.render(&value)?, b"{\"name\":\"web: 1\",\"debug\":\"no\"}\n");
//! # Ok::<(), hieratic_output::Error>(())
//! ```

mod error;
mod format;
mod json;
mod rich;
mod text;
mod tree;
mod yaml;

pub use error::Error;
pub use format::RenderAs;
pub use json::json;
pub use rich::{rich_data, rich_json};
pub use text::s;
pub use tree::{Scalar, Tree, View};
pub use yaml::yaml;
