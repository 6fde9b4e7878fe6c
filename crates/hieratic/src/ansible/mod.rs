//! The context of a role's templates in Ansible: its inventory, and the role itself.

mod inventory;
mod playbook;
mod role;
mod tasks;
mod template_tasks;

pub use inventory::{Inventory, SkippedKey};
pub use playbook::{PlayOfRoles, Playbook, RoleFiles, RoleUse};
pub use role::Role;
pub use tasks::UnreadTasks;
pub use template_tasks::TemplateTask;
