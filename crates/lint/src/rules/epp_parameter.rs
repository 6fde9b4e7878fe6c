//! # epp-parameter
//!
//! A call of an EPP template passes other parameters than it has. (error)
//!
//! ## What is found
//!
//! A call such as `epp('ntp/ntp.conf.epp', { servers => $servers })` names a parameter that the template does not declare,
//! or lacks one that has no default. Calls whose template, or whose parameters, are computed are not judged. Neither are
//! templates without a list of parameters, which take any, and those of modules that are not here.
//!
//! ## Why it matters
//!
//! Every catalog that reaches the call fails: `has no parameter named 'server'`.
//!
//! ## How to fix it
//!
//! Correct the name, pass the parameter, or give it a default in the template.
//!
//! ## Example
//!
//! ```puppet
//! $text = epp('ntp/ntp.conf.epp', { 'server' => $servers })
//! ```
//!
//! becomes
//!
//! ```puppet
//! $text = epp('ntp/ntp.conf.epp', { 'servers' => $servers })
//! ```
//!
//! A comment `# hieratic: ignore epp-parameter` on the same line or the line before accepts the finding.

use hieratic_diagnostics::{Source, Span, nearest};
use hieratic_puppet_syntax::ast::{Entry, Expr, Node, Parameter};
use hieratic_puppet_syntax::visit::each_expression;
use hieratic_puppet_syntax::{Options as Syntax, parse};

use super::ProgramContext;
use crate::finding::Finding;
use crate::paths::shown;
use crate::rules;

pub(super) fn check(cx: &ProgramContext<'_>) {
    each_expression(&cx.program.body, &mut |expr| {
        let Node::Call(call) = &expr.node else { return };
        let is_epp = matches!(&call.functor.node, Node::Name(name) if &**name == "epp");
        let (name, given) = match call.arguments.as_slice() {
            [name] if is_epp => (name, None),
            [name, given] if is_epp => (name, Some(given)),
            _ => return,
        };
        let entries: &[Entry] = match given.map(|given| &given.node) {
            None => &[],
            Some(Node::Hash(entries)) => entries,
            Some(_) => return,
        };
        if let Some((template, parameters)) = text_of(name).and_then(|name| declared(cx, name)) {
            judge(cx, given.unwrap_or(name), entries, &template, &parameters);
        }
    });
}

/// The text of a literal string or a word.
fn text_of(expr: &Expr) -> Option<&str> {
    match &expr.node {
        Node::Literal(value) => value.as_str(),
        Node::Name(name) => Some(name),
        _ => None,
    }
}

/// The source of a template of a module, and the parameters that it declares.
fn declared(cx: &ProgramContext<'_>, name: &str) -> Option<(Source, Vec<Parameter>)> {
    let (module, file) = name.split_once('/')?;
    let settings = &cx.options.settings;
    // The first folder that has the module counts.
    let root = cx
        .modulepath
        .iter()
        .map(|folder| folder.join(module))
        .find(|root| settings.mounted(settings.permissions.files_below(root)).is_folder(root))?;
    let path = root.join("templates").join(file);
    // A template that cannot be read is reported where it is checked itself.
    let text = settings.mounted(settings.permissions.files_below(&root)).read_text(&path).ok()?;
    let source = Source::new(shown(&path), text);
    let program = parse(&source, &Syntax { epp: true, ..Syntax::default() }).program?;
    match program.body.node {
        Node::Epp(epp) => Some((source, epp.parameters?)),
        _ => None,
    }
}

fn judge(cx: &ProgramContext<'_>, place: &Expr, entries: &[Entry], template: &Source, parameters: &[Parameter]) {
    let source = &cx.program.source;
    let names: Vec<Option<&str>> = entries.iter().map(|entry| text_of(&entry.key)).collect();
    let report = |span: Span, message: String, help: String| {
        let finding = Finding::new(&rules::EPP_PARAMETER, message).at(source, source.clamp(span), "");
        cx.report(finding.help(help));
    };
    for (entry, name) in entries.iter().zip(&names) {
        let Some(name) = name.filter(|name| !parameters.iter().any(|parameter| &*parameter.name == *name)) else {
            continue;
        };
        let known: Vec<&str> = parameters.iter().map(|parameter| &*parameter.name).collect();
        let help = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean '{near}'?"),
            None => format!("it has: {}", known.join(", ")),
        };
        report(entry.key.span, format!("{} has no parameter '{name}'", template.name()), help);
    }
    if names.iter().any(Option::is_none) {
        return;
    }
    let is_missing = |parameter: &&Parameter| parameter.default.is_none() && !names.contains(&Some(&*parameter.name));
    for parameter in parameters.iter().filter(is_missing) {
        let message = format!("{} needs the parameter '{}'", template.name(), parameter.name);
        report(place.span, message, format!("pass it: {} => ...", parameter.name));
    }
}
