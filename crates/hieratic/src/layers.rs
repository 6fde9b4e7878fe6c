//! The layers of an environment: the locations of its data, the levels of its hierarchies, and missing parts.

pub use hieratic_hiera::{DataFolder, EnvironmentLayer, Layers, ModuleLayer, Shared};

pub use crate::control_repo::repository_of;
pub use crate::keys::level_names;
pub use crate::missing_hierarchy::MissingHierarchy;
