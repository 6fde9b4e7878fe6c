//! The filters of Jinja2: <https://jinja.palletsprojects.com/en/3.1.x/templates/#builtin-filters>.
//!
//! Each module has a table of names and functions; a function takes the value that it is applied to as its first argument.

pub mod arguments;
mod collections;
mod fast;
mod html;
mod numbers;
mod selection;
mod serialization;
mod text;
mod urls;
mod wrap;

pub use collections::{dict, extreme, groups, key_of};
pub use fast::{FastFilter, fast_filter};
pub use serialization::json_text;

use std::sync::LazyLock;

use crate::extension::{Names, collected};

/// Returns all built-in filters.
pub fn all() -> &'static Names {
    static ALL: LazyLock<Names> = LazyLock::new(|| {
        collected(&[
            collections::TABLE,
            html::TABLE,
            numbers::TABLE,
            selection::TABLE,
            serialization::TABLE,
            text::TABLE,
            urls::TABLE,
            wrap::TABLE,
        ])
    });
    &ALL
}
