//! What Ansible knows when it renders a template of a role.

mod inventory;
mod role;

pub use inventory::Inventory;
pub use role::Role;
