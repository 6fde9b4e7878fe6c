//! The filters of Ansible: /
//! <https://docs.ansible.com/ansible/latest/collections/ansible/builtin/index.html#filter-plugins>.
//!
//! Each module has a table of names and functions; a function takes the value that it is applied to as its first
//! argument. => The filters of Ansible:
//! <https://docs.ansible.com/ansible/latest/collections/ansible/builtin/index.html#filter-plugins>.
//!
//! Each module has a table of names and functions. The first argument of a function is the filtered value.

mod collections;
mod combine;
mod dates;
mod encoding;
mod numbers;
mod passwords;
mod paths;
mod regex;
mod selection;
mod serialization;
mod sets;
mod text;
mod urls;
mod vault;

pub use collections::subelements;
pub use combine::{MODES as LIST_MERGES, merge_hashes};
pub use passwords::{md5_for_devices, password_hash};
pub use paths::is_absolute;

use hieratic_jinja::extend::Table;

/// The tables of all filters.
pub const TABLES: &[Table] = &[
    collections::TABLE,
    combine::TABLE,
    dates::TABLE,
    encoding::TABLE,
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
