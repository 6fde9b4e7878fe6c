//! Functions on lists, tuples, maps and objects.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions#collection-functions>.

mod access;
mod first;
mod mappings;
mod parts;
mod product;
mod range;
mod sequences;
mod value_set;

pub(crate) use value_set::ValueSet;

use crate::FunctionTable;

pub(crate) fn add(table: &mut FunctionTable) {
    access::add(table);
    first::add(table);
    mappings::add(table);
    parts::add(table);
    product::add(table);
    range::add(table);
    sequences::add(table);
}
