//! The flags that several verbs share. The flags of a single verb are in its module.

mod help;
mod lazy_args;
mod place;
mod shared;

pub(crate) use help::OVERVIEW;
pub(crate) use lazy_args::LazyArgs;
pub(crate) use place::{PlaceArguments, VersionArguments, datadir, datadirs, puppet_version, strict};
pub(crate) use shared::{
    AccessArguments, CodeArguments, Color, DocumentArguments, LimitArguments, MessageArguments, MessageFormat,
    PermissionArguments, RevealArguments, TreeArguments, boolean,
};
