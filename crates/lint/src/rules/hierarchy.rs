//! # hierarchy
//!
//! A hiera.yaml is not valid. (error)
//!
//! ## What is found
//!
//! The configuration of a layer is invalid: an unknown key, a value of the wrong type, two functions or two kinds of
//! paths in one level, two levels with the same name, or `default_hierarchy` outside a module.
//!
//! ## Why it matters
//!
//! Every lookup in the layer fails.
//!
//! ## How to fix it
//!
//! The message is Puppet's, with the line added. See Puppet's documentation of
//! [hiera.yaml](https://www.puppet.com/docs/puppet/8/hiera_config_yaml_5.html).
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml
//! version: 5
//! hierarchy:
//!   - name: Common
//!     path: common.yaml
//!     paths: [other.yaml]
//! ```
//!
//! becomes
//!
//! ```yaml
//! # hiera.yaml
//! version: 5
//! hierarchy:
//!   - name: Common
//!     paths: [common.yaml, other.yaml]
//! ```
//!
//! A comment `# hieratic: ignore hierarchy` on the same line or the line before accepts the finding.
