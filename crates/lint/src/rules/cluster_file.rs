//! # cluster-file
//!
//! Nomad, Consul or Vault refuses a file. (error)
//!
//! ## What is found
//!
//! An unknown argument or block, a value of the wrong type, a value that is not one of those allowed, something missing
//! or something that is set twice, in a file of one of these kinds:
//!
//! | program | files |
//! |---|---|
//! | Nomad | the configuration of an agent, policies, volumes, namespaces, quotas, node pools, variables |
//! | Consul | the configuration of an agent with services and checks, policies, configuration entries |
//! | Vault | the configuration of a server, policies |
//!
//! The files may be JSON. The kind is known by the content and the path. The finding says which it is. Other files of HCL
//! are counted as not judged.
//!
//! ## Why it matters
//!
//! The agent does not start, or the command refuses the file.
//!
//! ## How to fix it
//!
//! Correct the argument or block that the message names. If the file is of another kind, leave it out in
//! [settings](../reference/settings.md).
//!
//! ## Example
//!
//! ```hcl
//! # deploy.policy.hcl
//! namespace "default" {
//!   policy       = "read"
//!   capabilities = ["submitjob"]
//! }
//! ```
//!
//! becomes
//!
//! ```hcl
//! # deploy.policy.hcl
//! namespace "default" {
//!   policy       = "read"
//!   capabilities = ["submit-job"]
//! }
//! ```
//!
//! A comment `# hieratic: ignore cluster-file` on the same line or the line before accepts the finding.
