//! JSON Schema of Puppet's types, and of the data files of a control repository.
//!
//! A schema is one of [draft 7](https://json-schema.org/draft-07/json-schema-release-notes), the newest that the YAML language server
//! reads, which most editors use.
//!
//! ```
//! use hieratic_schema::{Schemas, Written};
//!
//! let port = hieratic_pcore::parse("Integer[1, 65535]").unwrap();
//! let mut schemas = Schemas::of(Written::AsValues);
//! assert_eq!(schemas.schema(&port).to_string(), r#"{"type":"integer","minimum":1,"maximum":65535}"#);
//! assert!(schemas.is_exact());
//! ```
//!
//! A schema never refuses a value that the type takes. What JSON Schema cannot say is left open: a schema that says all is
//! [exact](Schemas::is_exact).

mod document;
mod kinds;

pub use document::{Applies, Parameter, document};
pub use kinds::{Schemas, Written};
