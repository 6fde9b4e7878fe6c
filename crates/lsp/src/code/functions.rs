//! Functions: those of the language with their signatures, and those of modules.

use std::path::PathBuf;

use hieratic::puppet_types::Signature;
use hieratic::{PuppetVersion, puppet_eval};
use hieratic_lint::View;

use crate::outline::{Definition, DefinitionKind, Outline};

/// A function.
pub(crate) enum Function<'o> {
    /// A built-in function, or one of stdlib.
    Known(String, Vec<Signature>),
    /// A function of a module in the Puppet language.
    Defined(&'o Definition),
    /// A function of a module in Ruby, with its file.
    Ruby(PathBuf),
}

/// A way to call a function, as it would be declared, with where its parameters are in it.
pub(crate) struct Overload {
    pub(crate) label: String,
    pub(crate) parameters: Vec<String>,
    /// Whether the last parameter takes all remaining arguments.
    pub(crate) rest: bool,
}

/// The function of a name.
pub(crate) fn find<'o>(
    view: Option<&View>,
    outline: &'o Outline,
    version: PuppetVersion,
    name: &str,
) -> Option<Function<'o>> {
    if let Some(defined) = outline.find(DefinitionKind::Function, name) {
        return Some(Function::Defined(defined));
    }
    // A module may bring another function of the same name, which counts then.
    if let Some(file) = view.and_then(|view| ruby_file(view, name)) {
        return Some(Function::Ruby(file));
    }
    puppet_eval::function_signatures(name, version).map(|signatures| Function::Known(name.to_owned(), signatures))
}

/// The file of a function in Ruby.
fn ruby_file(view: &View, name: &str) -> Option<PathBuf> {
    let environment = view.environment();
    let files = &environment.powers().code;
    let layers = environment.layers();
    let below = name.replace("::", "/");
    let mut roots: Vec<&std::path::Path> = Vec::new();
    match name.split_once("::") {
        Some(("environment", _)) => roots.push(&layers.environment.root),
        Some((module, _)) => roots.extend(layers.modules.get(module).map(|module| module.root.as_path())),
        None => {
            roots.push(&layers.environment.root);
            roots.extend(layers.modules.values().map(|module| module.root.as_path()));
        }
    }
    roots.into_iter().find_map(|root| {
        let kinds = ["lib/puppet/functions", "lib/puppet/parser/functions"];
        kinds.iter().map(|kind| root.join(kind).join(format!("{below}.rb"))).find(|file| files.is_file(file))
    })
}

impl Function<'_> {
    /// The ways to call it.
    pub(crate) fn overloads(&self) -> Vec<Overload> {
        match self {
            Function::Known(name, signatures) => signatures.iter().map(|signature| overload(name, signature)).collect(),
            Function::Defined(defined) => {
                let parameters: Vec<String> = defined.parameters.iter().map(|one| one.declared()).collect();
                let returns = defined.returns.as_ref().map(|kind| format!(" >> {kind}")).unwrap_or_default();
                let label = format!("{}({}){returns}", defined.name, parameters.join(", "));
                vec![Overload { label, rest: defined.parameters.last().is_some_and(|one| one.rest), parameters }]
            }
            Function::Ruby(_) => Vec::new(),
        }
    }
}

fn overload(name: &str, signature: &Signature) -> Overload {
    let mut parameters: Vec<String> = Vec::new();
    let mut rest = false;
    for one in &signature.parameters {
        let (name, kind) = (&one.name, &one.kind);
        parameters.push(match (one.repeated, one.required) {
            (true, true) => format!("{kind} *${name} (at least one)"),
            (true, false) => format!("{kind} *${name}"),
            (false, true) => format!("{kind} ${name}"),
            (false, false) => format!("Optional {kind} ${name}"),
        });
        rest |= one.repeated;
    }
    if let Some((name, kind)) = &signature.block {
        parameters.push(format!("{kind} &${name}"));
    }
    Overload { label: format!("{name}({})", parameters.join(", ")), parameters, rest }
}
