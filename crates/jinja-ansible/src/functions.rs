//! Ansible's functions: `lookup`, `query`, `now` and `undef`.

use hieratic_jinja::extend::objects::{Datetime, UndefinedOrigin};
use hieratic_jinja::extend::python::kind::truth;
use hieratic_jinja::extend::python::str;
use hieratic_jinja::extend::{Table, Value, define};

use crate::lookups;

/// The functions by name.
pub const TABLE: Table = &[
    define(
        "lookup",
        "name, *terms, wantlist=False, **options",
        "Returns the results of a lookup: strings joined by commas, a single value as such.",
        |host, args| lookups::call(host, args, false),
    ),
    define("now", "utc=False, fmt=None", "Returns the current time, formatted if `fmt` is given.", |_, args| {
        let [utc, format] = args.bind(["utc", "fmt"], 0)?;
        let now = Datetime::now(utc.map_or(Ok(false), |utc| truth(&utc))?);
        match format.filter(|format| truth(format).unwrap_or(false)) {
            Some(format) => now.format(&str(&format)?).map(Value::from),
            None => Ok(Value::from_object(now)),
        }
    }),
    define("q", "name, *terms, **options", "Returns the results of a lookup as a list.", |host, args| {
        lookups::call(host, args, true)
    }),
    define("query", "name, *terms, **options", "Returns the results of a lookup as a list.", |host, args| {
        lookups::call(host, args, true)
    }),
    define("undef", "hint=None", "Returns an undefined value whose use fails with this hint.", |host, args| {
        let [hint] = args.bind(["hint"], 0)?;
        let hint = hint.filter(|hint| truth(hint).unwrap_or(false)).map(|hint| str(&hint)).transpose()?;
        let hint = hint.unwrap_or_else(|| "Mandatory variable has not been overridden".into());
        Ok(host.missing(UndefinedOrigin::Hint(hint)))
    }),
];

/// The value of Ansible's variable `omit`: a module argument that has this value is not passed.
pub const OMIT: &str = "__omit_place_holder__";
