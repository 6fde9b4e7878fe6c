//! # unused-key
//!
//! A key is never looked up. (note)
//!
//! ## What is found
//!
//! With `--unused`: the key is not a parameter of a class, no data looks it up, and no manifest, function or template
//! mentions it in quotes or, if it contains `::`, anywhere. Code computes names of keys such as `"net_${name}_mask"`:
//! keys that begin and end like this count as looked up. A note tells you if code computes whole names, because those
//! cannot be followed.
//!
//! The code is that of the modules in the module path and of the environment, and that of other modules in the
//! checkout: something may put them into the module path when it is deployed. The manifests that `environment.conf`
//! names belong to it wherever they are in the checkout. Keys of a module that is not in the checkout are not reported
//! if the `Puppetfile` names it, or if code declares one of its classes.
//!
//! A key whose value has an anchor of YAML is not reported: aliases in the file may need it.
//!
//! A note says how many bytes shorter the files would be that have the key.
//!
//! ## Why it matters
//!
//! Unused data costs reading and review.
//!
//! ## How to fix it
//!
//! Remove the key if nothing outside the repository looks it up.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! profile::legacy::port: 80
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! # removed
//! ```
//!
//! A comment `# hieratic: ignore unused-key` on the same line or the line before accepts the finding.
