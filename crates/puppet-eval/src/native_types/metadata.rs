//! Resource types that `puppet generate types` has written, in `.resource_types` of an environment.
//!
//! Such a file is one expression of the language, `Puppet::Resource::ResourceType3.new(NAME, PROPERTIES, PARAMETERS,
//! PATTERNS, ISOMORPHIC, ...)`, which is parsed, not evaluated.

use hieratic_puppet_syntax::ast::{Expr, Node, Program};
use hieratic_ruby_regexp::Regexp;
use hieratic_value::ErasedSort as _;
use hieratic_value::{Str, Value};

use super::{ModuleType, TitlePattern};

impl ModuleType {
    /// Returns the type that a file describes, or `None` if it contains something else.
    pub fn written(program: &Program) -> Option<ModuleType> {
        let body = match &program.body.node {
            Node::Block(all) => all.last()?,
            _ => &program.body,
        };
        let Node::Method(call) = &body.node else { return None };
        let is_type = matches!(&call.receiver.node, Node::Reference(name) if name.ends_with("ResourceType3"));
        if !is_type || &*call.name != "new" {
            return None;
        }
        let mut kind = ModuleType { isomorphic: true, ..ModuleType::default() };
        for list in call.arguments.get(1..3)? {
            for one in elements(list)? {
                let (name, names) = parameter(one)?;
                if names {
                    kind.keys.push(name.clone());
                }
                kind.attributes.push(name);
            }
        }
        kind.keys.sort_erased();
        match call.arguments.get(3).map(|patterns| &patterns.node) {
            Some(Node::Hash(entries)) => {
                for entry in entries {
                    let Node::Regexp(regexp) = &entry.key.node else { return None };
                    let parts = elements(&entry.value)?.iter().map(text).collect::<Option<Vec<Str>>>()?;
                    kind.patterns.push(TitlePattern { regexp: regexp.clone(), parts });
                }
            }
            _ => {
                if let [only] = &kind.keys[..] {
                    kind.patterns
                        .push(TitlePattern { regexp: Regexp::new("(?m:(.*))").ok()?, parts: vec![only.clone()] });
                }
            }
        }
        if let Some(Node::Literal(Value::Boolean(isomorphic))) = call.arguments.get(4).map(|one| &one.node) {
            kind.isomorphic = *isomorphic;
        }
        Some(kind)
    }
}

fn elements(list: &Expr) -> Option<&[Expr]> {
    match &list.node {
        Node::List(elements) => Some(elements),
        _ => None,
    }
}

fn text(expr: &Expr) -> Option<Str> {
    match &expr.node {
        Node::Literal(Value::String(text)) => Some(text.clone()),
        _ => None,
    }
}

/// `Puppet::Resource::Param(TYPE, NAME, NAMES)`
fn parameter(expr: &Expr) -> Option<(Str, bool)> {
    let arguments = match &expr.node {
        Node::Call(call) => &call.arguments,
        _ => return None,
    };
    let names = matches!(arguments.get(2).map(|one| &one.node), Some(Node::Literal(Value::Boolean(true))));
    Some((text(arguments.get(1)?)?, names))
}
