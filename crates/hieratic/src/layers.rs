//! The layers of an environment: where its data is, which levels its hierarchies have, and what is missing.

pub use hieratic_hiera::{DataFolder, EnvironmentLayer, Layers, ModuleLayer, Shared};

pub use crate::control_repo::repository_of;
pub use crate::keys::level_names;
pub use crate::missing_hierarchy::MissingHierarchy;
