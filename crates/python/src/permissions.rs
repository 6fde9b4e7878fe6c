//! [`Allowed`]: what a repository may do, as arguments say it.

use hieratic::Permissions;

/// What the arguments `allow_programs`, `allow_outside` and `allow_network` say; nothing by default.
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
