//! Files of modules in code: templates, contents, and sources.

use hieratic::Value;
use hieratic_diagnostics::{Severity, Source, Span};
use hieratic_puppet_syntax::ast::{Expr, Node};

use crate::checks::resources::head;
use crate::finding::{ARGUMENT_TYPE, ATTRIBUTE_VALUE, EPP_PARAMETER, Finding, MISSING_FILE};
use crate::names::{listed, written_name};
use crate::summary::{Definition, DefinitionKind, summarize};
use crate::types::KindSet;
use crate::walk::Walk;

impl<'t> Walk<'t> {
    /// Checks the files that a call names.
    pub(crate) fn check_file_argument(&mut self, name: &str, arguments: &'t [Expr]) {
        match name {
            // Each of several is rendered.
            "template" => arguments.iter().for_each(|one| self.check_file(one, "templates", None)),
            "epp" => {
                if let Some((file, rest)) = arguments.split_first() {
                    self.check_file(file, "templates", Some(".epp"));
                    self.check_template_parameters(file, rest.first());
                }
            }
            "inline_epp" => {
                if let Some((text, rest)) = arguments.split_first() {
                    self.check_inline_template(text, rest.first());
                }
            }
            // The first of several that exists is read.
            "file" => match arguments {
                [only] => self.check_file(only, "files", None),
                _ => arguments.iter().for_each(|one| self.check_file_name(one)),
            },
            _ => {}
        }
    }

    fn check_file_name(&mut self, argument: &'t Expr) {
        let given = self.infer(argument);
        if let Some(kind) = given.kind.as_ref().filter(|_| !given.kinds().meets(KindSet::STRING.and(KindSet::OTHER))) {
            let message = format!("the name of a file must be a string, not {}", kind.generalize());
            self.report(Finding::new(&ARGUMENT_TYPE, argument.span, message));
        }
    }

    fn check_file(&mut self, argument: &'t Expr, folder: &str, ending: Option<&str>) {
        self.check_file_name(argument);
        if !matches!(argument.node, Node::Literal(Value::String(_)) | Node::Name(_)) {
            return;
        }
        let Some(text) = written_name(argument).filter(|text| !text.starts_with('/')) else { return };
        let Some((module, path)) = text.split_once('/') else { return };
        if !self.program.has_module(module) {
            return;
        }
        let exists = |path: &str| self.program.has_file(module, folder, path);
        let mut found = exists(path);
        if let (Some(false), Some(ending)) = (found, ending) {
            found = exists(&format!("{path}{ending}"));
        }
        if found == Some(false) {
            let message = format!("the module '{module}' has no file {folder}/{path}");
            self.report(Finding::new(&MISSING_FILE, self.inside_quotes(argument), message));
        }
    }

    /// Checks `puppet:///modules/MODULE/PATH` in the attribute `source` of a file.
    pub(crate) fn check_source(&mut self, value: &'t Expr) {
        // The first of several that exists is used.
        let all = listed(value);
        if all.len() != 1 {
            return;
        }
        let Some(text) = all.first().and_then(written_name) else { return };
        let has_drive = text.as_bytes().get(1) == Some(&b':');
        if !text.is_empty() && !text.starts_with(['/', '\\']) && !text.contains(":/") && !has_drive {
            let message = format!("Cannot use relative URLs '{text}'");
            return self.report(Finding::new(&ATTRIBUTE_VALUE, all[0].span, message));
        }
        let Some(path) = text.strip_prefix("puppet:///modules/") else { return };
        let Some((module, path)) = path.split_once('/') else { return };
        if self.program.has_module(module)
            && self.program.has_file(module, "files", path.trim_end_matches('/')) == Some(false)
        {
            let message = format!("the module '{module}' has no file files/{path}");
            let finding = Finding::new(&MISSING_FILE, self.inside_quotes(&all[0]), message);
            self.report(finding.with_severity(Severity::Warning).help("the agent fails to apply the resource"));
        }
    }

    /// Checks the parameters that a template of EPP is given.
    fn check_template_parameters(&mut self, file: &'t Expr, given: Option<&'t Expr>) {
        let Some(text) = written_name(file) else { return };
        let Some((module, path)) = text.split_once('/') else { return };
        if !self.program.has_module(module) {
            return;
        }
        let Some(template) = self.program.template(module, path) else { return };
        self.check_given_to_template(&template, &format!("the template '{text}'"), file, given);
    }

    /// Checks the parameters that a template in a literal string is given.
    pub(crate) fn check_inline_template(&mut self, text: &'t Expr, given: Option<&'t Expr>) {
        if !matches!(text.node, Node::Literal(Value::String(_))) {
            return;
        }
        let Some(code) = written_name(text) else { return };
        let options = hieratic_puppet_syntax::Options { epp: true, tasks: false };
        let source = Source::new("inlined-epp-text", &*code);
        // One that cannot be parsed is not judged.
        let Some(tree) = hieratic_puppet_syntax::parse(&source, &options).program else { return };
        let all = summarize(&tree).definitions;
        let Some(template) = all.iter().find(|one| one.kind == DefinitionKind::Template) else { return };
        self.check_given_to_template(template, "the template", text, given);
    }

    fn check_given_to_template(&mut self, template: &Definition, label: &str, file: &'t Expr, given: Option<&'t Expr>) {
        let entries = match given {
            Some(given) => match self.written_hash(given) {
                Some(entries) => entries,
                None => return,
            },
            None => &[],
        };
        let mut names = Vec::new();
        for entry in entries {
            let Some(name) = written_name(&entry.key) else { return };
            let span: Span = self.inside_quotes(&entry.key);
            match template.parameter(&name) {
                Some(parameter) => {
                    self.check_value(template, parameter, &entry.value, "parameter");
                }
                None => {
                    let message = format!("{label} has no parameter '{name}'");
                    let known: Vec<&str> = template.parameters.iter().map(|one| &*one.name).collect();
                    let finding = Finding::new(&EPP_PARAMETER, span, message).suggest(&name, Some(span), known);
                    self.report(finding.related(&template.source, head(template), "declared here"));
                }
            }
            names.push(name);
        }
        for parameter in template.parameters.iter().filter(|one| !one.has_default) {
            if !names.iter().any(|name| **name == *parameter.name) {
                let message = format!("{label} expects a value for parameter '{}'", parameter.name);
                let finding = Finding::new(&EPP_PARAMETER, given.unwrap_or(file).span, message);
                self.report(finding.related(&template.source, head(template), "declared here"));
            }
        }
    }
}
