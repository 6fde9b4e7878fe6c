//! # unreachable-file
//!
//! No level can reach a data file. (warning)
//!
//! ## What is found
//!
//! A file is in the data folder of a level and has the format that the level reads, but no path or pattern of any
//! `hiera.yaml` in the checkout can match it, whatever the variables are. Nothing is reported if data is in the same
//! folder as `hiera.yaml`, or if another environment of the repository reads the file. Files of the `plan_hierarchy`
//! are read by plans. Unless `--environment` names the environment, `%{environment}` can have any value, because a
//! branch can be deployed under any name.
//!
//! ## Why it matters
//!
//! Its data has no effect. Usually the file has the wrong extension or folder.
//!
//! ## How to fix it
//!
//! Rename or remove the file, or add a level.
//!
//! ## Example
//!
//! ```yaml
//! # data
//! # hiera.yaml: path: "nodes/%{trusted.certname}.yaml"
//! # data/nodes/web01.example.com.yml is never read
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data
//! # data/nodes/web01.example.com.yaml is
//! ```
//!
//! A comment `# hieratic: ignore unreachable-file` on the same line or the line before accepts the finding.
