//! Functions that declare missing resources, and query the declared ones.

use hieratic_puppet_functions::{Call, Dispatch, Doc, Flow, Function, Outcome, legacy};
use hieratic_puppet_types::Type;
use hieratic_value::{Hash, Str, Value};

use crate::untyped::{arguments, ensure, fail, same};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function::new(
        "defined_with_params",
        Doc::new("Tests whether a resource with these parameters is declared."),
        &[Dispatch::untyped(|call| {
            let given = arguments(call, "defined_with_params")?;
            let Some(reference) = given.first().filter(|value| value.as_str() != Some("")) else {
                return fail("defined_with_params(): must have at least one argument");
            };
            let parameters = given.get(1).and_then(Value::as_hash).cloned().unwrap_or_default();
            let (kind, title) = reference_of(reference)?;
            Ok(Value::Boolean(is_defined(call, &kind, &title, &parameters)))
        })],
    ),
    Function::new(
        "ensure_resource",
        Doc::new("Declares resources that are not declared yet.")
            .example("ensure_resource('user', 'a', { 'ensure' => 'present' })"),
        &[Dispatch::untyped(|call| {
            let given = arguments(call, "ensure_resource")?;
            let many = given.len();
            ensure(many != 0, || "ensure_resource(): Must specify a type".into())?;
            ensure(many > 1, || "ensure_resource(): Must specify a title".into())?;
            ensure(many <= 3, || format!("ensure_resource(): Wrong number of arguments given ({many} for 2 or 3)"))?;
            let parameters = given.get(2).and_then(Value::as_hash).cloned().unwrap_or_default();
            ensure_resource(call, &given[0].to_text(), &given[1], &parameters)
        })],
    ),
    Function::new(
        "ensure_resources",
        Doc::new("Does the same for a hash of titles."),
        &[Dispatch::untyped(|call| {
            let given = arguments(call, "ensure_resources")?;
            let many = given.len();
            ensure(many != 0, || "ensure_resources(): Must specify a type".into())?;
            ensure(many > 1, || "ensure_resources(): Must specify a hash of titles".into())?;
            let Value::Hash(titles) = &given[1] else {
                return fail("ensure_resources(): Second argument must be a hash of titles");
            };
            let defaults = given.get(2).and_then(Value::as_hash).cloned().unwrap_or_default();
            for (title, own) in titles {
                let parameters = over(&defaults, own.as_hash());
                ensure_resource(call, &given[0].to_text(), title, &parameters)?;
            }
            Ok(Value::Undef)
        })],
    ),
    Function::new(
        "getparam",
        Doc::new("Returns a parameter of a declared resource."),
        &[Dispatch::untyped(|call| {
            let given = arguments(call, "getparam")?;
            let (reference, name) = match &given[..] {
                [reference, Value::String(name)] if !name.is_empty() => (reference, name),
                [_] => return fail("getparam(): must specify a name of parameter to lookup"),
                [] => return fail("getparam(): must specify a reference"),
                _ => return fail("getparam(): Lookup of parameter must be a string"),
            };
            let (kind, title) = reference_of(reference)?;
            let found = call.host.resource(&kind, &title).and_then(|all| parameter(&all, name).cloned());
            Ok(found.unwrap_or_else(|| Value::from("")))
        })],
    ),
    Function::new(
        "stdlib::ensure_packages",
        Doc::new("Declares packages that are not declared yet.").example("stdlib::ensure_packages(['curl'])"),
        &[
            Dispatch::new(&["Variant[String[1], Array[String[1]]] packages", "Hash default_attributes?"], |call| {
                let defaults = call.arguments.get(1).and_then(Value::as_hash).cloned().unwrap_or_default();
                let packages = call.arguments[0].clone();
                ensure_packages(call, &packages, &defaults)
            }),
            Dispatch::new(&["Hash[String[1], Any] packages", "Hash default_attributes?"], |call| {
                let defaults = call.arguments.get(1).and_then(Value::as_hash).cloned().unwrap_or_default();
                for (package, own) in call.arguments[0].as_hash().cloned().unwrap_or_default().as_map() {
                    ensure_packages(call, package, &over(&defaults, own.as_hash()))?;
                }
                Ok(Value::Undef)
            }),
        ],
    ),
    Function::new(
        "stdlib::str2resource",
        Doc::new("Converts a string to a resource reference."),
        &[Dispatch::new(&["String res_string"], |call| {
            let text = call.arguments[0].to_text();
            let (kind, title) = reference_of(&call.arguments[0])?;
            if call.host.resource(&kind, &title).is_none() {
                return fail(format!(
                    "stdlib::str2resource(): could not find {text}, this is parse order dependent and values should not \
                 be quoted"
                ));
            }
            let kind = kind.split("::").map(capital).collect::<Vec<_>>().join("::");
            let reference =
                call.host.parse_type(&format!("{kind}['{}']", title.replace('\\', "\\\\").replace('\'', "\\'")))?;
            Ok(reference.into_value())
        })],
    ),
];

fn capital(part: &str) -> String {
    let mut characters = part.chars();
    characters.next().map(|first| first.to_ascii_uppercase().to_string() + characters.as_str()).unwrap_or_default()
}

/// Merges the other hash over a hash.
fn over(defaults: &Hash, own: Option<&Hash>) -> Hash {
    let pairs = defaults.iter().chain(own.into_iter().flatten());
    pairs.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// Returns the type, in lower case, and the title of a reference: a type, or a string like `Package[vim]`.
fn reference_of(value: &Value) -> Result<(String, String), Flow> {
    if let Some(Type::Resource(one)) = Type::of_value(value)
        && let (Some(kind), Some(title)) = (&one.name, &one.title)
    {
        return Ok((kind.to_lowercase(), title.to_string()));
    }
    let text = value.to_text();
    match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        Some((kind, title)) if !kind.is_empty() => {
            Ok((kind.trim_start_matches("::").to_lowercase(), title.trim_matches(['\'', '"']).to_owned()))
        }
        _ => fail(format!("'{text}' is not a resource reference; expected Type[title]")),
    }
}

fn parameter<'a>(all: &'a [(Str, Value)], name: &str) -> Option<&'a Value> {
    all.iter().find(|(known, _)| &**known == name).map(|(_, value)| value)
}

/// Returns whether the resource is declared with all of the parameters.
fn is_defined(call: &mut Call<'_>, kind: &str, title: &str, parameters: &Hash) -> bool {
    let Some(all) = call.host.resource(kind, title) else { return false };
    parameters.iter().all(|(name, value)| {
        let name = name.to_text();
        match parameter(&all, &name) {
            // A missing parameter has the value undef.
            None => value.is_undef(),
            // The two words are synonyms.
            Some(found) if name == "ensure" && is_installed(found) && is_installed(value) => true,
            // A reference is no string.
            Some(found) if is_string(found) != is_string(value) && (is_reference(found) || is_reference(value)) => {
                false
            }
            Some(found) => same(found, value) || found.to_text() == value.to_text(),
        }
    })
}

fn is_string(value: &Value) -> bool {
    value.as_str().is_some()
}

fn is_reference(value: &Value) -> bool {
    matches!(Type::of_value(&legacy::with_references(value)), Some(Type::Resource(_) | Type::Class(_)))
}

fn is_installed(value: &Value) -> bool {
    matches!(value.as_str(), Some("present" | "installed"))
}

fn ensure_resource(call: &mut Call<'_>, kind: &str, titles: &Value, parameters: &Hash) -> Outcome {
    let titles = match titles {
        Value::Array(titles) => titles.to_vec(),
        one => vec![one.clone()],
    };
    let plain = kind.trim_start_matches('@').trim_start_matches("::").to_lowercase();
    for title in titles {
        if !is_defined(call, &plain, &title.to_text(), parameters) {
            let own = legacy::with_references(&Value::from(parameters.clone()));
            let table: Hash = [(title, own)].into_iter().collect();
            call.host.call_function(
                "create_resources",
                &[Value::from(kind.to_lowercase()), Value::from(table)],
                None,
            )?;
        }
    }
    Ok(Value::Undef)
}

fn ensure_packages(call: &mut Call<'_>, packages: &Value, attributes: &Hash) -> Outcome {
    let packages = match packages {
        Value::Array(packages) => packages.to_vec(),
        one => vec![one.clone()],
    };
    let installed: Hash = [("ensure", Value::from("installed"))].into_iter().collect();
    let attributes = over(&installed, Some(attributes));
    for package in packages {
        let mut attributes = attributes.clone();
        if attributes.get("ensure").is_some_and(is_installed) {
            let present: Hash = [("ensure", Value::from("present"))].into_iter().collect();
            let known = is_defined(call, "package", &package.to_text(), &present);
            let word = if known { "present" } else { "installed" };
            attributes = over(&attributes, Some(&[("ensure", Value::from(word))].into_iter().collect()));
        }
        ensure_resource(call, "package", &package, &attributes)?;
    }
    Ok(Value::Undef)
}
