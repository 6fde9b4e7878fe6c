//! Functions: those of the language with their signatures, and those of modules.

use std::path::PathBuf;

use hieratic::puppet_types::Signature;
use hieratic::{PuppetVersion, puppet_eval};
use hieratic_diagnostics::Span;
use hieratic_lint::View;

use super::ruby::{self, RubyDispatch, RubyKind};
use crate::outline::{Definition, DefinitionKind, Outline};

/// A function.
pub(crate) enum Function<'o> {
    /// A built-in function, or one of stdlib.
    Known(String, Vec<Signature>),
    /// A function of a module in the Puppet language.
    Defined(&'o Definition),
    /// A function of a module in Ruby.
    Ruby(RubyFunction),
}

/// A function of a module in Ruby, with its file.
pub(crate) struct RubyFunction {
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    /// The text of the file; empty if it cannot be read.
    pub(crate) text: String,
}

impl RubyFunction {
    /// The span of its name.
    pub(crate) fn span(&self) -> Span {
        let last = self.name.rsplit("::").next().unwrap_or(&self.name);
        match ruby::span_of(&self.text, RubyKind::Function, &self.name) {
            span if span.behind() > 0 => span,
            _ => ruby::span_of(&self.text, RubyKind::Function, last),
        }
    }

    /// Its documentation.
    pub(crate) fn documentation(&self) -> String {
        ruby::documentation(&self.text, self.span())
    }
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
        // The location of a file that cannot be read is known nevertheless.
        let text = view.map(|view| view.environment().capabilities().code.read_text(&file).unwrap_or_default());
        let text = text.unwrap_or_default();
        return Some(Function::Ruby(RubyFunction { name: name.to_owned(), file, text }));
    }
    puppet_eval::function_signatures(name, version).map(|signatures| Function::Known(name.to_owned(), signatures))
}

/// The file of a function in Ruby.
fn ruby_file(view: &View, name: &str) -> Option<PathBuf> {
    let environment = view.environment();
    let files = &environment.capabilities().code;
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
            Function::Ruby(function) => {
                let ways = ruby::dispatches(&function.text);
                ways.into_iter().map(|way| ruby_overload(&function.name, way)).collect()
            }
        }
    }
}

fn ruby_overload(name: &str, way: RubyDispatch) -> Overload {
    let rest = way.parameters.iter().any(|one| one.rest);
    let parameters: Vec<String> = way.parameters.into_iter().map(|one| one.declared).collect();
    let returns = way.returns.map(|kind| format!(" >> {kind}")).unwrap_or_default();
    Overload { label: format!("{name}({}){returns}", parameters.join(", ")), parameters, rest }
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
