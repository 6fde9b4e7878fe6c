//! # outside-repository
//!
//! A link or a relative path leads out of the repository. (warning)
//!
//! ## What is found
//!
//! A link in the repository points outside it, or a relative `datadir` in a `hiera.yaml` leads there. `hieratic check`
//! runs on untrusted pull requests, so it reads nothing outside the repository: neither the link's target nor the
//! level's data. An absolute `datadir` names a server's folder and appears in the note on what is [not in the
//! checkout](not-seen.md).
//!
//! ## Why it matters
//!
//! Findings that depend on the missing files are suppressed, because these could define any key. And other clones of
//! the repository do not have them.
//!
//! ## How to fix it
//!
//! Move the data into the repository, or remove the link. If the location is intended (data that a server stores
//! elsewhere), pass `--allow-outside`, or accept the finding.
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml
//! hierarchy:
//!   - name: Secrets of the site
//!     datadir: ../../secrets
//!     path: common.yaml
//! ```
//!
//! becomes
//!
//! ```yaml
//! # hiera.yaml
//! hierarchy:
//!   - name: Secrets of the site
//!     datadir: secrets
//!     path: common.yaml
//! ```
//!
//! A comment `# hieratic: ignore outside-repository` on the same line or the line before accepts the finding.
