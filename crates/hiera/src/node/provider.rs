//! [`Provider`]: the configuration and the sources of a layer for a node.

use std::sync::{Arc, OnceLock};

use hieratic_value::Str;

use super::level::Levels;
use super::sources::Sources;
use crate::Error;
use crate::config::Config;
use crate::layers::Layer;

/// The configuration and the sources of a layer for a node.
#[derive(Debug)]
pub(crate) struct Provider {
    /// The name in explanations.
    pub(crate) name: Str,
    pub(crate) config: Arc<Config>,
    pub(crate) module: Option<Str>,
    pub(super) layer: Layer,
    pub(crate) levels: OnceLock<Result<Levels, Error>>,
    /// The files of the hierarchy.
    pub(super) sources: OnceLock<Sources>,
}
