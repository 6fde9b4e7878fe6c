//! Answers as text: JSON, YAML and strings, as `lookup --render-as` prints them.
//!
//! ```
//! use hieratic::formats::{RenderAs, json, yaml};
//! use hieratic::{Environment, Facts, Query, Settings};
//!
//! let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/control-repo");
//! let node = Environment::open(&Settings::discover(root.as_ref()))?.node(&Facts::named("web01.example.com"))?;
//! let packages = node.lookup(&Query::new("profile::base::packages"))?;
//! assert_eq!(json(&packages).unwrap(), r#"["curl","vim"]"#);
//! assert_eq!(yaml(&packages).unwrap(), "---\n- curl\n- vim\n");
//! // By the name of a format, as a flag has it.
//! let format: RenderAs = "json".parse().unwrap();
//! assert_eq!(format.render(&packages).unwrap(), b"[\"curl\",\"vim\"]\n");
//! # Ok::<(), hieratic::Error>(())
//! ```
//!
//! [`JsonWriter`](crate::json::write::JsonWriter) writes JSON in other layouts, and a [`Value`](crate::Value) can be
//! serialized with Serde.

pub use hieratic_output::{Error as FormatError, RenderAs, json, rich_json, s as string, yaml};
