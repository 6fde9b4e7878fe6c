//! The modules that a control repository lists and installs: the `Puppetfile`, and the `metadata.json` of each module.
//!
//! Each file is checked separately when it is read. Across files, modules that another one needs, and versions that
//! disagree are checked. r10k installs what the `Puppetfile` lists and resolves no dependencies, so a module that is
//! missing there is missing on every server.

mod metadata;
mod puppetfile;

pub(crate) use metadata::Metadata;
pub(crate) use puppetfile::{Listed, Puppetfile, Version, line_of};

/// The name of a module without its author: `stdlib` of `puppetlabs/stdlib` and `puppetlabs-stdlib`.
pub(crate) fn short_name(name: &str) -> &str {
    name.rsplit(['/', '-']).next().unwrap_or(name)
}
