//! Values as JSON and YAML, and back. => Filters that convert values to and from JSON and YAML.

use hieratic_jinja::extend::filters::arguments::{as_flag, as_index, as_text, given, strict_text};
use hieratic_jinja::extend::filters::json_text;
use hieratic_jinja::extend::json::{self, Layout};
use hieratic_jinja::extend::objects::List;
use hieratic_jinja::extend::python::kind::entries;
use hieratic_jinja::extend::python::{iterate, str};
use hieratic_jinja::extend::{Args, Result, Table, Value, define, error, yaml};

pub const TABLE: Table = &[
    define("from_json", "", "Reads JSON.", |_, args| {
        let [text] = args.bind(["s"], 1)?;
        json::parse(&strict_text(&given(text), "from_json")?)
    }),
    define("from_yaml", "", "Reads a document of YAML.", |_, args| {
        let [text] = args.bind(["data"], 1)?;
        let text = given(text);
        match text.as_str() {
            Some(text) => {
                let mut documents = yaml::parse(text)?;
                match documents.len() {
                    0 => Ok(Value::from(())),
                    1 => Ok(documents.remove(0)),
                    _ => Err(error("expected a single document in the stream, but found another document")),
                }
            }
            None => Ok(text),
        }
    }),
    define("from_yaml_all", "", "Reads all documents of YAML.", |_, args| {
        let [text] = args.bind(["data"], 1)?;
        let text = given(text);
        match text.as_str() {
            Some(text) => yaml::parse(text).map(List::value),
            None => Ok(text),
        }
    }),
    define(
        "to_json",
        "**options",
        "Writes the value as JSON; takes `indent`, `sort_keys`, `ensure_ascii` and `separators`.",
        |_, args| {
            if args.positional.len() > 1 {
                return Err(error(format!(
                    "dumps() takes 1 positional argument but {} positional arguments were given",
                    args.positional.len()
                )));
            }
            let layout = Layout { item: ", ".into(), key: ": ".into(), ..Layout::default() };
            json_text(args, layout).map(Value::from_safe_string)
        },
    ),
    define(
        "to_nice_json",
        "indent=4, sort_keys=True, **options",
        "Writes the value as JSON over several lines, with sorted keys.",
        |_, args| {
            let layout =
                Layout { indent: Some(4), sort: true, item: ",".into(), key: ": ".into(), ..Layout::default() };
            json_text(args, layout).map(Value::from_safe_string)
        },
    ),
    define(
        "to_yaml",
        "**options",
        "Writes the value as YAML; takes `indent`, `width`, `default_flow_style`, `sort_keys` and others of PyYAML.",
        |_, args| to_yaml(args, yaml::Layout::default()),
    ),
    define(
        "to_nice_yaml",
        "indent=4, **options",
        "Writes the value as YAML in block style, with an indent.",
        |_, args| to_yaml(args, yaml::Layout { indent: 4, flow: Some(false), ..yaml::Layout::default() }),
    ),
];

fn to_yaml(mut args: Args, mut layout: yaml::Layout) -> Result<Value> {
    let number =
        |value: Value| as_index(Some(value), 0).map(|number| usize::try_from(number).unwrap_or(0).min(1 << 20));
    // Without a number, PyYAML indents by two.
    let indented = |indent: Value| if indent.is_none() { Ok(2) } else { number(indent) };
    if let Some(indent) = args.take("indent") {
        layout.indent = indented(indent)?;
    }
    if let Some(width) = args.take("width").filter(|width| !width.is_none()) {
        layout.width = match hieratic_jinja::extend::python::number::number(&width)? {
            Some(width) if width.to_f64().is_infinite() => usize::MAX,
            _ => number(width)?,
        };
    }
    if let Some(flow) = args.take("default_flow_style") {
        layout.flow = if flow.is_none() { None } else { Some(as_flag(Some(flow), false)?) };
    }
    if let Some(sort) = args.take("sort_keys") {
        layout.sort = as_flag(Some(sort), true)?;
    }
    if args.take("allow_unicode").is_some() {
        return Err(error("yaml.dump() got multiple values for keyword argument 'allow_unicode'"));
    }
    layout.explicit_start = as_flag(args.take("explicit_start"), false)?;
    layout.explicit_end = as_flag(args.take("explicit_end"), false)?;
    layout.canonical = as_flag(args.take("canonical"), false)?;
    if let Some(style) = args.take("default_style").filter(|style| !style.is_none()) {
        match as_text(&Some(style))?.as_str() {
            "" => {}
            "\"" => layout.quote = Some('"'),
            "'" => layout.quote = Some('\''),
            "|" => layout.quote = Some('|'),
            ">" => layout.quote = Some('>'),
            // The reference ignores any other string.
            _ => layout.quote = Some('\0'),
        }
    }
    // The result is a string, whatever its encoding.
    args.take("encoding");
    let mut directives = String::new();
    if let Some(version) = args.take("version").filter(|version| !version.is_none()) {
        let parts = iterate(&version)?.iter().map(str).collect::<Result<Vec<_>>>()?;
        directives.push_str(&format!("%YAML {}\n", parts.join(".")));
    }
    if let Some(tags) = args.take("tags").filter(|tags| !tags.is_none()) {
        for (handle, prefix) in entries(&tags)? {
            directives.push_str(&format!("%TAG {} {}\n", str(&handle)?, str(&prefix)?));
        }
    }
    layout.explicit_start |= !directives.is_empty();
    let [value, indent] = args.bind(["a", "indent"], 1)?;
    if let Some(indent) = indent {
        layout.indent = indented(indent)?;
    }
    let text = yaml::write(&given(value), &layout)?;
    Ok(Value::from_safe_string(directives + &text))
}
