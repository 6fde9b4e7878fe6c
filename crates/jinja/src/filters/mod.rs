//! The filters of Jinja2 (<https://jinja.palletsprojects.com/en/3.1.x/templates/#builtin-filters>) and of Ansible
//! (<https://docs.ansible.com/ansible/latest/collections/ansible/builtin/index.html#filter-plugins>).
//!
//! Each module has a table of names and functions; a function takes the value that it is applied to as its first argument.

mod arguments;
mod collections;
mod combine;
mod dates;
mod encoding;
mod html;
mod numbers;
mod passwords;
mod paths;
mod quick;
mod regex;
mod selection;
mod serialization;
mod sets;
mod text;
mod urls;
mod vault;
mod wrap;

pub use collections::{dict, subelements};
pub use paths::is_absolute;
pub use quick::{Quick, Write, quick};

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::host::{Function, Table};

/// All filters.
pub fn all() -> &'static HashMap<&'static str, Function> {
    static ALL: LazyLock<HashMap<&'static str, Function>> = LazyLock::new(collected);
    &ALL
}

fn collected() -> HashMap<&'static str, Function> {
    let tables: [Table; 15] = [
        collections::TABLE,
        combine::TABLE,
        dates::TABLE,
        encoding::TABLE,
        html::TABLE,
        numbers::TABLE,
        passwords::TABLE,
        paths::TABLE,
        regex::TABLE,
        selection::TABLE,
        serialization::TABLE,
        sets::TABLE,
        text::TABLE,
        urls::TABLE,
        vault::TABLE,
    ];
    tables.into_iter().chain([wrap::TABLE]).flatten().copied().collect()
}
