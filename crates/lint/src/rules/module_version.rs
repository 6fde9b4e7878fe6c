//! # module-version
//!
//! Versions of modules do not agree. (warning)
//!
//! ## What is found
//!
//! For each module of the `Puppetfile` that is installed here, with its `metadata.json`:
//!
//! - another version is installed than the `Puppetfile` lists
//! - the module needs another one that the `Puppetfile` does not list, and that is not installed
//! - the module needs another version of a module than the one that is listed or installed
//!
//! A module that is not installed is not judged, and neither is a `Puppetfile` whose list is computed.
//!
//! ## Why it matters
//!
//! r10k resolves no dependencies: what the `Puppetfile` lacks is missing on every server, and what does not go together
//! fails when a catalog is compiled.
//!
//! ## How to fix it
//!
//! Add the module, or choose versions that go together.
//!
//! ## Example
//!
//! ```ruby
//! # Puppetfile: apache 12.0.0 needs puppetlabs/concat >= 9.0.0
//! mod 'puppetlabs/apache', '12.0.0'
//! mod 'puppetlabs/concat', '7.0.0'
//! ```
//!
//! becomes
//!
//! ```ruby
//! # Puppetfile
//! mod 'puppetlabs/apache', '12.0.0'
//! mod 'puppetlabs/concat', '9.0.0'
//! ```
