//! The functions that every template has: <https://jinja.palletsprojects.com/en/3.1.x/templates/#builtin-globals>, and
//! those of Ansible: `lookup`, `query`, `now`, `undef`.

use std::sync::atomic::AtomicUsize;

use minijinja::Value;

use crate::call::Args;
use crate::error::{Result, error};
use crate::host::Host;
use crate::lookups;
use crate::objects::{Builtin, Cycler, Datetime, Entries, Joiner, List, Namespace, What};
use crate::options::Extensions;
use crate::python::kind::truth;
use crate::python::number::index;
use crate::python::str;

/// The names of all functions.
pub const NAMES: [&str; 11] =
    ["cycler", "dict", "joiner", "lipsum", "lookup", "namespace", "now", "q", "query", "range", "undef"];

/// What stands for an argument that is left out, in the modules of Ansible.
const OMIT: &str = "__omit_place_holder__";

/// The longest range.
const LONGEST: i64 = 1_000_000;

/// The functions for translations: <https://jinja.palletsprojects.com/en/3.1.x/extensions/#i18n-extension>.
const TRANSLATIONS: [&str; 5] = ["_", "gettext", "ngettext", "npgettext", "pgettext"];

/// The function with a name, as a value.
pub fn global(name: &str, extensions: Extensions) -> Option<Value> {
    if name == "omit" {
        return Some(Value::from(OMIT));
    }
    let translations: &[&str] = if extensions.translations { &TRANSLATIONS } else { &[] };
    NAMES.iter().chain(translations).find(|known| **known == name).map(|known| Value::from_object(Builtin(known)))
}

/// Calls a function.
pub fn call(host: &dyn Host, name: &str, mut args: Args) -> Result<Value> {
    match name {
        "lookup" => lookups::call(host, args, false),
        "query" | "q" => lookups::call(host, args, true),
        "range" => range(args),
        "dict" => crate::filters::dict(args),
        "namespace" => {
            let named = std::mem::take(&mut args.named);
            let mut entries = Entries::new();
            if let [Some(from)] = args.bind(["mapping"], 0)? {
                entries.extend(crate::python::methods::pairs(&from)?);
            }
            entries.extend(named.into_iter().map(|(name, value)| (Value::from(&*name), value)));
            Ok(Value::from_object(Namespace::new(entries)))
        }
        "cycler" => {
            args.only(&[])?;
            if args.positional.is_empty() {
                return Err(error("at least one item has to be provided"));
            }
            Ok(Value::from_object(Cycler { items: args.positional, at: AtomicUsize::new(0) }))
        }
        "joiner" => {
            let [separator] = args.bind(["sep"], 0)?;
            let separator = separator.unwrap_or_else(|| Value::from(", "));
            Ok(Value::from_object(Joiner { separator, calls: AtomicUsize::new(0) }))
        }
        "now" => {
            let [utc, format] = args.bind(["utc", "fmt"], 0)?;
            let now = Datetime::now(utc.map_or(Ok(false), |utc| truth(&utc))?);
            match format.filter(|format| truth(format).unwrap_or(false)) {
                Some(format) => now.format(&str(&format)?).map(Value::from),
                None => Ok(Value::from_object(now)),
            }
        }
        "undef" => {
            let [hint] = args.bind(["hint"], 0)?;
            let hint = hint.filter(|hint| truth(hint).unwrap_or(false)).map(|hint| str(&hint)).transpose()?;
            let hint = hint.unwrap_or_else(|| "Mandatory variable has not been overridden".into());
            Ok(host.missing(What::Hint(hint)))
        }
        "_" | "gettext" => {
            let [message] = args.bind(["message"], 1)?;
            Ok(message.unwrap_or_default())
        }
        "pgettext" => {
            let [_, message] = args.bind(["context", "message"], 2)?;
            Ok(message.unwrap_or_default())
        }
        "ngettext" => {
            let [one, many, count] = args.bind(["singular", "plural", "n"], 3)?;
            counted(one, many, count)
        }
        "npgettext" => {
            let [_, one, many, count] = args.bind(["context", "singular", "plural", "n"], 4)?;
            counted(one, many, count)
        }
        _ => Err(error("the function lipsum is not supported: write the text in the template")),
    }
}

/// The text for one, or that for another number.
fn counted(one: Option<Value>, many: Option<Value>, count: Option<Value>) -> Result<Value> {
    let is_one = crate::python::compare::equal(&count.unwrap_or_default(), &Value::from(1))?;
    Ok(if is_one { one } else { many }.unwrap_or_default())
}

fn range(args: Args) -> Result<Value> {
    let (start, step, count) = numbers(args)?;
    Ok(List::value((0..count).map(|at| Value::from(start + at * step)).collect()))
}

/// The first number of a range, the distance of each to the next, and how many there are; as much is charged as for a list of them.
pub fn numbers(args: Args) -> Result<(i64, i64, i64)> {
    let [start, stop, step] = args.bind(["start", "stop", "step"], 1)?;
    let start = index(&start.unwrap_or_default())?;
    let (start, stop) = match stop {
        Some(stop) => (start, index(&stop)?),
        None => (0, start),
    };
    let step = step.map_or(Ok(1), |step| index(&step))?;
    if step == 0 {
        return Err(error("range() arg 3 must not be zero"));
    }
    let distance = if step > 0 { stop.saturating_sub(start) } else { start.saturating_sub(stop) };
    let count = distance.max(0).saturating_add(step.saturating_abs() - 1) / step.saturating_abs();
    if count > LONGEST {
        return Err(error(format!("a range of more than {LONGEST} numbers is too long")));
    }
    crate::work::elements(usize::try_from(count).unwrap_or(usize::MAX))?;
    Ok((start, step, count))
}
