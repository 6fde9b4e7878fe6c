//! The functions that every template has: <https://jinja.palletsprojects.com/en/3.1.x/templates/#builtin-globals>.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use minijinja::Value;
use minijinja::value::{Object, ObjectRepr};

use crate::call::Args;
use crate::error::{Result, error};
use crate::extension::Extension;
use crate::host::{Function, Host, Table, define};
use crate::objects::{Cycler, Entries, Joiner, List, Namespace};
use crate::options::Extensions;
use crate::python::number::index;

/// A function that every template has. The renderer calls it.
#[derive(Debug)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// The function.
    pub call: Function,
}

impl Object for Builtin {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "<function {}>", self.name)
    }
}

/// The longest range.
const LONGEST: i64 = 1_000_000;

/// The functions of the language.
pub const TABLE: Table = &[
    define(
        "cycler",
        "*items",
        "Makes an object that returns its arguments in turn: `next()`, `current`, `reset()`.",
        |_, args| {
            args.only(&[])?;
            if args.positional.is_empty() {
                return Err(error("at least one item has to be provided"));
            }
            Ok(Value::from_object(Cycler { items: args.positional, at: AtomicUsize::new(0) }))
        },
    ),
    define("dict", "**items", "Makes a dictionary of pairs and named arguments.", |_, args| crate::filters::dict(args)),
    define(
        "joiner",
        "sep=', '",
        "Makes a function that returns an empty string at its first call, later the separator.",
        |_, args| {
            let [separator] = args.bind(["sep"], 0)?;
            let separator = separator.unwrap_or_else(|| Value::from(", "));
            Ok(Value::from_object(Joiner { separator, calls: AtomicUsize::new(0) }))
        },
    ),
    define("lipsum", "", "Fails: random text is not supported.", |_, _| {
        Err(error("the function lipsum is not supported: write the text in the template"))
    }),
    define(
        "namespace",
        "**attributes",
        "Makes an object whose attributes `set` can change within loops.",
        |_, mut args| {
            let named = std::mem::take(&mut args.named);
            let mut entries = Entries::new();
            if let [Some(from)] = args.bind(["mapping"], 0)? {
                entries.extend(crate::python::methods::pairs(&from)?);
            }
            entries.extend(named.into_iter().map(|(name, value)| (Value::from(&*name), value)));
            Ok(Value::from_object(Namespace::new(entries)))
        },
    ),
    define(
        "range",
        "start, stop=None, step=1",
        "Returns the whole numbers from a start to before an end, in steps.",
        |_, args| {
            let (start, step, count) = numbers(args)?;
            Ok(List::value((0..count).map(|at| Value::from(start + at * step)).collect()))
        },
    ),
];

/// The functions for translations: <https://jinja.palletsprojects.com/en/3.1.x/extensions/#i18n-extension>.
const TRANSLATIONS: Table = &[
    define("_", "message", "Returns the message, without a translation.", gettext),
    define("gettext", "message", "Returns the message, without a translation.", gettext),
    define(
        "ngettext",
        "singular, plural, n",
        "Returns the message for one or for many, without a translation.",
        |_, args| {
            let [one, many, count] = args.bind(["singular", "plural", "n"], 3)?;
            counted(one, many, count)
        },
    ),
    define(
        "npgettext",
        "context, singular, plural, n",
        "Returns the message of a context for one or for many, without a translation.",
        |_, args| {
            let [_, one, many, count] = args.bind(["context", "singular", "plural", "n"], 4)?;
            counted(one, many, count)
        },
    ),
    define("pgettext", "context, message", "Returns the message of a context, without a translation.", |_, args| {
        let [_, message] = args.bind(["context", "message"], 2)?;
        Ok(message.unwrap_or_default())
    }),
];

fn gettext(_: &dyn Host, args: Args) -> Result<Value> {
    let [message] = args.bind(["message"], 1)?;
    Ok(message.unwrap_or_default())
}

/// Returns the function or string with a name, as a value.
pub fn global(name: &str, extensions: Extensions, extension: &Extension) -> Option<Value> {
    let translations: Table = if extensions.translations { TRANSLATIONS } else { &[] };
    let mut functions = [TABLE, extension.functions, translations].into_iter().flatten();
    if let Some(definition) = functions.find(|definition| definition.name == name) {
        return Some(Value::from_object(Builtin { name: definition.name, call: definition.call }));
    }
    extension.constants.iter().find(|(known, _)| *known == name).map(|(_, text)| Value::from(*text))
}

/// Returns the singular or the plural message.
fn counted(one: Option<Value>, many: Option<Value>, count: Option<Value>) -> Result<Value> {
    let is_one = crate::python::compare::equal(&count.unwrap_or_default(), &Value::from(1))?;
    Ok(if is_one { one } else { many }.unwrap_or_default())
}

/// Returns the first number of a range, its step, and its length. Charges the cost of a list of the numbers.
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
