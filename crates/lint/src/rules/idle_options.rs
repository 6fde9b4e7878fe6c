//! # idle-options
//!
//! `lookup_options` change nothing. (note)
//!
//! ## What is found
//!
//! With `--hygiene`, one of:
//!
//! - a level above has options of the same key or pattern, and every node that reads the file reads that level;
//! - a level below has the same options, for every node;
//! - the options say `merge: first`, which holds without them;
//! - the options merge hashes, and no node finds a key that they apply to in two places.
//!
//! Options with `convert_to` are not judged. A note says how many bytes shorter the file would be.
//!
//! ## Why it matters
//!
//! People expect merging where nothing is merged.
//!
//! ## How to fix it
//!
//! Remove the options, unless another level is going to have the key.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! lookup_options:
//!   ntp::servers: {merge: first}
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! # removed
//! ```
//!
//! A comment `# hieratic: ignore idle-options` on the same line or the line before accepts the finding.
