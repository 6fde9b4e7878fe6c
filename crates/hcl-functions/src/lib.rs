//! The functions for expressions in Nomad's job specifications.
//!
//! [`functions`] creates the table of all functions except `try`, `can` and `convert`, which take expressions instead
//! of values and belong to the evaluator. Threads can share a table. File functions read the files in [`Files`];
//! without it they fail.
//!
//! ```
//! use hieratic_hcl_types::Value;
//! use hieratic_hcl_functions::functions;
//!
//! let table = functions(None);
//! let upper = table.get("upper").unwrap();
//! let loud = upper.call(&[Value::string("hello")]).unwrap();
//! assert_eq!(loud.as_str(), Some("HELLO"));
//! assert!(table.names().any(|name| name == "cidrsubnet"));
//! ```
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions>.

mod arguments;
mod cidr;
mod collections;
mod crypto;
mod dates;
mod encoding;
mod files;
mod go_math;
mod numbers;
mod sets;
mod strings;
mod table;
mod uuids;

pub use files::Files;
pub use strings::check_pattern;
pub use table::FunctionTable;

/// The maximum nesting depth of arrays and objects in `jsondecode` and `yamldecode`.
pub const MAX_DEPTH: usize = 1000;

/// The maximum number of bytes that a function generates from a number, such as the width in `format` or the spaces of
/// `indent`, regardless of the budget.
pub const MAX_PADDING: usize = 1 << 28;

/// Creates the table of all functions. Without `files`, file functions fail when they are called.
pub fn functions(files: Option<Files>) -> FunctionTable {
    let mut table = FunctionTable::default();
    numbers::add(&mut table);
    strings::add(&mut table);
    collections::add(&mut table);
    sets::add(&mut table);
    encoding::add(&mut table);
    crypto::add(&mut table);
    uuids::add(&mut table);
    cidr::add(&mut table);
    dates::add(&mut table);
    files::add(&mut table, files);
    table
}
