//! Operators whose operands have no meaning for them.

use hieratic::Value;
use hieratic_puppet_syntax::ast::{Arithmetic, Comparison, Expr, Node};

use crate::finding::{CONSTANT_CONDITION, Finding, OPERAND_TYPE};
use crate::types::{Inferred, KindSet, shown};
use crate::walk::Walk;

/// The kinds of which no operator of arithmetic accepts a value.
const NEVER_NUMBERS: KindSet = KindSet::UNDEF.and(KindSet::BOOLEAN).and(KindSet::REGEXP).and(KindSet::DEFAULT);

impl<'t> Walk<'t> {
    /// Reports operands that are no numbers.
    pub(crate) fn check_arithmetic(&mut self, expr: &'t Expr, operator: Arithmetic, left: &'t Expr, right: &'t Expr) {
        let (own, others) = (self.infer(left), self.infer(right));
        let collections = KindSet::ARRAY.and(KindSet::HASH);
        let is_of_collections = own.kinds().meets(collections.and(KindSet::OTHER).and(KindSet::TYPE));
        for (side, given) in [(left, &own), (right, &others)] {
            if is_of_collections && matches!(operator, Arithmetic::Add | Arithmetic::Subtract | Arithmetic::ShiftLeft) {
                break;
            }
            if is_no_number(given) {
                let what = self.source.slice(side.span);
                let message = format!("the operand {what} of '{}' is no number", operator.symbol());
                return self.report(Finding::new(&OPERAND_TYPE, side.span, message));
            }
        }
        let is_zero = matches!(others.value, Some(Value::Integer(0)));
        if is_zero
            && matches!(operator, Arithmetic::Divide | Arithmetic::Modulo)
            && own.kinds().is_within(KindSet::INTEGER)
        {
            self.report(Finding::new(&OPERAND_TYPE, expr.span, "Division by 0"));
        }
    }

    /// Reports a sign before what is no number.
    pub(crate) fn check_minus(&mut self, expr: &'t Expr, inner: &'t Expr) {
        if is_no_number(&self.infer(inner)) {
            let message = format!("the operand {} of '-' is no number", self.source.slice(inner.span));
            self.report(Finding::new(&OPERAND_TYPE, expr.span, message));
        }
    }

    /// Reports values of different kinds that are ordered or compared.
    pub(crate) fn check_comparison(&mut self, expr: &'t Expr, operator: Comparison, left: &'t Expr, right: &'t Expr) {
        let (own, others) = (self.infer(left), self.infer(right));
        let (Some(own_kind), Some(others_kind)) = (&own.kind, &others.kind) else { return };
        let is_equality = matches!(operator, Comparison::Equal | Comparison::NotEqual);
        if is_equality {
            return self.check_equality(expr, operator, &own, &others);
        }
        let numbers = KindSet::NUMBER;
        let (left, right) = (own.kinds(), others.kinds());
        let is_mixed = left.is_within(KindSet::STRING) && right.is_within(numbers)
            || left.is_within(numbers) && right.is_within(KindSet::STRING);
        let never = NEVER_NUMBERS.and(KindSet::ARRAY).and(KindSet::HASH);
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

    /// Reports what a regular expression cannot match.
    pub(crate) fn check_match(&mut self, expr: &'t Expr, left: &'t Expr, right: &'t Expr) {
        if !matches!(right.node, Node::Regexp(_)) {
            return;
        }
        let given = self.infer(left);
        if !given.kinds().meets(KindSet::STRING)
            && let Some(kind) = &given.kind
        {
            let message = format!("a regular expression matches strings, not {}", kind.generalize());
            self.report(Finding::new(&OPERAND_TYPE, expr.span, message));
        }
    }

    /// Reports what has no elements.
    pub(crate) fn check_access(&mut self, expr: &'t Expr, left: &'t Expr, keys: &'t [Expr]) {
        self.check_fact(left, keys);
        if matches!(left.node, Node::Reference(_) | Node::Name(_)) {
            return;
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
        if given.kinds().is_within(KindSet::ARRAY.and(KindSet::STRING))
            && let Some(Value::String(text)) = self.infer(key).value
            && !is_numeric(&text)
        {
            let message = format!("the key '{text}' of a list or a string is no number");
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
    use hieratic::puppet_types::Type;
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
        _ => given.kinds().is_within(NEVER_NUMBERS),
    }
}

/// Returns whether the reference may convert a string to a number.
fn is_numeric(text: &str) -> bool {
    let text = text.trim();
    let digits = text.trim_start_matches(['+', '-']).trim_start();
    digits.starts_with(|first: char| first.is_ascii_digit() || first == '.')
}
