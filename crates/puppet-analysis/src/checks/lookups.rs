//! Calls of `lookup`: the strategy of the merge, its options, and the default.

use hieratic::puppet_types::describe_mismatch;
use hieratic::{Strategy, Value};
use hieratic_diagnostics::Severity;
use hieratic_puppet_syntax::ast::{Entry, Expr};

use crate::finding::{ARGUMENT_TYPE, Finding};
use crate::names::written_name;
use crate::types::KindSet;
use crate::walk::Walk;

impl<'t> Walk<'t> {
    /// Checks the arguments of a call of `lookup`.
    pub(crate) fn check_lookup(&mut self, arguments: &[&'t Expr]) {
        let (merge, kind, default) = match arguments {
            [_, kind, merge, rest @ ..] => (Some(*merge), Some(*kind), rest.first().copied()),
            [options] | [_, options] => {
                let Some(entries) = self.written_hash(options) else { return };
                (entry_of(entries, "merge"), entry_of(entries, "value_type"), entry_of(entries, "default_value"))
            }
            _ => return,
        };
        if let Some(merge) = merge {
            self.check_merge(merge);
        }
        if let (Some(kind), Some(default)) = (kind, default) {
            self.check_default_value(kind, default);
        }
    }

    fn check_merge(&mut self, merge: &'t Expr) {
        let Some(entries) = self.written_hash(merge) else {
            if let Some(Value::String(strategy)) = self.infer(merge).value {
                self.check_strategy(&strategy, merge);
            }
            return;
        };
        let names: Option<Vec<_>> = entries.iter().map(|entry| written_name(&entry.key)).collect();
        // A key that is computed may be any of them.
        let Some(names) = names else { return };
        let Some(strategy) = entry_of(entries, "strategy") else {
            let message =
                "The hash given as 'merge' must contain the name of a strategy in string form for the key 'strategy'";
            return self.report(Finding::new(&ARGUMENT_TYPE, merge.span, message));
        };
        let Some(Value::String(word)) = self.infer(strategy).value else { return };
        self.check_strategy(&word, strategy);
        let options: &[&str] = match &*word {
            "default" | "first" | "unique" | "hash" => &[],
            "deep" => &Strategy::DEEP_OPTIONS,
            // The others have more options, which depend on the version of the library that merges.
            _ => return,
        };
        for (name, entry) in names.iter().zip(entries) {
            if **name == *"strategy" {
                continue;
            }
            if options.contains(&&**name) {
                self.check_option(name, &entry.value);
                continue;
            }
            let span = self.inside_quotes(&entry.key);
            let message = format!("The merge options has wrong type, unrecognized key '{name}'");
            let finding = Finding::new(&ARGUMENT_TYPE, span, message);
            self.report(finding.suggest(name, Some(span), ["strategy"].into_iter().chain(options.iter().copied())));
        }
    }

    /// Reports an option of a merge that is of another type.
    fn check_option(&mut self, name: &str, value: &'t Expr) {
        let (expected, kinds) = match name {
            "knockout_prefix" => ("String", KindSet::STRING),
            _ => ("Boolean", KindSet::BOOLEAN),
        };
        let given = self.infer(value);
        let may_be = kinds.and(KindSet::UNDEF);
        if let Some(own) = given.kind.as_ref().filter(|_| !given.kinds().meets(may_be)) {
            let message = format!(
                "The merge options has wrong type, entry '{name}' expects a value of type Undef or {expected}, got {}",
                own.generalize()
            );
            self.report(Finding::new(&ARGUMENT_TYPE, value.span, message));
        }
    }

    fn check_strategy(&mut self, strategy: &str, at: &'t Expr) {
        if Strategy::NAMES.contains(&strategy) {
            return;
        }
        let span = written_name(at).map(|_| self.inside_quotes(at));
        let finding = Finding::new(&ARGUMENT_TYPE, at.span, format!("Unknown merge strategy: '{strategy}'"));
        let finding = finding.suggest(strategy, span, Strategy::NAMES);
        let is_alone = finding.help.is_none();
        let help = || format!("it is one of: {}", Strategy::NAMES.join(", "));
        self.report(if is_alone { finding.help(help()) } else { finding });
    }

    /// Reports a default that is not of the type that the call names.
    fn check_default_value(&mut self, kind: &'t Expr, default: &'t Expr) {
        let Some(expected) = self.type_named(kind) else { return };
        let given = self.infer(default);
        if given.value.as_ref().is_none_or(Value::is_undef) {
            return;
        }
        if let Some(actual) = given.kind.as_ref().filter(|_| given.never_fits(&expected)) {
            let message = describe_mismatch("Default value has wrong type,", &expected, actual);
            // It is only refused where the data has no value.
            let finding = Finding::new(&ARGUMENT_TYPE, default.span, message.trim_start().to_owned());
            self.report(finding.with_severity(Severity::Warning));
        }
    }
}

/// The value of a key that is written out.
fn entry_of<'t>(entries: &'t [Entry], name: &str) -> Option<&'t Expr> {
    entries.iter().find(|entry| written_name(&entry.key).as_deref() == Some(name)).map(|entry| &entry.value)
}
