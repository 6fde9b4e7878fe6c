//! The context of a role's templates in Ansible: its inventory, and the role itself.

mod inventory;
mod role;

pub use inventory::Inventory;
pub use role::Role;
