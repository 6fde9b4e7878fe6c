//! HCL1, the first version of HCL, in its native and its JSON syntax.
//!
//! Nomad's agent and client configuration, its policies, volumes, quotas and namespaces, and the policies and
//! configuration of Consul and Vault are written in it. [`parse`] accepts and rejects the same files as their parser,
//! in each of its [`Dialect`]s. [`format`] formats a file as `hclfmt` and `vault policy fmt` do.
//!
//! ```
//! use hieratic_budget::Budget;
//! use hieratic_hcl1::{Dialect, format, parse};
//!
//! let text = "namespace \"default\" { policy = \"write\" capabilities = [\"submit-job\"] }\n";
//! let file = parse(text.as_bytes(), Dialect::Nomad, &Budget::default())?;
//! assert_eq!(file.name(&file.items[0].keys[1]), Ok("default".into()));
//! assert_eq!(
//!     format(&file, &Budget::default()).unwrap(),
//!     "namespace \"default\" {\n  policy = \"write\"\n\n  capabilities = [\"submit-job\"]\n}\n"
//! );
//!
//! let error = parse(b"a = 1\nb c = 2\n", Dialect::Nomad, &Budget::default()).unwrap_err();
//! assert_eq!(error.to_string(), "2:5: nested object expected: LBRACE got: ASSIGN");
//! # Ok::<(), hieratic_hcl1::Error>(())
//! ```
//!
//! The grammar is described in <https://github.com/hashicorp/hcl/tree/hcl1>.

mod error;
mod format;
mod json;
mod lexer;
mod literal;
mod parser;
mod text;
mod token;
mod tree;

pub use error::Error;
pub use format::format;
pub use json::parse_json;
pub use parser::{Dialect, parse};
pub use token::{Place, Token, TokenKind};
pub use tree::{CommentGroup, File, Item, List, Literal, Object, Scalar, Value};
