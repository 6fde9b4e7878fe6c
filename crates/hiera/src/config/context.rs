//! [`Context`]: the layer and the settings with which a configuration is read.

use std::path::Path;

use hieratic_puppet_types::PuppetVersion;

use super::datadir_map::DatadirMap;
use crate::Strict;

/// The context in which a configuration is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) owner: Owner,
    /// The version of Puppet whose wording messages use.
    pub(crate) version: PuppetVersion,
    pub(crate) strict: Strict,
    /// The folder of the environments, from which version 3 derives its default datadir.
    pub(crate) codedir: &'a Path,
    /// The environment's location.
    pub(crate) deployed: DatadirMap<'a>,
}

/// The layer that a configuration belongs to, which decides what is allowed in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Global,
    Environment,
    Module,
}
