//! The modules that a control repository names and installs: the `Puppetfile`, and the `metadata.json` of each module.
//!
//! Each file is checked by itself as soon as it is read. Between them: a module that another one needs, and versions that do not agree.
//! r10k installs what the `Puppetfile` lists and resolves no dependencies, so what is missing there is missing on every server.

mod metadata;
mod puppetfile;
mod versions;

pub(crate) use metadata::Metadata;
pub(crate) use puppetfile::{Listed, Puppetfile, Version};
pub(crate) use versions::check as check_versions;

/// The name of a module without its author: `stdlib` of `puppetlabs/stdlib` and `puppetlabs-stdlib`.
pub(crate) fn short_name(name: &str) -> &str {
    name.rsplit(['/', '-']).next().unwrap_or(name)
}
