//! Operators with invalid operands.

use hieratic::Value;
use hieratic::puppet_types::{TYPE_NAMES, Type, parse};
use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::ast::{Arithmetic, Comparison, Expr, Node, Variable};
use hieratic_puppet_syntax::visit::each_expression;

use crate::checks::resources::{ResourceKind, head};
use crate::finding::{CONSTANT_CONDITION, Finding, OPERAND_TYPE, UNDEFINED_TYPE};
use crate::names::{bare, plain};
use crate::summary::DefinitionKind;
use crate::types::{Inferred, KindSet, are_disjoint, has_unknown_part, shown};
use crate::walk::Walk;

/// The kinds of which no operator of arithmetic accepts a value.
const NEVER_NUMBERS: KindSet = KindSet::UNDEF.and(KindSet::BOOLEAN).and(KindSet::REGEXP).and(KindSet::DEFAULT);

impl<'t> Walk<'t> {
    /// Reports operands that are not numbers.
    pub(crate) fn check_arithmetic(&mut self, expr: &'t Expr, operator: Arithmetic, left: &'t Expr, right: &'t Expr) {
        let (own, others) = (self.infer(left), self.infer(right));
        let collections = KindSet::ARRAY.and(KindSet::HASH);
        let is_of_collections = own.kinds().meets(collections.and(KindSet::OTHER).and(KindSet::TYPE));
        let joins = matches!(operator, Arithmetic::Add | Arithmetic::Subtract | Arithmetic::ShiftLeft);
        let may_join = is_of_collections && joins;
        if operator == Arithmetic::Add
            && own.kinds().is_within(KindSet::HASH)
            && !others.kinds().meets(collections.and(KindSet::OTHER))
        {
            return self.report(Finding::new(&OPERAND_TYPE, right.span, "Can only append Array or Hash to a Hash"));
        }
        for (side, given) in [(left, &own), (right, &others)] {
            if may_join {
                break;
            }
            if is_no_number(given) || given.kinds().is_within(collections) {
                let subject = self.source.slice(side.span);
                let message = format!("the operand {subject} of '{}' is not a number", operator.symbol());
                return self.report(Finding::new(&OPERAND_TYPE, side.span, message));
            }
        }
        let is_zero = matches!(others.value, Some(Value::Integer(0)));
        if is_zero
            && matches!(operator, Arithmetic::Divide | Arithmetic::Modulo)
            && own.kinds().is_within(KindSet::NUMBER)
        {
            self.report(Finding::new(&OPERAND_TYPE, expr.span, "Division by 0"));
        }
    }

    /// Reports a sign before a value that is not a number.
    pub(crate) fn check_minus(&mut self, expr: &'t Expr, inner: &'t Expr) {
        if is_no_number(&self.infer(inner)) {
            let message = format!("the operand {} of '-' is not a number", self.source.slice(inner.span));
            self.report(Finding::new(&OPERAND_TYPE, expr.span, message));
        }
    }

    /// Reports values of different kinds that are ordered or compared.
    pub(crate) fn check_comparison(&mut self, expr: &'t Expr, operator: Comparison, left: &'t Expr, right: &'t Expr) {
        let (own, other) = (self.infer(left), self.infer(right));
        let (Some(own_kind), Some(others_kind)) = (&own.kind, &other.kind) else { return };
        let is_equality = matches!(operator, Comparison::Equal | Comparison::NotEqual);
        if is_equality {
            return self.check_equality(expr, operator, &own, &other);
        }
        let numbers = KindSet::NUMBER;
        let (left, right) = (own.kinds(), other.kinds());
        let never = NEVER_NUMBERS.and(KindSet::ARRAY).and(KindSet::HASH);
        let others = never.and(KindSet::STRING);
        let is_mixed =
            left.is_within(others) && right.is_within(numbers) || left.is_within(numbers) && right.is_within(others);
        if is_mixed || left.is_within(never) || right.is_within(never) {
            let message = format!(
                "{} and {} cannot be compared with '{}'",
                own_kind.generalize(),
                others_kind.generalize(),
                operator.symbol()
            );
            self.report(Finding::new(&OPERAND_TYPE, expr.span, message));
        }
    }

    fn check_equality(&mut self, expr: &'t Expr, operator: Comparison, own: &Inferred, others: &Inferred) {
        let (Some(own_kind), Some(others_kind)) = (&own.kind, &others.kind) else { return };
        // Two constants are compared on purpose, or in generated code.
        if own.value.is_some() && others.value.is_some() {
            return;
        }
        let widened = |kinds: KindSet| if kinds.meets(KindSet::NUMBER) { kinds.and(KindSet::NUMBER) } else { kinds };
        let is_apart = !widened(own.kinds()).meets(others.kinds());
        let is_missing = [(own, others), (others, own)].iter().any(|(one, other)| is_missing_from_enum(one, other));
        if is_apart || is_missing {
            let always = if operator == Comparison::Equal { "false" } else { "true" };
            let message = format!(
                "the comparison is always {always}: it compares {} with {}",
                described(own, own_kind),
                described(others, others_kind)
            );
            self.report(Finding::new(&CONSTANT_CONDITION, expr.span, message));
        }
    }

    /// Reports values that a regular expression cannot match, and matches whose result is known from the type.
    pub(crate) fn check_match(&mut self, expr: &'t Expr, negated: bool, left: &'t Expr, right: &'t Expr) {
        match &bare(right).node {
            Node::Regexp(_) => {}
            Node::Reference(_) | Node::Access { .. } => return self.check_type_match(expr, negated, left, right),
            _ => return self.check_pattern(right),
        }
        let given = self.infer(left);
        if !given.kinds().meets(KindSet::STRING)
            && let Some(kind) = &given.kind
        {
            let message = format!("a regular expression matches strings, not {}", kind.generalize());
            self.report(Finding::new(&OPERAND_TYPE, expr.span, message));
        }
    }

    /// Reports a right operand that is not a pattern.
    fn check_pattern(&mut self, right: &'t Expr) {
        let given = self.infer(right);
        let patterns = KindSet::STRING.and(KindSet::REGEXP).and(KindSet::TYPE).and(KindSet::OTHER);
        if !given.kinds().meets(patterns) {
            let subject = given.kind.as_ref().map_or_else(String::new, |kind| kind.generalize().to_string());
            let message = format!("a match needs a regular expression, a string or a type, not {subject}");
            return self.report(Finding::new(&OPERAND_TYPE, right.span, message));
        }
        if let Some(Value::String(text)) = &given.value
            && let Err(error) = hieratic::puppet_types::Pattern::new(text)
        {
            let message = format!("Can not convert right match operand to a regular expression: {error}");
            self.report(Finding::new(&OPERAND_TYPE, right.span, message));
        }
    }

    /// Reports `file['/x']`, which is a part of the string 'file'.
    fn check_lowercase_reference(&mut self, expr: &'t Expr, name: &str, keys: &'t [Expr]) {
        let [key] = keys else { return };
        let given = self.infer(key);
        let message = match &given.value {
            _ if name.contains('$') => return,
            Some(Value::String(text)) if is_numeric(text) => return,
            Some(Value::String(text)) => format!("the key '{text}' of a string is not a number"),
            // The value of a string is not known, but no title is a number.
            None if given.kinds().is_within(KindSet::STRING) && self.is_resource_type(name) => {
                "the key of a string is not a number".to_owned()
            }
            _ => return,
        };
        let near = hieratic::puppet_types::capitalize_segments(name);
        let start = expr.span.first();
        let span = Span::new(start, start + name.len());
        let finding = Finding::new(&OPERAND_TYPE, expr.span, message);
        let title = self.source.slice(key.span);
        let finding = finding.help(format!("a reference to a resource begins with a capital letter: {near}[{title}]"));
        self.report(finding.fix(format!("Change to '{near}'"), span, near.to_string(), false));
    }

    pub(crate) fn is_resource_type(&self, name: &str) -> bool {
        let name = plain(name).to_lowercase();
        !matches!(self.resource_kind(&name), ResourceKind::Absent)
    }

    /// Reports parameters that a type of the language does not accept.
    fn check_type_parameters(&mut self, expr: &'t Expr) {
        if let Some(error) = self.error_of_type(expr) {
            return self.report(Finding::new(&UNDEFINED_TYPE, expr.span, error));
        }
        let Node::Access { left, .. } = &expr.node else { return };
        let Node::Reference(name) = &left.node else { return };
        let own = self.program.index().find(DefinitionKind::Alias, &plain(name).to_lowercase());
        if let Some(alias) = own {
            let target = alias.result.as_deref().unwrap_or_default();
            let message = format!("Operator '[]' is not applicable to a {} = {target}-Type.", plain(name));
            let finding = Finding::new(&UNDEFINED_TYPE, expr.span, message).help("a type alias has no parameters");
            self.report(finding.related(&alias.source, head(alias), "defined here"));
        }
    }

    /// The error of a type that is written out, unless it is in one of its parameters.
    fn error_of_type(&self, expr: &Expr) -> Option<String> {
        let Node::Access { left, .. } = &expr.node else { return None };
        let Node::Reference(name) = &left.node else { return None };
        // `Class['a', 'b']` is a list of references.
        let is_reference = matches!(plain(name), "Class" | "Resource" | "CatalogEntry");
        (TYPE_NAMES.contains(&plain(name)) && !is_reference).then_some(())?;
        let error = parse(self.source.slice(expr.span)).err()?;
        let (mut is_written, mut is_inside) = (true, false);
        each_expression(expr, &mut |part| match &part.node {
            Node::Reference(_) | Node::Literal(_) | Node::Integer { .. } | Node::Name(_) | Node::Regexp(_) => {}
            Node::Hash(_) => {}
            // The compiler takes the elements of a list as parameters.
            Node::List(_) => is_written = false,
            Node::Access { .. } if part.span == expr.span => {}
            Node::Access { .. } => is_inside |= parse(self.source.slice(part.span)).is_err(),
            _ => is_written = false,
        });
        (is_written && !is_inside).then(|| error.to_string())
    }

    /// Reports variables that get no value from the list or the hash that is assigned to them.
    pub(crate) fn check_assignment(&mut self, left: &'t Expr, right: &'t Expr) {
        let Node::List(targets) = &left.node else { return };
        let Some(value) = self.infer(right).value else { return };
        let message = match &value {
            Value::Array(all) if all.len() != targets.len() => format!(
                "Mismatched number of assignable entries and values, expected {}, got {}",
                targets.len(),
                all.len()
            ),
            Value::Hash(hash) => {
                let missing = targets.iter().find_map(|target| match &target.node {
                    Node::Variable(Variable::Local(name)) => hash.get(name).is_none().then_some(name),
                    _ => None,
                });
                match missing {
                    Some(name) => format!("No value for required key '{name}' in assignment to variables from hash"),
                    None => return,
                }
            }
            _ => return,
        };
        self.report(Finding::new(&OPERAND_TYPE, left.span, message));
    }

    /// Returns whether a value is of a type whatever conditions say of it: the last of several may cover the rest.
    fn is_always_of(&self, value: &'t Expr, kind: &Type) -> bool {
        let narrowings = self.narrowings.take();
        let given = self.infer(value);
        self.narrowings.replace(narrowings);
        given.kind.is_some_and(|own| kind.is_assignable(&own))
    }

    fn check_type_match(&mut self, expr: &'t Expr, negated: bool, left: &'t Expr, right: &'t Expr) {
        let Some(kind) = self.type_named(right) else { return };
        let given = self.infer(left);
        // Two constants are compared on purpose, or in generated code.
        let Some(own) = given.kind.as_ref().filter(|_| given.value.is_none()) else { return };
        // A block may be written for any elements.
        if self.is_element(left) {
            return;
        }
        let always = if are_disjoint(own, &kind) {
            negated
        } else if kind.is_assignable(own) && !has_unknown_part(own) && self.is_always_of(left, &kind) {
            !negated
        } else {
            return;
        };
        let message = format!("the match is always {always}: the value is of type {}", shown(own));
        self.report(Finding::new(&CONSTANT_CONDITION, expr.span, message));
    }

    /// Reports indexes of values without elements.
    pub(crate) fn check_access(&mut self, expr: &'t Expr, left: &'t Expr, keys: &'t [Expr]) {
        self.check_fact(left, keys);
        if let Node::Reference(_) = left.node {
            return self.check_type_parameters(expr);
        }
        if let Node::Name(name) = &left.node {
            return self.check_lowercase_reference(expr, name, keys);
        }
        let given = self.infer(left);
        let never =
            KindSet::BOOLEAN.and(KindSet::NUMBER).and(KindSet::REGEXP).and(KindSet::DEFAULT).and(KindSet::UNDEF);
        if given.kinds().is_within(never)
            && let Some(kind) = &given.kind
        {
            let message = format!("the operator '[]' is not applicable to {}", kind.generalize());
            return self.report(Finding::new(&OPERAND_TYPE, expr.span, message));
        }
        let [key] = keys else { return };
        if given.kinds().is_within(KindSet::ARRAY.and(KindSet::STRING).and(KindSet::UNDEF))
            && let Some(Value::String(text)) = self.infer(key).value
            && !is_numeric(&text)
        {
            let message = format!("the key '{text}' of a list or a string is not a number");
            self.report(Finding::new(&OPERAND_TYPE, key.span, message));
        }
    }
}

fn described(one: &Inferred, kind: &hieratic::puppet_types::Type) -> String {
    match &one.value {
        Some(Value::String(text)) => format!("'{text}'"),
        Some(_) | None => shown(kind),
    }
}

/// Returns whether one is a string that the other, an `Enum`, does not have. Comparisons ignore case.
fn is_missing_from_enum(one: &Inferred, other: &Inferred) -> bool {
    let Some(Value::String(text)) = &one.value else { return false };
    match other.kind.as_ref().map(Type::resolved) {
        Some(Type::Enum(of)) => {
            !of.values().is_empty() && !of.values().iter().any(|known| known.to_lowercase() == text.to_lowercase())
        }
        _ => false,
    }
}

/// Returns whether a value is certainly no number, and no string that looks like one.
fn is_no_number(given: &Inferred) -> bool {
    match &given.value {
        Some(Value::String(text)) => !is_numeric(text),
        None if is_enum_of_words(given) => true,
        _ => given.kinds().is_within(NEVER_NUMBERS),
    }
}

/// Returns whether none of the strings of an `Enum` looks like a number.
fn is_enum_of_words(given: &Inferred) -> bool {
    match given.kind.as_ref().map(Type::resolved) {
        Some(Type::Enum(of)) => !of.values().is_empty() && !of.values().iter().any(|value| is_numeric(value)),
        _ => false,
    }
}

/// Returns whether the reference may convert a string to a number.
fn is_numeric(text: &str) -> bool {
    let text = text.trim();
    let digits = text.trim_start_matches(['+', '-']).trim_start();
    digits.starts_with(|first: char| first.is_ascii_digit() || first == '.')
}
