//! [`Context`]: what a configuration is read with.

use std::path::Path;

use hieratic_pcore::PuppetVersion;

use super::deployed::Deployed;
use crate::Strict;

/// What a configuration is read with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) owner: Owner,
    /// Whose words messages use.
    pub(crate) version: PuppetVersion,
    pub(crate) strict: Strict,
    /// Where environments lie, which version 3 takes its default folder from.
    pub(crate) codedir: &'a Path,
    /// Where the environment lies.
    pub(crate) deployed: Deployed<'a>,
}

/// The layer that a configuration belongs to, which decides what it may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Global,
    Environment,
    Module,
}
