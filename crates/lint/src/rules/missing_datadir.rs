//! # missing-datadir
//!
//! The folder of a level does not exist. (warning)
//!
//! ## What is found
//!
//! The `datadir` of a level, or the one in `defaults`, does not exist, and a folder next to it has almost the same
//! name. Or no level of an environment's hierarchy has an existing folder. Folders with interpolations are not checked.
//! A folder that is missing for another reason appears in the note on what is [not in the checkout](not-seen.md):
//! private data often is not, and data can be in a module of the Puppetfile.
//!
//! ## Why it matters
//!
//! The level silently never matches.
//!
//! ## How to fix it
//!
//! Create the folder, or correct `datadir`. It is relative to the folder of `hiera.yaml`.
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml
//! version: 5
//! defaults: {datadir: dta}
//! hierarchy:
//!   - {name: Common, path: common.yaml}
//! ```
//!
//! becomes
//!
//! ```yaml
//! # hiera.yaml
//! version: 5
//! defaults: {datadir: data}
//! hierarchy:
//!   - {name: Common, path: common.yaml}
//! ```
//!
//! A comment `# hieratic: ignore missing-datadir` on the same line or the line before accepts the finding.
