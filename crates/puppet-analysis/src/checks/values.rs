//! The values that resource types of the agent allow.

use hieratic::Value;
use hieratic::puppet_types::{Type, describe_mismatch};
use hieratic_diagnostics::Severity;
use hieratic_puppet_syntax::ast::{Expr, Operation, ResourceBody};

use crate::attribute_values::{allowed, refused};
use crate::finding::{ATTRIBUTE_TYPE, ATTRIBUTE_VALUE, Finding};
use crate::names::{is_misspelling, listed, written_name};
use crate::types::{Inferred, KindSet};
use crate::walk::Walk;

impl<'t> Walk<'t> {
    /// Reports values that an agent refuses.
    pub(crate) fn check_allowed_values(&mut self, kind: &str, body: &'t ResourceBody) {
        let attribute = |expected: &str| {
            body.operations.iter().find_map(|operation| match operation {
                Operation::Attribute { name, value, .. } if &**name == expected => Some(value),
                _ => None,
            })
        };
        for operation in &body.operations {
            let Operation::Attribute { name, value, append: false, .. } = operation else { continue };
            self.check_listed_value(kind, name, value);
            self.check_kind_of_value(kind, name, value);
            self.check_form(kind, name, value);
            self.check_metaparameter(kind, name, value);
            if kind == "file" && &**name == "mode" {
                self.check_mode(value);
            }
            if kind == "exec" {
                self.check_number_of_exec(name, value);
                self.check_path_of_exec(name, value);
            }
            if kind == "file" && &**name == "path" {
                self.check_path(value);
            }
            if kind == "file" && &**name == "ensure" {
                self.check_ensure_of_file(value);
            }
            if kind == "file" && &**name == "source" {
                self.check_source(value);
            }
        }
        let has_splat = body.operations.iter().any(|operation| matches!(operation, Operation::Splat { .. }));
        if kind == "file" && !has_splat {
            // `name` is another name of the attribute `path`.
            if attribute("path").or_else(|| attribute("name")).is_none() {
                listed(&body.title).iter().for_each(|title| self.check_path(title));
            }
            self.check_contents(body);
        }
        if kind == "exec" && !has_splat {
            self.check_command(body);
        }
    }

    /// Reports values of resource defaults that an agent refuses if a resource takes them.
    pub(crate) fn check_default_values(&mut self, kind: &str, operations: &'t [Operation]) {
        self.report_as_warnings(|walk| {
            for operation in operations {
                let Operation::Attribute { name, value, append: false, .. } = operation else { continue };
                walk.check_listed_value(kind, name, value);
                walk.check_kind_of_value(kind, name, value);
                walk.check_form(kind, name, value);
                if kind == "file" && &**name == "mode" {
                    walk.check_mode(value);
                }
            }
        });
    }

    /// Reports a number of an `exec` that is not a number, or too small.
    fn check_number_of_exec(&mut self, name: &str, value: &'t Expr) {
        let Some(given) = self.infer(value).value else { return };
        let message = match (name, &given) {
            ("timeout", Value::String(text)) if text.parse::<f64>().is_err() => "The timeout must be a number.",
            ("tries", Value::Integer(number)) if *number < 1 => "Tries must be an integer >= 1",
            _ => return,
        };
        self.report(Finding::new(&ATTRIBUTE_VALUE, value.span, message));
    }

    /// Reports a path of an `exec` that is not absolute.
    fn check_path_of_exec(&mut self, name: &str, value: &'t Expr) {
        if !matches!(name, "creates" | "cwd") {
            return;
        }
        for one in listed(value) {
            let Some(path) = written_name(one).filter(|path| !is_absolute(path)) else { continue };
            let message = format!("{name} must be a fully qualified path, not '{path}'");
            self.report(Finding::new(&ATTRIBUTE_VALUE, one.span, message));
        }
    }

    fn check_listed_value(&mut self, kind: &str, name: &str, value: &'t Expr) {
        let inferred = self.infer(value);
        if inferred.value.is_none() {
            self.check_leaves(kind, name, value);
        }
        let Some(values) = allowed(kind, name) else { return };
        let given = match &inferred.value {
            Some(Value::String(text)) => text.to_string(),
            Some(Value::Boolean(flag)) => flag.to_string(),
            Some(Value::Integer(number)) => number.to_string(),
            Some(Value::Hash(_)) => "a hash".to_owned(),
            Some(_) => return,
            None => return self.check_choice(kind, name, value, &inferred),
        };
        if values.clone().any(|known| known == given) {
            return;
        }
        self.report_word(kind, name, value, &given, values);
    }

    /// Reports values of attributes of a resource type in Ruby that its source does not allow.
    pub(crate) fn check_words(&mut self, kind: &str, body: &'t ResourceBody) {
        let mut may_be_named = false;
        let named_by = self.program.name_attribute(kind);
        for operation in &body.operations {
            let Operation::Attribute { name, value, append, .. } = operation else {
                may_be_named = true;
                continue;
            };
            may_be_named |= named_by.as_deref() == Some(&**name);
            if *append {
                continue;
            }
            if matches!(&**name, "loglevel" | "noop") {
                self.check_listed_value(kind, name, value);
                continue;
            }
            self.check_form(kind, name, value);
            self.check_metaparameter(kind, name, value);
            self.check_declared_attribute(kind, name, value);
            self.check_word(kind, name, value);
        }
        // A resource without the attribute has the title as its name.
        if let Some(name) = named_by.filter(|_| !may_be_named) {
            listed(&body.title).iter().for_each(|title| self.check_word(kind, &name, title));
        }
    }

    fn check_word(&mut self, kind: &str, name: &str, value: &'t Expr) {
        let Some(values) = self.program.allowed_values(kind, name) else { return };
        let given = match &self.infer(value).value {
            Some(Value::String(text)) => text.to_string(),
            Some(Value::Boolean(flag)) => flag.to_string(),
            Some(Value::Integer(number)) => number.to_string(),
            // No word is written as a hash is.
            Some(Value::Hash(_)) if values.patterns.is_empty() => "a hash".to_owned(),
            _ => return,
        };
        if values.contains(&given) {
            return;
        }
        if values.patterns.is_empty() {
            return self.report_word(kind, name, value, &given, values.words.iter().map(|word| &**word));
        }
        let message = format!("the attribute '{name}' of '{kind}' cannot be '{given}'");
        let patterns = values.patterns.iter().map(|pattern| format!("/{}/", pattern.source()));
        let all: Vec<String> = values.words.iter().map(|word| word.to_string()).chain(patterns).collect();
        let help = format!("it can be, or match, one of: {}", all.join(", "));
        self.report(Finding::new(&ATTRIBUTE_VALUE, value.span, message).help(help));
    }

    /// Reports a value of an attribute of the Resource API that is not of its data type, and any value of a read-only one.
    fn check_declared_attribute(&mut self, kind: &str, name: &str, value: &'t Expr) {
        let Some(declared) = self.program.declared_attribute(kind, name) else { return };
        let given = self.infer(value);
        // The value `undef` sets nothing.
        if given.kinds().meets(KindSet::UNDEF) {
            return;
        }
        if declared.is_read_only {
            let message = format!("the attribute '{name}' of '{kind}' is read-only");
            let help = "only the provider sets it: remove it";
            return self.report(Finding::new(&ATTRIBUTE_VALUE, value.span, message).help(help));
        }
        // The agent resolves values of Deferred, and takes those of Sensitive out.
        if given.kinds().meets(KindSet::OTHER) || declared.kind.contains("Sensitive") {
            return;
        }
        let Some(expected) = self.program.data_type(&declared.kind) else { return };
        let Some(actual) = given.kind.as_ref().filter(|_| given.never_fits(&expected)) else { return };
        let subject = format!("{kind}.{name}");
        let message = describe_mismatch(&subject, &expected, actual);
        let finding = Finding::new(&ATTRIBUTE_TYPE, value.span, message.trim_start().to_owned());
        let finding = self.suggest_value(finding, &expected, value);
        self.report(finding);
    }

    /// Reports a value that the attribute does not allow.
    fn report_word<'w>(
        &mut self,
        kind: &str,
        name: &str,
        value: &'t Expr,
        given: &str,
        words: impl Iterator<Item = &'w str> + Clone,
    ) {
        let list: Vec<&str> = words.clone().collect();
        let message = format!("the attribute '{name}' of '{kind}' cannot be '{given}'");
        let finding =
            Finding::new(&ATTRIBUTE_VALUE, value.span, message).help(format!("it can be {}", list.join(", ")));
        let at = written_name(value).map(|_| self.inside_quotes(value));
        self.report(finding.suggest(given, at, words));
    }

    /// Reports a value of a kind that the attribute refuses.
    fn check_kind_of_value(&mut self, kind: &str, name: &str, value: &'t Expr) {
        let given = self.infer(value);
        if let Some(own) = given.kind.as_ref().filter(|_| given.kinds().is_within(refused(kind, name))) {
            let message = format!("the attribute '{name}' of '{kind}' cannot be of type {}", own.generalize());
            self.report(Finding::new(&ATTRIBUTE_VALUE, value.span, message));
        }
    }

    /// Reports words of a choice that nearly are values which the attribute allows.
    fn check_leaves(&mut self, kind: &str, name: &str, value: &'t Expr) {
        let words: Vec<&str> = match (kind, name) {
            ("file", "ensure") => vec!["absent", "present", "file", "directory", "link"],
            _ => match allowed(kind, name) {
                Some(values) => values.collect(),
                None => return,
            },
        };
        for leaf in self.leaves(value) {
            let Some(text) = written_name(leaf).filter(|text| !words.contains(&&**text)) else { continue };
            let at = self.inside_quotes(leaf);
            let message = format!("the attribute '{name}' of '{kind}' may become '{text}'");
            let finding = Finding::new(&ATTRIBUTE_VALUE, leaf.span, message);
            let finding = finding.suggest(&text, Some(at), words.iter().copied());
            if finding.suggestion().is_some_and(|near| is_misspelling(&text, near)) {
                self.report(finding.with_severity(Severity::Warning));
            }
        }
    }

    /// Reports an `Enum` of which the attribute allows no value.
    fn check_choice(&mut self, kind: &str, name: &str, value: &'t Expr, given: &Inferred) {
        let Some(Type::Enum(of)) = given.kind.as_ref().map(Type::resolved) else { return };
        let Some(values) = allowed(kind, name) else { return };
        if of.values().is_empty() || of.values().iter().any(|own| values.clone().any(|known| known == &**own)) {
            return;
        }
        let message = format!("the attribute '{name}' of '{kind}' allows no value of {}", Type::Enum(of.clone()));
        let list: Vec<&str> = values.collect();
        let finding = Finding::new(&ATTRIBUTE_VALUE, value.span, message);
        self.report(finding.help(format!("it can be {}", list.join(", "))));
    }

    /// Reports a word that nearly is one of those that `ensure` can be: any other is the target of a link.
    fn check_ensure_of_file(&mut self, value: &'t Expr) {
        let Some(Value::String(text)) = self.infer(value).value else { return };
        let words = ["absent", "present", "file", "directory", "link"];
        if text.contains('/') || words.contains(&&*text) {
            return;
        }
        let at = written_name(value).map(|_| self.inside_quotes(value));
        let message = format!("the file becomes a link to '{text}'");
        let finding = Finding::new(&ATTRIBUTE_VALUE, value.span, message).suggest(&text, at, words);
        if finding.suggestion().is_some() {
            self.report(finding.with_severity(Severity::Warning));
        }
    }

    fn check_mode(&mut self, value: &'t Expr) {
        let given = self.infer(value);
        if given.kinds().is_within(KindSet::NUMBER) {
            let text = self.source.slice(value.span);
            let finding =
                Finding::new(&ATTRIBUTE_VALUE, value.span, "the mode of a file must be a string, not a number");
            let finding = finding.help("write it in quotes");
            let is_octal = (3..=4).contains(&text.len()) && text.bytes().all(|byte| (b'0'..=b'7').contains(&byte));
            let mode = format!("'{text:0>4}'");
            let fixed = |finding: Finding| finding.fix(format!("Change to {mode}"), value.span, mode.clone(), true);
            return self.report(if is_octal { fixed(finding) } else { finding });
        }
        if !given.kinds().meets(KindSet::STRING.and(KindSet::SENSITIVE).and(KindSet::OTHER).and(KindSet::UNDEF)) {
            return self.report(Finding::new(&ATTRIBUTE_VALUE, value.span, "the mode of a file must be a string"));
        }
        let Some(Value::String(mode)) = given.value else { return };
        let is_number = !mode.is_empty() && mode.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && mode.bytes().any(|byte| byte >= b'8') {
            let message = format!("the mode '{mode}' of a file is not octal");
            return self.report(Finding::new(&ATTRIBUTE_VALUE, value.span, message));
        }
        let is_octal = is_number && (1..=4).contains(&mode.strip_prefix('0').unwrap_or(&mode).len().max(1));
        if !mode.is_empty() && !is_octal && !is_symbolic(&mode) {
            let message = format!("the mode '{mode}' of a file is neither octal nor symbolic");
            self.report(Finding::new(&ATTRIBUTE_VALUE, value.span, message));
        }
    }

    fn check_path(&mut self, title: &'t Expr) {
        let Some(path) = written_name(title).filter(|path| !path.is_empty() && !is_absolute(path)) else { return };
        let message = format!("the path of a file must be absolute, not '{path}'");
        self.report(Finding::new(&ATTRIBUTE_VALUE, title.span, message));
    }

    /// Reports a file that gets its content in two ways.
    fn check_contents(&mut self, body: &'t ResourceBody) {
        let mut first: Option<&str> = None;
        for operation in &body.operations {
            let Operation::Attribute { name, value, span, .. } = operation else { continue };
            let name: &str = match &**name {
                // Any other value is the target of a link.
                "ensure" if self.is_target(value) => "target",
                "content" | "source" | "target" if self.is_given(value) => name,
                _ => continue,
            };
            if let Some(before) = first.filter(|before| *before != name) {
                let message = format!("a file cannot have both '{before}' and '{name}'");
                self.report(Finding::new(&ATTRIBUTE_VALUE, *span, message));
            }
            first = first.or(Some(name));
        }
    }

    /// Whether a value of `ensure` is not one of the allowed words.
    fn is_target(&self, value: &'t Expr) -> bool {
        let words = ["absent", "false", "present", "true", "file", "directory", "link"];
        match self.infer(value).value {
            Some(Value::String(text)) => !words.contains(&&*text),
            Some(Value::Integer(_)) => true,
            _ => false,
        }
    }

    /// Whether a value is certainly not `undef`.
    fn is_given(&self, value: &'t Expr) -> bool {
        let given = self.infer(value);
        given.kind.is_some() && !given.kinds().meets(KindSet::UNDEF)
    }

    /// Reports a command that the agent cannot find.
    fn check_command(&mut self, body: &'t ResourceBody) {
        let mut command = Some(&body.title);
        for operation in &body.operations {
            let Operation::Attribute { name, value, .. } = operation else { continue };
            match &**name {
                "command" => command = Some(value),
                "path" | "provider" if !self.infer(value).kinds().is_within(KindSet::UNDEF) => return,
                _ => {}
            }
        }
        if ["path", "provider"].iter().any(|name| self.program.index().can_set_attribute("exec", name)) {
            return;
        }
        let Some(text) = command.and_then(written_name) else { return };
        let word = text.split_whitespace().next().unwrap_or_default().trim_matches(['"', '\'']);
        let is_plain =
            word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/'));
        if word.is_empty() || word.starts_with('/') || !is_plain {
            return;
        }
        let Some(command) = command else { return };
        let message = format!("the command '{word}' has no path, and the resource has no attribute 'path'");
        let finding = Finding::new(&ATTRIBUTE_VALUE, command.span, message);
        // Code elsewhere may have a default.
        self.report(finding.with_severity(Severity::Warning).help("write the path of the command, or add 'path'"));
    }
}

/// Whether a mode is symbolic: `u=rw,go=r`.
fn is_symbolic(mode: &str) -> bool {
    mode.split(',').all(|clause| {
        let change = clause.trim_start_matches(['u', 'g', 'o', 'a']);
        let letters = "-=+rstwxXugo";
        change.starts_with(['-', '=', '+']) && change.chars().all(|letter| letters.contains(letter))
    })
}

/// Returns whether a path is absolute on some platform.
fn is_absolute(path: &str) -> bool {
    let mut letters = path.chars();
    let has_drive = letters.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && letters.next() == Some(':');
    path.starts_with(['/', '\\']) || has_drive
}
