//! `lookup` and `query`: <https://docs.ansible.com/ansible/latest/plugins/lookup.html>.

mod data;
mod dependent;
mod files;
mod hostnames;
mod lists;
mod lookup;
mod password;
mod unsupported;
mod variables;

pub use hostnames::selected_hosts;

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use hieratic_diagnostics::nearest;
use hieratic_jinja::Engine;
use hieratic_jinja::extend::objects::List;
use hieratic_jinja::extend::python::kind::truth;
use hieratic_jinja::extend::python::str;
use hieratic_jinja::extend::{
    Args, Definition, Error, ErrorKind, Host, Result, Value, define, error, foreign, is_denied,
};

use self::lookup::{Lookup, Table};

/// A lookup that was added to an engine.
type AddedLookup = Box<dyn Fn(&dyn Host, Args) -> Result<Vec<Value>> + Send + Sync>;

/// The lookups that were added to an engine.
#[derive(Default)]
struct Added(HashMap<String, AddedLookup>);

/// Adds a lookup to an engine, for `lookup('name', ...)` and `query('name', ...)`. It replaces Ansible's lookup of that name.
///
/// ```
/// use hieratic_jinja_ansible::{add_lookup, engine};
/// use hieratic_jinja::Options;
/// use hieratic_jinja::extend::minijinja::{Value, context};
///
/// let mut engine = engine(&Options::default());
/// add_lookup(&mut engine, "answer", |_, _| Ok(vec![Value::from(42)]));
/// assert_eq!(engine.render("{{ lookup('answer') + 1 }}", context! {})?, Value::from(43));
/// # Ok::<(), hieratic_jinja::TemplateError>(())
/// ```
pub fn add_lookup(
    engine: &mut Engine,
    name: &str,
    lookup: impl Fn(&dyn Host, Args) -> Result<Vec<Value>> + Send + Sync + 'static,
) {
    if let Some(Added(lookups)) = engine.data_mut() {
        lookups.insert(name.to_owned(), Box::new(lookup));
    }
}

/// Calls a lookup. For `query` the result is always a list; for `lookup` strings are joined by commas, and a single
/// value is returned as such.
pub fn call(host: &dyn Host, mut args: Args, as_list: bool) -> Result<Value> {
    if args.positional.is_empty() {
        return Err(error("lookup() missing 1 required positional argument: 'name'"));
    }
    let name = str(&args.positional.remove(0))?;
    let as_list = as_list | args.take("wantlist").map_or(Ok(false), |value| truth(&value))?;
    args.take("allow_unsafe");
    let errors = args.take("errors").map_or(Ok("strict".to_string()), |errors| str(&errors))?;
    args.callee = name.as_str().into();
    args.defined()?;
    for term in &mut args.positional {
        *term = host.rendered(term)?;
    }
    let found = match run(host, &name, args) {
        Ok(found) => found,
        // Undefined variables, unknown lookups and missing permissions are errors regardless of the option `errors`:
        // Ansible would have a value where permission is missing.
        Err(error)
            if matches!(error.kind(), ErrorKind::UndefinedError | ErrorKind::UnknownFunction) || is_denied(&error) =>
        {
            return Err(error);
        }
        Err(_) if matches!(errors.as_str(), "ignore" | "warn") => {
            host.forgive();
            return Ok(if as_list { List::value(Vec::new()) } else { Value::from(()) });
        }
        Err(error) => return Err(error),
    };
    if as_list {
        return Ok(List::value(found));
    }
    let texts: Option<Vec<&str>> = found.iter().map(Value::as_str).collect();
    match (texts, found.as_slice()) {
        // Without results, the value is an empty list rather than an empty string.
        (_, []) => Ok(List::value(Vec::new())),
        // The text of a filter such as `string` stays text, also where it reads as a list.
        (Some(texts), [first, ..]) if first.is_safe() => Ok(Value::from_safe_string(texts.join(","))),
        (Some(texts), _) => Ok(Value::from(texts.join(","))),
        (None, [one]) => Ok(one.clone()),
        (None, _) => Ok(List::value(found)),
    }
}

fn run(host: &dyn Host, name: &str, args: Args) -> Result<Vec<Value>> {
    let added = host.data().and_then(|data| data.downcast_ref::<Added>());
    if let Some(lookup) = added.and_then(|added| added.0.get(name)) {
        return lookup(host, args);
    }
    // Ansible finds lookups that moved to a collection by their old names as well.
    let plain = ["ansible.builtin.", "ansible.legacy.", "community.general.", "ansible.utils."]
        .iter()
        .find_map(|start| name.strip_prefix(start));
    let name = plain.unwrap_or(name);
    if let Some(place) = host.foreign("lookup", name, LOOKUPS.contains_key(name)) {
        return Err(foreign("lookup", name, place));
    }
    match LOOKUPS.get(name) {
        Some(lookup) => (lookup.call)(host, args),
        None => {
            if let Some(reason) = unsupported::reason(name) {
                return Err(unsupported(name, reason));
            }
            let added = added.into_iter().flat_map(|added| added.0.keys().map(String::as_str));
            let names = LOOKUPS.keys().copied().chain(added);
            let suggestion =
                nearest(name, names).map(|suggestion| format!(" Did you mean '{suggestion}'?")).unwrap_or_default();
            Err(Error::new(ErrorKind::UnknownFunction, format!("lookup plugin ({name}) not found.{suggestion}")))
        }
    }
}

/// All lookups of Ansible, by name.
static LOOKUPS: LazyLock<BTreeMap<&str, &Definition<Lookup>>> = LazyLock::new(|| {
    [ABSENT, data::TABLE, variables::TABLE, lists::TABLE, files::TABLE, hostnames::TABLE, password::TABLE]
        .into_iter()
        .flatten()
        .map(|lookup| (lookup.name, lookup))
        .collect()
});

/// Returns the lookups of Ansible. Unsupported ones are included; they return an error with the reason.
pub fn lookups() -> impl Iterator<Item = &'static Definition<Lookup>> {
    LOOKUPS.values().copied()
}

/// Lookups that would run programs, use the network or write files.
const ABSENT: Table = &[
    define("lines", "*commands", "Fails: programs are not run.", |_, _| {
        Err(unsupported("lines", "templates cannot run programs"))
    }),
    define("pipe", "*commands", "Fails: programs are not run.", |_, _| {
        Err(unsupported("pipe", "templates cannot run programs"))
    }),
    define("url", "*urls", "Fails: the network is not used.", |_, _| {
        Err(unsupported("url", "templates cannot use the network"))
    }),
    define("dig", "*names", "Fails: the network is not used.", |_, _| {
        Err(unsupported("dig", "templates cannot use the network"))
    }),
    define("config", "*settings", "Fails: the configuration of Ansible is not read.", |_, _| {
        Err(unsupported("config", "there is no configuration of Ansible"))
    }),
];

/// The error about a lookup that Ansible has; like an unknown lookup, it cannot be ignored.
fn unsupported(name: &str, reason: &str) -> Error {
    Error::new(ErrorKind::UnknownFunction, format!("the lookup '{name}' is not supported: {reason}"))
}
