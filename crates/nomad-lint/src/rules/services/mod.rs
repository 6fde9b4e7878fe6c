//! Services, their checks, and how they are connected.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/job-specification/service>.

mod check;
mod connect;
mod gateway;
mod group;
mod service;
mod task;

pub(super) use group::{check_group, check_scripts};
pub(super) use service::{Service, Services};
pub(super) use task::{check_proxy, check_task};
