//! Functions for facts and the environment.

use hieratic_puppet_functions::{Call, Dispatch, Doc, Flow, Function, Level, Outcome, versioncmp};
use hieratic_value::{Hash, Value};

use crate::untyped::{arguments, ensure, fail};
use crate::validation::of_type;

/// The type of an address.
const ADDRESS: &str = "Stdlib::IP::Address::V4::Nosubnet";

pub(crate) static FUNCTIONS: &[Function] = &[
    Function::new(
        "assert_private",
        Doc::new("Fails if another module declares the class."),
        &[Dispatch::untyped(assert_private)],
    ),
    Function::new(
        "fact",
        Doc::new("Returns a fact by its dotted name."),
        &[Dispatch::new(&["String fact_name"], fact)],
    ),
    Function::new(
        "get_module_path",
        Doc::new("Returns the folder of a module."),
        &[Dispatch::untyped(|call| {
            let given = arguments(call, "get_module_path")?;
            ensure(given.len() == 1, || "get_module_path(): Wrong number of arguments, expects one".into())?;
            module_path(call, &given[0].to_text()).map(|path| Value::from(path.display().to_string()))
        })],
    ),
    Function::new(
        "load_module_metadata",
        Doc::new("Returns the `metadata.json` of a module."),
        &[Dispatch::untyped(load_module_metadata)],
    ),
    Function::new(
        "stdlib::has_function",
        Doc::new("Tests whether a function exists."),
        &[Dispatch::new(&["String[1] function_name"], |call| {
            let name = call.arguments[0].to_text();
            Ok(Value::Boolean(call.host.knows_function(&name)))
        })],
    ),
    Function::new(
        "stdlib::has_interface_with",
        Doc::new("Tests whether the node has a network interface with this property."),
        &[
            Dispatch::new(&["String[1] interface"], |call| {
                let interfaces = at(call, &["networking", "interfaces"])?;
                let name = call.arguments[0].to_text();
                Ok(Value::Boolean(interfaces.as_hash().is_some_and(|interfaces| interfaces.contains(&name))))
            }),
            Dispatch::new(
                &["Enum['macaddress','netmask','ipaddress','network','ip','mac'] kind", "String[1] value"],
                |call| {
                    let kind = match call.arguments[0].as_str() {
                        Some("ipaddress") => "ip",
                        Some("macaddress") => "mac",
                        other => other.unwrap_or_default(),
                    };
                    has_interface_with(call, kind, &call.arguments[1]).map(Value::Boolean)
                },
            ),
        ],
    ),
    Function::new(
        "stdlib::has_ip_address",
        Doc::new("Tests whether the node has the address."),
        &[Dispatch::untyped(|call| {
            of_type(call, "stdlib::has_ip_address", "ip_address", ADDRESS)?;
            has_interface_with(call, "ip", &call.arguments[0]).map(Value::Boolean)
        })],
    ),
    Function::new(
        "stdlib::has_ip_network",
        Doc::new("Tests whether the node is in the network."),
        &[Dispatch::untyped(|call| {
            of_type(call, "stdlib::has_ip_network", "ip_network", ADDRESS)?;
            has_interface_with(call, "network", &call.arguments[0]).map(Value::Boolean)
        })],
    ),
    Function::new(
        "stdlib::os_version_gte",
        Doc::new("Tests whether the node's operating system has at least this version."),
        &[Dispatch::new(&["String[1] os", "String[1] version"], os_version_gte)],
    ),
];

fn os_version_gte(call: &mut Call<'_>) -> Outcome {
    let name = at(call, &["os", "name"])?;
    let major = at(call, &["os", "release", "major"])?;
    let later = versioncmp(&major.to_text(), &call.arguments[1].to_text(), false).is_ge();
    Ok(Value::Boolean(name == call.arguments[0] && later))
}

/// Returns the fact at a path; undef if the path has no value.
pub(crate) fn at(call: &mut Call<'_>, path: &[&str]) -> Outcome {
    let mut value = call.host.variable("facts")?.unwrap_or_default();
    for key in path {
        value = value.as_hash().and_then(|hash: &Hash| hash.get(key)).cloned().unwrap_or_default();
    }
    Ok(value)
}

fn has_interface_with(call: &mut Call<'_>, kind: &str, value: &Value) -> Result<bool, Flow> {
    let interfaces = at(call, &["networking", "interfaces"])?;
    let mut all = interfaces.as_hash().into_iter().flatten();
    Ok(all.any(|(_, interface)| interface.as_hash().and_then(|interface| interface.get(kind)) == Some(value)))
}

/// Splits a path at its dots. Parts that contain dots are quoted.
fn parts(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix('"')
            && let Some((part, after)) = quoted.split_once('"').filter(|(part, _)| !part.is_empty())
        {
            parts.push(part);
            rest = after;
            continue;
        }
        let end = rest.find(['.', '"']).unwrap_or(rest.len());
        if end == 0 {
            rest = &rest[1..];
        } else {
            parts.push(&rest[..end]);
            rest = &rest[end..];
        }
    }
    parts
}

fn fact(call: &mut Call<'_>) -> Outcome {
    let name = call.arguments[0].to_text();
    let mut value = call.host.variable("facts")?.unwrap_or_default();
    let mut walked: Vec<String> = Vec::new();
    for part in parts(&name) {
        let so_far = walked.join(".");
        value =
            match &value {
                Value::Undef => return Ok(Value::Undef),
                Value::Hash(hash) => hash.get(part).cloned().unwrap_or_default(),
                Value::Array(elements) => match part.parse::<i64>() {
                    Ok(index) => {
                        let count = i64::try_from(elements.len()).unwrap_or(i64::MAX);
                        let index = if index < 0 { index + count } else { index };
                        usize::try_from(index).ok().and_then(|index| elements.get(index)).cloned().unwrap_or_default()
                    }
                    Err(_) => {
                        call.host.log(Level::Warning, format!(
                        "fact request for {name} returning nil: '{so_far}' is an array; cannot index to '{part}'"
                    ));
                        Value::Undef
                    }
                },
                _ => {
                    call.host.log(Level::Warning, format!(
                    "fact request for {name} returning nil: '{so_far}' is not a collection; cannot walk to '{part}'"
                ));
                    Value::Undef
                }
            };
        walked.push(if part.contains('.') { format!("\"{part}\"") } else { part.to_owned() });
    }
    Ok(value)
}

fn assert_private(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "assert_private")?;
    let many = given.len();
    ensure(many <= 1, || format!("assert_private(): Wrong number of arguments given ({many}}}) for 0 or 1)"))?;
    if call.host.variable("module_name")? == call.host.variable("caller_module_name")? {
        return Ok(Value::Undef);
    }
    match given.first() {
        Some(Value::String(message)) => fail(&**message),
        _ => {
            let name = call.host.variable("name")?.unwrap_or_default().to_text();
            let (kind, name) = call.host.definition().unwrap_or(("Class", name));
            fail(format!("{kind} {name} is private"))
        }
    }
}

fn module_path(call: &mut Call<'_>, name: &str) -> Result<std::path::PathBuf, Flow> {
    match call.host.module_directory(name) {
        Some(path) => Ok(path),
        None => {
            let environment = call.host.variable("environment")?.unwrap_or_default().to_text();
            fail(format!("Could not find module {name} in environment {environment}"))
        }
    }
}

fn load_module_metadata(call: &mut Call<'_>) -> Outcome {
    let given = arguments(call, "load_module_metadata")?;
    ensure(matches!(given.len(), 1 | 2), || {
        "load_module_metadata(): Wrong number of arguments, expects one or two".into()
    })?;
    let name = given[0].to_text();
    let path = module_path(call, &name)?.join("metadata.json");
    if !call.host.file_exists(&path)? {
        return if given.get(1).is_some_and(Value::is_truthy) {
            Ok(Value::from(Hash::default()))
        } else {
            fail(format!("load_module_metadata(): No metadata.json file for module {name}"))
        };
    }
    let content = call.host.read_file(&path)?;
    hieratic_json::parse(&content).or_else(|error| fail(format!("{}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_quotes() {
        assert_eq!(parts("a.b"), ["a", "b"]);
        assert_eq!(parts("a.\"b.c\".d"), ["a", "b.c", "d"]);
        assert_eq!(parts(".a..b"), ["a", "b"]);
        assert!(parts("").is_empty());
    }
}
