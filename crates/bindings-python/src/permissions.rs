//! [`PermissionArguments`]: the permissions of a repository, as arguments.

use hieratic::Permissions;

/// The arguments `allow_programs`, `allow_outside` and `allow_network`. Nothing is allowed by default.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PermissionArguments {
    pub(crate) programs: bool,
    pub(crate) outside: bool,
    pub(crate) network: bool,
}

impl From<PermissionArguments> for Permissions {
    fn from(allowed: PermissionArguments) -> Permissions {
        Permissions { programs: allowed.programs, outside: allowed.outside, network: allowed.network, confined: false }
    }
}
