//! Functions that check types, and report deprecated ones.

use hieratic_puppet_functions::{Call, Dispatch, Doc, Function, Outcome};
use hieratic_puppet_types::{Parameter, Signature, Strict, Type, describe_call, describe_mismatch, infer_set};
use hieratic_value::Value;

use crate::untyped::fail;

pub(crate) static FUNCTIONS: &[Function] = &[
    Function::new(
        "deprecation",
        Doc::new("Warns once for each key."),
        &[Dispatch::new(&["String key", "String message", "Boolean use_strict_setting?"], |call| {
            let [key, message] = [0, 1].map(|at| call.arguments[at].to_text());
            let by_setting = !matches!(call.arguments.get(2), Some(Value::Boolean(false)));
            deprecated(call, &key, message, if by_setting { call.host.strict() } else { Strict::Warning })
        })],
    ),
    Function::new(
        "is_a",
        Doc::new("Tests whether a value is of a type."),
        &[Dispatch::new(&["Any value", "Type type"], |call| {
            let kind = Type::of_value(&call.arguments[1]);
            Ok(Value::Boolean(kind.is_some_and(|kind| kind.is_instance(&call.arguments[0]))))
        })],
    ),
    Function::new(
        "stdlib::type_of",
        Doc::new("Returns the type of a value."),
        &[Dispatch::new(&["Any value"], |call| Ok(infer_set(&call.arguments[0]).into_value()))],
    ),
    Function::new(
        "stdlib::rewrap_sensitive_data",
        Doc::new("Unwraps Sensitive parts and wraps the whole as Sensitive."),
        &[Dispatch::new(&["Any data", "&?Callable[Any] block"], |call| {
            crate::formats::with_secrets_open(call.arguments[0].clone(), |data| match call.block {
                Some(_) => call.yield_block(&[data]),
                None => Ok(data),
            })
        })],
    ),
    Function::new(
        "stdlib::ensure",
        Doc::new("Returns `present` or `absent`, or the equivalent of a resource type."),
        &[Dispatch::new(
            &[
                "Variant[Boolean, Enum['present', 'absent']] ensure",
                "Optional[Enum['directory', 'link', 'mounted', 'service', 'file', 'package']] resource?",
            ],
            |call| Ok(ensure_word(call)),
        )],
    ),
    Function::new(
        "stdlib::deferrable_epp",
        Doc::new("Renders a template, or returns a Deferred if a parameter is one."),
        &[Dispatch::new(&["String template", "Hash variables"], deferrable_epp)],
    ),
    Function::new(
        "stdlib::validate_domain_name",
        Doc::new("Fails unless all arguments are domain names."),
        &[Dispatch::untyped(|call| {
            all_of_type(call, "stdlib::validate_domain_name", "Variant[Stdlib::Fqdn, Stdlib::Dns::Zone]")
        })],
    ),
    Function::new(
        "stdlib::validate_email_address",
        Doc::new("Fails unless all arguments are email addresses."),
        &[Dispatch::untyped(|call| all_of_type(call, "stdlib::validate_email_address", "Stdlib::Email"))],
    ),
    Function::new(
        "validate_legacy",
        Doc::new("Checks against a type."),
        &[
            Dispatch::new(&["Type target_type", "String function_name", "Any value", "Any *args"], |call| {
                let kind = Type::of_value(&call.arguments[0]).cloned().unwrap_or(Type::Any);
                validate_legacy(call, &kind)
            }),
            Dispatch::new(&["String type_string", "String function_name", "Any value", "Any *args"], |call| {
                let kind = call.host.parse_type(&call.arguments[0].to_text())?;
                validate_legacy(call, &kind)
            }),
        ],
    ),
];

/// Returns the word for a state, by kind of resource.
fn ensure_word(call: &Call<'_>) -> Value {
    let present = matches!(&call.arguments[0], Value::Boolean(true)) || call.arguments[0].as_str() == Some("present");
    let resource = call.arguments.get(1).and_then(Value::as_str);
    Value::from(match (resource, present) {
        (Some("package"), true) => "installed",
        (Some("service"), true) => "running",
        (Some("service"), false) => "stopped",
        (Some(resource), true) => resource,
        (None, true) => "present",
        (_, false) => "absent",
    })
}

/// Renders a template, or, if a variable is not known yet, returns a Deferred call that renders it later.
fn deferrable_epp(call: &mut Call<'_>) -> Outcome {
    let deferred = call.host.parse_type("Deferred")?;
    let [template, variables] = call.arguments else { return Ok(Value::Undef) };
    let mut values = Vec::new();
    if let Some(hash) = variables.as_hash() {
        values.extend(hash.iter().map(|(_, value)| value.clone()));
    }
    let mut later = false;
    while let Some(value) = values.pop() {
        match &value {
            Value::Hash(hash) => values.extend(hash.iter().map(|(_, value)| value.clone())),
            other => later |= deferred.is_instance(other),
        }
    }
    if !later {
        return call.host.call_function("epp", &[template.clone(), variables.clone()], None);
    }
    let path = call.host.call_function("find_template", std::slice::from_ref(template), None)?;
    let content = call.host.call_function("file", &[path], None)?;
    let arguments = Value::from(vec![content, variables.clone()]);
    call.host.new_instance(&deferred, &[Value::from("inline_epp"), arguments])
}

/// Fails unless all arguments are of the type.
fn all_of_type(call: &mut Call<'_>, name: &str, kind: &str) -> Outcome {
    if call.arguments.is_empty() {
        return fail(format!("{name}(): Wrong number of arguments need at least one"));
    }
    matches_signature(call, name, "values", kind, true)
}

/// Fails unless the only argument is of the type: for types of the module itself, which signatures cannot name.
pub(crate) fn of_type(call: &mut Call<'_>, name: &str, parameter: &str, kind: &str) -> Outcome {
    matches_signature(call, name, parameter, kind, false)
}

fn matches_signature(call: &mut Call<'_>, name: &str, parameter: &str, kind: &str, repeated: bool) -> Outcome {
    let kind = call.host.parse_type(kind)?;
    let parameter = Parameter { name: parameter.into(), kind, required: !repeated, repeated };
    let signature = Signature { parameters: vec![parameter], ..Signature::default() };
    if signature.accepts(call.arguments, None) {
        return Ok(Value::Undef);
    }
    fail(describe_call(name, &[signature], call.arguments, None))
}

/// Reports a deprecation with the severity of the setting `strict`.
fn deprecated(call: &mut Call<'_>, key: &str, message: String, strict: Strict) -> Outcome {
    let site = call.host.site();
    let message = match site.file {
        Some(file) => format!("{message} at {file}:{}", site.line),
        None => message,
    };
    match strict {
        Strict::Off => Ok(Value::Undef),
        Strict::Warning => {
            call.host.warn_once(message);
            Ok(Value::Undef)
        }
        Strict::Error => fail(format!("deprecation. {key}. {message}")),
    }
}

fn validate_legacy(call: &mut Call<'_>, kind: &Type) -> Outcome {
    let message = "This method is deprecated, please use Puppet data types to validate parameters".to_owned();
    let strict = call.host.strict();
    deprecated(call, "validate_legacy", message, strict)?;
    let value = &call.arguments[2];
    if kind.is_instance(value) {
        return Ok(Value::Undef);
    }
    fail(describe_mismatch(&format!("validate_legacy({kind}, ...)"), kind, &infer_set(value)))
}
