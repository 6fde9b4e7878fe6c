//! Templates of levant: a file with `[[ ]]`, in which the dot has the variables.

use std::collections::BTreeMap;

use hieratic_budget::Budget;
use hieratic_go_template::{Fault, Functions, Rendering, Syntax, Templates, Value, parse_into, render, sprig};
use hieratic_hcl_types::go::letters;
use hieratic_sandbox::Files;

use crate::failure::Failure;
use crate::go_yaml;
use crate::pack::PackFile;
use crate::render::{RenderOptions, RenderedFile};
use crate::text_functions::{self, from_json};

/// The functions of levant that sprig does not have. A name that both have is sprig's.
const OWN: &str = "\
    consulKey consulKeyExists consulKeyOrDefault fileContents loop parseBool parseFloat parseInt parseJSON parseUint \
    timeNow timeNowUTC timeNowTimezone toLower toUpper subtract multiply divide modulo firstRuneToUpper \
    firstRuneToLower runeToUpper runeToLower spewDump spewPrintf levantAdd levantReplace levantEnv sprigVersion";

fn is_function(name: &str) -> bool {
    OWN.split_ascii_whitespace().any(|known| known == name) || sprig::is_function(name)
}

const SYNTAX: Syntax<'static> = Syntax { left: "[[", right: "]]", functions: Some(&is_function) };

/// Renders a template with variables.
///
/// # Errors
/// The template cannot be parsed, or fails.
pub fn render_levant(
    file: &PackFile,
    variables: BTreeMap<String, Value>,
    options: &RenderOptions<'_>,
) -> Result<RenderedFile, Failure> {
    let files = [file];
    let mut templates = Templates::default();
    let parsed = parse_into(&mut templates, file.template_name(), &file.text, &SYNTAX, options.budget);
    parsed.map_err(|error| Failure::of_parse(&error, &files))?;
    let rendering = Rendering {
        templates: &templates,
        functions: &LevantFunctions(options.files),
        is_strict: options.is_strict,
        no_value: "<no value>",
        budget: options.budget,
    };
    let rendered = render(file.template_name(), &Value::map(variables), &rendering);
    let rendered = rendered.map_err(|error| Failure::of_render(&error, &files, "levant"))?;
    Ok(RenderedFile { name: file.template_name().to_owned(), text: rendered.text, segments: rendered.segments })
}

/// The variables in a file of YAML.
///
/// # Errors
/// The file is not valid.
pub fn yaml_variables(name: &str, text: &str, budget: &Budget) -> Result<BTreeMap<String, Value>, Failure> {
    let value = go_yaml::read(text, budget).map_err(|error| Failure::new(format!("{name}: yaml: {error}")))?;
    entries(name, value)
}

/// The variables in a file of JSON.
///
/// # Errors
/// The file is not valid.
pub fn json_variables(name: &str, text: &str, budget: &Budget) -> Result<BTreeMap<String, Value>, Failure> {
    let value = from_json(text, budget).map_err(|error| Failure::new(format!("{name}: {error}")))?;
    entries(name, value)
}

/// The entries of a map, which nothing has none of.
fn entries(name: &str, value: Value) -> Result<BTreeMap<String, Value>, Failure> {
    match value {
        Value::Map(entries) => Ok((*entries).clone()),
        Value::Nil => Ok(BTreeMap::new()),
        _ => Err(Failure::new(format!("{name}: expected names with values"))),
    }
}

struct LevantFunctions<'f>(&'f Files);

impl Functions for LevantFunctions<'_> {
    fn call(&self, name: &str, arguments: &[Value], rendering: &Rendering<'_>) -> Option<Result<Value, Fault>> {
        Some(match (name, arguments) {
            ("toLower", [Value::String(text)]) => Ok(letters::to_lower(text).into()),
            ("toUpper", [Value::String(text)]) => Ok(letters::to_upper(text).into()),
            ("firstRuneToUpper", [Value::String(text)]) => with_letter(text, 0, letters::upper),
            ("firstRuneToLower", [Value::String(text)]) => with_letter(text, 0, letters::lower),
            ("runeToUpper", [Value::String(text), Value::Int(index)]) => with_letter(text, *index, letters::upper),
            ("runeToLower", [Value::String(text), Value::Int(index)]) => with_letter(text, *index, letters::lower),
            ("parseBool", [Value::String(text)]) => parse_bool(text).map(Value::Bool),
            ("parseUint", [Value::String(text)])
                if text.parse::<u64>().is_ok_and(|number| number > i64::MAX as u64) =>
            {
                Err(Fault::NotHere("an integer out of range".to_owned()))
            }
            ("parseInt" | "parseUint", [Value::String(text)]) => parsed(text, 0).map(Value::Int),
            ("parseFloat", [Value::String(text)]) => parsed(text, 0.0).map(Value::Float),
            ("parseJSON", [Value::String(text)]) if text.is_empty() => Ok(Value::map(Vec::<(String, Value)>::new())),
            ("parseJSON", [Value::String(text)]) => from_json(text, rendering.budget),
            ("loop", bounds) => numbers(bounds),
            ("subtract", [b, a]) => arithmetic(a, b, i64::checked_sub, |a, b| a - b),
            ("multiply", [b, a]) => arithmetic(a, b, i64::checked_mul, |a, b| a * b),
            ("divide", [b, a]) => arithmetic(a, b, i64::checked_div, |a, b| a / b),
            ("modulo", [Value::Int(b), Value::Int(a)]) => {
                a.checked_rem(*b).map(Value::Int).ok_or_else(|| Fault::error("runtime error: integer divide by zero"))
            }
            ("levantAdd", [b, a]) => arithmetic(a, b, i64::checked_add, |a, b| a + b),
            ("levantReplace", [Value::String(text), Value::String(from), Value::String(to)]) => {
                Ok(text.replace(&**from, to).into())
            }
            ("fileContents", [Value::String(path)]) if path.is_empty() => Ok("".into()),
            ("fileContents", [Value::String(path)]) => match self.0.read_text(std::path::Path::new(&**path)) {
                Ok(text) => Ok(text.into()),
                Err(error) => Err(Fault::error(format!("failed to read {path}: {error}"))),
            },
            _ if OWN.split_ascii_whitespace().any(|known| known == name) => Err(Fault::NotHere(name.to_owned())),
            _ => return text_functions::call(name, arguments, rendering.budget),
        })
    }
}

/// Changes one letter of a string.
fn with_letter(text: &str, index: i64, change: fn(char) -> char) -> Result<Value, Fault> {
    let at = usize::try_from(index).ok().and_then(|index| text.char_indices().nth(index));
    let Some((start, letter)) = at else {
        // No string that fits into memory has more letters.
        let last = i64::try_from(text.chars().count()).unwrap_or(i64::MAX) - 1;
        return Err(Fault::error(format!("funcOnRune: runeIndex out of range (max:{last}, provided:{index})")));
    };
    let (before, behind) = (&text[..start], &text[start + letter.len_utf8()..]);
    Ok(format!("{before}{}{behind}", change(letter)).into())
}

fn parse_bool(text: &str) -> Result<bool, Fault> {
    match text {
        "1" | "t" | "T" | "TRUE" | "true" | "True" => Ok(true),
        "" | "0" | "f" | "F" | "FALSE" | "false" | "False" => Ok(false),
        other => Err(Fault::error(format!("strconv.ParseBool: parsing {other:?}: invalid syntax"))),
    }
}

fn parsed<T: std::str::FromStr>(text: &str, empty: T) -> Result<T, Fault> {
    if text.is_empty() {
        return Ok(empty);
    }
    text.parse().map_err(|_| Fault::error(format!("parsing {text:?}: invalid syntax")))
}

/// The most numbers of a loop.
const MAX_NUMBERS: u64 = 1_000_000;

fn numbers(bounds: &[Value]) -> Result<Value, Fault> {
    let (start, stop) = match bounds {
        [Value::Int(stop)] => (0, *stop),
        [Value::Int(start), Value::Int(stop)] => (*start, *stop),
        other => {
            return Err(Fault::error(format!(
                "loop: wrong number of arguments, expected 1 or 2, but got {}",
                other.len()
            )));
        }
    };
    if start < stop && start.abs_diff(stop) > MAX_NUMBERS {
        return Err(Fault::NotHere("a loop of more than a million numbers".to_owned()));
    }
    Ok(Value::list((start..stop).map(Value::Int).collect()))
}

fn arithmetic(
    a: &Value,
    b: &Value,
    whole: impl Fn(i64, i64) -> Option<i64>,
    float: impl Fn(f64, f64) -> f64,
) -> Result<Value, Fault> {
    #[expect(clippy::cast_precision_loss, reason = "the reference rounds as well")]
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => {
            whole(*a, *b).map(Value::Int).ok_or_else(|| Fault::NotHere("an integer out of range".to_owned()))
        }
        (Value::Int(a), Value::Float(b)) => Ok(Value::Float(float(*a as f64, *b))),
        (Value::Float(a), Value::Int(b)) => Ok(Value::Float(float(*a, *b as f64))),
        (Value::Float(a), Value::Float(b)) => Ok(Value::Float(float(*a, *b))),
        (a, b) => Err(Fault::error(format!("unknown types {} and {}", a.type_name(), b.type_name()))),
    }
}
