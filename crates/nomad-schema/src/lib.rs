//! Checks files of Nomad, Consul and Vault other than jobs: agents' configuration, policies, volumes, namespaces,
//! quotas and variables.
//!
//! [`Kind::recognize`] recognizes the kind of a file, and [`check`] compares it with the schema of its kind: the
//! arguments and blocks of the program, their types and values.
//!
//! ```
//! use hieratic_budget::Budget;
//! use hieratic_nomad_schema::{Kind, check};
//!
//! let text = "namespace \"default\" {\n  polcy = \"write\"\n  capabilities = [\"submitjob\"]\n}\n";
//! let budget = Budget::default();
//! let file = hieratic_hcl1::parse(text.as_bytes(), Kind::NomadPolicy.dialect(), &budget).unwrap();
//! assert_eq!(Kind::recognize("web.policy.hcl", &file), Some(Kind::NomadPolicy));
//! let findings = check(Kind::NomadPolicy, &file, &budget).unwrap();
//! assert_eq!(findings[0].message, "namespace has no argument \"polcy\": it has no effect");
//! assert_eq!(findings[0].help.as_deref(), Some("did you mean \"policy\"?"));
//! assert_eq!(findings[1].message, "capabilities cannot have the value \"submitjob\"");
//! assert_eq!(findings[1].help.as_deref(), Some("did you mean \"submit-job\"?"));
//! ```
//!
//! The schemas are in `src/schemas`. Each names the release of the program from which it was taken.

mod check;
mod finding;
mod kind;
mod notation;
mod operator;
mod recognize;
mod rules;
mod types;

pub use check::check;
pub use finding::Finding;
pub use kind::Kind;
pub use operator::Operator;
pub use recognize::RootItem;
