//! Arguments whose types a function accepts, but not their values.

use hieratic::Value;
use hieratic::puppet_types::{Pattern, Type, describe_mismatch, instantiate, parse};
use hieratic_puppet_syntax::ast::{Expr, Node};

use crate::finding::{ARGUMENT_TYPE, Finding};
use crate::summary::DefinitionKind;
use crate::types::KindSet;
use crate::walk::Walk;

/// The types that are created from literals without anything around them.
const CREATED: [&str; 4] = ["Integer", "Float", "Numeric", "Boolean"];

impl<'t> Walk<'t> {
    /// Reports arguments that a function refuses by their values.
    pub(crate) fn check_known_arguments(&mut self, name: &str, arguments: &[&'t Expr], has_block: bool) {
        match (name, arguments) {
            ("assert_type", [kind, value]) if !has_block => self.check_assertion(kind, value),
            ("regsubst", [_, pattern, ..]) | ("split", [_, pattern]) | ("match", [_, pattern]) => {
                self.check_expression(pattern);
            }
            ("sprintf", [format, rest @ ..]) => self.check_format(format, rest),
            ("prefix" | "suffix", [list, rest @ ..]) => self.check_affix(name, list, rest.first().copied()),
            _ => {}
        }
    }

    /// Reports what `prefix` and `suffix` of the stdlib module refuse: as functions of Puppet 3, they have no signature.
    fn check_affix(&mut self, name: &str, list: &'t Expr, affix: Option<&'t Expr>) {
        if self.program.index().find(DefinitionKind::Function, name).is_some() || !self.program.has_module("stdlib") {
            return;
        }
        let collections = KindSet::ARRAY.and(KindSet::HASH).and(KindSet::OTHER);
        let given = self.infer(list);
        if given.kind.is_some() && !given.kinds().meets(collections) {
            let message = format!("{name}(): expected first argument to be an Array or a Hash");
            self.report(Finding::new(&ARGUMENT_TYPE, list.span, message));
        }
        let Some(affix) = affix else { return };
        let given = self.infer(affix);
        // Without a value, and for false, nothing is added.
        let affixes = KindSet::STRING.and(KindSet::UNDEF).and(KindSet::BOOLEAN).and(KindSet::OTHER);
        if given.kind.is_some() && !given.kinds().meets(affixes) {
            let message = format!("{name}(): expected second argument to be a String");
            self.report(Finding::new(&ARGUMENT_TYPE, affix.span, message));
        }
    }

    fn check_assertion(&mut self, kind: &'t Expr, value: &'t Expr) {
        let Some(expected) = self.type_named(kind) else { return };
        let given = self.infer(value);
        if let Some(actual) = given.kind.as_ref().filter(|_| given.never_fits(&expected)) {
            let message = describe_mismatch("assert_type():", &expected, actual);
            self.report(Finding::new(&ARGUMENT_TYPE, value.span, message));
        }
    }

    /// Reports a string that is not a regular expression.
    fn check_expression(&mut self, pattern: &'t Expr) {
        if let Some(Value::String(text)) = self.infer(pattern).value
            && let Err(error) = Pattern::new(&text)
        {
            self.report(Finding::new(&ARGUMENT_TYPE, pattern.span, error.to_string()));
        }
    }

    /// Reports a format that needs more values, or an argument that is not a number.
    fn check_format(&mut self, format: &'t Expr, rest: &[&'t Expr]) {
        let given = self.infer(format);
        if let Some(kind) = given.kind.as_ref().filter(|_| !given.kinds().meets(KindSet::STRING.and(KindSet::OTHER))) {
            let message = format!("the format must be a string, not {}", kind.generalize());
            return self.report(Finding::new(&ARGUMENT_TYPE, format.span, message));
        }
        let Some(Value::String(text)) = given.value else { return };
        if rest.iter().any(|one| matches!(one.node, Node::Unfold(_))) {
            return;
        }
        let Some(letters) = letters_of(&text) else { return };
        if letters.len() > rest.len() {
            return self.report(Finding::new(&ARGUMENT_TYPE, format.span, "too few arguments"));
        }
        for (letter, value) in letters.iter().zip(rest) {
            let Some(Value::String(text)) = self.infer(value).value else { continue };
            let is_plain = !text.is_empty() && text.chars().all(char::is_alphabetic);
            if matches!(letter, 'd' | 'i' | 'u') && is_plain {
                let message = format!("invalid value for Integer(): \"{text}\"");
                self.report(Finding::new(&ARGUMENT_TYPE, value.span, message));
            }
        }
    }

    /// Reports a value that cannot be converted: `Integer('x')`.
    pub(crate) fn check_creation(&mut self, kind: &'t Expr, given: &'t [Expr]) {
        let Node::Reference(name) = &kind.node else { return };
        if !CREATED.contains(&&**name) {
            return;
        }
        let arguments: Option<Vec<Value>> = given.iter().map(|one| self.infer(one).value).collect();
        let (Some(arguments), Ok(kind)) = (arguments, parse(name)) else { return };
        let is_simple = |value: &Value| matches!(value, Value::String(_) | Value::Undef);
        let [value] = &arguments[..] else { return };
        if is_simple(value)
            && !matches!(kind, Type::Reference(_))
            && let (Err(error), Some(argument)) = (instantiate(&kind, &arguments), given.first())
        {
            self.report(Finding::new(&ARGUMENT_TYPE, argument.span, error.to_string()));
        }
    }
}

/// The letters of the formats of a string, each for one value; `None` if they name their values or compute their widths.
fn letters_of(format: &str) -> Option<Vec<char>> {
    let mut letters = Vec::new();
    let mut rest = format.chars();
    while let Some(one) = rest.next() {
        if one != '%' {
            continue;
        }
        let mut letter = rest.next()?;
        while matches!(letter, '0'..='9' | '.' | '-' | '+' | ' ' | '#') {
            letter = rest.next()?;
        }
        match letter {
            '%' => {}
            '<' | '{' | '*' | '$' => return None,
            letter => letters.push(letter),
        }
    }
    Some(letters)
}

#[cfg(test)]
mod tests {
    use super::letters_of;

    #[test]
    fn formats_have_letters() {
        assert_eq!(letters_of("%d %-5.2f%% %s").unwrap_or_default(), ['d', 'f', 's']);
        assert_eq!(letters_of("%<a>d"), None);
        assert_eq!(letters_of("%1$s"), None);
    }
}
