//! Ansible's additions to Jinja2: its filters, tests, functions and lookups.
//!
//! An [`engine`] renders templates as Ansible 2.15 does. [`add_lookup`] adds lookups to it. Every function is a row in
//! a table, and sees the rendering through a trait, never the engine. `docs/differences.md` lists the remaining
//! differences from the reference.
//!
//! Templates are not trusted: lookups and filters read no files unless [`Options::files`] allows it, run no programs,
//! and use no network.
//!
//! ```
//! use hieratic_jinja_ansible::engine;
//! use hieratic_jinja::{Options, from_value, to_value};
//! use hieratic_value::{Hash, Value};
//!
//! let engine = engine(&Options::default());
//! let rendered = engine.render("{{ [1, [2]] | flatten | sum + 1 }}", from_value(&Hash::default().into()))?;
//! assert_eq!(to_value(&rendered)?, Value::from(4));
//! # Ok::<(), hieratic_jinja::TemplateError>(())
//! ```

mod checks;
mod collections;
mod cross_product;
mod filters;
mod functions;
mod glob;
mod jmespath;
mod lookups;
mod pattern;
mod random;
mod search;
mod truth;
mod vault;
mod versions;

pub use lookups::{add_lookup, lookups, selected_hosts};
pub use search::is_found;
pub use truth::truth_of_word;
pub use vault::{HEADER, Vault};

use std::sync::LazyLock;

use hieratic_jinja::extend::{Extension, collected};
use hieratic_jinja::{Engine, Options};

/// Ansible's additions to the language.
static ANSIBLE: Extension = Extension {
    filters: LazyLock::new(|| collected(&[filters::TABLES, collections::FILTERS].concat())),
    tests: LazyLock::new(|| collected(&[collections::TESTS, checks::TABLES].concat())),
    functions: functions::TABLE,
    constants: &[("omit", functions::OMIT)],
    collections: &["ansible.builtin.", "ansible.legacy."],
    escape_aware: &[
        "expanduser",
        "expandvars",
        "mandatory",
        "path_join",
        "quote",
        "ternary",
        "to_nice_yaml",
        "to_yaml",
        "type_debug",
    ],
    escape_preserving: &[
        "basename",
        "dirname",
        "expanduser",
        "expandvars",
        "splitext",
        "win_basename",
        "win_dirname",
        "win_splitdrive",
    ],
    unsupported: Some(collections::unsupported::NAMES),
    unknown,
};

/// Returns an engine with all filters, tests, functions and lookups of Jinja2 and Ansible.
pub fn engine(options: &Options) -> Engine {
    Engine::with(options, &ANSIBLE)
}

/// Ansible's message about a filter or test that does not exist.
fn unknown(subject: &str, name: &str, suggestion: Option<&str>) -> String {
    if let Some(reason) = collections::unsupported::reason(name) {
        return format!("the {subject} '{name}' is not supported: {reason}");
    }
    let more = match suggestion {
        _ if name.contains('.') => {
            " It belongs to a collection. Of collections, most filters and tests of ansible.utils, \
                                    community.general and ansible.netcommon are there."
                .to_owned()
        }
        Some(suggestion) => format!(" Did you mean '{suggestion}'?"),
        None => String::new(),
    };
    format!("Could not load \"{name}\": No {subject} named '{name}'.{more}")
}
