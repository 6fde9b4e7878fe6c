//! # unread-level
//!
//! No node reads a level. (note)
//!
//! ## What is found
//!
//! With `--hygiene`: a path of the level has variables, and no file in the repository belongs to the level, in whatever
//! environment the checkout is deployed. With `--all-nodes`, also: none of the nodes reads a file of the level.
//!
//! Not reported are levels whose files something else than git brings, such as private data: paths that `.gitignore`
//! names, and a folder that is not in the checkout although several levels read it, one of them by a path without
//! variables.
//!
//! ## Why it matters
//!
//! Every lookup goes through every level, and so does every reader of the hierarchy.
//!
//! ## How to fix it
//!
//! Remove the level, unless files will follow.
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml, without a folder data/virtual
//! hierarchy:
//!   - {name: Virtual, path: 'virtual/%{facts.virtual}.yaml'}
//!   - {name: Common, path: common.yaml}
//! ```
//!
//! becomes
//!
//! ```yaml
//! # hiera.yaml
//! hierarchy:
//!   - {name: Common, path: common.yaml}
//! ```
//!
//! A comment `# hieratic: ignore unread-level` on the same line or the line before accepts the finding.
