//! Converts Nomad's job files to the jobs of the API.
//!
//! ```
//! use hieratic_nomad_job::{Job, Options};
//!
//! let source = r#"
//!     variable "image" { default = "redis:7" }
//!     job "cache" {
//!       group "g" {
//!         task "t" {
//!           driver = "docker"
//!           config { image = var.image }
//!           env    { NODE = "${node.unique.name}" }
//!         }
//!       }
//!     }
//! "#;
//! let job = Job::parse(source, &Options { path: "cache.nomad.hcl".into(), ..Options::default() })?;
//! let json = job.to_json().unwrap();
//! assert!(json.contains(r#""image": "redis:7""#));
//! assert!(json.contains(r#""NODE": "${node.unique.name}""#));
//! # Ok::<(), hieratic_nomad_job::Failure>(())
//! ```
//!
//! [`Job::parse`] parses HCL in its native and its JSON syntax, and the API's JSON. The tables in [`schema`] describe
//! the structure of a job; a [`record::Record`] is a job whose values have positions in the file.
//!
//! The job is the one that `nomad job run -output` prints: it includes the defaults of the command, but not those of
//! the server.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification>.

mod api;
pub mod codes;
mod comments;
mod decode;
mod diff;
mod failure;
mod gaps;
mod hints;
mod job;
pub mod json;
mod node_pool;
mod normalize;
mod options;
mod origins;
pub mod record;
pub mod schema;
mod scope;
mod to_hcl;
mod undefined;
pub mod variables;

pub use diff::{Difference, FieldChange, diff};
pub use failure::Failure;
pub use gaps::GapFiller;
pub use hints::with_hint;
pub use job::{Job, evaluate_expression};
pub use node_pool::check_node_pool;
pub use options::{Options, VariableFile};
pub use origins::{Dependency, Origin};
