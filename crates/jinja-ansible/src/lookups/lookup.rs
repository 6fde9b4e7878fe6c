//! [`Lookup`]: the type of lookups, and their terms. => [`Lookup`]: the signature of lookups.

use hieratic_jinja::extend::python::iterate;
use hieratic_jinja::extend::python::kind::is_sequence;
use hieratic_jinja::extend::{Args, Definition, Host, Result, Value};

/// A lookup of Ansible. Its arguments by position are the terms.
pub type Lookup = fn(&dyn Host, Args) -> Result<Vec<Value>>;

/// A table of lookups by name.
pub type Table = &'static [Definition<Lookup>];

/// Returns the terms, with one level of nested lists flattened.
pub fn flattened(terms: &[Value]) -> Result<Vec<Value>> {
    let mut out = Vec::new();
    for term in terms {
        if is_sequence(term) { out.extend(iterate(term)?) } else { out.push(term.clone()) }
    }
    Ok(out)
}
