//! Filters of `ansible.utils` about XML, with the answers of Python's `xmltodict`: keys with `@` are attributes, `#text`
//! is text.

mod reader;
mod writer;

use hieratic_jinja::extend::filters::arguments::given;
use hieratic_jinja::extend::json::{self, Layout};
use hieratic_jinja::extend::python::{Kind, kind, type_name};
use hieratic_jinja::extend::{Args, Error, Host, Result, Value, error, work};

use super::arguments::{check_given, flag_or_true, integer, text, text_or};

fn failed(filter: &str, problem: &str) -> Error {
    error(format!("Error when using plugin '{filter}': {problem}"))
}

fn check_engine(engine: Option<Value>, filter: &str) -> Result<()> {
    match text_or(engine, "xmltodict", "engine")?.as_str() {
        "xmltodict" => Ok(()),
        other => Err(failed(filter, &format!("engine: {other} is not supported"))),
    }
}

/// Returns the filter `to_xml`: a dictionary as XML.
pub fn to_xml(_: &dyn Host, args: Args) -> Result<Value> {
    let [data, engine, indent, width, full] =
        args.bind(["data", "engine", "indent", "indent_width", "full_document"], 1)?;
    check_engine(engine, "to_xml")?;
    let data = dictionary(given(data))?;
    if let Some(width) = &width {
        check_given(width, "indent_width", "int")?;
    }
    let width = integer(width, "indent_width")?;
    let indent = match text_or(indent, "tabs", "indent")?.as_str() {
        "tabs" => "\t".to_owned(),
        "spaces" => {
            // A negative number repeats a string never.
            let width = width.map_or(Ok(4), |width| {
                if width.sign() == num_bigint::Sign::Minus { Ok(0) } else { usize::try_from(width) }
            });
            let width = width.ok().filter(|width| *width <= 1_000).ok_or_else(|| error("indent_width is too large"))?;
            " ".repeat(width)
        }
        other => return Err(error(format!("value of indent must be one of: tabs, spaces, got: {other}"))),
    };
    let full = flag_or_true(full, "full_document")?;
    writer::write(&data, &indent, full).map(Value::from)
}

/// Returns the data of `to_xml`, which may be JSON.
fn dictionary(data: Value) -> Result<Value> {
    let data = match kind(&data)? {
        Kind::Str(text) if text.starts_with('{') => json::parse(text)?,
        _ => data,
    };
    match kind(&data)? {
        Kind::Dict => Ok(data),
        Kind::Missing(missing) => Err(hieratic_jinja::extend::undefined(missing.message())),
        _ => Err(error(format!("the data of to_xml must be a dictionary, not {}", type_name(&data)))),
    }
}

/// Returns the filter `from_xml`: XML as JSON.
pub fn from_xml(_: &dyn Host, args: Args) -> Result<Value> {
    let [data, engine] = args.bind(["data", "engine"], 1)?;
    check_engine(engine, "from_xml")?;
    let data = text(data, "data")?;
    work::scan(data.len())?;
    let read = reader::read(&data)?;
    json::write(&read, &Layout::default()).map(Value::from)
}
