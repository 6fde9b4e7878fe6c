//! Rules about the location, the inheritance and the content of classes and defined types.

use super::Context;
use crate::failure::Failure;
use crate::kind::Kind;
use crate::problem::Data;

pub(super) fn layout(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for definition in manifest.definitions()? {
        let title = manifest.value(definition.name);
        let parts: Vec<&str> = title.split("::").collect();
        let module = parts[0];
        let file = match &parts[1..] {
            [] => "init".to_owned(),
            rest => rest.join("/"),
        };
        let expected = if cx.settings.relative {
            format!("manifests/{file}.pp")
        } else {
            format!("/{module}/manifests/{file}.pp")
        };
        if !cx.path.ends_with(&expected) {
            cx.error(definition.name, format!("{title} not in autoload module layout"), Data::None);
        }
    }
    Ok(())
}

pub(super) fn inherits_params(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for inherited in manifest.classes()?.filter_map(|class| class.inherited) {
        if manifest.value(inherited).ends_with("::params") {
            cx.warn(inherited, "class inheriting from params class", Data::None);
        }
    }
    Ok(())
}

pub(super) fn top_scope(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    let mut in_definition = vec![false; manifest.len()];
    for definition in manifest.definitions()? {
        cx.manifest.budget.steps((definition.end - definition.start) as u64)?;
        in_definition[definition.start..=definition.end].fill(true);
    }
    for token in manifest.of_kind(|kind| !kind.is_formatting()) {
        if !in_definition[token] {
            let message = format!("code outside of class or define block - {}", manifest.value(token));
            cx.warn(token, message, Data::None);
        }
    }
    Ok(())
}

pub(super) fn inherits_across(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    let module = |id| manifest.value(id).split("::").find(|part| !part.is_empty());
    for class in manifest.classes()? {
        if let Some(inherited) = class.inherited
            && module(inherited) != module(class.name)
        {
            cx.warn(inherited, "class inherits across module namespaces", Data::None);
        }
    }
    Ok(())
}

pub(super) fn nested(cx: &mut Context<'_, '_>) -> Result<(), Failure> {
    let manifest = cx.manifest;
    for class in manifest.classes()? {
        manifest.budget.steps((class.end - class.start) as u64)?;
        for token in class.start + 1..=class.end {
            let noun = match manifest.kind(token) {
                Kind::Class => "class",
                Kind::Define => "defined type",
                _ => continue,
            };
            if manifest.next_code_kind(token).is_some_and(|next| next != Kind::Lbrace) {
                cx.warn(token, format!("{noun} defined inside a class"), Data::None);
            }
        }
    }
    Ok(())
}
