//! What Ansible knows when it renders a template of a role.

mod role;

pub use role::Role;
