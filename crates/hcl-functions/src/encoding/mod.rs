//! Functions that encode values to strings of other formats, and decode them.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions#encoding-functions>.

mod bytes;
mod csv;
pub(crate) mod json;
mod yaml;

pub(crate) use bytes::{from_base64, to_base64};

use crate::FunctionTable;

pub(crate) fn add(table: &mut FunctionTable) {
    bytes::add(table);
    csv::add(table);
    json::add(table);
    yaml::add(table);
}
