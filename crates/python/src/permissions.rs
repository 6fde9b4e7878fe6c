//! [`Allowed`]: the permissions of a repository, as arguments.

use hieratic::Permissions;

/// The arguments `allow_programs`, `allow_outside` and `allow_network`. Nothing is allowed by default.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Allowed {
    pub(crate) programs: bool,
    pub(crate) outside: bool,
    pub(crate) network: bool,
}

impl From<Allowed> for Permissions {
    fn from(allowed: Allowed) -> Permissions {
        Permissions { programs: allowed.programs, outside: allowed.outside, network: allowed.network, confined: false }
    }
}
