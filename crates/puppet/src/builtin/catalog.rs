//! `include` and its relatives, `defined`, tags, and resources made from data.

use hieratic_functions::{Block, Fault, Flow, Host, Outcome, legacy};
use hieratic_pcore::Type;
use hieratic_syntax::ast::Form;
use hieratic_value::{Hash, Str, Value};
use rustc_hash::FxHashSet;

use super::{Builtin, on};
use crate::catalog::resource_type;
use crate::evaluator::Evaluator;
use crate::values::flatten;

pub(super) static FUNCTIONS: [Builtin; 8] = [
    Builtin::new("include", &[on(&["Any +names"])], &[include]),
    Builtin::new("require", &[on(&["Any +names"])], &[require]),
    Builtin::new("contain", &[on(&["Any +names"])], &[include]),
    Builtin::new("defined", &[on(&["Variant[String,Type[CatalogEntry],Type[Type[CatalogEntry]]] +vals"])], &[defined]),
    Builtin::new("tag", &[on(legacy::ANY)], &[tag]),
    Builtin::new("tagged", &[on(legacy::ANY)], &[tagged]),
    Builtin::new("realize", &[on(legacy::ANY)], &[realize]),
    Builtin::new("create_resources", &[on(legacy::ANY)], &[create_resources]),
];

/// The name of a class as messages about it show it: with `::` in front.
pub(super) fn class_name(value: &Value) -> Result<String, Fault> {
    let name = match value {
        Value::Undef => return Err(Fault::new("Cannot use undef as a class name")),
        Value::String(text) if text.is_empty() => return Err(Fault::new("Cannot use empty string as a class name")),
        Value::String(text) => text.to_string(),
        other => match Type::of_value(other) {
            Some(Type::Class(Some(name))) => name.to_string(),
            Some(Type::Class(None)) => return Err(Fault::new("Cannot use an unspecific Class[] Type")),
            Some(Type::Resource(kind)) => match (&kind.name, &kind.title) {
                (Some(name), Some(title)) if name.eq_ignore_ascii_case("class") => title.to_string(),
                (Some(name), _) => {
                    return Err(Fault::new(format!(
                        "Cannot use a Resource[{name}] where a Resource['class', name] is expected"
                    )));
                }
                _ => {
                    return Err(Fault::new(
                        "Cannot use an unspecific Resource[] where a Resource['class', name] is expected",
                    ));
                }
            },
            // What is no name at all is no class either.
            _ => String::new(),
        },
    };
    Ok(if name.starts_with("::") { name } else { format!("::{name}") }.to_lowercase())
}

fn include(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    let names: Result<Vec<String>, Fault> = flatten(arguments.to_vec()).iter().map(class_name).collect();
    let names = names?;
    // All of them have to be there before the first is evaluated.
    for name in &names {
        evaluator.known_class(name)?;
    }
    for name in &names {
        evaluator.include_class(name)?;
    }
    Ok(names.iter().map(|name| resource_type("class", Some(name)).into_value()).collect())
}

fn require(evaluator: &mut Evaluator<'_>, arguments: &[Value], block: Option<&Block>) -> Outcome {
    include(evaluator, arguments, block)
}

fn defined(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    for argument in arguments {
        if is_defined(evaluator, argument)? {
            return Ok(Value::Boolean(true));
        }
    }
    Ok(Value::Boolean(false))
}

fn is_defined(evaluator: &mut Evaluator<'_>, value: &Value) -> Result<bool, Flow> {
    if let Value::String(text) = value {
        return match &**text {
            "" => Ok(false),
            "main" => Ok(true),
            text => match text.strip_prefix('$') {
                Some(name) => Ok(evaluator.variable(name)?.is_some()),
                None => {
                    let lower = text.strip_prefix("::").unwrap_or(text).to_lowercase();
                    Ok(evaluator.is_resource_type(&lower)? || evaluator.class(&lower)?.is_some())
                }
            },
        };
    }
    match Type::of_value(value) {
        Some(kind) => is_type_defined(evaluator, &kind.clone()),
        None => Ok(false),
    }
}

fn is_type_defined(evaluator: &mut Evaluator<'_>, kind: &Type) -> Result<bool, Flow> {
    match kind {
        Type::Resource(one) => match (&one.name, &one.title) {
            (None, _) => Err(Fault::new("The given resource type is a reference to all kind of types").into()),
            (Some(name), None) => evaluator.is_resource_type(&name.to_lowercase()),
            (Some(name), Some(title)) => Ok(evaluator.catalog.find(&name.to_lowercase(), title).is_some()),
        },
        Type::Class(Some(name)) => Ok(evaluator.catalog.find("class", name).is_some()),
        Type::Class(None) => Err(Fault::new("The given class type is a reference to all classes").into()),
        Type::Type(Some(inner)) => match &**inner {
            Type::Class(Some(name)) => Ok(evaluator.class(name)?.is_some()),
            other => is_type_defined(evaluator, &other.clone()),
        },
        _ => Ok(false),
    }
}

/// Adds tags to the class or resource whose body runs.
fn tag(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    legacy::check_count("tag", arguments.len(), -2)?;
    let mut new: Vec<Str> = Vec::new();
    for tag in flatten(arguments.to_vec()).iter().filter(|tag| !tag.is_undef()) {
        let tag = tag.to_text().to_lowercase();
        evaluator.build(2 * tag.len() + 64)?;
        if !is_tag(&tag) {
            return Err(Fault::new(format!("Invalid tag '{tag}'")).into());
        }
        if tag.contains("::") {
            new.extend(tag.split("::").map(Str::from));
        }
        new.push(tag.into());
    }
    let class = evaluator.scopes[evaluator.scope].class.clone().unwrap_or_else(|| "main".into());
    if let Some(at) = evaluator.catalog.find("class", &class) {
        evaluator.catalog.resources[at].tags.extend(new);
    }
    Ok(Value::Undef)
}

/// Whether a text, in small letters, can be a tag; see
/// [tags](https://www.puppet.com/docs/puppet/8/lang_tags.html).
fn is_tag(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_alphanumeric() || first == '_')
        && letters.all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '.' | '-'))
}

fn tagged(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    legacy::check_count("tagged", arguments.len(), -2)?;
    let scope = &evaluator.scopes[evaluator.scope];
    let class = scope.class.clone().unwrap_or_else(|| "main".into());
    let own = evaluator.catalog.get("class", &class).map(|resource| resource.tags.clone()).unwrap_or_default();
    let has = |wanted: &str| {
        own.iter().any(|tag| **tag == *wanted) || evaluator.class_scopes.contains_key(wanted) || *class == *wanted
    };
    let all = flatten(arguments.to_vec()).iter().all(|value| has(&value.to_text().to_lowercase()));
    Ok(Value::Boolean(all))
}

/// Wants virtual resources, which may be declared later.
fn realize(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    legacy::check_count("realize", arguments.len(), -2)?;
    for value in flatten(arguments.to_vec()) {
        let target = match Type::of_value(&value) {
            Some(Type::Resource(one)) => one.name.clone().zip(one.title.clone()),
            _ => None,
        };
        let Some((kind, title)) = target else {
            return Err(Fault::new(format!("realize() expects resource references, got {}", value.inspect())).into());
        };
        evaluator.catalog.realized.push((kind.to_lowercase().into(), title));
    }
    Ok(Value::Undef)
}

fn create_resources(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    legacy::check_count("create_resources", arguments.len(), -3)?;
    let (kind, table, defaults) = match arguments {
        [kind, table] => (kind, table, None),
        [kind, table, defaults] => (kind, table, Some(defaults)),
        _ => {
            let count = arguments.len();
            return Err(
                Fault::new(format!("create_resources(): wrong number of arguments ({count}; must be 2 or 3)")).into()
            );
        }
    };
    let Value::Hash(table) = table else {
        return Err(Fault::new("create_resources(): second argument must be a hash").into());
    };
    let defaults = match defaults {
        None => Hash::default(),
        Some(Value::Hash(defaults)) => defaults.clone(),
        Some(_) => return Err(Fault::new("create_resources(): third argument must be a hash").into()),
    };
    let written = match Type::of_value(kind) {
        Some(Type::Resource(one)) => one.name.as_deref().unwrap_or_default().to_owned(),
        Some(Type::Class(_)) => "class".into(),
        _ => kind.to_text(),
    };
    let form = if written.starts_with("@@") {
        Form::Exported
    } else if written.starts_with('@') {
        Form::Virtual
    } else {
        Form::Regular
    };
    let kind = written.trim_start_matches('@').trim_start_matches("::").to_lowercase();
    let mut site = evaluator.site();
    // The reference knows no file for what has none.
    site.file.get_or_insert_with(|| "unknown".into());
    for (title, given) in table {
        let mut attributes: Vec<(Str, Value)> = Vec::new();
        let own = given.as_hash().cloned().unwrap_or_default();
        // Of the same name the last counts, and stands where it was given last.
        let mut names: FxHashSet<Str> = FxHashSet::default();
        evaluator.spend((defaults.len() + own.len()) as u64)?;
        for (name, value) in own.iter().rev().chain(defaults.iter().rev()) {
            let name: Str = name.to_text().into();
            if names.insert(name.clone()) {
                attributes.push((name, value.clone()));
            }
        }
        attributes.reverse();
        evaluator.declare_resource(form, &kind, &title.to_text(), attributes, site.clone())?;
    }
    Ok(Value::Undef)
}
