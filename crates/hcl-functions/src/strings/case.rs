//! `lower`, `title`, `upper`.

use hieratic_hcl_types::go::letters;

use super::simple;
use crate::FunctionTable;

pub(super) fn add(table: &mut FunctionTable) {
    simple(table, "lower", "Converts letters to lower case.", letters::to_lower);
    simple(table, "upper", "Converts letters to upper case.", letters::to_upper);
    simple(table, "title", "Converts the first letter of each word to upper case.", letters::title);
}
