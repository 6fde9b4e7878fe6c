//! Where definitions of a module have to lie.

use std::path::{Component, Path, PathBuf};

/// What a file may define.
pub(crate) enum Namespace {
    /// Anything: it is in no module.
    Any,
    /// Nothing: it is in a module, but in no folder that definitions are looked for in.
    Nothing,
    /// Names that begin so.
    Prefix(String),
}

/// What a file may define; see [namespaces](https://www.puppet.com/docs/puppet/8/lang_namespaces.html).
pub(crate) fn of(file: Option<&Path>, modulepath: &[PathBuf]) -> Namespace {
    let Some(file) = file.filter(|file| file.extension().is_some_and(|extension| extension == "pp")) else {
        return Namespace::Any;
    };
    let Ok(file) = std::path::absolute(file) else { return Namespace::Any };
    let inside = modulepath.iter().find_map(|folder| file.strip_prefix(std::path::absolute(folder).ok()?).ok());
    let Some(inside) = inside else { return Namespace::Any };
    let names: Vec<String> = inside
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().to_lowercase()),
            _ => None,
        })
        .collect();
    let (Some(module), Some(folder), [.., last]) = (names.first(), names.get(1), &names[..]) else {
        return Namespace::Nothing;
    };
    if names.len() < 3 || !matches!(folder.as_str(), "manifests" | "functions" | "types" | "plans") {
        return Namespace::Nothing;
    }
    let mut parts = vec![module.as_str()];
    parts.extend(names[2..names.len() - 1].iter().map(String::as_str));
    if !(names.len() == 3 && last == "init.pp") {
        parts.push(last.trim_end_matches(".pp"));
    }
    Namespace::Prefix(parts.join("::"))
}
