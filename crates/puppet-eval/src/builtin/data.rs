//! `lookup` and the older lookup functions.
//!
//! See [lookup](https://www.puppet.com/docs/puppet/8/function.html#lookup).

use hieratic_puppet_functions::{Block, Doc, EvalError, EvalErrorKind, Flow, Host, Level, Outcome};
use hieratic_puppet_types::Type;
use hieratic_value::{Hash, Rich, Value};

use super::{Builtin, Run, on};
use crate::environment::Request;
use crate::evaluator::Evaluator;

const BLOCK: &str = "&?BlockType block";

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin::new(
        "lookup",
        Doc::new("The value that Hiera has for a key.").example("lookup('ntp::servers', Array[String], 'unique', [])"),
        &[
            on(&["NameType name", "ValueType value_type?", "MergeType merge?"]),
            on(&[
                "NameType name",
                "Optional[ValueType] value_type",
                "Optional[MergeType] merge",
                "DefaultValueType default_value",
            ]),
            on(&["NameType name", "ValueType value_type?", "MergeType merge?", "&BlockType block"]),
            on(&["OptionsWithName options_hash", BLOCK]),
            on(&["Variant[String,Array[String]] name", "OptionsWithoutName options_hash", BLOCK]),
        ],
        &[positional, with_default, positional, with_options, name_with_options],
    ),
    Builtin::new(
        "hiera",
        Doc::new("The value of a key; `lookup` has replaced it.").example("hiera('ntp::servers')"),
        HIERA,
        &[hiera_first as Run; 5],
    ),
    Builtin::new(
        "hiera_array",
        Doc::new("The values of a key in all levels, as one list; `lookup` has replaced it.")
            .example("hiera_array('ntp::servers')"),
        HIERA,
        &[hiera_array as Run; 5],
    ),
    Builtin::new(
        "hiera_hash",
        Doc::new("The hashes of a key in all levels, merged; `lookup` has replaced it.").example("hiera_hash('users')"),
        HIERA,
        &[hiera_hash as Run; 5],
    ),
    Builtin::new(
        "hiera_include",
        Doc::new("Declares the classes that data lists under a key.").example("hiera_include('classes')"),
        HIERA,
        &[hiera_include as Run; 5],
    ),
    Builtin::new(
        "puppetdb_query",
        Doc::new("The answer of PuppetDB to a query.").example("puppetdb_query('inventory[certname] {}')"),
        &[on(&["Variant[String, Array] query"])],
        &[puppetdb_query],
    ),
];

static HIERA: &[hieratic_puppet_functions::Dispatch] = &[
    on(&["Tuple[String,Any,Any,1,3] args"]),
    on(&["String key"]),
    on(&["String key", "Any default", "Any override?"]),
    on(&["String key", "&Callable[1,1] default_block"]),
    on(&["String key", "Any override", "&Callable[1,1] default_block"]),
];

/// Queries a database of facts and catalogs.
fn puppetdb_query(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    match evaluator.environment.query_database(&arguments[0]) {
        Some(Ok(answer)) => Ok(answer),
        Some(Err(message)) => Err(EvalError::new(message).into()),
        None => {
            let mut error = EvalError::new("no PuppetDB is available for this query");
            error.help = Some("pass recorded answers with --puppetdb-answers FILE".into());
            Err(error.into())
        }
    }
}

fn positional(evaluator: &mut Evaluator<'_>, arguments: &[Value], block: Option<&Block>) -> Outcome {
    let request = Request {
        names: names(&arguments[0]),
        kind: arguments.get(1).and_then(Type::of_value).cloned(),
        merge: arguments.get(2).cloned(),
        ..Request::default()
    };
    ask(evaluator, &arguments[0], request, block)
}

fn with_default(evaluator: &mut Evaluator<'_>, arguments: &[Value], block: Option<&Block>) -> Outcome {
    let request = Request {
        names: names(&arguments[0]),
        kind: Type::of_value(&arguments[1]).cloned(),
        merge: Some(arguments[2].clone()).filter(|merge| !merge.is_undef()),
        default: arguments.get(3).cloned(),
        ..Request::default()
    };
    ask(evaluator, &arguments[0], request, block)
}

fn with_options(evaluator: &mut Evaluator<'_>, arguments: &[Value], block: Option<&Block>) -> Outcome {
    let options = arguments[0].as_hash().cloned().unwrap_or_default();
    let name = options.get("name").cloned().unwrap_or_default();
    ask(evaluator, &name, from_options(&name, &options), block)
}

fn name_with_options(evaluator: &mut Evaluator<'_>, arguments: &[Value], block: Option<&Block>) -> Outcome {
    let options = arguments[1].as_hash().cloned().unwrap_or_default();
    ask(evaluator, &arguments[0], from_options(&arguments[0], &options), block)
}

fn from_options(name: &Value, options: &Hash) -> Request {
    let given = |key: &str| options.get(key).filter(|value| !value.is_undef()).cloned();
    let table = |key: &str| given(key).and_then(|value| value.as_hash().cloned()).unwrap_or_default();
    Request {
        names: names(name),
        kind: given("value_type").and_then(|value| Type::of_value(&value).cloned()),
        merge: given("merge"),
        default: options.get("default_value").cloned(),
        overrides: table("override"),
        default_values: table("default_values_hash"),
    }
}

fn names(name: &Value) -> Vec<String> {
    match name {
        Value::Array(names) => names.iter().map(Value::to_text).collect(),
        other => vec![other.to_text()],
    }
}

fn ask(evaluator: &mut Evaluator<'_>, name: &Value, mut request: Request, block: Option<&Block>) -> Outcome {
    // A block takes precedence over a default, and is only called if there is no value.
    let default = if block.is_some() { request.default.take() } else { None };
    match evaluator.data(&request)? {
        Some(value) => Ok(value),
        None => match (block, default) {
            (Some(block), _) => {
                let value = evaluator.call_block(block, std::slice::from_ref(name))?;
                if let Some(kind) = &request.kind {
                    hieratic_puppet_types::assert_instance("Value returned from default block", kind, &value)
                        .map_err(|mismatch| EvalError::new(mismatch.to_string()))?;
                }
                Ok(value)
            }
            (None, Some(default)) => Ok(default),
            (None, None) => Err(not_found(evaluator, &request.names)),
        },
    }
}

/// Returns the error for a missing key, which the reference reports without a position.
fn not_found(evaluator: &Evaluator<'_>, names: &[String]) -> Flow {
    let message = match names {
        [name] => format!("Function lookup() did not find a value for the name '{name}'"),
        names => {
            let list: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
            format!("Function lookup() did not find a value for any of the names [{}]", list.join(", "))
        }
    };
    let help = evaluator.environment.key_suggestion(names);
    EvalError { kind: EvalErrorKind::Raw, help: help.map(Into::into), ..EvalError::new(message) }.into()
}

/// The functions of Hiera 3: a key, a default or a block, and an obsolete override that names a level.
fn older(
    evaluator: &mut Evaluator<'_>,
    function: &str,
    merge: Option<&str>,
    arguments: &[Value],
    block: Option<&Block>,
) -> Outcome {
    // The reference reports no position here.
    let message = format!(
        "The function '{function}' is deprecated in favor of using 'lookup'. See {}\n   (file & line not available)",
        evaluator.options.version.page_of_deprecations()
    );
    if evaluator.options.strict != hieratic_puppet_types::Strict::Off {
        evaluator.log_once(Level::Warning, message);
    }
    let unpacked;
    let arguments = match arguments {
        [Value::Array(inner)] => {
            unpacked = inner.to_vec();
            &unpacked[..]
        }
        other => other,
    };
    let key = arguments[0].to_text();
    let default = if block.is_none() { arguments.get(1).cloned() } else { None };
    let request = Request { names: vec![key.clone()], merge: merge.map(Value::from), default, ..Request::default() };
    match (evaluator.data(&request)?, block) {
        (Some(value), _) => Ok(value),
        (None, Some(block)) => evaluator.call_block(block, &[key.into()]),
        (None, None) => Err(not_found(evaluator, &request.names)),
    }
}

fn hiera_first(evaluator: &mut Evaluator<'_>, arguments: &[Value], block: Option<&Block>) -> Outcome {
    older(evaluator, "hiera", Some("first"), arguments, block)
}

fn hiera_array(evaluator: &mut Evaluator<'_>, arguments: &[Value], block: Option<&Block>) -> Outcome {
    older(evaluator, "hiera_array", Some("unique"), arguments, block)
}

fn hiera_hash(evaluator: &mut Evaluator<'_>, arguments: &[Value], block: Option<&Block>) -> Outcome {
    older(evaluator, "hiera_hash", Some("hash"), arguments, block)
}

fn hiera_include(evaluator: &mut Evaluator<'_>, arguments: &[Value], block: Option<&Block>) -> Outcome {
    let names = older(evaluator, "hiera_include", Some("unique"), arguments, block)?;
    let is_empty = match &names {
        Value::Undef => {
            let key = match &arguments[0] {
                Value::Array(inner) => inner.first().map(Value::to_text).unwrap_or_default(),
                key => key.to_text(),
            };
            return Err(EvalError::new(format!("Could not find data item {key}")).into());
        }
        Value::String(text) => text.is_empty(),
        Value::Array(names) => names.is_empty(),
        Value::Hash(names) => names.is_empty(),
        Value::Rich(rich) if matches!(**rich, Rich::Default) => false,
        // Ruby raises an error for values that cannot be empty.
        other => {
            let message = format!("undefined method `empty?' for {}:{}", other.inspect(), other.ruby_class());
            let mut error = EvalError::new(message);
            error.help = Some("hiera_include takes the name of a class, or an array of names".into());
            return Err(error.into());
        }
    };
    if is_empty { Ok(Value::Undef) } else { super::catalog::include(evaluator, &[names], None) }
}
