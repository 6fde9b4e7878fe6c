//! Validates Nomad jobs offline: reports everything that `nomad job validate` reports without an agent, with the same
//! messages and the position in the job file.
//!
//! ```
//! use hieratic_nomad_job::{Job, Options};
//! use hieratic_nomad_lint::{Severity, validate};
//!
//! let source = r#"job "web" {
//!   group "front" {
//!     task "nginx" {
//!       driver = "docker"
//!       resources {
//!         cpu = 0
//!       }
//!     }
//!   }
//! }
//! "#;
//! let job = Job::parse(source, &Options { path: "web.hcl".into(), ..Options::default() })?;
//! let findings = validate(&job);
//! assert_eq!(findings[0].severity, Severity::Error);
//! assert_eq!(
//!     findings[0].to_string(),
//!     "web.hcl:6,15-16: minimum CPU value is 1; got 0 (Job.TaskGroups[0].Tasks[0].Resources.CPU)",
//! );
//! # Ok::<(), hieratic_nomad_job::Failure>(())
//! ```
//!
//! The job is checked with the defaults of the server: a group without `update` inherits that of its job, or has the
//! default of services.
//!
//! # What is not checked
//!
//! Only a server or a node can check these:
//!
//! - the configuration of a task for its driver (`config`), and whether any node has the driver;
//! - whether namespaces, node pools, regions, data centers and quotas exist, and the rules of access control;
//! - whether volumes, plugins, devices and networks exist, and whether any node has room for the job;
//! - clusters, roles, policies and identities of Vault and Consul, and the policies of administrators or Sentinel;
//! - the server's additions for Consul's mesh: side-cars, the ports of `expose` and of `transparent_proxy`, and that a group
//!   with a gateway has a network;
//! - jobs in several regions, which the open edition of the reference rejects as a whole;
//! - the size of the payload and the metadata of a dispatched parameterized job.
//!
//! The reference does not check some blocks, and neither does this crate: the `restart`, `schedule` and `scaling`
//! blocks of tasks, `multiregion`, and volumes of unknown types.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification> and
//! <https://developer.hashicorp.com/nomad/commands/job/validate>.

mod block;
mod check_job;
mod cron;
mod domains;
mod finding;
mod go;
mod lint;
mod nomad_version;
mod references;
mod report;
mod rule;
mod rules;
mod text;
mod versions;
mod zones;

use hieratic_nomad_job::Job;

use block::Block;
pub use check_job::check_job;
pub use finding::Finding;
pub use hieratic_diagnostics::Severity;
pub use lint::{DescribedOption, FEATURES, FUNCTIONS, Feature, driver_options, lint, runtime_names};
pub use nomad_version::NomadVersion;
use report::Report;
pub use rule::Rule;
use rules::Scope;
pub use text::{as_command_text, errors_text, warnings_text};

/// Returns the errors of a job, and then its warnings, in the order of the reference.
///
/// ```
/// use hieratic_nomad_job::{Job, Options};
/// use hieratic_nomad_lint::validate;
///
/// let job = Job::parse("job \"empty\" {}", &Options::default())?;
/// let findings = validate(&job);
/// assert_eq!(findings.len(), 1);
/// assert_eq!(findings[0].message, "Missing job task groups");
/// assert_eq!(findings[0].path, "Job.TaskGroups");
/// # Ok::<(), hieratic_nomad_job::Failure>(())
/// ```
pub fn validate(job: &Job) -> Vec<Finding> {
    let root = Block::job(job);
    let scope = Scope::new(&root);
    let mut errors = Report::new(Severity::Error);
    rules::errors(&scope, &mut errors);
    let mut warnings = Report::new(Severity::Warning);
    rules::warnings(&scope, &mut warnings);
    let mut findings = errors.into_findings();
    findings.extend(warnings.into_findings());
    findings
}
