//! JSON Schemas for Puppet's types, and for the data files of a control repository.
//!
//! The schemas conform to [draft 7](https://json-schema.org/draft-07/json-schema-release-notes), the newest draft that
//! the YAML language server supports, which most editors use.
//!
//! ```
//! use hieratic_json_schema::{Form, Schemas};
//!
//! let port = hieratic_puppet_types::parse("Integer[1, 65535]").unwrap();
//! let mut schemas = Schemas::new(Form::AsValues);
//! assert_eq!(schemas.schema(&port).to_string(), r#"{"type":"integer","minimum":1,"maximum":65535}"#);
//! assert!(schemas.is_exact());
//! ```
//!
//! A schema never rejects a value that the type accepts. Constraints that JSON Schema cannot express are left out; a
//! schema without such omissions is [exact](Schemas::is_exact).

mod document;
mod kinds;

pub use document::{Application, Parameter, document};
pub use kinds::{Form, Schemas};
