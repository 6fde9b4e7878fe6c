//! # unknown-variable
//!
//! An interpolation uses a variable that is never set. (warning)
//!
//! ## What is found
//!
//! Without nodes: a member that `trusted` or `server_facts` never has, or a misspelled root such as `fact.os`. With
//! `--facts`: a variable that none of the nodes that read the file has. For a node that is known only by its name
//! (`--node` without its facts), no fact is reported as missing.
//!
//! ## Why it matters
//!
//! The interpolation is empty, and a level with it in its path matches no node.
//!
//! ## How to fix it
//!
//! Correct the name, or add the fact.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! motd: "This is %{trusted.certnme}"
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! motd: "This is %{trusted.certname}"
//! ```
//!
//! A comment `# hieratic: ignore unknown-variable` on the same line or the line before accepts the finding.
