//! Ansible's functions: `lookup`, `query`, `now` and `undef`.

use hieratic_jinja::extend::objects::{Datetime, UndefinedOrigin};
use hieratic_jinja::extend::python::kind::truth;
use hieratic_jinja::extend::python::str;
use hieratic_jinja::extend::{Table, Value};

use crate::lookups;

/// The functions.
pub const TABLE: Table = &[
    ("lookup", |host, args| lookups::call(host, args, false)),
    ("now", |_, args| {
        let [utc, format] = args.bind(["utc", "fmt"], 0)?;
        let now = Datetime::now(utc.map_or(Ok(false), |utc| truth(&utc))?);
        match format.filter(|format| truth(format).unwrap_or(false)) {
            Some(format) => now.format(&str(&format)?).map(Value::from),
            None => Ok(Value::from_object(now)),
        }
    }),
    ("q", |host, args| lookups::call(host, args, true)),
    ("query", |host, args| lookups::call(host, args, true)),
    ("undef", |host, args| {
        let [hint] = args.bind(["hint"], 0)?;
        let hint = hint.filter(|hint| truth(hint).unwrap_or(false)).map(|hint| str(&hint)).transpose()?;
        let hint = hint.unwrap_or_else(|| "Mandatory variable has not been overridden".into());
        Ok(host.missing(UndefinedOrigin::Hint(hint)))
    }),
];

/// The placeholder of an omitted argument in Ansible's modules.
pub const OMIT: &str = "__omit_place_holder__";
