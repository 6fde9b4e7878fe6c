//! Functions that read and write data in other languages: JSON, YAML, HOCON, TOML, Python and Ruby.

use hieratic_hocon as hocon;
use hieratic_json as json;
use hieratic_json::write::{Ends, JsonWriter, Layout};
use hieratic_output::rich_data;
use hieratic_puppet_functions::{Call, Dispatch, Doc, Flow, Function, Level, Outcome};
use hieratic_value::ErasedSort as _;
use hieratic_value::{Hash, Rich, Value};
use hieratic_yaml as yaml;

use crate::untyped::{arguments, ensure, fail};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function::new(
        "parsejson",
        Doc::new("Parses JSON, with an optional default."),
        &[Dispatch::untyped(|call| parse(call, "parsejson", read_json))],
    ),
    Function::new(
        "parseyaml",
        Doc::new("Parses YAML, with an optional default."),
        &[Dispatch::untyped(|call| parse(call, "parseyaml", read_yaml))],
    ),
    Function::new(
        "loadjson",
        Doc::new("Reads a JSON file, with an optional default."),
        &[Dispatch::untyped(|call| load(call, "loadjson", read_json))],
    ),
    Function::new(
        "loadyaml",
        Doc::new("Reads a YAML file, with an optional default."),
        &[Dispatch::untyped(|call| load(call, "loadyaml", read_yaml))],
    ),
    Function::new(
        "stdlib::parsehocon",
        Doc::new("Parses HOCON, with an optional default."),
        &[Dispatch::new(&["String hocon_string", "Any default?"], |call| {
            let text = call.arguments[0].to_text();
            match (hocon::parse(text.as_bytes()), call.arguments.get(1)) {
                (Ok(value), _) => Ok(value),
                (Err(_), Some(default)) => Ok(default.clone()),
                (Err(error), None) => fail(error.to_string()),
            }
        })],
    ),
    Function::new(
        "stdlib::to_json",
        Doc::new("Converts to JSON.").example("stdlib::to_json({ 'a' => 1 }) # '{\"a\":1}'"),
        &[Dispatch::new(&["Any data"], |call| {
            with_secrets_open(call.arguments[0].clone(), |data| write_json(&data, &JsonFormat::COMPACT))
        })],
    ),
    Function::new(
        "stdlib::to_json_pretty",
        Doc::new("Converts to indented JSON, optionally without undef."),
        &[Dispatch::new(
            &[
                "Variant[Hash, Array] data",
                "Optional[Boolean] skip_undef?",
                "Struct[{indent => Optional[String], space => Optional[String], space_before => Optional[String], object_nl => Optional[String], array_nl => Optional[String], allow_nan => Optional[Boolean], max_nesting => Optional[Integer[-1,default]]}] opts?",
            ],
            to_json_pretty,
        )],
    ),
    Function::new(
        "stdlib::to_python",
        Doc::new("Converts to a Python literal."),
        &[Dispatch::new(&["Any object"], |call| Ok(Value::from(source(&rich_data(&call.arguments[0]), &PYTHON))))],
    ),
    Function::new(
        "stdlib::to_ruby",
        Doc::new("Converts to a Ruby literal."),
        &[Dispatch::new(&["Any object"], |call| Ok(Value::from(source(&rich_data(&call.arguments[0]), &RUBY))))],
    ),
    Function::new(
        "stdlib::to_toml",
        Doc::new("Converts to TOML."),
        &[Dispatch::new(&["Hash data"], |call| {
            with_secrets_open(call.arguments[0].clone(), |data| {
                let mut out = String::new();
                if let Some(hash) = data.as_hash() {
                    toml(hash, &[], &mut out);
                }
                Ok(Value::from(out))
            })
        })],
    ),
    Function::new(
        "stdlib::to_yaml",
        Doc::new("Converts to YAML.").example("stdlib::to_yaml({ 'a' => 1 })"),
        &[Dispatch::new(&["Any data", "Hash options?"], |call| {
            if let Some((name, _)) = call.arguments.get(1).and_then(Value::as_hash).and_then(|hash| hash.iter().next())
            {
                return fail(format!("stdlib::to_yaml(): the option '{}' is not supported", name.to_text()));
            }
            with_secrets_open(call.arguments[0].clone(), |data| {
                hieratic_output::yaml(&data).map(Value::from).or_else(|error| fail(error.to_string()))
            })
        })],
    ),
];

/// Runs a function on data with revealed secrets; if there were any, its result is secret.
pub(crate) fn with_secrets_open(data: Value, run: impl FnOnce(Value) -> Outcome) -> Outcome {
    let mut found = false;
    let answer = run(opened(&data, &mut found))?;
    Ok(if found { Value::sensitive(answer) } else { answer })
}

fn opened(value: &Value, found: &mut bool) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(|element| opened(element, found)).collect(),
        Value::Hash(hash) => {
            let pairs = hash.iter().map(|(key, value)| {
                let key = match key.as_rich() {
                    Some(Rich::Sensitive(inner)) => {
                        *found = true;
                        inner.clone()
                    }
                    _ => key.clone(),
                };
                (key, opened(value, found))
            });
            Value::from(pairs.collect::<Hash>())
        }
        other => match other.as_rich() {
            Some(Rich::Sensitive(inner)) => {
                *found = true;
                opened(inner, found)
            }
            _ => other.clone(),
        },
    }
}

type Parser = fn(&str) -> Result<Value, hieratic_json::Error>;

fn read_json(text: &str) -> Result<Value, hieratic_json::Error> {
    json::parse(text.as_bytes())
}

fn read_yaml(text: &str) -> Result<Value, hieratic_json::Error> {
    yaml::parse(text.as_bytes(), &yaml::Options::new("<text>"))
}

/// Parses a string; returns the default if it is missing, invalid or empty.
fn parse(call: &mut Call<'_>, function: &str, read: Parser) -> Outcome {
    let given = arguments(call, function)?;
    ensure(!given.is_empty(), || "Wrong number of arguments. 1 or 2 arguments should be provided.".into())?;
    let default = given.get(1).filter(|value| value.is_truthy());
    let value = match &given[0] {
        Value::String(text) => read(text).map_err(|error| error.to_string()),
        other => Err(format!("no implicit conversion of {} into String", other.ruby_class())),
    };
    match (value, default) {
        (Ok(value), _) if value.is_truthy() => Ok(value),
        (Ok(value), _) => Ok(given.get(1).cloned().unwrap_or(if value.is_undef() { value } else { Value::Undef })),
        (Err(_), Some(default)) => Ok(default.clone()),
        (Err(message), None) => fail(message),
    }
}

/// Parses a file; returns the default if it cannot be parsed.
fn load(call: &mut Call<'_>, function: &'static str, read: Parser) -> Outcome {
    let given = arguments(call, function)?;
    ensure(!given.is_empty(), || "Wrong number of arguments. 1 or 2 arguments should be provided.".into())?;
    let default = given.get(1).cloned().unwrap_or_default();
    let name = given[0].to_text();
    if name.starts_with("http://") || name.starts_with("https://") {
        return fail(format!("{function}(): '{name}' was not fetched: functions cannot use the network"));
    }
    let path = std::path::Path::new(&name);
    let error = if call.host.file_exists(path)? {
        // A file that may not be read is an error despite the default.
        let bytes = call.host.read_file(path)?;
        match String::from_utf8(bytes) {
            Ok(text) => {
                let or_default = |value: Value| if value.is_truthy() { value } else { default.clone() };
                if let Some(value) = call.host.cached_file_result(function, path, &text) {
                    return Ok(or_default(value));
                }
                match read(&text) {
                    Ok(value) => {
                        call.host.cache_file_result(function, path, text, &value);
                        return Ok(or_default(value));
                    }
                    Err(error) => format!("{name}: {error}"),
                }
            }
            Err(_) => format!("{name}: the file is not valid UTF-8"),
        }
    } else {
        call.host.log(Level::Warning, format!("Can't load '{name}' File does not exist!"));
        return Ok(default);
    };
    if default.is_truthy() { Ok(default) } else { fail(error) }
}

/// The options of Ruby's JSON generator.
struct JsonFormat {
    layout: Layout<'static>,
    allow_nan: bool,
    max_nesting: usize,
}

impl JsonFormat {
    /// `JSON.generate` without options.
    const COMPACT: JsonFormat = JsonFormat { layout: Layout::COMPACT, allow_nan: false, max_nesting: 100 };
}

fn to_json_pretty(call: &mut Call<'_>) -> Outcome {
    let skip = call.arguments.get(1).is_some_and(Value::is_truthy);
    let options = call.arguments.get(2).and_then(Value::as_hash).cloned().unwrap_or_default();
    let text = |name: &str, default: &str| options.get(name).map_or(default.to_owned(), Value::to_text);
    let format = JsonFormat {
        layout: Layout {
            key: format!("{}:{}", text("space_before", ""), text("space", " ")).into(),
            array_break: text("array_nl", "\n").into(),
            object_break: text("object_nl", "\n").into(),
            indent: text("indent", "  ").into(),
            ends: Ends::Indented,
            ..Layout::COMPACT
        },
        allow_nan: options.get("allow_nan").is_some_and(Value::is_truthy),
        max_nesting: match options.get("max_nesting") {
            // Zero and -1 mean no limit; the depth is only limited by the stack.
            Some(Value::Integer(most)) if *most > 0 => usize::try_from(*most).unwrap_or(MAX_DEPTH),
            Some(Value::Integer(_)) => MAX_DEPTH,
            _ => 100,
        },
    };
    let data = match &call.arguments[0] {
        Value::Array(elements) if skip => elements.iter().filter(|element| !element.is_undef()).cloned().collect(),
        Value::Hash(hash) if skip => {
            let kept = hash.iter().filter(|(_, value)| !value.is_undef());
            Value::from(kept.map(|(key, value)| (key.clone(), value.clone())).collect::<Hash>())
        }
        other => other.clone(),
    };
    with_secrets_open(data, |data| {
        let text = write_json(&data, &format)?.to_text();
        Ok(Value::from(text + "\n"))
    })
}

/// The maximum nesting depth of values.
const MAX_DEPTH: usize = 1000;

fn write_json(value: &Value, format: &JsonFormat) -> Outcome {
    let mut writer = JsonWriter::new(String::new(), &format.layout);
    json_into(&mut writer, value, format)?;
    Ok(Value::from(writer.into_output()))
}

/// Ruby's `JSON.generate` and `JSON.pretty_generate`.
fn json_into(writer: &mut JsonWriter<'_, String>, value: &Value, format: &JsonFormat) -> Result<(), Flow> {
    let depth = writer.depth();
    if matches!(value, Value::Array(_) | Value::Hash(_)) && depth >= format.max_nesting.min(MAX_DEPTH) {
        return fail(format!("nesting of {} is too deep", depth + 1));
    }
    match value {
        Value::Undef => writer.word("null"),
        Value::Float(number) if !number.is_finite() && !format.allow_nan => {
            return fail(format!("{} not allowed in JSON", value.to_text()));
        }
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => writer.word(&value.to_text()),
        Value::Array(elements) => {
            writer.begin_array();
            for element in elements.iter() {
                json_into(writer, element, format)?;
            }
            writer.end();
        }
        Value::Hash(hash) => {
            writer.begin_object();
            for (key, value) in hash.iter() {
                writer.key(&key.to_text());
                json_into(writer, value, format)?;
            }
            writer.end();
        }
        other => writer.string(&other.to_text()),
    }
    Ok(())
}

/// The syntax in which languages differ.
struct LanguageSyntax {
    truth: [&'static str; 2],
    nothing: &'static str,
    arrow: &'static str,
}

const PYTHON: LanguageSyntax = LanguageSyntax { truth: ["False", "True"], nothing: "None", arrow: ": " };
const RUBY: LanguageSyntax = LanguageSyntax { truth: ["false", "true"], nothing: "nil", arrow: " => " };

/// Writes data as source code of a language.
fn source(value: &Value, words: &LanguageSyntax) -> String {
    match value {
        Value::Undef => words.nothing.into(),
        Value::Boolean(truth) => words.truth[usize::from(*truth)].into(),
        Value::Array(elements) => {
            format!("[{}]", elements.iter().map(|element| source(element, words)).collect::<Vec<_>>().join(", "))
        }
        Value::Hash(hash) => {
            let pair = |(key, value)| source(key, words) + words.arrow + &source(value, words);
            format!("{{{}}}", hash.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
        other => other.inspect(),
    }
}

/// Writes a table: first simple values, then nested tables, then arrays of tables, each sorted by name.
fn toml(table: &Hash, prefix: &[String], out: &mut String) {
    let (simple, tables, lists) = sorted(table);
    if !prefix.is_empty() && (!simple.is_empty() || table.is_empty()) {
        out.push_str(&format!("[{}]\n", prefix.join(".")));
    }
    toml_parts(&simple, &tables, &lists, prefix, out);
}

type Pairs<'a> = Vec<(String, &'a Value)>;

fn sorted(table: &Hash) -> (Pairs<'_>, Pairs<'_>, Pairs<'_>) {
    let mut all: Pairs<'_> = table.iter().map(|(key, value)| (key.to_text(), value)).collect();
    all.sort_erased_by(|(left, _), (right, _)| left.cmp(right));
    let (mut simple, mut tables, mut lists) = (Vec::new(), Vec::new(), Vec::new());
    for (key, value) in all {
        let key = toml_key(&key);
        match value {
            Value::Hash(_) => tables.push((key, value)),
            Value::Array(elements) if matches!(elements.first(), Some(Value::Hash(_))) => lists.push((key, value)),
            _ => simple.push((key, value)),
        }
    }
    (simple, tables, lists)
}

fn toml_parts(simple: &Pairs<'_>, tables: &Pairs<'_>, lists: &Pairs<'_>, prefix: &[String], out: &mut String) {
    let below = |key: &String| prefix.iter().chain([key]).cloned().collect::<Vec<_>>();
    for (key, value) in simple {
        out.push_str(&format!("{key} = {}\n", toml_value(value)));
    }
    for (key, value) in tables {
        if let Value::Hash(table) = value {
            toml(table, &below(key), out);
        }
    }
    for (key, value) in lists {
        let prefix = below(key);
        for table in value.as_array().unwrap_or_default().iter().filter_map(Value::as_hash) {
            out.push_str(&format!("[[{}]]\n", prefix.join(".")));
            let (simple, tables, lists) = sorted(table);
            toml_parts(&simple, &tables, &lists, &prefix, out);
        }
    }
}

fn toml_key(key: &str) -> String {
    let bare = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { key.to_owned() } else { format!("\"{}\"", key.replace('"', "\\\"")) }
}

fn toml_value(value: &Value) -> String {
    match value {
        // Ruby escapes its own interpolation, which is not a valid escape in TOML.
        Value::String(_) => value.inspect().replace("\\#", "#"),
        Value::Array(elements) => format!("[{}]", elements.iter().map(toml_value).collect::<Vec<_>>().join(", ")),
        other => other.inspect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(text: &str) -> Value {
        json::parse(text.as_bytes()).unwrap_or_default()
    }

    #[test]
    fn tables_of_toml() {
        let mut out = String::new();
        let value = data(r#"{"b":{"x":1,"y":{"z":[1,"a"]}},"a":"q","c":[{"n":1},{"n":2}],"d e":true}"#);
        toml(&value.as_hash().cloned().unwrap_or_default(), &[], &mut out);
        let expected = "a = \"q\"\n\"d e\" = true\n[b]\nx = 1\n[b.y]\nz = [1, \"a\"]\n[[c]]\nn = 1\n[[c]]\nn = 2\n";
        assert_eq!(out, expected);
    }

    #[test]
    fn source_of_other_languages() {
        let value = data(r#"{"a":[true,null,1.5,"x"]}"#);
        assert_eq!(source(&value, &PYTHON), "{\"a\": [True, None, 1.5, \"x\"]}");
        assert_eq!(source(&value, &RUBY), "{\"a\" => [true, nil, 1.5, \"x\"]}");
    }

    #[test]
    fn secrets_make_secrets() {
        let secret = Value::from(vec![Value::sensitive(Value::from("x"))]);
        let answer = with_secrets_open(secret, |data| write_json(&data, &JsonFormat::COMPACT));
        assert_eq!(answer.ok(), Some(Value::sensitive(Value::from("[\"x\"]"))));
    }
}
