//! The classes that code includes, declares and inherits from.

use hieratic::Value;
use hieratic_diagnostics::{Severity, Span};
use hieratic_puppet_syntax::ast::{Class, Expr, Node};

use crate::finding::{ARGUMENT_TYPE, Finding, UNKNOWN_CLASS};
use crate::names::{is_misspelling, listed, plain, written_name};
use crate::summary::DefinitionKind;
use crate::types::KindSet;
use crate::walk::Walk;

impl<'t> Walk<'t> {
    /// Reports classes that `include` and its like name and that do not exist.
    pub(crate) fn check_inclusion(&mut self, arguments: &'t [Expr]) {
        for one in arguments.iter().flat_map(listed) {
            if matches!(one.node, Node::Name(_) | Node::Literal(Value::String(_)))
                && let Some(name) = written_name(one)
            {
                self.check_class(&name, self.inside_quotes(one));
            }
            self.check_class_name(one);
            if let Node::Reference(name) = &one.node {
                let lower = plain(name).to_lowercase();
                // An alias may be one of a class.
                if self.program.index().find(DefinitionKind::Alias, &lower).is_some() {
                    continue;
                }
                let message = format!("'{name}' is a type, not the name of a class");
                let finding = Finding::new(&ARGUMENT_TYPE, one.span, message);
                let is_class = self.program.index().find(DefinitionKind::Class, &lower).is_some();
                let fix =
                    |finding: Finding| finding.fix(format!("Change to '{lower}'"), one.span, lower.clone(), false);
                self.report(if is_class { fix(finding) } else { finding });
            }
        }
    }

    /// Reports a value that names no class.
    fn check_class_name(&mut self, name: &'t Expr) {
        let given = self.infer(name);
        let never = KindSet::NUMBER.and(KindSet::BOOLEAN).and(KindSet::UNDEF).and(KindSet::HASH).and(KindSet::REGEXP);
        let is_empty = given.value.as_ref().and_then(Value::as_str) == Some("");
        if is_empty {
            return self.report(Finding::new(&ARGUMENT_TYPE, name.span, "Cannot use empty string as a class name"));
        }
        if let Some(kind) = given.kind.as_ref().filter(|_| given.kinds().is_within(never)) {
            let message = format!("the name of a class must be a string, not {}", kind.generalize());
            self.report(Finding::new(&ARGUMENT_TYPE, name.span, message));
        }
    }

    /// Reports a class that does not exist in a module that is present.
    pub(crate) fn check_class(&mut self, name: &str, span: Span) {
        let class = plain(name).to_lowercase();
        let index = self.program.index();
        let module = class.split("::").next().unwrap_or_default();
        let is_known = class.is_empty()
            || matches!(&*class, "main" | "settings")
            || index.find(DefinitionKind::Class, &class).is_some();
        if is_known {
            return;
        }
        if !self.program.has_module(module) {
            // The class may be one of a module that is missing.
            let finding = Finding::new(&UNKNOWN_CLASS, span, format!("The class '{class}' does not exist here"));
            let finding = finding.suggest(&class, Some(span), index.names(DefinitionKind::Class));
            if finding.suggestion().is_some_and(|near| class.len() > 3 && is_misspelling(&class, near)) {
                self.report(finding.with_severity(Severity::Warning));
            }
            return;
        }
        let message = format!("The class '{class}' does not exist, and its module '{module}' is here");
        let is_of_module = |known: &&str| known.split("::").next() == Some(module);
        let names: Vec<&str> = index.names(DefinitionKind::Class).filter(is_of_module).collect();
        let finding = Finding::new(&UNKNOWN_CLASS, span, message).suggest(&class, Some(span), names);
        let is_alone = finding.help.is_none();
        self.report(if is_alone { finding.help("fix the name, or add the class to the module") } else { finding });
    }

    /// Reports a parent class that does not exist.
    pub(crate) fn check_parent(&mut self, class: &'t Class, expr: &'t Expr) {
        let Some(parent) = &class.parent else { return };
        let head = Span { end: class.body.span.start.max(expr.span.start), ..expr.span };
        let text = self.source.slice(head);
        // The name is the last word of the head.
        let Some(at) = text.rfind(&**parent).filter(|_| !matches!(class.body.node, Node::Nop)) else {
            return self.check_class(parent, expr.span);
        };
        let start = head.first() + at;
        self.check_class(parent, Span::new(start, start + parent.len()));
    }

    /// The span of a string without its quotes.
    pub(crate) fn inside_quotes(&self, expr: &Expr) -> Span {
        let text = self.source.slice(expr.span);
        let is_quoted = text.len() >= 2 && text.starts_with(['\'', '"']) && text.ends_with(['\'', '"']);
        if is_quoted { Span { start: expr.span.start + 1, end: expr.span.end - 1 } } else { expr.span }
    }
}
