//! `include` and similar functions, `defined`, tags, and `create_resources`.

use hieratic_puppet_functions::{Block, Doc, EvalError, Flow, Host, Outcome, Site, legacy};
use hieratic_puppet_syntax::ast::Form;
use hieratic_puppet_types::Type;
use hieratic_value::{Hash, Str, Value};
use indexmap::IndexMap;

use super::{Builtin, on};
use crate::catalog::{Attribute, CollectorTarget, OriginKind, referred, referred_in, resource_type};
use crate::evaluator::{EVALUATION, Evaluator};
use crate::values::flatten;

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin::new(
        "include",
        Doc::new("Declares classes, each once.").example("include profile::base, profile::web"),
        &[on(&["Any +names"])],
        &[include],
    ),
    Builtin::new(
        "require",
        Doc::new("Declares classes, and has them managed before this one.").example("require profile::base"),
        &[on(&["Any +names"])],
        &[require],
    ),
    Builtin::new(
        "contain",
        Doc::new("Declares classes and keeps them inside of this one.").example("contain profile::base"),
        &[on(&["Any +names"])],
        &[contain],
    ),
    Builtin::new(
        "defined",
        Doc::new("Whether a class, type, variable or resource is known.").example("defined('file') # true"),
        &[on(&["Variant[String,Type[CatalogEntry],Type[Type[CatalogEntry]]] +vals"])],
        &[defined],
    ),
    Builtin::new(
        "tag",
        Doc::new("Adds tags to the resource or class around.").example("tag('web')"),
        &[on(legacy::ANY)],
        &[tag],
    ),
    Builtin::new(
        "tagged",
        Doc::new("Whether the resource or class around has tags.").example("tagged('web')"),
        &[on(legacy::ANY)],
        &[tagged],
    ),
    Builtin::new(
        "realize",
        Doc::new("Makes virtual resources real.").example("realize(User['a'])"),
        &[on(legacy::ANY)],
        &[realize],
    ),
    Builtin::new(
        "create_resources",
        Doc::new("Declares resources of a type from a hash.")
            .example("create_resources('user', { 'a' => { 'uid' => 1 } })"),
        &[on(legacy::ANY)],
        &[create_resources],
    ),
];

/// Returns the name of a class for messages: with leading `::`.
pub(super) fn class_name(value: &Value) -> Result<String, EvalError> {
    let name = match value {
        Value::Undef => return Err(EvalError::new("Cannot use undef as a class name")),
        Value::String(text) if text.is_empty() => {
            return Err(EvalError::new("Cannot use empty string as a class name"));
        }
        Value::String(text) => text.to_string(),
        other => match Type::of_value(other) {
            Some(Type::Class(Some(name))) => name.to_string(),
            Some(Type::Class(None)) => return Err(EvalError::new("Cannot use an unspecific Class[] Type")),
            Some(Type::Resource(kind)) => match (&kind.name, &kind.title) {
                (Some(name), Some(title)) if name.eq_ignore_ascii_case("class") => title.to_string(),
                (Some(name), _) => {
                    return Err(EvalError::new(format!(
                        "Cannot use a Resource[{name}] where a Resource['class', name] is expected"
                    )));
                }
                _ => {
                    return Err(EvalError::new(
                        "Cannot use an unspecific Resource[] where a Resource['class', name] is expected",
                    ));
                }
            },
            _ => return Err(no_class_name(other)),
        },
    };
    Ok(if name.starts_with("::") { name } else { format!("::{name}") }.to_lowercase())
}

/// Returns the error for a value that is not a class name, in Ruby's words as in the reference.
fn no_class_name(value: &Value) -> EvalError {
    let mut error = EvalError::new("undefined method `downcase' for nil:NilClass");
    let kind = hieratic_puppet_types::infer_set(value);
    let help =
        format!("a class is named by a string or a type (Class['ntp']), not by a value of type {}", kind.simple_name());
    error.help = Some(help.into());
    error
}

/// Returns the names of the classes in the arguments, as messages show them.
fn class_names(arguments: &[Value]) -> Result<Vec<String>, EvalError> {
    flatten(arguments.to_vec()).iter().map(class_name).collect()
}

fn classes(names: &[String]) -> Value {
    names.iter().map(|name| resource_type("class", Some(name)).into_value()).collect()
}

pub(super) fn include(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    let names = class_names(arguments)?;
    evaluator.include_classes(&names, false)?;
    Ok(classes(&names))
}

/// Includes classes, and contains them in the declaring resource.
fn contain(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    let names = class_names(arguments)?;
    evaluator.include_classes(&names, true)?;
    Ok(classes(&names))
}

/// Includes classes, and makes the declaring resource require them.
fn require(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    let names = class_names(arguments)?;
    evaluator.include_classes(&names, false)?;
    evaluator.require_classes(&names)?;
    Ok(classes(&names))
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
            (None, _) => Err(EvalError::new("The given resource type is a reference to all kind of types").into()),
            (Some(name), None) => evaluator.is_resource_type(&name.to_lowercase()),
            (Some(name), Some(title)) => Ok(evaluator.catalog.find(&name.to_lowercase(), title).is_some()),
        },
        Type::Class(Some(name)) => Ok(evaluator.catalog.find("class", name).is_some()),
        Type::Class(None) => Err(EvalError::new("The given class type is a reference to all classes").into()),
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
    evaluator.tag(&Value::from(arguments.to_vec()))?;
    Ok(Value::Undef)
}

fn tagged(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    legacy::check_count("tagged", arguments.len(), -2)?;
    let all = flatten(arguments.to_vec()).iter().all(|value| evaluator.is_tagged(&value.to_text().to_lowercase()));
    Ok(Value::Boolean(all))
}

/// Realizes virtual resources, which may be declared later.
fn realize(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    legacy::check_count("realize", arguments.len(), -2)?;
    let mut names = Vec::new();
    for value in flatten(arguments.to_vec()) {
        let target = referred(&value).or_else(|| referred_in(&value.to_text()));
        let Some(target) = target else {
            let text = Value::from(value.to_text()).inspect();
            return Err(
                EvalError::new(format!("No title provided and {text} is not a valid resource reference")).into()
            );
        };
        names.push(target);
    }
    evaluator.add_collector(CollectorTarget::Named(names), None)?;
    Ok(Value::Undef)
}

fn create_resources(evaluator: &mut Evaluator<'_>, arguments: &[Value], _: Option<&Block>) -> Outcome {
    legacy::check_count("create_resources", arguments.len(), -3)?;
    let (kind, table, defaults) = match arguments {
        [kind, table] => (kind, table, None),
        [kind, table, defaults] => (kind, table, Some(defaults)),
        _ => {
            let count = arguments.len();
            return Err(EvalError::new(format!(
                "create_resources(): wrong number of arguments ({count}; must be 2 or 3)"
            ))
            .into());
        }
    };
    let Value::Hash(table) = table else {
        return Err(EvalError::new("create_resources(): second argument must be a hash").into());
    };
    let defaults = match defaults {
        None => Hash::default(),
        Some(Value::Hash(defaults)) => defaults.clone(),
        Some(_) => return Err(EvalError::new("create_resources(): third argument must be a hash").into()),
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
    if kind == "class" && form != Form::Regular {
        let mut error = EvalError::rule(format!("{EVALUATION}Classes are not virtualizable"));
        error.site = Some(Site { column: 0, ..evaluator.site() });
        return Err(error.into());
    }
    let mut site = evaluator.site();
    // The reference reports an unknown file.
    site.file.get_or_insert_with(|| "unknown".into());
    // Arrays of defaults are shared by all resources.
    let defaults_of_all = evaluator.declared_attributes(&defaults, &site);
    for (title, given) in table {
        let own = given.as_hash().cloned().unwrap_or_default();
        evaluator.budget.charge_steps((defaults.len() + own.len()) as u64)?;
        let given = evaluator.declared_attributes(&own, &site);
        let mut merged: IndexMap<Str, Attribute, hieratic_value::collections::FixedState> =
            defaults_of_all.iter().map(|one| (one.name.clone(), one.clone())).collect();
        merged.extend(given.into_iter().map(|one| (one.name.clone(), one)));
        let attributes: Vec<Attribute> = merged.into_values().collect();
        let titles = match title {
            Value::Array(titles) => titles.to_vec(),
            one => vec![one.clone()],
        };
        for title in titles {
            let shown = title.to_text();
            let at = evaluator.declare_resource(form, &kind, &shown, attributes.clone(), site.clone())?;
            evaluator.catalog[at].exported_unsaid = true;
            if matches!(title, Value::Integer(_) | Value::Float(_)) {
                // A number is not a tag.
                if let Some(tag) = evaluator.catalog.find_tag(&shown) {
                    evaluator.catalog[at].tags.remove(tag);
                }
                evaluator.catalog[at].number = Some(title);
            }
        }
    }
    Ok(Value::Undef)
}

impl Evaluator<'_> {
    /// Makes the resource whose body runs require classes.
    fn require_classes(&mut self, names: &[String]) -> Result<(), Flow> {
        let at = self.scopes.current().resource;
        for name in names {
            let resource = &self.catalog[at];
            let mut all = flatten(resource.attribute("require").cloned().into_iter().collect());
            all.retain(|value| !value.is_undef());
            all.push(resource_type("class", Some(name)).into_value());
            self.budget.charge_steps(all.len() as u64 / 8)?;
            let (source, site) = (self.catalog[at].source.clone(), self.site());
            let attribute = Attribute::new("require", Value::from(all), source, OriginKind::Relationship, site);
            self.catalog[at].set(attribute);
        }
        Ok(())
    }

    /// Adds tags to the resource whose body runs.
    fn tag(&mut self, tags: &Value) -> Result<(), Flow> {
        let at = self.scopes.current().resource;
        let site = self.catalog[at].site.clone();
        let tags = self.catalog.tags_in(tags, &site, &mut self.budget)?;
        self.catalog[at].tags.merge(&tags);
        Ok(())
    }

    /// Returns whether the catalog or the resource whose body runs has a tag in lower case.
    fn is_tagged(&self, tag: &str) -> bool {
        let resource = self.scopes.current().resource;
        self.catalog.has_tag(resource, tag)
    }

    /// The attributes that a hash of data means.
    fn declared_attributes(&mut self, hash: &Hash, site: &Site) -> Vec<Attribute> {
        let all = hash.iter();
        all.map(|(name, value)| {
            let name: Str = name.to_text().into();
            self.attribute(name, value.clone(), false, OriginKind::Created, site.clone())
        })
        .collect()
    }
}
