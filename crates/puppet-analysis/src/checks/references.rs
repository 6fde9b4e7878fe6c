//! References to resources: in relationships, and in the attributes that order resources.

use hieratic::value::Str;
use hieratic_diagnostics::{Severity, Span};
use hieratic_puppet_syntax::ast::{Expr, Node, Operation, ResourceBody};

use crate::assignments::Declared;
use crate::checks::resources::ResourceKind;
use crate::finding::{ARGUMENT_TYPE, ATTRIBUTE_VALUE, Finding, OPERAND_TYPE, UNDEFINED_RESOURCE};
use crate::names::{bare, is_misspelling, listed, module_of, plain, type_of_reference, written_name};
use crate::summary::DefinitionKind;
use crate::types::KindSet;
use crate::walk::Walk;

/// The attributes that order resources.
const ORDERING: [&str; 4] = ["require", "before", "notify", "subscribe"];

/// Shorter titles resemble too many others of the environment.
const SHORTEST_TITLE: usize = 6;

impl<'t> Walk<'t> {
    /// Checks the references in the attributes of a resource.
    pub(crate) fn check_references(&mut self, body: &'t ResourceBody) {
        for operation in &body.operations {
            if let Operation::Attribute { name, value, .. } = operation
                && ORDERING.contains(&&**name)
            {
                for one in listed(value) {
                    self.check_resource_reference(one);
                    self.check_text_reference(one);
                    self.check_lowercase_title(one);
                }
            }
        }
    }

    /// Reports `file[$path]`: a part of the string 'file' is no resource, whatever the key is.
    fn check_lowercase_title(&mut self, one: &'t Expr) {
        let Node::Access { left, keys } = &bare(one).node else { return };
        let (Node::Name(name), [key]) = (&left.node, &keys[..]) else { return };
        // A string as the key is reported with the access.
        if self.infer(key).kinds().is_within(KindSet::STRING) || !self.is_resource_type(plain(name)) {
            return;
        }
        let capital = hieratic::puppet_types::capitalize_segments(name);
        let message = format!("a part of the string '{name}' is not a resource");
        let finding = Finding::new(&OPERAND_TYPE, one.span, message);
        self.report(finding.fix(format!("Change to '{capital}'"), left.span, capital.to_string(), false));
    }

    /// Checks the references on one side of a relationship.
    pub(crate) fn check_relationship(&mut self, side: &'t Expr) {
        for one in listed(side) {
            self.check_resource_reference(one);
            if let Some(text) = written_name(one).filter(|text| parts_of_reference(text).is_none()) {
                let message = format!("The expression <{text}> is not a valid type specification.");
                self.report(Finding::new(&OPERAND_TYPE, one.span, message));
            }
        }
    }

    /// Reports a string that is not a reference to a resource.
    fn check_text_reference(&mut self, one: &'t Expr) {
        let Some(text) = written_name(one) else { return };
        let span = self.inside_quotes(one);
        let Some((kind, title)) = parts_of_reference(&text) else {
            let message = format!("'{text}' is not a valid resource reference");
            let finding = Finding::new(&ATTRIBUTE_VALUE, one.span, message);
            return self.report(finding.help("write it as Type['title']"));
        };
        let kind = plain(kind).to_lowercase();
        if kind == "class" {
            self.check_class(title, span);
        } else if matches!(self.resource_kind(&kind), ResourceKind::Absent) {
            self.report_kind(&kind, span);
        } else {
            self.check_title_of_reference(&kind, title, span);
        }
    }

    /// Checks the resources that an override or `realize` names.
    pub(crate) fn check_named_resources(&mut self, all: &'t [Expr]) {
        all.iter().flat_map(listed).for_each(|one| self.check_resource_reference(one));
    }

    /// Reports a reference to a resource that nothing can declare.
    fn check_resource_reference(&mut self, expr: &'t Expr) {
        let Node::Access { left, keys } = &bare(expr).node else { return };
        let Node::Reference(_) = &left.node else { return };
        let Some(kind) = type_of_reference(left) else { return };
        if kind.is_empty() || &*kind == "resource" {
            return;
        }
        for key in keys.iter().flat_map(listed) {
            let known = || self.infer(key).value.and_then(|value| value.as_str().map(Str::from));
            let Some(title) = written_name(key).or_else(known) else { continue };
            let span = self.inside_quotes(key);
            if &*kind == "class" {
                self.check_class(&title, span);
                continue;
            }
            self.check_title_of_reference(&kind, &title, span);
        }
    }

    pub(crate) fn check_title_of_reference(&mut self, kind: &str, title: &str, span: Span) {
        self.check_neighbor(kind, title, span);
        if !self.program.is_complete()
            || matches!(self.resource_kind(kind), ResourceKind::Absent | ResourceKind::Opaque)
        {
            return;
        }
        let index = self.program.index();
        if index.can_declare(kind, title) {
            return;
        }
        let shown = hieratic::puppet_types::capitalize_segments(kind);
        let message = format!("no code declares the resource {shown}[{title}]");
        let titles: Vec<&str> = if self.may_search() { index.titles_of(kind).collect() } else { Vec::new() };
        let finding = Finding::new(&UNDEFINED_RESOURCE, span, message).suggest(title, Some(span), titles);
        // Functions in Ruby can declare resources.
        self.report(finding.with_severity(Severity::Warning));
    }

    /// Reports a title that nothing writes out elsewhere, and that resembles one of the same code.
    fn check_neighbor(&mut self, kind: &str, title: &str, span: Span) {
        let index = self.program.index();
        if index.has_title(kind, title) || !index.can_declare(kind, title) && self.program.is_complete() {
            return;
        }
        if !self.may_search() {
            return;
        }
        let is_of_kind = |declared: &&Declared<'t>| {
            written_name(declared.kind).is_some_and(|own| plain(&own).eq_ignore_ascii_case(kind))
        };
        let declared = self.scopes.iter().flat_map(|scope| &scope.code.resources).filter(is_of_kind);
        let mut titles: Vec<Str> = declared.flat_map(|one| listed(&one.body.title)).filter_map(written_name).collect();
        titles.extend(self.titles_of_file(kind));
        // Each catalog has it.
        titles.extend((kind == "stage").then(|| Str::from("main")));
        // Names that differ in their last letter are often both meant: `ntp` and `ntpd`.
        let is_inside = |near: &&str| near.chars().last() == title.chars().last() && title.len() >= SHORTEST_TITLE;
        titles.extend(index.titles_of(kind).filter(is_inside).map(Str::from));
        titles.retain(|near| is_misspelling(title, near));
        let shown = hieratic::puppet_types::capitalize_segments(kind);
        let message = format!("no code writes out the resource {shown}[{title}]");
        let finding = Finding::new(&UNDEFINED_RESOURCE, span, message);
        let finding = finding.suggest(title, Some(span), titles.iter().map(|title| &**title));
        // A slash at the end of a path does not count.
        let is_same = |near: &str| near.trim_end_matches('/') == title.trim_end_matches('/');
        if finding.suggestion().is_some_and(|near| is_misspelling(title, near) && !is_same(near)) {
            self.report(finding.with_severity(Severity::Warning));
        }
    }

    /// Checks the type of `create_resources` and its like.
    pub(crate) fn check_created_type(&mut self, arguments: &'t [Expr], name: &str, at: Span) {
        let Some(first) = arguments.first() else { return };
        let given = self.infer(first);
        if let Some(own) =
            given.kind.as_ref().filter(|_| !given.kinds().meets(KindSet::STRING.and(KindSet::TYPE).and(KindSet::OTHER)))
        {
            let message = format!("the first argument of '{name}' is a resource type, not {}", own.generalize());
            return self.report(Finding::new(&ARGUMENT_TYPE, first.span, message));
        }
        let is_unfolded = arguments.iter().any(|one| matches!(one.node, Node::Unfold(_)));
        if name == "create_resources" && !is_unfolded && !(2..=3).contains(&arguments.len()) {
            let message =
                format!("create_resources(): Wrong number of arguments given ({} for 2 or 3)", arguments.len());
            self.report(Finding::new(&ARGUMENT_TYPE, at, message));
        }
        let Some(kind) = written_name(first) else { return };
        let kind = plain(&kind).to_lowercase();
        let span = self.inside_quotes(first);
        if kind == "class" || kind.is_empty() || kind.starts_with('@') {
            return;
        }
        if !matches!(self.resource_kind(&kind), ResourceKind::Absent) {
            return self.check_created_attributes(arguments, name, &kind);
        }
        // A qualified name of a class is none of a resource type.
        let is_class = self.program.index().find(DefinitionKind::Class, &kind).is_some();
        if module_of(&kind).is_some() || !is_class {
            self.report_kind(&kind, span);
        }
    }
}

impl<'t> Walk<'t> {
    fn check_created_attributes(&mut self, arguments: &'t [Expr], name: &str, kind: &str) {
        match (name, arguments) {
            ("create_resources" | "ensure_resources", [_, resources, rest @ ..]) => {
                let Some(entries) = self.written_hash(resources) else { return };
                for entry in entries {
                    self.check_hash_attributes(kind, &entry.value);
                    if rest.is_empty() {
                        self.check_missing_in_hash(kind, &entry.value);
                    }
                }
                rest.iter().for_each(|defaults| self.check_hash_attributes(kind, defaults));
            }
            ("ensure_resource", [_, _, attributes]) => self.check_hash_attributes(kind, attributes),
            _ => {}
        }
    }
}

/// The type and the title of a reference to a resource in a string: `File[/etc/motd]`.
fn parts_of_reference(text: &str) -> Option<(&str, &str)> {
    let (kind, rest) = text.split_once('[')?;
    let title = rest.strip_suffix(']')?;
    let is_name = !kind.is_empty() && kind.chars().all(|letter| letter.is_alphanumeric() || "_:".contains(letter));
    is_name.then_some((kind, title))
}
