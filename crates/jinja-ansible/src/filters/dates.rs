//! Filters of points in time. => Filters of dates and times.

use hieratic_jinja::extend::filters::arguments::{as_flag, as_text, given, strict, strict_text};
use hieratic_jinja::extend::objects::Datetime;
use hieratic_jinja::extend::{Args, Host, Result, Table, Value, define, error};

pub const TABLE: Table = &[
    define(
        "strftime",
        "second=None, utc=False",
        "Formats a time in seconds, or the current one, by this format.",
        strftime,
    ),
    define("to_datetime", "format='%Y-%m-%d %H:%M:%S'", "Reads a time by a format of `strptime`.", to_datetime),
];

fn strftime(_: &dyn Host, args: Args) -> Result<Value> {
    let [format, second, utc] = args.bind(["string_format", "second", "utc"], 1)?;
    let utc = as_flag(utc, false)?;
    let format = strict(&format, "strftime")?;
    let time = match second.filter(|second| !second.is_none()) {
        None => Datetime::now(utc),
        Some(second) => {
            let bad = || error(format!("Invalid value for epoch value ({second})"));
            let seconds = match second.as_str() {
                Some(text) => hieratic_python_values::parse_float(text).ok_or_else(bad)?,
                None => hieratic_jinja::extend::python::number::number(&second)?.ok_or_else(bad)?.to_f64(),
            };
            Datetime::from_seconds(seconds, utc)?
        }
    };
    let (zone, offset) = time.zone(utc);
    // Seconds are all that C knows of.
    time.format_in(&format, &zone, &offset, "%%f").map(Value::from)
}

fn to_datetime(_: &dyn Host, args: Args) -> Result<Value> {
    let [text, format] = args.bind(["string", "format"], 1)?;
    let format = format.map_or(Ok("%Y-%m-%d %H:%M:%S".into()), |format| as_text(&Some(format)))?;
    let text = strict_text(&given(text), "to_datetime")?;
    Datetime::parse(&text, &format).map(Value::from_object)
}
