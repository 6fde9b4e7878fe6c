//! Packs of nomad-pack.
//!
//! [`Pack::load`] reads a folder: `metadata.hcl`, `variables.hcl`, the templates, and the packs in `deps`. [`render`]
//! renders its templates with variables. A [`RenderedFile`] maps each of its bytes to a template.
//!
//! [`render_levant`] renders a template of levant.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/tools/nomad-pack>.

pub mod codes;
mod context;
mod failure;
mod functions;
mod go_yaml;
mod levant;
mod metadata;
mod pack;
mod render;
mod terraform;
mod text_functions;
mod variables;

pub use failure::Failure;
pub use levant::{json_variables, render_levant, yaml_variables};
pub use metadata::{Dependency, Metadata};
pub use pack::{Pack, PackFile};
pub use render::{RenderOptions, RenderedFile, render};
pub use terraform::terraform_variables;
pub use variables::{Inputs, unset_variables};
